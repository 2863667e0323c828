// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/lagrangian_step.hpp"

#include "vinculum/integrators/lagrangian_laws.hpp"
#include "vinculum/integrators/lagrangian_projection.hpp"
#include "vinculum/principles/instant.hpp"

#include <fmt/core.h>
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrators {

using Eigen::MatrixXd;
using parts::Role;
using parts::RowLaw;

namespace {

constexpr int fixed_point_steps = 100;
constexpr double closed_factor = 4;  // a gap below so many tau_g counts as closed when contacts are activated

class LagrangianMoreau final : public Integrator {
 public:
  LagrangianMoreau(const system::System& system, const Settings& settings)
      : part_(*system.lagrangian), settings_(settings), point_(part_.make_point()) {
    demand_steppable(part_);
    warm_ = VectorXd::Zero(part_.rows());
  }

  void step(system::State& state, StepRecord& record) override;
  std::vector<double> save() const override { return {warm_.begin(), warm_.end()}; }
  void restore(std::span<const double> memory) override {
    VINCULUM_DEMAND(memory.size() == static_cast<std::size_t>(warm_.size()));
    std::copy(memory.begin(), memory.end(), warm_.begin());
  }

 private:
  void predict(const system::State& state);
  void set_thresholds(const VectorXd& a);
  void activate();
  bool activate_missed();
  void find_velocity();
  void solve(const VectorXd& mean);
  void write_contacts(const system::State& state, StepRecord& record) const;
  void write_report(StepRecord& record) const;
  void book(StepRecord& record);
  VectorXd force() const;  // h + f, of forces_
  VectorXd rates(double t, const VectorXd& q, const VectorXd& u);
  double energy(double t, const VectorXd& q, const VectorXd& u);

  const parts::Lagrangian& part_;
  Settings settings_;
  parts::Point point_;
  principles::SmallSolver solver_;
  VectorXd warm_;

  // Workspace of one step.
  double t_k_ = 0, t_m_ = 0, t_e_ = 0;
  VectorXd q_k_, u_k_, q_m_, q_e_, u_1_, forces_;
  MatrixXd M_, W_, V_;  // V = M⁻¹ W
  Eigen::LLT<MatrixXd> factor_;
  RowsView view_;
  std::vector<char> active_;  // contacts
  LawParts laws_;
  principles::SmallProblem problem_;
  VectorXd Lambda_, Lambda_all_, xi_;  // of the problem; over all rows
  principles::SmallReport report_;
  double mismatch_ = 0;  // of the fixed point in ū
};

VectorXd LagrangianMoreau::force() const {
  const Eigen::Index n = part_.size();
  return forces_.head(n) + forces_.segment(n, n) + forces_.tail(n);
}

VectorXd LagrangianMoreau::rates(double t, const VectorXd& q, const VectorXd& u) {
  VectorXd gamma;
  part_.set(t, q, u, point_);
  part_.rates(point_, gamma);
  return gamma;
}

double LagrangianMoreau::energy(double t, const VectorXd& q, const VectorXd& u) {
  part_.set(t, q, u, point_);
  return part_.kinetic(point_) + part_.potential(point_);
}

/// Everything that does not depend on u_{k+1}.
void LagrangianMoreau::predict(const system::State& state) {
  const double dt = settings_.dt;
  t_k_ = state.t, t_m_ = t_k_ + 0.5 * dt, t_e_ = t_k_ + dt;
  q_k_ = state.lagrangian_q, u_k_ = state.lagrangian_u;
  q_m_ = q_k_ + 0.5 * dt * u_k_;
  q_e_ = q_k_ + dt * u_k_;
  view_.dt = dt;
  part_.set(t_k_, q_k_, u_k_, point_);
  part_.gaps(point_, view_.x_k);
  part_.rates(point_, view_.gamma_k);
  part_.set(t_e_, q_e_, u_k_, point_);
  part_.gaps(point_, view_.x_e);
  part_.rates(point_, view_.beta);  // minus γ⁻, below
  part_.set(t_m_, q_m_, u_k_, point_);
  part_.gaps(point_, view_.x_m);
  part_.rates(point_, view_.gamma_minus);
  part_.mass(point_, M_);
  part_.directions(point_, W_);
  part_.forces(point_, forces_);
  view_.beta -= view_.gamma_minus;
  if (M_.allFinite()) factor_.compute(M_);
  if (!M_.allFinite() || !principles::is_definite(factor_, M_)) {
    throw base::InputError(fmt::format(
        "lagrangian: found a mass matrix that is not positive definite at t = {:.6g} s, expected one that is", t_m_));
  }
  V_ = W_;
  if (W_.cols() > 0) V_ = factor_.solve(W_);
  const VectorXd a = factor_.solve(force());
  view_.gamma_free = view_.gamma_minus + dt * (W_.transpose() * a);
  set_thresholds(a);
}

/// What counts as zero: the accuracy of the solve, relative to the rates with and without the loads of the step.
void LagrangianMoreau::set_thresholds(const VectorXd& a) {
  const double dt = settings_.dt;
  double speed = 0, length = q_k_.lpNorm<Eigen::Infinity>();
  for (Eigen::Index r = 0; r < part_.rows(); ++r) {
    const double gain = dt * std::abs(W_.col(r).dot(a));
    speed = std::max({speed, std::abs(view_.gamma_k[r]), std::abs(view_.gamma_free[r]), gain});
    if (std::abs(view_.x_k[r]) > length) length = std::abs(view_.x_k[r]);  // rows without gap hold NaN
  }
  view_.thresholds.tau_v = std::max(settings_.tol * speed, 1e-300);
  view_.thresholds.tau_g = std::max(dt * view_.thresholds.tau_v, 4e-15 * length);
}

/// One round of the fixed point: u_1_ from the forces and laws at `mean`.
void LagrangianMoreau::solve(const VectorXd& mean) {
  const VectorXd gamma_mean = rates(t_m_, q_m_, mean), gamma_after = rates(t_m_, q_m_, u_1_);
  ask_laws(part_, view_, active_, gamma_mean, gamma_after, laws_);
  part_.set(t_m_, q_m_, mean, point_);
  part_.forces(point_, forces_);
  const VectorXd push = settings_.dt * force();
  const VectorXd gamma_free = rates(t_m_, q_m_, u_k_ + factor_.solve(push + W_ * laws_.given));
  problem_.blocks = laws_.blocks;
  problem_.G = W_(Eigen::all, laws_.rows).transpose() * V_(Eigen::all, laws_.rows);
  problem_.c = gamma_free(laws_.rows);
  for (const LawPart& part : laws_.parts) {
    if (part.block < 0) continue;
    const int rows = laws_.blocks[static_cast<std::size_t>(part.block)].rows;
    problem_.c.segment(part.row, rows) += part.offset.head(rows);
  }
  Lambda_ = warm_(laws_.rows);
  report_ = solver_.solve(problem_, settings_.tol, Lambda_, xi_);
  Lambda_all_ = laws_.given;
  Lambda_all_(laws_.rows) = Lambda_;
  warm_ = Lambda_all_;
  u_1_ = u_k_ + factor_.solve(push) + V_ * Lambda_all_;
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

/// Contacts that would be closed at the end of the step if nothing touched, or are where landings end (modes.hpp).
void LagrangianMoreau::activate() {
  active_.assign(part_.laws().size(), 0);
  for (std::size_t i = 0; i < part_.laws().size(); ++i) {
    const RowLaw& law = part_.laws()[i];
    if (law.role != Role::contact) continue;
    const double end = view_.x_m[law.first] + 0.5 * settings_.dt * view_.gamma_free[law.first];
    const bool bends_away = law.e < 1 && view_.x_k[law.first] <= 0.5 * settings_.dt * view_.beta[law.first];
    active_[i] = std::min(view_.x_e[law.first], end) <= closed_factor * view_.thresholds.tau_g || bends_away;
  }
}

/// A contact that the step would close becomes active.
bool LagrangianMoreau::activate_missed() {
  VectorXd x;
  part_.set(t_e_, q_m_ + 0.5 * settings_.dt * u_1_, u_1_, point_);
  part_.gaps(point_, x);
  bool more = false;
  for (std::size_t i = 0; i < part_.laws().size(); ++i) {
    const RowLaw& law = part_.laws()[i];
    if (law.role != Role::contact || active_[i]) continue;
    if (x[law.first] < -view_.thresholds.tau_g) active_[i] = 1, more = true;
  }
  return more;
}

void LagrangianMoreau::write_contacts(const system::State& state, StepRecord& record) const {
  record.step = state.step;
  record.t = state.t;
  record.dt = settings_.dt;
  record.candidates = part_.laws().size();
  record.contacts.clear();
  for (const LawPart& part : laws_.parts) {
    const RowLaw& law = part_.laws()[part.law];
    ContactRecord contact;
    contact.shape_a = -2;
    contact.shape_b = static_cast<std::int32_t>(part.law);
    contact.feature_id = part.kink ? 1 : 0;
    contact.mode = part.mode;
    contact.gap = law.has_gap ? view_.x_m[law.first] : 0;
    for (int k = 0; k < laws_.rows_of(part, law); ++k) {
      contact.Lambda[k] =
          Lambda_all_[part.block < 0 ? law.first + k : laws_.rows[static_cast<std::size_t>(part.row + k)]];
    }
    record.contacts.push_back(contact);
  }
}

void LagrangianMoreau::write_report(StepRecord& record) const {
  const double error = std::max(principles::judge(problem_, Lambda_), mismatch_);
  record.solver = {};
  record.solver.errors = {error, error, error};
  record.solver.iterations = report_.newton_steps + report_.sweeps;
  record.solver.factorisations = report_.newton_steps;
  record.solver.method = "small newton";
  record.solver.status = error <= settings_.tol ? solvers::Status::solved : solvers::Status::stalled;
}

/// Work over the step: Λ·γ̄ of contacts, friction and bonds, and that of forces and moving frames.
void LagrangianMoreau::book(StepRecord& record) {
  Ledger& ledger = record.ledger;
  ledger = {};
  const VectorXd mean = 0.5 * (u_k_ + u_1_), gamma = rates(t_m_, q_m_, mean);
  auto work = [&](const RowLaw& law) {
    return Lambda_all_.segment(law.first, law.rows).dot(gamma.segment(law.first, law.rows));
  };
  for (const RowLaw& law : part_.laws()) {
    if (law.role == Role::contact) ledger.work_impact += work(law);
    if (law.role == Role::bond) ledger.work_bonds += work(law);
    if (law.role == Role::coupled || law.role == Role::rate_force) ledger.work_friction += work(law);
  }
  part_.set(t_m_, q_m_, mean, point_);
  ledger.work_forces = settings_.dt * (forces_.tail(part_.size()).dot(mean) + part_.drive(point_));
}

void LagrangianMoreau::step(system::State& state, StepRecord& record) {
  predict(state);
  activate();
  u_1_ = u_k_;
  do {
    find_velocity();
  } while (activate_missed());
  write_contacts(state, record);
  write_report(record);
  book(record);

  const double before = energy(t_k_, q_k_, u_k_);
  VectorXd q = q_m_ + 0.5 * settings_.dt * u_1_;
  const VectorXd q_star = q;
  const double round_off = 4e-16 * std::max(1.0, q.lpNorm<Eigen::Infinity>());
  const double small = std::max(round_off, 0.1 * std::min(view_.thresholds.tau_g, settings_.tol));
  const GapViolation gaps = project_gaps(part_, factor_, t_e_, u_1_, view_.thresholds.tau_g, small, q, record.contacts);
  record.penetration_before = gaps.before;
  record.penetration = gaps.after;
  record.shift = (q - q_star).lpNorm<Eigen::Infinity>();
  record.violation = gaps.after / std::max(1.0, q.lpNorm<Eigen::Infinity>());

  Ledger& ledger = record.ledger;
  const double after = energy(t_e_, q, u_1_);
  ledger.kinetic = part_.kinetic(point_);
  ledger.potential = part_.potential(point_);
  ledger.scheme = after - before - ledger.work_forces - ledger.work_impact - ledger.work_friction - ledger.work_bonds;
  state.lagrangian_q = q;
  state.lagrangian_u = u_1_;
  ++state.step;
  state.t = static_cast<double>(state.step) * settings_.dt;
}

}  // namespace

std::unique_ptr<Integrator> make_lagrangian_moreau(const system::System& system, const Settings& settings) {
  return std::make_unique<LagrangianMoreau>(system, settings);
}

}  // namespace vinculum::integrators
