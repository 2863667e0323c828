// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/shapes/polytope.hpp"

#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>
#include <numbers>
#include <random>

using namespace vinculum;
using namespace vinculum::shapes;

namespace {

std::vector<Vec3> cube_grid(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k) points.emplace_back(i * 1.0 / n, j * 1.0 / n, k * 1.0 / n);
  return points;
}

/// Euler, loops counter-clockwise and in their planes, all vertices below all faces, each edge between two faces.
void check(const Polytope& p) {
  EXPECT_EQ(static_cast<int>(p.vertices.size()) - static_cast<int>(p.edges.size()) + static_cast<int>(p.faces.size()),
            2);
  EXPECT_EQ(p.edges.size(), p.edge_faces.size());
  for (const auto& face : p.faces) {
    EXPECT_NEAR(face.normal.norm(), 1, 1e-14);
    for (const Vec3& x : p.vertices) EXPECT_LE(face.normal.dot(x), face.offset + 1e-14);
    ASSERT_GE(face.loop.size(), 3u);
    ASSERT_EQ(face.loop_edges.size(), face.loop.size());
    for (std::size_t k = 0; k < face.loop.size(); ++k) {
      const int i = face.loop[k], j = face.loop[(k + 1) % face.loop.size()], m = face.loop[(k + 2) % face.loop.size()];
      EXPECT_NEAR(face.normal.dot(p.vertices[i]), face.offset, 1e-6);
      EXPECT_GT((p.vertices[j] - p.vertices[i]).cross(p.vertices[m] - p.vertices[j]).dot(face.normal), 0);
      const auto& edge = p.edges[face.loop_edges[k]];
      EXPECT_EQ(std::min(i, j), edge[0]);
      EXPECT_EQ(std::max(i, j), edge[1]);
    }
  }
  for (std::size_t k = 0; k < p.edges.size(); ++k) {
    EXPECT_NE(p.edge_faces[k][0], p.edge_faces[k][1]);
    for (int f : p.edge_faces[k]) {
      const auto& loop_edges = p.faces[f].loop_edges;
      EXPECT_NE(std::find(loop_edges.begin(), loop_edges.end(), static_cast<int>(k)), loop_edges.end());
    }
  }
}

std::string message(const std::vector<Vec3>& points) {
  try {
    make_hull(points);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Polytope, a_block_has_six_faces_with_outward_normals) {
  const auto block = make_block(Vec3(1, 2, 3));
  check(*block);
  EXPECT_EQ(block->faces.size(), 6u);
  EXPECT_EQ(block->edges.size(), 12u);
}

TEST(Polytope, the_hull_of_a_grid_of_points_is_a_cube_with_six_square_faces) {
  const auto hull = make_hull(cube_grid(4));
  check(*hull);
  EXPECT_EQ(hull->vertices.size(), 8u);
  EXPECT_EQ(hull->faces.size(), 6u);
  for (const auto& face : hull->faces) EXPECT_EQ(face.loop.size(), 4u);
}

TEST(Polytope, a_turned_cube_keeps_its_square_faces) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    const algebra::Quat R = algebra::Quat(normal(engine), normal(engine), normal(engine), normal(engine)).normalized();
    std::vector<Vec3> points;
    for (const Vec3& x : cube_grid(2)) points.push_back(R * x + Vec3(10, 20, 30));
    const auto hull = make_hull(points);
    check(*hull);
    EXPECT_EQ(hull->faces.size(), 6u);
    EXPECT_EQ(hull->vertices.size(), 8u);
    EXPECT_NEAR(polytope_moments(*hull).volume, 1, 1e-13);
  }
}

TEST(Polytope, a_dodecahedron_written_with_nine_digits_has_twelve_pentagons) {
  const double phi = std::numbers::phi;
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.emplace_back(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
  for (int k = 0; k < 4; ++k) {
    const double a = (k & 1 ? 1 : -1) / phi, b = (k & 2 ? 1 : -1) * phi;
    points.emplace_back(0, a, b);
    points.emplace_back(a, b, 0);
    points.emplace_back(b, 0, a);
  }
  for (Vec3& x : points) x = (x * 1e9).array().round() / 1e9;
  const auto hull = make_hull(points);
  check(*hull);
  EXPECT_EQ(hull->faces.size(), 12u);
  EXPECT_EQ(hull->edges.size(), 30u);
}

TEST(Polytope, moments_of_a_block_are_the_closed_form) {
  const Shape block = find_shape_type("box")->make({{}, {Vec3(1, 2, 3)}, {}});
  const VolumeMoments exact = type_of(Kind::box).moments(block), sum = polytope_moments(*block.polytope);
  EXPECT_NEAR(exact.volume, 6, 1e-15);
  EXPECT_NEAR(exact.inertia(0, 0), 6 * (4 + 9) / 12.0, 1e-14);
  EXPECT_NEAR(sum.volume, exact.volume, 1e-14);
  EXPECT_LE((sum.inertia - exact.inertia).norm(), 1e-13);
}

TEST(Polytope, moments_of_a_tetrahedron_do_not_depend_on_where_it_is) {
  // regular corner of the unit cube: V = 1/6, centroid 1/4, I_xx = 2 · 3/80 · V · ... by ∫ x² = 1/60, ∫ xy = 1/120
  const std::vector<Vec3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double V = 1.0 / 6, second = 1.0 / 60 - V / 16, mixed = 1.0 / 120 - V / 16;
  for (const Vec3& shift : {Vec3(0, 0, 0), Vec3(100, -50, 25)}) {
    std::vector<Vec3> points;
    for (const Vec3& x : corner) points.push_back(x + shift);
    const VolumeMoments moments = polytope_moments(*make_hull(points));
    EXPECT_NEAR(moments.volume, V, 1e-15);
    EXPECT_LE((moments.centroid - shift - Vec3::Constant(0.25)).norm(), 2e-14);
    EXPECT_NEAR(moments.inertia(0, 0), 2 * second, 1e-15);
    EXPECT_NEAR(moments.inertia(0, 1), -mixed, 1e-15);
  }
}

TEST(Polytope, points_that_span_no_solid_are_refused_in_one_line) {
  EXPECT_EQ(message({}), "found 0 points, expected points that span a solid");
  EXPECT_EQ(message({Vec3::Zero()}), "found 1 point, expected points that span a solid");
  EXPECT_EQ(message(std::vector<Vec3>(9, Vec3(1, 2, 3))),
            "found points that coincide, expected points that span a solid");
  EXPECT_EQ(message({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}),
            "found points on one line, expected points that span a solid");
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 4, 0}}),
            "found points in one plane, expected points that span a solid");
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}),
            "found point 3 that is not finite, expected points that span a solid");
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}),
            "found point 3 that is not finite, expected points that span a solid");
}

TEST(Polytope, hulls_of_random_clouds_are_closed) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  for (int count : {4, 5, 8, 20, 100, 1000}) {
    for (double scale : {1e-6, 1.0, 1e6}) {
      std::vector<Vec3> points;
      for (int k = 0; k < count; ++k) points.push_back(scale * Vec3(normal(engine), normal(engine), normal(engine)));
      const auto hull = make_hull(points);
      EXPECT_EQ(static_cast<int>(hull->vertices.size()) - static_cast<int>(hull->edges.size()) +
                    static_cast<int>(hull->faces.size()),
                2);
      for (const auto& face : hull->faces)
        for (const Vec3& x : points) EXPECT_LE(face.normal.dot(x), face.offset + 1e-6 * scale * 10);
    }
  }
}
