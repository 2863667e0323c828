// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Geometry of one solid in its own frame. A shape knows its set, not its mass, body or material.
//
//   support(d) = argmax { d·x : x in the set }                      every convex shape
//   core set + ball of radius `rounding`                            sphere = point + r, capsule = segment + r
#pragma once

#include "vinculum/algebra/types.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::shapes {

using algebra::Mat3;
using algebra::Vec3;

/// One enumerator per line of registry.inc, in its order.
enum class Kind : std::uint8_t {
#define SHAPE(name, text) name,
#include "vinculum/shapes/registry.inc"
#undef SHAPE
};

/// A convex polytope: vertices, faces as outward planes with their vertex loops (counter-clockwise seen from outside),
/// and edges. Coplanar triangles are merged into one face.
struct Polytope {
  struct Face {
    Vec3 normal;                  // outward unit
    double offset;                // normal·x = offset on the face
    std::vector<int> loop;        // vertex indices, counter-clockwise
    std::vector<int> loop_edges;  // loop_edges[k]: the edge from loop[k] to its successor
  };
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<std::array<int, 2>> edges;       // vertex pairs, each once, smaller index first
  std::vector<std::array<int, 2>> edge_faces;  // the two faces at each edge
};

struct Mesh;  // shapes/mesh.hpp

struct Shape {
  Kind kind = Kind::sphere;
  double radius = 0;                         // sphere, capsule, cylinder (m)
  double half_length = 0;                    // capsule, cylinder: half the length of the axis segment along z (m)
  Vec3 half_extents{0, 0, 0};                // box (m)
  std::shared_ptr<const Polytope> polytope;  // box, hull; null for the others
  std::shared_ptr<const Mesh> mesh;          // mesh, height_field; null for the others
  // plane: the half space z <= 0 of its own frame; the outward normal is +z.
};

/// Volume and its moments for unit density: mass = density * volume; inertia about the centroid in the shape's axes.
struct VolumeMoments {
  double volume = 0;
  Vec3 centroid = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// A key of a scene that describes a shape.
struct ShapeKey {
  enum class Type {
    length,     // one positive number
    vector,     // three positive numbers
    points,     // list of points
    rectangle,  // two positive numbers
    heights,    // rows of numbers
    triangles,  // list of three indices each
    file        // name of a file
  } type;
  std::string_view name;
  std::string_view text;  // one line for the documentation, with the unit
  bool optional = false;
};

/// The values read for the keys of a shape, in the order of ShapeType::keys.
struct ShapeValues {
  std::vector<double> lengths;
  std::vector<Vec3> vectors;  // z = 0 for a rectangle
  std::vector<Vec3> points;
  std::vector<std::vector<double>> heights = {};
  std::vector<std::array<int, 3>> triangles = {};
  std::string file = {};  // empty without one
};

/// What a file of this folder defines.
struct ShapeType {
  std::string_view name;
  std::string_view text;
  std::span<const ShapeKey> keys;
  /// Builds the shape; throws base::InputError with only "found ..., expected ..." when the values do not make one.
  Shape (*make)(const ShapeValues& values);
  bool bounded;
  VolumeMoments (*moments)(const Shape& shape);        // bounded shapes only
  Vec3 (*support)(const Shape& shape, const Vec3& d);  // bounded shapes only; d need not be unit, d = 0 gives any point
  double (*radius_bound)(const Shape& shape);          // of a ball around the shape's origin; infinity for unbounded
};

/// All registered shapes, in registry order (index = Kind).
std::span<const ShapeType> shape_types();
const ShapeType& type_of(Kind kind);
/// Null when there is no such shape.
const ShapeType* find_shape_type(std::string_view name);

inline Vec3 support(const Shape& shape, const Vec3& d) { return type_of(shape.kind).support(shape, d); }

}  // namespace vinculum::shapes
