// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact problems built by hand from bodies and points, for tests and bench: no engine code between the picture and J.
//   ξ = Wᵀ v + χ,   M = diag(m, m, m, I₁, I₂, I₃) per body (axes along the world),   J = Wᵀ M^(-1/2),   c = Wᵀ v_free
// n points from body a to body b; −1 is the ground.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace corpus {

using vinculum::algebra::Vec3;
using vinculum::contact::ContactProblem;
using vinculum::contact::JBlock;
using vinculum::laws::Kind;

struct Body {
  double mass = 1;
  Vec3 inertia = Vec3::Constant(1.0 / 6);
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // free velocity: what it would do without contacts
};

struct Scene {
  std::vector<Body> bodies;
  ContactProblem problem;

  int box(const Vec3& p, double mass, const Vec3& side, const Vec3& v) {
    Body body;
    body.mass = mass;
    const Vec3 s = side.cwiseProduct(side);
    body.inertia = mass / 12 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
    body.p = p;
    body.v = v;
    bodies.push_back(body);
    return static_cast<int>(bodies.size()) - 1;
  }
  int sphere(const Vec3& p, double mass, double radius, const Vec3& v) {
    Body body;
    body.mass = mass;
    body.inertia = Vec3::Constant(0.4 * mass * radius * radius);
    body.p = p;
    body.v = v;
    bodies.push_back(body);
    return static_cast<int>(bodies.size()) - 1;
  }

  // Rows n, t1, t2 of body b relative to body a at the world point p. `rows` < 3 leaves the others empty.
  void contact(Kind law, int a, int b, const Vec3& p, const Vec3& n, double mu, int rows = 3) {
    if (problem.row.empty()) problem.row.push_back(0);
    if (law == Kind::unilateral) rows = 1;
    const Vec3 t1 = vinculum::algebra::orthogonal_to(n);
    const Vec3 axis[3] = {n, t1, n.cross(t1)};
    Vec3 c = Vec3::Zero();
    auto side = [&](int k, double sign) {
      if (k < 0) return;
      const Body& body = bodies[k];
      JBlock J = JBlock::Zero();
      for (int i = 0; i < rows; ++i) {
        const Vec3 linear = sign * axis[i], angular = sign * (p - body.p).cross(axis[i]);
        c[i] += linear.dot(body.v) + angular.dot(body.w);
        J.row(i).head<3>() = linear.transpose() / std::sqrt(body.mass);
        J.row(i).tail<3>() = angular.cwiseQuotient(body.inertia.cwiseSqrt()).transpose();
      }
      problem.node.push_back(k);
      problem.J.push_back(J);
    };
    if (a < b) {
      side(a, -1);
      side(b, 1);
    } else {
      side(b, 1);
      side(a, -1);
    }
    problem.row.push_back(static_cast<int>(problem.node.size()));
    problem.c.push_back(c);
    problem.law.push_back(law);
    problem.mu.push_back(mu);
    problem.nodes = bodies.size();
  }
};

struct Case {
  std::string name;
  ContactProblem problem;
  bool sweeps_suffice = true;   // plain Gauss-Seidel is expected to reach 1e-8 within its default budget
  bool unique_xi = true;        // the velocity is unique, so that two methods must agree in it
  bool newton_suffices = true;  // so is proximal Newton alone
};

inline const Vec3 up(0, 0, 1);
constexpr double kDrop = -9.81e-3;  // g dt for a step of 1 ms, m/s

inline ContactProblem particle_on_plane(const Vec3& v, double mu) {
  Scene scene;
  scene.sphere(Vec3(0, 0, 1), 2.0, 1.0, v);
  scene.contact(Kind::coulomb, -1, 0, Vec3(0, 0, 0), up, mu);
  return scene.problem;
}

// Corners of the rectangle [x0, x1] × [y0, y1] at height z between bodies a (below) and b (above).
inline void four_points(Scene& scene, int a, int b, double x0, double x1, double y0, double y1, double z, double mu) {
  for (double x : {x0, x1}) {
    for (double y : {y0, y1}) scene.contact(Kind::coulomb, a, b, Vec3(x, y, z), up, mu);
  }
}

inline ContactProblem box_on_ground(const Vec3& v, double mu) {
  Scene scene;
  const int b = scene.box(Vec3(0, 0, .5), 1, Vec3(1, 1, 1), v);
  four_points(scene, -1, b, -.5, .5, -.5, .5, 0, mu);
  return scene.problem;
}

// n boxes on each other; mass(k) of the k-th from below.
template <class Mass>
ContactProblem stack(int n, double mu, Mass mass, const Vec3& top_push = Vec3::Zero()) {
  Scene scene;
  for (int k = 0; k < n; ++k) {
    Vec3 v(0, 0, kDrop);
    if (k == n - 1) v += top_push;
    scene.box(Vec3(0, 0, k + .5), mass(k), Vec3(1, 1, 1), v);
    four_points(scene, k - 1, k, -.5, .5, -.5, .5, k, mu);
  }
  return scene.problem;
}

// Up to (x, y, z) in size, one draw for each that is not zero. In a fixed order: compilers differ in the order in which
// they evaluate arguments.
inline Vec3 draw(std::mt19937_64& random, double x, double y, double z) {
  std::uniform_real_distribution<double> pm(-1, 1);
  Vec3 v(x, y, z);
  for (int k = 2; k >= 0; --k)
    if (v[k] != 0) v[k] *= pm(random);
  return v;
}

// Rows of unit boxes, each on two below: rows (rows + 1) / 2 boxes, 4 rows² contacts. noise: random velocity in g dt.
inline ContactProblem pyramid(int rows, double mu, double noise = 0) {
  Scene scene;
  std::mt19937_64 random(7);
  std::vector<int> below, here;
  for (int k = 0; k < rows; ++k) {
    here.clear();
    for (int i = 0; i < rows - k; ++i) {
      const double x = i + .5 * k;
      const Vec3 v = Vec3(0, 0, kDrop) + noise * kDrop * draw(random, 1, 1, 1);
      const int b = scene.box(Vec3(x, 0, k + .5), 1, Vec3(1, 1, 1), v);
      here.push_back(b);
      if (k == 0) {
        four_points(scene, -1, b, x - .5, x + .5, -.5, .5, 0, mu);
      } else {
        four_points(scene, below[i], b, x - .5, x, -.5, .5, k, mu);
        four_points(scene, below[i + 1], b, x, x + .5, -.5, .5, k, mu);
      }
    }
    below = here;
  }
  return scene.problem;
}

// Spheres on a jittered lattice in a box; contacts between neighbours nearer than `reach` diameters.
inline ContactProblem packing(int side, double mu, double reach, unsigned seed) {
  Scene scene;
  std::mt19937_64 random(seed);
  for (int k = 0; k < side; ++k) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        const Vec3 p(i + .5 * ((j + k) % 2), j * .87 + .29 * (k % 2), k * .82);
        const int s = scene.sphere(p + .06 * draw(random, 1, 1, 1), 1, .5, Vec3(0, 0, kDrop));
        const Vec3 x = scene.bodies[s].p;
        if (k == 0) scene.contact(Kind::coulomb, -1, s, x - .5 * up, up, mu);
        for (int o = std::max(0, s - 2 * side * side); o < s; ++o) {  // no neighbour is two layers away
          const Vec3 gap = x - scene.bodies[o].p;
          if (gap.norm() < reach) {
            scene.contact(Kind::coulomb, o, s, .5 * (x + scene.bodies[o].p), gap.normalized(), mu);
          }
        }
        for (int wall = 0; wall < 2; ++wall) {
          const int cell = wall == 0 ? i : j;
          Vec3 n = Vec3::Zero();
          n[wall] = cell == 0 ? 1 : -1;
          if (cell == 0 || cell == side - 1) scene.contact(Kind::coulomb, -1, s, x - .5 * n, n, mu);
        }
      }
    }
  }
  return scene.problem;
}

// One body on 25 points of a bowl, thrown and spinning: many points between stick and slip.
inline ContactProblem one_object(unsigned seed, double mu) {
  Scene scene;
  std::mt19937_64 random(seed);
  const int b = scene.box(Vec3::Zero(), 1, Vec3(1, 1, .2), Vec3(.02, .01, -.05));
  scene.bodies[b].w = Vec3(.05, -.03, .1);
  for (int k = 0; k < 25; ++k) {
    const Vec3 n = (up + draw(random, .7, .7, 0)).normalized();
    scene.contact(Kind::coulomb, -1, b, Vec3(0, 0, -.1) + draw(random, .5, .5, 0), n, mu);
  }
  return scene.problem;
}

// A chain of boxes bonded at points (three rows), a slider (two rows) and a rod (one row), resting on the ground
// through frictional and frictionless contacts.
inline ContactProblem mixed() {
  Scene scene;
  for (int k = 0; k < 6; ++k) scene.box(Vec3(k, 0, .5), 1 + k, Vec3(1, 1, 1), Vec3(.02 * k, 0, kDrop));
  for (int k = 0; k + 1 < 6; ++k) {
    scene.contact(Kind::bilateral, k, k + 1, Vec3(k + .5, 0, .5), Vec3(1, 0, 0), 0, 3 - k % 3);
  }
  for (int k = 0; k < 6; ++k) {
    for (double x : {-.5, .5}) {
      for (double y : {-.5, .5}) {
        scene.contact(k % 2 ? Kind::unilateral : Kind::coulomb, -1, k, Vec3(k + x, y, 0), up, .3);
      }
    }
  }
  return scene.problem;
}

// Several separate islands, one of them a block between things that do not move.
inline ContactProblem islands() {
  Scene scene;
  for (int k = 0; k < 4; ++k) {
    scene.box(Vec3(3 * k, 0, .5), 1, Vec3(1, 1, 1), Vec3(.01 * k, 0, kDrop));
    four_points(scene, -1, k, 3 * k - .5, 3 * k + .5, -.5, .5, 0, .5);
  }
  scene.contact(Kind::coulomb, -1, -1, Vec3(0, 9, 0), up, .5);
  return scene.problem;
}

inline std::vector<Case> cases() {
  auto one = [](int) { return 1.0; };
  std::vector<Case> list;
  auto add = [&](std::string name, ContactProblem problem, bool sweeps = true, bool unique = true, bool newton = true) {
    list.push_back({std::move(name), std::move(problem), sweeps, unique, newton});
  };
  add("particle at rest", particle_on_plane(Vec3(0, 0, kDrop), .5));
  add("particle sticks", particle_on_plane(Vec3(.004, 0, kDrop), .5));
  add("particle slips", particle_on_plane(Vec3(1, .5, kDrop), .5));
  add("particle leaves", particle_on_plane(Vec3(1, .5, .1), .5));
  add("particle without friction", particle_on_plane(Vec3(1, .5, kDrop), 0));
  add("box at rest", box_on_ground(Vec3(0, 0, kDrop), .5));
  add("box pushed, sticks", box_on_ground(Vec3(.002, .001, kDrop), .5));
  add("box pushed, slips", box_on_ground(Vec3(.05, .02, kDrop), .5));
  add("box pushed, nearly slips", box_on_ground(Vec3(.4999 * 9.81e-3, 0, kDrop), .5));
  add("stack of 5", stack(5, .5, one));
  add("stack of 5, top pushed", stack(5, .5, one, Vec3(.003, 0, 0)));
  add("stack of 20", stack(20, .5, one), false);
  add("ten boxes, tiny friction", stack(10, 1e-6, one), false);
  add("1e6 kg on 1 kg", stack(2, .5, [](int k) { return k ? 1e6 : 1.0; }), false);
  add("alternating masses 1 and 1e6", stack(4, .5, [](int k) { return k % 2 ? 1e6 : 1.0; }), false);
  add("pyramid of 5 rows", pyramid(5, .5));
  add("pyramid of 20 rows", pyramid(20, .5), false);
  add("pyramid of 10 rows, shaken", pyramid(10, .5, .1), false);
  add("loose packing", packing(4, .3, 1.02, 3), false, false);
  add("loose packing, another", packing(4, .3, 1.02, 5), false, false);
  add("dense packing", packing(5, .3, 1.1, 4), false, false);
  add("pyramid of 20 rows, shaken hard", pyramid(20, .5, 1), false, false);
  add("one object", one_object(1, .5), false, false);
  add("one object, slippery", one_object(2, .1), false, false);
  add("one object, rough", one_object(3, 1.2), false, false);
  // Slip with coupled blocks: several velocities, each a solution to rounding (theory/solving-friction.md 8).
  add("mixed bonds and contacts", mixed(), true, false);
  add("islands", islands());
  return list;
}

}  // namespace corpus
