// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Glocker (1998): the acceptance tests that need a system, by the numbers of theory/glocker-1998.md, up to 14: springs,
// floors, friction, pasts. Expected values are closed forms written here.
#include "truth/glocker.hpp"

namespace vinculum::glocker {
namespace {

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

}  // namespace
}  // namespace vinculum::glocker
