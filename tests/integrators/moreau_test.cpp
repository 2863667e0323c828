// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Moreau's time-stepping against discrete closed forms: bounces, rest, sliding, rolling, applied forces.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using test::epsilon;
using test::num;
using test::pi;
using test::scene_text;
using test::Simulation;

constexpr double g = 9.81;

// ---------------------------------------------------------------------------------------------- elastic bounces

TEST(ElasticBall, keeps_energy_apex_and_period_over_a_hundred_bounces) {
  Simulation sim(scene_text("bounce_elastic"));
  const double dt = sim.dt, h = 1;
  // Nodes of the fall are exact: x_k = h − g (k dt)²/2, v_k = −g k dt. The impact is the first step with
  // x_k + dt v_k < 0; it reverses the velocity and returns to x_k, so that the ascent mirrors the fall and impact j
  // happens in step k + j (2k + 1).
  std::int64_t k = 0;
  auto reaches = [&](std::int64_t i) {
    const double n = static_cast<double>(i);
    return h - g * dt * dt * (0.5 * n * n + n) < 0;
  };
  while (!reaches(k)) ++k;
  const double E = sim.energy();
  double worst = 0, deepest = 0, apex = h, lowest_apex = 2, highest_apex = 0;
  int bounces = 0;
  while (bounces < 100) {
    sim.step();
    worst = std::max(worst, std::abs(sim.energy() - E));
    deepest = std::max(deepest, sim.record.penetration_before);
    apex = std::max(apex, sim.x().z() - 0.1);
    for (const ContactRecord& c : sim.record.contacts) {
      ASSERT_EQ(c.mode, Mode::impact);
      ASSERT_EQ(sim.record.step, k + bounces * (2 * k + 1)) << bounces;
      ++bounces;
      lowest_apex = std::min(lowest_apex, apex);
      highest_apex = std::max(highest_apex, apex);
      apex = 0;
    }
  }
  // 9e4 steps, each rounding E = 10.8 J by at most ε E; signs alternate, 1e3 ε E leaves room.
  EXPECT_LT(worst, 1e3 * epsilon * E);
  EXPECT_EQ(deepest, 0);
  // Energy is kept at the nodes, which miss the apex by at most dt/2: g dt²/8.
  EXPECT_GT(lowest_apex, h - g * dt * dt / 8 - 1e-12);
  EXPECT_LT(highest_apex, h + 1e-12);
}

TEST(ElasticBall, between_two_walls_keeps_its_speed_exactly) {
  const double v = 37;
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[contact]]\ne_N = 1\n[[shape]]\nname = 'floor'\ntype = 'plane'\n"
      "[[shape]]\nname = 'ceiling'\ntype = 'plane'\nposition = [0, 0, 1]\nrotation = { axis = [1, 0, 0], degrees = 180 "
      "}\n"
      "[[body]]\nname = 'ball'\nmass = 1\nposition = [0, 0, 0.4321]\nvelocity = [0, 0, 37]\n"
      "shape = { type = 'sphere', radius = 0.05 }\n",
      {.dt = 1e-3});
  int impacts = 0;
  double worst = 0;
  sim.run(10000, [&] {
    for (const ContactRecord& c : sim.record.contacts) impacts += c.Lambda.x() != 0;
    worst = std::max(worst, std::abs(std::abs(sim.v().z()) - v));
    ASSERT_GE(sim.x().z(), 0.05 - 10 * epsilon);
    ASSERT_LE(sim.x().z(), 0.95 + 10 * epsilon);
  });
  EXPECT_LT(worst, 1e3 * epsilon);  // Λ = 2 m v, p += Λ: rounding at 74 once per impact, 411 impacts
  // 370 m of way over 0.9 m from wall to wall, each impact mistimed by less than a step (4 %).
  EXPECT_NEAR(impacts, 370 / 0.9, 0.04 * 370 / 0.9);
}

// A fall whose last step would end within g dt²/2 below the floor although at its velocity it would stay above: neither
// an impact nor open. theory/stepping.md calls it LANDING and says e = 1 keeps its energy.
TEST(ElasticBall, keeps_its_energy_where_an_inelastic_one_would_land) {
  const double dt = 1e-3;
  for (const double phase : {0.05, 0.25, 0.45}) {
    const double n = 450, h = g * dt * dt * (0.5 * n * n + n + phase);
    Simulation sim(
        "[[contact]]\ne_N = 1\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\nmass = 1\n"
        "position = [0, 0, " +
            num(h + 0.1) + "]\nshape = { type = 'sphere', radius = 0.1 }\n",
        {.dt = dt});
    const double E = sim.energy();
    sim.run(460);
    EXPECT_GT(sim.v().z(), 0) << phase;
    EXPECT_NEAR(sim.energy(), E, 1e3 * epsilon * E) << phase;  // 460 steps, a rounding each
  }
}

// ------------------------------------------------------------------------------------------------------- slopes

TEST(Block, below_the_friction_angle_never_creeps) {
  Simulation sim(scene_text("slope_stick"));
  const Vec3 x = sim.x();
  const double E = sim.energy();
  double worst = 0, speed = 0, penetration = 0;
  sim.run(100000, [&] {
    worst = std::max(worst, (sim.x() - x).norm());
    speed = std::max(speed, sim.v().norm());
    penetration = std::max(penetration, sim.record.penetration);
  });
  EXPECT_LT(worst, 1e-12);  // a creep of the tolerance, 1e-8 g dt per step, would give 1e-3 m
  EXPECT_LT(speed, 1e-12);
  EXPECT_LT(penetration, 1e-8 * sim.system.bodies.size[0]);
  EXPECT_NEAR(sim.energy(), E, 1e-11);
  // The impulses of one step carry the weight: m g cos 20° dt and m g sin 20° dt.
  double normal = 0, tangent = 0;
  for (const ContactRecord& c : sim.record.contacts) normal += c.Lambda.x();
  const double a = 20 * pi / 180;
  tangent = sim.impulse_on(0).dot(Vec3(-std::cos(a), 0, std::sin(a)));
  EXPECT_NEAR(normal / sim.dt, g * std::cos(a), 1e-8 * g);  // tolerance of the laws
  EXPECT_NEAR(tangent / sim.dt, g * std::sin(a), 1e-8 * g);
}

TEST(Block, above_the_friction_angle_slides_at_the_discrete_acceleration) {
  Simulation sim(scene_text("slope_slide"));
  const double a = 20 * pi / 180, acceleration = g * (std::sin(a) - 0.2 * std::cos(a));
  const Vec3 along(std::cos(a), 0, -std::sin(a)), x_0 = sim.x();
  double worst_v = 0, worst_x = 0, worst_turn = 0;
  sim.run(2000, [&] {
    const double t = sim.state.t;
    worst_v = std::max(worst_v, (sim.v() - acceleration * t * along).norm());
    worst_x = std::max(worst_x, (sim.x() - x_0 - 0.5 * acceleration * t * t * along).norm());
    worst_turn = std::max(worst_turn, sim.w().norm());
  });
  // Constant h and linear gap: the scheme is exact. 2000 steps, each at the round-off of the solver.
  EXPECT_LT(worst_v, 1e-12);
  EXPECT_LT(worst_x, 1e-12);
  EXPECT_LT(worst_turn, sim.tol * g * sim.dt / 0.1);  // a step's solve to tol, over the arm of a corner
}

TEST(Block, dropped_on_a_slope_comes_to_rest_and_stays) {
  const double a = 20 * pi / 180;
  const Vec3 x = 0.15 * Vec3(std::sin(a), 0, std::cos(a));  // 0.1 m above the slope
  std::string text = scene_text("slope_stick");
  text.replace(text.find("position = ["), text.find(']', text.find("position = [")) + 1 - text.find("position = ["),
               "position = " + test::vec(x));
  Simulation sim(text);
  sim.run(2000);
  const Vec3 rest = sim.x();
  double worst = 0, speed = 0;
  sim.run(100000, [&] {
    worst = std::max(worst, (sim.x() - rest).norm());
    speed = std::max(speed, sim.v().norm());
  });
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(speed, 1e-12);
  EXPECT_LT(sim.record.penetration, 1e-8 * sim.system.bodies.size[0]);
}

// ------------------------------------------------------------------------------------- rolling, spinning, friction

TEST(Ball, that_slides_ends_rolling_with_five_sevenths_of_its_speed) {
  const double v_0 = 1.3, mu = 0.2, r = 0.1;
  Simulation sim(
      "[[contact]]\nmu = 0.2\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\nmass = 0.7\n"
      "position = [0, 0, 0.1]\nvelocity = [1.3, 0, 0]\nshape = { type = 'sphere', radius = 0.1 }\n",
      {.dt = 1e-3});
  double rolls = 0, worst = 0;
  sim.run(3000, [&] {
    if (rolls == 0 && std::abs(sim.v().x() - r * sim.w().y()) < 1e-9) rolls = sim.state.t;
    // Moment about the line of contact: v + 2/5 r w = v_0 throughout.
    worst = std::max(worst, std::abs(sim.v().x() + 0.4 * r * sim.w().y() - v_0));
    if (rolls == 0) {
      EXPECT_NEAR(sim.v().x(), v_0 - mu * g * sim.state.t, 1e-11);  // exact while it slides
    }
  });
  EXPECT_NEAR(rolls, 2 * v_0 / (7 * mu * g), sim.dt);
  EXPECT_NEAR(sim.v().x(), 5 * v_0 / 7, 1e-12);
  EXPECT_NEAR(r * sim.w().y(), 5 * v_0 / 7, 1e-12);
  EXPECT_LT(worst, 3000 * epsilon * v_0);
  EXPECT_NEAR(sim.kinetic(), 0.5 * 0.7 * 1.4 * std::pow(5 * v_0 / 7, 2), 1e-12);  // 1 + 2/5 = 7/5
}

TEST(Ball, that_spins_about_its_normal_keeps_spinning) {
  Simulation sim(
      "[[contact]]\nmu = 0.5\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\nmass = 1\n"
      "position = [0, 0, 0.1]\nangular_velocity = [0, 0, 20]\nshape = { type = 'sphere', radius = 0.1 }\n");
  sim.run(10000);
  EXPECT_NEAR(sim.w().z(), 20, 1e-11);  // a point has no moment about its normal
  EXPECT_LT(Vec3(sim.x() - Vec3(0, 0, 0.1)).norm(), 1e-11);
}

TEST(Box, spinning_on_its_base_stops_after_its_closed_form) {
  // Four corners at d from the axis, I = m d²/3: dw/dt = −3 μ g/d whatever each corner carries.
  const double d = std::sqrt(0.02), mu = 0.3, w_0 = 10, rate = 3 * mu * g / d;
  Simulation sim(
      "[[contact]]\nmu = 0.3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'box'\nmass = 1\n"
      "position = [0, 0, 0.025]\nangular_velocity = [0, 0, 10]\nshape = { type = 'box', size = [0.2, 0.2, 0.05] }\n",
      {.dt = 1e-3});
  double stops = 0;
  sim.run(400, [&] {
    if (sim.w().z() > rate * sim.dt) {
      EXPECT_NEAR(sim.w().z(), w_0 - rate * sim.state.t, 1e-7 * w_0);  // 200 steps at the tolerance of the laws
    } else if (stops == 0 && std::abs(sim.w().z()) < 1e-9) {
      stops = sim.state.t;
    }
  });
  EXPECT_NEAR(stops, w_0 / rate, 2 * sim.dt);  // the last step is cut short and may be booked one late
  EXPECT_LT(Vec3(sim.x() - Vec3(0, 0, 0.025)).norm(), 1e-8);
}

TEST(Slip, along_a_diagonal_stays_on_its_line) {
  // An isotropic cone has no preferred direction: a block pushed at 37° stops on its line after v²/(2 μ g).
  const double angle = 37 * pi / 180, v = 1, mu = 0.4;
  Simulation sim(
      "[[contact]]\nmu = 0.4\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'box'\nmass = 1\n"
      "position = [0, 0, 0.01]\nvelocity = " +
          test::vec(Vec3(std::cos(angle), std::sin(angle), 0)) +
          "\nshape = { type = 'box', size = [0.2, 0.2, 0.02] }\n",
      {.dt = 1e-3});
  sim.run(1000);
  const Vec3 end = sim.x();
  EXPECT_NEAR(std::atan2(end.y(), end.x()), angle, 1e-8);
  EXPECT_NEAR(end.head<2>().norm(), v * v / (2 * mu * g), mu * g * sim.dt * sim.dt);  // the last step is cut short
  EXPECT_LT(sim.v().norm(), 1e-10);
}

// ----------------------------------------------------------------------------------------------- applied forces

TEST(Force, in_a_window_gives_its_impulse_step_by_step) {
  // It acts in the steps whose middle lies in [from, to): 0.1 <= t_m < 0.3, 200 steps.
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'p'\nparticle = true\nmass = 2\n[[force]]\nbody = 'p'\n"
      "force = [1, -2, 3]\nfrom = 0.1\nto = 0.3\n",
      {.dt = 1e-3});
  const Vec3 a = Vec3(1, -2, 3) / 2;
  double work = 0;
  sim.run(500, [&] {
    const double steps = std::clamp(std::round(sim.state.t / sim.dt) - 100, 0.0, 200.0), t = steps * sim.dt;
    EXPECT_LT((sim.v() - a * t).norm(), 200 * epsilon);
    const double later = std::max(0.0, sim.state.t - 0.3);
    EXPECT_LT((sim.x() - a * (0.5 * t * t + t * later)).norm(), 500 * epsilon);  // midpoint: exact for constant force
    work += sim.record.ledger.work_forces;
  });
  EXPECT_NEAR(work, 0.5 * 2 * a.squaredNorm() * 0.04, 500 * epsilon);
}

TEST(Force, in_body_axes_turns_with_the_body) {
  // A ball spins with w about z; its orientation at the middle of step k is (2k + 1) δ, δ = 2 atan(w dt/4).
  const double w = 5, F = 2, m = 0.5;
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'rocket'\nmass = 0.5\ninertia = [1, 1, 1]\n"
      "angular_velocity = [0, 0, 5]\n[[force]]\nbody = 'rocket'\nforce = [2, 0, 0]\naxes = 'body'\n",
      {.dt = 1e-3});
  const double delta = 2 * std::atan(w * sim.dt / 4);
  const int n = 1000;
  sim.run(n);
  const Vec3 sum(std::sin(2 * n * delta) / (2 * std::sin(delta)), std::pow(std::sin(n * delta), 2) / std::sin(delta),
                 0);
  EXPECT_LT((sim.v() - F / m * sim.dt * sum).norm(), n * epsilon * F / m);
  EXPECT_NEAR(sim.w().z(), w, epsilon);
}

TEST(Force, at_a_point_gives_its_moment) {
  // World axes at the point (0, 1, 0) of a body turning about z only slightly: from rest, one step at a time.
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'b'\nmass = 2\ninertia = [3, 3, 3]\n[[force]]\nbody = 'b'\n"
      "force = [1, 0, 0]\npoint = [0, 1, 0]\n",
      {.dt = 1e-3});
  double angle = 0, w = 0;  // the scheme on one axis
  for (int i = 0; i < 1000; ++i) {
    angle += 2 * std::atan(w * sim.dt / 4);
    const double moment = -std::cos(angle);  // (−sin, cos) × (1, 0)
    w += sim.dt * moment / 3;
    angle += 2 * std::atan(w * sim.dt / 4);
    sim.step();
  }
  EXPECT_NEAR(sim.w().z(), w, 1000 * epsilon);
  EXPECT_NEAR(sim.v().x(), 1.0 / 2, 1000 * epsilon);
}

TEST(Torque, spins_an_isotropic_body_up_linearly) {
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'b'\nmass = 2\ninertia = [3, 3, 3]\n[[force]]\nbody = 'b'\n"
      "torque = [1, 2, -2]\nto = 0.5\n",
      {.dt = 1e-3});
  double work = 0;
  sim.run(1000, [&] { work += sim.record.ledger.work_forces; });
  EXPECT_LT((sim.w() - Vec3(1, 2, -2) * 0.5 / 3).norm(), 500 * epsilon);
  EXPECT_NEAR(work, sim.kinetic(), 500 * epsilon);
}

TEST(Force, holds_a_block_against_friction_until_it_exceeds_it) {
  for (const double push : {0.39, 0.41}) {
    Simulation sim(
        "[[contact]]\nmu = 0.4\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'box'\nmass = 1\n"
        "position = [0, 0, 0.01]\nshape = { type = 'box', size = [0.2, 0.2, 0.02] }\n[[force]]\nbody = 'box'\n"
        "force = [" +
            num(push * g) + ", 0, 0]\n",
        {.dt = 1e-3});
    sim.run(1000);
    EXPECT_NEAR(sim.v().x(), push < 0.4 ? 0 : (push - 0.4) * g, 1e-10);
  }
}

TEST(Particle, falls_and_lies_on_the_floor) {
  Simulation sim(
      "[[contact]]\nmu = 0.4\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'grain'\nparticle = true\n"
      "mass = 1e-3\nposition = [0, 0, 0.05]\nvelocity = [0.1, 0, 0]\nshape = { type = 'sphere', radius = 0.001 }\n",
      {.dt = 1e-3});
  sim.run(3000);
  EXPECT_NEAR(sim.x().z(), 0.001, 0.1 * sim.tol * 0.001);  // what the projection leaves at most
  EXPECT_LT(sim.v().norm(), 1e-9);                         // a particle does not roll: it slides to rest
  EXPECT_EQ(sim.w(), Vec3::Zero());
}

}  // namespace
// A tolerance says how well laws hold, not what is near: a ball that hangs 0.2 mm over the floor is open at every one,
// however fast another flies by (at 1e-1, 4 tol dt v is 0.4 mm).
TEST(Moreau, a_loose_tolerance_makes_no_contacts) {
  for (const double tol : {1e-1, 1e-2, 1e-5}) {
    Simulation sim(
        "[scene]\ngravity = [0, 0, 0]\n[run]\ndt = 1e-3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = "
        "'ball'\ndensity = 1000\nshape = { type = 'sphere', radius = 0.01 }\nposition = [0, 0, 0.0102]\n[[body]]\nname "
        "= 'other'\ndensity = 1000\nshape = { type = 'sphere', radius = 0.01 }\nposition = [0, 0, 1]\nvelocity = [1, "
        "0, "
        "0]\n",
        {.tol = tol});
    sim.step();
    EXPECT_TRUE(sim.record.contacts.empty()) << tol;
  }
}

}  // namespace vinculum::integrators
