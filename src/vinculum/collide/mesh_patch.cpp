// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Hull in the plane of the facet by monotone chains (Andrew 1979); a point nearer than `straight` to the chord between
// its neighbours is no corner.
#include "vinculum/collide/mesh_patch.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace vinculum::collide {
namespace {

constexpr double straight = 1e-9;  // times the size
constexpr double same_place = 1e-9, same_normal = 1e-6;

struct Flat {
  double x, y, gap;
  std::size_t index;
};

/// Are the gaps of all points values of one affine function? The corners of the hull fix it: two of them on a line, or
/// the three that span the most.
bool is_affine(const std::vector<Flat>& points, const std::vector<Flat>& corners, double slack) {
  const Flat& o = corners[0];
  Eigen::Matrix2d E = Eigen::Matrix2d::Zero();
  Eigen::Vector2d rise = Eigen::Vector2d::Zero();
  double widest = 0;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    for (std::size_t k = i + 1; k < corners.size(); ++k) {
      Eigen::Matrix2d F;
      F << corners[i].x - o.x, corners[i].y - o.y, corners[k].x - o.x, corners[k].y - o.y;
      if (std::abs(F.determinant()) <= widest) continue;
      widest = std::abs(F.determinant());
      E = F;
      rise = {corners[i].gap - o.gap, corners[k].gap - o.gap};
    }
  }
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();
  if (corners.size() == 2) {
    const Eigen::Vector2d d(corners[1].x - o.x, corners[1].y - o.y);
    slope = (corners[1].gap - o.gap) / d.squaredNorm() * d;
  } else if (corners.size() > 2) {
    slope = E.inverse() * rise;
  }
  return std::all_of(points.begin(), points.end(), [&](const Flat& p) {
    return std::abs(o.gap + slope.x() * (p.x - o.x) + slope.y() * (p.y - o.y) - p.gap) <= slack;
  });
}

/// Twice the area of (a, b, c) over |c − a|: how far b is to the right of the chord.
double bulge(const Flat& a, const Flat& b, const Flat& c) {
  const double ux = c.x - a.x, uy = c.y - a.y, length = std::hypot(ux, uy);
  const double cross = (b.x - a.x) * uy - (b.y - a.y) * ux;
  return length > 0 ? cross / length : std::hypot(b.x - a.x, b.y - a.y);
}

void add_chain(const std::vector<Flat>& points, bool forward, double thin, std::vector<Flat>& chain) {
  const std::size_t begin = chain.size();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Flat& p = points[forward ? k : points.size() - 1 - k];
    while (chain.size() - begin >= 2 && bulge(chain[chain.size() - 2], chain.back(), p) <= thin) chain.pop_back();
    chain.push_back(p);
  }
  chain.pop_back();  // the other chain begins with it
}

/// Marks the corners of the hull of contacts begin..end, which share a facet.
void mark_corners(const std::vector<MeshContact>& contacts, std::size_t begin, std::size_t end, double size,
                  std::vector<char>& keep) {
  if (end - begin <= 2) return;
  thread_local std::vector<Flat> points, chain;
  points.clear();
  chain.clear();
  const Vec3 u = algebra::orthogonal_to(contacts[begin].at.n), v = contacts[begin].at.n.cross(u);
  const Vec3 origin = contacts[begin].at.p_a;
  for (std::size_t i = begin; i < end; ++i) {
    const Vec3 x = contacts[i].at.p_a - origin;
    points.push_back({u.dot(x), v.dot(x), contacts[i].at.gap, i});
  }
  const double thin = straight * size;
  std::sort(points.begin(), points.end(), [](const Flat& p, const Flat& q) {
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.index < q.index;
  });
  add_chain(points, true, thin, chain);
  add_chain(points, false, thin, chain);
  if (!is_affine(points, chain, thin)) return;  // the curved side of a tilted cylinder beside its cap
  for (std::size_t i = begin; i < end; ++i) keep[i] = 0;
  for (const Flat& p : chain) keep[p.index] = 1;
}

bool same(const MeshContact& c, const MeshContact& d, double size) {
  return (c.at.p_a - d.at.p_a).norm() <= same_place * size && (c.at.n - d.at.n).norm() <= same_normal;
}

}  // namespace

void reduce_patches(double size, std::vector<MeshContact>& contacts) {
  std::sort(contacts.begin(), contacts.end(), [](const MeshContact& c, const MeshContact& d) {
    if (c.facet != d.facet) return c.facet > d.facet;  // facets first, edges and vertices (−1) last
    return c.key != d.key ? c.key < d.key : c.at.gap < d.at.gap;
  });
  contacts.erase(
      std::unique(contacts.begin(), contacts.end(),
                  [](const MeshContact& c, const MeshContact& d) { return c.facet == d.facet && c.key == d.key; }),
      contacts.end());
  thread_local std::vector<char> keep;
  keep.assign(contacts.size(), 1);
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    for (end = begin; end < contacts.size() && contacts[end].facet == contacts[begin].facet; ++end) {
    }
    if (contacts[begin].facet >= 0) mark_corners(contacts, begin, end, size, keep);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    bool wanted = keep[i] != 0;
    for (std::size_t k = 0; wanted && k < kept; ++k) wanted = !same(contacts[k], contacts[i], size);
    if (wanted) contacts[kept++] = contacts[i];
  }
  contacts.resize(kept);
}

}  // namespace vinculum::collide
