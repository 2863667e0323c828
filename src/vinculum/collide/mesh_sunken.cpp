// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
//   vertex   x of one solid inside the other: it leaves through the nearest facet, g = −distance
//   ridges   e_a, e_b with n = ± e_a × e_b a normal of both: g = n·(x_b − x_a) at their nearest points x_a, x_b
// Every solid that overlaps another by little has one or the other there. Ridges that are still apart belong to it: a
// face that lies across a ridge is held at both of its ends, of which one may have sunk in.
#include "vinculum/collide/mesh_sunken.hpp"

#include "vinculum/collide/mesh_foot.hpp"

#include <algorithm>

namespace vinculum::collide {
namespace {

using shapes::Mesh;

constexpr double slack = 1e-12;  // angle: the cross product of two ridges is as good as that

/// Vertices and ridges of the triangles of one mesh that are near the other one.
struct Near {
  std::vector<int> triangles, vertices, ridges;

  /// X: the other one's frame in that of the mesh.
  void find(const Mesh& mesh, const Mesh& other, const Pose& X, double margin) {
    const Vec3 middle = X * (0.5 * (other.tree[0].low + other.tree[0].high));
    const Vec3 half =
        X.R.toRotationMatrix().cwiseAbs() * (0.5 * (other.tree[0].high - other.tree[0].low)) + Vec3::Constant(margin);
    find(mesh, middle - half, middle + half);
  }
  void find(const Mesh& mesh, const Vec3& low, const Vec3& high) {
    mesh.query(low, high, triangles);
    vertices.clear();
    ridges.clear();
    for (const int t : triangles) {
      vertices.insert(vertices.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
      for (const int e : mesh.triangle_edges[t])
        if (mesh.edges[e].bend == Mesh::Bend::convex) ridges.push_back(e);
    }
    for (std::vector<int>* list : {&vertices, &ridges}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }
};

Vec3 middle_of(const Mesh& mesh) { return 0.5 * (mesh.tree[0].low + mesh.tree[0].high); }

class Sunken {
 public:
  Sunken(const Mesh& a, const Mesh& b, const Pose& X_AB, const Pose& X_a, const Pose& X_b, double deep, double margin,
         std::vector<MeshContact>& found)
      : a_(a),
        b_(b),
        X_AB_(X_AB),
        X_BA_(X_AB.inverse()),
        X_a_(X_a),
        X_b_(X_b),
        deep_(deep),
        margin_(margin),
        found_(found) {}

  bool has_sides() const {
    return (a_.closed || find_foot(a_, X_AB_ * middle_of(b_)).distance > 0) &&
           (b_.closed || find_foot(b_, X_BA_ * middle_of(a_)).distance > 0);
  }

  void add_vertices() {
    thread_local Near near;
    near.find(b_, a_, X_BA_, 0);
    for (const int v : near.vertices) {
      const Vec3 x = X_AB_ * b_.vertices[v];
      const int facet = facet_out(a_, x);
      if (facet < 0) continue;
      add(make_key(Meeting::vertex_on_face_a, facet, v), facet,
          {.kind = FeatureKind::face_a,
           .P_a = onto_facet(a_, facet, x),
           .P_b = b_.vertices[v],
           .dir_a = a_.facets[facet].normal});
    }
    near.find(a_, b_, X_AB_, 0);
    for (const int v : near.vertices) {
      const Vec3 x = X_BA_ * a_.vertices[v];
      const int facet = facet_out(b_, x);
      if (facet < 0) continue;
      add(make_key(Meeting::vertex_on_face_b, v, facet), -1,
          {.kind = FeatureKind::face_b,
           .P_a = a_.vertices[v],
           .P_b = onto_facet(b_, facet, x),
           .dir_b = -b_.facets[facet].normal});
    }
  }

  void add_ridges() {
    thread_local Near near, beside;
    near.find(b_, a_, X_BA_, margin_);
    for (const int j : near.ridges) {
      const Vec3 p = X_AB_ * b_.vertices[b_.edges[j].ends[0]], q = X_AB_ * b_.vertices[b_.edges[j].ends[1]];
      beside.find(a_, p.cwiseMin(q).array() - margin_, p.cwiseMax(q).array() + margin_);
      for (const int i : beside.ridges) add_crossing(i, j, p, q);
    }
  }

 private:
  /// Through which x leaves the solid; −1 if it is not inside.
  int facet_out(const Mesh& mesh, const Vec3& x) const {
    const auto& root = mesh.tree[0];
    if ((x.array() < root.low.array()).any() || (x.array() > root.high.array()).any()) return -1;
    const Foot foot = find_foot(mesh, x);
    return foot.distance < -deep_ ? mesh.facet_of[foot.triangle] : -1;
  }

  void add(std::uint64_t key, int facet, const Feature& feature) {
    found_.push_back({key, facet, feature, evaluate(feature, X_a_, X_b_)});
  }

  /// Nearest points of the lines p_a + s d_a, p_b + t d_b.
  void add_crossing(int i, int j, const Vec3& p_b, const Vec3& q_b) {
    const Vec3 p_a = a_.vertices[a_.edges[i].ends[0]], d_a = a_.vertices[a_.edges[i].ends[1]] - p_a, d_b = q_b - p_b;
    const Vec3 cross = d_a.cross(d_b), r = p_b - p_a;
    const double square = cross.squaredNorm();
    if (!(square > 1e-12 * d_a.squaredNorm() * d_b.squaredNorm())) return;
    const double s = r.cross(d_b).dot(cross) / square, t = r.cross(d_a).dot(cross) / square;
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    const Vec3 x_a = p_a + s * d_a, x_b = p_b + t * d_b;
    Vec3 n = cross / std::sqrt(square);
    double sign = 1;
    if (!a_.supports_edge(i, n, slack)) n = -n, sign = -1;
    const double gap = n.dot(x_b - x_a);
    if (gap > margin_ || std::abs(gap) <= deep_) return;
    if (!a_.supports_edge(i, n, slack) || !b_.supports_edge(j, -(X_BA_.R * n), slack)) return;
    // A ridge sharper than a right angle may have x_b beside it, but not as far as ridges that look away from each
    // other.
    const double beside = -0.5 * gap;
    if (gap < 0 && (find_foot(a_, x_b).distance > beside || find_foot(b_, X_BA_ * x_a).distance > beside)) return;
    const Vec3 own_p = b_.vertices[b_.edges[j].ends[0]], own_d = b_.vertices[b_.edges[j].ends[1]] - own_p;
    const Feature feature{.kind = FeatureKind::edge_edge,
                          .P_a = x_a,
                          .P_b = own_p + t * own_d,
                          .dir_a = d_a.normalized(),
                          .dir_b = own_d.normalized(),
                          .sign = sign};
    add(make_key(Meeting::edges, i, j), -1, feature);
  }

  const Mesh &a_, &b_;
  const Pose& X_AB_;
  const Pose X_BA_;
  const Pose &X_a_, &X_b_;
  double deep_, margin_;
  std::vector<MeshContact>& found_;
};

}  // namespace

void add_sunken(const Mesh& a, const Mesh& b, const Pose& X_AB, const Pose& X_a, const Pose& X_b, double deep,
                double margin, std::vector<MeshContact>& found) {
  Sunken sunken(a, b, X_AB, X_a, X_b, deep, margin, found);
  if (!sunken.has_sides()) return;
  sunken.add_vertices();
  sunken.add_ridges();
}

}  // namespace vinculum::collide
