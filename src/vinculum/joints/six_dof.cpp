// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Six degrees of freedom with q̇ = v: the paper's set (32), q = {d in the parent's axes, Cardan angles φ, θ, ψ}, E11
// corrected. X_J = (d, C1(φ) C2(θ) C3(ψ)) turned about the point. Singular at cos θ = 0: use `free` for bodies that
// tumble.
#include "vinculum/joints/joint.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) {
  return {{Motion::slide, Vec3::UnitX(), Vec3::Zero(), 0}, {Motion::slide, Vec3::UnitY(), Vec3::Zero(), 0},
          {Motion::slide, Vec3::UnitZ(), Vec3::Zero(), 0}, {Motion::hinge, Vec3::UnitX(), g.point, 0},
          {Motion::hinge, Vec3::UnitY(), g.point, 0},      {Motion::hinge, Vec3::UnitZ(), g.point, 0}};
}

std::optional<std::string> fault(const Geometry&, std::span<const double> q) {
  if (q.empty() || std::abs(std::cos(q[4])) > 1e-9) return std::nullopt;
  return fmt::format("found the second Cardan angle {:.6g}, where the chart is singular, expected one off 90 degrees",
                     q[4]);
}

}  // namespace

extern const JointType six_dof_type;
const JointType six_dof_type{"six_dof", {}, false, false, true, false, factors, fault};

}  // namespace vinculum::joints
