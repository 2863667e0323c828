// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of inverse and forward dynamics against central differences along integrate(q, ±s e_j). Truncation s²
// times a third derivative, rounding ε/s: with s = 1e-5 both leave 1e-9 to 1e-10 of the size of the terms.
#include "vinculum/motion/tree_derivatives.hpp"

#include "support/random_tree.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace vinculum::test {
namespace {

using namespace motion;

struct Case {
  Tree tree;
  TreeWorkspace ws;
  Eigen::VectorXd q, v, x;
  std::vector<Wrench> local;  // wrenches in the axes of their links
  Vec3 gravity{0.5, 1, -9.81};

  Case(unsigned seed, int count, int spread) {
    Random random(seed);
    tree = Tree(random_links(random, count, spread));
    ws = TreeWorkspace(tree);
    q = random_configuration(random, tree);
    v = random.values(tree.nv());
    x = random.values(tree.nv(), 3);
    for (int b = 0; b < count; ++b) local.push_back({random.vector(2), random.vector(2)});
  }

  std::vector<Wrench> world() const {
    std::vector<Wrench> external;
    for (int b = 0; b < tree.links(); ++b)
      external.push_back(screw::outward({Vec3::Zero(), link_pose(tree, ws, b).R}, local[b]));
    return external;
  }
  Eigen::VectorXd tau(const Eigen::VectorXd& at, const Eigen::VectorXd& velocity) {
    Eigen::VectorXd result(tree.nv());
    place(tree, at.data(), ws);
    inverse_dynamics(tree, velocity.data(), x.data(), gravity, world(), ws, result.data());
    return result;
  }
  Eigen::VectorXd vdot(const Eigen::VectorXd& at, const Eigen::VectorXd& velocity) {
    Eigen::VectorXd result(tree.nv());
    place(tree, at.data(), ws);
    forward_dynamics(tree, velocity.data(), x.data(), gravity, world(), ws, result.data());
    return result;
  }

  template <class Function>
  void difference(Function&& function, Eigen::MatrixXd& by_q, Eigen::MatrixXd& by_v) {
    const double s = 1e-5;
    by_q.resize(tree.nv(), tree.nv());
    by_v.resize(tree.nv(), tree.nv());
    for (int j = 0; j < tree.nv(); ++j) {
      const Eigen::VectorXd e = s * Eigen::VectorXd::Unit(tree.nv(), j), back = -e;
      Eigen::VectorXd plus(q.size()), minus(q.size());
      tree.integrate(q.data(), e.data(), plus.data());
      tree.integrate(q.data(), back.data(), minus.data());
      by_q.col(j) = (function(plus, v) - function(minus, v)) / (2 * s);
      by_v.col(j) = (function(q, v + e) - function(q, v - e)) / (2 * s);
    }
  }
};

template <class Body>
void for_cases(Body&& body) {
  unsigned seed = 50;
  for (const int count : {2, 5, 11, 24}) {
    for (const int spread : {1, 4}) {
      SCOPED_TRACE(::testing::Message() << count << " links, spread " << spread);
      Case c(seed++, count, spread);
      body(c);
    }
  }
}

TEST(TreeDerivatives, of_inverse_dynamics_are_central_differences) {
  for_cases([](Case& c) {
    Eigen::MatrixXd by_q, by_v;
    c.difference([&](const auto& q, const auto& v) { return c.tau(q, v); }, by_q, by_v);
    place(c.tree, c.q.data(), c.ws);
    TreeDerivatives d(c.tree);
    differentiate_inverse(c.tree, c.v.data(), c.x.data(), c.gravity, c.world(), c.ws, d);
    EXPECT_LT((d.dtau_dq - by_q).norm(), 1e-8 * by_q.norm());
    EXPECT_LT((d.dtau_dv - by_v).norm(), 1e-8 * by_v.norm());
  });
}

TEST(TreeDerivatives, of_forward_dynamics_are_central_differences) {
  for_cases([](Case& c) {
    Eigen::MatrixXd by_q, by_v;
    c.difference([&](const auto& q, const auto& v) { return c.vdot(q, v); }, by_q, by_v);
    const Eigen::VectorXd vdot = c.vdot(c.q, c.v);
    mass_matrix(c.tree, c.ws);
    ASSERT_EQ(factor(c.tree, c.ws), -1);
    TreeDerivatives d(c.tree);
    differentiate_forward(c.tree, c.v.data(), vdot.data(), c.gravity, c.world(), c.ws, d);
    EXPECT_LT((d.dvdot_dq - by_q).norm(), 1e-7 * by_q.norm());  // third derivatives grow with M⁻¹
    EXPECT_LT((d.dvdot_dv - by_v).norm(), 1e-7 * by_v.norm());
  });
}

TEST(TreeDerivatives, a_free_body_in_gravity_does_not_feel_where_it_is) {
  parts::TreeLink link;
  link.joints = {joints::Joint(joints::Kind::free, {})};
  Random random(3);
  link.inertia = random_inertia(random);
  const Tree tree(std::vector{link});
  TreeWorkspace ws(tree);
  TreeDerivatives d(tree);
  const Eigen::VectorXd q = random_configuration(random, tree), v = random.values(6), vdot = random.values(6);
  place(tree, q.data(), ws);
  differentiate_inverse(tree, v.data(), vdot.data(), {0, 0, -9.81}, {}, ws, d);
  EXPECT_EQ(d.dtau_dq.leftCols<3>().norm(), 0);   // translations
  EXPECT_GT(d.dtau_dq.rightCols<3>().norm(), 1);  // turns change the components of gravity
}

}  // namespace
}  // namespace vinculum::test
