// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Cores are copied into the frame of the pair once; everything after that is dot products.
#include "vinculum/collide/core.hpp"

namespace vinculum::collide {

void Core::place(const shapes::Shape& shape) { place(shape, Pose{}); }

void Core::place(const shapes::Shape& shape, const Pose& X) {
  if (shape.polytope == nullptr) {
    const bool segment = shape.kind == shapes::Kind::capsule;
    simple_.vertices.resize(segment ? 2 : 1);
    simple_.vertices[0] = Vec3(0, 0, segment ? -shape.half_length : 0);
    if (segment) simple_.vertices[1] = Vec3(0, 0, shape.half_length);
    simple_.edges.resize(segment ? 1 : 0);
    simple_.edge_faces.resize(segment ? 1 : 0);
    if (segment) {
      simple_.edges[0] = {0, 1};
      simple_.edge_faces[0] = {-1, -1};
    }
    return place(simple_, shape.radius, X);
  }
  place(*shape.polytope, 0, X);
}

void Core::place(const shapes::Polytope& polytope, double ball, const Pose& X) {
  solid = &polytope;
  rounding = ball;
  const algebra::Mat3 R = X.R.toRotationMatrix();
  vertices.resize(solid->vertices.size());
  Vec3 low = solid->vertices[0], high = low;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vec3& x = solid->vertices[k];
    vertices[k] = X.p + R * x;
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  size = (high - low).norm() / 2;
  normals.resize(solid->faces.size());
  offsets.resize(solid->faces.size());
  for (std::size_t f = 0; f < normals.size(); ++f) {
    normals[f] = R * solid->faces[f].normal;
    offsets[f] = solid->faces[f].offset + normals[f].dot(X.p);
  }
}

CorePair& CorePair::scratch() {
  thread_local CorePair pair;
  return pair;
}

}  // namespace vinculum::collide
