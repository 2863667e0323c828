// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/interchange/matter.hpp"

#include <fmt/core.h>
#include <Eigen/Eigenvalues>

namespace vinculum::interchange {

using algebra::Mat3;
using algebra::Vec3;

namespace {

// As for scenes (model/mass.cpp).
constexpr double triangle_allowance = 1e-6, singular = 1e-14;

}  // namespace

MassPart sum_of(std::span<const MassPart> parts) {
  MassPart sum;
  for (const MassPart& part : parts) {
    sum.mass += part.mass;
    sum.com += part.mass * part.com;
  }
  if (sum.mass == 0) return {};
  sum.com /= sum.mass;
  for (const MassPart& part : parts) {
    const Vec3 d = part.com - sum.com;
    sum.inertia += part.inertia + part.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  sum.inertia = (0.5 * (sum.inertia + sum.inertia.transpose())).eval();
  return sum;
}

MassPart moved(const MassPart& part, const algebra::Pose& X) {
  const Mat3 R = X.R.toRotationMatrix();
  return {part.mass, X * part.com, R * part.inertia * R.transpose()};
}

Objection objection_to(const Mat3& inertia) {
  const Vec3 A = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();  // ascending
  const std::string found = fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", A[0], A[1], A[2]);
  if (!(A[0] > singular * A[2]) || !(A[2] > 0)) return {found, "positive ones (kg m^2)"};
  if (!(A[2] <= (A[0] + A[1]) * (1 + triangle_allowance)))
    return {found, "none larger than the sum of the other two (kg m^2)"};
  return {};
}

bool is_semidefinite(const Mat3& inertia) {
  const Vec3 A = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  return A[0] >= -singular * std::abs(A[2]) && A[2] <= (A[0] + A[1]) * (1 + triangle_allowance);
}

Mat3 nearest_possible(const Mat3& inertia) {
  const Mat3 second = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(second);
  const Vec3 s = eigen.eigenvalues().cwiseMax(0);
  const Mat3 V = eigen.eigenvectors(), possible = V * s.asDiagonal() * V.transpose();
  const Mat3 result = s.sum() * Mat3::Identity() - possible;
  return 0.5 * (result + result.transpose());
}

}  // namespace vinculum::interchange
