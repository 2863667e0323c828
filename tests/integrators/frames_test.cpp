// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames carried by a Lagrangian part touch and hold bodies and trees, in one problem with them.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using test::Simulation;

TEST(Frames, a_carried_ball_and_a_free_one_collide_as_two_balls_do) {
  // Head on, without gravity: v₁' = (m₁ v₁ + m₂ v₂ − m₂ e (v₁ − v₂))/(m₁ + m₂), and the other by momentum.
  const double m1 = 2, m2 = 3, v1 = 1, v2 = -0.5, e = 0.6;
  Simulation sim(fmt::format(R"scene([scene]
gravity = [0, 0, 0]
[[contact]]
e_N = {}
[lagrangian]
coordinates = ["s"]
parameters = {{ m = {} }}
T = "m/2*s'^2"
u = [{}]
[[frame]]
name = "slider"
position = ["s", 0, 0]
[[shape]]
body = "slider"
type = "sphere"
radius = 0.1
[[body]]
name = "ball"
mass = {}
position = [0.25, 0, 0]
velocity = [{}, 0, 0]
[[shape]]
body = "ball"
type = "sphere"
radius = 0.1
)scene",
                             e, m1, v1, m2, v2),
                 {.dt = 1e-3});
  sim.run_until(0.1);
  const double after = (m1 * v1 + m2 * v2 - m2 * e * (v1 - v2)) / (m1 + m2);
  EXPECT_NEAR(sim.state.lagrangian_u[0], after, 1e-12);
  EXPECT_NEAR(sim.v(sim.body("ball")).x(), v2 + m1 / m2 * (v1 - after), 1e-12);
  EXPECT_NEAR(sim.state.lagrangian_q[0], sim.x(sim.body("slider")).x(), 0);
}

/// A double pendulum that strikes the floor with its foot and slides: by its energies, or by bodies and joints.
const std::string ground = R"scene([[contact]]
mu = 0.3
e_N = 0.2
[[shape]]
name = "floor"
type = "plane"
)scene";
const std::string by_energies = R"scene([lagrangian]
coordinates = ["a", "b"]
parameters = { m1 = 1, m2 = 0.7, I1 = 0.02, I2 = 0.03, l1 = 0.5, a1 = 0.25, l2 = 0.4, a2 = 0.15, g = 9.81, H = 0.7 }
T = "1/2*(m1*a1^2 + I1)*a'^2 + 1/2*I2*(a' + b')^2 + 1/2*m2*(l1^2*a'^2 + a2^2*(a' + b')^2 + 2*l1*a2*cos(b)*a'*(a' + b'))"
U = "-m1*g*a1*cos(a) - m2*g*(l1*cos(a) + a2*cos(a + b))"
q = [1.2, 0.4]
u = [0.3, -1]
[[frame]]
name = "foot"
position = ["-l1*sin(a) - l2*sin(a + b)", 0, "H - l1*cos(a) - l2*cos(a + b)"]
axis = [0, 1, 0]
angle = "a + b"
[[shape]]
body = "foot"
type = "box"
size = [0.1, 0.1, 0.05]
)scene";
const std::string by_joints = R"scene([[body]]
name = "upper"
mass = 1
inertia = [1, 0.02, 1]
com = [0, 0, -0.25]
[[body]]
name = "lower"
mass = 0.7
inertia = [1, 0.03, 1]
com = [0, 0, -0.15]
[[joint]]
name = "a"
type = "revolute"
child = "upper"
position = [0, 0, 0.7]
axis = [0, 1, 0]
q = 1.2
v = 0.3
[[joint]]
name = "b"
type = "revolute"
parent = "upper"
child = "lower"
position = [0, 0, -0.5]
axis = [0, 1, 0]
q = 0.4
v = -1
[[shape]]
body = "lower"
type = "box"
size = [0.1, 0.1, 0.05]
position = [0, 0, -0.4]
)scene";

TEST(Frames, a_double_pendulum_by_its_energies_strikes_and_slides_as_the_one_with_joints) {
  // The same midpoint rule in the same coordinates: equal up to what the solver's tolerance leaves, which impacts
  // and the chaos of a double pendulum multiply.
  Simulation energies(ground + by_energies, {.dt = 1e-3}), joints(ground + by_joints, {.dt = 1e-3});
  double largest = 0;
  int touching = 0;
  for (int i = 0; i < 1500; ++i) {
    energies.step();
    joints.step();
    touching += !energies.record.contacts.empty();
    largest = std::max(largest, (energies.state.lagrangian_q - joints.state.q.tree).norm());
  }
  EXPECT_LT(largest, 1e-7);
  EXPECT_GT(touching, 10);
  EXPECT_NEAR(energies.energy(), joints.energy() - 9.81 * 1.7 * 0.7, 1e-6);  // its U counts from the pivot
}

TEST(Frames, a_table_on_a_spring_carries_a_stack_and_a_jointed_finger) {
  // Free bodies, a tree and a Lagrangian part in one contact problem. At rest the spring carries the weight of all but
  // the part that the hinge of the finger carries: its com lies at 0.2 of 0.5 from the tip's side.
  const double k = 500, g = 9.81;
  Simulation sim(R"scene([[contact]]
mu = 0.5
[lagrangian]
coordinates = ["h"]
parameters = { m = 2, g = 9.81, k = 500, c = 40 }
T = "m/2*h'^2"
U = "m*g*h + k/2*h^2"
forces = ["-c*h'"]
[[frame]]
name = "table"
position = [0, 0, "h"]
[[shape]]
body = "table"
type = "box"
size = [2, 1, 0.1]
[[body]]
name = "one"
mass = 1
position = [-0.5, 0, 0.15]
[[shape]]
body = "one"
type = "box"
size = [0.2, 0.2, 0.2]
[[body]]
name = "two"
mass = 0.5
position = [-0.5, 0, 0.35]
[[shape]]
body = "two"
type = "box"
size = [0.2, 0.2, 0.2]
[[body]]
name = "finger"
mass = 1
inertia = [0.01, 0.01, 0.01]
com = [-0.3, 0, 0]
[[shape]]
body = "finger"
type = "sphere"
radius = 0.05
position = [-0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
child = "finger"
position = [0.9, 0, 0.1]
axis = [0, 1, 0]
)scene",
                 {.dt = 1e-3});
  sim.run_until(3);
  // Moments about the hinge, the finger at the angle q: N 0.5 cos q + μ-free normal contact with a level table.
  const double N = 1 * g * 0.3 / 0.5;
  EXPECT_NEAR(sim.state.lagrangian_q[0], -(2 + 1.5) * g / k - N / k, 2e-3);  // friction at the finger's tip takes part
  EXPECT_LT(std::abs(sim.state.lagrangian_u[0]), 1e-6);
  EXPECT_NEAR(sim.x(sim.body("two")).z() - sim.state.lagrangian_q[0], 0.05 + 0.3, 1e-7);
}

TEST(Frames, a_body_pinned_to_a_frame_swings_with_it) {
  // Spring and slider of mass m₁ with a body m₂ pinned to it: ω² = k/(m₁ + m₂). Drift – kick – drift of a harmonic
  // oscillator turns by θ per step, cos θ = 1 − ω² dt²/2.
  const double k = 50, m1 = 2, m2 = 3, dt = 1e-2, x0 = 0.1;
  for (const std::string tie : {"connect", "weld"}) {
    Simulation sim(fmt::format(R"scene([scene]
gravity = [0, 0, 0]
[lagrangian]
coordinates = ["s"]
T = "1*s'^2"
U = "25*s^2"
q = [{}]
[[frame]]
name = "slider"
position = ["s", 0, 0]
[[body]]
name = "load"
mass = {}
inertia = [1, 1, 1]
position = [{}, 0, 0]
[[{}]]
name = "tie"
a = "slider"
b = "load"
)scene",
                               x0, m2, x0, tie),
                   {.dt = dt});
    const double theta = std::acos(1 - 0.5 * k / (m1 + m2) * dt * dt);
    for (int n = 1; n <= 200; ++n) {
      sim.step();
      EXPECT_NEAR(sim.state.lagrangian_q[0], x0 * std::cos(n * theta), 1e-9) << tie << n;
      EXPECT_NEAR(sim.x(sim.body("load")).x(), sim.state.lagrangian_q[0], 1e-9);
    }
  }
}

/// What a scene with this beside a slider is told.
std::string error_of(const std::string& energies, const std::string& position, const std::string& more) {
  try {
    Simulation sim("[lagrangian]\ncoordinates = [\"s\"]\n" + energies + "\n[[frame]]\nname = \"f\"\nposition = [" +
                   position + ", 0, 0]\n" + more);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Frames, that_the_step_cannot_follow_are_refused_at_their_place) {
  const std::string T = "T = \"s'^2\"", s = "\"s\"";
  EXPECT_EQ(error_of(T, s, ""), "no error");
  EXPECT_EQ(error_of(T, "\"s + t\"", ""),
            "scene.toml:6:14: frame[0].position[0]: found \"s + t\", expected a placement that does not depend on t");
  EXPECT_EQ(
      error_of(T, "\"s'\"", ""),
      "scene.toml:6:14: frame[0].position[0]: found \"s'\", expected a placement that does not depend on velocities");
  EXPECT_EQ(
      error_of(T + "\nU = \"t*s\"", s, ""),
      "scene.toml:1:1: lagrangian: found energies that depend on t, expected T and U of q alone beside [[frame]]");
  EXPECT_EQ(
      error_of(T, s, "[[law]]\nname = \"stop\"\ntype = \"unilateral\"\ngap = \"s\"\n"),
      "scene.toml:7:1: law[0]: found a law beside [[frame]], expected contact and bonds of the frames instead, or no "
      "frame");
}

}  // namespace
}  // namespace vinculum::integrators
