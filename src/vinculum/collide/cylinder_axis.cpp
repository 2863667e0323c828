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
#include "vinculum/collide/cylinder_axis.hpp"

#include <numbers>

namespace vinculum::collide {
namespace {

constexpr double same = 1e-12;  // relative difference that is none

}  // namespace

bool CylinderAxis::find(double limit) {
  scan_faces();
  scan_caps();
  if (best_.separation > limit) return false;
  scan_side();
  if (best_.separation > limit) return false;
  find_nearest();
  if (!apart_) scan_arcs();
  return true;
}

int CylinderAxis::facing(const Vec3& n) const {
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

void CylinderAxis::scan_faces() {
  for (std::size_t f = 0; f < core_.face_count(); ++f) {
    const Vec3& m = core_.normals[f];
    offer({From::face, static_cast<int>(f), 0, -core_.offsets[f] - cylinder_.reach(m), -m});
  }
}

void CylinderAxis::scan_caps() {
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
void CylinderAxis::scan_side() {
  Best side;
  side.from = From::side;
  double nearest = std::numeric_limits<double>::infinity();
  Vec3 at = Vec3::Zero();
  for (std::size_t k = 0; k < edges_; ++k) {
    const Vec3 p = on_edge(k, 0), e = on_edge(k, 1) - p;
    const double ee = e.head<2>().squaredNorm(),
                 t = ee > 0 ? std::clamp(-p.head<2>().dot(e.head<2>()) / ee, 0.0, 1.0) : 0;
    const Vec3 x = p + t * e;
    const double distance = length(x.x(), x.y());
    if (distance < nearest - same * size_) {
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
void CylinderAxis::find_nearest() {
  near_.distance = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < edges_; ++k) {
    if (beyond(k) > near_.distance + 1e-12 * size_) continue;
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
void CylinderAxis::scan_arcs() {
  for (std::size_t k = 0; k < core_.edge_count(); ++k) {
    if (beyond(k) > 2 * touching * size_) continue;
    if (nearest_on_edge(k).distance <= 2 * touching * size_) scan_arc(k);
  }
}

// So deep that the edge on the way out is beyond the cylinder.
bool CylinderAxis::find_deep() {
  for (std::size_t k = 0; k < core_.edge_count(); ++k) scan_arc(k);
  return best_.from == From::arc;
}

void CylinderAxis::scan_arc(std::size_t k) {
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

/// A lower bound of the distance of an edge, from the block around the cylinder.
double CylinderAxis::beyond(std::size_t k) const {
  const Vec3 p = on_edge(k, 0), q = on_edge(k, 1), half(cylinder_.r, cylinder_.r, cylinder_.l);
  const Vec3 over = p.cwiseMin(q) - half, under = -half - p.cwiseMax(q);
  return over.cwiseMax(under).cwiseMax(0).norm();
}

CylinderAxis::OnEdge CylinderAxis::nearest_on_edge(std::size_t k) const {
  const Vec3 p = on_edge(k, 0), e = on_edge(k, 1) - p;
  const auto minus_slope = [&](double t) { return -cylinder_.foot(p + t * e).d.dot(e); };
  const double at0 = minus_slope(0), at1 = minus_slope(1);
  double t = 0;
  if (at0 > 0) t = at1 >= 0 ? 1 : find_root(minus_slope, 0, at0, 1, at1);
  const Cylinder::Foot foot = cylinder_.foot(t == 1 ? core_.vertices[ends(k)[1]] : Vec3(p + t * e));
  return {static_cast<int>(k), t, foot.d.norm(), foot};
}

}  // namespace vinculum::collide
