// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Charts of rotations.
#include "vinculum/screw/rotation.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

namespace vinculum::screw {

Quat quaternion_of_turn(const Vec3& a) {
  const double angle = a.norm();
  // sin(angle/2)/angle, by its series where the quotient has no digits: next term angle⁴/3840.
  const double k = angle < 1e-3 ? 0.5 - angle * angle / 48 : std::sin(0.5 * angle) / angle;
  const Vec3 u = k * a;
  return Quat(std::cos(0.5 * angle), u.x(), u.y(), u.z());
}

Vec3 turn_of_quaternion(const Quat& R) {
  const double sign = R.w() < 0 ? -1 : 1;
  const Vec3 u = sign * R.vec();
  const double s = u.norm(), c = sign * R.w();
  // 2 atan2(s, c)/s, and its limit 2/c(1 − s²/(3c²)).
  const double k = s < 1e-4 ? 2 / c * (1 - s * s / (3 * c * c)) : 2 * std::atan2(s, c) / s;
  return k * u;
}

Quat rotation_from_matrix(const Mat3& C) {
  if (!C.allFinite())
    throw base::InputError("rotation: found a number that is not finite, expected nine finite numbers");
  const double defect = (C.transpose() * C - Mat3::Identity()).norm();
  if (defect > 1e-9)
    throw base::InputError(fmt::format("rotation: found |CᵀC - 1| = {:.3g}, expected an orthogonal matrix", defect));
  if (C.determinant() < 0) throw base::InputError("rotation: found determinant -1, expected +1 (a rotation)");
  return Quat(C).normalized();
}

Mat3 rotation_from_cardan(const Vec3& angles) {
  return (Eigen::AngleAxisd(angles[0], Vec3::UnitX()) * Eigen::AngleAxisd(angles[1], Vec3::UnitY()) *
          Eigen::AngleAxisd(angles[2], Vec3::UnitZ()))
      .toRotationMatrix();
}

// First row (cosθ cosψ, −cosθ sinψ, sinθ), last column (sinθ, −sinφ cosθ, cosφ cosθ).
Vec3 cardan_from_rotation(const Mat3& C) {
  const double cosine = std::hypot(C(0, 0), C(0, 1));
  if (!(cosine > 1e-12))
    throw base::InputError(
        fmt::format("rotation.cardan: found cos(theta) = {:.3g}, expected theta off 90 degrees", cosine));
  return {std::atan2(-C(1, 2), C(2, 2)), std::atan2(C(0, 2), cosine), std::atan2(-C(0, 1), C(0, 0))};
}

Mat3 cardan_rates(const Vec3& angles) {
  const double ct = std::cos(angles[1]), st = std::sin(angles[1]), cp = std::cos(angles[2]), sp = std::sin(angles[2]);
  Mat3 D;
  D << ct * cp, sp, 0, -ct * sp, cp, 0, st, 0, 1;
  return D;
}

Mat3 rotation_from_fedorov(const Vec3& f) {
  const double s = f.squaredNorm();
  return ((1 - s) * Mat3::Identity() + 2 * f * f.transpose() + 2 * skew(f)) / (1 + s);
}

Vec3 fedorov_from_rotation(const Mat3& C) {
  const double scale = 1 + C.trace();
  if (!(scale > 1e-12))
    throw base::InputError(
        fmt::format("rotation.fedorov: found 1 + tr C = {:.3g}, expected a turn of less than 180 degrees", scale));
  return Vec3(C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1)) / scale;
}

Mat3 fedorov_rates(const Vec3& f) { return 2 * (Mat3::Identity() - skew(f)) / (1 + f.squaredNorm()); }

Mat3 fedorov_rates_inverse(const Vec3& f) { return 0.5 * (Mat3::Identity() + skew(f) + f * f.transpose()); }

Attitude::Attitude(Chart chart, const Quat& C) : chart_(chart), base_(C.normalized()) {
  if (chart_ == Chart::quaternion) {
    x_ << base_.w(), base_.vec();
    base_ = Quat::Identity();
  }
}

Quat Attitude::rotation() const {
  switch (chart_) {
    case Chart::cardan:
      return base_ * Quat(rotation_from_cardan(x_.head<3>()));
    case Chart::fedorov:
      return base_ * Quat(1, x_[0], x_[1], x_[2]).normalized();
    case Chart::quaternion:
      break;
  }
  return Quat(x_[0], x_[1], x_[2], x_[3]).normalized();
}

void Attitude::set_coordinates(const Eigen::Vector4d& x) {
  VINCULUM_ASSERT(x.allFinite());
  x_ = x;
}

Eigen::Vector4d Attitude::rate(const Vec3& w) const {
  Eigen::Vector4d rate = Eigen::Vector4d::Zero();
  switch (chart_) {
    case Chart::cardan:
      rate.head<3>() = cardan_rates(x_.head<3>()).inverse() * w;
      break;
    case Chart::fedorov:
      rate.head<3>() = fedorov_rates_inverse(x_.head<3>()) * w;
      break;
    case Chart::quaternion: {
      const Quat d = Quat(x_[0], x_[1], x_[2], x_[3]) * Quat(0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z());
      rate << d.w(), d.vec();
      break;
    }
  }
  return rate;
}

bool Attitude::switch_if_needed() {
  if (chart_ == Chart::quaternion) {
    x_.normalize();
    return false;
  }
  const bool near_end = chart_ == Chart::cardan ? std::cos(x_[1]) < 0.5 : x_.head<3>().squaredNorm() > 3;
  if (!near_end) return false;
  base_ = rotation().normalized();
  x_.setZero();
  return true;
}

}  // namespace vinculum::screw
