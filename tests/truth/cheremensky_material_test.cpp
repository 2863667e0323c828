// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// theory/cheremensky.md, section 4: test 9, and what test 20 says of laws and constraints.
#include "support/simulate.hpp"
#include "vinculum/materials/linear_law.hpp"
#include "vinculum/parts/tree.hpp"
#include "vinculum/principles/least_constraint.hpp"
#include "vinculum/screw/rotation.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <random>

namespace vinculum::test {
namespace {

using Eigen::MatrixXd;
using materials::LinearLaw;

TEST(Cheremensky, test_9_moduli_depend_on_the_dimension) {
  const auto solid = materials::moduli({3, 0, 1.2, 1.6, 0});
  EXPECT_NEAR(solid.E, 2.08, 1e-12);
  EXPECT_NEAR(solid.nu, 0.3, 1e-12);
  EXPECT_NEAR(solid.E, 2 * solid.mu * (1 + solid.nu), 1e-12);
  const auto plane = materials::moduli({2, 0, 1.2, 1.6, 0});
  EXPECT_NEAR(plane.E, 2.2857143, 5e-8);
  EXPECT_NEAR(plane.nu, 0.4285714, 5e-8);
  // By their definition: U = (1, −ν, −ν)/E under the stress (1, 0, 0).
  for (const int n : {2, 3}) {
    const LinearLaw law{n, 0, 1.2, 1.6, 0.7};
    MatrixXd T = MatrixXd::Zero(n, n);
    T(0, 0) = 1;
    const MatrixXd U = materials::stress(materials::inverse(law), T);
    const auto [E, nu, mu] = materials::moduli(law);
    EXPECT_NEAR(U(0, 0), 1 / E, 1e-14);
    EXPECT_NEAR(U(1, 1), -nu / E, 1e-14);
    T.setZero();
    T(0, 1) = T(1, 0) = 1;  // shear: γ = 2 U_12 = 1/μ
    EXPECT_NEAR(2 * materials::stress(materials::inverse(law), T)(0, 1), 1 / mu, 1e-14);
  }
}

TEST(Cheremensky, test_9_theorem_4_undoes_the_law) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> range(-1, 1);
  for (const int n : {2, 3}) {
    const LinearLaw law{n, 0.4, 1.2, 1.6, 0.7};
    MatrixXd U(n, n);
    for (double& x : U.reshaped()) x = range(random);
    const MatrixXd T = materials::stress(law, U);
    EXPECT_LT((materials::stress(materials::inverse(law), T) - U).norm(), 1e-14);
    // A second route: the n² × n² matrix of U → T, solved.
    MatrixXd A(n * n, n * n);
    const MatrixXd rest = materials::stress(law, MatrixXd::Zero(n, n));
    for (int k = 0; k < n * n; ++k) {
      MatrixXd unit = MatrixXd::Zero(n, n);
      unit.reshaped()[k] = 1;
      A.col(k) = (materials::stress(law, unit) - rest).reshaped();
    }
    const Eigen::VectorXd solved = A.partialPivLu().solve((T - rest).reshaped());
    EXPECT_LT((solved - U.reshaped()).norm(), 1e-13);
    // T : U of the law without r_0: (r₁ + r₂/n) tr² + r₂ |dev sym|² + r₃ |ant|².
    const MatrixXd sym = 0.5 * (U + U.transpose()), ant = 0.5 * (U - U.transpose());
    const MatrixXd dev = sym - U.trace() / n * MatrixXd::Identity(n, n);
    EXPECT_NEAR((T - rest).cwiseProduct(U).sum(),
                (1.2 + 1.6 / n) * U.trace() * U.trace() + 1.6 * dev.squaredNorm() + 0.7 * ant.squaredNorm(), 1e-13);
  }
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect(const char* part, const std::function<void()>& action) {
  EXPECT_NE(message_of(action).find(part), std::string::npos) << "expected " << part << ": " << message_of(action);
}

TEST(Cheremensky, test_20_rotations_that_are_none_and_charts_at_their_ends) {
  using namespace screw;
  const Mat3 half = Eigen::AngleAxisd(pi, Vec3(1, 2, 2) / 3).toRotationMatrix();
  expect("expected an orthogonal matrix", [] { rotation_from_matrix(1.01 * Mat3::Identity()); });
  expect("found determinant -1", [] { rotation_from_matrix(-Mat3::Identity()); });
  expect("not finite", [] { rotation_from_matrix(Mat3::Constant(std::nan(""))); });
  expect("1 + tr C", [&] { fedorov_from_rotation(half); });
  expect("cos(theta)", [] { cardan_from_rotation(Eigen::AngleAxisd(pi / 2, Vec3::UnitY()).toRotationMatrix()); });
}

TEST(Cheremensky, test_20_trees_that_are_none) {
  const std::string head =
      "[[body]]\nname = 'a'\nmass = 1\ninertia = [1, 1, 1]\n[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 1]\n";
  const auto scene = [&](const std::string& joints) {
    return [text = head + joints] { model::parse_scene(text, "t"); };
  };
  const auto joint = [](const char* parent, const char* child) {
    return fmt::format("[[joint]]\ntype = 'revolute'\nparent = '{}'\nchild = '{}'\n", parent, child);
  };
  expect("which hangs on the child itself, expected a tree", scene(joint("a", "b") + joint("b", "a")));
  expect("\"c\"", scene(joint("c", "b")));  // an orphan: its parent does not exist
  using parts::TreeLink;
  std::vector<TreeLink> links(2);
  for (TreeLink& link : links)
    link.inertia = screw::inertia_of_atoms(std::vector<screw::Atom>{{1, {0, 0, 1}}, {1, {1, 0, 0}}, {1, {0, 1, 0}}});
  links[0].parent = 1;
  expect("a link before its child", [&] { parts::Tree{links}; });
  links[1].parent = 0;
  expect("closes a cycle", [&] { parts::Tree{links}; });
}

TEST(Cheremensky, test_20_laws_of_materials_that_are_none) {
  expect("material.r_2: found 0", [] { materials::inverse({3, 0, 1, 0, 1}); });
  expect("material.r_3: found 0", [] { materials::inverse({3, 0, 1, 1, 0}); });
  expect("material.n r_1 + r_2: found 0", [] { materials::inverse({3, 0, -1, 3, 1}); });
  expect("clay.r_2: found -1", [] { materials::check_law({3, 0, 1, -1, 0}, "clay", true); });
  expect("clay.r_1: found nan", [] { materials::check_law({3, 0, std::nan(""), 1, 0}, "clay", true); });
  expect("water.r_0: found a pressure without law, expected an equation of state", [] {
    materials::check_law({3, 1, 0, 0, 0}, "water", false);
  });
  EXPECT_EQ(message_of([] { materials::check_law({3, 1, 0, 0, 0}, "water", true); }), "accepted");
}

const std::string point = "[lagrangian]\ncoordinates = ['x', 'y']\nT = \"x'^2/2 + y'^2/2\"\nU = 'y'\n";

TEST(Cheremensky, test_20_a_holonomic_constraint_passed_as_a_rate) {
  const std::string law = "[[law]]\ntype = 'nonholonomic'\nrate = 'x - y'\n";
  expect("expected a rate that depends on velocities", [&] { system::System{model::parse_scene(point + law, "t")}; });
}

TEST(Cheremensky, test_20_redundant_constraints_are_reported_with_what_they_leave_open) {
  // x + y = 0 asked twice: the acceleration is that of one, the reactions are known up to (1, −1)/√2.
  const std::string law = "[[law]]\ntype = 'bilateral'\ngap = 'x + y'\n",
                    again = "[[law]]\ntype = 'bilateral'\ngap = '2*x + 2*y'\n";
  const auto model = model::parse_scene(point + law + again, "t");
  const system::System system(model);
  const Eigen::Vector2d zero(0, 0);
  const auto found = principles::least_constraint(*system.lagrangian, 0, zero, zero);
  EXPECT_LT((found.a - Eigen::Vector2d(0.5, -0.5)).norm(), 1e-12);  // the force −e_y along (1, −1)/√2
  ASSERT_EQ(found.undetermined.cols(), 1);
  EXPECT_NEAR(std::abs(found.undetermined(0, 0) / found.undetermined(1, 0)), 2, 1e-9);
}

}  // namespace
}  // namespace vinculum::test
