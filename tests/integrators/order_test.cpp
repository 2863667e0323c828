// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Constraints that bend: pivoting edges, rocking, curved contact, pendulums. What the scheme promises there is order
// two in energy and position while a contact is held (theory/stepping.md, section 2), order one in the time of an
// event.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using test::num;
using test::order;
using test::pi;
using test::Simulation;
using test::vec;

constexpr double g = 9.81;

// y'' = k sin y from (y, 0) over the time T: classical Runge-Kutta, h = T/4000.
struct Swing {
  double y, rate;
};
Swing swing(double k, double y, double T) {
  const int steps = 4000;
  const double h = T / steps;
  double v = 0;
  for (int i = 0; i < steps; ++i) {
    const double k1 = k * std::sin(y), k2 = k * std::sin(y + h / 2 * v),
                 k3 = k * std::sin(y + h / 2 * v + h * h / 4 * k1), k4 = k * std::sin(y + h * v + h * h / 2 * k2);
    y += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {y, v};
}

// ------------------------------------------------------------------------------------------ pivoting about an edge

// A box of d × 0.1 × h leaning by a about y on the edge at the origin: c = edge + h/2 w − d/2 u.
std::string leaning(double d, double h, double a, double mu) {
  const Vec3 u(std::cos(a), 0, -std::sin(a)), w(std::sin(a), 0, std::cos(a));
  return "[[contact]]\nmu = " + num(mu) +
         "\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'box'\nmass = 1.5\nposition = " +
         vec(0.5 * h * w - 0.5 * d * u) + "\nrotation = { axis = [0, 1, 0], radians = " + num(a) +
         " }\nshape = { type = 'box', size = [" + num(d) + ", 0.1, " + num(h) + "] }\n";
}

double lean_of(const Simulation& sim) {
  const Vec3 w = sim.R() * Vec3::UnitZ();
  return std::atan2(w.x(), w.z());
}

TEST(Rod, pivoting_about_its_edge_is_of_order_two_in_energy_place_and_angle) {
  const double d = 0.1, h = 1, a = 30 * pi / 180, T = 0.3;
  const double rho = 0.5 * std::hypot(d, h), alpha = std::atan2(d, h);
  // Moment of inertia about the edge 4/3 m ρ², angle φ = a − α of the centre: φ'' = 3g/(4ρ) sin φ.
  const double exact = alpha + swing(3 * g / (4 * rho), a - alpha, T).y;
  double energy[3], slip[3], angle[3];
  for (int level = 0; level < 3; ++level) {
    Simulation sim(leaning(d, h, a, 2), {.dt = 2e-3 / (1 << level)});
    const double E = sim.energy();
    energy[level] = slip[level] = 0;
    while (sim.state.t < T - 1e-9) {
      sim.step();
      ASSERT_EQ(sim.record.contacts.size(), 2u) << sim.state.t;  // both ends of the edge, all the time
      energy[level] = std::max(energy[level], std::abs(sim.energy() - E));
      slip[level] = std::max(slip[level], (sim.x() + sim.R() * Vec3(0.5 * d, 0, -0.5 * h)).norm());
    }
    angle[level] = std::abs(lean_of(sim) - exact);
  }
  // 0.2 of room: terms of order three at 2e-3 · 3.8 rad/s, and the threshold tol of the laws.
  for (int level = 0; level < 2; ++level) {
    EXPECT_GT(order(energy[level], energy[level + 1]), 1.8) << energy[level] << ' ' << energy[level + 1];
    EXPECT_GT(order(slip[level], slip[level + 1]), 1.8) << slip[level] << ' ' << slip[level + 1];
    EXPECT_GT(order(angle[level], angle[level + 1]), 1.8) << angle[level] << ' ' << angle[level + 1];
  }
  EXPECT_LT(energy[1], 2e-6);  // of 7 J; theory/stepping.md measured 2e-7 J for its rod at dt = 1e-3
}

TEST(RockingBlock, keeps_housners_part_of_its_energy_at_the_first_impact) {
  // benchmarks.md, section 4: b = 0.1, h = 0.5 (half sizes), θ₀ = α/2.
  const double b = 0.1, h = 0.5, alpha = std::atan2(b, h), p2 = 3 * g / (4 * std::hypot(b, h));
  const double kept = std::pow(1 - 1.5 * std::pow(std::sin(alpha), 2), 2);
  EXPECT_NEAR(kept, 0.88794379, 1e-8);
  const double impact = 0.34709359, rate = 0.64804901;
  for (const double dt : {1e-3, 2.5e-4, 1e-4}) {
    Simulation sim(leaning(2 * b, 2 * h, alpha / 2, 0.8), {.dt = dt});
    double before = 0, t = 0;
    bool found = false;
    while (!found && sim.state.t < 0.5) {
      before = sim.kinetic();
      t = sim.state.t;
      sim.step();
      for (const ContactRecord& c : sim.record.contacts) found = found || c.mode == Mode::impact;
    }
    ASSERT_TRUE(found);
    EXPECT_NEAR(t + 0.5 * dt, impact, dt) << dt;
    // The kinetic energy is compared from node to node: gravity turns the block by p² sin α dt in between, before or
    // after the impact, which changes θ̇⁺² by the part 2 p² sin α dt/θ̇⁺.
    const double rough = 2 * p2 * std::sin(alpha) * dt / (rate * std::sqrt(kept));
    EXPECT_NEAR(sim.kinetic() / before, kept, rough * kept) << dt;
    EXPECT_NEAR(-sim.w().y(), rate * std::sqrt(kept), 2 * p2 * std::sin(alpha) * dt) << dt;
  }
}

TEST(RockingBlock, follows_housners_peaks) {
  const double b = 0.1, h = 0.5, alpha = std::atan2(b, h), dt = 2.5e-4;
  Simulation sim(leaning(2 * b, 2 * h, alpha / 2, 0.8), {.dt = dt});
  const double impacts[] = {0.34709359, 0.95092054, 1.48793964, 1.97207234};
  const double peaks[] = {0.42219345, 0.36096787, 0.31112729};
  std::vector<double> t_impact, peak;
  double highest = 0;
  while (t_impact.size() < 4 && sim.state.t < 2.5) {
    const double lean = lean_of(sim);
    sim.step();
    if (lean * lean_of(sim) <= 0) {
      t_impact.push_back(sim.state.t);
      if (t_impact.size() > 1) peak.push_back(highest / alpha);
      highest = 0;
    }
    highest = std::max(highest, std::abs(lean_of(sim)));
  }
  ASSERT_EQ(t_impact.size(), 4u);
  // Each impact takes the part 4.4 dt too much of the rate (test above), 8.8 dt of the energy. A peak is
  // φ = 1 − √(1 − c), c the energy over that of upright balance: dφ = c/(2 (1 − φ)) · 8.8 dt, at most 5 dt per impact
  // at φ <= 0.43. A half swing lasts 2/p arccosh 1/(1 − φ), whose slope there is 1.1 s: 5.6 dt for each impact before
  // it.
  for (std::size_t i = 0; i < 4; ++i) {
    const double n = static_cast<double>(i);
    EXPECT_NEAR(t_impact[i], impacts[i], (1 + n + 5.6 * n * (n + 1) / 2) * dt) << i;
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(peak[i], peaks[i], static_cast<double>(i + 1) * 5 * dt) << i;
}

// ------------------------------------------------------------------------------------------------ curved contact

// A point-like ball sliding without friction on a fixed ball, from rest at the angle θ₀ from the top.
std::string on_a_dome(double theta) {
  return "[[shape]]\nname = 'dome'\ntype = 'sphere'\nradius = 1\n[[body]]\nname = 'bead'\nparticle = true\nmass = 1\n"
         "position = " +
         vec(1.1 * Vec3(std::sin(theta), 0, std::cos(theta))) + "\nshape = { type = 'sphere', radius = 0.1 }\n";
}

TEST(Bead, sliding_on_a_dome_is_of_order_two_in_energy_and_angle) {
  const double theta = 0.3, L = 1.1, T = 0.4;
  const double exact = swing(g / L, theta, T).y;
  double energy[3], lift[3], angle[3];
  for (int level = 0; level < 3; ++level) {
    Simulation sim(on_a_dome(theta), {.dt = 4e-3 / (1 << level)});
    const double E = sim.energy();
    energy[level] = lift[level] = 0;
    while (sim.state.t < T - 1e-9) {
      sim.step();
      energy[level] = std::max(energy[level], std::abs(sim.energy() - E));
      lift[level] = std::max(lift[level], std::abs(sim.x().norm() - L));
    }
    angle[level] = std::abs(std::atan2(sim.x().x(), sim.x().z()) - exact);
  }
  for (int level = 0; level < 2; ++level) {
    EXPECT_GT(order(energy[level], energy[level + 1]), 1.8) << energy[level] << ' ' << energy[level + 1];
    EXPECT_GT(order(lift[level], lift[level + 1]), 1.8) << lift[level] << ' ' << lift[level + 1];
    EXPECT_GT(order(angle[level], angle[level + 1]), 1.8) << angle[level] << ' ' << angle[level + 1];
  }
}

TEST(Bead, leaves_the_dome_at_two_thirds_of_its_height) {
  const double theta = 0.2, L = 1.1, leave = 2.0 / 3 * std::cos(theta);
  const double rate = std::sqrt(g * leave / L) * std::sqrt(1 - leave * leave);  // of cos θ there
  for (const double dt : {4e-3, 2e-3, 1e-3, 5e-4, 1e-4}) {
    Simulation sim(on_a_dome(theta), {.dt = dt});
    double last = 1;
    while (sim.state.t < 1.2) {
      sim.step();
      for (const ContactRecord& c : sim.record.contacts) {
        if (c.Lambda.x() > 0) last = sim.x().z() / sim.x().norm();
      }
    }
    // The last step that pushes is known to one step, the speed there to order two.
    EXPECT_NEAR(last, leave, 2 * rate * dt) << dt;
  }
}

TEST(Ball, rolling_off_a_dome_leaves_at_ten_seventeenths) {
  // Rolling without slip: 7/10 v² = g L (cos θ₀ − cos θ), N = 0 at v² = g L cos θ: cos θ = 10/17 cos θ₀.
  // Near there N -> 0 and any finite μ slips; with μ = 100 the last part of the way is shorter than the tolerance.
  const double theta = 0.3, L = 1.1, leave = 10.0 / 17 * std::cos(theta);
  const double rate = std::sqrt(g * leave / L) * std::sqrt(1 - leave * leave);
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    std::string text = on_a_dome(theta);
    text.replace(text.find("particle = true\n"), 16, "");
    Simulation sim("[[contact]]\nmu = 100\n" + text, {.dt = dt});
    double last = 1;
    while (sim.state.t < 1.2 && sim.x().z() > 0) {
      sim.step();
      for (const ContactRecord& c : sim.record.contacts) {
        if (c.Lambda.x() > 0) last = sim.x().z() / sim.x().norm();
      }
    }
    EXPECT_NEAR(last, leave, 2 * rate * dt + 1e-3) << dt;
  }
}

// A bead without friction on the leading face of a heavy board that turns with w: x'' = w² x along the board,
// x = x₀ cosh wt + u/w sinh wt; it is pressed against the face with m (2 w x' − w² h) > 0. Seen from the bead the face
// comes nearer all the time (g̈ < 0), as in a bowl or a drum; on the dome it goes away.
struct BoardRun {
  double error = 0, height = 0, shift = 0;
  int impacts = 0, others = 0;
};
BoardRun ride_board(double dt, double e_N) {
  const double w = 2, u = 1, x_0 = 0.3, h = 0.07, T = 0.8;
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[contact]]\ne_N = " + num(e_N) +
          "\n[[body]]\nname = 'board'\nmass = 1e9\ninertia = [1e9, 1e9, 1e9]\nangular_velocity = [0, -2, 0]\n"
          "shape = { type = 'box', size = [8, 1, 0.1] }\n[[body]]\nname = 'bead'\nparticle = true\nmass = 1\nposition "
          "= " +
          vec(Vec3(x_0, 0, h)) + "\nvelocity = " + vec(Vec3(u - w * h, 0, w * x_0)) +
          "\nshape = { type = 'sphere', radius = 0.02 }\n",
      {.dt = dt});
  BoardRun run;
  while (sim.state.t < T - 1e-9) {
    sim.step();
    for (const ContactRecord& c : sim.record.contacts) {
      if (c.mode != Mode::projected) ++(c.mode == Mode::impact ? run.impacts : run.others);
    }
    run.shift = std::max(run.shift, sim.record.shift);
  }
  const Vec3 x = sim.R(0).conjugate() * (sim.x(1) - sim.x(0));
  run.error = std::abs(x.x() - x_0 * std::cosh(w * T) - u / w * std::sinh(w * T));  // recoil of the board: 1e-9 of it
  run.height = std::abs(x.z() - h);
  return run;
}

TEST(Bead, on_a_turning_board_converges) {
  const BoardRun coarse = ride_board(2e-3, 0), fine = ride_board(1e-3, 0);
  EXPECT_GT(order(coarse.error, fine.error), 0.9) << coarse.error << ' ' << fine.error;
  EXPECT_LT(fine.height, 1e-8);
}

TEST(Curved, bead_on_a_turning_board_is_held_and_of_order_two) {
  for (const double e_N : {0.0, 0.9}) {
    const BoardRun coarse = ride_board(2e-3, e_N), fine = ride_board(1e-3, e_N);
    EXPECT_EQ(fine.impacts, 0) << e_N;
    EXPECT_GT(order(coarse.error, fine.error), 1.8) << coarse.error << ' ' << fine.error;
    EXPECT_LT(fine.shift, 1e-8);
  }
}

// ----------------------------------------------------------------------------------------------------- pendulums

const std::string pendulum =
    "[run]\ntol = 1e-9\n[[body]]\nname = 'bob'\nparticle = true\nmass = 1\nposition = [1, 0, 0]\n[[rod]]\na = 'bob'\n";

TEST(Pendulum, has_the_period_of_the_elliptic_integral) {
  const double period = 4 * std::sqrt(1 / g) * std::comp_ellint_1(std::sqrt(0.5));  // from 90°
  EXPECT_NEAR(period, 2.367841948, 1e-9);                                           // benchmarks.md, section 9, A01
  double error[3];
  for (int level = 0; level < 3; ++level) {
    Simulation sim(pendulum, {.dt = 2e-3 / (1 << level)});
    int turns = 0;
    double t = 0;
    while (turns < 5) {
      const double before = sim.v().z(), then = sim.state.t;
      sim.step();
      // On the right, the bob stops rising: v_z passes zero downwards.
      if (sim.x().x() > 0 && before > 0 && sim.v().z() <= 0) {
        t = then + sim.dt * before / (before - sim.v().z());
        ++turns;
      }
    }
    error[level] = std::abs(t / 5 - period);
  }
  EXPECT_GT(order(error[0], error[1]), 1.8) << error[0] << ' ' << error[1];
  EXPECT_GT(order(error[1], error[2]), 1.8) << error[1] << ' ' << error[2];
  EXPECT_LT(error[1], 1e-5);  // (w dt)² T/24 with w = 4.4 rad/s at the bottom gives 2e-6 at dt = 1e-3
}

TEST(Pendulum, keeps_its_length_and_loses_energy_at_order_three_only) {
  double loss[2];
  for (int level = 0; level < 2; ++level) {
    Simulation sim(pendulum, {.dt = 4e-3 / (1 << level)});
    const double E = sim.energy();
    double length = 0, peak = -1e300;
    while (sim.state.t < 48) {  // 20 periods
      sim.step();
      length = std::max(length, std::abs(sim.x().norm() - 1));
      if (sim.state.t > 45) peak = std::max(peak, sim.energy() - E);
    }
    EXPECT_LT(length, 1e-10);  // a tenth of tol, which is what the projection aims at
    EXPECT_LT(peak, 0);        // it is a loss: the best moment of a late period is below the start
    loss[level] = -peak;
  }
  EXPECT_GT(order(loss[0], loss[1]), 2.7) << loss[0] << ' ' << loss[1];
}

TEST(Pendulum, as_a_rigid_bar_on_a_rod_keeps_its_spin_about_the_rod) {
  // A ball hung at its centre swings like a point and keeps the spin it has.
  Simulation sim(
      "[run]\ntol = 1e-9\n[[body]]\nname = 'ball'\nmass = 1\nposition = [0.6, 0, -0.8]\nangular_velocity = [3, 4, 5]\n"
      "shape = { type = 'sphere', radius = 0.1 }\n[[rod]]\na = 'ball'\n",
      {.dt = 1e-3});
  const Vec3 l = sim.state.l[0];
  sim.run(1000);
  EXPECT_LT((sim.state.l[0] - l).norm(), 1e-14 * l.norm());
  EXPECT_LT(std::abs(sim.x().norm() - 1), 1e-10);
}

TEST(DoublePendulum, is_of_order_two_in_energy) {
  const std::string text =
      "[run]\ntol = 1e-9\n[[body]]\nname = 'upper'\nparticle = true\nmass = 1\nposition = [1, 0, 0]\n[[body]]\nname = "
      "'lower'\n"
      "particle = true\nmass = 0.5\nposition = [2, 0, 0]\n[[rod]]\na = 'upper'\n[[rod]]\na = 'upper'\nb = 'lower'\n";
  double error[3];
  for (int level = 0; level < 3; ++level) {
    Simulation sim(text, {.dt = 1e-3 / (1 << level)});
    const double E = sim.energy();
    error[level] = 0;
    while (sim.state.t < 1 - 1e-9) {
      sim.step();
      error[level] = std::max(error[level], std::abs(sim.energy() - E));
    }
    EXPECT_LT(std::abs(sim.x(0).norm() - 1), 1e-10);
    EXPECT_LT(std::abs((sim.x(1) - sim.x(0)).norm() - 1), 1e-10);
  }
  EXPECT_GT(order(error[0], error[1]), 1.8) << error[0] << ' ' << error[1];
  EXPECT_GT(order(error[1], error[2]), 1.8) << error[1] << ' ' << error[2];
}

TEST(ConicalPendulum, circles_at_its_rate) {
  // At the angle a: w² = g/(l cos a). The scheme on a circle turns by a constant angle per step: radius and height
  // stay.
  const double a = 0.5, w = std::sqrt(g / std::cos(a));
  Simulation sim("[run]\ntol = 1e-9\n[[body]]\nname = 'bob'\nparticle = true\nmass = 1\nposition = " +
                     vec(Vec3(std::sin(a), 0, -std::cos(a))) + "\nvelocity = " + vec(Vec3(0, w * std::sin(a), 0)) +
                     "\n[[rod]]\na = 'bob'\n",
                 {.dt = 1e-3});
  const double T = 2 * pi / w;
  double angle = 0, height = 0;
  while (sim.state.t < 5 * T) {
    const Vec3 before = sim.x();
    sim.step();
    angle += std::atan2(before.cross(sim.x()).z(), before.head<2>().dot(sim.x().head<2>()));
    height = std::max(height, std::abs(sim.x().z() + std::cos(a)));
  }
  // Errors of order (w dt)² = 1.1e-5, times a constant of size one.
  EXPECT_NEAR(angle / sim.state.t, w, w * std::pow(w * sim.dt, 2));
  EXPECT_LT(height, std::pow(w * sim.dt, 2));
}

}  // namespace
}  // namespace vinculum::integrators
