// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/step_problem.hpp"

#include "vinculum/integrators/wedge.hpp"

#include <algorithm>

namespace vinculum::integrators {
namespace {

// Large impulses excuse errors of velocities, as long as they are those of a load: not beyond a thousand times the free
// velocity. Impulses that a contradiction makes as large as one likes would else pass for a solution.
constexpr double excuse = 1e3;
constexpr double suspicious = 1e4;         // |Λ'| over |c'|
constexpr double rough_over_c = 1e-2;      // of the free velocity, for a solve that only finds out which contacts close
constexpr double none = 1e-3;              // of τ_v: offsets of a patch that rests
constexpr double moving = 1e-4;            // squared: relative velocities at the node over free ones
constexpr double rest_change = 1e-18;      // squared relative change of impulses that are at rest to round-off
constexpr std::size_t reduced_rods = 200;  // more rods than that are not looked through for redundant ones

}  // namespace

void StepProblem::assemble(const Places& at, bool repeated) {
  std::vector<Block>& blocks = candidates_.blocks();
  std::swap(rows_, last_rows_);
  rows_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (candidates_.is_active(i)) rows_.push_back(i);
  }
  solution_.Lambda.clear();
  node_square_ = free_square_ = 0;
  const bool same_rows = repeated && !trees_ && candidates_.rods() == 0 && rows_ == last_rows_;
  if (same_rows) {
    for (std::size_t k = 0; k < rows_.size(); ++k) problem_.c[k] = free_part(at, blocks[rows_[k]]);
    return;
  }
  problem_.clear();
  problem_.nodes = system_.node_count();
  const std::size_t contacts = candidates_.contacts();
  std::size_t k = 0;
  for (; k < rows_.size() && rows_[k] < contacts; ++k) add_block(at, blocks[rows_[k]]);
  if (trees_) agree_on_patches(at);
  if (trees_) trees_->add_blocks(at, problem_, solution_.Lambda);
  for (; k < rows_.size(); ++k) add_block(at, blocks[rows_[k]]);
  reduce_rods();
}

/// Describes the block and appends where its impulse starts.
Vec3 StepProblem::free_part(const Places& at, Block& block) {
  candidates_.describe(at, block);
  const double e_N = block.pair ? block.pair->e_N : 0, e_T = block.pair ? block.pair->e_T : 0;
  block.offset = law_offset(block.view, block.mode, settings_.dt, e_N, e_T, at.thresholds);
  const laws::Kind law = law_of(block);
  Vec3 guess = block.frame.F.transpose() * block.impulse;
  if (law != laws::Kind::coulomb) guess.tail<2>().setZero();
  solution_.Lambda.push_back(guess);
  Vec3 c = local_velocity(block.frame, at.free) + block.offset;
  if (law != laws::Kind::coulomb) c.tail<2>().setZero();
  node_square_ += block.view.gamma_node.squaredNorm();
  free_square_ += c.squaredNorm();
  return c;
}

void StepProblem::add_block(const Places& at, Block& block) {
  const laws::Kind law = law_of(block);
  contact::add_block(system_, at.turn, block.frame, law, law == laws::Kind::coulomb ? 3 : 1,
                     block.pair ? block.pair->mu : 0, free_part(at, block), trees_ ? &trees_->rows() : nullptr,
                     problem_);
}

/// patch.hpp
void StepProblem::agree_on_patches(const Places& at) {
  const auto bodies = [&](std::size_t k) {
    const contact::Frame& frame = block(k).frame;
    return std::pair(std::min(frame.body_a, frame.body_b), std::max(frame.body_a, frame.body_b));
  };
  const double small = none * at.thresholds.tau_v;
  double largest = 0;
  resting_.clear();
  for (std::size_t k = 0; k < rows_.size() && rows_[k] < candidates_.contacts(); ++k) {
    const Block& own = block(k);
    const bool rests =
        own.mode == Mode::held || (own.mode == Mode::landing && has_arrived(own.view, settings_.dt, at.thresholds));
    if (!rests || !(system_.linked(own.frame.body_a) || system_.linked(own.frame.body_b))) continue;
    resting_.push_back(k);
    largest = std::max(largest, own.offset.lpNorm<Eigen::Infinity>());
  }
  if (!(largest > small)) return;
  std::sort(resting_.begin(), resting_.end(),
            [&](std::size_t k, std::size_t l) { return std::pair(bodies(k), k) < std::pair(bodies(l), l); });
  for (std::size_t first = 0, next = 0; first < resting_.size(); first = next) {
    while (next < resting_.size() && bodies(resting_[next]) == bodies(resting_[first])) ++next;
    if (next - first < 2) continue;
    patch_.clear();
    largest = 0;
    for (std::size_t i = first; i < next; ++i) {
      const Block& own = block(resting_[i]);
      const bool sticks = law_of(own) == laws::Kind::coulomb && sticks_at_node(own.view, at.thresholds);
      const double sign = own.frame.body_a < own.frame.body_b ? 1 : -1;
      patch_.add(sign * own.frame.F, own.frame.point, own.offset, sticks);
      largest = std::max(largest, own.offset.lpNorm<Eigen::Infinity>());
    }
    if (!(largest > small)) continue;
    const std::span<const Vec3> rest = patch_.remainder();
    for (std::size_t i = first; i < next; ++i) {
      candidates_.blocks()[rows_[resting_[i]]].offset -= rest[i - first];
      problem_.c[resting_[i]] -= rest[i - first];
    }
  }
}

/// Rods that hold what other bonds hold already (decisions/trees.md, redundant bonds).
void StepProblem::reduce_rods() {
  const std::size_t rods = candidates_.rods() <= reduced_rods ? candidates_.rods() : 0;
  if (trees_) return trees_->close_blocks(rods, candidates_.rods(), problem_);
  rod_rows_.assign(rods, 1);
  rod_space_.reduce(problem_.size() - rods, rod_rows_, problem_);
}

/// Rods are closures behind those of the forest.
Undetermined StepProblem::undetermined() const {
  std::vector<TreeLaw> rods;
  const int behind = system_.forest ? static_cast<int>(system_.forest->closures.size()) : 0;
  for (std::size_t r = 0; r < candidates_.rods() && candidates_.rods() <= reduced_rods; ++r) {
    TreeLaw& law = rods.emplace_back();
    law.kind = TreeLaw::Kind::points;
    law.index = behind + static_cast<int>(r);
    law.frame = candidates_.blocks()[candidates_.contacts() + r].frame;
    law.frame.F.rightCols<2>().setZero();
  }
  if (trees_) return trees_->undetermined(rods);
  return rod_space_.redundant() > 0 ? find_undetermined(system_, rods, rod_space_.null_projector()) : Undetermined{};
}

double StepProblem::exact_over_c() const { return std::clamp(excuse * settings_.tol, 1e-6, 1e-3); }

void StepProblem::solve(double tol, bool polish, bool same_matrix) {
  const bool exact = tol <= settings_.tol;
  guess_ = solution_.Lambda;
  solver_->solve(problem_,
                 {.tol = tol,
                  .over_c = std::max(exact ? exact_over_c() : rough_over_c, settings_.tol),
                  .same_matrix = same_matrix,
                  .passing = trees_ && !polish,
                  .moving = node_square_ > moving * free_square_,
                  .polish = exact && polish},
                 solution_);
}

bool StepProblem::release_wedges() {
  const contact::Errors& errors = solution_.report.errors;
  if (!(errors.over_c > suspicious * errors.scaled)) return false;
  const std::size_t contacts = rows_.size() - candidates_.rods();
  if (!find_self_stress(problem_, solution_.Lambda, contacts, stress_)) return false;
  double along = 0;
  for (std::size_t k = 0; k < contacts; ++k) along += stress_[k].dot(block(k).offset);
  if (!(along < 0)) return false;
  for (std::size_t k = 0; k < contacts; ++k) {
    if (stress_[k].isZero(0)) continue;
    Block& own = candidates_.blocks()[rows_[k]];
    own.mode = Mode::wedged;
    own.stress = stress_[k];
  }
  return true;
}

bool StepProblem::measure() {
  solution_.report.errors = contact::measure(problem_, solution_.Lambda, z_, solution_.xi);
  return solvers::meets(solution_.report.errors, settings_.tol, std::max(exact_over_c(), settings_.tol));
}

void StepProblem::apply(std::vector<Vec3>& p, std::vector<Vec3>& l) {
  if (trees_) trees_->begin_impulses(solution_.Lambda);
  if (!trees_) rod_space_.project(std::span(solution_.Lambda).last(rod_rows_.size()));
  if (trees_ && system_.forest->free_bodies == 0) return trees_->apply(problem_, solution_.Lambda);
  const Impulses impulses = trees_ ? trees_->impulses(p, l) : Impulses{&p, &l, nullptr, nullptr};
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    add_impulse(system_, candidates_.blocks()[rows_[k]].frame, impulse(k), impulses);
  }
  if (trees_) trees_->add_impulses(solution_.Lambda, impulses);
  if (trees_) trees_->apply();
}

void StepProblem::keep_impulses() {
  double change = 0, size = 0;
  for (std::size_t k = 0; k < guess_.size(); ++k) {
    change += (solution_.Lambda[k] - guess_[k]).squaredNorm();
    size += solution_.Lambda[k].squaredNorm();
  }
  const bool took_back = solution_.report.method == solvers::polished_warm_start && change <= rest_change * size;
  kept_ = solution_.Lambda;
  for (std::size_t k = 0; took_back && k < kept_.size(); ++k) kept_[k] = 0.5 * (guess_[k] + solution_.Lambda[k]);
  if (trees_) trees_->keep(kept_);
}

void StepProblem::start_from_kept() {
  std::vector<Block>& blocks = candidates_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!candidates_.is_active(i)) blocks[i].impulse.setZero();
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Block& block = blocks[rows_[k]];
    block.impulse = block.frame.F * impulse_of(kept_, k);
    if (block.mode == Mode::wedged) block.impulse.setZero();
  }
}

void StepProblem::keep_warm_start(WarmStart& warm_start) const {
  warm_start.begin_update();
  for (std::size_t k = 0; k < rows_.size(); ++k) keep_warm_start(k, warm_start);
  if (trees_) trees_->keep_warm_start(warm_start);
  warm_start.end_update();
}

}  // namespace vinculum::integrators
