// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Glocker (1998): the acceptance tests that need a system, by the numbers of theory/glocker-1998.md. Expected values
// are closed forms written here; the systems are texts, as a user writes them.
#include "vinculum/model/model.hpp"
#include "vinculum/principles/qualification.hpp"
#include "vinculum/principles/verdict.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using principles::Accelerations;
using principles::Instant;
using principles::Principle;
using principles::Status;

constexpr double exact = 1e-12;

parts::Lagrangian make_part(const std::string& text) {
  const model::Model model = model::parse_scene(text, "glocker.toml");
  return {*model.lagrangian, model.laws};
}

VectorXd vec(std::initializer_list<double> values) {
  VectorXd x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

Accelerations solve(const parts::Lagrangian& part, const VectorXd& q, const VectorXd& u) {
  return principles::least_constraint(part, 0, q, u);
}

principles::Verdict verdict(Principle principle, const parts::Lagrangian& part, const VectorXd& q, const VectorXd& u,
                            const VectorXd& a) {
  const Instant at = principles::make_instant(part, 0, q, u);
  return principles::check(principle, part, at, a, principles::tolerances_of(at));
}

void expect_near(const VectorXd& a, std::initializer_list<double> b, double tol = exact) {
  ASSERT_EQ(a.size(), static_cast<Eigen::Index>(b.size()));
  Eigen::Index i = 0;
  for (const double value : b) {
    EXPECT_NEAR(a[i], value, tol) << "component " << i;
    ++i;
  }
}

void expect_proof(const Accelerations& r) {
  EXPECT_TRUE(r.report.solved);
  EXPECT_LE(r.certificate.balance, 1e-11);
  EXPECT_LE(r.certificate.feasibility, 1e-11);
  EXPECT_LE(r.certificate.domain, 1e-11);
  EXPECT_LE(std::abs(r.certificate.gap), 1e-10);
}

std::string ball(double F) {
  return "[lagrangian]\ncoordinates = [\"y\"]\nparameters = { m = 1, g = 10, F = " + std::to_string(F) +
         " }\nT = \"m/2*y'^2\"\nU = \"(m*g - F)*y\"\n"
         "[[law]]\nname = \"floor\"\ntype = \"unilateral\"\ngap = \"y\"\n";
}

std::string friction(double F) {
  return "[lagrangian]\ncoordinates = [\"x\"]\nparameters = { m = 1, F = " + std::to_string(F) +
         " }\nT = \"m/2*x'^2\"\nforces = [\"F\"]\n"
         "[[law]]\nname = \"ground\"\ntype = \"dry_friction\"\nrate = \"x'\"\nload = 2\n";
}

// 1: each set is {grad V} = {2}, a = −1, and the principles are equalities: they hold for either sign of variation.
TEST(Glocker1998, Test1Spring) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"q\"]\nT = \"q'^2\"\n[[law]]\nname = \"spring\"\ntype = \"spring\"\ngap = \"q\"\n"
      "stiffness = 4\n");
  const auto r = solve(part, vec({0.5}), vec({0}));
  expect_near(r.a, {-1});
  expect_near(r.lambda, {-2});
  expect_proof(r);
  for (const auto principle : {Principle::dalembert, Principle::jourdain, Principle::gauss}) {
    EXPECT_EQ(verdict(principle, part, vec({0.5}), vec({0}), vec({-1})).status, Status::pass);
    for (const double wrong : {-1.1, -0.9}) {
      EXPECT_EQ(verdict(principle, part, vec({0.5}), vec({0}), vec({wrong})).status, Status::fail);
    }
  }
}

// 2: h = (m r φ'², −2 m r r' φ') = (1.5, −6).
TEST(Glocker1998, Test2Polar) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"r\", \"phi\"]\nparameters = { m = 2 }\nT = \"m/2*(r'^2 + r^2*phi'^2)\"\n");
  const Instant at = principles::make_instant(part, 0, vec({3, 0.7}), vec({1, 0.5}));
  expect_near(at.h, {1.5, -6});
  EXPECT_NEAR(at.M(0, 0), 2, exact);
  EXPECT_NEAR(at.M(1, 1), 18, exact);
  EXPECT_NEAR(at.M(0, 1), 0, exact);
}

// 3: a ball on the floor.
TEST(Glocker1998, Test3BallOnFloor) {
  const auto heavy = make_part(ball(0));
  auto r = solve(heavy, vec({0}), vec({1}));
  expect_near(r.a, {-10});
  expect_near(r.lambda, {0});
  r = solve(heavy, vec({0}), vec({0}));
  expect_near(r.a, {0});
  expect_near(r.lambda, {10});
  expect_proof(r);
  r = solve(make_part(ball(15)), vec({0}), vec({0}));
  expect_near(r.a, {5});
  expect_near(r.lambda, {0});
}

// 4: the bounce's balance of impulse: F = m (u⁺ − u⁻); the flight before and after is in integrators tests.
TEST(Glocker1998, Test4ImpactBalance) {
  const auto part = make_part(ball(0));
  const Instant at = principles::make_instant(part, 1, vec({0}), vec({-10}));
  EXPECT_NEAR(principles::impact_balance(at, vec({10}), vec({20})).residual, 0, exact);
  EXPECT_NEAR(principles::impact_balance(at, vec({0}), vec({10})).residual, 0, exact);
  EXPECT_NEAR(principles::impact_balance(at, vec({5}), vec({20})).residual, 5, exact);
  expect_near(solve(part, vec({0}), vec({10})).a, {-10});
  expect_near(solve(part, vec({0}), vec({0})).a, {0});
  EXPECT_THROW(solve(part, vec({0}), vec({-10})), base::InputError);
}

// 5: which level rejects. u = 1, f = 5: A accepts, J rejects with gap 5. u = 0, f = 20 (a = 10): G rejects with f a =
// 200.
TEST(Glocker1998, Test5LevelLadder) {
  const auto part = make_part(ball(0));
  auto at = [&](Principle p, double u, double f) { return verdict(p, part, vec({0}), vec({u}), vec({f - 10})); };
  EXPECT_EQ(at(Principle::dalembert, 1, 5).status, Status::pass);
  EXPECT_EQ(at(Principle::jourdain, 1, 5).status, Status::fail);
  EXPECT_NEAR(at(Principle::jourdain, 1, 5).fenchel_gap, 5, exact);
  EXPECT_EQ(at(Principle::dalembert, 0, 20).status, Status::pass);
  EXPECT_EQ(at(Principle::jourdain, 0, 20).status, Status::pass);
  EXPECT_EQ(at(Principle::gauss, 0, 20).status, Status::fail);
  EXPECT_NEAR(at(Principle::gauss, 0, 20).fenchel_gap, 200, 1e-10);
  EXPECT_EQ(at(Principle::least_constraint, 0, 20).status, Status::fail);
  EXPECT_EQ(at(Principle::least_constraint, 0, 10).status, Status::pass);
}

// 6: quadrant at 0 with u = (0, 1): only the first constraint can still press.
TEST(Glocker1998, Test6Quadrant) {
  const std::string text =
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\nforces = [\"-3\", \"-5\"]\n"
      "[[law]]\nname = \"one\"\ntype = \"unilateral\"\ngap = \"x\"\n[[law]]\nname = \"two\"\ntype = "
      "\"unilateral\"\ngap = \"y\"\n";
  const auto part = make_part(text);
  const auto r = solve(part, vec({0, 0}), vec({0, 1}));
  expect_near(r.a, {0, -5});
  expect_near(r.lambda, {3, 0});
  EXPECT_EQ(r.sets.I0.size(), 2u);
  ASSERT_EQ(r.sets.I1.size(), 1u);
  EXPECT_EQ(r.sets.I1[0], 0);
}

// 8: friction with μN = 2 on m = 1.
TEST(Glocker1998, Test8Friction) {
  for (const auto& [F, a] : {std::pair{1.0, 0.0}, {3.0, 1.0}, {-5.0, -3.0}}) {
    const auto r = solve(make_part(friction(F)), vec({0}), vec({0}));
    expect_near(r.a, {a});
    expect_near(r.lambda, {a - F});
    expect_proof(r);
  }
  expect_near(solve(make_part(friction(1)), vec({0}), vec({1})).a, {-1});
}

// 9: several pasts lead to the same rest; the right acceleration is unique each time.
TEST(Glocker1998, Test9PastAccelerationsOfFriction) {
  auto past = [](double F) {
    const auto part = make_part(friction(F));
    const Instant at = principles::make_instant(part, 0, vec({0}), vec({0}));
    auto result = principles::past_accelerations(part, at, principles::tolerances_of(at));
    EXPECT_TRUE(result.complete);
    EXPECT_FALSE(result.unique);
    std::vector<double> a;
    for (const VectorXd& x : result.a) a.push_back(x[0]);
    std::sort(a.begin(), a.end());
    return a;
  };
  auto expect = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], exact);
  };
  expect(past(1), {-1, 0, 3});
  expect(past(3), {5});
  expect(past(2), {0, 4});
}

// 10: past of the ball on the floor.
TEST(Glocker1998, Test10PastOfBall) {
  const auto part = make_part(ball(0));
  for (const auto& [u, a] : {std::pair{-7.0, -10.0}, {0.0, 0.0}}) {
    const Instant at = principles::make_instant(part, 0, vec({0}), vec({u}));
    const auto past = principles::past_accelerations(part, at, principles::tolerances_of(at));
    EXPECT_TRUE(past.unique);
    ASSERT_EQ(past.a.size(), 1u);
    EXPECT_NEAR(past.a[0][0], a, exact);
  }
}

// 9 in the plane: a = F + μN a/|a| has the same three answers along F, and no others.
TEST(Glocker1998, Test9PastAccelerationsOfPlanarFriction) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\nforces = [0.6, 0.8]\n"
      "[[law]]\nname = \"ground\"\ntype = \"disc_friction\"\nrate = [\"x'\", \"y'\"]\nload = 2\n");
  const Instant at = principles::make_instant(part, 0, vec({0, 0}), vec({0, 0}));
  const auto past = principles::past_accelerations(part, at, principles::tolerances_of(at));
  EXPECT_FALSE(past.complete);  // a search, and it says so
  std::vector<double> along;
  for (const VectorXd& a : past.a) {
    EXPECT_NEAR(0.8 * a[0] - 0.6 * a[1], 0, 1e-11);
    along.push_back(0.6 * a[0] + 0.8 * a[1]);
  }
  std::sort(along.begin(), along.end());
  ASSERT_EQ(along.size(), 3u);
  EXPECT_NEAR(along[0], -1, 1e-11);
  EXPECT_NEAR(along[1], 0, 1e-11);
  EXPECT_NEAR(along[2], 3, 1e-11);
}

// 11: the metric of M decides: clipping the free acceleration (−2, 1) to (0, 1) is wrong.
TEST(Glocker1998, Test11CornerInTheMetricOfM) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nM = [[2, 1], [1, 2]]\nforces = [-3, 0]\n"
      "[[law]]\nname = \"one\"\ntype = \"unilateral\"\ngap = \"x\"\n[[law]]\nname = \"two\"\ntype = "
      "\"unilateral\"\ngap = \"y\"\n");
  const auto r = solve(part, vec({0, 0}), vec({0, 0}));
  expect_near(r.a, {0, 0});
  expect_near(r.f, {3, 0});
  EXPECT_NEAR(r.cost, 0, exact);
  const auto clipped = verdict(Principle::least_constraint, part, vec({0, 0}), vec({0, 0}), vec({0, 1}));
  EXPECT_EQ(clipped.status, Status::fail);
  EXPECT_NEAR(clipped.residual, 1, exact);
}

std::string planar(double Fx, double Fy) {
  return "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\nforces = [" + std::to_string(Fx) + ", " +
         std::to_string(Fy) +
         "]\n[[law]]\nname = \"ground\"\ntype = \"disc_friction\"\nrate = [\"x'\", \"y'\"]\nload = 10\n";
}

// 12: planar friction with μN = 10.
TEST(Glocker1998, Test12PlanarFriction) {
  auto r = solve(make_part(planar(0, 0)), vec({0, 0}), vec({3, 4}));
  expect_near(r.lambda, {-6, -8});
  r = solve(make_part(planar(6, 8)), vec({0, 0}), vec({0, 0}));
  expect_near(r.a, {0, 0});
  expect_near(r.lambda, {-6, -8});
  r = solve(make_part(planar(9, 12)), vec({0, 0}), vec({0, 0}));
  expect_near(r.a, {3, 4});
  expect_proof(r);
}

std::string play(double F) {
  return "[lagrangian]\ncoordinates = [\"x\"]\nT = \"x'^2/2\"\nforces = [" + std::to_string(F) +
         "]\n[[law]]\nname = \"spring\"\ntype = \"play_spring\"\ngap = \"x\"\nplay = 1\nprestress = 4\nstiffness = 0\n";
}

// 13: prestressed spring with play at the end of its play.
TEST(Glocker1998, Test13PlaySpring) {
  for (const auto& [u, F, a] :
       {std::tuple{0.0, -2.0, -2.0}, {0.0, 3.0, 0.0}, {0.0, 6.0, 2.0}, {0.1, 3.0, -1.0}, {-0.1, 3.0, 3.0}}) {
    const auto r = solve(make_part(play(F)), vec({1}), vec({u}));
    expect_near(r.a, {a});
    expect_proof(r);
  }
}

// 14: Stribeck at rest.
TEST(Glocker1998, Test14Stribeck) {
  auto at_rest = [](double F) {
    return solve(make_part("[lagrangian]\ncoordinates = [\"x\"]\nT = \"x'^2/2\"\nforces = [" + std::to_string(F) +
                           "]\n[[law]]\nname = \"ground\"\ntype = \"stribeck\"\nrate = \"x'\"\nnormal_force = "
                           "10\nmu_static = 0.4\n"
                           "mu_dynamic = 0.2\nvelocity = 0.1\n"),
                 vec({0}), vec({0}))
        .a[0];
  };
  EXPECT_NEAR(at_rest(3.9), 0, exact);
  EXPECT_NEAR(at_rest(5), 1, exact);
}

std::string bead(const std::string& type, const std::string& gap) {
  return "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nparameters = { m = 3, R = 2 }\nT = \"m/2*(x'^2 + y'^2)\"\n"
         "[[law]]\nname = \"ring\"\ntype = \"" +
         type + "\"\ngap = \"" + gap + "\"\n";
}

// 15: the drift carries the curvature: a = (−v²/R, 0) on a ring, and inside a disc.
TEST(Glocker1998, Test15BeadOnCircle) {
  for (const auto& part :
       {make_part(bead("bilateral", "R - sqrt(x^2 + y^2)")), make_part(bead("unilateral", "R - sqrt(x^2 + y^2)")),
        make_part(bead("bilateral", "x^2 + y^2 - R^2"))}) {
    const double v = 1.5;
    const auto r = solve(part, vec({2, 0}), vec({0, v}));
    expect_near(r.a, {-v * v / 2, 0});
    expect_near(r.f, {-3 * v * v / 2, 0});
    expect_proof(r);
  }
}

// 16: off the top of a cylinder: N = m (g cos θ − v²/R) changes sign at cos θ = 2/3, where v² = 2 g R (1 − cos θ) = 2 g
// R/3.
TEST(Glocker1998, Test16LeavesCylinder) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nparameters = { m = 1, g = 10, R = 1 }\nT = \"m/2*(x'^2 + y'^2)\"\n"
      "U = \"m*g*y\"\n[[law]]\nname = \"cylinder\"\ntype = \"unilateral\"\ngap = \"sqrt(x^2 + y^2) - R\"\n");
  auto normal_force = [&](double angle) {
    const double v = std::sqrt(2 * 10 * (1 - std::cos(angle)));
    const auto r =
        solve(part, vec({std::sin(angle), std::cos(angle)}), vec({v * std::cos(angle), -v * std::sin(angle)}));
    return r.lambda[0];
  };
  const double leaves = std::acos(2.0 / 3);
  EXPECT_NEAR(leaves * 180 / std::acos(-1.0), 48.1897, 1e-4);
  EXPECT_NEAR(normal_force(0.5), 10 * std::cos(0.5) - 20 * (1 - std::cos(0.5)), 1e-11);
  EXPECT_GT(normal_force(leaves - 1e-3), 1e-3);
  EXPECT_EQ(normal_force(leaves + 1e-3), 0);
}

// 18, 19: the re-entrant ledge {q1 >= 0 or q2 >= 0}. Sliding off: A and J accept, G has no force; least constraint
// would hold the particle, which is false a moment later. Free flight off the corner: only A accepts.
TEST(Glocker1998, Test18And19ReentrantLedge) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\nU = \"10*y\"\n"
      "[[law]]\nname = \"ledge\"\ntype = \"ledge\"\ngap = [\"x\", \"y\"]\n");
  const VectorXd q = vec({0, 0}), falls = vec({0, -10});
  auto at = [&](Principle p, const VectorXd& u) { return verdict(p, part, q, u, falls); };
  for (const auto p : {Principle::dalembert, Principle::jourdain}) {
    EXPECT_TRUE(at(p, vec({1, 0})).holds);
    EXPECT_EQ(at(p, vec({1, 0})).status, Status::not_regular);
  }
  EXPECT_FALSE(at(Principle::gauss, vec({1, 0})).holds);
  EXPECT_EQ(at(Principle::gauss, vec({1, 0})).status, Status::not_regular);
  const auto held = solve(part, q, vec({1, 0}));
  expect_near(held.a, {0, 0});
  expect_near(held.f, {0, 10});
  EXPECT_TRUE(at(Principle::dalembert, vec({1, -1})).holds);
  EXPECT_FALSE(at(Principle::jourdain, vec({1, -1})).holds);
  EXPECT_FALSE(at(Principle::gauss, vec({1, -1})).holds);
}

// 20: V = −|q|: (5.18) fails in the direction e = −1.
TEST(Glocker1998, Test20ConcaveKink) {
  const auto law = potentials::make_potential("step", {{"force", -1.0}});
  const auto one = convex::vec(1), zero = convex::vec(0), minus = convex::vec(-1);
  EXPECT_NEAR(law->derivative(zero, minus), 1, exact);
  EXPECT_TRUE(principles::check_equivalence(*law, zero, one, one));
  EXPECT_FALSE(principles::check_equivalence(*law, zero, one, minus));
  const auto kink = potentials::make_potential("step", {{"force", 1.0}});
  EXPECT_TRUE(principles::check_equivalence(*kink, zero, one, one));
  EXPECT_TRUE(principles::check_equivalence(*kink, zero, one, minus));
}

// 21: a knife edge with spin w: the ground pushes sideways with m v w.
TEST(Glocker1998, Test21KnifeEdge) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"phi\"]\nparameters = { m = 2, J = 1 }\n"
      "T = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n"
      "[[law]]\nname = \"blade\"\ntype = \"nonholonomic\"\nrate = \"-sin(phi)*x' + cos(phi)*y'\"\n");
  const double v = 3, w = 0.7, phi = 0.4;
  const auto r = solve(part, vec({1, 2, phi}), vec({v * std::cos(phi), v * std::sin(phi), w}));
  expect_near(r.lambda, {2 * v * w});
  expect_near(r.a, {-v * w * std::sin(phi), v * w * std::cos(phi), 0});
  EXPECT_NEAR(v / w, v * v / r.a.head(2).norm(), exact);  // radius of the path
}

std::string cylinder(double mu) {
  return "[lagrangian]\ncoordinates = [\"s\", \"n\", \"theta\"]\n"
         "parameters = { m = 3, g = 10, R = 0.5, alpha = \"atan(0.5)\", J = \"m*R^2/2\" }\n"
         "T = \"m/2*(s'^2 + n'^2) + J/2*theta'^2\"\nU = \"m*g*(n*cos(alpha) - s*sin(alpha))\"\n"
         "[[law]]\nname = \"plane\"\ntype = \"unilateral\"\ngap = \"n\"\n"
         "[[law]]\nname = \"grip\"\ntype = \"coulomb\"\nrate = \"s' - R*theta'\"\nnormal = \"plane\"\nmu = " +
         std::to_string(mu) + "\n";
}

// 22: a solid cylinder on an incline with tan α = 1/2 rolls iff μ >= tan α/3 = 1/6.
TEST(Glocker1998, Test22RollingCylinder) {
  const double g = 10, sine = 1 / std::sqrt(5.0), cosine = 2 / std::sqrt(5.0);
  auto solve_mu = [&](double mu) {
    const auto part = make_part(cylinder(mu));
    const Instant at = principles::make_instant(part, 0, vec({0, 0, 0}), vec({0, 0, 0}));
    return principles::solve_accelerations(part, at, principles::tolerances_of(at));
  };
  for (const double mu : {0.5, 1.0 / 6 + 1e-9})
    expect_near(solve_mu(mu).a, {g * sine * 2 / 3, 0, g * sine * 4 / 3}, 1e-8);
  EXPECT_NEAR(solve_mu(0.5).a[0], 2.981424, 1e-6);
  const auto slips = solve_mu(0.1);
  expect_near(slips.a, {g * (sine - 0.1 * cosine), 0, 2 * 0.1 * g * cosine / 0.5}, 1e-11);
  EXPECT_NEAR(slips.a[0], 3.577709, 1e-6);
  EXPECT_NEAR(slips.a[2], 3.577709, 1e-6);
  EXPECT_FALSE(slips.convex);
  EXPECT_THROW(principles::least_constraint(make_part(cylinder(0.1)), 0, vec({0, 0, 0}), vec({0, 0, 0})),
               base::InputError);
}

// 23: rests at q = 0 iff F0 >= 2 k, else at q = 2 − F0/k; steady drag iff F = μN.
TEST(Glocker1998, Test23EquilibriumAndSteadyMotion) {
  auto stuck = [](double F0) {
    return make_part(
        "[lagrangian]\ncoordinates = [\"q\"]\nparameters = { k = 3 }\nT = \"q'^2/2\"\nU = \"k/2*(q - 2)^2\"\n"
        "[[law]]\nname = \"kink\"\ntype = \"step\"\ngap = \"q\"\nforce = " +
        std::to_string(F0) + "\n");
  };
  EXPECT_TRUE(principles::check_equilibrium(stuck(6), 0, vec({0})).holds);
  EXPECT_TRUE(principles::check_equilibrium(stuck(7), 0, vec({0})).holds);
  EXPECT_FALSE(principles::check_equilibrium(stuck(5.9), 0, vec({0})).holds);
  EXPECT_NEAR(principles::check_equilibrium(stuck(5), 0, vec({0})).residual, 1, exact);
  EXPECT_TRUE(principles::check_equilibrium(stuck(3), 0, vec({1})).holds);
  EXPECT_FALSE(principles::check_equilibrium(stuck(3), 0, vec({1.1})).holds);
  EXPECT_TRUE(principles::check_steady(make_part(friction(2)), 0, vec({0}), vec({0.5})).holds);
  EXPECT_FALSE(principles::check_steady(make_part(friction(1.9)), 0, vec({0}), vec({0.5})).holds);
}

// 24: the floor listed twice: a and f are unique, λ is not, and the direction in which it may change is reported.
TEST(Glocker1998, Test24RedundantFloor) {
  const auto part = make_part(ball(0) + "[[law]]\nname = \"again\"\ntype = \"unilateral\"\ngap = \"y\"\n");
  const auto r = solve(part, vec({0}), vec({0}));
  expect_near(r.a, {0});
  expect_near(r.f, {10});
  EXPECT_NEAR(r.lambda[0] + r.lambda[1], 10, exact);
  expect_proof(r);
  ASSERT_EQ(r.undetermined.cols(), 1);
  EXPECT_NEAR(r.undetermined(0, 0) + r.undetermined(1, 0), 0, exact);
}

// 24, second part: q2 >= q1² and q2 <= −q1² leave one point, but their normals add up to the q2 axis only.
TEST(Glocker1998, Test24DegeneratePair) {
  const auto part = make_part(
      "[lagrangian]\ncoordinates = [\"a\", \"b\"]\nT = \"(a'^2 + b'^2)/2\"\n"
      "[[law]]\nname = \"above\"\ntype = \"unilateral\"\ngap = \"b - a^2\"\n"
      "[[law]]\nname = \"below\"\ntype = \"unilateral\"\ngap = \"-b - a^2\"\n");
  const Instant at = principles::make_instant(part, 0, vec({0, 0}), vec({0, 0}));
  const auto sets = principles::find_active_sets(part, at, principles::tolerances_of(at));
  const auto found = principles::check_qualification(part, at, sets);
  EXPECT_FALSE(found.mangasarian_fromovitz);
  EXPECT_FALSE(found.normals_add);
  EXPECT_NEAR(std::abs(found.missing_normal[0]), 1, exact);
  const auto floor = make_part(ball(0));
  const Instant rest = principles::make_instant(floor, 0, vec({0}), vec({0}));
  EXPECT_TRUE(principles::check_qualification(
                  floor, rest, principles::find_active_sets(floor, rest, principles::tolerances_of(rest)))
                  .mangasarian_fromovitz);
}

// 25: bad input, each with its own error.
TEST(Glocker1998, Test25BadInput) {
  auto message = [](const std::function<void()>& action) -> std::string {
    try {
      action();
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "no error";
  };
  auto expect = [&](const std::string& found, const std::string& part) {
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  const std::string head = "[lagrangian]\ncoordinates = [\"x\", \"y\"]\n";
  expect(message([&] {
           solve(make_part(head + "M = [[1, 2], [2, 1]]\n"), vec({0, 0}), vec({0, 0}));
         }),
         "not symmetric positive definite");
  expect(message([&] { solve(make_part(ball(0)), vec({-1}), vec({0})); }), "expected q in its domain");
  expect(message([&] { solve(make_part(ball(0)), vec({0}), vec({-1})); }), "an impact is needed");
  expect(message([&] { solve(make_part(ball(0)), vec({std::nan("")}), vec({0})); }), "expected finite numbers");
  std::string negative = friction(1);
  negative.replace(negative.find("load = 2"), 8, "load = -2");
  expect(message([&] { make_part(negative); }), "found -2");
  expect(message([&] { make_part(head + "T = \"x'^3\"\n"); }), "quadratic in the velocities");
  expect(message([&] { make_part(head + "T = \"x'^2 + z'^2\"\n"); }), "z'");
}

}  // namespace
}  // namespace vinculum
