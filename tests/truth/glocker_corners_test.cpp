// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Glocker (1998), tests 15 to 25: curved and cornered constraints, rolling, redundancy, bad input. Expected values are
// closed forms written here.
#include "truth/glocker.hpp"
#include "vinculum/principles/qualification.hpp"

namespace vinculum::glocker {
namespace {

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
}  // namespace vinculum::glocker
