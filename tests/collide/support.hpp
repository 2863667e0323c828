// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers of the collision tests: shapes, random poses, and the oracle
//   signed distance = max over unit n of ( min_B n·x − max_A n·x ),
// by a search over directions that knows nothing of features.
#pragma once

#include "vinculum/collide/contact_set.hpp"
#include "vinculum/shapes/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace vinculum::test {

using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;
using collide::Contact;
using shapes::Kind;
using shapes::Shape;

inline Shape make(const char* name, std::vector<double> lengths, std::vector<Vec3> vectors = {},
                  std::vector<Vec3> points = {}) {
  return shapes::find_shape_type(name)->make({std::move(lengths), std::move(vectors), std::move(points)});
}
inline Shape sphere(double r) { return make("sphere", {r}); }
inline Shape box(double x, double y, double z) { return make("box", {}, {Vec3(x, y, z)}); }
inline Shape capsule(double r, double l) { return make("capsule", {r, l}); }
inline Shape cylinder(double r, double l) { return make("cylinder", {r, l}); }
inline Shape plane() { return make("plane", {}); }
inline Shape hull(std::vector<Vec3> points) { return make("hull", {}, {}, std::move(points)); }

inline std::vector<Vec3> octahedron(double s) {
  return {{s, 0, 0}, {-s, 0, 0}, {0, s, 0}, {0, -s, 0}, {0, 0, s}, {0, 0, -s}};
}

struct Random {
  std::mt19937_64 engine{20240611};
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  // One draw per statement: compilers differ in the order in which they evaluate arguments.
  Vec3 vector(double s) {
    Vec3 x;
    for (int k = 2; k >= 0; --k) x[k] = uniform(-s, s);
    return x;
  }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    Vec3 x;
    for (int k = 2; k >= 0; --k) x[k] = normal(engine);
    return x.normalized();
  }
  Quat rotation() {
    std::normal_distribution<double> normal;
    Quat R;
    for (const int k : {2, 1, 0, 3}) R.coeffs()[k] = normal(engine);
    return R.normalized();
  }
};

inline std::vector<Shape> bounded_shapes() {
  Random random;
  std::vector<Vec3> cloud;
  for (int k = 0; k < 12; ++k) cloud.push_back(0.6 * random.direction());
  return {sphere(0.4), box(0.9, 0.7, 0.5), capsule(0.25, 0.8), cylinder(0.4, 0.7), hull(octahedron(0.5)), hull(cloud)};
}

/// Separation of placed shapes along a unit direction. A plane b separates only along its own normal.
inline double separation(const Shape& a, const Pose& X_A, const Shape& b, const Pose& X_B, const Vec3& n) {
  const Vec3 p_a = X_A.R * shapes::support(a, X_A.R.conjugate() * n);
  const Vec3 p_b = X_B.R * shapes::support(b, X_B.R.conjugate() * -n);
  return n.dot((X_B.p - X_A.p) + p_b - p_a);
}

/// The oracle: a grid of directions, then the best few refined by shrinking random steps.
inline double signed_distance(const Shape& a, const Pose& X_A, const Shape& b, const Pose& X_B, Random& random) {
  if (b.kind == Kind::plane) {
    const Vec3 n = -(X_B.R * Vec3::UnitZ());
    const Vec3 p_a = X_A * shapes::support(a, X_A.R.conjugate() * n);
    return n.dot(X_B.p - p_a);
  }
  constexpr int count = 4000;
  std::vector<std::pair<double, Vec3>> tried;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count, phi = k * std::numbers::pi * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    const Vec3 n(r * std::cos(phi), r * std::sin(phi), z);
    tried.emplace_back(separation(a, X_A, b, X_B, n), n);
  }
  std::partial_sort(tried.begin(), tried.begin() + 30, tried.end(), [](auto& x, auto& y) { return x.first > y.first; });
  double best = -1e300;
  for (int k = 0; k < 30; ++k) {
    auto [value, n] = tried[static_cast<std::size_t>(k)];
    if (value < best - 0.05) break;
    for (double step = 0.05; step > 1e-9;) {
      bool better = false;
      for (int trial = 0; trial < 24; ++trial) {
        const Vec3 m = (n + step * random.direction()).normalized();
        const double s = separation(a, X_A, b, X_B, m);
        if (s > value) {
          value = s;
          n = m;
          better = true;
        }
      }
      if (!better) step *= 0.6;
    }
    best = std::max(best, value);
  }
  return best;
}

inline double lowest_gap(const std::vector<Contact>& contacts) {
  double low = 1e300;
  for (const Contact& contact : contacts) low = std::min(low, contact.at.gap);
  return low;
}

}  // namespace vinculum::test
