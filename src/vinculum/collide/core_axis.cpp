// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Separating axes of two polytopes.
//   separation(n) = min_b n·x − max_a n·x,     signed distance = max over unit n
// When the solids overlap the maximum is at a facet of the Minkowski difference: a face normal of a, of b, or the cross
// product of two edges whose arcs on the Gauss sphere cross (Gregorius, GDC 2013). When they are apart the maximum over
// these is a lower bound of the distance, and is the distance if the nearest features are face-vertex or edge-edge.
//
// Choice without flicker: an axis later in the order (faces of a, faces of b, edges) wins only if it is better by
// `axis_preference` times the size; rounding errors are a million times smaller.
#include "vinculum/collide/core_pair.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::collide {
namespace {

constexpr std::size_t few_pairs = 256;  // of edges: trying them is sooner than looking which may be left out

/// Best face of `solid` against the vertices of `other`; sign −1 when the solid is b. False when separated beyond
/// limit.
bool scan_faces(const Core& solid, const Core& other, Axis::From from, double bias, double limit, Axis& axis) {
  const double sign = from == Axis::From::face_a ? 1 : -1;
  std::size_t hint = 0;  // the vertex that spoke against the face before: it often speaks against the next one too
  for (std::size_t f = 0; f < solid.face_count(); ++f) {
    const Vec3& m = solid.normals[f];
    const double enough = axis.separation + bias + solid.offsets[f];
    double low = m.dot(other.vertices[hint]);
    for (std::size_t k = 0; k < other.vertex_count() && low > enough; ++k) {
      const double height = m.dot(other.vertices[k]);
      if (height < low) {
        low = height;
        hint = k;
      }
    }
    const double separation = low - solid.offsets[f];
    if (separation > axis.separation + bias) {
      axis = {from, static_cast<int>(f), 0, separation, sign * m};
      if (separation > limit) return false;
    }
  }
  return true;
}

struct Arc {
  Vec3 from, to;  // normals of the two faces at the edge
  bool full;      // edge of a segment: the whole great circle
};

Arc arc(const Core& core, int edge) {
  const auto& faces = core.solid->edge_faces[edge];
  if (faces[0] < 0) return {Vec3::Zero(), Vec3::Zero(), true};
  return {core.normals[faces[0]], core.normals[faces[1]], false};
}

/// Do the arc of an edge of a and the antipodal arc of an edge of b cross?
bool arcs_cross(const Arc& a, const Vec3& e_a, const Arc& b, const Vec3& e_b) {
  if (a.full) return b.from.dot(e_a) * b.to.dot(e_a) < 0;
  const double a_from = a.from.dot(e_b), a_to = a.to.dot(e_b);
  if (a_from * a_to >= 0) return false;
  if (b.full) return true;
  const double b_from = -b.from.dot(e_a), b_to = -b.to.dot(e_a);
  if (b_from * b_to >= 0) return false;
  // Both arcs cross the other's great circle; they meet if on the same hemisphere: with e ∥ ± from × to on either edge
  // the crossing point ± e_a × e_b is on arc a on the side of a.from + a.to, and likewise for b.
  const Vec3 cross = e_a.cross(e_b);
  return (cross.dot(a.from + a.to) > 0) == (cross.dot(b.from + b.to) < 0);
}

// The edges of a pair that is the best axis, with separation s, are |s| apart, and s is between the best found so far
// and the limit, or beyond it. So only edges within that reach of both solids count, which for large hulls are few, if
// it is known that none separates the solids by more than the limit.
void edges_within(const Core& core, const Vec3& low, const Vec3& high, std::vector<int>& edges) {
  edges.clear();
  for (std::size_t k = 0; k < core.edge_count(); ++k) {
    const Vec3& p = core.vertices[core.solid->edges[k][0]];
    const Vec3& q = core.vertices[core.solid->edges[k][1]];
    const bool apart = (p.cwiseMin(q).array() > high.array()).any() || (p.cwiseMax(q).array() < low.array()).any();
    if (!apart) edges.push_back(static_cast<int>(k));
  }
}

void near_edges(const Core& a, const Core& b, double reach, std::vector<int>& edges_a, std::vector<int>& edges_b) {
  const auto bounds = [](const Core& core, Vec3& low, Vec3& high) {
    low = high = core.vertices[0];
    for (const Vec3& x : core.vertices) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
  };
  Vec3 low_a, high_a, low_b, high_b;
  bounds(a, low_a, high_a);
  bounds(b, low_b, high_b);
  const Vec3 low = low_a.cwiseMax(low_b).array() - reach, high = high_a.cwiseMin(high_b).array() + reach;
  edges_within(a, low, high, edges_a);
  edges_within(b, low, high, edges_b);
}

// A normal on the arc of an edge is n = α n₁ + β n₂ with α, β >= 0 and 1 <= α + β <= 1/c, c = |n₁ + n₂|/2. Along it the
// solids are at most n·(y − x) apart, x on the edge and y any vertex of the other: where both n₁·(y − x) and n₂·(y − x)
// are below `enough`, and below c times that if it is positive, no n of the arc separates them by more. Of two hulls
// with a thousand edges each, few edges are left to be tried with each other.
void drop_hopeless(const Core& solid, const Core& other, double enough, std::vector<int>& edges) {
  std::size_t hint = 0;  // the vertex that spoke against the edge before
  std::erase_if(edges, [&](int edge) {
    const Arc normals = arc(solid, edge);
    if (normals.full) return false;
    const Vec3& x = solid.vertices[solid.solid->edges[edge][0]];
    const double most = enough < 0 ? enough : 0.5 * (normals.from + normals.to).norm() * enough;
    const auto speaks_against = [&](std::size_t k) {
      const Vec3 d = other.vertices[k] - x;
      return normals.from.dot(d) <= most && normals.to.dot(d) <= most;
    };
    if (speaks_against(hint)) return true;
    for (std::size_t k = 0; k < other.vertex_count(); ++k) {
      if (speaks_against(k)) return hint = k, true;
    }
    return false;
  });
}

/// Whatever n is. Where faces are flat to rounding only, their normals let arcs cross that do not, and two edges look
/// apart while other vertices overlap.
double separation_along(const Vec3& n, const Core& a, const Core& b) {
  double high = -std::numeric_limits<double>::infinity(), low = -high;
  for (const Vec3& x : a.vertices) high = std::max(high, n.dot(x));
  for (const Vec3& x : b.vertices) low = std::min(low, n.dot(x));
  return low - high;
}

bool scan_edges(const Core& a, const Core& b, double bias, double limit, Edges edges, Axis& axis) {
  thread_local std::vector<int> edges_a, edges_b;
  const double rounding = 1e-2 * bias;
  const double reach = 1.001 * std::max(std::abs(axis.separation), std::abs(limit)) + bias;
  near_edges(a, b, edges == Edges::all ? std::numeric_limits<double>::infinity() : reach, edges_a, edges_b);
  if (edges_a.size() * edges_b.size() > few_pairs) {
    const double enough = axis.separation + bias - rounding;
    drop_hopeless(a, b, enough, edges_a);
    drop_hopeless(b, a, enough, edges_b);
  }
  for (const int i : edges_a) {
    const Vec3 e_a = a.edge_direction(i);
    const Arc arc_a = arc(a, i);
    const Vec3& x_a = a.vertices[a.solid->edges[i][0]];
    for (const int j : edges_b) {
      const Vec3 e_b = b.edge_direction(j);
      const Arc arc_b = arc(b, j);
      if (!arcs_cross(arc_a, e_a, arc_b, e_b)) continue;
      Vec3 n = e_a.cross(e_b);
      const double length = n.norm();
      if (length <= parallel_edges * e_a.norm() * e_b.norm()) continue;
      n /= length;
      const double outward = arc_a.full ? -n.dot(arc_b.from + arc_b.to) : n.dot(arc_a.from + arc_a.to);
      if (outward < 0) n = -n;
      const double separation = n.dot(b.vertices[b.solid->edges[j][0]] - x_a);
      if (separation > axis.separation + bias && separation <= separation_along(n, a, b) + rounding) {
        axis = {Axis::From::edges, i, j, separation, n};
        if (separation > limit) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool find_axis(const Core& a, const Core& b, double limit, Edges edges, Axis& axis) {
  const double bias = axis_preference * (a.size + b.size);
  axis.separation = -std::numeric_limits<double>::max();
  return scan_faces(a, b, Axis::From::face_a, bias, limit, axis) &&
         scan_faces(b, a, Axis::From::face_b, bias, limit, axis) && scan_edges(a, b, bias, limit, edges, axis);
}

}  // namespace vinculum::collide
