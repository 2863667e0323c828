// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A tree in motion by classical Runge–Kutta in (q, v), q̇ = N(q) v, for tests of mechanics and not of an integrator.
#pragma once

#include "vinculum/motion/tree.hpp"

namespace vinculum::test {

using motion::Tree;

struct TreeFlow {
  const Tree* tree;
  motion::TreeWorkspace ws;
  algebra::Vec3 gravity;
  Eigen::VectorXd q, v, tau;

  TreeFlow(const Tree& t, const algebra::Vec3& g) : tree(&t), ws(t), gravity(g), q(t.neutral()) {
    v = tau = Eigen::VectorXd::Zero(t.nv());
  }

  void rates(const Eigen::VectorXd& at, const Eigen::VectorXd& velocity, Eigen::VectorXd& qdot, Eigen::VectorXd& vdot) {
    qdot.resize(tree->nq());
    vdot.resize(tree->nv());
    motion::place(*tree, at.data(), ws);
    motion::forward_dynamics(*tree, velocity.data(), tau.data(), gravity, {}, ws, vdot.data());
    tree->rate(at.data(), velocity.data(), qdot.data());
  }

  // Quaternions leave the sphere by O(dt⁵) and are read as directions.
  void step(double dt) {
    Eigen::VectorXd a[4], b[4];
    rates(q, v, a[0], b[0]);
    rates(q + 0.5 * dt * a[0], v + 0.5 * dt * b[0], a[1], b[1]);
    rates(q + 0.5 * dt * a[1], v + 0.5 * dt * b[1], a[2], b[2]);
    rates(q + dt * a[2], v + dt * b[2], a[3], b[3]);
    q += dt / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
    v += dt / 6 * (b[0] + 2 * b[1] + 2 * b[2] + b[3]);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(tree->nv());
    tree->integrate(q.data(), none.data(), q.data());  // makes quaternions unit
  }

  void update() {
    motion::place(*tree, q.data(), ws);
    motion::move(*tree, v.data(), ws);
  }
  double kinetic() {
    update();
    return motion::kinetic_energy(*tree, ws, v.data());
  }
  double energy() { return kinetic() + motion::potential_energy(*tree, ws, gravity); }
  screw::Wrench momentum() {
    update();
    return motion::momentum(*tree, ws);
  }
};

}  // namespace vinculum::test
