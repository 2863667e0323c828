// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every registered shape promises:
//   support    s(d) is in the set and d·s(d) >= d·x for x in the set; it depends on the direction only
//   moments    those of points drawn at random from the set
//   bound      the set is within radius_bound of the origin
// Membership is decided by the support function alone: x is in a convex set exactly if d·x <= d·s(d) for all d. For
// bodies of revolution and polytopes the directions that matter are few, so the sampled set is a little larger than the
// true one; the tolerance of the moments allows for it.
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/mesh.hpp"
#include "vinculum/shapes/shape.hpp"

#include <gtest/gtest.h>
#include <random>

using namespace vinculum;
using namespace vinculum::shapes;

namespace {

std::mt19937_64 engine{7};
double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
Vec3 direction() {
  std::normal_distribution<double> normal;
  return Vec3(normal(engine), normal(engine), normal(engine)).normalized();
}

/// Values for the keys of a type, drawn at random.
ShapeValues random_values(const ShapeType& type) {
  ShapeValues values;
  for (const ShapeKey& key : type.keys) {
    if (key.type == ShapeKey::Type::length) values.lengths.push_back(uniform(0.3, 1.5));
    if (key.type == ShapeKey::Type::vector)
      values.vectors.emplace_back(uniform(0.3, 1.5), uniform(0.3, 1.5), uniform(0.3, 1.5));
    if (key.type == ShapeKey::Type::rectangle) values.vectors.emplace_back(uniform(0.3, 1.5), uniform(0.3, 1.5), 0);
    if (key.type == ShapeKey::Type::heights) values.heights = {{0, uniform(0, 1)}, {uniform(0, 1), 0}};
    if (key.type == ShapeKey::Type::triangles) {  // a convex one: an octahedron about the centre
      const Vec3 centre(0.3, -0.2, 0.1);
      values.points.clear();
      for (int k = 0; k < 6; ++k)
        values.points.push_back(centre + (k % 2 ? -1 : 1) * uniform(0.4, 1) * Vec3::Unit(k / 2));
      for (int k = 0; k < 8; ++k) {
        const int x = k & 1, y = 2 + (k >> 1 & 1), z = 4 + (k >> 2 & 1);
        const bool odd = (x + y + z) % 2 == 1;
        values.triangles.push_back({x, odd ? z : y, odd ? y : z});
      }
    }
    if (key.type == ShapeKey::Type::points) {
      const Vec3 centre(0.3, -0.2, 0.1);
      for (int k = 0; k < 14; ++k) values.points.push_back(centre + uniform(0.4, 1) * direction());
    }
  }
  return values;
}

bool inside(const Shape& shape, const Vec3& x, const std::vector<Vec3>& directions, const std::vector<double>& reach) {
  for (std::size_t k = 0; k < directions.size(); ++k) {
    if (directions[k].dot(x) > reach[k]) return false;
  }
  return shape.kind != Kind::plane;
}

std::vector<Vec3> directions_for(const Shape& shape) {
  std::vector<Vec3> result;
  for (int k = 0; k < 3; ++k) {
    result.push_back(Vec3::Unit(k));
    result.push_back(-Vec3::Unit(k));
  }
  for (int k = 0; k < 400; ++k) result.push_back(direction());
  for (int k = 0; k < 200; ++k) result.push_back(Vec3(direction().x(), direction().y(), 0).normalized());
  if (shape.polytope) {
    for (const auto& face : shape.polytope->faces) result.push_back(face.normal);
  }
  if (shape.mesh) {
    for (const auto& facet : shape.mesh->facets) result.push_back(facet.normal);
  }
  return result;
}

}  // namespace

TEST(ShapeContract, the_registry_names_every_kind_in_order) {
  ASSERT_EQ(shape_types().size(), 8u);
  for (std::size_t k = 0; k < shape_types().size(); ++k) {
    EXPECT_EQ(&type_of(static_cast<Kind>(k)), &shape_types()[k]);
    EXPECT_EQ(find_shape_type(shape_types()[k].name), &shape_types()[k]);
    EXPECT_FALSE(shape_types()[k].text.empty());
    EXPECT_EQ(shape_types()[k].make(random_values(shape_types()[k])).kind, static_cast<Kind>(k));
  }
  EXPECT_EQ(find_shape_type("teapot"), nullptr);
}

TEST(ShapeContract, the_support_function_is_one) {
  for (const ShapeType& type : shape_types()) {
    if (!type.bounded) continue;
    for (int trial = 0; trial < 20; ++trial) {
      const Shape shape = type.make(random_values(type));
      for (int k = 0; k < 100; ++k) {
        const Vec3 d = direction(), s = support(shape, d);
        EXPECT_EQ(s, support(shape, d)) << type.name;
        EXPECT_NEAR(d.dot(support(shape, 1e6 * d)), d.dot(s), 1e-14) << type.name;
        for (int m = 0; m < 30; ++m) EXPECT_GE(d.dot(s), d.dot(support(shape, direction())) - 1e-14) << type.name;
        EXPECT_LE(s.norm(), type.radius_bound(shape) * (1 + 1e-15)) << type.name;
      }
      EXPECT_TRUE(support(shape, Vec3::Zero()).allFinite()) << type.name;
    }
  }
}

TEST(ShapeContract, moments_are_those_of_random_points) {
  for (const ShapeType& type : shape_types()) {
    if (!type.bounded) continue;
    const Shape shape = type.make(random_values(type));
    const VolumeMoments exact = type.moments(shape);
    const std::vector<Vec3> directions = directions_for(shape);
    std::vector<double> reach;
    for (const Vec3& d : directions) reach.push_back(d.dot(support(shape, d)));
    const Vec3 low(-reach[1], -reach[3], -reach[5]), high(reach[0], reach[2], reach[4]);
    constexpr int count = 200000;
    std::vector<Vec3> points;
    for (int k = 0; k < count; ++k) {
      const Vec3 x(uniform(low.x(), high.x()), uniform(low.y(), high.y()), uniform(low.z(), high.z()));
      if (inside(shape, x, directions, reach)) points.push_back(x);
    }
    const double cell = (high - low).prod() / count;
    Vec3 mean = Vec3::Zero();
    for (const Vec3& x : points) mean += x / static_cast<double>(points.size());
    Mat3 inertia = Mat3::Zero();
    for (const Vec3& x : points) {
      const Vec3 r = x - mean;
      inertia += cell * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    // Monte Carlo: 1/√count = 0.2 %. The set cut out by N = 600 random directions is larger than a ball: the mean
    // squared angle to the nearest direction is about 4/N, so the excess of volume is 3/2 · 4/N = 1 %, twice that at
    // worst.
    const double volume = cell * static_cast<double>(points.size());
    EXPECT_NEAR(volume / exact.volume, 1, 0.02) << type.name;
    EXPECT_LE((mean - exact.centroid).norm(), 0.01 * type.radius_bound(shape)) << type.name;
    EXPECT_LE((inertia - exact.inertia).norm(), 0.03 * exact.inertia.norm()) << type.name;
  }
}
