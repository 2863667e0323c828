// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nothing passes through anything, however fast: bullets, thin plates, sheets, spinning rods. And the motion over a
// flat mesh is that over a plane.
#include "support/simulate.hpp"

#include <random>

using namespace vinculum;
using namespace vinculum::test;

namespace {

std::string thrown(const std::string& shape, const Vec3& x, const Vec3& v, const Vec3& w, double e_N) {
  return fmt::format(R"(
[scene]
gravity = [0, 0, 0]
[[contact]]
e_N = {}
[[body]]
name = "thrown"
position = {}
velocity = {}
angular_velocity = {}
density = 1000
shape = {}
)",
                     e_N, vec(x), vec(v), vec(w), shape);
}

const std::string plate = R"(
[[shape]]
name = "plate"
type = "box"
size = [2, 2, 0.001]
)";
const std::string sheet = R"(
[[shape]]
name = "sheet"
type = "mesh"
points = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]
triangles = [[0, 1, 2], [0, 2, 3]]
)";
const std::string ground = R"(
[[shape]]
name = "ground"
type = "height_field"
size = [2, 2]
heights = [[0, 0, 0, 0], [0, 0.05, 0.02, 0], [0, 0.03, 0.06, 0], [0, 0, 0, 0]]
)";

}  // namespace

TEST(Fast, a_bullet_rebounds_from_a_thin_plate_at_every_phase_of_the_step) {
  // 100 m/s, dt = 1 ms: 10 cm a step against 1 mm of plate and 4 mm of bullet
  for (const std::string& target : {plate, sheet}) {
    const double top = target == plate ? 5e-4 : 0;
    for (int k = 0; k < 40; ++k) {
      const double height = 0.1 + 0.1 * k / 40;
      Simulation sim(
          thrown("{ type = \"sphere\", radius = 0.004 }", {0.013, 0.021, height}, {3, 1, -100}, {0, 0, 0}, 0.5) +
          target);
      sim.run(6);
      // Newton's law, exactly: the momentum along the plate is untouched without friction
      EXPECT_NEAR(sim.v().z(), 50, 1e-11) << k;
      EXPECT_NEAR(sim.v().x(), 3, 1e-12) << k;
      EXPECT_GE(sim.x().z(), top + 0.004 - 1e-10) << k;
    }
  }
}

TEST(Fast, an_inelastic_bullet_stays_on_the_front) {
  for (int k = 0; k < 20; ++k) {
    Simulation sim(
        thrown("{ type = \"box\", size = [0.01, 0.01, 0.01] }", {0, 0, 0.3 + 0.005 * k}, {0, 0, -200}, {0, 0, 0}, 0) +
        plate);
    sim.run(6);
    // percussions act at the middle of the step: it stops at the plate or up to half a step of flight before it
    EXPECT_GE(sim.x().z(), 0.0055 - 1e-9) << k;
    EXPECT_LE(sim.x().z(), 0.0055 + 0.1) << k;
    EXPECT_NEAR(sim.v().z(), 0, 1e-9) << k;
  }
}

TEST(Fast, small_balls_do_not_pass_through_rough_ground) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (int k = 0; k < 60; ++k) {
    const Vec3 x(uniform(engine), uniform(engine), 0.2 + 0.1 * uniform(engine));
    const Vec3 v(40 * uniform(engine), 40 * uniform(engine), -80);
    Simulation sim(thrown("{ type = \"sphere\", radius = 0.003 }", x, v, {0, 0, 0}, 0.3) + ground);
    sim.run(12, [&] {
      const bool over = std::abs(sim.x().x()) < 1 && std::abs(sim.x().y()) < 1;
      if (over) {
        EXPECT_GE(sim.x().z(), 0.0029) << k;  // the ground is nowhere below 0
      }
    });
  }
}

TEST(Fast, a_spinning_rod_does_not_sweep_through_a_thin_post) {
  // the tip runs at 0.5 m x 400/s = 200 m/s: 20 cm a step; the post is 2 mm thick
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.1 * k;
    const std::string scene = fmt::format(R"(
[scene]
gravity = [0, 0, 0]
[[contact]]
e_N = 0.5
[[body]]
name = "rod"
rotation = {{ axis = [{}, {}, 0], degrees = 90 }}
angular_velocity = [0, 0, 400]
density = 1000
shape = {{ type = "capsule", radius = 0.003, length = 1 }}
[[shape]]
name = "post"
type = "box"
size = [0.002, 0.002, 0.2]
position = [0, 0.4, 0]
)",
                                          std::cos(angle), std::sin(angle));
    Simulation sim(scene);
    double least = 400;
    sim.run(12, [&] { least = std::min(least, sim.w().z()); });
    EXPECT_LT(least, 350) << k;  // it struck the post: it lost spin or turned back
  }
}

// The corner that touches first holds a card at one point; what turns into the other card around it must be held, too.
TEST(Fast, cards_thrown_on_a_bar_do_not_cut_each_other) {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::string scene = R"(
[[contact]]
mu = 0.1
[[shape]]
name = "bar"
type = "box"
size = [0.02, 0.3, 0.02]
)";
  constexpr int cards = 8;
  const Vec3 half(0.047, 0.032, 0.00035);
  for (int k = 0; k < cards; ++k) {
    scene += fmt::format(R"(
[[body]]
name = "card {}"
position = {}
rotation = {{ axis = [{}, {}, 3], degrees = {} }}
velocity = [0, 0, -3]
density = 1000
shape = {{ type = "box", size = {} }}
)",
                         k, vec({0.02 + 0.003 * k, 0.01 * uniform(engine), 0.03 + 0.003 * k}), 0.02 * uniform(engine),
                         0.02 * uniform(engine), 20 * uniform(engine), vec(2 * half));
  }
  Simulation sim(scene);
  const auto separation = [&](int i, int j) {  // of two blocks: the best of 15 axes
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    const Mat3 A = sim.state.q.R[a].toRotationMatrix(), B = sim.state.q.R[b].toRotationMatrix();
    const Vec3 d = sim.state.q.x[b] - sim.state.q.x[a];
    double best = -1;
    const auto look = [&](const Vec3& axis) {
      if (axis.norm() < 1e-6) return;
      const Vec3 n = axis.normalized();
      const double reach = (A.transpose() * n).cwiseAbs().dot(half) + (B.transpose() * n).cwiseAbs().dot(half);
      best = std::max(best, std::abs(n.dot(d)) - reach);
    };
    for (int k = 0; k < 3; ++k) {
      look(A.col(k)), look(B.col(k));
      for (int l = 0; l < 3; ++l) look(A.col(k).cross(B.col(l)));
    }
    return best;
  };
  double deepest = 0, fastest = 0;
  sim.run(150, [&] {
    for (int i = 0; i < cards; ++i) {
      for (int j = i + 1; j < cards; ++j) deepest = std::max(deepest, -separation(i, j));
      fastest = std::max(fastest, sim.w(static_cast<std::size_t>(i)).norm());
    }
  });
  EXPECT_LT(deepest, 1e-9);  // tol times the size
  EXPECT_GT(fastest, 20);    // they were thrown about
}

TEST(Fast, two_bullets_that_meet_head_on_exchange_their_momenta) {
  const std::string scene = R"(
[scene]
gravity = [0, 0, 0]
[[contact]]
e_N = 1
[[body]]
name = "a"
position = [-0.317, 0, 0]
velocity = [150, 0, 0]
mass = 0.01
shape = { type = "sphere", radius = 0.005 }
[[body]]
name = "b"
position = [0.2, 0, 0]
velocity = [-100, 0, 0]
mass = 0.01
shape = { type = "sphere", radius = 0.005 }
)";
  Simulation sim(scene);
  sim.run(6);
  EXPECT_NEAR(sim.v(0).x(), -100, 1e-10);
  EXPECT_NEAR(sim.v(1).x(), 150, 1e-10);
}

TEST(Fast, a_bullet_that_misses_on_the_way_to_the_midpoint_is_left_alone) {
  const std::string scene = R"(
[scene]
gravity = [0, 0, 0]
[[body]]
name = "a"
position = [-0.02, 0.011, 0]
velocity = [100, 0, 0]
mass = 0.01
shape = { type = "sphere", radius = 0.005 }
[[body]]
name = "b"
mass = 0.01
shape = { type = "sphere", radius = 0.005 }
)";
  Simulation sim(scene);
  sim.step();
  EXPECT_EQ(sim.v(0), Vec3(100, 0, 0));
  EXPECT_EQ(sim.v(1), Vec3(0, 0, 0));
}

TEST(Fast, a_ball_rolling_over_a_flat_mesh_does_not_notice_its_seams) {
  const auto rolling = [](const std::string& floor) {
    return fmt::format(R"(
[[contact]]
mu = 0.5
[[body]]
name = "ball"
position = [-0.8, -0.31, 0.1]
velocity = [1, 0.4, 0]
angular_velocity = [-4, 10, 0]
density = 1000
shape = {{ type = "sphere", radius = 0.1 }}
{})",
                       floor);
  };
  std::string heights;
  for (int i = 0; i <= 20; ++i) {
    heights += "[0";
    for (int j = 0; j < 20; ++j) heights += ", 0";
    heights += "], ";
  }
  Simulation sim(rolling("[[shape]]\ntype = \"height_field\"\nsize = [2, 2]\nheights = [" + heights + "]\n"));
  sim.run(1500);  // over some thirty seams
  // pure rolling on a plane goes on for ever; round-off of 1500 solves, each to a few units of the last place
  EXPECT_LE((sim.v() - Vec3(1, 0.4, 0)).norm(), 1e-11);
  EXPECT_LE((sim.w() - Vec3(-4, 10, 0)).norm(), 1e-10);
  EXPECT_NEAR(sim.x().x(), -0.8 + 1.5, 1e-10);
}

TEST(Fast, a_block_sliding_over_a_flat_mesh_slides_as_on_a_plane) {
  const auto sliding = [](const std::string& floor) {
    return fmt::format(R"(
[[contact]]
mu = 0.2
[[body]]
name = "block"
position = [-0.6, -0.2, 0.1]
rotation = {{ axis = [0, 0, 1], radians = 0.3 }}
velocity = [1.5, 0.4, 0]
density = 1000
shape = {{ type = "box", size = [0.4, 0.3, 0.2] }}
{})",
                       floor);
  };
  std::string heights;
  for (int i = 0; i <= 17; ++i) heights += "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], ";
  Simulation mesh(sliding("[[shape]]\ntype = \"height_field\"\nsize = [2, 2]\nheights = [" + heights + "]\n"));
  Simulation plane(sliding("[[shape]]\ntype = \"plane\"\n"));
  mesh.run(400);
  plane.run(400);
  // both solve to 1e-8 of the step's scale; the patch has the same four points
  EXPECT_LE((mesh.x() - plane.x()).norm(), 1e-9);
  EXPECT_LE((mesh.v() - plane.v()).norm(), 1e-9);
  EXPECT_EQ(mesh.record.contacts.size(), plane.record.contacts.size());
}
