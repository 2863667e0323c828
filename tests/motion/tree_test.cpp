// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Four routes to one equation of motion: RNEA, CRBA with its sparse factor, ABA, and the dense assembly of the paper.
// Random trees of all joints, with armature, gravity and external wrenches.
#include "vinculum/motion/tree.hpp"

#include "support/dense_tree.hpp"
#include "support/random_tree.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace vinculum::test {
namespace {

using namespace motion;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Sample {
  std::vector<parts::TreeLink> links;
  Tree tree;
  TreeWorkspace ws;
  Eigen::VectorXd q, v, tau;
  std::vector<Wrench> external;
  Vec3 gravity{0.3, -0.2, -9.81};

  Sample(unsigned seed, int count, int spread, std::vector<joints::Kind> kinds = {}) {
    Random random(seed);
    links = random_links(random, count, spread, std::move(kinds));
    tree = Tree(links);
    ws = TreeWorkspace(tree);
    q = random_configuration(random, tree);
    v = random.values(tree.nv(), 1.5);
    tau = random.values(tree.nv(), 5);
    for (int b = 0; b < count; ++b) external.push_back({random.vector(3), random.vector(2)});
    place(tree, q.data(), ws);
    move(tree, v.data(), ws);
  }
};

double relative(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).norm() / std::max(1e-300, b.norm());
}

// Sizes 1 to 100, from chains (spread 1) to bushes.
template <class Body>
void for_samples(Body&& body) {
  unsigned seed = 1;
  for (const int count : {1, 2, 3, 7, 11, 12, 30, 100}) {
    for (const int spread : {1, 3, 50}) {
      SCOPED_TRACE(::testing::Message() << count << " links, spread " << spread);
      Sample sample(seed++, count, spread);
      body(sample);
    }
  }
}

TEST(Tree, poses_and_twists_are_those_of_the_links_one_by_one) {
  for_samples([](Sample& s) {
    const DenseTree dense(s.links, s.q, s.v, s.gravity, s.external);
    for (int b = 0; b < s.tree.links(); ++b) {
      const Pose X = link_pose(s.tree, s.ws, b);
      // A rounding per link of the chain, lengths up to the depth.
      const double scale = 1e-14 * (1 + b);
      EXPECT_LT((X.p - dense.X_W[b].p).norm(), scale * (1 + X.p.norm()));
      EXPECT_LT(X.R.angularDistance(dense.X_W[b].R), 1e-7);  // acos(1 − ε)
      const Twist V = screw::inward({Vec3::Zero(), X.R}, link_twist(s.tree, s.ws, b));
      const Eigen::VectorXd expected = dense.V_a.segment<6>(6 * b);
      EXPECT_LT((V.vector() - expected).norm(), 10 * scale * (1 + expected.norm()));
    }
  });
}

TEST(Tree, mass_matrix_and_smooth_forces_are_those_of_the_dense_assembly) {
  for_samples([](Sample& s) {
    const DenseTree dense(s.links, s.q, s.v, s.gravity, s.external);
    mass_matrix(s.tree, s.ws);
    const Eigen::MatrixXd M = dense_mass_matrix(s.tree, s.ws);
    EXPECT_LE((M - dense.M).norm(), 1e-11 * dense.M.norm());
    Eigen::VectorXd h(s.tree.nv());
    smooth_forces(s.tree, s.v.data(), s.gravity, s.external, s.ws, h.data());
    EXPECT_LE((h - dense.h).norm(), 1e-11 * dense.h.norm());
  });
}

TEST(Tree, smooth_forces_with_the_matter_of_the_mass_matrix_are_those_without) {
  for_samples([](Sample& s) {
    Eigen::VectorXd plain(s.tree.nv()), weighed(s.tree.nv());
    smooth_forces(s.tree, s.v.data(), s.gravity, {}, s.ws, plain.data());
    mass_matrix(s.tree, s.ws);
    smooth_forces(s.tree, s.v.data(), s.gravity, {}, s.ws, weighed.data());
    // Two orders of the same sums: moments about joints of chains of up to 100 links.
    EXPECT_LT(relative(weighed, plain), 1e-13 * (1 + s.tree.links()));
    place(s.tree, s.q.data(), s.ws);  // new poses: that matter is no longer theirs
    smooth_forces(s.tree, s.v.data(), s.gravity, {}, s.ws, weighed.data());
    EXPECT_EQ(weighed, plain);
  });
}

TEST(Tree, rows_measured_by_subspaces_are_those_of_the_point_jacobian) {
  for_samples([](Sample& s) {
    Random random(17);
    mass_matrix(s.tree, s.ws);
    for (int link = 0; link < s.tree.links(); ++link) {
      const auto n = static_cast<Eigen::Index>(s.tree.chain(link).size());
      if (n == 0) continue;
      const Vec3 x = link_pose(s.tree, s.ws, link).p + random.vector(1);
      Mat3 F;
      for (int k = 0; k < 3; ++k) F.col(k) = random.vector(1);
      Eigen::Matrix<double, 3, Eigen::Dynamic> J(3, n);
      point_jacobian(s.tree, s.ws, link, x, J);
      for (int rows = 1; rows <= 3; ++rows) {
        Eigen::Matrix<double, 4, Eigen::Dynamic> out(4, n);
        out.setConstant(std::nan(""));
        measure_chain(s.tree, s.ws, link, x, F, rows, out.data());
        Eigen::Matrix<double, 4, Eigen::Dynamic> expected = Eigen::Matrix<double, 4, Eigen::Dynamic>::Zero(4, n);
        expected.topRows(rows) = (F.transpose() * J).topRows(rows);
        // Arms from the root's node instead of the coordinate's own: up to the length of the chain, in units of J.
        EXPECT_LT((out - expected).norm(), 1e-13 * (1 + s.tree.links()) * (1 + expected.norm()));
      }
    }
  });
}

TEST(Tree, forward_dynamics_agree_on_four_routes) {
  for_samples([](Sample& s) {
    const int nv = s.tree.nv();
    if (nv == 0) return;
    Eigen::VectorXd aba(nv), h(nv), back(nv);
    ASSERT_EQ(forward_dynamics(s.tree, s.v.data(), s.tau.data(), s.gravity, s.external, s.ws, aba.data()), -1);
    inverse_dynamics(s.tree, s.v.data(), aba.data(), s.gravity, s.external, s.ws, back.data());
    smooth_forces(s.tree, s.v.data(), s.gravity, s.external, s.ws, h.data());
    mass_matrix(s.tree, s.ws);
    ASSERT_EQ(factor(s.tree, s.ws), -1);
    Eigen::VectorXd sparse = h + s.tau;
    solve_M(s.tree, s.ws, sparse.data());
    const DenseTree dense(s.links, s.q, s.v, s.gravity, s.external);
    const Eigen::VectorXd exact = dense.M.ldlt().solve(dense.h + s.tau);
    EXPECT_LT((back - s.tau).norm(), 1e-11 * (h.norm() + s.tau.norm()));  // RNEA inverts ABA
    // Routes through M may lose cond(M) ε; that passes 1e-11 only for the chain of 100 links (cond 1.7e7), where a
    // hundredth of it is seen.
    const double tolerance = std::max(1e-11, 0.1 * epsilon / dense.M.llt().rcond());
    EXPECT_LT(relative(sparse, aba), tolerance);
    EXPECT_LT(relative(exact, aba), tolerance);
  });
}

TEST(Tree, factor_products_and_solves_are_those_of_dense_triangles) {
  for_samples([](Sample& s) {
    const int nv = s.tree.nv();
    mass_matrix(s.tree, s.ws);
    ASSERT_EQ(factor(s.tree, s.ws), -1);
    const Eigen::MatrixXd M = dense_mass_matrix(s.tree, s.ws);
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(nv, nv);
    for (int i = 0; i < nv; ++i) {
      for (int k = 0; k <= s.tree.depth[i]; ++k) L(i, s.tree.column[s.tree.row[i] + k]) = s.ws.L[s.tree.row[i] + k];
    }
    EXPECT_LE((L.transpose() * L - M).norm(), 1e-14 * M.norm() * std::sqrt(nv + 1.));
    const Eigen::VectorXd x = s.tau;
    Eigen::VectorXd y(nv);
    multiply_M(s.tree, s.ws, x.data(), y.data());
    EXPECT_LE((y - M * x).norm(), 1e-13 * (M * x).norm());
    y = x;
    multiply_L(s.tree, s.ws, y.data());
    EXPECT_LE((y - L * x).norm(), 1e-13 * (L * x).norm());
    solve_L(s.tree, s.ws, y.data());
    EXPECT_LE((y - x).norm(), 1e-11 * x.norm());
    y = x;
    multiply_Lt(s.tree, s.ws, y.data());
    EXPECT_LE((y - L.transpose() * x).norm(), 1e-13 * (L.transpose() * x).norm());
    solve_Lt(s.tree, s.ws, y.data());
    EXPECT_LE((y - x).norm(), 1e-11 * x.norm());
  });
}

TEST(Tree, whitening_a_contact_row_stays_on_the_chain_of_its_link) {
  for_samples([](Sample& s) {
    mass_matrix(s.tree, s.ws);
    ASSERT_EQ(factor(s.tree, s.ws), -1);
    const Eigen::MatrixXd M = dense_mass_matrix(s.tree, s.ws);
    for (int b = 0; b < s.tree.links(); b += 3) {
      const std::span<const int> chain = s.tree.chain(b);
      if (chain.empty()) continue;
      Eigen::Matrix<double, 3, Eigen::Dynamic> J(3, static_cast<int>(chain.size()));
      point_jacobian(s.tree, s.ws, b, Vec3(0.3, -0.4, 0.2), J);
      Eigen::MatrixXd W = Eigen::MatrixXd::Zero(s.tree.nv(), 3), packed = J.transpose(), full;
      for (std::size_t k = 0; k < chain.size(); ++k) W.row(chain[k]) = J.col(static_cast<int>(k)).transpose();
      full = W;
      for (int d = 0; d < 3; ++d) {
        solve_Lt(s.tree, s.ws, full.col(d).data());
        whiten_chain(s.tree, s.ws, b, packed.col(d).data());
      }
      for (int i = 0; i < s.tree.nv(); ++i) {
        const auto place = std::find(chain.begin(), chain.end(), i);
        for (int d = 0; d < 3; ++d) {
          const double expected = place == chain.end() ? 0 : packed(place - chain.begin(), d);
          EXPECT_NEAR(full(i, d), expected, 1e-13 * (1 + std::abs(expected)));
        }
      }
      const Eigen::Matrix3d G = W.transpose() * M.ldlt().solve(W);
      EXPECT_LT((packed.transpose() * packed - G).norm(), 1e-10 * G.norm());  // Delassus, cond M times ε
    }
  });
}

TEST(Tree, jacobians_give_the_twist_and_the_virtual_power) {
  for_samples([](Sample& s) {
    for (int b = 0; b < s.tree.links(); b += 2) {
      const std::span<const int> chain = s.tree.chain(b);
      const int size = static_cast<int>(chain.size());
      Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, size);
      Eigen::Matrix<double, 3, Eigen::Dynamic> P(3, size);
      const Pose X = link_pose(s.tree, s.ws, b);
      const Vec3 x = X * Vec3(0.2, 0.5, -0.1);
      link_jacobian(s.tree, s.ws, b, J);
      point_jacobian(s.tree, s.ws, b, x, P);
      Eigen::VectorXd v(size);
      for (int k = 0; k < size; ++k) v[k] = s.v[chain[k]];
      const Twist V = link_twist(s.tree, s.ws, b);
      const double scale = 1e-13 * (1 + V.vector().norm()) * (1 + size);
      EXPECT_LT((J * v - V.vector()).norm(), scale);
      EXPECT_LT((P * v - (V.v + V.w.cross(x - X.p))).norm(), scale);
      Eigen::VectorXd tau = Eigen::VectorXd::Zero(s.tree.nv());
      add_wrench(s.tree, s.ws, b, s.external[b], tau.data());
      EXPECT_NEAR(tau.dot(s.v), screw::power(s.external[b], V), 10 * scale * (1 + tau.norm()));
    }
  });
}

TEST(Tree, energy_and_momentum_are_quadratic_and_linear_forms_of_the_mass_matrix) {
  for_samples([](Sample& s) {
    mass_matrix(s.tree, s.ws);
    const Eigen::MatrixXd M = dense_mass_matrix(s.tree, s.ws);
    const double T = kinetic_energy(s.tree, s.ws, s.v.data());
    EXPECT_NEAR(T, 0.5 * s.v.dot(M * s.v), 1e-12 * (1 + T));
    // Momentum, link by link in the links' own frames.
    Wrench expected;
    double potential = 0;
    for (int b = 0; b < s.tree.links(); ++b) {
      const Pose X = link_pose(s.tree, s.ws, b);
      const Twist V = screw::inward({Vec3::Zero(), X.R}, link_twist(s.tree, s.ws, b));
      if (s.tree.node_of_link[b] == 0) continue;  // fixed to the world
      expected += screw::outward(X, s.links[b].inertia * V);
      potential -= s.links[b].inertia.mass * s.gravity.dot(X * s.links[b].inertia.com);
    }
    EXPECT_LT((momentum(s.tree, s.ws) - expected).vector().norm(), 1e-11 * (1 + expected.vector().norm()));
    EXPECT_NEAR(potential_energy(s.tree, s.ws, s.gravity), potential, 1e-11 * (1 + std::abs(potential)));
  });
}

TEST(Tree, energy_grows_by_the_power_of_the_forces) {
  // d/dt(T + U) = τᵀv + external power: with v̇ from ABA, dT/dt = vᵀ(M v̇) + ½ vᵀṀ v is checked by central differences of
  // T + U along q(t) = integrate(q, v t + v̇ t²/2), v(t) = v + v̇ t. Truncation t², rounding ε T/t: best near t = 1e-5.
  for_samples([](Sample& s) {
    const int nv = s.tree.nv();
    if (nv == 0) return;
    Eigen::VectorXd vdot(nv);
    forward_dynamics(s.tree, s.v.data(), s.tau.data(), s.gravity, s.external, s.ws, vdot.data());
    double rate = s.tau.dot(s.v), size = std::abs(rate) + 1;
    for (int b = 0; b < s.tree.links(); ++b) {
      rate += screw::power(s.external[b], link_twist(s.tree, s.ws, b));
      size += std::abs(rate);
    }
    const double t = 1e-5;
    double energy[2];
    for (const int side : {0, 1}) {
      const double h = side ? t : -t;
      const Eigen::VectorXd u = h * s.v + 0.5 * h * h * vdot, v = s.v + h * vdot;
      Eigen::VectorXd q(s.q.size());
      s.tree.integrate(s.q.data(), u.data(), q.data());
      place(s.tree, q.data(), s.ws);
      move(s.tree, v.data(), s.ws);
      energy[side] = kinetic_energy(s.tree, s.ws, v.data()) + potential_energy(s.tree, s.ws, s.gravity);
    }
    size += std::abs(energy[0]) + vdot.norm() * s.v.norm();
    EXPECT_NEAR((energy[1] - energy[0]) / (2 * t), rate, 1e-5 * size);
  });
}

}  // namespace
}  // namespace vinculum::test
