// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Several bodies: impacts with exact answers (benchmarks.md, section 13), momentum, the energy ledger, stacks.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using test::epsilon;
using test::num;
using test::scene_text;
using test::Simulation;
using test::vec;
using test::works;

constexpr double g = 9.81;

std::string ball(const std::string& name, const Vec3& x, const Vec3& v, double mass = 1, double radius = 0.5) {
  return "[[body]]\nname = '" + name + "'\nmass = " + num(mass) + "\nposition = " + vec(x) + "\nvelocity = " + vec(v) +
         "\nshape = { type = 'sphere', radius = " + num(radius) + " }\n";
}

std::string weightless(double e, double mu = 0) {
  return "[scene]\ngravity = [0, 0, 0]\n[[contact]]\ne_N = " + num(e) + "\nmu = " + num(mu) + "\n";
}

TEST(Chain, of_touching_balls_shares_the_blow_as_newtons_law_says) {
  // v₁ = v (1 − (1 + e)(N − 1)/N), the others (1 + e) v/N: the pairs at rest are held together, the first obeys e.
  const double v = 2, dt = 1.0 / 1024;
  for (const int N : {2, 3, 5, 9}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      std::string text = weightless(e) + ball("ball", {-4.5 * v * dt, 0, 0}, {v, 0, 0});
      for (int i = 1; i < N; ++i) text += ball("ball" + std::to_string(i), {1.0 * i, 0, 0}, Vec3::Zero());
      Simulation sim(text, {.dt = dt});
      sim.run(5);
      const double others = (1 + e) * v / N;
      // The solver stops at 1e-8 of the step's scale, v; its error is shared by N balls.
      EXPECT_NEAR(sim.v(0).x(), v * (1 - (1 + e) * (N - 1) / N), 1e-8 * v) << N << ' ' << e;
      for (int i = 1; i < N; ++i)
        EXPECT_NEAR(sim.v(static_cast<std::size_t>(i)).x(), others, 1e-8 * v) << N << ' ' << e;
      EXPECT_NEAR(sim.momentum().x(), v, 1e-14);
    }
  }
}

TEST(Cradle, sends_each_ball_off_as_newtons_law_says) {
  // scenes/newtons_cradle: −3/5 v and 2/5 v four times, v = √(2 g 0.3 (1 − cos 30°)) at about 0.2795 s.
  Simulation sim(scene_text("newtons_cradle"));
  bool hit = false;
  while (!hit && sim.state.t < 0.3) {
    sim.step();
    for (const ContactRecord& c : sim.record.contacts) hit = hit || c.mode == Mode::impact;
  }
  ASSERT_TRUE(hit);
  const double v = std::sqrt(2 * g * 0.3 * (1 - std::cos(test::pi / 6)));
  EXPECT_NEAR(sim.state.t, 0.2795, 1e-4 + 0.5e-4);  // one step, and the digits of the note
  // The ball arrives within one step of the lowest point, where its velocity has turned by v dt/0.3 at most.
  EXPECT_NEAR(sim.v(0).x(), -0.6 * v, 1e-3 * v);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(sim.v(i).x(), 0.4 * v, 1e-3 * v) << i;
}

TEST(Bernoulli, ball_onto_two_touching_balls) {
  // Normals at ±30° to the line of flight: J = √3 (1 + e) m v/5, v₁ = v (1 − 3 (1 + e)/5), the two 2√3/5... along them.
  const double v = 3, dt = 1.0 / 1024, c = std::sqrt(3.0) / 2;
  for (const double e : {0.0, 0.5, 1.0}) {
    const std::string text = weightless(e) + ball("first", {-c - 2.5 * v * dt, 0, 0}, {v, 0, 0}) +
                             ball("left", {0, 0.5, 0}, Vec3::Zero()) + ball("right", {0, -0.5, 0}, Vec3::Zero());
    Simulation sim(text, {.dt = dt});
    sim.run(3);
    const double J = std::sqrt(3.0) * (1 + e) * v / 5;
    const Vec3 left = J * Vec3(c, 0.5, 0);
    EXPECT_LT((sim.v(0) - Vec3(v * (1 - 3 * (1 + e) / 5), 0, 0)).norm(), 1e-8 * v) << e;  // tolerance of the solver
    EXPECT_LT((sim.v(1) - left).norm(), 1e-8 * v) << e;
    EXPECT_LT((sim.v(2) - Vec3(left.x(), -left.y(), 0)).norm(), 1e-8 * v) << e;
    EXPECT_LT((sim.v(1) - sim.v(2) - Vec3(0, J, 0)).norm(), 1e-8 * v);
    if (e == 1) {
      EXPECT_NEAR(sim.kinetic(), 0.5 * v * v, 1e-7 * v * v);
    }
  }
}

TEST(TwoBalls, exchange_velocities_when_equal_and_elastic) {
  Simulation sim(weightless(1) + ball("a", {-1, 0, 0}, {2, 0, 0}) + ball("b", {1, 0, 0}, {-0.5, 0, 0}), {.dt = 1e-3});
  sim.run(1000);
  EXPECT_NEAR(sim.v(0).x(), -0.5, 4 * epsilon);
  EXPECT_NEAR(sim.v(1).x(), 2, 4 * epsilon);
}

TEST(TwoBalls, meet_off_centre_with_the_impulse_along_their_line_of_centres) {
  // Impact parameter b: sin φ = b/(2r); each leaves along and across the line of centres at the middle of the step.
  const double v = 1, dt = 1.0 / 1024;
  Simulation sim(
      weightless(1) + ball("a", {-0.8 - 2.5 * v * dt, 0, 0}, {v, 0, 0}) + ball("b", {0, 0.6, 0}, Vec3::Zero()),
      {.dt = dt});
  sim.run(3);
  const Vec3 n(0.8, 0.6, 0);
  EXPECT_LT((sim.v(1) - 0.8 * v * n).norm(), 16 * epsilon);
  EXPECT_LT((sim.v(0) - Vec3(v, 0, 0) + 0.8 * v * n).norm(), 16 * epsilon);
}

TEST(GalperinsBilliard, counts_the_digits_of_pi) {
  // A wall and masses 1 : M. The count is 3 and 31 for M = 1 and 100.
  for (const auto& [M, count] : {std::pair{1.0, 3}, {100.0, 31}}) {
    const std::string text =
        weightless(1) + "[[shape]]\nname = 'wall'\ntype = 'plane'\nrotation = { axis = [0, 1, 0], degrees = 90 }\n" +
        ball("light", {1.5, 0, 0}, Vec3::Zero(), 1, 0.1) + ball("heavy", {1.75, 0, 0}, {-0.1, 0, 0}, M, 0.1);
    Simulation sim(text, {.dt = 1e-3});
    const double E = sim.kinetic();
    int hits = 0;
    while (sim.state.t < 80) {
      sim.step();
      for (const ContactRecord& c : sim.record.contacts) hits += c.mode == Mode::impact && c.Lambda.x() > 0;
    }
    EXPECT_EQ(hits, count) << M;
    // A gap that closes to within τ_v of the end of a step is landed on first, which costs up to tol of the speed.
    EXPECT_NEAR(sim.kinetic(), E, 2 * sim.tol * E * count) << M;
    EXPECT_GE(sim.v(0).x(), -2 * sim.tol * count * 0.1);
    EXPECT_GE(sim.v(1).x(), sim.v(0).x() - 2 * sim.tol * count) << M;  // no collision is left to come
  }
}

// --------------------------------------------------------------------------------------------- momentum, energy

// Four different bodies thrown at each other with friction.
const std::string brawl =
    weightless(0.1, 0.5) +
    "[[body]]\nname = 'ball'\nmass = 1\nposition = [-1, 0.1, 0]\nvelocity = [2, 0, 0.1]\nangular_velocity = [1, 5, "
    "-3]\n"
    "shape = { type = 'sphere', radius = 0.3 }\n"
    "[[body]]\nname = 'box'\nmass = 2\nposition = [0, 0, 0.05]\nangular_velocity = [0.3, -0.5, 1]\n"
    "shape = { type = 'box', size = [0.4, 0.5, 0.6] }\n"
    "[[body]]\nname = 'pill'\nmass = 0.7\nposition = [0.2, 1, 0.1]\nvelocity = [-0.2, -1.5, 0]\nangular_velocity = [2, "
    "0, 1]\n"
    "shape = { type = 'capsule', radius = 0.1, length = 0.5 }\n"
    "[[body]]\nname = 'wedge'\nmass = 1.3\nposition = [0.1, 0.1, 1.2]\nvelocity = [0, 0, -1.2]\nangular_velocity = [0, "
    "1, 0]\n"
    "shape = { type = 'hull', points = [[-0.2, -0.2, -0.2], [0.3, -0.2, -0.2], [-0.2, 0.3, -0.2], [-0.2, -0.2, 0.3]] "
    "}\n";

TEST(FreeBodies, keep_their_momentum_through_impacts_with_friction) {
  Simulation sim(brawl, {.dt = 1e-3});
  const Vec3 P = sim.momentum();
  double linear = 0, angular = 0, shifted = 0, allowed = 0;
  int impacts = 0;
  sim.run(2000, [&, L = sim.moment_of_momentum()]() mutable {
    linear = std::max(linear, (sim.momentum() - P).norm());
    const Vec3 now = sim.moment_of_momentum();
    double size = 0;
    for (const Vec3& p : sim.state.p) size += p.norm();
    if (sim.record.shift == 0) {
      angular = std::max(angular, (now - L).norm());
    } else {  // Σ δx × p
      shifted += (now - L).norm();
      allowed += sim.record.shift * size;
    }
    L = now;
    for (const ContactRecord& c : sim.record.contacts) impacts += c.mode == Mode::impact && c.Lambda.x() > 0;
  });
  EXPECT_GT(impacts, 5);
  EXPECT_GT(allowed, 0);
  EXPECT_LT(linear, 1e-13);   // |P| is about 2 kg m/s: a few hundred ε
  EXPECT_LT(angular, 1e-13);  // impulse and reaction share one point of action
  EXPECT_LE(shifted, allowed);
}

TEST(ElasticBalls, keep_linear_and_angular_momentum_without_projection) {
  // Central impacts along their line: no shift, nothing lost.
  Simulation sim(weightless(1, 0.3) + ball("a", {-1, 0, 0}, {2, 0, 0}) + ball("b", {1, 0, 0}, {-0.5, 0, 0}) +
                     ball("c", {4, 0, 0}, {-3, 0, 0}),
                 {.dt = 1e-3});
  const Vec3 P = sim.momentum(), L = sim.moment_of_momentum();
  const double E = sim.kinetic();
  sim.run(2000);
  EXPECT_LT((sim.momentum() - P).norm(), 1e-13);
  EXPECT_LT((sim.moment_of_momentum() - L).norm(), 1e-13);
  EXPECT_NEAR(sim.kinetic(), E, sim.tol * E);  // restitution as exact as the solver
}

// E_{k+1} − E_k = all works of the step, at every step.
void expect_closed_ledger(const std::string& text, double until, double dt = 0) {
  Simulation sim(text, {.dt = dt});
  double before = sim.energy(), worst = 0;
  while (sim.state.t < until) {
    sim.step();
    const motion::Energy after = motion::energy(sim.system, sim.state);
    const Ledger& l = sim.record.ledger;
    EXPECT_EQ(after.kinetic, l.kinetic);
    EXPECT_EQ(after.potential, l.potential);
    double size = std::abs(after.kinetic) + std::abs(l.work_forces) + std::abs(l.work_impact) +
                  std::abs(l.work_friction) + std::abs(l.work_bonds) + std::abs(l.scheme);
    for (std::size_t b = 0; b < sim.state.p.size(); ++b) {
      size += std::abs(sim.system.bodies.mass[b] * sim.system.gravity.dot(sim.x(b)));
    }
    worst = std::max(worst, std::abs(after.total() - before - works(l)) / size);
    before = after.total();
  }
  // Sums over at most 30 bodies and contacts, each term rounded.
  EXPECT_LT(worst, 64 * epsilon);
}

TEST(Ledger, closes_at_every_step) {
  expect_closed_ledger(brawl, 1, 1e-3);
  expect_closed_ledger(scene_text("billiard"), 0.3);
  expect_closed_ledger(scene_text("newtons_cradle"), 0.3);
  expect_closed_ledger(scene_text("bounce_zeno"), 1.6);
  expect_closed_ledger(scene_text("slope_slide"), 0.2);
  expect_closed_ledger(
      "[[body]]\nname = 'b'\nmass = 2\ninertia = [1, 2, 2.5]\nangular_velocity = [1, 2, 3]\n[[force]]\nbody = "
      "'b'\nforce = "
      "[1, 2, 3]\npoint = [0.1, 0.2, 0.3]\ntorque = [0.3, -0.2, 0.1]\naxes = 'body'\nto = 0.5\n[[rod]]\na = "
      "'b'\npoint_b = [0, 0, 1]\n",
      1, 1e-3);
}

TEST(Energy, is_never_gained_from_dry_friction_and_soft_impacts) {
  Simulation sim(scene_text("billiard"));
  double before = sim.energy(), gained = 0;
  sim.run(2000, [&] {
    gained += std::max(0.0, sim.energy() - before - sim.record.ledger.work_friction - sim.record.ledger.work_impact);
    before = sim.energy();
  });
  // What is neither a law's loss is the scheme's: of order dt in the gaps that close within a step, times speeds.
  EXPECT_LT(gained, 1e-3 * 0.5 * 0.17 * 36);
  EXPECT_LT(sim.energy(), 0.5 * 0.17 * 36 + 16 * 0.17 * g * 0.028575);
}

// ------------------------------------------------------------------------------------------------------- stacks

TEST(Stack, of_two_boxes_carries_its_weight) {
  Simulation sim(
      "[[contact]]\nmu = 0.5\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'box'\nposition = [0, 0, "
      "0.1]\n"
      "mass = 2\nshape = { type = 'box', size = [0.2, 0.2, 0.2] }\ncopies = { line = 2, step = [0, 0, 0.2] }\n",
      {.dt = 1e-3});
  sim.run(1000);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_LT((sim.x(b) - Vec3(0, 0, 0.1 + 0.2 * static_cast<double>(b))).norm(), 1e-9);
    // Over a step the impulses on each box balance its weight, to the tolerance of the laws.
    EXPECT_LT((sim.impulse_on(static_cast<int>(b)) - Vec3(0, 0, 2 * g * sim.dt)).norm(), 1e-7 * 4 * g * sim.dt);
  }
}

TEST(Stack, of_ten_boxes_stands) {
  Simulation sim(scene_text("box_stack"));
  int unsolved = 0;
  sim.run(500, [&] { unsolved += sim.record.solver.status != solvers::Status::solved; });
  EXPECT_EQ(unsolved, 0);
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_LT((sim.x(b) - Vec3(0, 0, 0.1 + 0.2 * static_cast<double>(b))).norm(), 1e-8) << b;
    EXPECT_LT(sim.v(b).norm(), 1e-6) << b;
  }
}

// Every body where it was after the time, at rest, all steps solved.
void expect_standing(const std::string& name, double until, std::size_t bodies) {
  Simulation sim(scene_text(name));
  const system::State start = sim.state;
  int unsolved = 0;
  while (sim.state.t < until) {
    sim.step();
    unsolved += sim.record.solver.status != solvers::Status::solved;
  }
  EXPECT_EQ(unsolved, 0) << name;
  double moved = 0, speed = 0;
  for (std::size_t b = 0; b < bodies; ++b) {
    moved = std::max(moved, (sim.x(b) - start.q.x[b]).norm());
    speed = std::max(speed, sim.v(b).norm());
  }
  // Held contacts creep by tol g dt per step at most, of either sign; what is solved to round-off does not at all.
  EXPECT_LT(moved, sim.tol * g * sim.dt * until) << name;
  EXPECT_LT(speed, sim.tol * g) << name;
}

TEST(House, of_cards_stands) { expect_standing("card_house", 1, 7); }

TEST(Pyramid, of_210_boxes_stands) { expect_standing("pyramid", 0.05, 210); }

TEST(Demo, wall_stands_until_the_ball_arrives) { expect_standing("demo", 0.2, 28); }

// Waits for the automatic solver: today 7 of the steps after the blow end above tol (3e-8 for 1e-8).
TEST(Demo, demo_is_solved_through_the_blow) {
  Simulation sim(scene_text("demo"));
  int unsolved = 0;
  double worst = 0;
  while (sim.state.t < 0.4) {
    sim.step();
    unsolved += sim.record.solver.status != solvers::Status::solved;
    worst = std::max(worst, sim.record.solver.errors.scaled);
  }
  EXPECT_EQ(unsolved, 0) << worst;
}

TEST(Stack, of_a_million_kilograms_on_one_stands) {
  // The automatic solver must carry a mass ratio of 1e6. Floor impulse (1e6 + 1) g dt.
  Simulation sim(scene_text("heavy_on_light"));
  int unsolved = 0;
  sim.run(300, [&] { unsolved += sim.record.solver.status != solvers::Status::solved; });
  EXPECT_EQ(unsolved, 0);
  const Vec3 floor = sim.impulse_on(0) + sim.impulse_on(1);
  EXPECT_NEAR(floor.z() / ((1e6 + 1) * g * sim.dt), 1, 1e-7);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_LT((sim.x(b) - Vec3(0, 0, 0.1 + 0.2 * static_cast<double>(b))).norm(), 1e-8) << b;
    EXPECT_LT(sim.v(b).norm(), 1e-6) << b;
  }
}

}  // namespace
}  // namespace vinculum::integrators
