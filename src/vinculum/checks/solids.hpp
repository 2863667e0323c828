// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The auditor's own geometry, written from the definitions of the shapes and sharing nothing with the collision stage.
//
//   support value   h_S(d) = max { d·x : x ∈ S }
//   membership      depth of a point: >= 0 inside, −distance-like outside (exact to first order near the surface)
//   separation      sep(n) = −h_B(−n) − h_A(n):  A and B are at least sep(n) apart for every unit n
//
// sep is a certificate: whoever found n, if sep(n) >= −ε the sets overlap by no more than ε.
#pragma once

#include "vinculum/model/model.hpp"

#include <span>

namespace vinculum::checks {

using algebra::Mat3;
using algebra::Vec3;

/// A shape placed in the world.
struct Solid {
  const shapes::Shape* shape = nullptr;
  Vec3 p;
  Mat3 R;
};

double support_value(const Solid& solid, const Vec3& d);  // +inf for a plane unless d is its normal
Vec3 support_point(const Solid& solid, const Vec3& d);    // bounded shapes
double depth(const Solid& solid, const Vec3& x);
/// How far n is from supporting the shape at p, a point of it; a mesh is supported locally, and `by_face` says that n
/// is claimed to be the normal of one of its faces, beyond whose border p may be by `band`.
double lift(const Solid& solid, const Vec3& n, const Vec3& p, bool by_face, double band);
double separation(const Solid& a, const Solid& b, const Vec3& n);  // convex shapes

/// A lower bound of the signed distance, with the direction (from a to b) that proves it.
struct Separation {
  double value = 0;
  Vec3 n = Vec3::UnitZ();
};
/// `hints`: directions somebody else proposes; they need not be right.
Separation separate(const Solid& a, const Solid& b, std::span<const Vec3> hints = {});

/// Radius of a ball about solid.p that holds the shape; infinity for a plane.
double reach(const shapes::Shape& shape);

}  // namespace vinculum::checks
