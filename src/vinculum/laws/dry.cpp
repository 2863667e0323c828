// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction with a given load, on one row (a joint, a tendon).
//   −ξ ∈ N_C(Λ),   C = [−b, b],  b = dt · friction force (N s) in the place of mu               Glocker 1998; sgn law
// Sticks (ξ = 0) inside, slips against Λ = ∓b at the ends. Dissipation −ξ Λ = b |ξ|. C is no cone: b scales with Λ.
#include "vinculum/laws/law.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::laws {
namespace {

struct Dry final : ForceLaw {
  int rows() const override { return 1; }
  bool is_cone() const override { return false; }

  Vec3 project(const Vec3& y, double b) const override { return {std::clamp(y[0], -b, b), 0, 0}; }

  Mat3 project_derivative(const Vec3& y, double b) const override {
    Mat3 D = Mat3::Zero();
    if (std::abs(y[0]) < b) D(0, 0) = 1;
    return D;
  }

  Vec3 project_set(const Vec3& x, const Vec3&, double b) const override { return {std::clamp(x[0], -b, b), 0, 0}; }

  double support(const Vec3& d, const Vec3&, double b) const override { return b * std::abs(d[0]); }

  // A row that cannot move (A = 0) takes no impulse.
  Vec3 solve_local(const Mat3& A, const Vec3& c, double b, const Vec3&) const override {
    return {A(0, 0) > 0 ? std::clamp(-c[0] / A(0, 0), -b, b) : 0.0, 0, 0};
  }

  Vec3 natural_map(const Vec3& xi, const Vec3& Lambda, double b) const override {
    return {Lambda[0] - std::clamp(Lambda[0] - xi[0], -b, b), 0, 0};
  }
};

}  // namespace

const ForceLaw& dry_law() {
  static const Dry law;
  return law;
}

}  // namespace vinculum::laws
