// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of two cores from their best separating axis.
//
//   a face normal:   the patch; the face of the other solid that looks against it, clipped by the walls of the
//   reference face.
//                    Points are material points of the other solid over the reference plane.
//   two edges:       their crossing.
//   neither:         (cores apart, nearest features are vertices or edges) the nearest pair of edges.
//
// Flat: where the two faces are parallel within `flat`, the patch alone is the answer, over the face of a. Its gaps
// differ from the distances by less than gap·flat²/2, since a clipped point lies over the border of the reference face:
// nothing at contact. Where an edge axis is within `nearly_flat` of a face normal, the patch of that face joins the
// edge contact, so that a rocking body sees the points it will land on.
//
// The search for the axis looks at edges near the other solid only. Where edges farther than the margin separate the
// solids, it ends with an axis along which nothing meets; then all edges are looked at.
#include "vinculum/collide/core_pair.hpp"

#include "vinculum/collide/segment.hpp"
#include "vinculum/shapes/polytope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::collide {
int facing(const Core& core, const Vec3& n) {
  int best = -1;
  double height = -2;
  for (std::size_t f = 0; f < core.face_count(); ++f) {
    const double cosine = core.normals[f].dot(n);
    if (cosine > height + 1e-12) {
      height = cosine;
      best = static_cast<int>(f);
    }
  }
  return best;
}

namespace {

constexpr double flat = 1e-4;         // sine of the angle between two faces that count as parallel
constexpr double nearly_flat = 0.05;  // sine of the angle between an edge axis and a face whose patch is wanted too
constexpr double band = 1e-5;         // thickness of walls, relative to the size
constexpr double touching = 1e-8;     // relative core distance below which nearest points give no direction
constexpr double chosen = 4e-10;  // what the preference in the choice of the axis may cost, relative (core_axis.cpp)
constexpr double same = 1e-12;    // relative difference of heights that is none

double sine(const Vec3& unit_a, const Vec3& unit_b) { return unit_a.cross(unit_b).norm(); }

/// The patch over one face.
class Patch {
 public:
  Patch(const Core& a, const Core& b, const Pose& X_AB)
      : a_(a), b_(b), X_AB_(X_AB), size_(a.size + b.size), polygon_(scratch()) {
    polygon_.clear();
  }

  void make(bool over_a, int face) {
    over_a_ = over_a;
    face_ = face;
    const Core &reference = over_a ? a_ : b_, &incident = over_a ? b_ : a_;
    take_incident(incident, -reference.normals[face]);
    clip_to_face(reference, face, band * size_, over_a ? Meeting::crossing_a : Meeting::crossing_b, polygon_);
  }

  bool empty() const { return polygon_.empty(); }

  double lowest() const {
    double low = std::numeric_limits<double>::infinity();
    for (const ClipPoint& point : polygon_) low = std::min(low, point.height);
    return low;
  }

  /// Drops the crossing of two edges, which is reported as such.
  void drop_crossing(int edge_a, int edge_b) {
    const auto id =
        over_a_ ? feature_id(Meeting::crossing_a, edge_b, edge_a) : feature_id(Meeting::crossing_b, edge_a, edge_b);
    std::erase_if(polygon_, [&](const ClipPoint& point) { return point.id == id; });
  }

  void emit(Emitter& out) const {
    const auto by_id = [](const ClipPoint& x, const ClipPoint& y) { return x.id < y.id; };
    std::sort(polygon_.begin(), polygon_.end(), by_id);  // so that contacts, which are larger, need not be moved
    const Pose X_BA = X_AB_.inverse();
    for (const ClipPoint& point : polygon_) {
      if (over_a_) {
        const Vec3 P_b = point.vertex >= 0 ? b_.solid->vertices[point.vertex] : X_BA * point.x;
        out.face_a(point.id, a_.normals[face_], point.x - point.height * a_.normals[face_], P_b, b_.rounding);
      } else {
        const Vec3 P_a = point.vertex >= 0 ? a_.solid->vertices[point.vertex] : point.x;
        const Vec3 foot = X_BA * (point.x - point.height * b_.normals[face_]);
        out.face_b(point.id, -b_.solid->faces[face_].normal, foot, P_a, a_.rounding);
      }
    }
  }

 private:
  static std::vector<ClipPoint>& scratch() {
    thread_local std::vector<ClipPoint> polygon;
    return polygon;
  }

  /// The feature of the incident core that looks along n: a face that holds its farthest vertex, or the whole segment
  /// or point.
  void take_incident(const Core& incident, const Vec3& n) {
    polygon_.clear();
    const auto meeting = over_a_ ? Meeting::vertex_on_face_a : Meeting::vertex_on_face_b;
    const auto add = [&](int vertex, int edge) {
      polygon_.push_back({incident.vertices[vertex], feature_id(meeting, vertex, face_), vertex, edge, 0});
    };
    if (incident.face_count() == 0) {
      for (std::size_t k = 0; k < incident.vertex_count(); ++k) add(static_cast<int>(k), 0);
      return;
    }
    const auto& face = incident.solid->faces[incident_face(incident, n)];
    for (std::size_t k = 0; k < face.loop.size(); ++k) add(face.loop[k], face.loop_edges[k]);
  }

  int incident_face(const Core& incident, const Vec3& n) const {
    const int best = facing(incident, n);
    const auto height = [&](int vertex) { return n.dot(incident.vertices[vertex]); };
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < incident.vertex_count(); ++k) top = std::max(top, height(static_cast<int>(k)));
    const auto reaches = [&](int f) {
      for (int vertex : incident.solid->faces[f].loop)
        if (height(vertex) >= top - same * size_) return true;
      return false;
    };
    if (reaches(best)) return best;
    int other = best;
    double cosine = -2;
    for (std::size_t f = 0; f < incident.face_count(); ++f) {
      if (incident.normals[f].dot(n) > cosine && reaches(static_cast<int>(f))) {
        cosine = incident.normals[f].dot(n);
        other = static_cast<int>(f);
      }
    }
    return other;
  }

  const Core &a_, &b_;
  const Pose& X_AB_;
  double size_;
  std::vector<ClipPoint>& polygon_;
  bool over_a_ = true;
  int face_ = 0;
};

/// Do the lines of two edges come nearest within both edges, up to the band? An edge axis that is hardly better than a
/// face axis may belong to edges whose lines pass each other just beyond a corner.
bool cross_within(const SegmentPair& pair, double reach) {
  const Vec3 d_a = pair.a1 - pair.a0, d_b = pair.b1 - pair.b0, r = pair.a0 - pair.b0;
  const double aa = d_a.squaredNorm(), bb = d_b.squaredNorm(), ab = d_a.dot(d_b);
  const double det = aa * bb - ab * ab, ra = d_a.dot(r), rb = d_b.dot(r);
  const double s = ab * rb - bb * ra, t = aa * rb - ab * ra;  // times det
  const double over_a = std::max(-s, s - det) * std::sqrt(aa), over_b = std::max(-t, t - det) * std::sqrt(bb);
  return std::max(over_a, over_b) <= reach * det;
}

/// Nearest edges within `limit` of cores that the axis separates. Where two edges make the axis and cross well inside
/// both, no others come as near.
NearestEdges nearest_along(const Core& a, const Core& b, const Axis& axis, double inside, double limit) {
  if (axis.from == Axis::From::edges) {
    const SegmentPair pair = segments(a, axis.i, b, axis.j);
    if (cross_within(pair, -inside)) {
      const Nearest at = nearest(pair);
      return at.distance < limit ? NearestEdges{axis.i, axis.j, at} : NearestEdges{};
    }
  }
  return nearest_edges(a, b, axis.n, limit);
}

void add_crossing(const Core& a, const Core& b, const Axis& axis, Emitter& out) {
  const SegmentPair pair = segments(a, axis.i, b, axis.j);
  const Nearest at = nearest(pair);
  Feature feature;
  feature.kind = FeatureKind::edge_edge;
  feature.P_a = a.own_edge_point(axis.i, at.s);
  feature.P_b = b.own_edge_point(axis.j, at.t);
  feature.dir_a = (a.own_edge_point(axis.i, 1) - a.own_edge_point(axis.i, 0)).normalized();
  feature.dir_b = (b.own_edge_point(axis.j, 1) - b.own_edge_point(axis.j, 0)).normalized();
  feature.rounding_a = a.rounding;
  feature.rounding_b = b.rounding;
  feature.sign = (pair.a1 - pair.a0).cross(pair.b1 - pair.b0).dot(axis.n) < 0 ? -1 : 1;
  out.add(feature_id(Meeting::edges, axis.i, axis.j), feature);
}

/// The lowest vertex over the reference plane, inside its walls or not: what is left when nothing else is found.
void add_lowest(const Core& a, const Core& b, const Pose& X_AB, const Axis& axis, Emitter& out) {
  const int of_b = shapes::support_vertex(b.vertices, -axis.n), of_a = shapes::support_vertex(a.vertices, axis.n);
  if (axis.from == Axis::From::face_b) {
    const Vec3 n_b = -b.solid->faces[axis.i].normal;
    const Vec3 P_b = X_AB.inverse() * (a.vertices[of_a] + axis.separation * axis.n);
    out.face_b(feature_id(Meeting::vertex_on_face_b, of_a, axis.i), n_b, P_b, a.solid->vertices[of_a], a.rounding);
  } else {
    const Vec3 P_a = b.vertices[of_b] - axis.separation * axis.n;
    out.face_a(feature_id(Meeting::vertex_on_face_a, of_b, axis.i), axis.n, P_a, b.solid->vertices[of_b], b.rounding);
  }
}

}  // namespace

void add_face_patch(const Core& a, int face, const Core& b, const Pose& X_AB, Emitter& out) {
  Patch patch(a, b, X_AB);
  patch.make(true, face);
  patch.emit(out);
}

namespace {

/// The contacts along an axis. False, and none, if the features that it belongs to do not meet: `last` forbids that.
bool meet(const Core& a, const Core& b, const Pose& X_AB, const Axis& axis, bool last, Emitter& out) {
  const double size = a.size + b.size;
  const int face_a = facing(a, axis.n), face_b = facing(b, -axis.n);
  const bool parallel = face_a >= 0 && face_b >= 0 && sine(a.normals[face_a], b.normals[face_b]) < flat &&
                        sine(a.normals[face_a], axis.n) < flat;
  Patch patch(a, b, X_AB);
  if (parallel) {
    patch.make(true, face_a);
    if (!patch.empty()) return patch.emit(out), true;
  } else if (axis.from != Axis::From::edges) {
    patch.make(axis.from == Axis::From::face_a, axis.i);
    if (patch.lowest() <= axis.separation + same * size) return patch.emit(out), true;
  } else {
    const double sine_a = face_a < 0 ? 1 : sine(a.normals[face_a], axis.n);
    const double sine_b = face_b < 0 ? 1 : sine(b.normals[face_b], axis.n);
    const bool over_a = sine_a <= sine_b + 1e-6;
    if (std::min(sine_a, sine_b) < nearly_flat) patch.make(over_a, over_a ? face_a : face_b);
  }

  const bool by_patch = patch.lowest() <= axis.separation + chosen * size;
  if (axis.separation > touching * size) {
    const double limit = std::min(out.margin() + a.rounding + b.rounding, patch.lowest() - same * size);
    const NearestEdges edges = nearest_along(a, b, axis, band * size, limit);
    if (edges.i >= 0) {
      patch.drop_crossing(edges.i, edges.j);
      add_segments(rounded(a, edges.i), rounded(b, edges.j), segments(a, edges.i, b, edges.j), edges.at,
                   touching * size, axis.n, out);
    }
  } else if (axis.from == Axis::From::edges) {
    const bool crossing = cross_within(segments(a, axis.i, b, axis.j), band * size);
    if (!crossing && !by_patch && !last) return false;
    if (crossing || !by_patch) {
      patch.drop_crossing(axis.i, axis.j);
      add_crossing(a, b, axis, out);
    }
  } else if (!by_patch) {
    if (!last) return false;
    add_lowest(a, b, X_AB, axis, out);
  }
  patch.emit(out);
  return true;
}

}  // namespace

void collide_cores(const Core& a, const Core& b, const Pose& X_AB, Emitter& out) {
  const double limit = out.margin() + a.rounding + b.rounding;
  Axis axis;
  if (!find_axis(a, b, limit, Edges::near, axis) || meet(a, b, X_AB, axis, false, out)) return;
  if (find_axis(a, b, limit, Edges::all, axis)) collide_along(axis, a, b, X_AB, out);
}

void collide_along(const Axis& axis, const Core& a, const Core& b, const Pose& X_AB, Emitter& out) {
  meet(a, b, X_AB, axis, true, out);
}

}  // namespace vinculum::collide
