// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The scenes of scenes/ are read, and what they say touches does so to 1e-12 m.
#include "model/support.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

namespace vinculum::model {
namespace {

Model load(const std::string& name) {
  return read_scene(std::string(VINCULUM_SOURCE_DIR) + "/scenes/" + name + ".toml");
}

const Shape& shape_named(const Model& model, const std::string& name) {
  for (const Shape& shape : model.shapes) {
    if (shape.name == name) return shape;
  }
  throw std::logic_error("no shape " + name);
}

// max { d·x : x in the shape }, world axes.
double extent(const Model& model, const Shape& shape, const Vec3& d) {
  const Pose X =
      shape.body == world ? shape.X_BS : model.bodies[static_cast<std::size_t>(shape.body)].X_WB * shape.X_BS;
  return d.dot(X * shapes::support(shape.geometry, X.R.conjugate() * d));
}

// Width of the slab normal to d between `below` and `above`.
double gap(const Model& model, const std::string& below, const std::string& above, const Vec3& d) {
  return -extent(model, shape_named(model, above), -d) - extent(model, shape_named(model, below), d);
}

double height(const Model& model, const std::string& name, const Vec3& normal = Vec3::UnitZ()) {
  return -extent(model, shape_named(model, name), -normal);
}

constexpr double exact = 1e-12;

std::string indexed(const std::string& name, int i) { return name + "[" + std::to_string(i) + "]"; }

TEST(Scenes, all_are_read_and_say_what_they_ask_and_expect) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    try {
      const Model model = read_scene(entry.path());
      EXPECT_EQ(model.name, entry.path().stem());
      EXPECT_NE(model.text.find("# Expected: "), std::string::npos) << entry.path();
      EXPECT_EQ(model.gravity.norm(), 9.81) << entry.path();
    } catch (const base::InputError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(count, 15);
}

TEST(Scenes, the_block_lies_on_its_slope) {
  for (const char* name : {"slope_stick", "slope_slide"}) {
    const Model model = load(name);
    EXPECT_NEAR(height(model, "block", shape_named(model, "slope").X_BS.R * Vec3::UnitZ()), 0, exact) << name;
  }
}

TEST(Scenes, stacked_boxes_touch) {
  const Model pair = load("heavy_on_light");
  EXPECT_NEAR(height(pair, "light"), 0, exact);
  EXPECT_NEAR(gap(pair, "light", "heavy", Vec3::UnitZ()), 0, exact);
  const Model stack = load("box_stack");
  EXPECT_EQ(stack.bodies.size(), 10u);
  EXPECT_NEAR(height(stack, "box[0]"), 0, exact);
  for (int i = 1; i < 10; ++i) {
    EXPECT_NEAR(gap(stack, indexed("box", i - 1), indexed("box", i), Vec3::UnitZ()), 0, exact);
  }
}

TEST(Scenes, the_boxes_of_a_pyramid_touch_the_row_below_only) {
  const Model model = load("pyramid");
  ASSERT_EQ(model.bodies.size(), 210u);
  EXPECT_NEAR(height(model, "box[0]"), 0, exact);
  EXPECT_NEAR(gap(model, "box[0]", "box[1]", Vec3::UnitX()), 0.01, exact);
  for (int i = 20, row = 19, below = 0; row > 0; below = i, i += row, --row) {
    EXPECT_NEAR(gap(model, indexed("box", below), indexed("box", i), Vec3::UnitZ()), 0, exact);
    EXPECT_LT(gap(model, indexed("box", below), indexed("box", i), Vec3::UnitX()), -0.04);
    EXPECT_LT(gap(model, indexed("box", i), indexed("box", below + 1), Vec3::UnitX()), -0.04);
  }
  EXPECT_EQ(load("pyramid_large").bodies.size(), 5050u);
}

TEST(Scenes, the_balls_of_the_cradle_touch_and_the_first_hangs_on_its_circle) {
  const Model model = load("newtons_cradle");
  for (int i = 1; i < 4; ++i) {
    EXPECT_NEAR(gap(model, "ball" + std::to_string(i), "ball" + std::to_string(i + 1), Vec3::UnitX()), 0, exact);
  }
  ASSERT_EQ(model.rods.size(), 10u);
  for (const Rod& rod : model.rods) EXPECT_NEAR(rod.length, std::hypot(0.3, 0.05), exact) << rod.name;
}

TEST(Scenes, dominoes_stand_on_the_floor_and_the_first_turns_about_its_edge) {
  const Model model = load("dominoes");
  ASSERT_EQ(model.bodies.size(), 50u);
  EXPECT_NEAR(height(model, "first"), 0, exact);
  EXPECT_NEAR(height(model, "domino[48]"), 0, exact);
  const Body& first = model.bodies[0];
  EXPECT_LT((first.v_WB + first.w_WB.cross(Vec3(0.004, 0, 0) - first.X_WB.p)).norm(), 1e-15);  // the edge is at rest
}

TEST(Scenes, the_balls_of_the_triangle_touch) {
  const Model model = load("billiard");
  ASSERT_EQ(model.bodies.size(), 16u);
  int touching = 0;
  for (std::size_t a = 1; a < 16; ++a) {
    for (std::size_t b = a + 1; b < 16; ++b) {
      const double g = (model.bodies[a].X_WB.p - model.bodies[b].X_WB.p).norm() - 2 * 0.028575;
      EXPECT_GT(g, -exact);
      touching += g < exact;
    }
  }
  EXPECT_EQ(touching, 30);  // three sides with 1 + 2 + 3 + 4 contacts in each direction
  EXPECT_NEAR(height(model, "cue ball"), 0, exact);
}

TEST(Scenes, the_cards_of_the_house_touch_at_their_edges) {
  const Model model = load("card_house");
  ASSERT_EQ(model.bodies.size(), 7u);
  const Vec3 x = Vec3::UnitX(), z = Vec3::UnitZ();
  for (const char* tent : {"west", "east", "upper"}) {
    EXPECT_NEAR(gap(model, std::string(tent) + " left", std::string(tent) + " right", x), 0, exact) << tent;
  }
  for (const char* card : {"west left", "west right", "east left", "east right"}) {
    EXPECT_NEAR(height(model, card), 0, exact) << card;
    EXPECT_NEAR(gap(model, card, "flat", z), 0, exact) << card;
  }
  for (const char* card : {"upper left", "upper right"}) EXPECT_NEAR(gap(model, "flat", card, z), 0, exact) << card;
}

TEST(Scenes, poured_balls_start_apart_from_each_other_and_from_the_box) {
  for (const auto& [name, count] : {std::pair{"pour_100", 100u}, {"pour_1000", 1000u}, {"pour_spheres", 10000u}}) {
    const Model model = load(name);
    ASSERT_EQ(model.bodies.size(), count) << name;
    const double east = -extent(model, shape_named(model, "east wall"), -Vec3::UnitX());
    const double west = extent(model, shape_named(model, "west wall"), Vec3::UnitX());
    for (const Body& body : model.bodies) {
      EXPECT_LT(body.X_WB.p.x() + 0.01, east);
      EXPECT_GT(body.X_WB.p.x() - 0.01, west);
    }
    for (std::size_t i = 1; i < count; ++i) {
      EXPECT_GT((model.bodies[i].X_WB.p - model.bodies[i - 1].X_WB.p).norm(), 0.02);
    }
  }
}

}  // namespace
}  // namespace vinculum::model
