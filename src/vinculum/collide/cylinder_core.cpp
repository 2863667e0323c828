// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Cylinder a against a core b. In the frame of a, with h the reach of the cylinder,
//   separation(n) = min_b n·x − h(n),    signed distance = max over unit n.
// The maximum is at one of
//   −m_f               a face of b:  −o_f − h(m_f)                            patch: cylinder over a flat region
//   ± z                a cap: min ± z·x − l                                   patch: face of b clipped by the disc
//   n ⟂ z              the side: the nearest point of b's shadow on the plane of x, y
//   n ⟂ e              an edge of b on a rim: root of the derivative along the arc between the normals of its two faces
// or, when they are apart, at the direction of the nearest points, found edge by edge: the distance of a point of a
// line to the cylinder is convex along the line. Preference as in core_axis.cpp, in the order above. Faces come first
// because rims follow their lowest point exactly.
#include "vinculum/collide/cylinder_core.hpp"

#include "vinculum/collide/cylinder.hpp"
#include "vinculum/collide/cylinder_face.hpp"

#include <limits>
#include <numbers>

namespace vinculum::collide {
namespace {

constexpr double preference = 1e-10, flat = 1e-4, nearly_flat = 0.05, band = 1e-5, touching = 1e-8, same = 1e-12;
constexpr double side_by_side = 0.05, crossing_gain = 1e-10;

class CylinderAgainstCore {
 public:
  CylinderAgainstCore(const shapes::Shape& shape, const Core& core, Emitter& out)
      : shape_(shape),
        cylinder_(shape),
        core_(core),
        out_(out),
        size_(cylinder_.r + cylinder_.l + core.size),
        limit_(out.margin() + core.rounding),
        edges_(std::max<std::size_t>(1, core.edge_count())) {}

  void run() {
    scan_faces();
    scan_caps();
    if (best_.separation > limit_) return;
    scan_side();
    if (best_.separation > limit_) return;
    find_nearest();
    if (!apart_) scan_arcs();
    const int face = facing(-best_.n);
    double lowest = std::numeric_limits<double>::infinity();
    if (best_.from == From::face) {
      lowest = add_region(best_.i);
    } else if (face >= 0 && parallel(core_.normals[face], best_.n, flat)) {
      lowest = add_region(face);
      if (std::isfinite(lowest)) return;
    } else if (best_.from == From::cap) {
      lowest = add_cap(best_.n.z());
    }
    if (lowest <= best_.separation + same * size_) return;
    add_nearest_or_best(lowest);
  }

 private:
  enum class From : std::uint8_t { face, cap, side, arc };
  struct Best {
    From from = From::face;
    int i = 0;     // face or edge
    double t = 0;  // place on the edge
    double separation = -std::numeric_limits<double>::max();
    Vec3 n;
  };
  struct OnEdge {
    int edge = -1;
    double t = 0, distance = 0;
    Cylinder::Foot foot;
  };

  static bool parallel(const Vec3& m, const Vec3& n, double sine) { return m.cross(n).norm() < sine; }

  void offer(const Best& candidate) {
    if (candidate.separation > best_.separation + preference * size_) best_ = candidate;
  }

  std::array<int, 2> ends(std::size_t edge) const {
    return core_.edge_count() > 0 ? core_.solid->edges[edge] : std::array<int, 2>{0, 0};
  }
  Vec3 on_edge(std::size_t edge, double t) const {
    const auto [i, j] = ends(edge);
    return core_.vertices[i] + t * (core_.vertices[j] - core_.vertices[i]);
  }
  Vec3 own_on_edge(std::size_t edge, double t) const {
    const auto [i, j] = ends(edge);
    if (t == 1) return core_.solid->vertices[j];
    return core_.solid->vertices[i] + t * (core_.solid->vertices[j] - core_.solid->vertices[i]);
  }

  int facing(const Vec3& n) const {
    int best = -1;
    double cosine = -2;
    for (std::size_t f = 0; f < core_.face_count(); ++f) {
      if (core_.normals[f].dot(n) > cosine + 1e-12) {
        cosine = core_.normals[f].dot(n);
        best = static_cast<int>(f);
      }
    }
    return best;
  }

  void scan_faces() {
    for (std::size_t f = 0; f < core_.face_count(); ++f) {
      const Vec3& m = core_.normals[f];
      offer({From::face, static_cast<int>(f), 0, -core_.offsets[f] - cylinder_.reach(m), -m});
    }
  }

  void scan_caps() {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& x : core_.vertices) {
      low = std::min(low, x.z());
      high = std::max(high, x.z());
    }
    offer({From::cap, 0, 0, low - cylinder_.l, Vec3::UnitZ()});
    offer({From::cap, 1, 0, -high - cylinder_.l, -Vec3::UnitZ()});
  }

  // The shadow of b on the plane of x, y, as seen from the axis. It counts only if the axis is outside the shadow, that
  // is, if the nearest point separates.
  void scan_side() {
    Best side;
    side.from = From::side;
    double nearest = std::numeric_limits<double>::infinity();
    Vec3 at = Vec3::Zero();
    for (std::size_t k = 0; k < edges_; ++k) {
      const Vec3 p = on_edge(k, 0), e = on_edge(k, 1) - p;
      const double ee = e.head<2>().squaredNorm(),
                   t = ee > 0 ? std::clamp(-p.head<2>().dot(e.head<2>()) / ee, 0.0, 1.0) : 0;
      const Vec3 x = p + t * e;
      const double distance = std::hypot(x.x(), x.y());
      if (distance < nearest - same * 1e-3 * size_) {
        nearest = distance;
        side.i = static_cast<int>(k);
        side.t = t;
        at = x;
      }
    }
    if (!(nearest > touching * size_)) return;
    side.n = Vec3(at.x(), at.y(), 0) / nearest;
    side.separation = nearest - cylinder_.r;
    for (const Vec3& x : core_.vertices) {
      if (side.n.dot(x) < nearest - same * size_) return;
    }
    offer(side);
  }

  // The nearest point of the edges. Apart means: a direction above separates, or the direction of that point does (a
  // vertex or an edge near a rim may be separated by no other).
  void find_nearest() {
    near_.distance = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < edges_; ++k) {
      const OnEdge at = nearest_on_edge(k);
      const double gain = near_.edge < 0 ? 0 : 1e-12 * size_;
      const bool nearer = at.distance < near_.distance - gain;
      // A nearest vertex lies on several edges; the one most along the axis may lie along the side.
      if (nearer || (at.distance <= near_.distance + gain && along_axis(k) > along_axis(near_.edge) + 1e-3)) near_ = at;
    }
    apart_ = best_.separation > touching * size_;
    if (apart_ || near_.distance <= touching * size_) return;
    const Vec3 n = near_.foot.d / near_.distance;
    double low = std::numeric_limits<double>::infinity();
    for (const Vec3& x : core_.vertices) low = std::min(low, n.dot(x));
    apart_ = low - cylinder_.reach(n) > 0.5 * near_.distance;
  }

  // Edges that touch the cylinder, each over the arc of directions n ⟂ e between −m_1 and −m_2, along which the edge is
  // the support of b:  s(θ) = n·x_e − h(n),  s'(θ) = n'·(x_e − support(n)).
  void scan_arcs() {
    for (std::size_t k = 0; k < core_.edge_count(); ++k) {
      if (nearest_on_edge(k).distance <= 2 * touching * size_) scan_arc(k);
    }
  }

  void scan_arc(std::size_t k) {
    const auto& faces = core_.solid->edge_faces[k];
    const bool full = faces[0] < 0;
    const Vec3 e = core_.edge_direction(k).normalized(), x = on_edge(k, 0.5);
    const Vec3 n0 = full ? algebra::orthogonal_to(e) : Vec3(-core_.normals[faces[0]]);
    Vec3 t0 = e.cross(n0);
    double angle = 2 * std::numbers::pi;
    if (!full) {
      const Vec3 n1 = -core_.normals[faces[1]];
      if (t0.dot(n1) < 0) t0 = -t0;
      angle = std::atan2(t0.dot(n1), n0.dot(n1));
    }
    const auto normal = [&](double theta) -> Vec3 { return std::cos(theta) * n0 + std::sin(theta) * t0; };
    const auto slope = [&](double theta) {
      const Vec3 n = normal(theta), dn = std::cos(theta) * t0 - std::sin(theta) * n0;
      return dn.dot(x - cylinder_.support(n));
    };
    const int steps = full ? 24 : 8;
    double theta = 0, before = slope(0);
    for (int s = 1; s <= steps; ++s) {
      const double next = angle * s / steps, after = slope(next);
      if (before > 0 && after <= 0) {
        const double root = find_root(slope, theta, before, next, after);
        const Vec3 n = normal(root);
        offer({From::arc, static_cast<int>(k), 0, n.dot(x) - cylinder_.reach(n), n});
      }
      theta = next;
      before = after;
    }
  }

  double along_axis(std::size_t k) const { return std::abs((on_edge(k, 1) - on_edge(k, 0)).stableNormalized().z()); }

  OnEdge nearest_on_edge(std::size_t k) const {
    const Vec3 p = on_edge(k, 0), e = on_edge(k, 1) - p;
    const auto minus_slope = [&](double t) { return -cylinder_.foot(p + t * e).d.dot(e); };
    const double at0 = minus_slope(0), at1 = minus_slope(1);
    double t = 0;
    if (at0 > 0) t = at1 >= 0 ? 1 : find_root(minus_slope, 0, at0, 1, at1);
    const Cylinder::Foot foot = cylinder_.foot(t == 1 ? core_.vertices[ends(k)[1]] : Vec3(p + t * e));
    return {static_cast<int>(k), t, foot.d.norm(), foot};
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
    const int f = facing(-n);
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
    } else {
      feature.kind = FeatureKind::edge_edge;
      feature.dir_b = (own_on_edge(at.edge, 1) - own_on_edge(at.edge, 0)).normalized();
      feature.sign = dir_a.cross(on_edge(at.edge, 1) - on_edge(at.edge, 0)).dot(n) < 0 ? -1 : 1;
      out_.add(feature_id(Meeting::curved, 24 + what, at.edge), feature);
    }
  }

  /// An edge side by side with the cylinder: the two ends of the common stretch. Returns their lowest distance from the
  /// side.
  double add_stretch(int edge) {
    double lowest = std::numeric_limits<double>::infinity();
    const Vec3 p = on_edge(edge, 0), e = on_edge(edge, 1) - p;
    if (core_.edge_count() == 0 || std::hypot(e.x(), e.y()) > side_by_side * e.norm()) return lowest;
    const double ta = (-cylinder_.l - p.z()) / e.z(), tb = (cylinder_.l - p.z()) / e.z();
    const double t0 = std::max(0.0, std::min(ta, tb)), t1 = std::min(1.0, std::max(ta, tb));
    if (t1 - t0 <= 2 * band) return lowest;
    for (const double t : {t0, t1}) {
      const Vec3 y = p + t * e;
      Feature feature = blank(Vec3(0, 0, y.z()), own_on_edge(edge, t));
      feature.kind = FeatureKind::edge_a_point_b;
      feature.dir_a = Vec3::UnitZ();
      feature.rounding_a = cylinder_.r;
      out_.add(feature_id(Meeting::curved, t == t0 ? 32 : 33, edge), feature);
      lowest = std::min(lowest, std::hypot(y.x(), y.y()) - cylinder_.r);
    }
    return lowest;
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
    if (apart_) {
      const OnEdge& near = near_;
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
      add_curved({best_.i, best_.t, 0, {}}, true, best_.separation, n);
    } else if (best_.from == From::arc) {
      add_arc(n);
    } else if (!std::isfinite(lowest)) {
      add_virtual(n);
    }
    if (best_.from == From::face || best_.from == From::cap) return;  // its patch has been added
    const int face = facing(-n);
    if (face >= 0 && parallel(core_.normals[face], n, nearly_flat)) {
      add_region(face);
    } else if (parallel(Vec3::UnitZ(), n, nearly_flat)) {
      add_cap(n.z() > 0 ? 1 : -1);
    }
  }

  /// Edge on a rim, touching or overlapping: the point of the edge nearest to the tangent.
  void add_arc(const Vec3& n) {
    const Vec3 q = cylinder_.support(n), p = on_edge(best_.i, 0), e = on_edge(best_.i, 1) - p,
               tau = Cylinder::tangent(q);
    const Vec3 across =
        tau.cross(n);  // in the plane of n and e the line of the edge meets q + n-direction where across vanishes
    const double slope = e.dot(across);
    const double t = std::abs(slope) > 1e-9 * e.norm() ? std::clamp((q - p).dot(across) / slope, 1e-9, 1 - 1e-9) : 0.5;
    if (std::abs(slope) > 1e-9 * e.norm()) return add_rim({best_.i, t, 0, {}}, q, n);
    out_.face_a(feature_id(Meeting::curved, 41, best_.i), n, q, own_on_edge(best_.i, t), core_.rounding);
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
  double size_, limit_;
  std::size_t edges_;
  Best best_;
  OnEdge near_;
  bool apart_ = false;
};

}  // namespace

void collide_cylinder_core(const shapes::Shape& cylinder, const Core& core, Emitter& out) {
  CylinderAgainstCore(cylinder, core, out).run();
}

}  // namespace vinculum::collide
