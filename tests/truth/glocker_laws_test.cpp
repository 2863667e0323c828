// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Glocker (1998): closed forms of force laws, numbered as in theory/glocker-1998.md, section 4. Where a test has a
// mass, the one-degree balance m a = F − y with y ∈ ∂Ψ(a) is solved by prox: a = prox_{Ψ/m}(F/m), the answer of (Z).
#include "vinculum/base/error.hpp"
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace vinculum::potentials;
using vinculum::base::InputError;
using vinculum::convex::make_interval;
using vinculum::convex::vec;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kTol = 1e-12;

// (Z): the right acceleration at x, u under the applied force F.
Vec accelerate(const Superpotential& law, const Vec& x, const Vec& u, const Vec& F, double m = 1) {
  return law.acceleration_law(x, u)->prox(F / m, 1 / m);
}
double accelerate(const Superpotential& law, double x, double u, double F, double m = 1) {
  return accelerate(law, vec(x), vec(u), vec(F), m)[0];
}

double low(const SetPtr& set) { return -set->support(vec(-1)); }
double high(const SetPtr& set) { return set->support(vec(1)); }

std::string refusal(std::string_view type, const Values& values) {
  try {
    make_potential(type, values);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(Glocker, test_1_a_spring_has_one_force_on_every_level) {
  const LawPtr law = make_potential("spring", {{"stiffness", 4}});
  const Vec q = vec(.5);
  for (double u : {-1., 0., 2.}) {
    for (double a : {-1., 0., 1.}) {
      EXPECT_NEAR(law->gradient_set(q)->distance(vec(2)), 0, kTol);
      EXPECT_NEAR(law->acceleration_set(q, vec(u))->distance(vec(2)), 0, kTol);
      EXPECT_NEAR(law->reaction_set(q, vec(u), vec(a))->distance(vec(2)), 0, kTol);
      EXPECT_TRUE(law->reaction_set(q, vec(u), vec(a))->is_point());
    }
  }
  EXPECT_NEAR(accelerate(*law, .5, 3, 0, 2), -1, kTol);
  // Equalities: the virtual work of either sign is the derivative.
  for (double p : {1., -1.}) EXPECT_NEAR(law->derivative(q, vec(p)), 2 * p, kTol);
}

TEST(Glocker, test_5_each_level_rejects_what_the_level_below_accepts) {
  const LawPtr law = make_potential("unilateral", {});
  const Vec q = vec(0);
  const LawPtr Phi = law->velocity_law(q);
  // u = 1, f = 5: A accepts, J rejects with gap 5.
  EXPECT_NEAR(law->residual(vec(-5), q), 0, kTol);
  EXPECT_NEAR(Phi->fenchel_gap(vec(-5), vec(1)), 5, kTol);
  EXPECT_NEAR(Phi->residual(vec(-5), vec(1)), 5, kTol);
  // u = 0, f = 20, a = 10: A and J accept, G rejects with f a = 200.
  EXPECT_NEAR(law->residual(vec(-20), q), 0, kTol);
  EXPECT_NEAR(Phi->residual(vec(-20), vec(0)), 0, kTol);
  EXPECT_NEAR(law->acceleration_law(q, vec(0))->fenchel_gap(vec(-20), vec(10)), 200, kTol);
}

TEST(Glocker, test_3_and_10_the_ball_on_the_floor_in_future_and_past) {
  const LawPtr law = make_potential("unilateral", {});
  EXPECT_NEAR(accelerate(*law, 0, 1, -10), -10, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 0, -10), 0, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 0, 5), 5, kTol);
  // Past: u⁻ = −7 leaves no force; resting, any.
  EXPECT_TRUE(law->past_law(vec(0), vec(-7)).reservoir->is_point());
  EXPECT_EQ(low(law->past_law(vec(0), vec(0)).reservoir), -kInf);
  EXPECT_TRUE(law->past_law(vec(0), vec(7)).reservoir->empty());
}

TEST(Glocker, test_6_normal_cones_shrink_in_the_quadrant) {
  const LawPtr law = make_potential("quadrant", {});
  const Vec q = vec(0, 0), u = vec(0, 1), a = vec(1, -5);
  const LawPtr Psi = law->acceleration_law(q, u);
  // T_TC = { a_1 ≥ 0 }: dom Ψ.
  EXPECT_EQ(Psi->potential(vec(2, -3)), 0);
  EXPECT_EQ(Psi->potential(vec(-1e-3, 0)), kInf);
  // N_TC = { (w ≤ 0, 0) }
  const SetPtr N = law->acceleration_set(q, u);
  EXPECT_TRUE(N->contains(vec(-4, 0), kTol));
  EXPECT_NEAR(N->distance(vec(-4, -3)), 3, kTol);
  EXPECT_NEAR(N->distance(vec(2, 0)), 2, kTol);
  // the next: {0}
  const SetPtr last = law->reaction_set(q, u, a);
  EXPECT_TRUE(last->is_point());
  EXPECT_NEAR(last->least().norm(), 0, kTol);
}

TEST(Glocker, test_8_dry_friction_sticks_and_slides) {
  const LawPtr law = make_potential("dry_friction", {{"load", 2}});
  EXPECT_NEAR(accelerate(*law, 0, 0, 1), 0, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 0, 3), 1, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 0, -5), -3, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 1, 1), -1, kTol);
  EXPECT_NEAR(law->acceleration_law(vec(0), vec(0))->residual(vec(1), vec(0)), 0, kTol);  // f = −1 holds F = 1
}

// m a⁻ = F − y, y ∈ ∂Ψ(−a⁻): every stationary point is listed by trying the three faces.
TEST(Glocker, test_9_past_accelerations_may_be_several) {
  const LawPtr law = make_potential("dry_friction", {{"load", 2}});
  const PastLaw past = law->past_law(vec(0), vec(0));
  EXPECT_FALSE(past.is_convex());
  const auto holds = [&](double F, double a) { return past.gradient_set(vec(a))->contains(vec(F - a), kTol); };
  for (double a : {3., 0., -1.}) EXPECT_TRUE(holds(1, a));
  EXPECT_TRUE(holds(3, 5));
  EXPECT_FALSE(holds(3, 0) || holds(3, 1));
  EXPECT_TRUE(holds(2, 4) && holds(2, 0));
}

TEST(Glocker, test_12_planar_friction) {
  const LawPtr law = make_potential("disc_friction", {{"load", 10}});
  const Vec zero = vec(0, 0);
  const SetPtr sliding = law->acceleration_set(zero, vec(3, 4));
  EXPECT_TRUE(sliding->is_point());
  EXPECT_NEAR((sliding->least() - vec(6, 8)).norm(), 0, kTol);  // f = (−6, −8)
  EXPECT_NEAR(accelerate(*law, zero, zero, vec(6, 8)).norm(), 0, kTol);
  EXPECT_NEAR((accelerate(*law, zero, zero, vec(9, 12)) - vec(3, 4)).norm(), 0, kTol);
}

TEST(Glocker, test_13_a_prestressed_spring_with_play) {
  const LawPtr law = make_potential("play_spring", {{"play", 1}, {"prestress", 4}});
  EXPECT_NEAR(accelerate(*law, 1, 0, -2), -2, kTol);
  EXPECT_NEAR(accelerate(*law, 1, 0, 3), 0, kTol);
  EXPECT_NEAR(accelerate(*law, 1, 0, 6), 2, kTol);
  EXPECT_NEAR(accelerate(*law, 1, .1, 3), -1, kTol);
  EXPECT_NEAR(accelerate(*law, 1, -.1, 3), 3, kTol);
  const SetPtr at = law->gradient_set(vec(1));
  EXPECT_NEAR(low(at), 0, kTol);
  EXPECT_NEAR(high(at), 4, kTol);
  EXPECT_NEAR(law->velocity_law(vec(1))->potential(vec(2)), 8, kTol);
  EXPECT_NEAR(law->velocity_law(vec(1))->potential(vec(-2)), 0, kTol);
}

TEST(Glocker, test_14_stribeck) {
  const LawPtr law =
      make_potential("stribeck", {{"normal_force", 10}, {"mu_static", .4}, {"mu_dynamic", .2}, {"velocity", .1}});
  EXPECT_NEAR(law->gradient_set(vec(.1))->least()[0], 2 + 2 / std::numbers::e, kTol);
  EXPECT_NEAR(law->potential(vec(.1)), .2 + .2 * (1 - 1 / std::numbers::e), kTol);  // 0.326424
  EXPECT_NEAR(high(law->gradient_set(vec(0))), 4, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 0, 3.9), 0, kTol);
  EXPECT_NEAR(accelerate(*law, 0, 0, 5), 1, kTol);
  EXPECT_FALSE(law->is_convex());
  EXPECT_TRUE(law->is_regular());
}

TEST(Glocker, test_17_the_upper_derivative_at_the_rim_of_a_disc_is_not_the_slope) {
  const LawPtr law = make_potential("disc_container", {{"radius", 1}});
  const Vec q = vec(1, 0), z = vec(0, 1);
  EXPECT_EQ(law->potential(q + 1e-3 * z), kInf);  // I_C'(q; z) = +inf for every step
  EXPECT_EQ(law->derivative(q, z), 0);
  EXPECT_EQ(law->derivative(q, vec(1e-3, 1)), kInf);
}

TEST(Glocker, test_18_the_ledge_accepts_on_two_levels_what_it_cannot_on_the_third) {
  const LawPtr law = make_potential("ledge", {});
  const Vec q = vec(0, 0), u = vec(2, 0), a = vec(0, -10), none = vec(0, 0);
  EXPECT_FALSE(law->is_regular());
  const SetPtr N = law->gradient_set(q);
  EXPECT_TRUE(N->contains(vec(-1, -2), kTol));
  EXPECT_NEAR(N->distance(vec(-1, 2)), 2, kTol);
  EXPECT_NEAR(law->residual(none, q), 0, kTol);                           // A accepts f = 0
  EXPECT_NEAR(law->acceleration_set(q, u)->distance(none), 0, kTol);      // J accepts
  EXPECT_TRUE(law->reaction_set(q, u, a)->empty());                       // G fails
  EXPECT_NEAR(accelerate(*law, q, u, vec(0, -10)).norm(), 0, kTol);       // Z gives the false a = 0 …
  EXPECT_TRUE(law->acceleration_set(q, u)->contains(vec(0, -10), kTol));  // … with f = (0, mg)
}

TEST(Glocker, test_19_free_flight_from_the_ledge_is_in_K_and_not_in_T) {
  const LawPtr law = make_potential("ledge", {});
  EXPECT_NEAR(law->residual(vec(0, 0), vec(0, 0)), 0, kTol);
  EXPECT_TRUE(law->acceleration_set(vec(0, 0), vec(1, -1))->empty());
  EXPECT_EQ(law->velocity_law(vec(0, 0))->potential(vec(1, -1)), kInf);
  EXPECT_EQ(law->potential(vec(1e-6, -1e-6)), 0);
}

TEST(Glocker, test_20_a_ridge_has_the_gradient_of_a_valley) {
  const LawPtr law = make_potential("step", {{"force", -1}});
  EXPECT_FALSE(law->is_convex() || law->is_regular());
  EXPECT_NEAR(low(law->gradient_set(vec(0))), -1, kTol);
  EXPECT_NEAR(high(law->gradient_set(vec(0))), 1, kTol);
  for (double p : {1., -2.}) {
    EXPECT_NEAR(law->derivative(vec(0), vec(p)), std::abs(p), kTol);
    EXPECT_NEAR(law->potential(vec(1e-3 * p)) / 1e-3, -std::abs(p), kTol);
  }
  // u = 1: J gives f = −1, the right limit of A gives f = +1; (5.18) fails at e = −1.
  EXPECT_NEAR(law->acceleration_set(vec(0), vec(1))->least()[0], 1, kTol);
  EXPECT_NEAR(law->gradient_set(vec(1e-9))->least()[0], -1, kTol);
  EXPECT_GT(law->derivative(vec(1e-9), vec(-1)), law->velocity_law(vec(0))->derivative(vec(1), vec(-1)) + 1);
}

// V = k/2 (q − 2)² + F_0|q|: q = 0 rests iff F_0 ≥ 2k, else q = 2 − F_0/k.
TEST(Glocker, test_23_equilibrium_and_steady_motion) {
  const double k = 3;
  const LawPtr spring = make_potential("spring", {{"stiffness", k}, {"rest", 2}});
  for (double F_0 : {0., 1., 5.9, 6., 8.}) {
    const LawPtr law = make_sum({spring, make_potential("step", {{"force", F_0}})});
    EXPECT_EQ(law->residual(vec(0), vec(0)) <= kTol, F_0 >= 2 * k);
    const double q = F_0 >= 2 * k ? 0 : 2 - F_0 / k;
    EXPECT_NEAR(law->residual(vec(0), vec(q)), 0, kTol);
  }
  // Steady drag, u > 0: h = F ∈ ∂Φ(u) iff F = μN (6.5).
  const LawPtr friction = make_potential("dry_friction", {{"load", 2}});
  EXPECT_NEAR(friction->residual(vec(2), vec(.3)), 0, kTol);
  EXPECT_NEAR(friction->residual(vec(1.5), vec(.3)), .5, kTol);
}

TEST(Glocker, test_25_every_bad_input_has_an_error_of_its_own) {
  const std::string root = refusal("power", {{"coefficient", 1}, {"exponent", .5}});
  const std::string fall = refusal("power", {{"coefficient", -1}, {"exponent", .5}});
  const std::string load = refusal("dry_friction", {{"load", -2}});
  const std::string nan = refusal("dry_friction", {{"load", std::nan("")}});
  EXPECT_NE(root.find("Phi(p) = +inf for p > 0"), std::string::npos) << root;
  EXPECT_NE(fall.find("Phi is not proper"), std::string::npos) << fall;
  EXPECT_EQ(load, "dry_friction.load: found -2, expected a number >= 0 (N)");
  EXPECT_EQ(nan, "dry_friction.load: found nan, expected a number, not NaN");
  // q ∉ C, and u ∉ T_C: an impact is needed.
  const LawPtr contact = make_potential("unilateral", {});
  EXPECT_EQ(contact->standing(vec(-.1), vec(0)).state, State::penetration);
  EXPECT_EQ(contact->standing(vec(.1), vec(-1)).state, State::open);
  EXPECT_EQ(contact->standing(vec(0), vec(1)).state, State::separating);
  EXPECT_EQ(contact->standing(vec(0), vec(-1)).state, State::impact);
  EXPECT_EQ(contact->standing(vec(0), vec(0)).state, State::active);
  EXPECT_EQ(contact->standing(vec(-1e-9), vec(1e-9), {1e-8, 1e-8, 1e-8}).state, State::active);
  // S is not a convex cone.
  EXPECT_THROW(make_box_indicator(Level::velocity, vec(0), vec(1)), InputError);
  const auto disc = vinculum::convex::make_ball_region(Eigen::Vector2d(0, 0), 1);
  EXPECT_THROW(make_indicator(Level::velocity, disc, true), InputError);
  EXPECT_NO_THROW(make_indicator(Level::velocity, vinculum::convex::make_subspace(Eigen::Vector2d(1, 2)), true));
  // A load that depends on the unknown reaction has no potential.
  EXPECT_THROW(make_potential("coulomb", {{"mu", .5}})->potential(vec(1, 0)), InputError);
}
