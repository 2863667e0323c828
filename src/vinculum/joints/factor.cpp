// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The elementary motions. A quaternion in q is (w, x, y, z).
#include "vinculum/joints/joint.hpp"
#include "vinculum/screw/rotation.hpp"

#include <cmath>
#include <numbers>

namespace vinculum::joints {

namespace {

using screw::quaternion_of_turn;
using screw::turn_of_quaternion;

Quat quaternion_at(const double* q) { return Quat(q[0], q[1], q[2], q[3]); }

void write(const Quat& R, double* q) {
  q[0] = R.w();
  q[1] = R.x();
  q[2] = R.y();
  q[3] = R.z();
}

Vec3 vector_at(const double* x) { return {x[0], x[1], x[2]}; }

void write(const Vec3& x, double* q) {
  for (int k = 0; k < 3; ++k) q[k] = x[k];
}

// Turn by R about the point, then the advance d.
Pose about(const Vec3& point, const Quat& R, const Vec3& d) { return {point - R * point + d, R}; }

}  // namespace

Pose pose_of(const Factor& factor, const double* q) {
  switch (factor.motion) {
    case Motion::slide:
      return {q[0] * factor.axis, Quat::Identity()};
    case Motion::hinge:
    case Motion::turn:
    case Motion::helix:
      return about(factor.point, quaternion_of_turn(q[0] * factor.axis), factor.pitch * q[0] * factor.axis);
    case Motion::ball:
      return about(factor.point, quaternion_at(q).normalized(), Vec3::Zero());
    case Motion::free:
      break;
  }
  return {vector_at(q), quaternion_at(q + 3).normalized()};
}

void integrate(Motion motion, const double* q, const double* u, double* q1) {
  if (motion == Motion::ball) {
    write((quaternion_at(q) * quaternion_of_turn(vector_at(u))).normalized(), q1);
  } else if (motion == Motion::free) {
    const Quat R = quaternion_at(q + 3).normalized();
    const Pose step = screw::exponential({vector_at(u), vector_at(u + 3)});
    write(Vec3(vector_at(q) + R * step.p), q1);
    write((R * step.R).normalized(), q1 + 3);
  } else {
    q1[0] = q[0] + u[0];
  }
}

void difference(Motion motion, const double* q0, const double* q1, double* u) {
  if (motion == Motion::ball) {
    write(turn_of_quaternion(quaternion_at(q0).normalized().conjugate() * quaternion_at(q1).normalized()), u);
  } else if (motion == Motion::free) {
    const Quat R = quaternion_at(q0 + 3).normalized();
    const Twist V = screw::logarithm(
        {R.conjugate() * (vector_at(q1) - vector_at(q0)), R.conjugate() * quaternion_at(q1 + 3).normalized()});
    write(V.v, u);
    write(V.w, u + 3);
  } else {
    u[0] = q1[0] - q0[0];
    if (motion == Motion::turn) u[0] = std::remainder(u[0], 2 * std::numbers::pi);
  }
}

void rate(Motion motion, const double* q, const double* v, double* qdot) {
  const auto quaternion_rate = [](const double* L, const double* w, double* out) {
    const Quat half(0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]);
    write(quaternion_at(L) * half, out);
  };
  if (motion == Motion::ball) {
    quaternion_rate(q, v, qdot);
  } else if (motion == Motion::free) {
    write(Vec3(quaternion_at(q + 3).normalized() * vector_at(v)), qdot);
    quaternion_rate(q + 3, v + 3, qdot + 3);
  } else {
    qdot[0] = v[0];
  }
}

}  // namespace vinculum::joints
