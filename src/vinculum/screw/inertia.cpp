// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Spatial inertias: algebra, rank, physicality.
#include "vinculum/screw/inertia.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace vinculum::screw {

namespace {

// m (|r|² 1 − r rᵀ): the inertia of an atom at r.
Mat3 point_inertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

}  // namespace

Mat3 Inertia::about_origin() const { return J_c + point_inertia(mass, com); }

Mat6 Inertia::matrix() const {
  const Mat3 mc = mass * skew(com);
  Mat6 Theta;
  Theta << mass * Mat3::Identity(), -mc, mc, about_origin();
  return Theta;
}

Wrench Inertia::operator*(const Twist& V) const {
  const Vec3 p = mass * (V.v + V.w.cross(com));
  return {p, com.cross(p) + J_c * V.w};
}

Inertia Inertia::operator+(const Inertia& b) const {
  const double total = mass + b.mass;
  if (total == 0) return {0, Vec3::Zero(), J_c + b.J_c};
  // Huygens: both parts about the common centre; only the distance of the centres enters.
  return {total, (mass * com + b.mass * b.com) / total,
          J_c + b.J_c + point_inertia(mass * b.mass / total, com - b.com)};
}

int Inertia::rank(double tolerance) const {
  if (!(mass > 0)) return 0;
  const Vec3 values = Eigen::SelfAdjointEigenSolver<Mat3>(J_c, Eigen::EigenvaluesOnly).eigenvalues();
  const double floor = tolerance * std::max(values[2], mass * (1 + com.squaredNorm()));
  int rank = 3;
  for (int k = 0; k < 3; ++k) rank += values[k] > floor;
  return rank;
}

std::optional<std::string> Inertia::fault(double tolerance) const {
  if (!std::isfinite(mass) || !com.allFinite() || !J_c.allFinite())
    return "found a number that is not finite, expected finite numbers";
  if (mass < 0) return fmt::format("found mass {:.6g}, expected a mass >= 0 (kg)", mass);
  const double size = J_c.cwiseAbs().maxCoeff();
  if ((J_c - J_c.transpose()).cwiseAbs().maxCoeff() > tolerance * size)
    return "found a rotational inertia that is not symmetric, expected a symmetric one";
  if (mass == 0 && size > 0) return "found rotational inertia without mass, expected a mass > 0 (kg)";
  const Vec3 values = Eigen::SelfAdjointEigenSolver<Mat3>(J_c, Eigen::EigenvaluesOnly).eigenvalues();
  if (values[0] < -tolerance * size)
    return fmt::format("found the principal inertia {:.6g}, expected none below 0 (kg m²)", values[0]);
  if (values[0] + values[1] < values[2] - tolerance * size)
    return fmt::format(
        "found principal inertias {:.6g}, {:.6g}, {:.6g}, expected the largest to be at most the sum of "
        "the others",
        values[0], values[1], values[2]);
  return std::nullopt;
}

Inertia outward(const Pose& X, const Inertia& inertia) {
  const Mat3 C = X.R.toRotationMatrix();
  return {inertia.mass, X * inertia.com, C * inertia.J_c * C.transpose()};
}

void check_inertia(const Inertia& inertia, const std::string& path, bool regular) {
  if (const auto fault = inertia.fault()) throw base::InputError(fmt::format("{}: {}", path, *fault));
  if (regular && inertia.rank() < 6)
    throw base::InputError(
        fmt::format("{}: found a singular inertia of rank {}, expected rank 6 (three atoms off one "
                    "line, or a volume)",
                    path, inertia.rank()));
}

}  // namespace vinculum::screw
