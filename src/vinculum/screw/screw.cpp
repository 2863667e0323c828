// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrices of frame change, exponential and logarithm, axis and pitch.
#include "vinculum/screw/screw.hpp"

#include "vinculum/screw/rotation.hpp"

#include <cmath>
#include <limits>

namespace vinculum::screw {

Mat6 twist_matrix(const Pose& X) {
  const Mat3 C = X.R.toRotationMatrix();
  Mat6 L;
  L << C, skew(X.p) * C, Mat3::Zero(), C;
  return L;
}

Mat6 wrench_matrix(const Pose& X) {
  const Mat3 C = X.R.toRotationMatrix();
  Mat6 L;
  L << C, Mat3::Zero(), skew(X.p) * C, C;
  return L;
}

Mat6 twist_bracket(const Twist& V) {
  Mat6 Phi;
  Phi << skew(V.w), skew(V.v), Mat3::Zero(), skew(V.w);
  return Phi;
}

Mat6 wrench_bracket(const Twist& V) { return -twist_bracket(V).transpose(); }

// d = ∫₀¹ exp(s w^) v ds = v + a w×v + b w×(w×v),  a = (1 − cos θ)/θ²,  b = (θ − sin θ)/θ³,  θ = |w|.
Pose exponential(const Twist& V) {
  const double s = V.w.squaredNorm(), theta = std::sqrt(s);
  double a, b;
  if (theta < 1e-3) {  // next terms θ⁴/720, θ⁴/5040: below 1e-15
    a = 0.5 - s / 24;
    b = 1.0 / 6 - s / 120;
  } else {
    const double half = std::sin(theta / 2);
    a = 2 * half * half / s;
    b = (theta - std::sin(theta)) / (s * theta);
  }
  const Vec3 wv = V.w.cross(V.v);
  return {V.v + a * wv + b * V.w.cross(wv), quaternion_of_turn(V.w)};
}

// v = d − w×d/2 + c w×(w×d),  c = (1 − (θ/2) cot(θ/2))/θ².
Twist logarithm(const Pose& X) {
  const Vec3 w = turn_of_quaternion(X.R);
  const double s = w.squaredNorm(), theta = std::sqrt(s);
  // Series 1/12 + θ²/720 + θ⁴/30240.
  const double c = theta < 1e-2 ? 1.0 / 12 + s / 720 + s * s / 30240 : (1 - 0.5 * theta / std::tan(0.5 * theta)) / s;
  const Vec3 wd = w.cross(X.p);
  return {X.p - 0.5 * wd + c * w.cross(wd), w};
}

namespace {

Axis axis_of(const Vec3& vector, const Vec3& moment) {
  const double size = vector.norm();
  Axis axis;
  if (size > 0) {
    axis.direction = vector / size;
    axis.pitch = vector.dot(moment) / (size * size);
    axis.point = vector.cross(moment) / (size * size);
    axis.size = size;
  } else if (moment.norm() > 0) {
    axis.direction = moment.normalized();
    axis.pitch = std::numeric_limits<double>::infinity();
    axis.size = moment.norm();
  }
  return axis;
}

}  // namespace

Axis axis_of(const Twist& V) { return axis_of(V.w, V.v); }
Axis axis_of(const Wrench& F) { return axis_of(F.f, F.m); }

}  // namespace vinculum::screw
