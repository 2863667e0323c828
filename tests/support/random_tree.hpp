// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees, states and forces drawn at random with fixed seeds: every kind of joint, several joints per link, several
// roots, armature, fixed links.
#pragma once

#include "vinculum/parts/tree.hpp"

#include <random>

namespace vinculum::test {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  int index(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
  Vec3 vector(double size = 1) { return size * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }
  Vec3 direction() {
    for (;;) {
      const Vec3 x = vector();
      if (x.norm() > 0.1) return x.normalized();
    }
  }
  Quat rotation() { return Quat(Eigen::AngleAxisd(uniform(-3, 3), direction())); }
  Pose pose(double size = 1) { return {vector(size), rotation()}; }
  Eigen::VectorXd values(int n, double size = 1) {
    Eigen::VectorXd x(n);
    for (double& value : x) value = uniform(-size, size);
    return x;
  }
};

inline screw::Inertia random_inertia(Random& random) {
  std::vector<screw::Atom> atoms;
  for (int k = 0; k < 5; ++k) atoms.push_back({random.uniform(0.2, 1), random.vector(0.4)});
  return screw::inertia_of_atoms(atoms);
}

inline joints::Joint random_joint(Random& random, joints::Kind kind) {
  joints::Geometry geometry;
  geometry.axis = random.direction();
  geometry.axis_2 = geometry.axis.cross(random.direction()).normalized() + 0.3 * geometry.axis;
  geometry.point = random.vector(0.3);
  geometry.pitch = random.uniform(-0.2, 0.2);
  return {kind, geometry};
}

/// `spread` is how far back a parent may lie: 1 gives a chain, large values a bush. `kinds` empty: all of the registry.
inline std::vector<parts::TreeLink> random_links(Random& random, int count, int spread,
                                                 std::vector<joints::Kind> kinds = {}) {
  if (kinds.empty()) {
    for (std::size_t k = 0; k < joints::joint_types().size(); ++k) kinds.push_back(static_cast<joints::Kind>(k));
  }
  std::vector<parts::TreeLink> links;
  for (int b = 0; b < count; ++b) {
    parts::TreeLink link;
    link.parent = std::max(-1, b - 1 - random.index(spread));
    link.X_PC = random.pose(0.5);
    link.inertia = random_inertia(random);
    const std::size_t first = static_cast<std::size_t>(b) % kinds.size();
    link.joints.push_back(random_joint(random, kinds[first]));
    // A second joint in sequence, where the two cannot repeat each other's motion (M would be singular).
    if (link.joints[0].nv() == 1 && random.index(2) == 0) {
      for (const joints::Kind kind : {joints::Kind::revolute, joints::Kind::screw})
        link.joints.push_back(random_joint(random, kind));
    }
    if (random.index(2) == 0) {
      for (const joints::Joint& joint : link.joints) {
        for (int k = 0; k < joint.nv(); ++k) link.armature.push_back(random.uniform(0, 0.5));
      }
    }
    links.push_back(link);
  }
  return links;
}

/// A configuration away from neutral; Cardan angles of six_dof stay off their singularity.
inline Eigen::VectorXd random_configuration(Random& random, const parts::Tree& tree) {
  const Eigen::VectorXd u = random.values(tree.nv(), 1.2);
  Eigen::VectorXd q = tree.neutral();
  tree.integrate(q.data(), u.data(), q.data());
  return q;
}

}  // namespace vinculum::test
