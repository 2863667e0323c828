// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Cones and regions: polarity, Moreau's decomposition in any metric, tangents and normals, qualification.
#include "vinculum/convex/region.hpp"

#include "vinculum/convex/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace vinculum::convex;

namespace {

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  Vector vector(int n) {
    Vector x(n);
    for (int i = 0; i < n; ++i) x[i] = uniform(-1, 1);
    return x;
  }
  Matrix matrix(int n, int m) {
    Matrix A(n, m);
    for (int j = 0; j < m; ++j) A.col(j) = vector(n);
    return A;
  }
  Matrix metric(int n) {
    const Matrix A = matrix(n, n);
    return A * A.transpose() + .1 * Matrix::Identity(n, n);
  }
};

Vector of(std::initializer_list<double> values) {
  Vector x(values.size());
  int i = 0;
  for (double v : values) x[i++] = v;
  return x;
}

std::vector<ConePtr> cones(Random& random) {
  const ConePtr round = make_second_order_cone(3, .7);
  return {make_cone_of_rows(random.matrix(4, 6)),
          make_cone_of_generators(random.matrix(4, 3)),
          make_cone_of_generators(random.matrix(5, 9)),
          make_subspace_cone(random.matrix(4, 2)),
          make_space_cone(3),
          make_zero_cone(3),
          round,
          round->polar(),
          make_product_cone(round, make_cone_of_rows(random.matrix(2, 1))),
          std::make_shared<PolyhedralCone>(random.matrix(4, 2), random.matrix(4, 1), false)};
}

}  // namespace

TEST(Cones, moreau_decomposes_every_vector_into_cone_and_polar) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    const auto all = cones(random);
    for (std::size_t c = 0; c < all.size(); ++c) {
      SCOPED_TRACE(c);
      const Vector x = random.vector(all[c]->dimension());
      const Vector p = all[c]->project(x), q = all[c]->polar()->project(x);
      ASSERT_LE((p + q - x).norm(), 1e-13);
      ASSERT_NEAR(p.dot(q), 0, 1e-13);
      ASSERT_TRUE(all[c]->contains(p, 1e-13));
    }
  }
}

TEST(Cones, the_projection_in_a_metric_meets_its_variational_inequality) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const auto all = cones(random);
    for (std::size_t c = 0; c < all.size(); ++c) {
      SCOPED_TRACE(c);
      const int n = all[c]->dimension();
      const Matrix M = random.metric(n);
      const Vector x = random.vector(n), p = all[c]->project(x, M), force = M * (x - p);
      ASSERT_LE(all[c]->distance(p), 1e-12);
      ASSERT_NEAR(force.dot(p), 0, 1e-12);
      ASSERT_LE(all[c]->polar()->distance(force), 1e-12);  // M(x − p) ∈ K°
    }
  }
}

TEST(Cones, generators_and_rows_describe_the_same_cone) {
  Random random(3);
  for (int round = 0; round < 30; ++round) {
    const PolyhedralCone rows(random.matrix(3, round % 5), random.matrix(3, round % 2), false);
    const PolyhedralCone generated = rows.by_generators(), back = generated.by_rows();
    for (int k = 0; k < 20; ++k) {
      const Vector x = random.vector(3);
      ASSERT_LE((rows.project(x) - generated.project(x)).norm(), 1e-12);
      ASSERT_LE((rows.project(x) - back.project(x)).norm(), 1e-12);
    }
  }
}

// Digest, test 11: M = [[2,1],[1,2]], h = (−3,0), quadrant. Clipping the free a = (−2,1) is wrong.
TEST(Cones, the_corner_is_projected_in_the_metric_of_the_masses) {
  Matrix M(2, 2);
  M << 2, 1, 1, 2;
  const Vector a = make_cone_of_rows(-Matrix::Identity(2, 2))->project(of({-2, 1}), M);
  EXPECT_LE(a.norm(), 1e-15);
  const Vector f = M * (a - of({-2, 1}));
  EXPECT_LE((f - of({3, 0})).norm(), 1e-14);
}

TEST(Regions, projections_on_polyhedra_meet_their_inequality_or_say_that_there_is_no_point) {
  Random random(4);
  int feasible = 0;
  for (int k = 0; k < 200; ++k) {
    const Matrix A = random.matrix(3, 5);
    const Vector b = random.vector(5) + .3 * Vector::Ones(5);
    const RegionPtr region = make_polyhedron(A, b);
    const Matrix M = random.metric(3);
    const Vector y = 2 * random.vector(3), p = region->project(y, M);
    if (p.hasNaN()) continue;
    ++feasible;
    ASSERT_TRUE(region->contains(p, 1e-12));
    // M(y − p) is normal at p.
    ASSERT_LE(region->normal(p, 1e-11)->distance(M * (y - p)), 1e-10);
  }
  EXPECT_GT(feasible, 100);
  const RegionPtr none = make_polyhedron((Matrix(1, 2) << 1, -1).finished(), of({-1, -1}));
  EXPECT_TRUE(none->project(of({0})).hasNaN());
}

TEST(Regions, residuals_of_projections_are_normal_for_round_sets_too) {
  Random random(5);
  const RegionPtr ball = make_ball_region(of({1, 0, 0}), 2), cone = make_second_order_region(3, .5);
  const RegionPtr both = make_product_region(make_ball_region(of({0, 0}), 1), make_subspace(of({1, 2})));
  for (const RegionPtr& region : {ball, cone, both}) {
    for (int k = 0; k < 50; ++k) {
      const int n = region->dimension();
      const Matrix M = random.metric(n);
      const Vector y = 4 * random.vector(n), p = region->project(y, M);
      ASSERT_TRUE(region->contains(p, 1e-12));
      ASSERT_LE(region->normal(p, 1e-10)->distance(M * (y - p)), 1e-9);
    }
  }
}

TEST(Regions, glocker_18_the_ledge_is_not_regular_at_its_corner) {
  const RegionPtr ledge = make_union({make_polyhedron(of({-1, 0}), of({0})), make_polyhedron(of({0, -1}), of({0}))});
  const Vector corner = of({0, 0});
  EXPECT_FALSE(ledge->is_regular_at(corner));
  EXPECT_TRUE(ledge->is_regular_at(of({1, 0})));
  EXPECT_TRUE(ledge->contingent(corner).contains(of({1, -1})));
  EXPECT_FALSE(ledge->contingent(corner).contains(of({-1, -1})));
  const ConePtr T = ledge->tangent(corner), N = ledge->normal(corner);
  EXPECT_TRUE(T->contains(of({1, 2})));
  EXPECT_FALSE(T->contains(of({1, -1})));
  EXPECT_TRUE(N->contains(of({-1, -2})));
  EXPECT_FALSE(N->contains(of({-1, .1})));
  // Inside one half plane and on the edge of the other: an interior point.
  EXPECT_TRUE(ledge->tangent(of({1, 0}))->contains(of({-3, -5})));
  EXPECT_EQ(ledge->tangent(of({-1, -1})), nullptr);
}

TEST(Regions, unions_that_fill_the_space_have_no_normals_and_crossing_lines_have_all) {
  const RegionPtr plane = make_union({make_polyhedron(of({-1, 0}), of({0})), make_polyhedron(of({1, 0}), of({0}))});
  EXPECT_TRUE(plane->tangent(of({0, 0}))->contains(of({1, -7})));
  EXPECT_TRUE(plane->is_regular_at(of({0, 0})));
  const RegionPtr cross = make_union({make_subspace(of({1, 0})), make_subspace(of({0, 1}))});
  EXPECT_FALSE(cross->tangent(of({0, 0}))->contains(of({1, 0})));
  EXPECT_TRUE(cross->normal(of({0, 0}))->contains(of({1, -7})));
  EXPECT_FALSE(cross->is_regular_at(of({0, 0})));
  EXPECT_TRUE(cross->is_regular_at(of({2, 0})));
}

TEST(Regions, glocker_24_a_degenerate_pair_fails_its_qualification_with_a_witness) {
  const SmoothConstraint above{[](const Vector& q) { return q[1] - q[0] * q[0]; },
                               [](const Vector& q) {
                                 return of({-2 * q[0], 1});
                               }};
  const SmoothConstraint below{[](const Vector& q) { return -q[1] - q[0] * q[0]; },
                               [](const Vector& q) {
                                 return of({-2 * q[0], -1});
                               }};
  const auto point = make_level_set(2, {above, below});
  const Qualification q = point->qualification(of({0, 0}));
  EXPECT_EQ(q.active.size(), 2u);
  EXPECT_FALSE(q.mangasarian_fromovitz);
  EXPECT_NEAR(q.multipliers[0], .5, 1e-14);
  EXPECT_FALSE(q.normals_add);
  EXPECT_NEAR(std::abs(q.false_tangent[0]), 1, 1e-14);
  EXPECT_NEAR(std::abs(q.missing_normal[0]), 1, 1e-14);
  EXPECT_TRUE(point->normal(of({0, 0}))->contains(of({3, -4})));  // N_C = ℝ²
  // One of them alone is a fine constraint.
  const Qualification one = make_level_set(2, {above})->qualification(of({0, 0}));
  EXPECT_TRUE(one.mangasarian_fromovitz);
  EXPECT_GT(one.direction[1], 0);
}

TEST(Regions, glocker_24_a_floor_listed_twice_or_a_bond_of_two_inequalities_still_adds_its_normals) {
  const SmoothConstraint up{[](const Vector& q) { return q[1]; }, [](const Vector&) { return of({0, 1}); }};
  const SmoothConstraint down{[](const Vector& q) { return -q[1]; }, [](const Vector&) { return of({0, -1}); }};
  const Qualification twice = make_level_set(2, {up, up})->qualification(of({0, 0}));
  EXPECT_TRUE(twice.mangasarian_fromovitz && twice.normals_add);
  const Qualification bond = make_level_set(2, {up, down})->qualification(of({0, 0}));
  EXPECT_FALSE(bond.mangasarian_fromovitz);
  EXPECT_TRUE(bond.normals_add);
}

TEST(Regions, projections_on_level_sets_are_stationary) {
  const SmoothConstraint disc{[](const Vector& q) { return 1 - q.squaredNorm(); },
                              [](const Vector& q) -> Vector { return -2 * q; }};
  Matrix M(2, 2);
  M << 2, .5, .5, 1;
  const Vector y = of({1.3, .9}), p = make_level_set(2, {disc})->project(y, M);
  const Vector q = make_ball_region(of({0, 0}), 1)->project(y, M);
  EXPECT_LE((p - q).norm(), 1e-12);
}
