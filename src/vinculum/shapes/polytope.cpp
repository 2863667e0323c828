// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Moments of a polytope. A tetrahedron (c, x1, x2, x3) with edges e_k = x_k − c and det = e1·(e2 × e3) has
//   volume = det/6,   ∫ (x − c) dV = det/24 Σ e_k,   ∫ (x − c)(x − c)ᵀ dV = det/120 ( Σ e_k e_kᵀ + (Σ e_k)(Σ e_k)ᵀ ),
// and the tetrahedra over all faces, seen from any c, add up to the solid (divergence theorem). c is taken inside, so
// that nothing cancels.
#include "vinculum/shapes/polytope.hpp"

#include <algorithm>
#include <map>

namespace vinculum::shapes {

void list_edges(Polytope& polytope) {
  std::map<std::array<int, 2>, std::array<int, 2>> faces_at;
  const auto each_side = [&](auto action) {
    for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
      const auto& loop = polytope.faces[f].loop;
      for (std::size_t k = 0; k < loop.size(); ++k) action(f, loop[k], loop[(k + 1) % loop.size()]);
    }
  };
  each_side([&](std::size_t f, int from, int to) {
    auto [it, fresh] = faces_at.try_emplace({std::min(from, to), std::max(from, to)}, std::array<int, 2>{-1, -1});
    it->second[from < to ? 0 : 1] = static_cast<int>(f);
  });
  for (const auto& [edge, faces] : faces_at) {
    polytope.edges.push_back(edge);
    polytope.edge_faces.push_back(faces);
  }
  each_side([&](std::size_t f, int from, int to) {
    const std::array<int, 2> edge{std::min(from, to), std::max(from, to)};
    const auto it = std::lower_bound(polytope.edges.begin(), polytope.edges.end(), edge);
    polytope.faces[f].loop_edges.push_back(static_cast<int>(it - polytope.edges.begin()));
  });
}

std::shared_ptr<const Polytope> make_block(const Vec3& half) {
  auto block = std::make_shared<Polytope>();
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign((k & 1) ? 1 : -1, (k & 2) ? 1 : -1, (k & 4) ? 1 : -1);
    block->vertices.push_back(sign.cwiseProduct(half));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << ((axis + 1) % 3), v = 1 << ((axis + 2) % 3);  // bits of the two axes in the face, right-handed
    for (int side = 0; side < 2; ++side) {
      Vec3 normal = Vec3::Zero();
      normal[axis] = side == 1 ? 1 : -1;
      const int base = side << axis;
      std::vector<int> loop{base, base | u, base | u | v, base | v};
      if (side == 0) std::reverse(loop.begin() + 1, loop.end());
      block->faces.push_back({normal, half[axis], std::move(loop), {}});
    }
  }
  list_edges(*block);
  return block;
}

VolumeMoments polytope_moments(const Polytope& polytope) {
  Vec3 inside = Vec3::Zero();
  for (const Vec3& x : polytope.vertices) inside += x;
  inside /= static_cast<double>(polytope.vertices.size());
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& face : polytope.faces) {
    const auto vertex = [&](std::size_t k) -> Vec3 { return polytope.vertices[face.loop[k]] - inside; };
    for (std::size_t k = 1; k + 1 < face.loop.size(); ++k) {
      const Vec3 e1 = vertex(0), e2 = vertex(k), e3 = vertex(k + 1), sum = e1 + e2 + e3;
      const double det = e1.dot(e2.cross(e3));
      volume += det / 6;
      first += det / 24 * sum;
      second += det / 120 * (e1 * e1.transpose() + e2 * e2.transpose() + e3 * e3.transpose() + sum * sum.transpose());
    }
  }
  const Vec3 offset = first / volume;
  second -= volume * offset * offset.transpose();
  return {volume, inside + offset, second.trace() * Mat3::Identity() - second};
}

int support_vertex(std::span<const Vec3> vertices, const Vec3& d) {
  int best = 0;
  double height = d.dot(vertices[0]);
  for (std::size_t k = 1; k < vertices.size(); ++k) {
    const double candidate = d.dot(vertices[k]);
    if (candidate > height) {
      height = candidate;
      best = static_cast<int>(k);
    }
  }
  return best;
}

}  // namespace vinculum::shapes
