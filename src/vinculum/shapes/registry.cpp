// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of shapes, from the lines of registry.inc.
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/shape.hpp"

namespace vinculum::shapes {

#define SHAPE(name, text) extern const ShapeType name##_type;
#include "vinculum/shapes/registry.inc"
#undef SHAPE

std::span<const ShapeType> shape_types() {
  static const std::vector<ShapeType> table = [] {
    std::vector<ShapeType> types;
    const auto add = [&](ShapeType type, std::string_view name, std::string_view text) {
      VINCULUM_DEMAND(type.name == name);
      type.text = text;
      types.push_back(type);
    };
#define SHAPE(name, text) add(name##_type, #name, text);
#include "vinculum/shapes/registry.inc"
#undef SHAPE
    return types;
  }();
  return table;
}

const ShapeType& type_of(Kind kind) { return shape_types()[static_cast<std::size_t>(kind)]; }

const ShapeType* find_shape_type(std::string_view name) {
  for (const ShapeType& type : shape_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace vinculum::shapes
