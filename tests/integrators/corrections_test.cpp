// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// z ← Φ(z) = K z + b, two trees with a K of their own. From z_0 the first correction is d = Φ(z_0) − z_0, and all later
// ones add up to R(d) = (I − K)⁻¹ K d, since the fixed point is z_0 + (I − K)⁻¹ d.
#include "vinculum/integrators/corrections.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <random>

using vinculum::integrators::Corrections;

namespace {

constexpr Eigen::Index size = 7, nv = 2 * size;

struct Map {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(nv, nv);

  explicit Map(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-0.02, 0.02);
    for (Eigen::Index tree = 0; tree < 2; ++tree) {
      K.block(tree * size, tree * size, size, size) =
          Eigen::MatrixXd::NullaryExpr(size, size, [&] { return uniform(random); });
    }
  }
  Eigen::VectorXd rest(const Eigen::VectorXd& d) const {
    return (Eigen::MatrixXd::Identity(nv, nv) - K).lu().solve(K * d);
  }
};

const Corrections::Run runs[] = {{0, 0, size}, {1, size, size}};

Corrections make() {
  Corrections corrections;
  corrections.resize(nv, 2);
  return corrections;
}

/// One step whose first correction is d: what it foresees.
Eigen::VectorXd step(Corrections& corrections, const Map& map, const Eigen::VectorXd& d) {
  const Eigen::VectorXd before = Eigen::VectorXd::Random(nv), first = before + d;
  Eigen::VectorXd z = first;
  corrections.foresee(before, runs, z);
  const Eigen::VectorXd foreseen = z - first;
  corrections.keep(first + map.rest(d), true);
  return foreseen;
}

}  // namespace

TEST(Corrections, nothing_is_foreseen_where_nothing_is_remembered) {
  std::mt19937 random(1);
  const Map map(random);
  Corrections corrections = make();
  EXPECT_EQ(step(corrections, map, Eigen::VectorXd::Random(nv)).norm(), 0);
}

// Each tree has a combination of its own. Tolerance: rounding of z, of size 1, over the least part that is still taken
// for another direction.
TEST(Corrections, a_combination_of_the_last_three_is_foreseen_exactly) {
  std::mt19937 random(2);
  const Map map(random);
  Corrections corrections = make();
  std::vector<Eigen::VectorXd> d(3);
  for (Eigen::VectorXd& own : d) step(corrections, map, own = Eigen::VectorXd::Random(nv));
  Eigen::VectorXd next(nv);
  next.head(size) = 0.5 * d[0].head(size) - 2 * d[1].head(size) + d[2].head(size);
  next.tail(size) = d[0].tail(size) + 3 * d[2].tail(size);
  const Eigen::VectorXd rest = map.rest(next);
  EXPECT_LE((step(corrections, map, next) - rest).norm(), 1e-13);
  EXPECT_GE(rest.norm(), 1e-2);
}

TEST(Corrections, what_repeats_itself_with_the_other_sign_is_foreseen_too) {
  std::mt19937 random(3);
  const Map map(random);
  Corrections corrections = make();
  const Eigen::VectorXd d = Eigen::VectorXd::Random(nv);
  step(corrections, map, d);
  step(corrections, map, -d);
  EXPECT_LE((step(corrections, map, d) - map.rest(d)).norm(), 1e-14);
}

TEST(Corrections, a_step_in_which_more_than_velocities_changed_is_not_remembered) {
  std::mt19937 random(4);
  const Map map(random);
  Corrections corrections = make();
  const Eigen::VectorXd d = Eigen::VectorXd::Random(nv), before = Eigen::VectorXd::Random(nv);
  Eigen::VectorXd z = before + d;
  corrections.foresee(before, runs, z);
  corrections.forget();
  corrections.keep(Eigen::VectorXd::Constant(nv, 1e9), true);
  EXPECT_EQ(step(corrections, map, d).norm(), 0);
}
