// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Cores are copied into the frame of the pair once; everything after that is dot products.
#include "vinculum/collide/core.hpp"

#include <algorithm>

namespace vinculum::collide {

const shapes::Polytope& Core::polytope_of(const shapes::Shape& shape) {
  if (shape.polytope) return *shape.polytope;
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
  return simple_;
}

/// What does not depend on the place.
void Core::take(const shapes::Polytope& polytope, double ball) {
  solid = &polytope;
  rounding = ball;
  vertices.resize(solid->vertices.size());
  normals.resize(solid->faces.size());
  offsets.resize(solid->faces.size());
  Vec3 low = solid->vertices[0], high = low;
  for (const Vec3& x : solid->vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  size = (high - low).norm() / 2;
}

void Core::place(const shapes::Shape& shape) {
  take(polytope_of(shape), shape.polytope ? 0 : shape.radius);
  std::copy(solid->vertices.begin(), solid->vertices.end(), vertices.begin());
  for (std::size_t f = 0; f < normals.size(); ++f) {
    normals[f] = solid->faces[f].normal;
    offsets[f] = solid->faces[f].offset;
  }
}

void Core::place(const shapes::Shape& shape, const Pose& X) {
  place(polytope_of(shape), shape.polytope ? 0 : shape.radius, X);
}

void Core::place(const shapes::Polytope& polytope, double ball, const Pose& X) {
  take(polytope, ball);
  const algebra::Mat3 R = X.R.toRotationMatrix();
  for (std::size_t k = 0; k < vertices.size(); ++k) vertices[k] = X.p + R * solid->vertices[k];
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
