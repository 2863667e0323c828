// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the first correction of a step tells of those that follow. Forces follow velocities by z ← Φ(z), z = L v_f, a
// repetition that is linear to first order, the same from step to step where the motion goes on as it did: with d the
// first correction and R(d) the sum of all later ones, R is linear. Of the last steps pairs (d_i, R_i) are known:
//   d = Σ a_i d_i + rest, the rest least, tree by tree    ⇒    R(d) ≈ Σ a_i R_i
// Added to the first correction it leaves a tenth to a hundredth of the second one.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

namespace vinculum::integrators {

class Corrections {
 public:
  /// Coordinates of one tree that stand side by side.
  struct Run {
    std::size_t tree;
    Eigen::Index begin, count;
  };

  void resize(Eigen::Index coordinates, std::size_t trees);
  /// After the first correction from `before` to z: adds those that will follow.
  void foresee(const Eigen::VectorXd& before, std::span<const Run> runs, Eigen::VectorXd& z);
  /// What has been foreseen in this step no longer holds: more than velocities has changed.
  void forget() { foreseen_ = false; }
  /// At the end of a step, of which z is the last; where `useful`.
  void keep(const Eigen::VectorXd& z, bool useful);

  /// What the next step depends on.
  static constexpr Eigen::Index kept = 3;
  Eigen::Matrix<double, Eigen::Dynamic, 2 * kept> pairs;  // d_i, then R_i; the newest first, zero where there is none

 private:
  /// Of one tree: d_i·d_j, and d_i·d; the a_i.
  struct Fit {
    std::array<std::array<double, kept + 1>, kept> G{};
    std::array<double, kept> a{};
    void solve();
  };

  Eigen::VectorXd z_first_, d_;  // after the first correction; by it
  std::vector<Fit> fits_;
  bool foreseen_ = false;
};

}  // namespace vinculum::integrators
