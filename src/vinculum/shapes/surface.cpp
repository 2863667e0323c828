// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From vertices and triangles to a surface: edges, facets, bends, the tree of boxes.
// A triangle joins a facet if its corners are within `coplanar` of the facet's plane: round-off of coordinates, nothing
// more, since a gap is measured from that plane. Facets are seeded by their largest triangle, whose plane is the most
// certain. The tree halves the triangles at the median of their centres along the longest side, ties by index, so that
// it is the same everywhere.
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/mesh.hpp"
#include "vinculum/shapes/polytope.hpp"

#include <fmt/core.h>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace vinculum::shapes {
namespace {

constexpr double coplanar = 1e-13;  // times the extent and place of the vertices
constexpr double sliver = 1e-10;    // height over base of a triangle without area
constexpr int leaf_size = 4;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t hull_limit = 20000;  // more vertices than this are not worth a hull

[[noreturn]] void reject(const std::string& found, const std::string& expected) {
  throw base::InputError("found " + found + ", expected " + expected);
}

Vec3 doubled_area(const Mesh& mesh, int t) {
  return (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
}

void check_triangles(const Mesh& mesh) {
  const auto count = static_cast<int>(mesh.vertices.size());
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
    if (!mesh.vertices[k].allFinite()) reject(fmt::format("point {} that is not finite", k), "finite points");
  }
  if (mesh.triangles.empty()) reject("no triangles", "at least one");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    for (const int v : corners) {
      if (v < 0 || v >= count) reject(fmt::format("vertex {} in triangle {}", v, t), fmt::format("0 to {}", count - 1));
    }
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
      const double side = (mesh.vertices[corners[k]] - mesh.vertices[corners[(k + 1) % 3]]).squaredNorm();
      longest = std::max(longest, side);
    }
    if (!(doubled_area(mesh, static_cast<int>(t)).norm() > sliver * longest))
      reject(fmt::format("triangle {} without area", t), "corners that are not on one line");
  }
}

void list_edges(Mesh& mesh) {
  std::map<std::array<int, 2>, std::array<int, 2>> sides;
  mesh.triangle_edges.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      auto& both =
          sides.try_emplace({std::min(from, to), std::max(from, to)}, std::array<int, 2>{-1, -1}).first->second;
      int& side = both[from < to ? 0 : 1];
      if (side >= 0) {
        reject(fmt::format("triangles {} and {} that both run from vertex {} to {}", side, t, from, to),
               "a surface with all triangles counter-clockwise seen from outside, two at an edge");
      }
      side = static_cast<int>(t);
    }
  }
  mesh.closed = true;
  for (const auto& [ends, both] : sides) {
    const auto index = static_cast<int>(mesh.edges.size());
    mesh.edges.push_back({ends, both, Mesh::Bend::border});
    for (const int t : both) {
      if (t < 0) mesh.closed = false;
      for (int k = 0; t >= 0 && k < 3; ++k) {
        const int from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
        if (std::min(from, to) == ends[0] && std::max(from, to) == ends[1]) mesh.triangle_edges[t][k] = index;
      }
    }
    auto& kept = mesh.edges.back().sides;
    if (kept[0] < 0) std::swap(kept[0], kept[1]);
  }
}

void list_stars(Mesh& mesh) {
  mesh.star_begin.assign(mesh.vertices.size() + 1, 0);
  for (const auto& edge : mesh.edges)
    for (const int v : edge.ends) ++mesh.star_begin[v + 1];
  std::partial_sum(mesh.star_begin.begin(), mesh.star_begin.end(), mesh.star_begin.begin());
  mesh.star.resize(2 * mesh.edges.size());
  std::vector<int> next(mesh.star_begin.begin(), mesh.star_begin.end() - 1);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    for (const int v : mesh.edges[e].ends) mesh.star[next[v]++] = static_cast<int>(e);
}

void make_facets(Mesh& mesh) {
  Vec3 largest = Vec3::Zero();
  for (const Vec3& x : mesh.vertices) largest = largest.cwiseMax(x.cwiseAbs());
  const double slack = coplanar * largest.maxCoeff();
  const auto count = static_cast<int>(mesh.triangles.size());
  std::vector<double> area(count);
  for (int t = 0; t < count; ++t) area[t] = doubled_area(mesh, t).norm();
  std::vector<int> seeds(count);
  std::iota(seeds.begin(), seeds.end(), 0);
  std::stable_sort(seeds.begin(), seeds.end(), [&](int s, int t) { return area[s] > area[t]; });
  mesh.facet_of.assign(count, -1);
  std::vector<int> front;
  for (const int seed : seeds) {
    if (mesh.facet_of[seed] >= 0) continue;
    const auto index = static_cast<int>(mesh.facets.size());
    const Vec3 normal = doubled_area(mesh, seed).normalized();
    const double offset = normal.dot(mesh.corner(seed, 0));
    mesh.facets.push_back({normal, offset});
    const auto fits = [&](int t) {
      if (doubled_area(mesh, t).dot(normal) < 0.5 * area[t]) return false;
      for (int k = 0; k < 3; ++k)
        if (std::abs(normal.dot(mesh.corner(t, k)) - offset) > slack) return false;
      return true;
    };
    front.assign(1, seed);
    mesh.facet_of[seed] = index;
    while (!front.empty()) {
      const int t = front.back();
      front.pop_back();
      for (const int e : mesh.triangle_edges[t]) {
        for (const int other : mesh.edges[e].sides) {
          if (other < 0 || mesh.facet_of[other] >= 0 || !fits(other)) continue;
          mesh.facet_of[other] = index;
          front.push_back(other);
        }
      }
    }
  }
}

void find_bends(Mesh& mesh) {
  for (auto& edge : mesh.edges) {
    const auto [s, t] = edge.sides;
    if (t < 0) continue;
    if (mesh.facet_of[s] == mesh.facet_of[t]) {
      edge.bend = Mesh::Bend::flat;
      continue;
    }
    const auto height = [&](int of, int over) {  // of the corner beyond the edge
      double low = 0, high = 0;  // not the one that is larger by its size: Clang 19 makes a wrong choice of that
      for (int k = 0; k < 3; ++k) {
        const double h = mesh.facet(over).normal.dot(mesh.corner(of, k)) - mesh.facet(over).offset;
        low = std::min(low, h), high = std::max(high, h);
      }
      return high > -low ? high : low;
    };
    edge.bend = height(s, t) + height(t, s) < 0 ? Mesh::Bend::convex : Mesh::Bend::concave;
  }
}

class TreeBuilder {
 public:
  explicit TreeBuilder(Mesh& mesh) : mesh_(mesh) {
    const auto count = static_cast<int>(mesh.triangles.size());
    mesh_.order.resize(count);
    std::iota(mesh_.order.begin(), mesh_.order.end(), 0);
    mesh_.tree.emplace_back();
    build(0, 0, count);
  }

 private:
  Vec3 centre(int t) const { return mesh_.corner(t, 0) + mesh_.corner(t, 1) + mesh_.corner(t, 2); }

  void build(int node, int begin, int end) {
    Vec3 low = mesh_.corner(mesh_.order[begin], 0), high = low;
    for (int i = begin; i < end; ++i) {
      for (int k = 0; k < 3; ++k) {
        low = low.cwiseMin(mesh_.corner(mesh_.order[i], k));
        high = high.cwiseMax(mesh_.corner(mesh_.order[i], k));
      }
    }
    mesh_.tree[node].low = low;
    mesh_.tree[node].high = high;
    if (end - begin <= leaf_size) {
      mesh_.tree[node].first = begin;
      mesh_.tree[node].count = end - begin;
      return;
    }
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    const int mid = (begin + end) / 2;
    const auto at = [&](int i) { return mesh_.order.begin() + i; };
    std::nth_element(at(begin), at(mid), at(end), [&](int s, int t) {
      const double x = centre(s)[axis], y = centre(t)[axis];
      return x != y ? x < y : s < t;
    });
    const auto first = static_cast<int>(mesh_.tree.size());
    mesh_.tree[node].first = first;
    mesh_.tree.resize(mesh_.tree.size() + 2);
    build(first, begin, mid);
    build(first + 1, mid, end);
  }

  Mesh& mesh_;
};

/// Where the ray from x along d enters the box; infinity if it misses.
double enter(const Mesh::Node& box, const Vec3& x, const Vec3& d) {
  double from = 0, to = infinity;
  for (int k = 0; k < 3; ++k) {
    const double s = (box.low[k] - x[k]) / d[k], t = (box.high[k] - x[k]) / d[k];
    if (std::isnan(s) || std::isnan(t)) continue;  // along the border of the box
    from = std::max(from, std::min(s, t));
    to = std::min(to, std::max(s, t));
  }
  return from <= to ? from : infinity;
}

/// First back of a triangle on the ray from x along d (Möller & Trumbore 1997, without its division); infinity if none.
double first_back(const Mesh& mesh, const Vec3& x, const Vec3& d) {
  double best = infinity;
  std::array<int, 64> stack;  // as in query
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Mesh::Node& node = mesh.tree[stack[--depth]];
    if (enter(node, x, d) >= best) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = node.first + 1;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = mesh.order[i];
      const auto& facet = mesh.facet(t);
      if (facet.normal.dot(d) <= 0) continue;
      const Vec3 a = mesh.corner(t, 0) - x, b = mesh.corner(t, 1) - x, c = mesh.corner(t, 2) - x;
      if (d.dot(a.cross(b)) < 0 || d.dot(b.cross(c)) < 0 || d.dot(c.cross(a)) < 0) continue;
      best = std::min(best, facet.normal.dot(a) / facet.normal.dot(d));
    }
  }
  return best;
}

void measure_thickness(Mesh& mesh) {
  if (!mesh.closed) return;
  mesh.thickness = infinity;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    const Vec3 middle = (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) / 3;
    mesh.thickness = std::min(mesh.thickness, first_back(mesh, middle, -mesh.facet(t).normal));
  }
}

void make_surface_hull(Mesh& mesh) {
  if (mesh.vertices.size() > hull_limit) return;
  try {
    mesh.hull = make_hull(mesh.vertices);
  } catch (const base::InputError&) {  // flat, or too many corners: whoever asks uses the vertices
    mesh.hull = nullptr;
  }
}

}  // namespace

std::shared_ptr<const Mesh> make_mesh(std::vector<Vec3> vertices, std::vector<std::array<int, 3>> triangles) {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = std::move(vertices);
  mesh->triangles = std::move(triangles);
  check_triangles(*mesh);
  list_edges(*mesh);
  list_stars(*mesh);
  make_facets(*mesh);
  find_bends(*mesh);
  TreeBuilder build(*mesh);
  measure_thickness(*mesh);
  make_surface_hull(*mesh);
  return mesh;
}

void Mesh::query(const Vec3& low, const Vec3& high, std::vector<int>& found) const {
  found.clear();
  std::array<int, 64> stack;  // the tree is balanced: its depth is log2 of the triangles
  std::size_t top = 0;
  stack[top++] = 0;
  const auto apart = [&](const Vec3& l, const Vec3& h) {
    return (l.array() > high.array()).any() || (h.array() < low.array()).any();
  };
  while (top > 0) {
    const Node& node = tree[stack[--top]];
    if (apart(node.low, node.high)) continue;
    if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = node.first + 1;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = order[i];
      const Vec3 a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
      if (!apart(a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c))) found.push_back(t);
    }
  }
  std::sort(found.begin(), found.end());
}

bool Mesh::supports_edge(int e, const Vec3& n, double slack) const {
  const Edge& edge = edges[e];
  const Vec3 along = (vertices[edge.ends[1]] - vertices[edge.ends[0]]).normalized();
  if (std::abs(along.dot(n)) > slack) return false;
  bool in_front = false;
  for (const int t : edge.sides) {
    if (t < 0) continue;
    const Vec3& normal = facet(t).normal;
    Vec3 away = along.cross(normal).normalized();
    for (int k = 0; k < 3; ++k) {  // towards the corner beyond the edge it must be negative
      const int v = triangles[t][k];
      if (v != edge.ends[0] && v != edge.ends[1] && away.dot(vertices[v] - vertices[edge.ends[0]]) > 0) away = -away;
    }
    if (away.dot(n) < -slack) return false;
    if (normal.dot(n) >= -slack) in_front = true;
  }
  return in_front;
}

bool Mesh::supports_vertex(int v, const Vec3& n, double slack) const {
  bool in_front = false;
  for (int i = star_begin[v]; i < star_begin[v + 1]; ++i) {
    const Edge& edge = edges[star[i]];
    const int other = edge.ends[0] == v ? edge.ends[1] : edge.ends[0];
    if (n.dot((vertices[other] - vertices[v]).normalized()) > slack) return false;
    for (const int t : edge.sides) in_front = in_front || (t >= 0 && facet(t).normal.dot(n) >= -slack);
  }
  return in_front;
}

}  // namespace vinculum::shapes
