// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of theory/moreau-1989.md, section 4, tests 1-3, 6, 7 (15 is in audit/tamper_test.cpp).
//
// A computed motion is itself a motion by percussions: the velocity is a step function that jumps at the middle t_m of
// each step by h dt + Λ, the position is continuous and piecewise linear with its kinks at q_m (and, for an inelastic
// impact inside a step, a small position atom at the node, which the weak balance below must include). So the weak form
//   −∫ u (u·∇φ) dθ = −Σ_arcs v [φ]_arc = Σ_m (h dt + Λ) φ(t_m, x_m)
// holds to round-off for every test function, and tends to Moreau's numbers.
#include "support/simulate.hpp"

namespace vinculum::test {
namespace {

double psi(double t) { return std::abs(t) < 1 ? (1 - t * t) * (1 - t * t) : 0; }

// A ball as a mass point over the floor x >= 0, height = that of its lowest point. t_0 is the date of the first state.
struct Drop {
  static constexpr double radius = 0.25;
  static std::string text(double height, double velocity, double gravity, double e) {
    return fmt::format(
        "[scene]\ngravity = [0, 0, {:.17g}]\n[[contact]]\ne_N = {:.17g}\n[[shape]]\nname = 'floor'\ntype = 'plane'\n"
        "[[body]]\nname = 'ball'\nparticle = true\nmass = 1\nposition = [0, 0, {:.17g}]\nvelocity = [0, 0, {:.17g}]\n"
        "shape = {{ type = 'sphere', radius = {} }}\n",
        -gravity, e, height + radius, velocity, radius);
  }
};

struct Atom {
  double t, Lambda;  // middle of the step; impulse
  Mode mode;
  double v_minus, v_plus;  // velocities at the nodes around
};

// Runs until t_end and returns every step's impulse; `weak` receives both sides of the weak balance with φ(t, x).
struct Weak {
  double left = 0, right = 0, teleport = 0;
};
template <class TestFunction>
std::vector<Atom> follow(Simulation& sim, double t_0, double t_end, double gravity, TestFunction phi, Weak& weak) {
  std::vector<Atom> atoms;
  const double half = 0.5 * sim.dt;
  while (t_0 + sim.state.t < t_end - half) {
    const double t = t_0 + sim.state.t, x = sim.x().z() - Drop::radius, v = sim.v().z();
    sim.step();
    const double x_1 = sim.x().z() - Drop::radius, v_1 = sim.v().z();
    const double x_m = x + half * v, x_star = x_m + half * v_1;
    double Lambda = 0;
    Mode mode = Mode::held;
    for (const ContactRecord& c : sim.record.contacts) {
      Lambda += c.Lambda.x();
      if (c.mode != Mode::projected) mode = c.mode;
    }
    if (Lambda != 0) atoms.push_back({t + half, Lambda, mode, v, v_1});
    weak.left -= v * (phi(t + half, x_m) - phi(t, x)) + v_1 * (phi(t + sim.dt, x_star) - phi(t + half, x_m));
    weak.right += (Lambda - gravity * sim.dt) * phi(t + half, x_m);
    weak.teleport += std::abs(x_1 - x_star);
    weak.left += v_1 * (phi(t + sim.dt, x_star) - phi(t + sim.dt, x_1));  // so that arcs join: the position atom
    weak.right += v_1 * (phi(t + sim.dt, x_star) - phi(t + sim.dt, x_1));
  }
  return atoms;
}

TEST(Moreau1989, test_1_a_percussion_is_one_atom_of_three_quarters) {
  // p = −t/2 before, t/4 after: e = 1/2; touches at t = 0, the middle of a step.
  const double dt = 1.0 / 512, t_0 = -1.5 * 512.0 / 512 - 0.5 * dt;
  Simulation sim(Drop::text(-0.5 * t_0, -0.5, 0, 0.5), {.dt = dt});
  Weak weak;
  auto phi = [](double t, double x) { return std::abs(x) < 1 ? psi(t) * (1 - x * x) * (1 - x * x) : 0.0; };
  const std::vector<Atom> atoms = follow(sim, t_0, 1.5, 0, phi, weak);
  ASSERT_EQ(atoms.size(), 1u);
  EXPECT_EQ(atoms[0].t, 0);  // powers of two: exact
  EXPECT_EQ(atoms[0].mode, Mode::impact);
  EXPECT_NEAR(atoms[0].Lambda, 0.75, 2 * epsilon);
  EXPECT_NEAR(weak.right, 0.75, 2 * epsilon);          // φ(0, 0) = 1
  EXPECT_NEAR(weak.left, weak.right, 1536 * epsilon);  // a rounding per step
  EXPECT_EQ(sim.v().z(), 0.25);
  // With F = δ/2 instead the residual is 1/4.
  EXPECT_NEAR(weak.left - 0.5 * phi(0, 0), 0.25, 1536 * epsilon);
}

TEST(Moreau1989, test_2_the_weak_balance_of_a_bouncing_ball) {
  // g = 1, dropped at t = −1 from 1/2, impact at t = 0: <(div C)¹, ψζ> = e − 1/15.
  for (const double e : {0.5, 0.75, 1.0}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const double dt = 1.0 / (512 << level);
      Simulation sim(Drop::text(0.5, 0, 1, e), {.dt = dt});
      Weak weak;
      const auto atoms = follow(
          sim, -1, 1, 1, [](double t, double) { return psi(t); }, weak);
      EXPECT_NEAR(weak.left, weak.right, 1024 * 2 * epsilon);
      // The impact is the step that begins with speed v at the floor: Λ = (1 + e) v + g dt, which undoes that step's
      // own kick. v = 1 − dt or 1: the floor is reached in the step that begins at −dt, or exactly at the node 0.
      ASSERT_FALSE(atoms.empty());
      const auto impact =
          std::find_if(atoms.begin(), atoms.end(), [](const Atom& a) { return a.mode == Mode::impact; });
      ASSERT_NE(impact, atoms.end());
      EXPECT_NEAR(impact->t, 0, 0.5 * dt + epsilon);
      EXPECT_NEAR(impact->Lambda, (1 + e) * std::abs(impact->v_minus) + dt, 4 * epsilon);
      EXPECT_NEAR(-impact->v_minus, 1, dt + epsilon);
      error[level] = std::abs(weak.left - (e - 1.0 / 15));
      // v off by g dt, hence (1 + e) g dt, and one kick g dt undone; the same again at the next impact near t = 1,
      // where ψ is O(dt²).
      EXPECT_LT(error[level], (2 + e) * dt) << e;
    }
    EXPECT_LT(error[1], 0.6 * error[0] + 1e-12) << e;  // order one
  }
}

TEST(Moreau1989, test_3_zeno_atoms_follow_the_geometric_series_and_the_ball_comes_to_rest) {
  // e = 1/2: atoms 3/2, 3/4, 3/8, ... at t = 0, 1, 3/2, ...; rest at 2; their sum 3 m √(2 g h); then density +1.
  const double dt = 1.0 / 4096, e = 0.5;
  Simulation sim(Drop::text(0.5, 0, 1, e), {.dt = dt});
  Weak weak;
  const auto atoms = follow(
      sim, -1, 2.5, 1, [](double, double) { return 1.0; }, weak);
  double t = 0, v = 1, sum = 0;
  int n = 0;
  for (const Atom& atom : atoms) {
    if (atom.mode != Mode::impact) continue;
    sum += atom.Lambda - dt;  // without the weight of the step
    if (v > 16 * dt) {        // flights of more than 32 steps
      // Each impact is booked in the middle of the step it happens in: late or early by less than dt, and so is the
      // start of the next flight; its speed is off by at most g dt, which changes the flight time 2 v/g by 2 dt.
      EXPECT_NEAR(atom.t, t, 3 * (n + 1) * dt) << n;
      EXPECT_NEAR(atom.Lambda, (1 + e) * v, 3 * dt) << n;
    }
    ++n;
    v *= e;
    t += 2 * v;
  }
  EXPECT_GT(n, 8);
  EXPECT_NEAR(sum, 3, 3 * n * dt);  // 3 m √(2 g h), each atom off by at most 3 g dt
  // Rest: below the last resolved bounce every two steps halve the speed, until it is under the threshold of the modes,
  // tol g dt; the Zeno point is 2, each resolved bounce is late by less than three steps.
  const double halvings = std::log2(1 / (sim.tol * dt));
  const double rest = 2 + (2 * halvings + 3 * n) * dt;
  ASSERT_LT(rest, 2.4);
  for (const Atom& atom : atoms) {
    if (atom.t > rest) {
      EXPECT_EQ(atom.mode, Mode::held);
      EXPECT_NEAR(atom.Lambda, dt, 2 * sim.tol * dt);  // density +1: it lies on the floor, to the tolerance of the law
    }
  }
  EXPECT_NEAR(sim.x().z(), Drop::radius, 0.1 * sim.tol * Drop::radius);  // what the projection leaves at most
  EXPECT_NEAR(sim.v().z(), 0, sim.tol * dt);
}

TEST(Moreau1989, zeno_at_scale_has_the_atom_sum_of_its_closed_form) {
  // Any m, g, h, e: the atoms add up to m √(2 g h) (1 + e)/(1 − e), and the ball rests at √(2h/g)(1 + e)/(1 − e).
  const double m = 2.5, g = 9.81, h = 1;
  for (const double e : {0.3, 0.5, 0.8}) {
    const double dt = 1e-4, v = std::sqrt(2 * g * h);
    std::string text = Drop::text(h, 0, g, e);
    text.replace(text.find("mass = 1"), 8, "mass = 2.5");
    Simulation sim(text, {.dt = dt});
    const double end = std::sqrt(2 * h / g) * (1 + e) / (1 - e);
    double sum = 0;
    int n = 0;
    double last_impact = 0;
    while (sim.state.t < end + 0.5) {
      sim.step();
      for (const ContactRecord& c : sim.record.contacts) {
        if (c.mode != Mode::impact) continue;
        sum += c.Lambda.x() - m * g * dt;
        last_impact = sim.state.t;
        ++n;
      }
    }
    // An impact is off by at most 3 g dt in speed (see test 3), the errors of all later ones follow from it with
    // factors e, e², ...: n m 3 g dt/(1 − e) in all.
    EXPECT_NEAR(sum, m * v * (1 + e) / (1 - e), 3 * n * m * g * dt / (1 - e)) << e;
    EXPECT_NEAR(last_impact, end, 0.5) << e;
    EXPECT_NEAR(sim.v().z(), 0, sim.tol * g * dt) << e;                         // τ_v of a ball at rest
    EXPECT_NEAR(sim.x().z(), Drop::radius, 0.1 * sim.tol * Drop::radius) << e;  // what the projection leaves at most
  }
}

// Test 6: a disc r <= 1 is not convex from inside; its tangent plane at the point of impact has the same percussion.
std::string inclined(double e) {
  // Inward normal −N, N = (√3/2, 0, 1/2); the touching point of a ball of radius 1/8 there.
  const Vec3 N(std::sqrt(3.0) / 2, 0, 0.5);
  const Vec3 centre = N - 0.125 * N;
  const double dt = 1.0 / 1024;
  const Vec3 start = centre - Vec3(10.5 * dt, 0, 0);  // touches in the middle of step 10
  // z of the plane's frame is −N: turned about y by 240°: (sin, 0, cos) = (−√3/2, 0, −1/2).
  return fmt::format(
      "[scene]\ngravity = [0, 0, 0]\n[[contact]]\ne_N = {}\n[[shape]]\nname = 'rim'\ntype = 'plane'\nposition = {}\n"
      "rotation = {{ axis = [0, 1, 0], degrees = 240 }}\n[[body]]\nname = 'point'\nparticle = true\nmass = 1\n"
      "position = {}\nvelocity = [1, 0, 0]\nshape = {{ type = 'sphere', radius = 0.125 }}\n",
      e, vec(N), vec(start));
}

TEST(Moreau1989, test_6_oblique_impact_elastic_and_soft) {
  for (const bool elastic : {true, false}) {
    Simulation sim(inclined(elastic ? 1 : 0), {.dt = 1.0 / 1024});
    sim.run(10);
    EXPECT_EQ(sim.v(), Vec3(1, 0, 0));
    sim.step();
    const Vec3 expected = elastic ? Vec3(-0.5, 0, -std::sqrt(3.0) / 2) : Vec3(0.25, 0, -std::sqrt(3.0) / 4);
    EXPECT_LT((sim.v() - expected).norm(), 8 * epsilon);  // n itself is rounded
    ASSERT_EQ(sim.record.contacts.size(), 1u);
    EXPECT_EQ(sim.record.contacts[0].mode, Mode::impact);
    EXPECT_NEAR(sim.record.contacts[0].Lambda.x(), (elastic ? 2 : 1) * std::sqrt(3.0) / 2, 4 * epsilon);
    EXPECT_NEAR(sim.record.ledger.work_impact, elastic ? 0 : -3.0 / 8, 4 * epsilon);  // energy lost
    EXPECT_NEAR(sim.kinetic(), elastic ? 0.5 : 0.125, 4 * epsilon);
    // Frictionless: the tangential part is kept, angular momentum about the disc's centre is −1/2.
    EXPECT_NEAR(sim.x().cross(sim.v()).y(), Vec3(0, 0, 0.5 - 0.5 * 0.125).cross(Vec3(1, 0, 0)).y(), 2e-3);
  }
}

// Test 7: a capsule of axis length 2l: its lowest point is straight below the centre of its end, so that the arm of the
// impulse is l cos a whatever its radius.
TEST(Moreau1989, test_7_rod_meets_the_floor_with_one_end) {
  const double m = 1.7, l = 0.6, J = m * l * l / 3, r = 0.05, a = pi / 3, dt = 1.0 / 1024;
  for (const bool elastic : {false, true}) {
    const double height = l * std::sin(a) + r + 3.5 * dt;  // touches in the middle of step 3
    const std::string text = fmt::format(
        "[scene]\ngravity = [0, 0, 0]\n[[contact]]\ne_N = {}\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\n"
        "name = 'rod'\nmass = {}\ninertia = [{:.17g}, {:.17g}, {:.17g}]\nposition = [0, 0, {:.17g}]\n"
        "rotation = {{ axis = [0, 1, 0], degrees = 30 }}\nvelocity = [0, 0, -1]\n"
        "shape = {{ type = 'capsule', radius = {}, length = {} }}\n",
        elastic ? 1 : 0, m, J, J, 1e-3 * J, height, r, 2 * l);
    Simulation sim(text, {.dt = dt});
    sim.run(3);
    EXPECT_EQ(sim.v(), Vec3(0, 0, -1));
    sim.step();
    ASSERT_EQ(sim.record.contacts.size(), 1u);
    const ContactRecord& c = sim.record.contacts[0];
    EXPECT_EQ(c.mode, Mode::impact);
    EXPECT_NEAR(c.gap, 0, 4 * epsilon);
    // λ = 4m/7 (soft), twice that (elastic). Conditioning: 1/m + (l cos a)²/J = 7/(4m).
    EXPECT_NEAR(c.Lambda.x(), (elastic ? 8 : 4) * m / 7, 16 * epsilon);
    const Vec3 v = sim.v();
    EXPECT_LT((v - Vec3(0, 0, elastic ? 1.0 / 7 : -3.0 / 7)).norm(), 16 * epsilon);
    // The angle a of the rod falls at 6/(7l) or 12/(7l): a turn about +y. w is read at the node, half a step of free
    // flight after the impact; a rod spinning about a principal axis keeps it.
    EXPECT_LT((sim.w() - Vec3(0, (elastic ? 12 : 6) / (7 * l), 0)).norm(), 64 * epsilon);
    EXPECT_NEAR(sim.kinetic(), elastic ? m / 2 : 3 * m / 14, 32 * epsilon);
    EXPECT_NEAR(sim.record.ledger.work_impact, elastic ? 0 : 3 * m / 14 - m / 2, 32 * epsilon);
  }
}

}  // namespace
}  // namespace vinculum::test
