// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest edges of two cores that are apart. Pairs that the direction n, or balls around them, separate by more than
// the best distance are skipped. A nearest vertex lies on several edges; of pairs equally near, the one with the
// longest stretch side by side is taken, so that two parallel edges are seen as such whichever of their ends is nearer.
#include "vinculum/collide/core_pair.hpp"

namespace vinculum::collide {
namespace {

/// Around an edge; `low` is its lowest point along the separating direction.
struct Ball {
  Vec3 centre;
  double radius, low;
};

}  // namespace

SegmentPair segments(const Core& a, std::size_t i, const Core& b, std::size_t j) {
  const auto ends = [](const Core& core, std::size_t k) -> std::array<int, 2> {
    return core.edge_count() > 0 ? core.solid->edges[k] : std::array<int, 2>{0, 0};
  };
  const auto e_a = ends(a, i), e_b = ends(b, j);
  return {a.vertices[e_a[0]], a.vertices[e_a[1]], b.vertices[e_b[0]], b.vertices[e_b[1]]};
}

RoundedSegment rounded(const Core& core, int edge) {
  if (core.edge_count() == 0) return {core.solid->vertices[0], core.solid->vertices[0], core.rounding, 0, 0, 0};
  const auto& ends = core.solid->edges[edge];
  return {core.solid->vertices[ends[0]], core.solid->vertices[ends[1]], core.rounding, ends[0], ends[1], edge};
}

NearestEdges nearest_edges(const Core& a, const Core& b, const Vec3& n, double limit) {
  const double gain = 1e-12 * (a.size + b.size), longer = 1e-9 * (a.size + b.size);
  const std::size_t edges_a = std::max<std::size_t>(1, a.edge_count());
  const std::size_t edges_b = std::max<std::size_t>(1, b.edge_count());
  NearestEdges best;
  best.at.distance = limit;
  double longest = 0;
  double low_b = std::numeric_limits<double>::infinity();
  for (const Vec3& x : b.vertices) low_b = std::min(low_b, n.dot(x));
  thread_local std::vector<Ball> balls;
  balls.clear();
  for (std::size_t j = 0; j < edges_b; ++j) {
    const SegmentPair edge = segments(a, 0, b, j);
    balls.push_back(
        {0.5 * (edge.b0 + edge.b1), 0.5 * (edge.b1 - edge.b0).norm(), std::min(n.dot(edge.b0), n.dot(edge.b1))});
  }
  for (std::size_t i = 0; i < edges_a; ++i) {
    const SegmentPair first = segments(a, i, b, 0);
    const double high = std::max(n.dot(first.a0), n.dot(first.a1));
    if (low_b - high > best.at.distance + gain) continue;
    const Vec3 centre = 0.5 * (first.a0 + first.a1);
    const double radius = 0.5 * (first.a1 - first.a0).norm();
    for (std::size_t j = 0; j < edges_b; ++j) {
      const double nearer = best.at.distance + gain, reach = nearer + radius + balls[j].radius;
      if (balls[j].low - high > nearer || (balls[j].centre - centre).squaredNorm() > reach * reach) continue;
      const SegmentPair pair = segments(a, i, b, j);
      const Nearest at = nearest(pair);
      if (at.distance > best.at.distance + (best.i < 0 ? 0 : gain)) continue;
      const double shared = stretch(pair);
      if (best.i < 0 || at.distance < best.at.distance - gain || shared > longest + longer) {
        best = {static_cast<int>(i), static_cast<int>(j), at};
        longest = shared;
      }
    }
  }
  return best;
}

}  // namespace vinculum::collide
