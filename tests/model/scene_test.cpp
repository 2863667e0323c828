// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scene means when nothing is wrong with it: defaults, references, placements, copies.
#include "model/support.hpp"

#include <cmath>
#include <fstream>
#include <limits>

namespace vinculum::model {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

Model read(const std::string& text) { return parse_scene(text, "folder/t.toml"); }

TEST(Scene, omitted_keys_have_their_documented_defaults) {
  const Model model = read(ball);
  EXPECT_EQ(model.name, "t");
  EXPECT_EQ(model.file, "folder/t.toml");
  EXPECT_EQ(model.text, ball);
  EXPECT_EQ(model.gravity, Vec3(0, 0, -9.81));
  EXPECT_FALSE(model.allow_penetration);
  EXPECT_EQ(model.run.dt, 1e-3);
  EXPECT_EQ(model.run.until, 1);
  EXPECT_EQ(model.run.tol, 1e-8);
  EXPECT_EQ(model.run.integrator, "moreau");
  EXPECT_EQ(model.run.solver, "auto");
  EXPECT_EQ(model.run.solver_place.line, 0);
  EXPECT_EQ(model.run.threads, 0);
  EXPECT_EQ(model.run.record_every, 1);
  ASSERT_EQ(model.bodies.size(), 1u);
  EXPECT_EQ(model.bodies[0].X_WB.p, Vec3::Zero());
  EXPECT_EQ(model.bodies[0].X_WB.R.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(model.bodies[0].v_WB, Vec3::Zero());
  EXPECT_EQ(model.bodies[0].place.line, 1);
  ASSERT_EQ(model.shapes.size(), 1u);
  EXPECT_EQ(model.shapes[0].name, "ball");
  EXPECT_EQ(model.shapes[0].body, 0);
  EXPECT_EQ(model.shapes[0].material, 0);
}

TEST(Scene, what_the_run_and_scene_tables_say_is_taken) {
  const Model model = read(
      "[scene]\nname = \"n\"\ndescription = \"d\"\ngravity = [1, 2.5, -3]\nallow_penetration = true\n"
      "[run]\ndt = 2e-3\nuntil = 7\ntol = 1e-6\nintegrator = \"i\"\nsolver = \"s\"\nthreads = 2\n"
      "record_every = 5\n" +
      ball);
  EXPECT_EQ(model.name, "n");
  EXPECT_EQ(model.description, "d");
  EXPECT_EQ(model.gravity, Vec3(1, 2.5, -3));
  EXPECT_TRUE(model.allow_penetration);
  EXPECT_EQ(model.run.dt, 2e-3);
  EXPECT_EQ(model.run.until, 7);
  EXPECT_EQ(model.run.tol, 1e-6);
  EXPECT_EQ(model.run.integrator, "i");
  EXPECT_EQ(model.run.integrator_place.line, 10);
  EXPECT_EQ(model.run.solver, "s");
  EXPECT_EQ(model.run.threads, 2);
  EXPECT_EQ(model.run.record_every, 5);
}

TEST(Scene, without_contact_tables_every_pair_is_frictionless_and_plastic) {
  const Model model = read(ball);
  ASSERT_EQ(model.materials.size(), 1u);
  EXPECT_EQ(model.materials[0].name, "default");
  ASSERT_EQ(model.pairs.size(), 1u);
  EXPECT_EQ(model.pairs[0].mu, 0);
  EXPECT_EQ(model.pairs[0].e_N, 0);
  EXPECT_EQ(model.pairs[0].e_T, 0);
}

TEST(Scene, the_table_of_pairs_is_complete_and_symmetric) {
  const Model model = read(
      "[[material]]\nname = \"a\"\n[[material]]\nname = \"b\"\n"
      "[[contact]]\nmu = 0.1\ne_N = 0.2\ne_T = 0.3\n"
      "[[contact]]\nmaterials = [\"b\", \"a\"]\nmu = 0.5\n" +
      ball);
  ASSERT_EQ(model.materials.size(), 3u);
  ASSERT_EQ(model.pairs.size(), 6u);
  std::size_t i = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++i) {
      EXPECT_EQ(model.pairs[i].a, a);
      EXPECT_EQ(model.pairs[i].b, b);
      EXPECT_EQ(&model.pair(a, b), &model.pairs[i]);
      EXPECT_EQ(&model.pair(b, a), &model.pairs[i]);
      const bool given = a == 1 && b == 2;
      EXPECT_EQ(model.pairs[i].mu, given ? 0.5 : 0.1);
      EXPECT_EQ(model.pairs[i].e_N, given ? 0 : 0.2);
      EXPECT_EQ(model.pairs[i].e_T, given ? 0 : 0.3);
    }
  }
}

TEST(Scene, the_default_material_may_be_named_to_give_it_a_density) {
  const Model model = read(
      "[[material]]\nname = \"default\"\ndensity = 2\n"
      "[[body]]\nname = \"x\"\nshape = { type = \"box\", size = [1, 2, 3] }\n");
  EXPECT_EQ(model.materials.size(), 1u);
  EXPECT_DOUBLE_EQ(model.bodies[0].mass, 12);
}

TEST(Scene, a_shape_takes_the_material_of_its_body_unless_it_has_its_own) {
  const Model model = read("[[material]]\nname = \"a\"\n[[material]]\nname = \"b\"\n" + ball +
                           "material = \"a\"\n"
                           "[[shape]]\nbody = \"ball\"\ntype = \"sphere\"\nradius = 1\nmaterial = \"b\"\n"
                           "[[shape]]\nname = \"floor\"\ntype = \"plane\"\n"
                           "[[shape]]\nbody = \"world\"\ntype = \"plane\"\nmaterial = \"b\"\n");
  ASSERT_EQ(model.shapes.size(), 4u);
  EXPECT_EQ(model.shapes[0].material, 1);
  EXPECT_EQ(model.shapes[1].material, 2);
  EXPECT_EQ(model.shapes[1].name, "shape[0]");
  EXPECT_EQ(model.shapes[2].material, 0);
  EXPECT_EQ(model.shapes[2].body, world);
  EXPECT_EQ(model.shapes[2].name, "floor");
  EXPECT_EQ(model.shapes[3].body, world);
}

TEST(Scene, orientations_are_unit_and_mean_what_they_say) {
  const Model model = read(
      "[[body]]\nname = \"a\"\nmass = 1\nparticle = true\n"
      "rotation = { axis = [0, 0, 2], degrees = 90 }\n"
      "[[body]]\nname = \"b\"\nmass = 1\nparticle = true\n"
      "rotation = { axis = [1, 0, 0], radians = 0.5 }\n"
      "[[body]]\nname = \"c\"\nmass = 1\nparticle = true\n"
      "quaternion = [0.7071068, 0, 0.7071068, 0]\n"
      "[[body]]\nname = \"d\"\nmass = 1\nparticle = true\n"
      "rotation = { axis = [0, 1, 0], degrees = -540 }\n");
  // Products of a few roundings of numbers of size 1.
  EXPECT_LT((model.bodies[0].X_WB.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 4 * eps);
  EXPECT_LT((model.bodies[1].X_WB.R * Vec3::UnitY() - Vec3(0, std::cos(0.5), std::sin(0.5))).norm(), 4 * eps);
  EXPECT_LT((model.bodies[2].X_WB.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 4 * eps);
  for (const Body& body : model.bodies) EXPECT_LT(std::abs(body.X_WB.R.norm() - 1), 2 * eps);
  EXPECT_EQ(model.bodies[3].X_WB.R * Vec3::UnitX(), -Vec3::UnitX());  // half turns are exact
}

TEST(Scene, a_force_acts_at_the_centre_of_mass_forever_unless_told_otherwise) {
  const Model model = read(
      "[[body]]\nname = \"x\"\ndensity = 1\n"
      "shape = { type = \"sphere\", radius = 1, position = [1, 2, 3] }\n"
      "[[force]]\nbody = \"x\"\nforce = [1, 0, 0]\n"
      "[[force]]\nname = \"f\"\nbody = \"x\"\ntorque = [0, 1, 0]\npoint = [0, 0, 1]\naxes = \"body\"\n"
      "from = 1\nto = 2\n");
  ASSERT_EQ(model.forces.size(), 2u);
  EXPECT_EQ(model.forces[0].name, "force[0]");
  EXPECT_EQ(model.forces[0].point, Vec3(1, 2, 3));
  EXPECT_EQ(model.forces[0].from, 0);
  EXPECT_EQ(model.forces[0].to, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(model.forces[0].body_axes);
  EXPECT_TRUE(model.forces[1].body_axes);
  EXPECT_EQ(model.forces[1].torque, Vec3(0, 1, 0));
  EXPECT_EQ(model.forces[1].point, Vec3(0, 0, 1));
  EXPECT_EQ(model.forces[1].to, 2);
}

TEST(Scene, a_rod_is_as_long_as_it_starts_unless_told_otherwise) {
  const Model model = read(ball +
                           "position = [3, 0, 0]\n[[rod]]\na = \"ball\"\npoint_b = [0, 4, 0]\n"
                           "[[rod]]\nb = \"ball\"\nlength = 2\n");
  EXPECT_EQ(model.rods[0].length, 5);
  EXPECT_EQ(model.rods[0].a, 0);
  EXPECT_EQ(model.rods[0].b, world);
  EXPECT_EQ(model.rods[1].length, 2);
  EXPECT_EQ(model.rods[1].a, world);
}

TEST(Scene, a_spring_is_free_at_the_length_it_starts_with_unless_told_otherwise) {
  const Model model = read(ball +
                           "position = [3, 0, 0]\n[[spring]]\na = \"ball\"\npoint_b = [0, 4, 0]\nstiffness = 7\n"
                           "[[spring]]\nb = \"ball\"\nrest = 0\ndamping = 2\n");
  EXPECT_EQ(model.springs[0].rest, 5);
  EXPECT_EQ(model.springs[0].stiffness, 7);
  EXPECT_EQ(model.springs[0].damping, 0);
  EXPECT_EQ(model.springs[1].rest, 0);
  EXPECT_EQ(model.springs[1].a, world);
}

TEST(Scene, pairs_without_contact_are_sorted_and_stand_once) {
  const Model model = read(ball +
                           "copies = { line = 3, step = [1, 0, 0] }\n"
                           "[[no_contact]]\nbodies = [\"ball[2]\", \"ball[1]\"]\n"
                           "[[no_contact]]\nbodies = [\"ball[0]\", \"ball[1]\"]\n"
                           "[[no_contact]]\nbodies = [\"ball[1]\", \"ball[2]\"]\n"
                           "[[no_contact]]\nbodies = [\"ball[1]\", \"world\"]\n");
  const std::vector<std::array<int, 2>> expected{{world, 1}, {0, 1}, {1, 2}};
  EXPECT_EQ(model.no_contact, expected);
}

TEST(Copies, a_line_repeats_a_step_and_takes_all_shapes_along) {
  const Model model = read(ball +
                           "position = [1, 0, 0]\nvelocity = [0, 1, 0]\n"
                           "copies = { line = 3, step = [0.5, 0, 1] }\n"
                           "[[shape]]\nname = \"ear\"\nbody = \"ball\"\ntype = \"sphere\"\nradius = 1\n");
  ASSERT_EQ(model.bodies.size(), 3u);
  ASSERT_EQ(model.shapes.size(), 6u);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(model.bodies[k].name, "ball[" + std::to_string(i) + "]");
    EXPECT_EQ(model.bodies[k].X_WB.p, Vec3(1 + 0.5 * i, 0, i));
    EXPECT_EQ(model.bodies[k].v_WB, Vec3(0, 1, 0));
    EXPECT_EQ(model.shapes[2 * k].body, i);
    EXPECT_EQ(model.shapes[2 * k + 1].body, i);
    EXPECT_EQ(model.shapes[2 * k + 1].name, "ear[" + std::to_string(i) + "]");
  }
}

TEST(Copies, a_grid_counts_x_fastest) {
  const Model model = read(ball + "copies = { grid = [2, 3, 4], spacing = [1, 10, 100] }\n");
  ASSERT_EQ(model.bodies.size(), 24u);
  std::size_t i = 0;
  for (int z = 0; z < 4; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 2; ++x, ++i) EXPECT_EQ(model.bodies[i].X_WB.p, Vec3(x, 10 * y, 100 * z));
    }
  }
}

TEST(Copies, a_pyramid_is_centred_and_loses_one_body_per_row) {
  const Model model = read(ball + "position = [0, 0, 1]\ncopies = { pyramid = 3, spacing = [2, 5] }\n");
  const std::vector<Vec3> expected{{-2, 0, 1}, {0, 0, 1}, {2, 0, 1}, {-1, 0, 6}, {1, 0, 6}, {0, 0, 11}};
  ASSERT_EQ(model.bodies.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(model.bodies[i].X_WB.p, expected[i]);
}

// The first outputs of SplitMix64 for seed 0 are published: e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f.
TEST(Copies, jitter_comes_from_splitmix64) {
  const Model model = read(ball + "copies = { grid = [1, 1, 1], spacing = [1, 1, 1], jitter = 0.5 }\n");
  const auto expected = [](std::uint64_t z) {
    return 0.5 * (2 * (static_cast<double>(z >> 11) / 9007199254740992.0) - 1);
  };
  EXPECT_EQ(model.bodies[0].X_WB.p,
            Vec3(expected(0xe220a8397b1dcdafu), expected(0x6e789e6aa1b965f4u), expected(0x06c45d188009454fu)));
}

TEST(Copies, jitter_stays_within_its_bound_and_depends_on_the_seed) {
  const std::string grid = "copies = { grid = [10, 10, 10], spacing = [0, 0, 0], jitter = 0.1, seed = ";
  const Model a = read(ball + grid + "1 }\n"), b = read(ball + grid + "2 }\n"), again = read(ball + grid + "1 }\n");
  double largest = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    largest = std::max(largest, a.bodies[i].X_WB.p.cwiseAbs().maxCoeff());
    EXPECT_NE(a.bodies[i].X_WB.p, b.bodies[i].X_WB.p);
    EXPECT_EQ(a.bodies[i].X_WB.p, again.bodies[i].X_WB.p);
  }
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.099);  // 3000 draws: the chance that all miss the outer percent is 1e-13
}

}  // namespace
}  // namespace vinculum::model
