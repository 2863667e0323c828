// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/tree_step.hpp"

#include "vinculum/integrators/energy.hpp"
#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace vinculum::integrators {

namespace {

constexpr double most_way = 1e6;  // m or rad in a step

}  // namespace

TreeStep::TreeStep(const system::System& system, const Settings& settings)
    : system_(system), forest_(*system.forest), settings_(settings), trees_(system), rows_(trees_) {
  changes_.setZero(forest_.nv(), 6);

  for (const system::Limit& limit : forest_.limits) {
    const bool single = limit.row.size() == 1;
    for (const double sign : {1.0, -1.0}) {
      limit_terms_.push_back({0, single ? limit.row[0].v : -1, single ? sign * limit.row[0].coefficient : 0});
    }
  }
  limit_gaps_.resize(limit_terms_.size());
  find_runs();
  corrections_.resize(forest_.nv(), own_.size());
  along_coordinates_ =
      forest_.ball_limits.empty() && forest_.springs.empty() && forest_.couplings.empty() && forest_.closures.empty();
}

/// Coordinates of one tree that stand side by side.
void TreeStep::find_runs() {
  std::vector<int> tree_of(static_cast<std::size_t>(forest_.tree.nv()) + 1, -1);  // by the first coordinate of its root
  int last = -1;
  for (int i = 0; i < forest_.nv(); ++i) {
    const int root = i < forest_.tree.nv() ? forest_.tree.column[forest_.tree.row[i]] : forest_.tree.nv();
    int& tree = tree_of[static_cast<std::size_t>(root)];
    if (tree < 0) tree = static_cast<int>(own_.size()), own_.emplace_back();
    if (tree != last) runs_.push_back({static_cast<std::size_t>(tree), i, 0});
    ++runs_.back().count;
    last = tree;
  }
}

/// Laws of the trees come after the rods.
ContactKey TreeStep::key(std::size_t number) const {
  return {std::numeric_limits<std::int32_t>::max(), static_cast<std::int32_t>(system_.rods.size() + number), 0};
}

/// A table is read at the middle of the step; what a controller asks for holds from its start.
void TreeStep::set_controls(const system::State& state) {
  motion::scene_controls(forest_, state.t + 0.5 * settings_.dt, ctrl_);
  if (settings_.controller) settings_.controller({state.t, settings_.dt, system_, state}, ctrl_);
  for (std::size_t a = 0; a < ctrl_.size(); ++a) {
    if (std::isfinite(ctrl_[a])) continue;
    throw base::InputError("controller: actuator " + forest_.actuator_names[a] + ": t = " + std::to_string(state.t) +
                           " s: found " + std::to_string(ctrl_[a]) + ", expected a finite number");
  }
  trees_.set_controls(ctrl_);
}

void TreeStep::predict(const system::State& state, Places& at) {
  const double dt = settings_.dt;
  t_mid_ = state.t + 0.5 * dt;
  v_k_ = state.tree_v;
  v_1_ = (0.5 * dt) * v_k_;
  forest_.integrate(at.q_k.tree, v_1_, at.q_m.tree);
  forest_.integrate(at.q_m.tree, v_1_, at.q_e.tree);
  trees_.place(at.q_k);
  trees_.velocity(v_k_, at.at_node);
  const bool known = last_v_.size() == v_k_.size() && last_v_ == v_k_ && last_q_ == at.q_k.tree;
  start_energy_ = known ? last_energy_ : trees_.energy(at.q_k.tree, v_k_);
  if (!along_coordinates_) evaluate_tree_laws(system_, at.q_k, laws_k_);
  trees_.place(at.q_e);
  trees_.velocity(v_k_, at.at_end);
  if (!along_coordinates_) evaluate_tree_laws(system_, at.q_e, laws_e_);
  trees_.place(at.q_m);
  trees_.velocity(v_k_, at.at_mid);
  evaluate_tree_laws(system_, at.q_m, laws_m_);
  for (std::size_t i = 0; i < limit_gaps_.size(); ++i) limit_gaps_[i] = laws_m_[i].gap.x();
  trees_.factor(t_mid_, dt, at.q_k.tree, v_k_);
  z_k_ = trees_.weighed();
  v_1_ = v_k_ + changes_.col(0);  // the solves bring what contacts change
  z_1_ = v_1_;
  trees_.weigh(z_1_);
  z_at_ = z_1_;
  slow_ = false;
  trees_.free_velocity(t_mid_, settings_.dt, at.q_k, v_k_, v_1_, z_f_);
  change_ = first_change_ = 0;
  first_round_ = true;
  own_.assign(own_.size(), Own{});
  find_roundings(at.q_k.tree);
  first_size_ = z_f_.norm();
  look_free(at);
  active_.assign(laws_m_.size(), 0);
}

void TreeStep::look_free(Places& at) {
  corrections_.forget();
  v_f_ = z_f_;
  trees_.unwhiten(v_f_);
  trees_.velocity(v_f_, at.free);
}

void TreeStep::look_after(Places& at) {
  at.after.v.resize(system_.body_count());
  at.after.w.resize(system_.body_count());
  trees_.velocity(v_1_, at.after);
}

void TreeStep::find_impulses(WarmStart& warm_start) {
  impulse_.resize(laws_m_.size());
  past_.resize(laws_m_.size());
  std::size_t next = 0;  // what is remembered is little
  for (const WarmStart::Entry& entry : warm_start.behind(key(0))) {
    const std::size_t number = static_cast<std::size_t>(entry.key.b) - system_.rods.size();
    for (; next < number; ++next) past_[next] = &warm_start.nothing(), impulse_[next].setZero();
    past_[number] = &entry;
    impulse_[number] = entry.impulse;
    next = number + 1;
  }
  for (; next < laws_m_.size(); ++next) past_[next] = &warm_start.nothing(), impulse_[next].setZero();
}

/// γ of a law that is a limit; most are of one coordinate.
double TreeStep::rate_of_limit(std::size_t i, const motion::Velocity& velocity, const Eigen::VectorXd& v) const {
  if (i < limit_terms_.size() && limit_terms_[i].v >= 0) return limit_terms_[i].coefficient * v[limit_terms_[i].v];
  return rate_of(forest_, laws_m_[i], velocity, v).x();
}

/// Whether a limit takes part: it could close, or pressed in the last solve.
bool TreeStep::may_close(std::size_t i, const Places& at) const {
  if (active_[i] || impulse_[i].x() > 0) return true;
  const double rate = rate_of_limit(i, at.free, v_f_);
  const double gap = i < limit_gaps_.size() ? limit_gaps_[i] : laws_m_[i].gap.x();
  return gap + 0.5 * settings_.dt * rate < closed_factor * at.thresholds.tau_g;
}

void TreeStep::describe(const Places& at) {
  const double dt = settings_.dt, half = 0.5 * dt, closed = closed_factor * at.thresholds.tau_g;
  blocks_.clear();
  for (std::size_t i = 0; i < laws_m_.size(); ++i) {
    if (i < limit_gaps_.size() && i % 2 == 0 && stay_open(i, half, v_f_, closed) && !active_[i] && !active_[i + 1] &&
        !(impulse_[i].x() > 0) && !(impulse_[i + 1].x() > 0)) {
      ++i;
      continue;
    }
    const bool limit = i < limit_gaps_.size() || law_kind(laws_m_[i]) == laws::Kind::unilateral;
    if (limit) active_[i] = may_close(i, at);
    if (limit && !active_[i]) continue;
    Block& block = blocks_.emplace_back();
    block.law = laws_m_[i];
    block.number = i;
    block.view.gap_mid = laws_m_[i].gap.x();
    block.view.gamma_minus = rate_of(forest_, laws_m_[i], at.at_mid, v_k_);
    if (is_along_coordinates(block.law)) {  // the same row everywhere
      block.view.gap_node = gap_of_limit(forest_, block.law, at.q_k.tree);
      block.view.gamma_node = block.view.gamma_minus;
      block.view.beta.setZero();
    } else {
      block.view.gap_node = laws_k_[i].gap.x();
      block.view.gamma_node = rate_of(forest_, laws_k_[i], at.at_node, v_k_);
      block.view.beta = rate_of(forest_, laws_e_[i], at.at_end, v_k_) - block.view.gamma_minus;
    }
    const auto index = static_cast<std::size_t>(block.law.index);
    if (limit) {
      block.e_N = restitution(forest_, block.law);
      block.mode = decide_mode(block.view, dt, block.e_N, at.thresholds);
    } else if (block.law.kind == TreeLaw::Kind::friction) {
      block.mode = Mode::acting;
      block.bound = dt * forest_.frictions[index].friction;
    } else if (block.law.kind == TreeLaw::Kind::cut_friction) {
      block.mode = Mode::acting;
      block.bound = dt * forest_.cut_frictions[index].friction;
    } else if (block.law.kind == TreeLaw::Kind::spring) {
      block.mode = Mode::acting;
      block.spring = compliance(forest_.springs[index], dt, block.view.gap_mid, block.view.gamma_minus.x());
    }
  }
}

void TreeStep::add_blocks(const Places& at, contact::ContactProblem& problem, std::vector<Vec3>& Lambda) {
  describe(at);
  bond_rows_.clear();
  for (const Block& block : blocks_) {
    Vec3 c = rate_of(forest_, block.law, at.free, v_f_);
    if (block.mode == Mode::bond) {
      c += block.view.beta;
      bond_rows_.push_back(block.law.rows);  // bonds come last
    } else if (block.mode != Mode::acting) {
      c += law_offset(block.view, block.mode, settings_.dt, block.e_N, 0, at.thresholds);
    }
    if (block.law.kind == TreeLaw::Kind::spring) {
      c.x() += block.spring.offset;
      add_spring(system_, at.turn, block.law, block.spring.kappa, c, rows_, problem);
    } else {
      add_tree_law(system_, at.turn, block.law, block.bound, c, rows_, problem);
    }
    Vec3 guess = impulse_[block.number];
    for (int k = block.law.rows; k < 3; ++k) guess[k] = 0;
    Lambda.push_back(guess);
  }
}

void TreeStep::close_blocks(std::size_t rods, std::size_t all, contact::ContactProblem& problem) {
  rods_ = all;
  if (rods < all) bond_rows_.clear();  // too many to look through: bonds that come before them neither
  bond_rows_.insert(bond_rows_.end(), rods, 1);
  bond_space_.reduce(problem.size() - bond_rows_.size(), bond_rows_, problem);
  c_0_ = problem.c;
  z_0_ = z_f_;
}

void TreeStep::update_free_part(contact::ContactProblem& problem) {
  z_.setZero(6 * (static_cast<Eigen::Index>(problem.nodes) - forest_.free_bodies));  // nodes of springs come last
  for (std::size_t i = 0; i < forest_.slot.size(); ++i) {
    z_[forest_.slot[i]] = z_f_[static_cast<Eigen::Index>(i)] - z_0_[static_cast<Eigen::Index>(i)];
  }
  for (std::size_t i = 0; i < problem.size(); ++i) {
    solvers::RowSums sums;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const int node = problem.node[e] - forest_.free_bodies;
      if (node >= 0) sums.add(problem.J[e].data(), z_.data() + 6 * node);
    }
    problem.c[i] = c_0_[i] + Vec3(sums.row0(), sums.row1(), sums.row2());
  }
}

void TreeStep::begin_impulses(std::vector<Vec3>& Lambda) {
  bond_space_.project(std::span(Lambda).last(bond_rows_.size()));
  tau_.setZero(v_k_.size());
}

void TreeStep::add_impulses(const std::vector<Vec3>& Lambda, const Impulses& to) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {  // closures push free bodies, too
    add_impulse(system_, blocks_[i].law, Lambda[first(Lambda) + i], to);
  }
}

void TreeStep::apply() {
  trees_.whiten(tau_);
  z_used_ = z_f_;
  z_1_ = z_f_ + tau_;
  v_1_ = z_1_;
  trees_.unwhiten(v_1_);
}

void TreeStep::apply(const contact::ContactProblem& problem, const std::vector<Vec3>& Lambda) {
  z_used_ = z_f_;
  z_1_ = z_f_;
  add_whitened(forest_, problem, Lambda, z_, z_1_);
  v_1_ = z_1_;
  trees_.unwhiten(v_1_);
}

motion::ForestEnergy TreeStep::energy(system::State& state) {
  trees_.settle(state.q.tree);
  last_q_ = state.q.tree;
  last_v_ = state.tree_v;
  return last_energy_ = trees_.energy(state.q.tree, state.tree_v);
}

bool TreeStep::activate_missed(const Places& at) {
  bool missed = false;
  const double half = 0.5 * settings_.dt, closed = -at.thresholds.tau_g;
  for (std::size_t i = 0; i < laws_m_.size(); ++i) {
    if (i < limit_gaps_.size() && i % 2 == 0 && stay_open(i, half, v_1_, closed)) {
      ++i;
      continue;
    }
    if (active_[i]) continue;
    if (i >= limit_gaps_.size() && law_kind(laws_m_[i]) != laws::Kind::unilateral) continue;
    const double end = laws_m_[i].gap.x() + half * rate_of_limit(i, at.after, v_1_);
    if (!(end < closed)) continue;
    active_[i] = 1;
    missed = true;
  }
  return missed;
}

void TreeStep::keep(const std::vector<Vec3>& Lambda) {
  std::fill(impulse_.begin(), impulse_.end(), Vec3::Zero());
  for (std::size_t i = 0; i < blocks_.size(); ++i) impulse_[blocks_[i].number] = Lambda[first(Lambda) + i];
}

void TreeStep::keep_warm_start(WarmStart& warm_start) const {
  for (const Block& block : blocks_) {
    warm_start.add(key(block.number), impulse_[block.number], *past_[block.number]);
  }
}

void TreeStep::write_record(const Places& at, const std::vector<Vec3>& Lambda, StepRecord& record) const {
  record.undetermined = bond_space_.redundant();
  record.ctrl = ctrl_;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    const Vec3& own = Lambda[first(Lambda) + i];
    ContactRecord entry;
    entry.shape_a = tree_law_code(block.law.kind);
    entry.shape_b = block.law.index;
    entry.mode = block.mode;
    entry.point = block.law.frame.point;
    entry.n = Vec3::UnitX();
    entry.t1 = Vec3::UnitY();
    entry.gap = block.view.gap_mid;
    entry.Lambda = own;
    record.contacts.push_back(entry);
    const Vec3 mean = 0.5 * (block.view.gamma_minus + rate_of(forest_, block.law, at.after, v_1_));
    if (block.law.kind == TreeLaw::Kind::spring) {  // its energy is part of the potential
      const double damping = forest_.springs[static_cast<std::size_t>(block.law.index)].damping;
      record.ledger.work_forces -= settings_.dt * damping * mean.x() * mean.x();
    } else {
      book_tree_law(block.mode, own, mean, record.ledger);
    }
  }
}

Undetermined TreeStep::undetermined(std::span<const TreeLaw> rods) const {
  if (bond_space_.redundant() == 0) return {};
  std::vector<TreeLaw> bonds;
  for (const Block& block : blocks_) {
    if (is_bond(block.law)) bonds.push_back(block.law);
  }
  bonds.insert(bonds.end(), rods.begin(), rods.end());
  return find_undetermined(system_, bonds, bond_space_.null_projector());
}

/// Of the next step, from the change of this one in v_next_ and those before.
void TreeStep::expect_change() {
  const auto past = [&](Eigen::Index k) { return changes_.data() + k * changes_.rows(); };
  const Guess guess = best_guess(v_next_.data(), {past(1), past(2), past(3), past(4), past(5)}, v_next_.size());
  if (guess == Guess::alternating) {
    changes_.col(0) = changes_.col(1);
  } else if (guess == Guess::of_four) {
    changes_.col(0) = changes_.col(3);
  } else {
    changes_.col(0) = v_next_;
  }
  if (guess == Guess::straight) changes_.col(0) += v_next_ - changes_.col(1);
  if (guess == Guess::leaning) changes_.col(0) += changes_.col(1) - changes_.col(2);
  for (Eigen::Index k = 5; k > 1; --k) changes_.col(k) = changes_.col(k - 1);
  changes_.col(1) = v_next_;
}

void TreeStep::save(std::vector<double>& memory) const {
  memory.insert(memory.end(), changes_.data(), changes_.data() + changes_.size());
  memory.insert(memory.end(), corrections_.pairs.data(), corrections_.pairs.data() + corrections_.pairs.size());
  memory.push_back(calm_);
}

std::size_t TreeStep::restore(std::span<const double> memory) {
  const auto changes = static_cast<std::size_t>(changes_.size());
  const auto pairs = static_cast<std::size_t>(corrections_.pairs.size());
  VINCULUM_DEMAND(memory.size() > changes + pairs);
  memory = memory.last(changes + pairs + 1);
  std::copy_n(memory.begin(), changes, changes_.data());
  std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(changes), pairs, corrections_.pairs.data());
  calm_ = memory.back() != 0;
  return memory.size();
}

void TreeStep::demand_sense(double t) const {
  for (Eigen::Index i = 0; i < v_1_.size(); ++i) {
    if (!(std::abs(v_1_[i]) * settings_.dt <= most_way)) {
      throw Diverged(forest_.v_names[static_cast<std::size_t>(i)], t);
    }
  }
}

/// The kinetic energy of a tree is no invariant of the midpoint rule: what it misses is booked to the scheme.
void TreeStep::end(const Places& at, system::State& state, Ledger& ledger) {
  v_next_ = 0.5 * (v_k_ + v_1_);
  ledger.work_forces += trees_.work(t_mid_, settings_.dt, at.q_k.tree, v_next_);
  v_next_ = (0.5 * settings_.dt) * v_1_;
  forest_.integrate(at.q_m.tree, v_next_, state.q.tree);
  state.tree_v = v_1_;
  v_next_ = v_1_ - v_k_;
  expect_change();
  corrections_.keep(z_used_, !slow_);
  calm_ = was_calm();
  trees_.place(state.q);
}

}  // namespace vinculum::integrators
