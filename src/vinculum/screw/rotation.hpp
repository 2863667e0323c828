// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Coordinates of rotations and their rates.                                   theory/cheremensky.md, section 1
// (23)-(31) C maps body axes to the outer axes; w is the angular velocity in **body** axes, w^ = CᵀĊ.
//
//   Cardan      C = C1(φ) C2(θ) C3(ψ),  w = D λ̇,  det D = cos θ                         singular at θ = ±90°
//     D = [cosθ cosψ, sinψ, 0; −cosθ sinψ, cosψ, 0; sinθ, 0, 1]
//   Fedorov     f = n tan(angle/2),  C = ((1−|f|²)1 + 2ffᵀ + 2f^)/(1+|f|²),  D = 2(1 − f^)/(1+|f|²),
//     ḟ = ½(1 + f^ + ffᵀ) w                                                             singular at 180°
//   quaternion  Λ̇ = ½ Λ∘(0, w)                                                          nowhere singular, |Λ| = 1
//
// An Attitude keeps C = C_base · chart(x) and moves its base to the present attitude before the chart becomes singular.
#pragma once

#include "vinculum/screw/screw.hpp"

#include <cstdint>

namespace vinculum::screw {

/// exp(a^) as a quaternion: the turn by |a| about a.
Quat quaternion_of_turn(const Vec3& a);
/// The a with |a| ≤ π and exp(a^) = R.
Vec3 turn_of_quaternion(const Quat& R);

/// A rotation from nine numbers. InputError when they are not one: NaN, not orthogonal to 1e-9, or det −1.
Quat rotation_from_matrix(const Mat3& C);

Mat3 rotation_from_cardan(const Vec3& angles);
/// InputError at cos θ = 0, where φ and ψ are one angle.
Vec3 cardan_from_rotation(const Mat3& C);
Mat3 cardan_rates(const Vec3& angles);  // D

Mat3 rotation_from_fedorov(const Vec3& f);
/// InputError at 180°, 1 + tr C = 0.
Vec3 fedorov_from_rotation(const Mat3& C);
Mat3 fedorov_rates(const Vec3& f);          // D
Mat3 fedorov_rates_inverse(const Vec3& f);  // ḟ = D⁻¹ w

enum class Chart : std::uint8_t { cardan, fedorov, quaternion };

class Attitude {
 public:
  Attitude(Chart chart, const Quat& C);

  Quat rotation() const;
  Chart chart() const { return chart_; }
  int size() const { return chart_ == Chart::quaternion ? 4 : 3; }
  const Eigen::Vector4d& coordinates() const { return x_; }
  void set_coordinates(const Eigen::Vector4d& x);

  /// ẋ for the body angular velocity w.
  Eigen::Vector4d rate(const Vec3& w) const;

  /// Moves the base where the chart is within its last third (|θ| > 60°, angle > 120°), and makes a quaternion unit.
  /// True if the base moved: coordinates before and after are then not comparable.
  bool switch_if_needed();

 private:
  Chart chart_;
  Quat base_;
  Eigen::Vector4d x_ = Eigen::Vector4d::Zero();  // (φ, θ, ψ, 0), (f, 0) or (w, x, y, z)
};

}  // namespace vinculum::screw
