// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A joint from its factors. With Y_k = E_{k+1} ... E_n (the frame of the child seen from behind factor k):
//   S = [L^tw(Y_1⁻¹) S_1, ..., S_n],   S_k constant in the frame behind its factor
//   c_J = Σ_k d/dt(L^tw(Y_k⁻¹)) S_k v_k = Σ_k (V_{k}) × (S_k v_k),   V_k = Σ_{j ≤ k} S_j v_j, all in the child's frame
// The last line: a vector fixed in the frame behind factor k, seen from the child, turns with −(V_J − V_k); and
// −(V_J − V_k) × S_k v_k summed over k equals Σ_k V_k × S_k v_k, because V_J × V_J = 0.
#include "vinculum/joints/joint.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::joints {

namespace {

std::string text_of(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

Vec3 unit_axis(const JointType& type, std::string_view key, const Vec3& axis) {
  const double size = axis.norm();
  if (!(std::isfinite(size) && size > 1e-9))
    throw base::InputError(
        fmt::format("{}.{}: found {}, expected a direction of nonzero finite length", type.name, key, text_of(axis)));
  return axis / size;
}

// Columns of the factor's own subspace in the child's frame when the later factors stand at zero.
Subspace own_subspace(const Factor& factor) {
  Subspace S = Subspace::Zero(6, nv_of(factor.motion));
  switch (factor.motion) {
    case Motion::slide:
      S.col(0).head<3>() = factor.axis;
      break;
    case Motion::hinge:
    case Motion::turn:
    case Motion::helix:
      S.col(0) << factor.point.cross(factor.axis) + factor.pitch * factor.axis, factor.axis;
      break;
    case Motion::ball:
      S << algebra::skew(factor.point), Mat3::Identity();
      break;
    case Motion::free:
      S.setIdentity();
      break;
  }
  return S;
}

}  // namespace

Joint::Joint(Kind kind, const Geometry& geometry) : kind_(kind), geometry_(geometry) {
  const JointType& type = type_of(kind);
  if (type.uses_axis) geometry_.axis = unit_axis(type, "axis", geometry.axis);
  if (type.uses_axis_2) geometry_.axis_2 = unit_axis(type, "axis_2", geometry.axis_2);
  if (type.uses_point && !geometry.point.allFinite())
    throw base::InputError(
        fmt::format("{}.point: found {}, expected finite numbers (m)", type.name, text_of(geometry.point)));
  if (type.uses_pitch && !std::isfinite(geometry.pitch))
    throw base::InputError(
        fmt::format("{}.pitch: found {}, expected a finite number (m/rad)", type.name, geometry.pitch));
  if (type.fault) {
    if (const auto fault = type.fault(geometry_, {})) throw base::InputError(fmt::format("{}: {}", type.name, *fault));
  }
  factors_ = type.factors(geometry_);
  for (const Factor& factor : factors_) {
    nq_ += nq_of(factor.motion);
    nv_ += nv_of(factor.motion);
  }
  VINCULUM_DEMAND(nv_ <= 6 && nq_ <= 7);
}

Coordinates Joint::neutral() const {
  Coordinates q = Coordinates::Zero(nq_);
  int i = 0;
  for (const Factor& factor : factors_) {
    if (factor.motion == Motion::ball) q[i] = 1;
    if (factor.motion == Motion::free) q[i + 3] = 1;
    i += nq_of(factor.motion);
  }
  return q;
}

Pose Joint::pose(std::span<const double> q) const {
  Pose X;
  const double* x = q.data();
  for (const Factor& factor : factors_) {
    X = X * pose_of(factor, x);
    x += nq_of(factor.motion);
  }
  return X;
}

Subspace Joint::subspace(std::span<const double> q) const {
  Subspace S(6, nv_);
  Pose behind;  // Y_k
  int iq = nq_, iv = nv_;
  for (std::size_t k = factors_.size(); k-- > 0;) {
    const Factor& factor = factors_[k];
    iq -= nq_of(factor.motion);
    iv -= nv_of(factor.motion);
    const Subspace own = own_subspace(factor);
    for (int c = 0; c < own.cols(); ++c) S.col(iv + c) = screw::inward(behind, Twist::from_vector(own.col(c))).vector();
    behind = pose_of(factor, q.data() + iq) * behind;
  }
  return S;
}

Twist Joint::rate_term(std::span<const double> q, std::span<const double> v) const {
  const Subspace S = subspace(q);
  Twist V, c;
  int iv = 0;
  for (const Factor& factor : factors_) {
    const int n = nv_of(factor.motion);
    const Twist own = Twist::from_vector(S.middleCols(iv, n) * Eigen::Map<const Eigen::VectorXd>(v.data() + iv, n));
    V += own;
    c += screw::cross(V, own);
    iv += n;
  }
  return c;
}

RateMap Joint::rate_map(std::span<const double> q) const {
  RateMap N = RateMap::Zero(nq_, nv_);
  int iq = 0, iv = 0;
  for (const Factor& factor : factors_) {
    for (int c = 0; c < nv_of(factor.motion); ++c) {
      double unit[6] = {}, column[7];
      unit[c] = 1;
      rate(factor.motion, q.data() + iq, unit, column);
      for (int r = 0; r < nq_of(factor.motion); ++r) N(iq + r, iv + c) = column[r];
    }
    iq += nq_of(factor.motion);
    iv += nv_of(factor.motion);
  }
  return N;
}

Coordinates Joint::integrate(std::span<const double> q, std::span<const double> u) const {
  Coordinates q1(nq_);
  int iq = 0, iv = 0;
  for (const Factor& factor : factors_) {
    joints::integrate(factor.motion, q.data() + iq, u.data() + iv, q1.data() + iq);
    iq += nq_of(factor.motion);
    iv += nv_of(factor.motion);
  }
  return q1;
}

Velocity Joint::difference(std::span<const double> q0, std::span<const double> q1) const {
  Velocity u(nv_);
  int iq = 0, iv = 0;
  for (const Factor& factor : factors_) {
    joints::difference(factor.motion, q0.data() + iq, q1.data() + iq, u.data() + iv);
    iq += nq_of(factor.motion);
    iv += nv_of(factor.motion);
  }
  return u;
}

std::optional<std::string> Joint::fault(std::span<const double> q) const {
  if (std::ssize(q) != nq_) return fmt::format("found {} coordinates, expected {}", q.size(), nq_);
  for (const double x : q) {
    if (!std::isfinite(x)) return fmt::format("found {}, expected a finite coordinate", x);
  }
  int iq = 0;
  for (const Factor& factor : factors_) {
    const int at = factor.motion == Motion::ball ? iq : factor.motion == Motion::free ? iq + 3 : -1;
    if (at >= 0) {
      const double size = Eigen::Map<const Eigen::Vector4d>(q.data() + at).norm();
      if (std::abs(size - 1) > 1e-6) return fmt::format("found a quaternion of length {:.6g}, expected 1", size);
    }
    iq += nq_of(factor.motion);
  }
  return type_of(kind_).fault ? type_of(kind_).fault(geometry_, q) : std::nullopt;
}

}  // namespace vinculum::joints
