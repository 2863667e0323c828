// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Unilateral contact without friction (Signorini on velocity level).
//   0 ≤ ξ_N ⊥ Λ_N ≥ 0    <=>    −ξ_N ∈ N_{ℝ₊}(Λ_N)                       Glocker 1998; theory/moreau-1989.md
// ξ_N > 0 opens, Λ_N > 0 pushes. Only row 0 is used. No dissipation: ξ_N Λ_N = 0.
#include "vinculum/laws/law.hpp"

#include <limits>

namespace vinculum::laws {
namespace {

struct Unilateral final : ForceLaw {
  int rows() const override { return 1; }

  Vec3 project(const Vec3& y, double) const override { return {std::max(0.0, y[0]), 0, 0}; }

  Mat3 project_derivative(const Vec3& y, double) const override {
    Mat3 D = Mat3::Zero();
    if (y[0] > 0) D(0, 0) = 1;
    return D;
  }

  Vec3 project_set(const Vec3& x, const Vec3&, double) const override { return {std::max(0.0, x[0]), 0, 0}; }

  double support(const Vec3& d, const Vec3&, double) const override {
    return d[0] > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }

  // A_NN Λ_N = −b_N where the free velocity closes. A block that cannot move (A_NN = 0) takes no impulse.
  Vec3 solve_local(const Mat3& A, const Vec3& b, double, const Vec3&) const override {
    if (b[0] >= 0 || !(A(0, 0) > 0)) return Vec3::Zero();
    return {-b[0] / A(0, 0), 0, 0};
  }

  Vec3 natural_map(const Vec3& xi, const Vec3& Lambda, double) const override {
    return {Lambda[0] - std::max(0.0, Lambda[0] - xi[0]), 0, 0};
  }
};

}  // namespace

const ForceLaw& unilateral_law() {
  static const Unilateral law;
  return law;
}

}  // namespace vinculum::laws
