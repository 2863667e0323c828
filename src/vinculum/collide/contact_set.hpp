// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// System, q -> ContactSet: gaps and frames.
//
// A contact joins a feature of shape a to a feature of shape b (a < b). n points from a to b,
//   g = n·(p_b − p_a),   p_a on the surface of a, p_b on the surface of b,
// g < 0 is penetration. Because the features are fixed in their bodies, the same contact can be evaluated at another
// configuration: evaluate() gives its gap, normal and points there, exactly, without a new search.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/system/system.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vinculum::collide {

using algebra::Pose;
using algebra::Vec3;

/// How the normal follows from the features. Points and directions are in the centre-of-mass frames of the two bodies
/// (world frame for body = world).
enum class FeatureKind : std::uint8_t {
  face_a,  // n = R_a dir_a;  g = n·(P_b − P_a) − rounding            a vertex, or rounded vertex, of b over a face of a
  face_b,          // n = R_b dir_b;  g = n·(P_b − P_a) − rounding            dir_b already points from a to b
  face_a_rim_b,    // as face_a, P_b the centre and dir_b the axis of a circle of radius rim: its lowest point over the
                   // face
  face_b_rim_a,    // as face_b with the circle in a
  point_point,     // n along P_b − P_a;  g = |P_b − P_a| − rounding
  edge_a_point_b,  // n along the part of P_b − P_a normal to the line (P_a, dir_a);  g = its length − rounding
  point_a_edge_b,  // the same with the line (P_b, dir_b)
  edge_edge,       // n = ± dir_a × dir_b normalised (world), sign in `sign`;  g = n·(P_b − P_a) − rounding
};

struct Feature {
  FeatureKind kind = FeatureKind::face_a;
  Vec3 P_a = Vec3::Zero(), P_b = Vec3::Zero();
  Vec3 dir_a = Vec3::Zero(), dir_b = Vec3::Zero();
  double rounding_a = 0, rounding_b = 0;  // radii around P_a, P_b; their sum is `rounding` above
  double rim = 0;                         // radius of the circle
  double sign = 1;
};

/// What a contact looks like at some configuration: p_b − p_a = gap n, and the rate of the gap is n·(v_b(p_b) −
/// v_a(p_a)).
struct Kinematics {
  Vec3 n;         // unit, from a to b
  Vec3 p_a, p_b;  // surface points, world
  double gap;
};

struct Contact {
  int shape_a = 0, shape_b = 0;  // shape_a < shape_b
  int body_a = system::world, body_b = system::world;
  std::uint32_t feature_id = 0;  // unique within the pair, the same from step to step while the features touch
  Feature feature;
  Kinematics at;  // at the configuration that was searched
};

/// Ordered by (shape_a, shape_b, feature_id): the order does not depend on threads or on the broad phase.
using ContactSet = std::vector<Contact>;

/// Contacts that Search::sweep found on the way have ids of their own; their normal is fixed in a body.
constexpr std::uint32_t swept_id(std::uint32_t feature_id) { return feature_id | 0xf0000000u; }
constexpr bool is_swept(std::uint32_t feature_id) { return feature_id >= 0xf0000000u; }

/// Gap, normal and points of a contact at the poses X_a, X_b of its bodies.
Kinematics evaluate(const Feature& feature, const Pose& X_a, const Pose& X_b);

/// Narrow phase of one pair: appends all contacts with gap <= margin (full patch) to `out`, by feature_id. X_a, X_b are
/// shape poses in the world; the features come out in shape frames. Planes do not meet planes.
void collide_pair(const shapes::Shape& a, const Pose& X_WA, const shapes::Shape& b, const Pose& X_WB, double margin,
                  std::vector<Contact>& out);

/// Appends the contacts of one pair of shapes of a system at q, features in the centre-of-mass frames.
void find_pair(const system::System& system, int shape_a, int shape_b, const system::Configuration& q, double margin,
               ContactSet& out);

/// For a pair in `touch`, contacts of Search::sweep: they hold it at the features that met first, and others may
/// overlap at q. Appends those of its contacts that face the same way; returns how deep others, which mean nothing,
/// overlap.
double find_beside(const system::System& system, std::span<const Contact> touch, const system::Configuration& q,
                   double margin, ContactSet& out);

}  // namespace vinculum::collide
