// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/dense_newton.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vinculum::solvers {
namespace {

using contact::ContactProblem;
namespace lanes_of = algebra::lanes;

constexpr double kAlpha[] = {1e-7, 1e-9};  // far below the softest mode that matters, far above rounding
constexpr double kRho[] = {1, 0.3};        // diagonal blocks of G have mean diagonal 1
constexpr int kMostIterations = 14;        // with one ρ
constexpr int kMostCreeping = 4;           // steps of little gain in sequence: α holds them back
constexpr int kMostRises = 4;              // full steps that may raise |F|: states settle in a few of them
constexpr double kGain = 0.5;              // |F| that falls by less creeps
constexpr double kNoGain = 0.9;            // |F| within the tolerance that falls by less is at its rounding
constexpr double kRounding = 4e-16;
constexpr double kRest = 1e-13;    // |F| of a state at rest: below what others accept
constexpr double kReach = 0.3;     // longest step: part of the impulses. G may leave a direction free where laws end it
constexpr double kStill = 1e-4;    // |du| / |dx| of impulses that move nothing
constexpr double kBeyond = 1e-9;   // part of a step by which it passes the edge of a cone
constexpr double kPassing = 0.05;  // of the tolerance: what later rounds may find good enough
constexpr double kQuiet = 0.01;    // part of the tolerance that is not worth other impulses
constexpr double kShortest = 0.05;  // steps below are no progress
constexpr int kTogether = 2;        // lanes that share a step: one alone does better by itself
constexpr double kLargest = 1e7;    // |x| / |c'|: above, what the impulses do is lost in their rounding

/// f(t) for the lanes t in a set of bits.
template <class F>
void each(unsigned in, F&& f) {
  for (; in; in &= in - 1) f(std::countr_zero(in));
}
template <class F>
unsigned those(unsigned in, F&& f) {
  unsigned out = 0;
  each(in, [&](int t) { out |= f(t) ? 1u << t : 0; });
  return out;
}

template <class T>
void read_lanes(const T& from, unsigned in, double* to) {
  each(in, [&](int t) { to[t] = lanes_of::lane(from, t); });
}

}  // namespace

/// The lanes whose x is of a size that can be trusted.
template <class K>
unsigned DenseMethod<K>::small(const typename K::Memory& x) const {
  alignas(K::alignment) T size;
  norm<K>(x, size);
  return those((1u << lanes) - 1, [&](int t) { return lanes_of::lane(size, t) < kLargest; });
}

/// The rows that the laws of a lane keep, and those of what slips in it.
template <class K>
void DenseMethod<K>::list_rows(int lane) {
  work_.kept.clear();
  work_.slipping.clear();
  work_.rest_rows.clear();
  for (std::size_t i = 0; i < work_.blocks.size(); ++i) {
    const auto& block = work_.blocks[i];
    const double state = lanes_of::lane(work_.state[i], lane);
    for (int k = block.row; k < block.row + block.rows; ++k) {
      work_.place[k] = state == work_.lets_go ? -1 : static_cast<int>(work_.kept.size());
      if (state != work_.lets_go) work_.kept.push_back(k);
    }
    if (state != work_.between) continue;
    work_.slipping.push_back(static_cast<int>(i));
    const bool coulomb = block.form == DenseWork<K>::Form::coulomb;
    for (int k = coulomb ? 1 : 0; k < block.rows; ++k) work_.rest_rows.push_back(block.row + k);
  }
}

/// K and Z for lanes that are alike, one of which is `lane`. What only begins or ceases to slip leaves the factor as it
/// is. Returns the lanes that have a factor.
template <class K>
unsigned DenseMethod<K>::prepare(unsigned in, int lane) {
  each(in & (moved_ | ~factored_), [&](int t) { ++factorisations_[t]; });
  moved_ &= ~in;
  factored_ |= in;
  if ((in & ~ready_) == 0) return in;
  rows_before_.swap(work_.kept);
  list_rows(lane);
  const unsigned others = find_alike(work_, lane);  // also of those that have ended, for the next problem
  const bool same = (in & ~of_matrix_) == 0 && of_alpha_ == work_.alpha && work_.kept == rows_before_;
  if (!same) {
    of_matrix_ = others & factor_kept(work_);
    of_alpha_ = work_.alpha;
  }
  factored_ &= ~(in & ~of_matrix_);
  ready_ = 0;
  if ((in & of_matrix_) == 0) return 0;
  solve_columns(work_);
  ready_ = others & of_matrix_;
  return in & of_matrix_;
}

/// A direction from F, how far to go along it, and |F|² there. Returns the lanes that have one.
template <class K>
unsigned DenseMethod<K>::step_along(unsigned in, double quiet, const double* size) {
  alignas(K::alignment) T left, length_x, length_u, t, square;
  in = find_direction(work_, in, quiet, left);
  if (in == 0) return 0;
  read_lanes(left, in, left_);
  norm<K>(work_.dx, length_x);
  norm<K>(work_.du, length_u);
  unsigned still = 0;
  for (int l = 0; l < lanes; ++l) {
    const double length = lanes_of::lane(length_x, l);
    if (in >> l & 1) t_[l] = std::min(1.0, (1 + kReach * size[l]) / length);
    if (in >> l & 1 && lanes_of::lane(length_u, l) < kStill * length) still |= 1u << l;
    lanes_of::set_lane(t, l, t_[l]);
  }
  if (still) {
    alignas(K::alignment) T edge = t;
    first_crossing(work_, edge);
    each(still, [&](int l) {
      t_[l] = std::min(t_[l], (1 + kBeyond) * lanes_of::lane(edge, l) + kBeyond);
      lanes_of::set_lane(t, l, t_[l]);
    });
  }
  try_step<K>(work_, in, t, square);
  read_lanes(square, in, next_);
  return in;
}

/// States of the laws at the points of these lanes.
template <class K>
void DenseMethod<K>::look(unsigned in) {
  unsigned changed, moved;
  find_states(work_, in, changed, moved);
  moved_ |= moved;
  ready_ &= ~changed;
}

/// A step of lanes that are alike; returns those that go on from where it leads.
template <class K>
unsigned DenseMethod<K>::go(unsigned in, double target, double quiet) {
  alignas(K::alignment) T size_of_x, square;
  double size[lanes], floor[lanes];
  norm<K>(work_.x, size_of_x);
  for (int t = 0; t < lanes; ++t) {
    size[t] = lanes_of::lane(size_of_x, t);
    floor[t] = kRest + kRounding * size[t];
  }
  in = step_along(in, quiet, size);
  // What was left out must be all that is left: it was more than noise where a law still has to find its place by it.
  unsigned hushed =
      those(in, [&](int t) { return left_[t] > 0 && next_[t] <= 4 * left_[t] * left_[t] + floor[t] * floor[t]; });
  const unsigned loud = those(in & ~hushed, [&](int t) { return left_[t] > 0; });
  if (loud) {
    evaluate(work_, work_.x.data(), work_.u.data(), loud, square);
    in &= ~loud | step_along(loud, 0, size);
  }
  each(in, [&](int t) { ++steps_[t]; });
  const auto too_far = [&](int t) {
    return rises_[t] >= kMostRises && !(next_[t] < (1 - 0.2 * t_[t]) * merit_[t]) && t_[t] > kShortest;
  };
  while (const unsigned back = those(in, too_far)) {
    alignas(K::alignment) T t;
    each(back, [&](int l) { t_[l] *= 0.5; });
    for (int l = 0; l < lanes; ++l) lanes_of::set_lane(t, l, t_[l]);
    try_step<K>(work_, back, t, square);
    read_lanes(square, back, next_);
  }
  const unsigned taken = those(in, [&](int t) {
    if (next_[t] < merit_[t]) return true;
    if (best_[t] <= target * target) return false;  // no gain: rounding
    return ++rises_[t] <= kMostRises;
  });
  copy<K>(work_.trial_x, taken, work_.x);
  copy<K>(work_.trial_u, taken, work_.u);
  const unsigned better = those(taken, [&](int t) { return next_[t] < best_[t]; });
  copy<K>(work_.x, better, work_.best);
  each(better, [&](int t) { best_[t] = next_[t]; });
  return those(taken, [&](int t) {
    const double before = merit_[t];
    const bool slow = next_[t] > kGain * kGain * before;
    creeping_[t] = slow && next_[t] < before ? creeping_[t] + 1 : 0;
    merit_[t] = next_[t];
    return !(hushed >> t & 1 || creeping_[t] >= kMostCreeping ||
             (next_[t] > kNoGain * kNoGain * before && best_[t] <= target * target));
  });
}

/// Newton steps from x until |F| is at rounding or falls no more; x is the best point then. Returns the lanes where it
/// is within the target.
template <class K>
unsigned DenseMethod<K>::iterate(unsigned all, double target, bool polish, bool again) {
  alignas(K::alignment) T square;
  find_u(work_);
  evaluate(work_, work_.x.data(), work_.u.data(), all, square);
  copy<K>(work_.x, all, work_.best);
  each(all, [&](int t) {
    merit_[t] = best_[t] = lanes_of::lane(square, t);
    if (work_.rho == kRho[0]) start_[t] = std::sqrt(merit_[t]);
    steps_[t] = rises_[t] = creeping_[t] = 0;
  });
  unsigned running = all, moved = all;  // moved: since they were looked at
  while (running) {
    alignas(K::alignment) T size;
    norm<K>(work_.x, size);
    running &= ~those(running & moved, [&](int t) {
      const double floor = kRest + kRounding * lanes_of::lane(size, t);
      return steps_[t] >= kMostIterations || merit_[t] <= (polish ? floor * floor : target * target);
    });
    if (!running) break;
    if (running & moved) look(running & moved);
    moved = 0;
    int last = -1;  // the one that is farthest behind
    each(running, [&](int t) { last = last < 0 || steps_[t] < steps_[last] ? t : last; });
    const unsigned group = running & find_alike(work_, last);
    if (lanes > 1 && !again && group != running && std::popcount(group) < kTogether) {
      apart_ |= group;
      running &= ~group;
      moved = 0;
      continue;
    }
    const unsigned able = prepare(group, last);
    moved = able ? go(able, target, again ? kQuiet * target : 0) : 0;
    running &= ~(group & ~moved);
  }
  copy<K>(work_.best, all, work_.x);
  each(all, [&](int t) {
    error_[t] = std::sqrt(best_[t]);
    iterations_[t] += steps_[t];
  });
  return those(all & ~apart_, [&](int t) { return best_[t] <= target * target; });
}

template <class K>
unsigned DenseMethod<K>::solve(const ContactProblem& problem, std::span<const DensePart> parts, unsigned asked,
                               const Settings& settings, Solution& solution, std::span<Report> reports) {
  if (!settings.same_matrix || work_.blocks.size() != parts[0].blocks.size()) read(problem, parts);
  read_free_part(work_, problem.c.data(), problem.mu.data(), solution.Lambda.data());
  const unsigned all = asked;
  apart_ = 0;
  std::fill(iterations_, iterations_ + lanes, 0);
  std::fill(factorisations_, factorisations_ + lanes, 0);
  work_.rho = kRho[0];
  work_.alpha = kAlpha[0];
  if (const unsigned large = all & ~small(work_.x)) {
    std::fill(work_.trial_x.begin(), work_.trial_x.end(), T{});
    copy<K>(work_.trial_x, large, work_.x);
  }
  const double share = settings.passing && settings.same_matrix ? kPassing : 0.5;
  unsigned solved = iterate(all, share * settings.tol, settings.polish, settings.same_matrix);
  if (const unsigned rest = all & ~solved & ~apart_) {
    work_.rho = kRho[1];
    work_.alpha = kAlpha[1];
    factored_ &= ~rest;
    ready_ = 0;
    solved |= iterate(rest, share * work_.rho * settings.tol, settings.polish, settings.same_matrix);
    factored_ &= ~rest;
    ready_ = 0;
  }
  solved &= small(work_.x);
  write(solved, settings, solution, reports);
  return solved;
}

template class DenseMethod<algebra::One>;
template class DenseMethod<algebra::Many>;

}  // namespace vinculum::solvers
