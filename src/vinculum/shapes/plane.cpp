// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Half space z <= 0; the outward normal is +z. It has no volume and no support function.
#include "vinculum/shapes/shape.hpp"

#include <limits>

namespace vinculum::shapes {
namespace {

Shape make(const ShapeValues&) {
  Shape shape;
  shape.kind = Kind::plane;
  return shape;
}

double radius_bound(const Shape&) { return std::numeric_limits<double>::infinity(); }

}  // namespace

extern const ShapeType plane_type;
const ShapeType plane_type{"plane", "", {}, make, false, nullptr, nullptr, radius_bound};

}  // namespace vinculum::shapes
