// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A joint is a product of elementary motions of the child, each about its own axis and point in the child's frame:
//
//   X_J(q) = E_1(q_1) E_2(q_2) ... E_n(q_n),      child in parent: X = X_PC · X_J(q),  X_J(0) = 1
//
//   slide   E = (a q, 1)                        1 coordinate, m
//   hinge   E = turn by q about (point, a)      1 coordinate, rad
//   turn    as hinge, q modulo a full turn      1 coordinate, rad
//   helix   hinge with advance pitch · q        1 coordinate, rad; pitch in m/rad
//   ball    E = turn by the unit quaternion q about the point       q = (w, x, y, z), velocity = angular, child axes
//   free    E = (x, R)                          q = (x, quaternion), velocity = twist (v, w) of the child, child axes
//
// Velocity v, motion subspace and its rate, in the frame of the child at its origin:
//   V_PC = S(q) v,   V̇_PC = S(q) v̇ + c_J(q, v),   q̇ = N(q) v
// A wrench F on the child makes the joint force τ = SᵀF, so that τᵀv = power(F, V_PC).
// integrate(q, u) is X_J(q) followed by constant factor velocities u for unit time, exactly; difference undoes it.
//
// A file of this folder says which factors its joint has; everything else follows here. parts::Tree takes the factors
// apart into its own elementary nodes, so that a new joint costs no new kernel.
#pragma once

#include "vinculum/screw/screw.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::joints {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;
using screw::Twist;
using screw::Wrench;
using Subspace = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;  // rows (linear, angular)
using Velocity = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 7, 1>;
using RateMap = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 7, 6>;

/// One enumerator per line of registry.inc, in its order.
enum class Kind : std::uint8_t {
#define JOINT(name, text) name,
#include "vinculum/joints/registry.inc"
#undef JOINT
};

enum class Motion : std::uint8_t { slide, hinge, turn, helix, ball, free };
constexpr int nq_of(Motion motion) { return motion == Motion::ball ? 4 : motion == Motion::free ? 7 : 1; }
constexpr int nv_of(Motion motion) { return motion == Motion::ball ? 3 : motion == Motion::free ? 6 : 1; }

struct Factor {
  Motion motion = Motion::hinge;
  Vec3 axis = Vec3::UnitZ();  // unit, in the child's frame; ball, free: not used
  Vec3 point = Vec3::Zero();  // in the child's frame; slide, free: not used
  double pitch = 0;           // helix, m/rad
};

/// What the user says of a joint, in the child's frame.
struct Geometry {
  Vec3 axis = Vec3::UnitZ();
  Vec3 axis_2 = Vec3::UnitX();
  Vec3 point = Vec3::Zero();
  double pitch = 0;
};

/// What a file of this folder defines.
struct JointType {
  std::string_view name;
  std::string_view text;
  bool uses_axis, uses_axis_2, uses_point, uses_pitch;
  /// Geometry is checked: finite, axes unit.
  std::vector<Factor> (*factors)(const Geometry& geometry);
  /// What is wrong with the joint's geometry or coordinates beyond the general rules; null if nothing can be.
  std::optional<std::string> (*fault)(const Geometry& geometry, std::span<const double> q) = nullptr;
};

/// All registered joints, in registry order (index = Kind).
std::span<const JointType> joint_types();
const JointType& type_of(Kind kind);
/// Null when there is no such joint.
const JointType* find_joint_type(std::string_view name);

class Joint {
 public:
  Joint() = default;  // fixed
  /// Axes are made unit. InputError "revolute.axis: found ..., expected ..." when the geometry does not make a joint.
  Joint(Kind kind, const Geometry& geometry);

  Kind kind() const { return kind_; }
  const Geometry& geometry() const { return geometry_; }
  std::span<const Factor> factors() const { return factors_; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }

  Coordinates neutral() const;  // X_J(neutral) = 1
  Pose pose(std::span<const double> q) const;
  Subspace subspace(std::span<const double> q) const;
  Twist rate_term(std::span<const double> q, std::span<const double> v) const;  // c_J
  RateMap rate_map(std::span<const double> q) const;                            // N

  Coordinates integrate(std::span<const double> q, std::span<const double> u) const;
  Velocity difference(std::span<const double> q0, std::span<const double> q1) const;

  /// "found ..., expected ..." for coordinates that are none: wrong number, not finite, quaternion not unit to 1e-6,
  /// or a chart at its singularity.
  std::optional<std::string> fault(std::span<const double> q) const;

 private:
  Kind kind_ = Kind::fixed;
  Geometry geometry_;
  std::vector<Factor> factors_;
  int nq_ = 0, nv_ = 0;
};

/// The elementary motions, for those that take joints apart.
Pose pose_of(const Factor& factor, const double* q);
void integrate(Motion motion, const double* q, const double* u, double* q1);
void difference(Motion motion, const double* q0, const double* q1, double* u);
void rate(Motion motion, const double* q, const double* v, double* qdot);  // N(q) v

}  // namespace vinculum::joints
