// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of a cylinder with a core, from the direction that best separates them (cylinder_axis.cpp).
//
//   a face of the core:   the cylinder over a flat region (cylinder_face.cpp)
//   a cap:                the face, segment or point of the core that looks at it, clipped by the disc
//   the side:             an edge against the axis, the radius as rounding; two points where they run side by side
//   a rim:                an edge, or vertex, against the tangent of the rim at the nearest point
#include "vinculum/collide/cylinder_core.hpp"

#include "vinculum/collide/cylinder_axis.hpp"
#include "vinculum/collide/cylinder_face.hpp"

#include <limits>

namespace vinculum::collide {
namespace {

constexpr double flat = 1e-4, nearly_flat = 0.05, band = 1e-5, same = 1e-12;  // as in core_pair.cpp
constexpr double side_by_side = 0.05, crossing_gain = 1e-10;
constexpr int stretch_from = 32, stretch_to = 33;  // what of the cylinder touches, in ids
constexpr double on_side = 1e-12;                  // cosine to the axis below which a normal belongs to the side
constexpr double nearly_parallel = 0.05;  // sine between two lines below which they cross too far away to be followed

class CylinderAgainstCore {
 public:
  CylinderAgainstCore(const shapes::Shape& shape, const Core& core, Emitter& out)
      : shape_(shape),
        cylinder_(shape),
        core_(core),
        out_(out),
        axis_(cylinder_, core),
        size_(axis_.size()),
        limit_(out.margin() + core.rounding) {}

  void run() {
    if (!axis_.find(limit_)) return;
    best_ = axis_.best();
    const bool apart = axis_.apart();
    const int face = axis_.facing(-best_.n);
    double lowest = std::numeric_limits<double>::infinity();
    if (best_.from == From::face) {
      lowest = add_region(best_.i);
    } else if (face >= 0 && parallel(core_.normals[face], best_.n, flat) && lies_flat(best_.n)) {
      lowest = add_region(face);
      if (std::isfinite(lowest)) return;
    } else if (best_.from == From::cap) {
      lowest = add_cap(best_.n.z());
    }
    // Up to the preference, touching faces may have been taken for an edge beside them.
    if (lowest <= best_.separation + (apart ? same : 4 * CylinderAxis::preference) * size_) return;
    add_nearest_or_best(lowest);
  }

 private:
  using From = CylinderAxis::From;
  using OnEdge = CylinderAxis::OnEdge;

  static bool parallel(const Vec3& m, const Vec3& n, double sine) { return m.cross(n).norm() < sine; }

  /// A cap or a generator of the cylinder is normal to n.
  static bool lies_flat(const Vec3& n) { return std::abs(n.z()) < flat || length(n.x(), n.y()) < flat; }

  std::array<int, 2> ends(std::size_t edge) const { return axis_.ends(edge); }
  Vec3 on_edge(std::size_t edge, double t) const { return axis_.on_edge(edge, t); }
  Vec3 own_on_edge(std::size_t edge, double t) const {
    const auto [i, j] = ends(edge);
    if (t == 1) return core_.solid->vertices[j];
    return core_.solid->vertices[i] + t * (core_.solid->vertices[j] - core_.solid->vertices[i]);
  }

  double add_region(int f) {
    FlatRegion region;
    region.m = core_.normals[f];
    region.offset = core_.offsets[f];
    region.own_normal = core_.solid->faces[f].normal;
    region.core = &core_;
    region.face = f;
    region.index = f;
    return collide_cylinder_region(shape_, region, band * size_, out_);
  }

  /// The face, segment or point of b that looks at a cap, clipped by the disc.
  double add_cap(double side) {
    const Vec3 n(0, 0, side);
    FlatRegion disc;
    disc.m = n;
    disc.radius = cylinder_.r;
    double lowest = std::numeric_limits<double>::infinity();
    const int cap = side > 0 ? 1 : 0;
    const auto add = [&](std::uint32_t id, const Vec3& x, const Vec3& P_b) {
      const double gap = out_.face_a(id, n, Vec3(x.x(), x.y(), side * cylinder_.l), P_b, core_.rounding);
      lowest = std::min(lowest, gap + core_.rounding);
    };
    const auto add_vertex = [&](int v) {
      if (disc.holds(core_.vertices[v], band * size_))
        add(feature_id(Meeting::vertex_on_face_a, v, cap), core_.vertices[v], core_.solid->vertices[v]);
    };
    const auto add_edge = [&](int k) {
      double t0 = 0, t1 = 1;
      if (!disc.clip(on_edge(k, 0), on_edge(k, 1), band * size_, t0, t1)) return;
      if (t0 > 0 && t0 < 1) add(feature_id(Meeting::crossing_a, k, cap), on_edge(k, t0), own_on_edge(k, t0));
      if (t1 < 1 && t1 > 0) add(feature_id(Meeting::crossing_a, k, 2 + cap), on_edge(k, t1), own_on_edge(k, t1));
    };
    const int f = axis_.facing(-n);
    if (f < 0) {
      for (std::size_t v = 0; v < core_.vertex_count(); ++v) add_vertex(static_cast<int>(v));
      if (core_.edge_count() > 0) add_edge(0);
      return lowest;
    }
    const auto& face = core_.solid->faces[f];
    bool has_lowest = false;
    int low = 0;
    for (std::size_t v = 1; v < core_.vertex_count(); ++v) {
      if (n.dot(core_.vertices[v]) < n.dot(core_.vertices[low])) low = static_cast<int>(v);
    }
    for (std::size_t k = 0; k < face.loop.size(); ++k) {
      add_vertex(face.loop[k]);
      add_edge(face.loop_edges[k]);
      has_lowest = has_lowest || face.loop[k] == low;
    }
    if (!has_lowest) add_vertex(low);
    return lowest;
  }

  Feature blank(const Vec3& P_a, const Vec3& P_b) const {
    Feature feature;
    feature.P_a = P_a;
    feature.P_b = P_b;
    feature.rounding_b = core_.rounding;
    return feature;
  }

  bool at_end(double t) const { return t <= 0 || t >= 1 || core_.edge_count() == 0; }

  /// A point of an edge against a line of the cylinder: its axis, with the radius as rounding, or a tangent of its rim.
  void add_line(const OnEdge& at, const Vec3& P_a, const Vec3& dir_a, double rounding, const Vec3& n, int what) {
    Feature feature = blank(P_a, own_on_edge(at.edge, at.t));
    feature.rounding_a = rounding;
    feature.dir_a = dir_a;
    if (at_end(at.t)) {
      feature.kind = FeatureKind::edge_a_point_b;
      out_.add(feature_id(Meeting::curved, 16 + what, ends(at.edge)[at.t > 0.5 ? 1 : 0]), feature);
      return;
    }
    const Vec3 e = (on_edge(at.edge, 1) - on_edge(at.edge, 0)).normalized(), cross = dir_a.cross(e);
    if (cross.norm() < nearly_parallel) {  // n fixed to the cylinder
      out_.face_a(feature_id(Meeting::curved, 44 + what, at.edge), n, P_a + rounding * n, feature.P_b, core_.rounding);
      return;
    }
    feature.kind = FeatureKind::edge_edge;
    feature.dir_b = (own_on_edge(at.edge, 1) - own_on_edge(at.edge, 0)).normalized();
    feature.sign = cross.dot(n) < 0 ? -1 : 1;
    out_.add(feature_id(Meeting::curved, 24 + what, at.edge), feature);
  }

  /// An edge side by side with the cylinder: the two ends of the common stretch. Returns their lowest distance from the
  /// side.
  double add_stretch(int edge) {
    double lowest = std::numeric_limits<double>::infinity();
    const Vec3 p = on_edge(edge, 0), e = on_edge(edge, 1) - p;
    if (core_.edge_count() == 0 || length(e.x(), e.y()) > side_by_side * e.norm()) return lowest;
    const double ta = (-cylinder_.l - p.z()) / e.z(), tb = (cylinder_.l - p.z()) / e.z();
    const double t0 = std::max(0.0, std::min(ta, tb)), t1 = std::min(1.0, std::max(ta, tb));
    if (t1 - t0 <= 2 * band) return lowest;
    for (const double t : {t0, t1}) {
      const Vec3 y = p + t * e;
      Feature feature = blank(Vec3(0, 0, y.z()), own_on_edge(edge, t));
      feature.kind = FeatureKind::edge_a_point_b;
      feature.dir_a = Vec3::UnitZ();
      feature.rounding_a = cylinder_.r;
      out_.add(feature_id(Meeting::curved, t == t0 ? stretch_from : stretch_to, edge), feature);
      lowest = std::min(lowest, length(y.x(), y.y()) - cylinder_.r);
    }
    return lowest;
  }

  /// Of the edges at a vertex that is nearest to the axis but beyond an end of the cylinder: one that runs along it.
  OnEdge edge_beside(const OnEdge& at) const {
    if (!at_end(at.t) || std::abs(on_edge(at.edge, at.t).z()) <= cylinder_.l + band * size_) return at;
    const int vertex = ends(at.edge)[at.t > 0.5 ? 1 : 0];
    for (int k = 0; k < static_cast<int>(core_.edge_count()); ++k) {
      const Vec3 e = on_edge(k, 1) - on_edge(k, 0);
      if (length(e.x(), e.y()) > side_by_side * e.norm()) continue;
      if (ends(k)[0] == vertex) return {k, 0, 0, {}};
      if (ends(k)[1] == vertex) return {k, 1, 0, {}};
    }
    return at;
  }

  /// The nearest point of an edge over the side or a rim at `distance`; the stretch instead where that is as near.
  void add_curved(const OnEdge& at, bool side, double distance, const Vec3& n) {
    if (std::abs(n.z()) <= side_by_side && add_stretch(at.edge) <= distance + crossing_gain * size_) return;
    if (side) {
      add_line(at, Vec3(0, 0, on_edge(at.edge, at.t).z()), Vec3::UnitZ(), cylinder_.r, n, 0);
    } else {
      add_rim(at, at.foot.q, n);
    }
  }

  void add_rim(const OnEdge& at, const Vec3& q, const Vec3& n) {
    add_line(at, q, Cylinder::tangent(q), 0, n, q.z() > 0 ? 2 : 1);
  }

  void add_nearest_or_best(double lowest) {
    Vec3 n = best_.n;
    if (axis_.apart()) {
      const OnEdge& near = axis_.near();
      if (near.distance > std::min(limit_, lowest - same * size_)) return;
      n = near.foot.d / near.distance;
      switch (near.foot.zone) {
        case Cylinder::Zone::side:
          add_curved(near, true, near.distance, n);
          break;
        case Cylinder::Zone::rim:
          add_curved(near, false, near.distance, n);
          break;
        case Cylinder::Zone::cap:
        case Cylinder::Zone::inside:
          out_.face_a(feature_id(Meeting::curved, 40, near.edge), Vec3(0, 0, near.foot.q.z() > 0 ? 1 : -1), near.foot.q,
                      own_on_edge(near.edge, near.t), core_.rounding);
      }
    } else if (best_.from == From::side) {
      add_curved(edge_beside({best_.i, best_.t, 0, {}}), true, best_.separation, n);
    } else if (best_.from == From::arc) {
      add_arc(n);
    } else if (axis_.find_deep()) {
      best_ = axis_.best();
      add_arc(best_.n);
      return;
    } else {
      add_virtual(n);  // the lowest point is a little beside the face or cap
    }
    if (best_.from == From::face || best_.from == From::cap) return;  // its patch has been added
    out_.avoid_last();
    const int face = axis_.facing(-n);
    if (face >= 0 && parallel(core_.normals[face], n, nearly_flat)) {
      add_region(face);
    } else if (parallel(Vec3::UnitZ(), n, nearly_flat)) {
      add_cap(n.z() > 0 ? 1 : -1);
    }
  }

  /// An edge that lies across the side, the axis of the cylinder beyond it: along the arc the support passes from one
  /// rim to the other there. The edge crosses the lowest generator between its ends.
  void add_across_side(const Vec3& n) {
    const Vec3 p = on_edge(best_.i, 0), e = on_edge(best_.i, 1) - p, across = Vec3::UnitZ().cross(n);
    const double slope = e.dot(across), t = slope == 0 ? 0.5 : -p.dot(across) / slope;
    const OnEdge at{best_.i, std::clamp(t, 1e-9, 1 - 1e-9), 0, {}};
    const double z = std::clamp(on_edge(at.edge, at.t).z(), -cylinder_.l, cylinder_.l);
    add_line(at, Vec3(0, 0, z), Vec3::UnitZ(), cylinder_.r, n, 0);
  }

  /// Edge on a rim, touching or overlapping: the point of the edge nearest to the tangent, or to q where it runs along
  /// the tangent.
  void add_arc(const Vec3& n) {
    if (std::abs(n.z()) < on_side) return add_across_side(n);
    const Vec3 q = cylinder_.support(n), p = on_edge(best_.i, 0), e = on_edge(best_.i, 1) - p,
               tau = Cylinder::tangent(q);
    const Vec3 across = tau.cross(n);  // the edge is over the tangent where (x − q)·across = 0
    const double slope = e.dot(across);
    const bool crosses = std::abs(slope) > nearly_parallel * e.norm();
    const double t = crosses ? (q - p).dot(across) / slope : (q - p).dot(e) / e.squaredNorm();
    add_rim({best_.i, std::clamp(t, 1e-9, 1 - 1e-9), 0, {}}, q, n);
  }

  /// What is left when nothing else is found: the lowest vertex along n, with n fixed to the cylinder.
  void add_virtual(const Vec3& n) {
    int low = 0;
    for (std::size_t v = 1; v < core_.vertex_count(); ++v) {
      if (n.dot(core_.vertices[v]) < n.dot(core_.vertices[low])) low = static_cast<int>(v);
    }
    out_.face_a(feature_id(Meeting::curved, 42, low), n, cylinder_.support(n), core_.solid->vertices[low],
                core_.rounding);
  }

  const shapes::Shape& shape_;
  const Cylinder cylinder_;
  const Core& core_;
  Emitter& out_;
  CylinderAxis axis_;
  double size_, limit_;
  CylinderAxis::Best best_;
};

}  // namespace

void collide_cylinder_core(const shapes::Shape& cylinder, const Core& core, Emitter& out) {
  CylinderAgainstCore(cylinder, core, out).run();
}

bool is_stretch_end(std::uint32_t id) {
  const std::uint32_t what = id >> 14;
  return what == feature_id(Meeting::curved, stretch_from, 0) >> 14 ||
         what == feature_id(Meeting::curved, stretch_to, 0) >> 14;
}

}  // namespace vinculum::collide
