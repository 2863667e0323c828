// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/patches.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vinculum::solvers {
namespace {

constexpr std::size_t kPatch = 200;  // blocks at most: 60 leave soft modes cut in two, of 600 a factor is too dear
constexpr std::size_t kSmall = 100;  // blocks: up to here a patch may be all there is
constexpr double kShare = 1;         // of the target, for a patch: sweeps follow in any case
constexpr double kLeft = 0.5;        // of the target, for what stays outside patches
constexpr int kNewtonSteps = 12;     // before the interior point takes over
constexpr double kFinest = 1e-10;    // scaled error asked of a patch at most
constexpr double kAny = std::numeric_limits<double>::infinity();

}  // namespace

void Patches::prepare(const ScaledProblem& scaled) {
  scaled_ = &scaled;
  const std::size_t n = scaled.size(), nodes = scaled.nodes();
  start_.assign(nodes + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = scaled.begin(i); e < scaled.end(i); ++e) ++start_[scaled.node(e) + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  fill_.assign(start_.begin(), start_.end());
  block_at_.resize(static_cast<std::size_t>(start_[nodes]));
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = scaled.begin(i); e < scaled.end(i); ++e) block_at_[fill_[scaled.node(e)]++] = static_cast<int>(i);
  }
  seen_.assign(n, 0);
  local_.resize(nodes);
  stamp_ = 0;
}

// The natural map of every block at r, and the blocks in falling order of it.
void Patches::rank(const std::vector<Vec3>& r) {
  const ScaledProblem& s = *scaled_;
  s.impulse_to_nodes(r, z_);
  s.velocity(z_, u_);
  scale_ = std::sqrt(std::max({s.c_norm, squared_norm(u_), squared_norm(r)}));
  map_.resize(r.size());
  order_.resize(r.size());
  for (std::size_t i = 0; i < r.size(); ++i) {
    map_[i] = s.law[i]->natural_map(u_[i], r[i], s.mu[i]).squaredNorm();
    order_[i] = static_cast<int>(i);
  }
  std::sort(order_.begin(), order_.end(), [&](int a, int b) { return map_[a] != map_[b] ? map_[a] > map_[b] : a < b; });
}

// Breadth first from the seed through common nodes; in index order, as sweeps go.
void Patches::grow(int seed) {
  ++stamp_;
  patch_.assign(1, seed);
  seen_[seed] = stamp_;
  for (std::size_t k = 0; k < patch_.size(); ++k) {
    const auto i = static_cast<std::size_t>(patch_[k]);
    for (int e = scaled_->begin(i); e < scaled_->end(i); ++e) {
      for (int at = start_[scaled_->node(e)]; at < start_[scaled_->node(e) + 1] && patch_.size() < most_blocks_; ++at) {
        const int j = block_at_[at];
        if (seen_[j] == stamp_) continue;
        seen_[j] = stamp_;
        patch_.push_back(j);
      }
    }
  }
  std::sort(patch_.begin(), patch_.end());
}

// The patch as a problem of its own; z_ is left without the patch's impulses.
void Patches::extract(const std::vector<Vec3>& r) {
  const ScaledProblem& s = *scaled_;
  for (int b : patch_) {
    const auto i = static_cast<std::size_t>(b);
    for (int e = s.begin(i); e < s.end(i); ++e) {
      add_transposed(s.J_entry(e), -r[i][0], -r[i][1], -r[i][2], z_.data() + 6 * s.node(e));
    }
  }
  nodes_.clear();
  for (int b : patch_) {
    const auto i = static_cast<std::size_t>(b);
    for (int e = s.begin(i); e < s.end(i); ++e) nodes_.push_back(s.node(e));
  }
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  for (std::size_t a = 0; a < nodes_.size(); ++a) local_[nodes_[a]] = static_cast<int>(a);
  part_.clear();
  part_.nodes = nodes_.size();
  part_.row.push_back(0);
  Lambda_.clear();
  for (int b : patch_) {
    const auto i = static_cast<std::size_t>(b);
    RowSums sums;
    for (int e = s.begin(i); e < s.end(i); ++e) {
      const int node = s.node(e);
      sums.add(s.J_entry(e), z_.data() + 6 * node);
      part_.node.push_back(local_[node]);
      part_.J.push_back(Eigen::Map<const contact::JBlock>(s.J_entry(e)));
    }
    part_.row.push_back(static_cast<int>(part_.node.size()));
    part_.c.push_back(s.c[i] + Vec3(sums.row0(), sums.row1(), sums.row2()));
    part_.law.push_back(s.problem->law[i]);
    part_.mu.push_back(s.mu[i]);
    Lambda_.push_back(r[i]);
  }
}

// `target`: |natural map| of the patch in the variables of the whole.
void Patches::solve_patch(double target, Outcome& outcome) {
  ScaledProblem& s = part_scaled_;
  s.build(part_);
  s.scale(Lambda_, part_r_);
  make_admissible(s, part_r_);
  matrix_.prepare(s, kAny);
  s.impulse_to_nodes(part_r_, part_z_);
  s.velocity(part_z_, part_u_);
  const double size = std::sqrt(std::max({s.c_norm, squared_norm(part_u_), squared_norm(part_r_)}));
  const double wanted = std::max(kFinest, target / (s.sigma * std::max(size, std::numeric_limits<double>::min())));
  double error = s.error(part_r_, part_u_);
  if (error <= wanted) return;

  ProxNewton::Limits newton;
  newton.target = wanted;
  newton.alpha = 1e-4;
  newton.newton_steps = kNewtonSteps;
  trial_ = part_r_;
  const ProxNewton::Outcome first = newton_.run(s, matrix_, newton, trial_);
  outcome.newton_steps += first.newton_steps;
  if (first.error < error) {
    error = first.error;
    part_r_ = trial_;
  }
  if (!first.reached) {
    InteriorPoint::Limits interior;
    interior.target = wanted;
    interior.delta = 3e-5;
    interior.shift = 0.1;
    interior.steps = 25;
    trial_ = part_r_;
    interior_.start(s, matrix_, interior, trial_);
    const InteriorPoint::Outcome second = interior_.run(interior, trial_);
    outcome.newton_steps += second.steps;
    if (second.error < error) {
      part_r_ = trial_;
      make_admissible(s, part_r_);
    }
  }
  outcome.factorisations += matrix_.factorisations;
}

void Patches::put_back(std::vector<Vec3>& r) {
  const ScaledProblem& s = *scaled_;
  part_scaled_.unscale(part_r_, Lambda_);
  for (std::size_t k = 0; k < patch_.size(); ++k) {
    const auto i = static_cast<std::size_t>(patch_[k]);
    r[i] = Lambda_[k];
    for (int e = s.begin(i); e < s.end(i); ++e) {
      add_transposed(s.J_entry(e), r[i][0], r[i][1], r[i][2], z_.data() + 6 * s.node(e));
    }
  }
}

Patches::Outcome Patches::improve(double target, int growth, std::vector<Vec3>& r) {
  Outcome outcome;
  rank(r);
  const std::size_t n = r.size();
  most_blocks_ = n <= kSmall ? n : std::min(kPatch * static_cast<std::size_t>(growth), 2 * n / 3);
  const std::size_t most = std::max<std::size_t>(3, n / most_blocks_);
  double left = std::accumulate(map_.begin(), map_.end(), 0.0);
  const double goal = kLeft * kLeft * target * target * scale_ * scale_;
  done_.assign(n, 0);
  for (std::size_t k = 0; k < n && left >= goal && static_cast<std::size_t>(outcome.patches) < most; ++k) {
    if (done_[order_[k]]) continue;
    grow(order_[k]);
    for (int i : patch_) {
      if (!done_[i]) left -= map_[i];
      done_[i] = 1;
    }
    extract(r);
    const double share = static_cast<double>(patch_.size()) / static_cast<double>(n);
    solve_patch(kShare * target * scale_ * std::sqrt(share), outcome);
    put_back(r);
    ++outcome.patches;
  }
  return outcome;
}

}  // namespace vinculum::solvers
