// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/lagrangian_step.hpp"

#include "vinculum/convex/scaled.hpp"
#include "vinculum/integrators/modes.hpp"
#include "vinculum/principles/instant.hpp"
#include "vinculum/principles/kink.hpp"
#include "vinculum/principles/level_problem.hpp"

#include <fmt/core.h>
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrators {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using parts::RowLaw;
using potentials::Level;
using principles::Block;
using principles::BlockKind;

namespace {

constexpr int fixed_point_steps = 100;
constexpr int projection_steps = 20;
constexpr double closed_factor = 4;

/// How the rows of one law take part in a step.
struct Part {
  std::size_t law = 0;
  Mode mode = Mode::acting;
  bool kink = false;
  VectorXd offset;  // ξ − γ⁺
  int block = -1;   // of the problem; −1: a given impulse
  int row = 0;      // first row of it in the problem
};

class LagrangianMoreau final : public Integrator {
 public:
  LagrangianMoreau(const system::System& system, const Settings& settings)
      : part_(*system.lagrangian), settings_(settings), point_(part_.make_point()) {
    demand_supported();
    active_.assign(part_.laws().size(), 0);
    warm_ = VectorXd::Zero(part_.rows());
  }

  void step(system::State& state, StepRecord& record) override;
  std::vector<double> save() const override { return {warm_.begin(), warm_.end()}; }
  void restore(std::span<const double> memory) override {
    std::copy_n(memory.begin(), std::min<std::size_t>(memory.size(), static_cast<std::size_t>(warm_.size())),
                warm_.begin());
  }

 private:
  void demand_supported() const;
  void predict(const system::State& state);
  void find_velocity();
  bool solve(const VectorXd& mean);
  void add_parts(const VectorXd& mean, const VectorXd& after);
  void add_unilateral(std::size_t i, Part part);
  void add_velocity_law(std::size_t i, const VectorXd& mean, const VectorXd& after, Part part);
  void add_gap_force(std::size_t i, Part part);
  void add_block(Part& part, Block block);
  bool activate_missed();
  double project(VectorXd& q, double t, double& before);
  void demand_definite() const;
  void write_record(const system::State& state, StepRecord& record) const;
  VectorXd rates(double t, const VectorXd& q, const VectorXd& u);

  const parts::Lagrangian& part_;
  Settings settings_;
  parts::Point point_;
  principles::SmallSolver solver_;
  VectorXd warm_;

  // Workspace of one step.
  double t_k_ = 0, t_m_ = 0, t_e_ = 0;
  VectorXd q_k_, u_k_, q_m_, q_e_, u_1_, x_k_, x_m_, x_e_, gamma_k_, gamma_minus_, gamma_e_, gamma_free_, beta_,
      forces_;
  MatrixXd M_, W_, V_;  // V = M⁻¹ W
  Eigen::LLT<MatrixXd> factor_;
  Thresholds thresholds_;
  std::vector<char> active_;  // unilateral laws
  std::vector<Part> parts_in_;
  principles::SmallProblem problem_;
  std::vector<int> rows_;  // problem row -> row of the laws
  VectorXd given_, Lambda_all_, Lambda_, xi_;
  principles::SmallReport report_;
  double mismatch_ = 0;  // of the fixed point in ū
};

bool is_unilateral(const RowLaw& law) { return law.type == "unilateral"; }
bool is_bond(const RowLaw& law) { return law.type == "bilateral" || law.type == "nonholonomic"; }

motion::Energy energy_at(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u) {
  parts::Point point = part.make_point();
  part.set(t, q, u, point);
  VectorXd x;
  part.gaps(point, x);
  motion::Energy energy;
  energy.kinetic = part.kinetic(point);
  energy.potential = part.potential(point);
  for (const RowLaw& law : part.laws()) {
    if (law.law->level() != Level::displacement || is_unilateral(law) || is_bond(law)) continue;
    energy.potential += law.law->potential(principles::rows_of(law, x));
  }
  return energy;
}

/// Laws for which the step above says something.
void LagrangianMoreau::demand_supported() const {
  for (const RowLaw& law : part_.laws()) {
    const bool gap_force = law.law->level() == Level::displacement && !is_unilateral(law) && !is_bond(law);
    if (gap_force && (law.rows > 1 || !law.law->is_regular())) {
      throw base::InputError(
          fmt::format("law \"{}\": found a law of type \"{}\" on {} rows, expected one that can be "
                      "stepped in time: a regular potential of one row",
                      law.name, law.type, law.rows));
    }
  }
}

VectorXd LagrangianMoreau::rates(double t, const VectorXd& q, const VectorXd& u) {
  VectorXd gamma;
  part_.set(t, q, u, point_);
  part_.rates(point_, gamma);
  return gamma;
}

void LagrangianMoreau::demand_definite() const {
  if (M_.allFinite() && principles::is_definite(factor_, M_)) return;
  throw base::InputError(fmt::format(
      "lagrangian: found a mass matrix that is not positive definite at t = {:.6g} s, expected one that is", t_m_));
}

/// Everything that does not depend on u_{k+1}.
void LagrangianMoreau::predict(const system::State& state) {
  const double dt = settings_.dt;
  t_k_ = state.t, t_m_ = t_k_ + 0.5 * dt, t_e_ = t_k_ + dt;
  q_k_ = state.lagrangian_q, u_k_ = state.lagrangian_u;
  q_m_ = q_k_ + 0.5 * dt * u_k_;
  q_e_ = q_k_ + dt * u_k_;
  part_.set(t_k_, q_k_, u_k_, point_);
  part_.gaps(point_, x_k_);
  part_.rates(point_, gamma_k_);
  part_.set(t_m_, q_m_, u_k_, point_);
  part_.gaps(point_, x_m_);
  part_.rates(point_, gamma_minus_);
  part_.mass(point_, M_);
  part_.directions(point_, W_);
  if (M_.allFinite()) factor_.compute(M_);
  demand_definite();
  V_ = factor_.solve(W_);
  part_.set(t_e_, q_e_, u_k_, point_);
  part_.gaps(point_, x_e_);
  part_.rates(point_, gamma_e_);
  beta_ = gamma_e_ - gamma_minus_;
  part_.set(t_m_, q_m_, u_k_, point_);
  part_.forces(point_, forces_);
  const Eigen::Index n = part_.size();
  const VectorXd a = factor_.solve(forces_.head(n) + forces_.segment(n, n) + forces_.tail(n));
  gamma_free_ = gamma_minus_ + dt * (W_.transpose() * a);
  double speed = 0, length = 0;
  for (Eigen::Index r = 0; r < part_.rows(); ++r) {
    speed = std::max({speed, std::abs(gamma_k_[r]), std::abs(gamma_free_[r]), dt * std::abs(W_.col(r).dot(a))});
    if (std::abs(x_k_[r]) > length) length = std::abs(x_k_[r]);
  }
  thresholds_.tau_v = std::max(settings_.tol * speed, 1e-300);
  thresholds_.tau_g = std::max(dt * thresholds_.tau_v, 4e-15 * std::max(length, q_k_.lpNorm<Eigen::Infinity>()));
}

void LagrangianMoreau::add_block(Part& part, Block block) {
  part.block = static_cast<int>(problem_.blocks.size());
  part.row = static_cast<int>(rows_.size());
  problem_.blocks.push_back(std::move(block));
}

void LagrangianMoreau::add_unilateral(std::size_t i, Part part) {
  if (!active_[i]) return;
  const RowLaw& law = part_.laws()[i];
  const auto r = law.first;
  const RowLaw* friction = nullptr;
  for (const RowLaw& other : part_.laws()) {
    if (other.normal == static_cast<int>(i)) friction = &other;
  }
  NodeView view;
  auto view_of = [&](const VectorXd& rows) {
    Vec3 v(rows[r], 0, 0);
    if (friction) v.segment(1, friction->rows) = rows.segment(friction->first, friction->rows);
    return v;
  };
  view.gap_node = x_k_[r], view.gap_mid = x_m_[r];
  view.gamma_node = view_of(gamma_k_), view.gamma_minus = view_of(gamma_minus_), view.beta = view_of(beta_);
  part.mode = decide_mode(view, settings_.dt, thresholds_);
  part.offset = law_offset(view, part.mode, settings_.dt, law.e, 0, thresholds_);
  Block block;
  block.rows = 1 + (friction ? friction->rows : 0);
  block.kind = friction ? BlockKind::coulomb : BlockKind::box;
  block.upper[0] = std::numeric_limits<double>::infinity();
  block.mu = friction ? friction->mu : 0;
  add_block(part, block);
  rows_.push_back(r);
  for (int k = 0; friction && k < friction->rows; ++k) rows_.push_back(friction->first + k);
  parts_in_.push_back(part);
}

void LagrangianMoreau::add_velocity_law(std::size_t i, const VectorXd& mean, const VectorXd& after, Part part) {
  const RowLaw& law = part_.laws()[i];
  const double dt = settings_.dt;
  const convex::Vec rest = convex::Vec::Zero(law.rows);
  const convex::SetPtr at_rest = law.law->gradient_set(rest);
  if (at_rest->is_point()) {  // smooth: a given force at the mean velocity
    const convex::Vec gamma = principles::rows_of(law, mean);
    given_.segment(law.first, law.rows) = -dt * law.law->gradient_set(gamma)->least();
    parts_in_.push_back(part);
    return;
  }
  convex::SetPtr set = at_rest;
  if (!law.law->is_homogeneous() && at_rest->is_bounded()) {  // the size of the force at γ⁺, as a bound of friction
    const convex::Vec gamma = principles::rows_of(law, after);
    const convex::SetPtr there = law.law->gradient_set(gamma);
    if (there->is_point()) set = convex::make_ball(rest, there->least().norm());
  }
  Block block = principles::make_block(set);
  if (block.kind == BlockKind::box) {
    block.lower *= dt, block.upper *= dt;
  } else {
    block.minus_set = convex::make_scaled(set, dt);
  }
  const bool sticks =
      principles::rows_of(law, gamma_k_).norm() <= principles::rows_of(law, beta_).norm() + thresholds_.tau_v;
  part.mode = is_bond(law) ? Mode::bond : Mode::acting;
  part.offset = VectorXd::Zero(law.rows);
  if (is_bond(law) || sticks) part.offset = beta_.segment(law.first, law.rows);
  add_block(part, block);
  for (int k = 0; k < law.rows; ++k) rows_.push_back(law.first + k);
  parts_in_.push_back(part);
}

void LagrangianMoreau::add_gap_force(std::size_t i, Part part) {
  const RowLaw& law = part_.laws()[i];
  const auto r = law.first;
  const double dt = settings_.dt, end = x_m_[r] + 0.5 * dt * gamma_free_[r];
  const double low = std::min({x_k_[r], x_m_[r], x_e_[r], end}), high = std::max({x_k_[r], x_m_[r], x_e_[r], end});
  const auto kink = principles::find_kink(*law.law, low - thresholds_.tau_g, high + thresholds_.tau_g);
  if (!kink) {
    given_[r] = -dt * law.law->gradient_set(convex::vec(x_m_[r]))->least()[0];
    parts_in_.push_back(part);
    return;
  }
  part.kink = true;
  const bool rests = std::abs(x_k_[r] - kink->x) <= closed_factor * thresholds_.tau_g &&
                     std::abs(gamma_k_[r]) <= thresholds_.tau_v + 2 * std::abs(beta_[r]);
  part.offset = VectorXd::Constant(1, rests ? beta_[r] : (x_m_[r] - kink->x) / dt + 0.75 * beta_[r]);
  Block block;
  block.lower[0] = -dt * kink->slope_after;
  block.upper[0] = -dt * kink->slope_before;
  add_block(part, block);
  rows_.push_back(r);
  parts_in_.push_back(part);
}

/// All laws with what they ask for, given the last iterates of γ(q_m, ū) and γ⁺.
void LagrangianMoreau::add_parts(const VectorXd& mean, const VectorXd& after) {
  parts_in_.clear();
  problem_.blocks.clear();
  rows_.clear();
  given_ = VectorXd::Zero(part_.rows());
  for (std::size_t i = 0; i < part_.laws().size(); ++i) {
    const RowLaw& law = part_.laws()[i];
    Part part;
    part.law = i;
    if (law.normal >= 0) continue;  // with its normal law
    if (is_unilateral(law)) {
      add_unilateral(i, part);
    } else if (is_bond(law) || law.law->level() == Level::velocity) {
      if (is_bond(law) && law.law->level() == Level::displacement) {
        part.mode = Mode::bond;
        part.offset = beta_.segment(law.first, law.rows);
        Block block;
        block.rows = law.rows;
        block.lower.setConstant(-std::numeric_limits<double>::infinity());
        block.upper.setConstant(std::numeric_limits<double>::infinity());
        add_block(part, block);
        for (int k = 0; k < law.rows; ++k) rows_.push_back(law.first + k);
        parts_in_.push_back(part);
      } else {
        add_velocity_law(i, mean, after, part);
      }
    } else {
      add_gap_force(i, part);
    }
  }
}

/// One round of the fixed point: u_1_ from forces at `mean`. True if the contact problem was solved.
bool LagrangianMoreau::solve(const VectorXd& mean) {
  const Eigen::Index n = part_.size();
  const double dt = settings_.dt;
  part_.set(t_m_, q_m_, mean, point_);
  part_.forces(point_, forces_);
  add_parts(rates(t_m_, q_m_, mean), rates(t_m_, q_m_, u_1_));
  const VectorXd force = dt * (forces_.head(n) + forces_.segment(n, n) + forces_.tail(n));
  const VectorXd u_free = u_k_ + factor_.solve(force + W_ * given_);
  const VectorXd gamma_free = rates(t_m_, q_m_, u_free);
  const auto m = static_cast<Eigen::Index>(rows_.size());
  problem_.G.resize(m, m);
  problem_.c.resize(m);
  Lambda_.resize(m);
  for (Eigen::Index a = 0; a < m; ++a) {
    const int row = rows_[static_cast<std::size_t>(a)];
    for (Eigen::Index b = 0; b < m; ++b) problem_.G(a, b) = W_.col(row).dot(V_.col(rows_[static_cast<std::size_t>(b)]));
    problem_.c[a] = gamma_free[row];
    Lambda_[a] = warm_[row];
  }
  for (const Part& part : parts_in_) {
    if (part.block < 0) continue;
    const int rows = problem_.blocks[static_cast<std::size_t>(part.block)].rows;
    problem_.c.segment(part.row, rows) += part.offset.head(rows);
  }
  report_ = solver_.solve(problem_, settings_.tol, Lambda_, xi_);
  Lambda_all_ = given_;
  for (Eigen::Index a = 0; a < m; ++a) Lambda_all_[rows_[static_cast<std::size_t>(a)]] = Lambda_[a];
  warm_ = Lambda_all_;
  u_1_ = u_k_ + factor_.solve(force) + V_ * Lambda_all_;
  return report_.solved;
}

/// Fixed point in ū. The forces depend on it smoothly, so that each round gains a factor of order dt.
void LagrangianMoreau::find_velocity() {
  VectorXd last;
  double change = std::numeric_limits<double>::infinity();
  for (int k = 0; k < fixed_point_steps; ++k) {
    last = u_1_;
    solve(0.5 * (u_k_ + u_1_));
    const double next = (u_1_ - last).lpNorm<Eigen::Infinity>();
    const double scale = std::max({u_1_.lpNorm<Eigen::Infinity>(), u_k_.lpNorm<Eigen::Infinity>(), 1e-300});
    mismatch_ = next / scale;
    if (!(next > 0) || next <= 1e-15 * scale || (mismatch_ < 1e-13 && next >= change)) break;
    change = next;
  }
}

/// A unilateral law that the step would close becomes active.
bool LagrangianMoreau::activate_missed() {
  const VectorXd q = q_m_ + 0.5 * settings_.dt * u_1_;
  VectorXd x;
  part_.set(t_e_, q, u_1_, point_);
  part_.gaps(point_, x);
  bool more = false;
  for (std::size_t i = 0; i < part_.laws().size(); ++i) {
    if (!is_unilateral(part_.laws()[i]) || active_[i]) continue;
    if (x[part_.laws()[i].first] < -thresholds_.tau_g) active_[i] = 1, more = true;
  }
  return more;
}

/// Nearest q in the metric of M with closed bonds and no negative unilateral gap. Returns the worst violation left.
double LagrangianMoreau::project(VectorXd& q, double t, double& before) {
  double worst = 0;
  for (int k = 0; k < projection_steps; ++k) {
    VectorXd x;
    MatrixXd W;
    part_.set(t, q, u_1_, point_);
    part_.gaps(point_, x);
    principles::SmallProblem problem;
    std::vector<int> rows;
    worst = 0;
    for (const RowLaw& law : part_.laws()) {
      if (!law.has_gap || !(is_unilateral(law) || (is_bond(law) && law.law->level() == Level::displacement))) continue;
      for (int r = law.first; r < law.first + law.rows; ++r) {
        Block block;
        block.upper[0] = std::numeric_limits<double>::infinity();
        if (is_bond(law)) block.lower[0] = -block.upper[0];
        worst = std::max(worst, is_bond(law) ? std::abs(x[r]) : -x[r]);
        if (!is_bond(law) && x[r] > thresholds_.tau_g) continue;
        problem.blocks.push_back(block);
        rows.push_back(r);
      }
    }
    if (k == 0) before = worst;
    const double small = 4e-16 * std::max(1.0, q.lpNorm<Eigen::Infinity>());
    if (worst <= std::max(small, 0.1 * std::min(thresholds_.tau_g, settings_.tol)) || worst <= small) break;
    part_.directions(point_, W);
    const auto m = static_cast<Eigen::Index>(rows.size());
    MatrixXd A(part_.size(), m);
    problem.c.resize(m);
    for (Eigen::Index r = 0; r < m; ++r) {
      A.col(r) = W.col(rows[static_cast<std::size_t>(r)]);
      problem.c[r] = x[rows[static_cast<std::size_t>(r)]];
    }
    const MatrixXd V = factor_.solve(A);
    problem.G = A.transpose() * V;
    VectorXd Pi = VectorXd::Zero(m), xi;
    principles::SmallSolver().solve(problem, 1e-10, Pi, xi);
    q += V * Pi;
  }
  return std::max(worst, 0.0);
}

void LagrangianMoreau::write_record(const system::State& state, StepRecord& record) const {
  record.step = state.step;
  record.t = state.t;
  record.dt = settings_.dt;
  record.candidates = part_.laws().size();
  record.contacts.clear();
  record.ledger = {};
  for (const Part& part : parts_in_) {
    const RowLaw& law = part_.laws()[part.law];
    ContactRecord contact{};
    contact.shape_a = -2;
    contact.shape_b = static_cast<std::int32_t>(part.law);
    contact.feature_id = part.kink ? 1 : 0;
    contact.mode = part.mode;
    contact.feature = {};
    contact.point = contact.n = contact.t1 = Vec3::Zero();
    contact.Lambda = Vec3::Zero();
    contact.gap = law.has_gap ? x_m_[law.first] : 0;
    contact.Pi = 0;
    const int rows = part.block < 0 ? law.rows : problem_.blocks[static_cast<std::size_t>(part.block)].rows;
    for (int k = 0; k < rows; ++k) {
      const int r = part.block < 0 ? law.first + k : rows_[static_cast<std::size_t>(part.row + k)];
      contact.Lambda[k] = Lambda_all_[r];
    }
    record.contacts.push_back(contact);
  }
}

void LagrangianMoreau::step(system::State& state, StepRecord& record) {
  predict(state);
  const double closed = closed_factor * thresholds_.tau_g;
  for (std::size_t i = 0; i < part_.laws().size(); ++i) {
    const auto r = part_.laws()[i].first;
    active_[i] =
        is_unilateral(part_.laws()[i]) && std::min(x_e_[r], x_m_[r] + 0.5 * settings_.dt * gamma_free_[r]) <= closed;
  }
  u_1_ = u_k_;
  do {
    find_velocity();
  } while (activate_missed());
  write_record(state, record);

  const double before = energy_at(part_, t_k_, q_k_, u_k_).total();
  const VectorXd mean = 0.5 * (u_k_ + u_1_);
  const VectorXd gamma_mean = rates(t_m_, q_m_, mean);
  Ledger& ledger = record.ledger;
  for (const Part& part : parts_in_) {
    const RowLaw& law = part_.laws()[part.law];
    const double work = Lambda_all_.segment(law.first, law.rows).dot(gamma_mean.segment(law.first, law.rows));
    if (is_unilateral(law)) {
      ledger.work_impact += work;
      for (const RowLaw& other : part_.laws()) {
        if (other.normal != static_cast<int>(part.law)) continue;
        ledger.work_friction +=
            Lambda_all_.segment(other.first, other.rows).dot(gamma_mean.segment(other.first, other.rows));
      }
    } else if (part.mode == Mode::bond) {
      ledger.work_bonds += work;
    } else if (law.law->level() == Level::velocity) {
      ledger.work_friction += work;
    }
  }
  part_.set(t_m_, q_m_, mean, point_);
  ledger.work_forces = settings_.dt * (forces_.tail(part_.size()).dot(mean) + part_.drive(point_));
  VectorXd q = q_m_ + 0.5 * settings_.dt * u_1_;
  const VectorXd q_star = q;
  record.penetration = project(q, t_e_, record.penetration_before);
  record.shift = (q - q_star).lpNorm<Eigen::Infinity>();
  const motion::Energy after = energy_at(part_, t_e_, q, u_1_);
  ledger.kinetic = after.kinetic;
  ledger.potential = after.potential;
  ledger.scheme =
      after.total() - before - ledger.work_forces - ledger.work_impact - ledger.work_friction - ledger.work_bonds;
  const double error = std::max(principles::judge(problem_, Lambda_), mismatch_);
  record.solver = {};
  record.solver.errors = {error, error, error};
  record.solver.iterations = report_.newton_steps + report_.sweeps;
  record.solver.factorisations = report_.newton_steps;
  record.solver.method = "small newton";
  record.solver.status = error <= settings_.tol ? solvers::Status::solved : solvers::Status::stalled;

  state.lagrangian_q = q;
  state.lagrangian_u = u_1_;
  ++state.step;
  state.t = static_cast<double>(state.step) * settings_.dt;
}

}  // namespace

motion::Energy energy(const parts::Lagrangian& part, const system::State& state) {
  return energy_at(part, state.t, state.lagrangian_q, state.lagrangian_u);
}

std::unique_ptr<Integrator> make_lagrangian_moreau(const system::System& system, const Settings& settings) {
  return std::make_unique<LagrangianMoreau>(system, settings);
}

}  // namespace vinculum::integrators
