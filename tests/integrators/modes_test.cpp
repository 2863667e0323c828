// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of modes, line by line (integrators/modes.hpp; theory/stepping.md, section 1). What must not matter is NaN.
#include "vinculum/integrators/modes.hpp"
#include "support/simulate.hpp"
#include "vinculum/integrators/energy.hpp"

namespace vinculum::integrators {
namespace {

constexpr double dt = 1e-3, nan = std::numeric_limits<double>::quiet_NaN();
constexpr Thresholds tau{1e-8, 1e-11};

NodeView view(double gap_node, double gamma_node, double gamma_minus) {
  NodeView v;
  v.gap_node = gap_node;
  v.gap_mid = nan;
  v.gamma_node = {gamma_node, nan, nan};
  v.gamma_minus = {gamma_minus, nan, nan};
  v.beta = {0, nan, nan};  // a flat surface
  return v;
}

Mode mode(double gap_node, double gamma_node, double gamma_minus) {
  return decide_mode(view(gap_node, gamma_node, gamma_minus), dt, 0.5, tau);
}

TEST(Mode, is_impact_when_the_contact_closes_within_the_step_at_its_present_velocity) {
  EXPECT_EQ(mode(0, -1, -1), Mode::impact);
  EXPECT_EQ(mode(0.5e-3, -1, -1), Mode::impact);
  EXPECT_EQ(mode(0.999e-3, -1, -1), Mode::impact);
  EXPECT_EQ(mode(0, -1.1e-8, -1), Mode::impact);  // just above the threshold
}

TEST(Mode, is_not_impact_when_the_closing_ends_after_the_step) {
  EXPECT_EQ(mode(1.001e-3, -1, -1), Mode::landing);
  EXPECT_EQ(mode(1e-3, -1, -1), Mode::landing);  // g + dt γ = 0 is not below −dt τ
}

TEST(Mode, needs_the_normal_to_close_at_the_middle_too_for_an_impact) {
  EXPECT_EQ(mode(0.5e-3, -1, 0), Mode::landing);
  EXPECT_EQ(mode(0.5e-3, -1, 0.1), Mode::landing);
  EXPECT_EQ(mode(0, -1, 0.1), Mode::held);  // closed and closing at the node, turned away at the middle
}

TEST(Mode, is_held_when_closed_and_not_moving_beyond_the_threshold) {
  EXPECT_EQ(mode(0, 0, -1), Mode::held);
  EXPECT_EQ(mode(0, 0.9e-8, 1), Mode::held);
  EXPECT_EQ(mode(0, -0.9e-8, -1), Mode::held);
  EXPECT_EQ(mode(0.9e-11, 0, 0), Mode::held);
}

TEST(Mode, takes_no_turning_of_the_normal_for_an_impact) {
  NodeView v = view(0, -1.9e-3, -1);
  v.beta.x() = -1e-3;  // twice the turning in one step is the bound
  EXPECT_EQ(decide_mode(v, dt, 0.5, tau), Mode::held);
  v.gamma_node.x() = -2.1e-3;
  EXPECT_EQ(decide_mode(v, dt, 0.5, tau), Mode::impact);
}

TEST(Mode, counts_penetration_as_closed_not_as_a_velocity) {
  // A negative gap over dt would read as an approach: −1e-6 m in 1 ms is 1 mm/s. It belongs to the projection.
  EXPECT_EQ(mode(-1e-6, 0, 0), Mode::held);
  EXPECT_EQ(mode(-1e-6, 0.9e-8, 0), Mode::held);
  EXPECT_EQ(mode(-1e-6, -1e-3, -1e-3), Mode::impact);
}

TEST(Mode, is_landing_when_open_or_opening) {
  EXPECT_EQ(mode(1.1e-11, 0, 0), Mode::landing);
  EXPECT_EQ(mode(0, 1.1e-8, 0), Mode::landing);  // a rebound that gravity ends within the step
  EXPECT_EQ(mode(1e-4, 0.01, 0.01), Mode::landing);
}

TEST(Mode, is_never_landing_when_perfectly_elastic) {
  EXPECT_EQ(decide_mode(view(1.001e-3, -1, -1), dt, 1, tau), Mode::impact);  // gravity closes it
  EXPECT_EQ(decide_mode(view(1e-4, 0, 0), dt, 1, tau), Mode::impact);        // a neighbour's blow closes it
  EXPECT_EQ(decide_mode(view(1e-4, 0.01, 0.01), dt, 1, tau), Mode::impact);
  EXPECT_EQ(decide_mode(view(0, 0, 0), dt, 1, tau), Mode::held);
}

NodeView whole() {
  NodeView v;
  v.gap_node = nan;
  v.gap_mid = 3e-4;
  v.gamma_node = {nan, 3, 4};  // slip 5
  v.gamma_minus = {-2, 0.3, -0.7};
  v.beta = {0.25, 0.6, -0.8};  // |β_T| = 1: the contact slides at the node
  return v;
}

TEST(LawOffset, of_an_impact_is_newtons_restitution) {
  NodeView v = whole();
  v.gap_mid = nan;
  v.beta = Vec3::Constant(nan);
  EXPECT_EQ(law_offset(v, Mode::impact, dt, 0.5, 0.25, tau), Vec3(0.5 * -2, 0.25 * 0.3, 0.25 * -0.7));
  EXPECT_EQ(law_offset(v, Mode::impact, dt, 0, 0, tau), Vec3(0, 0, 0));
}

TEST(LawOffset, of_a_held_contact_carries_the_turn_to_the_node_and_no_restitution) {
  NodeView v = whole();
  v.gap_mid = nan;
  v.gamma_minus = Vec3::Constant(nan);
  EXPECT_EQ(law_offset(v, Mode::held, dt, nan, nan, tau), Vec3(0.25, 0, 0));  // slides: tangent untouched
  v.gamma_node = {nan, 0.6, 0.8};
  EXPECT_EQ(law_offset(v, Mode::held, dt, nan, nan, tau), Vec3(0.25, 0.6, -0.8));  // sticks: |γ_T| <= |β_T|
  v.gamma_node = {nan, 1 + 0.9e-8, 0};
  EXPECT_EQ(law_offset(v, Mode::held, dt, nan, nan, tau), Vec3(0.25, 0.6, -0.8));  // within the threshold
  v.gamma_node = {nan, 1 + 1.1e-8, 0};
  EXPECT_EQ(law_offset(v, Mode::held, dt, nan, nan, tau), Vec3(0.25, 0, 0));
}

TEST(LawOffset, of_a_landing_contact_ends_the_step_at_gap_zero) {
  NodeView v = whole();
  v.gap_node = 1e-4;
  v.gamma_minus = Vec3::Constant(nan);
  EXPECT_EQ(law_offset(v, Mode::landing, dt, nan, nan, tau), Vec3(2 * 3e-4 / dt, 0, 0));
  v.gamma_node = {nan, 0, 0};
  EXPECT_EQ(law_offset(v, Mode::landing, dt, nan, nan, tau), Vec3(2 * 3e-4 / dt, 0.6, -0.8));
  v.gap_node = v.gap_mid = -3e-4;  // an overlap at the node must never become a velocity
  EXPECT_EQ(law_offset(v, Mode::landing, dt, nan, nan, tau).x(), 0);
  v.gap_node = 0;  // a surface that comes nearer by β dt/8 in half a step: g_m + dt/2 (γ⁺ + β/4 ...) = 0 at the end
  v.gap_mid = -1e-4;
  v.beta.x() = -0.25;
  EXPECT_DOUBLE_EQ(law_offset(v, Mode::landing, dt, nan, nan, tau).x(), 2 * -1e-4 / dt - 0.125);
}

// β = 0.25 m/s: landings end at the gap dt β/4 = 6.25e-5 m.
TEST(LawOffset, of_a_landing_that_has_arrived_takes_the_rest_away_by_and_by) {
  const double sigma = 2 * (std::sqrt(2.0) - 1) * (std::sqrt(2.0) - 1), end = dt * 0.25 / 4;
  NodeView v = whole();
  v.gap_node = 1.6 * end;
  v.gamma_node = {-0.3, 3, 4};
  v.gamma_minus = Vec3::Constant(nan);
  EXPECT_TRUE(has_arrived(v, dt, tau));
  EXPECT_NEAR(law_offset(v, Mode::landing, dt, nan, nan, tau).x(), 0.25 + sigma * 0.6 * end / dt, 1e-15);
  v.gap_node = 2.1 * end;
  EXPECT_FALSE(has_arrived(v, dt, tau)) << "too far";
  v.gap_node = end;
  for (const double gamma : {-0.51, 0.51}) {
    v.gamma_node.x() = gamma;
    EXPECT_FALSE(has_arrived(v, dt, tau)) << "too fast";
    EXPECT_EQ(law_offset(v, Mode::landing, dt, nan, nan, tau).x(), 2 * 3e-4 / dt);
  }
  v.gamma_node.x() = 0;
  v.turn = 0.11;
  EXPECT_FALSE(has_arrived(v, dt, tau)) << "turns too far";
  v.turn = 0.09;
  EXPECT_TRUE(has_arrived(v, dt, tau));
  v.beta.x() = -0.25;
  EXPECT_FALSE(has_arrived(v, dt, tau)) << "surfaces that bend towards each other";
}

// On a path on which the velocity of the gap turns by β in half a step, and by 2 β in a whole one, a contact that is
// pushed away from the end of its landing comes back, by √2 − 1 a step; by the law of landings alone it would swing.
TEST(LawOffset, of_a_landing_that_has_arrived_does_not_swing) {
  const double beta = 0.25, end = dt * beta / 4, fall = std::sqrt(2.0) - 1;
  NodeView v = whole();
  v.beta = {beta, 0, 0};
  double gap = 1.3 * end, gamma = -0.1, last = 0;
  for (int n = 0; n < 20; ++n) {
    v.gap_node = gap;
    v.gamma_node.x() = gamma;
    v.gap_mid = gap + 0.5 * dt * (gamma + 0.5 * beta);
    const double plus = -law_offset(v, Mode::landing, dt, nan, nan, tau).x();  // ξ = 0
    gamma = plus + beta;
    gap = v.gap_mid + 0.5 * dt * (plus + 0.5 * beta);
    const double size = std::abs(gap - end) + dt * std::abs(gamma);
    if (n > 12) {
      EXPECT_NEAR(size / last, fall, 0.05);  // a double root: (n + 1)/n more at first
    }
    last = size;
  }
  EXPECT_LT(last, 1e-5 * end);
}

TEST(LawOffset, of_a_bond_carries_the_turn_to_the_node) {
  EXPECT_EQ(law_offset(whole(), Mode::bond, dt, nan, nan, tau).x(), 0.25);
}

TEST(Modes, have_names) {
  EXPECT_EQ(to_string(Mode::impact), "impact");
  EXPECT_EQ(to_string(Mode::held), "held");
  EXPECT_EQ(to_string(Mode::landing), "landing");
  EXPECT_EQ(to_string(Mode::bond), "bond");
  EXPECT_EQ(to_string(Mode::projected), "projected");
  EXPECT_EQ(to_string(Mode::settled), "settled");
}

TEST(Thresholds, follow_the_speeds_the_weight_and_the_coordinates) {
  const test::Simulation sim(
      "[[body]]\nname = 'a'\nmass = 1\nposition = [100, -200, 3]\nvelocity = [3, 0, 4]\nangular_velocity = [0, 7, 0]\n"
      "shape = { type = 'sphere', radius = 0.5 }\n");
  motion::Velocity velocity;
  motion::velocity(sim.system, sim.state.q, sim.state.p, sim.state.l, velocity);
  const Thresholds t = thresholds(sim.system, {speed_bound(sim.system, velocity, 0)}, sim.state.q, dt, 1e-8);
  EXPECT_NEAR(t.tau_v, 1e-8 * (5 + 7 * 0.5 + dt * 9.81), 1e-22);
  EXPECT_NEAR(t.tau_g, dt * t.tau_v + 8 * test::epsilon * 200, 1e-25);
}

TEST(Ledger, books_losses_to_the_laws_and_gains_to_the_scheme) {
  const Vec3 Lambda(2, 3, -4);
  Ledger impact, held, gain, bond;
  book_contact(Mode::impact, Lambda, {-1, 0.5, 0.25}, impact);
  EXPECT_EQ(impact.work_impact, -2);
  EXPECT_EQ(impact.work_friction, 0.5);  // Newton's law with friction may gain: the law's doing
  EXPECT_EQ(impact.scheme, 0);
  book_contact(Mode::held, Lambda, {-1, -0.5, 0.25}, held);
  EXPECT_EQ(held.work_impact, -2);
  EXPECT_EQ(held.work_friction, -2.5);
  EXPECT_EQ(held.scheme, 0);
  book_contact(Mode::landing, Lambda, {1, 0.5, 0.25}, gain);
  EXPECT_EQ(gain.work_impact, 0);
  EXPECT_EQ(gain.work_friction, 0);
  EXPECT_EQ(gain.scheme, 2.5);
  book_contact(Mode::bond, {2, 0, 0}, {3, nan, nan}, bond);
  EXPECT_EQ(bond.work_bonds, 6);
}

}  // namespace
}  // namespace vinculum::integrators
