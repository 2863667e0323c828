// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Hull in the plane of the facet by monotone chains (Andrew 1979); a point nearer than `straight` to the chord between
// its neighbours is no corner.
#include "vinculum/collide/mesh_patch.hpp"

#include <algorithm>

namespace vinculum::collide {
namespace {

constexpr double straight = 1e-9;  // times the size
constexpr double same_place = 1e-9, same_normal = 1e-6;

struct Flat {
  double x, y;
  std::size_t index;
};

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
    points.push_back({u.dot(x), v.dot(x), i});
    keep[i] = 0;
  }
  const double thin = straight * size;
  std::sort(points.begin(), points.end(), [](const Flat& p, const Flat& q) {
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.index < q.index;
  });
  add_chain(points, true, thin, chain);
  add_chain(points, false, thin, chain);
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
  contacts.erase(std::unique(contacts.begin(), contacts.end(),
                             [](const MeshContact& c, const MeshContact& d) {
                               return c.facet == d.facet && c.key == d.key;
                             }),
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
