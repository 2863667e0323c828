// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Theorems of convex sets, held by every member of the family on random data with fixed seeds:
//   P firmly nonexpansive and idempotent;   y − P(y) normal at P(y);   h the supremum;   the face attains it.
#include "vinculum/convex/set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

using namespace vinculum::convex;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  Vec vector(int rows, double size) {
    Vec x(rows);
    for (int i = 0; i < rows; ++i) x[i] = size * uniform(-1, 1) * std::pow(10, uniform(-1, 0));
    return x;
  }
};

struct Sample {
  const char* name;
  SetPtr set;
  double tolerance;  // of projections of numbers of size 10
};

std::vector<Sample> samples() {
  Mat Q(2, 2);
  Q << .6, -.8, .8, .6;
  Eigen::MatrixXd fan(3, 4);
  fan << 1, 1, 0, .3, 0, 1, 1, .3, 0, 0, 1, 1;
  Eigen::MatrixXd wedge(2, 2);
  wedge << 1, -.5, .2, 1;
  const SetPtr ellipse = make_ellipsoid(vec(1, 0), vec(3, .5), Q);
  const SetPtr segment = make_segment(vec(0, 1), vec(1, 1), -1, 2);
  const SetPtr contensou = make_contensou(2, .7);
  return {{"point", make_point(vec(1, 2)), 1e-14},
          {"half line", make_interval(-kInf, 0), 1e-14},
          {"strip", make_box(vec(-1, -kInf), vec(2, kInf)), 1e-14},
          {"space", make_space(3), 1e-14},
          {"disc", make_ball(vec(1, -1), 2), 1e-14},
          {"ball", make_ball(vec(0, 0, 1), 2), 1e-14},
          {"ellipse", ellipse, 1e-13},
          {"flat ellipse", make_ellipsoid(vec(0, 0), vec(2, 1e-6), Q), 1e-13},
          {"disc in space", make_ellipsoid(vec(0, 0, 0), vec(2, 2, 0)), 1e-13},
          {"ellipsoid", make_ellipsoid(vec(0, 1, 0), vec(4, 1, .1)), 1e-13},
          {"segment", segment, 1e-14},
          {"ray", make_segment(vec(0, 0, 0), vec(1, 2, 2), 0, kInf), 1e-14},
          {"product", make_product(make_ball(vec(0, 0), 1), make_interval(0, kInf)), 1e-14},
          {"translate", make_translate(ellipse, vec(1, 1)), 1e-13},
          {"mirror", make_mirror(segment), 1e-14},
          {"box + disc", make_sum(make_box(vec(0, 0), vec(1, 2)), make_ball(vec(1, 0), 1)), 1e-14},
          {"ellipse + segment", make_sum(ellipse, segment), 1e-13},
          {"ellipse + box", make_sum(ellipse, make_box(vec(-1, 0), vec(1, 2))), 1e-13},
          {"segment + segment", make_sum(segment, make_segment(vec(0, 0), vec(1, -2), 0, 1)), 1e-13},
          {"ellipse + ray", make_sum(ellipse, make_segment(vec(0, 0), vec(1, 3), 0, kInf)), 1e-13},
          {"ellipsoid + Contensou", make_sum(make_ellipsoid(vec(0, 1, 0), vec(4, 1, .5)), contensou), 1e-12},
          {"wedge", make_cone(wedge), 1e-14},
          {"fan", make_cone(fan), 1e-14},
          {"round cone", make_round_cone(3, .6), 1e-14},
          {"round cone down", make_round_cone(2, 2, true), 1e-14},
          {"Contensou", contensou, 1e-13}};
}

}  // namespace

TEST(Sets, projection_is_firmly_nonexpansive_and_idempotent) {
  for (const Sample& s : samples()) {
    SCOPED_TRACE(s.name);
    Random random(1);
    const int n = s.set->dimension();
    for (int k = 0; k < 400; ++k) {
      const Vec x = random.vector(n, 10), y = random.vector(n, 10);
      const Vec p = s.set->project(x), q = s.set->project(y);
      ASSERT_LE((p - q).squaredNorm(), (p - q).dot(x - y) + 20 * s.tolerance);
      ASSERT_LE((s.set->project(p) - p).norm(), 10 * s.tolerance);
      ASSERT_TRUE(s.set->contains(p, 10 * s.tolerance));
    }
  }
}

TEST(Sets, the_residual_of_a_projection_is_normal_with_fenchel_equality) {
  for (const Sample& s : samples()) {
    SCOPED_TRACE(s.name);
    Random random(2);
    for (int k = 0; k < 400; ++k) {
      const Vec x = random.vector(s.set->dimension(), 10);
      const Vec p = s.set->project(x), d = x - p;
      if (d.norm() < 1e-9) continue;
      const Vec unit = d / d.norm();
      if (s.set->is_bounded()) {
        ASSERT_NEAR(s.set->support(unit), unit.dot(p), 30 * s.tolerance);
      }
      // The answer is in the face that its own residual exposes; 1e-7 forgives the rounding of a short residual.
      const SetPtr face = s.set->face(unit, 1e-7);
      ASSERT_FALSE(face->empty());
      ASSERT_LE(face->distance(p), 1e-5);
    }
  }
}

TEST(Sets, support_is_the_supremum_and_the_face_attains_it) {
  for (const Sample& s : samples()) {
    SCOPED_TRACE(s.name);
    Random random(3);
    const int n = s.set->dimension();
    for (int k = 0; k < 100; ++k) {
      const Vec d = random.vector(n, 1);
      const double h = s.set->support(d);
      for (int j = 0; j < 10; ++j) ASSERT_LE(d.dot(s.set->project(random.vector(n, 10))), h + 30 * s.tolerance);
      const SetPtr face = s.set->face(d);
      ASSERT_EQ(face->empty(), h == kInf);
      if (face->empty()) continue;
      const Vec y = face->project(random.vector(n, 10));
      ASSERT_NEAR(d.dot(y), h, 1e-13 * (1 + std::abs(h) + y.norm()));
      ASSERT_LE(s.set->distance(y), 30 * s.tolerance);
      ASSERT_NEAR(s.set->support(3 * d), 3 * h, 1e-13 * (1 + std::abs(h)));
    }
    EXPECT_NEAR(s.set->face(Vec::Zero(n))->distance(Vec::Ones(n)), s.set->distance(Vec::Ones(n)), 1e-13);
  }
}

TEST(Sets, the_empty_set_says_so) {
  const SetPtr none = make_interval(1, 0);
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(none->support(vec(1)), -kInf);
  EXPECT_EQ(none->distance(vec(1)), kInf);
  EXPECT_FALSE(none->contains(vec(0), 1e300));
  EXPECT_TRUE(make_sum(none, make_interval(0, 1))->empty());
  EXPECT_TRUE(make_product(none, make_interval(0, 1))->empty());
  EXPECT_TRUE(make_interval(0, kInf)->face(vec(1))->empty());
}

TEST(Sets, alternating_answers_are_unique_even_if_the_summands_are_not) {
  // Two parallel segments: the sum is one segment of length 5 on the diagonal.
  const SetPtr a = make_segment(vec(0, 0), vec(3, 4), 0, 2), b = make_segment(vec(0, 0), vec(3, 4), 0, 3);
  const Vec p = make_sum(a, b)->project(vec(4, 3));
  EXPECT_NEAR(p[0], .6 * 4.8, 1e-14);
  EXPECT_NEAR(p[1], .8 * 4.8, 1e-14);
}

// Φ by brute force: mean of |v + ω × r| over the disc, exact in the angle by many points.
TEST(Contensou, the_support_function_is_the_mean_sliding_speed) {
  const double load = 2, radius = .7;
  const SetPtr set = make_contensou(load, radius);
  const auto mean = [&](double v, double w) {
    // Substituting r = R s², s ∈ (0, 1), Gauss-like: composite Simpson in s, trapezoid in the angle (periodic).
    const int n = 400, m = 600;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
      const double r = radius * i / n;
      double ring = 0;
      for (int j = 0; j < m; ++j) {
        const double t = 2 * std::numbers::pi * (j + .5) / m;
        ring += std::hypot(v - w * r * std::sin(t), w * r * std::cos(t));
      }
      sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * r * ring / m;
    }
    return load * sum / (3 * n) * radius * 2 / (radius * radius);
  };
  // Smooth integrands are exact to rounding; where the centre of rotation lies in the disc the kink costs digits.
  EXPECT_NEAR(set->support(vec(3, 4, 1)), mean(5, 1), 1e-12);
  EXPECT_NEAR(set->support(vec(3, -4, -6)), mean(5, 6), 1e-11);
  EXPECT_NEAR(set->support(vec(.3, .4, 2)), mean(.5, 2), 1e-6);
  EXPECT_NEAR(set->support(vec(3, 4, 0)), load * 5, 1e-14);
  EXPECT_NEAR(set->support(vec(0, 0, 3)), load * radius * 3 * 2 / 3, 1e-14);
  EXPECT_NEAR(set->support(vec(radius, 0, 1)), load * radius * 32 / (9 * std::numbers::pi), 1e-14);
}

// With the instantaneous centre inside, at k radii from the middle, the mean distance is (1/3π)∫ρ³dθ over the rays to
// the rim, ρ = √(1 − k² sin²θ) − k cos θ: smooth and periodic, so that the trapezoid is exact to rounding.
TEST(Contensou, with_the_centre_of_rotation_inside_the_disc_it_is_exact_too) {
  const SetPtr set = make_contensou(1, 1);
  for (double k : {0., 1e-3, .1, .5, .9, .97}) {
    const int n = 4000;
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      const double t = 2 * std::numbers::pi * j / n;
      sum += std::pow(std::sqrt(1 - std::pow(k * std::sin(t), 2)) - k * std::cos(t), 3);
    }
    EXPECT_NEAR(set->support(vec(k, 0, 1)), sum * 2 / (3. * n), 1e-13);
  }
}

TEST(Contensou, the_face_is_the_gradient_and_meets_euler) {
  const SetPtr set = make_contensou(2, .7);
  Random random(4);
  for (int k = 0; k < 2000; ++k) {
    Vec d = random.vector(3, 1);
    if (k % 2) d.head(2) *= std::pow(10, random.uniform(-8, 0));
    if (k % 3 == 0) d[2] *= std::pow(10, random.uniform(-8, 0));
    const Vec y = set->face(d)->least();
    ASSERT_NEAR(y.dot(d), set->support(d), 1e-14 * (1 + d.norm()));
    for (int i = 0; i < 3; ++i) {
      Vec e = Vec::Zero(3);
      e[i] = 1e-6 * d.norm();
      const double slope = (set->support(d + e) - set->support(d - e)) / (2 * e[i]);
      ASSERT_NEAR(slope, y[i], 1e-5 * (1 + 1e-2 / d.norm()));  // rounding 1e-16/1e-6 and curvature over the step
    }
  }
}

TEST(Contensou, slopes_are_continuous_across_the_rim_and_small_where_the_motion_is_pure) {
  const SetPtr set = make_contensou(1, 1);
  const Vec inside = set->face(vec(1 - 1e-12, 0, 1))->least(), outside = set->face(vec(1 + 1e-12, 0, 1))->least();
  EXPECT_LE((inside - outside).norm(), 1e-10);
  EXPECT_NEAR(inside[0], 8 / (3 * std::numbers::pi), 1e-10);
  EXPECT_NEAR(inside[2], 8 / (9 * std::numbers::pi), 1e-10);
  // Φ = b(2/3 + k²/2 + …) for k = a/b → 0 and Φ = a(1 + k²/8 + …) for k = b/a → 0.
  EXPECT_NEAR(set->face(vec(1e-7, 0, 1))->least()[0], 1e-7, 1e-20);
  EXPECT_NEAR(set->face(vec(1, 0, 1e-7))->least()[2], .25e-7, 1e-20);
}
