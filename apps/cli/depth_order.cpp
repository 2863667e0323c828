// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/depth_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace vinculum::cli {

// The plane that keeps them farthest apart decides: the solid on the eye's side of it cannot be hidden by the other.
int compare_depth(const Solid& a, const Solid& b, const Vec3& eye, bool orthographic) {
  double best = -std::numeric_limits<double>::infinity();
  int answer = 0;
  const auto try_axis = [&](const Vec3& n) {  // a below, b above: n·x <= low on a, n·x >= high on b
    const double low = a.reach(n), high = -b.reach(-n);
    if (high - low <= best) return;
    best = high - low;
    const double side = orthographic ? n.dot(eye) : n.dot(eye) - 0.5 * (low + high);
    answer = side > 0 ? -1 : 1;
  };
  for (const auto* axes : {&a.axes, &b.axes}) {
    for (const auto& n : *axes) {
      try_axis(n);
      try_axis(-n);
    }
  }
  const Vec3 between = b.centre - a.centre;
  if (between.norm() > 0) try_axis(between.normalized());
  // Near an edge or a vertex of the other, a ball is best kept apart along the line from its nearest vertex.
  for (const bool swapped : {false, true}) {
    const Solid &ball = swapped ? b : a, &other = swapped ? a : b;
    if (ball.radius == 0 || other.vertices.size() < 2) continue;
    const auto nearest =
        std::min_element(other.vertices.begin(), other.vertices.end(), [&](const Vec3& x, const Vec3& y) {
          return (x - ball.centre).squaredNorm() < (y - ball.centre).squaredNorm();
        });
    const Vec3 n = (*nearest - ball.centre).normalized();
    try_axis(swapped ? Vec3(-n) : n);
  }
  return answer;
}

// Farther solids first. Where two overlap in the picture, a plane between them decides; the order is a topological one,
// and among those that are free the farthest comes first (which also breaks the rare cycles).
std::vector<std::size_t> depth_order(const std::vector<Solid>& solids, const View& view) {
  struct Box {
    std::size_t solid;
    double left, right, top, bottom, depth;
  };
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const auto& s = solids[i];
    if (s.vertices.empty() || !view.sees(s.centre)) continue;
    Box box{i, 1e300, -1e300, 1e300, -1e300, view.depth(s.centre)};
    for (const auto& x : s.vertices) {
      const Vec2 p = view.at(x);
      const double r = s.radius * view.scale(x);
      box.left = std::min(box.left, p.x() - r);
      box.right = std::max(box.right, p.x() + r);
      box.top = std::min(box.top, p.y() - r);
      box.bottom = std::max(box.bottom, p.y() + r);
    }
    boxes.push_back(box);
  }
  std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.left < b.left; });
  std::vector<std::vector<std::size_t>> later(boxes.size());
  std::vector<int> before(boxes.size(), 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].left < boxes[i].right; ++j) {
      if (boxes[j].top > boxes[i].bottom || boxes[i].top > boxes[j].bottom) continue;
      const int sign =
          compare_depth(solids[boxes[i].solid], solids[boxes[j].solid], view.viewpoint(), view.orthographic());
      if (sign == 0) continue;
      const std::size_t behind = sign > 0 ? j : i, front = sign > 0 ? i : j;
      later[behind].push_back(front);
      ++before[front];
    }
  }
  std::vector<std::size_t> by_depth(boxes.size()), out_order;
  for (std::size_t i = 0; i < boxes.size(); ++i) by_depth[i] = i;
  std::sort(by_depth.begin(), by_depth.end(),
            [&](std::size_t a, std::size_t b) { return boxes[a].depth > boxes[b].depth; });
  std::vector<std::size_t> rank(boxes.size());
  for (std::size_t r = 0; r < by_depth.size(); ++r) rank[by_depth[r]] = r;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;  // ranks
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (before[i] == 0) ready.push(rank[i]);
  }
  std::vector<bool> done(boxes.size(), false);
  for (std::size_t next = 0; out_order.size() < boxes.size();) {
    std::size_t i;
    if (!ready.empty()) {
      i = by_depth[ready.top()];
      ready.pop();
    } else {
      while (done[by_depth[next]]) ++next;
      i = by_depth[next];
    }
    if (done[i]) continue;
    done[i] = true;
    out_order.push_back(boxes[i].solid);
    for (const auto j : later[i]) {
      if (--before[j] == 0 && !done[j]) ready.push(rank[j]);
    }
  }
  return out_order;
}

}  // namespace vinculum::cli
