// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Spatial inertia from atoms, shapes, densities and meshes; rank; physicality; bad input.
#include "vinculum/screw/inertia.hpp"

#include "support/random_tree.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/polytope.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace vinculum::test {
namespace {

using namespace screw;

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

double distance(const Inertia& a, const Inertia& b) { return (a.matrix() - b.matrix()).norm(); }

// The block of half sizes (1, 2, 3)/2 about (0.3, 0.1, −0.2), density 2, in four ways: m = 12, J_xx = m (4 + 9)/12
// = 13.
const Vec3 block_half(0.5, 1, 1.5), block_centre(0.3, 0.1, -0.2);
Inertia block_by_hand() { return {12, block_centre, Vec3(13, 10, 5).asDiagonal()}; }

TEST(Inertia, of_a_block_is_the_closed_form_on_every_route) {
  const Inertia exact = block_by_hand();
  const shapes::Shape shape = shapes::find_shape_type("box")->make({{}, {2 * block_half}, {}});
  EXPECT_LT(distance(outward(Pose{block_centre, Quat::Identity()}, inertia_of_shape(shape, 2)), exact), 1e-13);
  const Inertia cells =
      inertia_of_density(block_centre - block_half, block_centre + block_half, 2, [](const Vec3&) { return 2; });
  EXPECT_LT(distance(cells, exact), 1e-12);
  std::vector<Vec3> vertices;
  for (const Vec3& x : shape.polytope->vertices) vertices.push_back(x + block_centre);
  std::vector<std::array<int, 3>> triangles;
  for (const auto& face : shape.polytope->faces) {
    for (std::size_t k = 1; k + 1 < face.loop.size(); ++k)
      triangles.push_back({face.loop[0], face.loop[k], face.loop[k + 1]});
  }
  EXPECT_LT(distance(inertia_of_mesh(vertices, triangles, 2), exact), 1e-12);
  EXPECT_EQ(exact.rank(), 6);
  EXPECT_EQ(exact.fault(), std::nullopt);
}

TEST(Inertia, of_a_density_that_varies_is_its_integral) {
  // ρ = 1 + x on the unit cube: m = 3/2, c_x = (1/2 + 1/3)/m = 5/9, J_O,zz = ∫(x² + y²)ρ = (1/3 + 1/4) + (1/3)(3/2).
  const Inertia cube = inertia_of_density(Vec3::Zero(), Vec3::Ones(), 1, [](const Vec3& x) { return 1 + x.x(); });
  EXPECT_NEAR(cube.mass, 1.5, 1e-15);
  EXPECT_NEAR(cube.com.x(), 5. / 9, 1e-15);
  EXPECT_NEAR(cube.about_origin()(2, 2), 1. / 3 + 1. / 4 + 0.5, 1e-15);
}

TEST(Inertia, of_a_mesh_with_a_hole_is_the_difference_of_solids) {
  // A cube of side 2 with a cubic hole of side 1 inside: the inner surface is turned inside out.
  const auto cube = [](double half, int first, bool inside_out, std::vector<Vec3>& x,
                       std::vector<std::array<int, 3>>& t) {
    const auto block = shapes::make_block(Vec3::Constant(half));
    for (const Vec3& vertex : block->vertices) x.push_back(vertex);
    for (const auto& face : block->faces) {
      for (std::size_t k = 1; k + 1 < face.loop.size(); ++k) {
        std::array<int, 3> triangle{first + face.loop[0], first + face.loop[k], first + face.loop[k + 1]};
        if (inside_out) std::swap(triangle[1], triangle[2]);
        t.push_back(triangle);
      }
    }
  };
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  cube(1, 0, false, vertices, triangles);
  cube(0.5, 8, true, vertices, triangles);
  const Inertia hollow = inertia_of_mesh(vertices, triangles, 3);
  EXPECT_NEAR(hollow.mass, 3 * (8 - 1), 1e-13);
  EXPECT_NEAR(hollow.J_c(0, 0), 3 * (8 * 4. / 6 - 1. / 6), 1e-13);  // m s²/6 each
}

TEST(Inertia, sums_and_moves_are_those_of_the_atoms) {
  Random random(4);
  for (int k = 0; k < 50; ++k) {
    std::vector<Atom> all, parts[2];
    for (int n = 0; n < 9; ++n) {
      const Atom atom{random.uniform(0, 2), random.vector(3)};
      all.push_back(atom);
      parts[n % 2].push_back(atom);
    }
    const Inertia whole = inertia_of_atoms(all);
    EXPECT_LT(distance(inertia_of_atoms(parts[0]) + inertia_of_atoms(parts[1]), whole), 1e-12);
    const Pose X = random.pose(2);
    std::vector<Atom> moved = all;
    for (Atom& atom : moved) atom.x = X * atom.x;
    EXPECT_LT(distance(outward(X, whole), inertia_of_atoms(moved)), 1e-11);
    const Twist V{random.vector(), random.vector()};
    Wrench momentum;
    double energy = 0;
    for (const Atom& atom : all) {
      const Vec3 v = V.v + V.w.cross(atom.x);
      momentum += {atom.mass * v, atom.mass * atom.x.cross(v)};
      energy += 0.5 * atom.mass * v.squaredNorm();
    }
    EXPECT_LT((whole * V - momentum).vector().norm(), 1e-12 * (1 + momentum.vector().norm()));
    EXPECT_NEAR(whole.kinetic_energy(V), energy, 1e-12 * (1 + energy));
    EXPECT_EQ(whole.fault(), std::nullopt);
  }
}

TEST(Inertia, what_no_matter_has_is_named) {
  const auto fault = [](double mass, const Vec3& J) { return Inertia{mass, Vec3::Zero(), J.asDiagonal()}.fault(); };
  EXPECT_EQ(fault(1, {1, 1, 2}), std::nullopt);  // a plate: equality
  EXPECT_NE(fault(1, {1, 1, 2.1})->find("at most the sum"), std::string::npos);
  EXPECT_NE(fault(1, {-1, 1, 1})->find("principal inertia -1"), std::string::npos);
  EXPECT_NE(fault(-1, {1, 1, 1})->find("mass -1"), std::string::npos);
  EXPECT_NE(fault(0, {1, 1, 1})->find("without mass"), std::string::npos);
  EXPECT_NE(fault(std::numeric_limits<double>::quiet_NaN(), {1, 1, 1})->find("not finite"), std::string::npos);
  Inertia skewed{1, Vec3::Zero(), Mat3::Identity()};
  skewed.J_c(0, 1) = 0.3;
  EXPECT_NE(skewed.fault()->find("symmetric"), std::string::npos);
}

TEST(Inertia, open_and_inverted_meshes_are_refused) {
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<std::array<int, 3>> t{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  EXPECT_NEAR(inertia_of_mesh(x, t, 6).mass, 1, 1e-15);
  const std::vector<std::array<int, 3>> open(t.begin(), t.begin() + 3);
  EXPECT_NE(message_of([&] { inertia_of_mesh(x, open, 1); }).find("open"), std::string::npos);
  for (auto& triangle : t) std::swap(triangle[0], triangle[1]);
  EXPECT_NE(message_of([&] { inertia_of_mesh(x, t, 1); }).find("expected a positive one"), std::string::npos);
  t[0][0] = 9;
  EXPECT_NE(message_of([&] { inertia_of_mesh(x, t, 1); }).find("found vertex 9"), std::string::npos);
  EXPECT_NE(message_of([&] { inertia_of_mesh(x, t, -1); }).find("density: found -1"), std::string::npos);
  EXPECT_NE(message_of([&] { inertia_of_shape(shapes::find_shape_type("plane")->make({}), 1); }).find("bounded"),
            std::string::npos);
}

}  // namespace
}  // namespace vinculum::test
