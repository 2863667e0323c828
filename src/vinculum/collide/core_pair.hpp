// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of two cores, at least one of them a solid: sphere, capsule, box, hull against box, hull.
#pragma once

#include "vinculum/collide/core.hpp"
#include "vinculum/collide/emitter.hpp"
#include "vinculum/collide/segment.hpp"

#include <limits>

namespace vinculum::collide {

/// The direction that best separates two cores.
struct Axis {
  enum class From : std::uint8_t { face_a, face_b, edges } from = From::face_a;
  int i = 0, j = 0;       // face (i), or edges of a and b
  double separation = 0;  // of the cores along n; < 0 when they overlap
  Vec3 n;                 // unit, from a to b, frame of a
};

constexpr double axis_preference = 1e-10;  // relative, of an axis that comes earlier in the order
constexpr double parallel_edges = 1e-6;    // sine below which the cross product of two edges is no direction

/// Separating axis search. Returns false as soon as an axis separates the cores by more than `limit`. With near edges
/// alone the axis is the best one unless some other separates them by more than that.
enum class Edges : std::uint8_t { near, all };
bool find_axis(const Core& a, const Core& b, double limit, Edges edges, Axis& axis);

/// One point of a clipped polygon, in the frame of the pair.
struct ClipPoint {
  Vec3 x;
  std::uint32_t id = 0;
  int vertex = -1;  // of the incident solid, or −1 for a point made by clipping
  int side = -1;  // what the polygon runs along after this point: edge >= 0 of the incident solid, or wall −1 − side
  double height = 0;  // over the reference plane
};

/// Cuts a convex polygon, a segment or a point by the walls of a face: the planes through its sides along its normal.
/// `crossing` names the ids of the points that are made.
void clip_to_face(const Core& reference, int face, double band, Meeting crossing, std::vector<ClipPoint>& polygon);

struct NearestEdges {
  int i = -1, j = -1;  // edges; 0 for the vertex of a point
  Nearest at{0, 0, std::numeric_limits<double>::infinity()};
};

/// Edge i of a and j of b as a pair of segments; a point is a segment of no length.
SegmentPair segments(const Core& a, std::size_t i, const Core& b, std::size_t j);
RoundedSegment rounded(const Core& core, int edge);

/// Nearest edges within `limit`; n separates the cores.
NearestEdges nearest_edges(const Core& a, const Core& b, const Vec3& n, double limit);

/// Face whose normal is nearest to n; −1 without faces.
int facing(const Core& core, const Vec3& n);

/// The patch over one face of a, whatever else separates the cores.
void add_face_patch(const Core& a, int face, const Core& b, const Pose& X_AB, Emitter& out);

void collide_cores(const Core& a, const Core& b, const Pose& X_AB, Emitter& out);
/// The same with the axis known.
void collide_along(const Axis& axis, const Core& a, const Core& b, const Pose& X_AB, Emitter& out);

}  // namespace vinculum::collide
