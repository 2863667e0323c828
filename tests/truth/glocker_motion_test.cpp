// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Glocker (1998): motions of theory/glocker-1998.md, run by the midpoint step on the scenes of scenes/glocker. Expected
// values are closed forms. With constant forces the midpoint rule is exact at the nodes, so that only round-off remains
// until the first event; an event falls into the step that contains it.
#include "support/simulate.hpp"
#include "vinculum/integrators/lagrangian_step.hpp"

#include <algorithm>

namespace vinculum::test {
namespace {

constexpr double round_off = 1e-11;  // of numbers of order 1 after some thousand steps

/// A scene of scenes/glocker, with some of its text replaced.
struct Motion : Simulation {
  explicit Motion(const std::string& name, const SimulationSettings& chosen = {},
                  const std::vector<std::pair<std::string, std::string>>& edits = {})
      : Simulation(edited(scene_text("glocker/" + name), edits), chosen) {}

  static std::string edited(std::string text, const std::vector<std::pair<std::string, std::string>>& edits) {
    for (const auto& [from, to] : edits) {
      const auto at = text.rfind(from);  // comments stand first
      if (at == std::string::npos) throw std::logic_error("no " + from);
      text.replace(at, from.size(), to);
    }
    return text;
  }
  double q(Eigen::Index i = 0) const { return state.lagrangian_q[i]; }
  double u(Eigen::Index i = 0) const { return state.lagrangian_u[i]; }
  double t() const { return state.t; }
  double energy() const { return motion::energy(system, state).total(); }
  /// What the law did in the last step; nullptr: nothing.
  const ContactRecord* law(const std::string& name) const {
    const auto& laws = system.lagrangian->laws();
    for (const ContactRecord& contact : record.contacts) {
      if (laws[static_cast<std::size_t>(contact.shape_b)].name == name) return &contact;
    }
    return nullptr;
  }
  /// Mean force of the law over the last step, row by row.
  Vec3 force(const std::string& name) const {
    const ContactRecord* contact = law(name);
    return contact ? Vec3(contact->Lambda / dt) : Vec3::Zero();
  }
};

/// Steps until the law takes part as an impact; the velocity just before.
double fall(Motion& ball) {
  double before = 0;
  do {
    before = ball.u();
    ball.step();
  } while (ball.t() < 2 && !(ball.law("floor") && ball.law("floor")->mode == Mode::impact));
  return before;
}

// 4: falls 5 m under g = 10: t = 1, u⁻ = −10, F = m (1 + e) 10.
TEST(GlockerMotion, test_4_a_ball_falls_for_one_second) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Motion ball("bounce", {}, {{"e = 0.5", "e = " + num(e)}});
    const double u_minus = fall(ball);
    EXPECT_NEAR(ball.t(), 1, ball.dt * (1 + 1e-9));
    EXPECT_NEAR(u_minus, -10, 10 * ball.dt * (1 + 1e-9));
    EXPECT_NEAR(ball.law("floor")->Lambda.x(), (1 + e) * -u_minus + 10 * ball.dt, round_off);  // F, and its weight
    EXPECT_NEAR(ball.u(), -e * u_minus, round_off);
  }
}

// The bounces take 1 s, then 2 e, 2 e², ...: 1 + 2 e/(1 − e) = 3 s. In the scheme each impact costs up to two steps
// more; bounces shorter than a step begin with k = 11, 2 · 0.5^k < dt, and from there on, u < g dt, each impact takes
// half of the rest until tol = 2^−27 of it is left.
TEST(GlockerMotion, test_4_a_ball_with_half_restitution_rests_from_three_seconds_on) {
  Motion ball("bounce");
  double last_bounce = 0, last_motion = 0, highest = 0;
  while (ball.t() < 4 - 0.5 * ball.dt) {
    ball.step();
    EXPECT_GE(ball.q(), -round_off);
    if (std::abs(ball.u()) > 10 * ball.dt) last_bounce = ball.t();
    if (std::abs(ball.u()) > 1e-9 || ball.q() > 1e-9) last_motion = ball.t();
    if (ball.t() > 1.1 && ball.t() < 1.9) highest = std::max(highest, ball.q());
  }
  EXPECT_NEAR(highest, 1.25, 5e-3);  // (e · 10)²/(2 g), sampled at the nodes and up to one step late
  EXPECT_NEAR(last_bounce, 3, 2 * 11 * ball.dt);
  EXPECT_LT(last_motion, 3 + 2 * (11 + 27) * ball.dt);
  EXPECT_NEAR(ball.force("floor").x(), 10, 1e-9);
}

TEST(GlockerMotion, test_4_a_ball_with_full_restitution_keeps_its_energy) {
  Motion ball("bounce", {}, {{"e = 0.5", "e = 1"}});
  int impacts = 0;
  while (ball.t() < 10) {
    ball.step();
    impacts += ball.law("floor") && ball.law("floor")->Lambda.x() > 1;
    EXPECT_NEAR(ball.energy(), 50, 50 * 1e-10) << ball.t();
  }
  EXPECT_EQ(impacts, 5);  // at 1, 3, 5, 7, 9 s
}

// 7: stops at t = u/(μ g) = 1 s, x = u²/(2 μ g) = 1.5; a⁻ = −3, a⁺ = 0, u continuous.
TEST(GlockerMotion, test_7_a_block_stops_without_a_jump) {
  Motion block("sliding_block");
  double before = block.u();
  while (block.t() < 2) {
    block.step();
    const double a = (block.u() - before) / block.dt;
    EXPECT_LE(std::abs(a), 3 * (1 + 1e-9)) << block.t();
    if (block.t() <= 1 + 0.5 * block.dt) {
      EXPECT_NEAR(block.u(), 3 * (1 - block.t()), round_off);
      EXPECT_NEAR(block.q(), 3 * block.t() * (1 - 0.5 * block.t()), round_off);
      EXPECT_NEAR(block.force("ground").x(), -6, 1e-8);
    } else {
      EXPECT_NEAR(block.u(), 0, round_off);
      EXPECT_NEAR(block.q(), 1.5, round_off);
      EXPECT_NEAR(block.force("ground").x(), 0, 1e-8);
    }
    before = block.u();
  }
}

// 12: stops on a straight line after 0.5 s at u²/(2 · 10) along u: (0.75, 1).
TEST(GlockerMotion, test_12_a_puck_stops_on_a_straight_line) {
  Motion puck("planar_friction");
  while (puck.t() < 1) {
    puck.step();
    EXPECT_NEAR(4 * puck.q(0) - 3 * puck.q(1), 0, round_off) << puck.t();
    const double s = std::min(puck.t(), 0.5);
    EXPECT_NEAR(puck.q(0), 3 * s * (1 - s), 1e-9) << puck.t();
    if (puck.t() > 0.5 + 0.5 * puck.dt) {
      EXPECT_LE(puck.state.lagrangian_u.norm(), 1e-9);
    }
  }
  EXPECT_NEAR(puck.q(0), 0.75, 1e-9);
  EXPECT_NEAR(puck.q(1), 1, 1e-9);
}

// 15: speed v, force m v²/R inwards, radius R. The direction turns by δ = v dt/R in a step: errors of order δ².
TEST(GlockerMotion, test_15_a_bead_keeps_its_speed_and_its_ring) {
  Motion bead("bead_on_ring");
  const double m = 3, R = 2, v = 1.5, delta = v * bead.dt / R;
  while (bead.t() < 10) {
    bead.step();
    EXPECT_NEAR(bead.state.lagrangian_q.norm(), R, 1e-12);
    EXPECT_NEAR(bead.state.lagrangian_u.norm(), v, v * delta * delta) << bead.t();
    EXPECT_NEAR(bead.force("ring").x(), -m * v * v / R, 2 * delta * delta * m * v * v / R) << bead.t();
  }
  EXPECT_NEAR(bead.q(0), R * std::cos(v * 10 / R), 10 * delta * delta * R);  // it lags by order dt² t
  EXPECT_NEAR(bead.q(1), R * std::sin(v * 10 / R), 10 * delta * delta * R);
}

// 16: from rest at the angle a, v² = 2 g R (cos a − cos θ); N = m g cos θ − m v²/R = 0 at cos θ = 2/3 cos a, where
// v² = g R cos θ.
TEST(GlockerMotion, test_16_a_particle_leaves_the_cylinder_where_its_force_ends) {
  constexpr double g = 10, R = 1, a = 0.1;
  const double leaving = 2.0 / 3 * std::cos(a);
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    Motion particle("off_the_cylinder", {.dt = dt});
    double cosine = 1, speed2 = 0;
    bool left = false;
    while (particle.t() < 1.5) {
      particle.step();
      const double radius = particle.state.lagrangian_q.norm(), push = particle.force("cylinder").x();
      const double now = particle.q(1) / radius, v2 = particle.state.lagrangian_u.squaredNorm();
      if (push > 0) {
        EXPECT_FALSE(left) << "a force after the end of contact, t = " << particle.t();
        EXPECT_GE(radius, R - 1e-12);
        // Half a step's turn of the normal, and by how much the gap lags behind: β = dt v²/2R grows by d = dt² v g sin
        // θ/R in a step, so that e' = e + (w + w')/2 − dt d/2, w' = −σ e + dt d (modes.hpp) come to w = dt d/2, e = dt
        // d/2σ.
        const double grows = dt * dt * std::sqrt(v2) * g * std::sqrt(1 - now * now) / R;
        EXPECT_LE(radius - R, 1.1 * v2 * dt * dt / (8 * R) + 1.1 * dt * grows / (2 * (6 - 4 * std::sqrt(2.0))) + 1e-12);
        EXPECT_NEAR(v2, 2 * g * R * (std::cos(a) - now), 50 * dt * dt) << particle.t();
        EXPECT_NEAR(push, g * now - v2 / R, 60 * dt) << particle.t();  // mean over the step, node at its end
        cosine = now, speed2 = v2;
      } else {
        left = true;
        EXPECT_GE(radius, R - 1e-12);
      }
    }
    EXPECT_TRUE(left);
    // d cos θ/dt = sin θ v/R < 2; one step for the force that ends, one for the node.
    EXPECT_NEAR(cosine, leaving, 4 * dt) << dt;
    EXPECT_NEAR(speed2, g * R * leaving, 2 * g * R * 4 * dt) << dt;
  }
}

// 21: x = g_s/(2 w²) sin²(w t), y = g_s/(2 w²) (w t − ½ sin(2 w t)), g_s = 5, w = 2.
double knife_edge_error(double dt) {
  Motion blade("knife_edge", {.dt = dt});
  double worst = 0;
  while (blade.t() < 4 - 0.5 * dt) {
    blade.step();
    const double t = blade.t(), s = std::sin(2 * t);
    worst = std::max(
        {worst, std::abs(blade.q(0) - 0.625 * s * s), std::abs(blade.q(1) - 0.625 * (2 * t - 0.5 * std::sin(4 * t)))});
    EXPECT_NEAR(blade.q(2), 2 * t, round_off);
  }
  return worst;
}

TEST(GlockerMotion, test_21_a_blade_drifts_sideways_and_the_error_is_of_second_order) {
  const double coarse = knife_edge_error(4e-3), middle = knife_edge_error(2e-3), fine = knife_edge_error(1e-3);
  EXPECT_NEAR(coarse / middle, 4, 0.2);
  EXPECT_NEAR(middle / fine, 4, 0.2);
  EXPECT_LE(fine, 20 * 1e-6);  // some (w dt)² over 4 s
}

// 22: slipping s'' = g (sin α − μ cos α), θ'' = 2 μ g cos α/R; rolling s'' = ⅔ g sin α, R θ'' = s''.
TEST(GlockerMotion, test_22_a_cylinder_slips_or_rolls) {
  const double g = 10, R = 0.5, m = 3, sine = 1 / std::sqrt(5.0), cosine = 2 / std::sqrt(5.0);
  struct Case {
    const char* mu;
    double s, theta, grip;
  };
  const double slips = g * (sine - 0.1 * cosine), rolls = 2.0 / 3 * g * sine;
  for (const Case& c : {Case{"mu = 0.1", slips, 2 * 0.1 * g * cosine / R, 0.1 * m * g * cosine},
                        Case{"mu = 0.5", rolls, rolls / R, m * g * sine / 3},
                        Case{"mu = 0.1667", rolls, rolls / R, m * g * sine / 3}}) {
    Motion cylinder("rolling_cylinder", {}, {{"mu = 0.1", c.mu}});
    while (cylinder.t() < 1) {
      cylinder.step();
      const double t = cylinder.t();
      EXPECT_NEAR(cylinder.u(0), c.s * t, 1e-9) << c.mu;
      EXPECT_NEAR(cylinder.u(2), c.theta * t, 1e-9) << c.mu;
      EXPECT_NEAR(cylinder.q(1), 0, round_off);
      EXPECT_NEAR(cylinder.force("plane").x(), m * g * cosine, 1e-6);
      EXPECT_NEAR(cylinder.force("plane").y(), -c.grip, 1e-6) << c.mu;
    }
    EXPECT_NEAR(cylinder.q(0), 0.5 * c.s, 1e-9) << c.mu;
    EXPECT_NEAR(cylinder.q(2), 0.5 * c.theta, 1e-9) << c.mu;
  }
  EXPECT_NEAR(slips, 3.577709, 1e-6);  // as the digest prints them
  EXPECT_NEAR(rolls, 2.981424, 1e-6);
}

// 24: the sum of the two forces is m g; which of them is not determined.
TEST(GlockerMotion, test_24_a_floor_that_is_listed_twice_carries_once) {
  Motion ball("redundant_floor");
  while (ball.t() < 1) {
    ball.step();
    EXPECT_NEAR(ball.q(), 0, 1e-14);
    EXPECT_NEAR(ball.u(), 0, 1e-14);
    const double one = ball.force("floor").x(), two = ball.force("floor_again").x();
    EXPECT_GE(one, 0);
    EXPECT_GE(two, 0);
    EXPECT_NEAR(one + two, 10, 1e-9);
  }
}

// 13 in motion: pushed by 3 against a prestress of 4. It rests at the edge of the play, x = 1, where any force in
// [0, 4] answers.
TEST(GlockerMotion, a_play_spring_comes_to_rest_at_the_edge_of_its_play) {
  Motion mass("play_spring");
  double last_motion = 0, farthest = 0;
  while (mass.t() < 20) {
    mass.step();
    farthest = std::max(farthest, mass.q());
    if (std::abs(mass.q() - 1) > 1e-12 || std::abs(mass.u()) > 1e-12) last_motion = mass.t();
  }
  EXPECT_GT(farthest, 1.1);  // it went into the spring first
  EXPECT_LT(last_motion, 15);
  EXPECT_NEAR(mass.force("spring").x(), -3, 1e-9);
  EXPECT_NEAR(mass.force("damper").x(), 0, 1e-9);
}

// J φ' = ∫ (cos 2 t − 0.3) dt while it turns: it stops where sin(2 t)/2 = 0.3 t, rests while the torque is negative and
// starts again where cos 2 t = 0.3, at t = π − acos(0.3)/2.
TEST(GlockerMotion, a_clutch_never_turns_back) {
  Motion wheel("clutch");
  const double J = 0.5, start = pi - 0.5 * std::acos(0.3);
  auto impulse = [](double t) { return 0.5 * std::sin(2 * t) - 0.3 * t; };
  double angle = wheel.q();
  while (wheel.t() < 10) {
    wheel.step();
    const double t = wheel.t();
    EXPECT_GE(wheel.u(), -1e-14) << t;
    EXPECT_GE(wheel.q(), angle - 1e-14) << t;
    angle = wheel.q();
    if (t < 1.1) {
      EXPECT_NEAR(wheel.u(), impulse(t) / J, wheel.dt * wheel.dt) << t;
    }
    if (t > 1.25 && t < start - wheel.dt) {
      EXPECT_NEAR(wheel.u(), 0, round_off) << t;
    }
    // The step in which it starts is off by the torque there, up to 2 dt, over one step.
    if (t > start + wheel.dt && t < 4) {
      EXPECT_NEAR(wheel.u(), (impulse(t) - impulse(start)) / J, 5 * wheel.dt * wheel.dt) << t;
    }
  }
}

// Sliding alone would end after v/(μ g) = 0.51 s, spinning alone after ¾ R w/(μ g) = 0.76 s; each relieves the other.
TEST(GlockerMotion, a_disc_stops_sliding_and_spinning_at_once) {
  Motion disc("spinning_disc");
  double slid = 0, spun = 0, energy = disc.energy();
  while (disc.t() < 2) {
    disc.step();
    if (disc.state.lagrangian_u.head(2).norm() > 1e-6) slid = disc.t();
    if (0.1 * std::abs(disc.u(2)) > 1e-6) spun = disc.t();
    EXPECT_LE(disc.energy(), energy + 1e-14);
    energy = disc.energy();
    EXPECT_NEAR(disc.q(1), 0, 1e-9);
  }
  EXPECT_GT(slid, 0.75 * 0.1 * 20 / (0.2 * 9.81));
  EXPECT_LT(slid, 1 / (0.2 * 9.81) + 0.75 * 0.1 * 20 / (0.2 * 9.81));
  EXPECT_NEAR(slid, spun, 3.5 * disc.dt);
}

/// Largest change of energy within a flight, up to the time `until`; `impacts` counts the ends of flights.
double flight_error(double dt, double until, int& impacts) {
  Motion pendulum("double_pendulum", {.dt = dt});
  double worst = 0, reference = pendulum.energy();
  impacts = 0;
  while (pendulum.t() < until - 0.5 * dt) {
    const double before = pendulum.energy();
    pendulum.step();
    if (pendulum.force("wall").x() > 0) {
      ++impacts;
      EXPECT_LE(pendulum.energy(), before + 1e-2) << pendulum.t();  // e = 0.8 takes energy
      reference = pendulum.energy();
    }
    worst = std::max(worst, std::abs(pendulum.energy() - reference));
  }
  return worst;
}

TEST(GlockerMotion, a_double_pendulum_keeps_its_energy_to_second_order_between_impacts) {
  int none = 0, some = 0;
  const double coarse = flight_error(2e-3, 0.6, none), fine = flight_error(1e-3, 0.6, none);
  EXPECT_EQ(none, 0);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
  // Over 10 s with impacts: of the order of the energy (30 J) times (w dt)² with w up to 10 rad/s.
  EXPECT_LE(flight_error(1e-3, 10, some), 30 * 1e-4);
  EXPECT_GE(some, 3);
}

}  // namespace
}  // namespace vinculum::test
