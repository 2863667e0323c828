// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// min | d + t e_b − s e_a |² over s, t in [0, 1],  d = b0 − a0: the unconstrained minimum, clamped in s, then t, then s
// again (Ericson, Real-Time Collision Detection, 5.1.9). For nearly parallel segments the determinant is rounding
// error; there every s is as good, and s = clamp from the end b0 is taken.
//
// Side by side: two lines at an angle below `side_by_side` touch along a stretch, not at their crossing, which wanders
// from end to end with the sign of the angle. The stretch is reported by its two ends: each is an end of one segment
// over the line of the other. Where the crossing is nearer than both ends by more than `crossing_gain`, it is reported
// too.
#include "vinculum/collide/segment.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::collide {
namespace {

constexpr double side_by_side = 0.05;    // sine of the angle
constexpr double crossing_gain = 1e-10;  // times the length
constexpr double end_band = 1e-5;        // an end this far outside the other segment (relative) still counts as over it

double clamp01(double x) { return std::clamp(x, 0.0, 1.0); }

Feature end_on_line(const RoundedSegment& a, const RoundedSegment& b, const Vec3& P_a, const Vec3& P_b,
                    bool line_is_a) {
  Feature feature;
  feature.kind = line_is_a ? FeatureKind::edge_a_point_b : FeatureKind::point_a_edge_b;
  feature.P_a = P_a;
  feature.P_b = P_b;
  if (line_is_a) {
    feature.dir_a = (a.p1 - a.p0).normalized();
  } else {
    feature.dir_b = (b.p1 - b.p0).normalized();
  }
  feature.rounding_a = a.rounding;
  feature.rounding_b = b.rounding;
  return feature;
}

/// The ends of the stretch along which the segments run side by side. False when there is no such stretch.
bool add_stretch(const RoundedSegment& a, const RoundedSegment& b, const SegmentPair& pair, double distance,
                 Emitter& out) {
  const Vec3 e_a = pair.a1 - pair.a0, e_b = pair.b1 - pair.b0;
  const double aa = e_a.squaredNorm(), bb = e_b.squaredNorm();
  if (aa == 0 || bb == 0) return false;
  if (!(e_a.cross(e_b).squaredNorm() <= side_by_side * side_by_side * aa * bb)) return false;
  const auto over = [](double x) { return x >= -end_band && x <= 1 + end_band; };
  struct End {
    bool of_b;
    int vertex;
    Vec3 P_a, P_b;
    double place;  // along a
    double height;
  };
  End ends[4];
  int count = 0;
  for (int k = 0; k < 2; ++k) {
    const Vec3& x = k == 0 ? pair.b0 : pair.b1;
    const double s = (x - pair.a0).dot(e_a) / aa;
    if (over(s))
      ends[count++] = {true, k == 0 ? b.vertex0 : b.vertex1, a.p0 + s * (a.p1 - a.p0), k == 0 ? b.p0 : b.p1,
                       s,    (x - pair.a0 - s * e_a).norm()};
  }
  for (int k = 0; k < 2; ++k) {
    const Vec3& x = k == 0 ? pair.a0 : pair.a1;
    const double t = (x - pair.b0).dot(e_b) / bb;
    if (over(t))
      ends[count++] = {false,
                       k == 0 ? a.vertex0 : a.vertex1,
                       k == 0 ? a.p0 : a.p1,
                       b.p0 + t * (b.p1 - b.p0),
                       static_cast<double>(k),
                       (x - pair.b0 - t * e_b).norm()};
  }
  // Two ends that lie over each other are one: keep the first (that of b).
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    bool fresh = true;
    for (int m = 0; m < kept; ++m) fresh = fresh && std::abs(ends[k].place - ends[m].place) > 2 * end_band;
    if (fresh) ends[kept++] = ends[k];
  }
  if (kept < 2) return false;
  double lowest = ends[0].height;
  for (int k = 0; k < kept; ++k) {
    lowest = std::min(lowest, ends[k].height);
    const auto id = ends[k].of_b ? feature_id(Meeting::end_on_edge_a, ends[k].vertex, a.edge)
                                 : feature_id(Meeting::end_on_edge_b, ends[k].vertex, b.edge);
    out.add(id, end_on_line(a, b, ends[k].P_a, ends[k].P_b, ends[k].of_b));
  }
  return lowest <= distance + crossing_gain * std::sqrt(aa + bb);
}

}  // namespace

double stretch(const SegmentPair& pair) {
  const Vec3 e_a = pair.a1 - pair.a0, e_b = pair.b1 - pair.b0;
  const double aa = e_a.squaredNorm(), bb = e_b.squaredNorm();
  if (aa == 0 || bb == 0) return 0;
  if (e_a.cross(e_b).squaredNorm() > side_by_side * side_by_side * aa * bb) return 0;
  const double s0 = clamp01((pair.b0 - pair.a0).dot(e_a) / aa), s1 = clamp01((pair.b1 - pair.a0).dot(e_a) / aa);
  return std::abs(s1 - s0) * std::sqrt(aa);
}

Nearest nearest(const SegmentPair& pair) {
  const Vec3 e_a = pair.a1 - pair.a0, e_b = pair.b1 - pair.b0, d = pair.b0 - pair.a0;
  const double aa = e_a.squaredNorm(), bb = e_b.squaredNorm(), ab = e_a.dot(e_b), da = d.dot(e_a), db = d.dot(e_b);
  double s = 0, t = 0;
  if (aa > 0 && bb > 0) {
    const double determinant = e_a.cross(e_b).squaredNorm();  // = aa bb − ab², without the cancellation
    s = determinant > 1e-24 * aa * bb ? clamp01((da * bb - db * ab) / determinant) : clamp01(da / aa);
    t = (ab * s - db) / bb;
    if (t < 0 || t > 1) {
      t = clamp01(t);
      s = clamp01((da + ab * t) / aa);
    }
  } else if (aa > 0) {
    s = clamp01(da / aa);
  } else if (bb > 0) {
    t = clamp01(-db / bb);
  }
  return {s, t, (d + t * e_b - s * e_a).norm()};
}

void add_segments(const RoundedSegment& a, const RoundedSegment& b, const SegmentPair& pair, const Nearest& near,
                  double touching, const Vec3& n_a, Emitter& out) {
  const Vec3 P_a = a.p0 + near.s * (a.p1 - a.p0), P_b = b.p0 + near.t * (b.p1 - b.p0);
  const bool inside_a = near.s > 0 && near.s<1, inside_b = near.t> 0 && near.t < 1;
  if (near.distance > touching && add_stretch(a, b, pair, near.distance, out)) return;
  const int end_a = near.s < 0.5 ? a.vertex0 : a.vertex1, end_b = near.t < 0.5 ? b.vertex0 : b.vertex1;
  Feature feature;
  feature.P_a = P_a;
  feature.P_b = P_b;
  feature.rounding_a = a.rounding;
  feature.rounding_b = b.rounding;
  std::uint32_t id = feature_id(Meeting::ends, end_a, end_b);
  if (inside_a && inside_b) id = feature_id(Meeting::edges, a.edge, b.edge);
  if (inside_a != inside_b) {
    id = inside_a ? feature_id(Meeting::end_on_edge_a, end_b, a.edge)
                  : feature_id(Meeting::end_on_edge_b, end_a, b.edge);
  }
  if (near.distance <= touching) {
    feature.kind = FeatureKind::face_a;
    feature.dir_a = n_a;
  } else if (inside_a && inside_b) {
    feature.kind = FeatureKind::edge_edge;
    feature.dir_a = (a.p1 - a.p0).normalized();
    feature.dir_b = (b.p1 - b.p0).normalized();
    const Vec3 cross = (pair.a1 - pair.a0).cross(pair.b1 - pair.b0);
    feature.sign =
        cross.dot(pair.b0 + near.t * (pair.b1 - pair.b0) - pair.a0 - near.s * (pair.a1 - pair.a0)) < 0 ? -1 : 1;
  } else if (inside_a || inside_b) {
    feature = end_on_line(a, b, P_a, P_b, inside_a);
  } else {
    feature.kind = FeatureKind::point_point;
  }
  out.add(id, feature);
}

}  // namespace vinculum::collide
