// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass properties against closed forms.
#include "model/support.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace vinculum::model {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

Body read_body(const std::string& rest) { return parse_scene("[[body]]\nname = \"x\"\n" + rest, "t.toml").bodies[0]; }

void expect_near(const Mat3& a, const Mat3& b) {
  EXPECT_LT((a - b).norm(), 16 * eps * b.norm()) << a;  // a dozen roundings
}

TEST(Mass, a_box_of_given_mass_has_inertia_m_over_12_times_the_squares) {
  const double a = 0.2, b = 0.3, c = 0.7, m = 5;
  const Body body = read_body("mass = 5\nshape = { type = \"box\", size = [0.2, 0.3, 0.7] }\n");
  EXPECT_EQ(body.mass, m);
  EXPECT_EQ(body.com, Vec3::Zero());
  expect_near(body.inertia, (m / 12 * Vec3(b * b + c * c, a * a + c * c, a * a + b * b)).asDiagonal().toDenseMatrix());
}

TEST(Mass, density_gives_the_mass_of_a_sphere) {
  const Body body = read_body("density = 3\nshape = { type = \"sphere\", radius = 0.5 }\n");
  const double m = 3 * 4 * std::numbers::pi / 3 * 0.125;
  EXPECT_NEAR(body.mass, m, 4 * eps * m);
  expect_near(body.inertia, 0.4 * m * 0.25 * Mat3::Identity());
}

// Two balls of mass m1, m2 at distance d along x: reduced mass m1 m2 / (m1 + m2) times d² adds to the axes across.
TEST(Mass, a_compound_of_two_spheres_follows_steiner) {
  const Model model = parse_scene(
      "[[body]]\nname = \"x\"\n"
      "[[shape]]\nbody = \"x\"\ntype = \"sphere\"\nradius = 1\nposition = [1, 0, 0]\ndensity = 1\n"
      "[[shape]]\nbody = \"x\"\ntype = \"sphere\"\nradius = 2\nposition = [5, 0, 0]\ndensity = 0.5\n",
      "t.toml");
  const Body& body = model.bodies[0];
  const double m1 = 4 * std::numbers::pi / 3, m2 = 0.5 * 8 * m1, m = m1 + m2, d = 4;
  EXPECT_NEAR(body.mass, m, 8 * eps * m);
  EXPECT_LT((body.com - Vec3((m1 * 1 + m2 * 5) / m, 0, 0)).norm(), 8 * eps * 5);
  const double own = 0.4 * (m1 * 1 + m2 * 4), across = own + m1 * m2 / m * d * d;
  expect_near(body.inertia, Vec3(own, across, across).asDiagonal().toDenseMatrix());
}

TEST(Mass, a_turned_piece_turns_its_inertia) {
  const Body body = read_body(
      "mass = 12\nshape = { type = \"box\", size = [1, 2, 3], rotation = { axis = [0, 0, 1], degrees = 90 } }\n");
  expect_near(body.inertia, Vec3(1 + 9, 4 + 9, 4 + 1).asDiagonal().toDenseMatrix());
}

TEST(Mass, a_given_mass_rescales_pieces_of_known_density) {
  const std::string pieces =
      "[[shape]]\nbody = \"x\"\ntype = \"box\"\nsize = [1, 1, 1]\nposition = [-1, 0, 0]\ndensity = 1\n"
      "[[shape]]\nbody = \"x\"\ntype = \"box\"\nsize = [1, 1, 1]\nposition = [1, 0, 0]\ndensity = 3\n";
  const Body free = read_body(pieces), scaled = read_body("mass = 8\n" + pieces);
  EXPECT_DOUBLE_EQ(free.mass, 4);
  EXPECT_EQ(scaled.mass, 8);
  EXPECT_DOUBLE_EQ(scaled.com.x(), 0.5);
  expect_near(scaled.inertia, 2 * free.inertia);
}

TEST(Mass, the_nearest_density_wins) {
  const std::string head = "[[material]]\nname = \"m\"\ndensity = 2\n[[body]]\nname = \"x\"\nmaterial = \"m\"\n";
  const std::string cube = "shape = { type = \"box\", size = [1, 1, 1]";
  const auto mass = [&](const std::string& rest) { return parse_scene(head + rest, "t.toml").bodies[0].mass; };
  EXPECT_DOUBLE_EQ(mass(cube + " }\n"), 2);
  EXPECT_DOUBLE_EQ(mass("density = 3\n" + cube + " }\n"), 3);
  EXPECT_DOUBLE_EQ(mass("density = 3\n" + cube + ", density = 4 }\n"), 4);
  EXPECT_DOUBLE_EQ(mass("mass = 5\n" + cube + " }\n"), 5);
}

TEST(Mass, given_mass_inertia_and_centre_are_taken_as_they_are) {
  const Body body = read_body("mass = 2\ninertia = [2, 3, 4, 0.1, 0.2, 0.3]\ncom = [1, 2, 3]\n");
  Mat3 expected;
  expected << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4;
  EXPECT_EQ(body.inertia, expected);
  EXPECT_EQ(body.com, Vec3(1, 2, 3));
}

TEST(Mass, plates_and_rods_on_the_boundary_of_the_triangle_inequality_are_legal) {
  EXPECT_EQ(read_body("mass = 1\ninertia = [1, 1, 2]\n").inertia(2, 2), 2);
  EXPECT_EQ(read_body("mass = 1\ninertia = [0.1, 0.2, 0.3]\n").inertia(2, 2), 0.3);
  EXPECT_EQ(read_body("mass = 1\ninertia = [1, 1, 1e-9]\n").inertia(2, 2), 1e-9);
  // a plate turned by 30° about x: same principal moments, off-diagonal entries
  EXPECT_EQ(read_body("mass = 1\ninertia = [1, 1.25, 1.75, 0, 0, -0.4330127018922193]\n").inertia(1, 1), 1.25);
}

TEST(Mass, a_particle_has_mass_only) {
  const Body body = read_body("mass = 2\nparticle = true\nshape = { type = \"sphere\", radius = 1 }\n");
  EXPECT_TRUE(body.particle);
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.inertia, Mat3::Zero());
}

}  // namespace
}  // namespace vinculum::model
