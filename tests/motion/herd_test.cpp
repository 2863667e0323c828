// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Equal trees side by side: every number has the bits that it has for each tree alone.
#include "vinculum/motion/herd.hpp"

#include "support/random_tree.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>

namespace vinculum::test {
namespace {

using namespace motion;

/// Copies of a random tree (of one, or of several roots) with other numbers, link by link in turn, and others behind.
std::vector<parts::TreeLink> random_herd(Random& random, int count, int spread, int copies, int others) {
  const std::vector<parts::TreeLink> links = random_links(random, count, spread);
  std::vector<parts::TreeLink> out;
  for (const parts::TreeLink& link : links) {
    for (int c = 0; c < copies; ++c) {
      parts::TreeLink copy = link;
      copy.parent = link.parent < 0 ? -1 : link.parent * copies + c;
      copy.X_PC = random.pose(0.5);
      copy.inertia = random_inertia(random);
      copy.joints.clear();
      for (const joints::Joint& joint : link.joints) copy.joints.push_back(random_joint(random, joint.kind()));
      for (double& x : copy.armature) x = random.uniform(0, 0.5);
      out.push_back(copy);
    }
  }
  const int first = static_cast<int>(out.size());
  for (parts::TreeLink link : random_links(random, others, 2)) {
    if (link.parent >= 0) link.parent += first;
    out.push_back(link);
  }
  return out;
}

template <class A, class B>
bool same_bits(const A& a, const B& b, std::size_t count) {
  return std::memcmp(a.data(), b.data(), count * sizeof(double)) == 0;
}

TEST(Herd, trees_are_equal_by_structure_alone) {
  Random random(5);
  const parts::Tree tree(random_herd(random, 3, 1, 4, 5));
  const auto classes = equal_trees(tree);
  ASSERT_GE(classes.size(), 2u);
  EXPECT_EQ(classes[0].size(), 4u);
  std::vector<int> seen;
  for (const auto& trees : classes) {
    for (const std::vector<int>& nodes : trees) seen.insert(seen.end(), nodes.begin(), nodes.end());
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(static_cast<int>(seen.size()), tree.nodes() - 1);
  for (int n = 1; n < tree.nodes(); ++n) EXPECT_EQ(seen[static_cast<std::size_t>(n) - 1], n);
}

TEST(Herd, every_number_has_the_bits_of_the_tree_alone) {
  const Vec3 gravity(0.3, -0.2, -9.81);
  unsigned seed = 1;
  for (const int count : {2, 4, 13, 30}) {
    for (const int copies : {2, 8, 11}) {
      SCOPED_TRACE(::testing::Message() << count << " links, " << copies << " copies");
      Random random(seed++);
      const parts::Tree tree(random_herd(random, count, count == 13 ? 1 : 4, copies, 5));
      const std::size_t nq = static_cast<std::size_t>(tree.nq()), nv = static_cast<std::size_t>(tree.nv());
      const std::size_t nodes = tree.parent.size(), links = tree.node_of_link.size();
      Eigen::VectorXd q = random_configuration(random, tree);
      Eigen::VectorXd v = random.values(tree.nv(), 1.5), x = random.values(tree.nv(), 3);
      x[0] = 0, x[tree.nv() / 2] = -0.0;  // what solve_Lt passes over
      const Eigen::VectorXd damping = random.values(tree.nv(), 0.5).cwiseAbs();
      std::vector<Vec3> com;
      for (std::size_t b = 0; b < links; ++b) com.push_back(random.vector(0.3));
      std::vector<int> body_of_link;
      for (std::size_t b = 0; b < links; ++b) body_of_link.push_back(static_cast<int>(links - 1 - b));

      // One by one.
      TreeWorkspace ws(tree);
      place(tree, q.data(), ws);
      move(tree, v.data(), ws);
      mass_matrix(tree, ws);
      Eigen::VectorXd Mv(tree.nv()), h(tree.nv()), up = x, down = x, out = x;
      multiply_M(tree, ws, v.data(), Mv.data());
      for (std::size_t i = 0; i < nv; ++i) {
        ws.M[static_cast<std::size_t>(tree.row[i] + tree.depth[i])] += 0.25 * damping[static_cast<Eigen::Index>(i)];
      }
      ASSERT_EQ(factor(tree, ws), -1);
      smooth_forces(tree, v.data(), gravity, {}, ws, h.data());
      solve_Lt(tree, ws, up.data());
      solve_L(tree, ws, down.data());
      multiply_L(tree, ws, out.data());

      // Side by side, where there are two or more, the rest one by one.
      TreeWorkspace wide(tree);
      std::vector<Herd> herds;
      std::vector<int> rest;
      for (const auto& trees : equal_trees(tree)) {
        if (trees.size() > 1) herds.emplace_back(tree, wide, com, trees);
        if (trees.size() == 1) rest.insert(rest.end(), trees[0].begin(), trees[0].end());
      }
      ASSERT_FALSE(herds.empty());
      std::sort(rest.begin(), rest.end());
      wide.restrict_to(tree, rest);
      Velocity velocity;
      velocity.v.assign(links, Vec3::Zero());
      velocity.w.assign(links, Vec3::Zero());
      std::vector<Vec3> pose_x(links);
      std::vector<Quat> pose_R(links);
      std::vector<double> own(nodes, 0.0), weights(nodes, 0.0);
      Eigen::VectorXd Mv_1(tree.nv()), h_1(tree.nv()), up_1 = x, down_1 = x, out_1 = x;
      const auto sweep = [&] {
        place(tree, q.data(), wide);
        move(tree, v.data(), wide);
        mass_matrix(tree, wide);
        multiply_M(tree, wide, v.data(), Mv_1.data());
        for (const int i : wide.coordinates) {
          wide.M[static_cast<std::size_t>(tree.row[i] + tree.depth[i])] += 0.25 * damping[i];
        }
        int lost = factor(tree, wide);
        smooth_forces(tree, v.data(), gravity, {}, wide, h_1.data());
        solve_Lt(tree, wide, up_1.data());
        solve_L(tree, wide, down_1.data());
        multiply_L(tree, wide, out_1.data());
        for (Herd& herd : herds) {
          herd.place(q.data());
          herd.write_poses(body_of_link, pose_x, pose_R);
          herd.move(v.data());
          herd.write_velocities(body_of_link, velocity);
          herd.kinetic(own.data());
          herd.weights(gravity, weights.data());
          herd.mass_matrix();
          herd.multiply_M(v.data(), Mv_1.data());
          herd.add_diagonal(0.25, damping.data());
          lost = std::max(lost, herd.factor());
          herd.write_out(wide);
          herd.write_twists(wide);
          herd.smooth_forces(v.data(), gravity, h_1.data());
          herd.solve_Lt(up_1.data());
          herd.solve_L(down_1.data());
          herd.multiply_L(out_1.data());
        }
        return lost;
      };
      ASSERT_EQ(sweep(), -1);

      for (std::size_t n = 1; n < nodes; ++n) {
        EXPECT_TRUE(same_bits(ws.place[n].R, wide.place[n].R, 9)) << n;
        EXPECT_TRUE(same_bits(ws.place[n].p, wide.place[n].p, 3)) << n;
        EXPECT_TRUE(same_bits(ws.place[n].r, wide.place[n].r, 3)) << n;
        EXPECT_TRUE(same_bits(ws.place[n].q.coeffs(), wide.place[n].q.coeffs(), 4)) << n;
        EXPECT_TRUE(same_bits(ws.arm[n], wide.arm[n], 3)) << n;
        EXPECT_TRUE(same_bits(ws.twist[n].v, wide.twist[n].v, 3)) << n;
        EXPECT_TRUE(same_bits(ws.twist[n].w, wide.twist[n].w, 3)) << n;
        EXPECT_EQ(std::memcmp(&ws.composite[n], &wide.composite[n], sizeof(TreeWorkspace::Composite)), 0) << n;
      }
      for (std::size_t i = 0; i < nv; ++i) EXPECT_TRUE(same_bits(ws.S[i], wide.S[i], 6)) << i;
      EXPECT_TRUE(same_bits(ws.L, wide.L, tree.entries()));
      EXPECT_TRUE(same_bits(ws.L_inverse_diagonal, wide.L_inverse_diagonal, nv));
      EXPECT_TRUE(same_bits(Mv, Mv_1, nv));
      EXPECT_TRUE(same_bits(h, h_1, nv));
      EXPECT_TRUE(same_bits(up, up_1, nv));
      EXPECT_TRUE(same_bits(down, down_1, nv));
      EXPECT_TRUE(same_bits(out, out_1, nv));
      const double kinetic = kinetic_energy(tree, ws, v.data()), potential = potential_energy(tree, ws, gravity);
      EXPECT_EQ(kinetic_energy(tree, wide, v.data(), own), kinetic);
      EXPECT_EQ(potential_energy(tree, wide, gravity, weights), potential);
      std::vector<std::size_t> all;
      for (std::size_t b = 0; b < links; ++b) all.push_back(b);
      std::vector<Quat> R(links);
      link_turns(tree, ws, all, R.data());
      const std::vector<int>& alone = wide.nodes;
      for (std::size_t b = 0; b < links; ++b) {
        const int n = tree.node_of_link[b];
        if (n == 0 || std::binary_search(alone.begin(), alone.end(), n)) continue;
        const auto body = static_cast<std::size_t>(body_of_link[b]);
        const Mat3& A = ws.place[n].R;
        Vec3 reach;
        for (int k = 0; k < 3; ++k) reach[k] = (A(k, 0) * com[b][0] + A(k, 1) * com[b][1]) + A(k, 2) * com[b][2];
        const Vec3 x_b = ws.place[n].p + reach, v_b = ws.twist[n].v + ws.twist[n].w.cross(reach);
        EXPECT_TRUE(same_bits(x_b, pose_x[body], 3)) << b;
        EXPECT_TRUE(same_bits(R[b].coeffs(), pose_R[body].coeffs(), 4)) << b;
        EXPECT_TRUE(same_bits(v_b, velocity.v[body], 3)) << b;
        EXPECT_TRUE(same_bits(ws.twist[n].w, velocity.w[body], 3)) << b;
      }
      EXPECT_EQ(static_cast<std::size_t>(q.size()), nq);
    }
  }
}

TEST(Herd, a_pivot_that_is_lost_is_named) {
  Random random(9);
  const parts::Tree tree(random_herd(random, 6, 1, 10, 0));
  Eigen::VectorXd q = random_configuration(random, tree), less = Eigen::VectorXd::Zero(tree.nv());
  const int first = tree.nv() / 3, second = tree.nv() / 2;
  less[first] = less[second] = -1e6;
  TreeWorkspace ws(tree);
  place(tree, q.data(), ws);
  mass_matrix(tree, ws);
  for (int i = 0; i < tree.nv(); ++i) ws.M[static_cast<std::size_t>(tree.row[i] + tree.depth[i])] += less[i];
  int lost = -1;
  const std::vector<Vec3> com(tree.node_of_link.size(), Vec3::Zero());
  for (const auto& trees : equal_trees(tree)) {
    Herd herd(tree, ws, com, trees);
    herd.place(q.data());
    herd.mass_matrix();
    herd.add_diagonal(1, less.data());
    lost = std::max(lost, herd.factor());
  }
  const int alone = factor(tree, ws);
  EXPECT_TRUE(lost == first || lost == second) << lost;
  EXPECT_TRUE(alone == first || alone == second) << alone;
}

}  // namespace
}  // namespace vinculum::test
