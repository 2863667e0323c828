// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Structure of trees: nodes, packed rows, configuration space, bad input.
#include "vinculum/parts/tree.hpp"

#include "support/random_tree.hpp"
#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace vinculum::test {
namespace {

using parts::Tree;
using parts::TreeLink;

std::string message_of(const std::vector<TreeLink>& links) {
  try {
    Tree tree(links);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

// A chain of hinges.
std::vector<TreeLink> chain(int count) {
  Random random(1);
  std::vector<TreeLink> links = random_links(random, count, 1, {joints::Kind::revolute});
  for (TreeLink& link : links) {
    link.joints.resize(1);
    link.armature.clear();
  }
  return links;
}

TEST(TreeStructure, rows_hold_the_ancestors_root_first_and_begin_with_the_row_of_the_parent) {
  Random random(5);
  const std::vector<TreeLink> links = random_links(random, 60, 6);
  const Tree tree(links);
  for (int i = 0; i < tree.nv(); ++i) {
    const int *begin = tree.column.data() + tree.row[i], *end = begin + tree.depth[i] + 1;
    EXPECT_TRUE(std::is_sorted(begin, end));
    EXPECT_EQ(end[-1], i);
    if (tree.depth[i] == 0) continue;
    const int before = end[-2];
    EXPECT_EQ(tree.depth[before], tree.depth[i] - 1);
    EXPECT_TRUE(std::equal(begin, end - 1, tree.column.data() + tree.row[before]));
  }
  // The chain of a link: the coordinates of the links on its way to the world.
  for (int b = 0; b < tree.links(); ++b) {
    std::vector<int> expected;
    for (int a = b; a >= 0; a = links[a].parent) {
      for (int i = tree.link_iv[a + 1] - 1; i >= tree.link_iv[a]; --i) expected.insert(expected.begin(), i);
    }
    const auto found = tree.chain(b);
    EXPECT_EQ(std::vector<int>(found.begin(), found.end()), expected);
  }
}

TEST(TreeStructure, fixed_links_have_no_node_of_their_own) {
  std::vector<TreeLink> links = chain(3);
  links[1].joints = {joints::Joint()};
  links[0].joints.clear();
  const Tree tree(links);
  EXPECT_EQ(tree.nodes(), 2);  // the world and one hinge
  EXPECT_EQ(tree.node_of_link[0], 0);
  EXPECT_TRUE(tree.chain(1).empty());
  EXPECT_EQ(tree.chain(2).size(), 1u);
}

TEST(TreeStructure, difference_undoes_integrate_and_rates_are_its_derivative) {
  Random random(6);
  const Tree tree(random_links(random, 40, 4));
  const Eigen::VectorXd q = random_configuration(random, tree), u = random.values(tree.nv(), 1.2);
  Eigen::VectorXd q1(tree.nq()), back(tree.nv()), rate(tree.nq()), plus(tree.nq()), minus(tree.nq());
  tree.integrate(q.data(), u.data(), q1.data());
  tree.difference(q.data(), q1.data(), back.data());
  EXPECT_LT((back - u).norm(), 1e-13 * (1 + u.norm()));
  tree.rate(q.data(), u.data(), rate.data());
  const double t = 1e-5;
  const Eigen::VectorXd step = t * u, other = -step;
  tree.integrate(q.data(), step.data(), plus.data());
  tree.integrate(q.data(), other.data(), minus.data());
  EXPECT_LT(((plus - minus) / (2 * t) - rate).norm(), 1e-9 * rate.norm());
  tree.check({q1.data(), static_cast<std::size_t>(q1.size())});
}

TEST(TreeStructure, what_is_no_forest_is_refused_with_one_diagnosis_each) {
  auto links = chain(4);
  links[2].parent = 2;
  EXPECT_EQ(message_of(links),
            "link[2].parent: found 2, which closes a cycle, expected a tree (cut the loop and add a constraint)");
  links[2].parent = 3;  // 3 is a child of 2
  EXPECT_EQ(message_of(links),
            "link[2].parent: found 3, which closes a cycle, expected a tree (cut the loop and add a constraint)");
  links = chain(4);
  links[1].parent = 3;
  links[2].parent = links[3].parent = 0;
  EXPECT_EQ(message_of(links), "link[1].parent: found 3, expected a link before its child");
  links = chain(4);
  links[1].parent = 7;
  EXPECT_EQ(message_of(links), "link[1].parent: found 7, expected a link of this tree, or -1 for the world");
  links[1].parent = -2;
  EXPECT_EQ(message_of(links), "link[1].parent: found -2, expected a link of this tree, or -1 for the world");
}

TEST(TreeStructure, matter_that_cannot_be_is_refused) {
  auto links = chain(3);
  links[1].inertia.mass = -1;
  EXPECT_EQ(message_of(links), "link[1].inertia: found mass -1, expected a mass >= 0 (kg)");
  links = chain(3);
  links[2].inertia = {};
  EXPECT_EQ(message_of(links), "link[2]: found no mass on or beyond its joint, expected some (or armature)");
  links[2].armature = {0.1};
  EXPECT_EQ(message_of(links), "accepted");
  links[2].armature = {0.1, 0.2};
  EXPECT_EQ(message_of(links), "link[2].armature: found 2 numbers, expected 1");
  links[2].armature = {-0.1};
  EXPECT_EQ(message_of(links), "link[2].armature: found -0.1, expected finite numbers >= 0");
  links = chain(3);
  links[0].X_PC.p.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message_of(links).find("link[0].pose"), std::string::npos);
}

TEST(TreeStructure, coordinates_that_are_none_are_named_with_their_joint) {
  auto links = chain(3);
  links[1].joints = {joints::Joint(joints::Kind::spherical, {})};
  const Tree tree(links);
  const auto message = [&](const std::vector<double>& q) -> std::string {
    try {
      tree.check(q);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({0.1, 1, 0, 0, 0, 0.2}), "accepted");
  EXPECT_EQ(message({0.1, 1, 0, 0, 0}), "q: found 5 coordinates, expected 6");
  EXPECT_EQ(message({0.1, 2, 0, 0, 0, 0.2}), "link[1].joint[0]: found a quaternion of length 2, expected 1");
  EXPECT_EQ(message({0.1, 1, 0, 0, 0, std::numeric_limits<double>::quiet_NaN()}),
            "link[2].joint[0]: found nan, expected a finite coordinate");
}

}  // namespace
}  // namespace vinculum::test
