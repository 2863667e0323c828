// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Materials, and the law of contact for each pair of them. Material 0 is "default", whether the scene names it or not.
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>

namespace vinculum::model {

using reader::Bound;
using reader::quote;
using reader::Table;
using reader::Value;

namespace {

constexpr std::size_t most_materials = 1000;  // the table of pairs grows with the square

struct Law {
  double mu = 0, e_N = 0, e_T = 0;
};

Law read_law(Table& table) {
  return {table.number("mu", Bound::nonnegative, "").value_or(0), table.number("e_N", Bound::fraction, "").value_or(0),
          table.number("e_T", Bound::fraction, "").value_or(0)};
}

void set_law(Pair& pair, const Law& law) {
  pair.mu = law.mu;
  pair.e_N = law.e_N;
  pair.e_T = law.e_T;
}

}  // namespace

void read_materials(Table& root, Scene& scene) {
  scene.model.materials = {{"default"}};
  scene.densities = {std::nullopt};
  bool default_named = false;
  for (const Value& value : array_of_tables(root, "material")) {
    Table table(value, "[[material]]", material_keys());
    const Value name = table.need("name", "the name of the material");
    const std::optional<double> density = table.number("density", Bound::positive, "kg/m^3");
    if (name.name() == "default" && !default_named) {
      default_named = true;
      scene.materials.add("default", 0, name);
      scene.densities[0] = density;
      continue;
    }
    scene.materials.add(name.name(), static_cast<int>(scene.model.materials.size()), name);
    scene.model.materials.push_back({name.name()});
    scene.densities.push_back(density);
    if (scene.densities.size() > most_materials) {
      value.fail("too many materials", fmt::format("at most {}", most_materials));
    }
  }
  if (!default_named) scene.materials.add("default", 0, root.self());
}

void read_contacts(Table& root, Scene& scene) {
  const int n = static_cast<int>(scene.model.materials.size());
  std::vector<Pair>& pairs = scene.model.pairs;
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) pairs.push_back({.a = a, .b = b});
  }
  std::vector<int> line(pairs.size(), 0);  // where the pair was given; 0: nowhere
  std::optional<Law> fallback;
  for (const Value& value : array_of_tables(root, "contact")) {
    Table table(value, "[[contact]]", contact_keys());
    if (table.has("shapes")) continue;  // read_shape_pairs
    const Law law = read_law(table);
    const std::optional<Value> materials = table.find("materials");
    if (!materials) {
      if (fallback) value.fail("a second [[contact]] without materials", "one default for all pairs not given");
      fallback = law;
      continue;
    }
    const std::string_view expected = "an array of 2 names of materials";
    if (materials->size(expected) != 2) materials->fail(expected);
    const int a = scene.materials.find(materials->item(0)), b = scene.materials.find(materials->item(1));
    const auto index = static_cast<std::size_t>(&scene.model.pair(a, b) - pairs.data());
    if (line[index] != 0) {
      materials->fail(
          fmt::format("{} and {} a second time", quote(scene.model.materials[static_cast<std::size_t>(a)].name),
                      quote(scene.model.materials[static_cast<std::size_t>(b)].name)),
          fmt::format("one [[contact]] for a pair (line {})", line[index]));
    }
    line[index] = materials->node().line;
    set_law(pairs[index], law);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (line[i] == 0 && fallback) set_law(pairs[i], *fallback);
  }
}

void read_shape_pairs(Table& root, Scene& scene) {
  std::vector<ShapePair>& pairs = scene.model.shape_pairs;
  for (const Value& value : array_of_tables(root, "contact")) {
    Table table(value, "[[contact]]", contact_keys());
    const std::optional<Value> names = table.find("shapes");
    if (!names) continue;
    const Law law = read_law(table);
    const std::string_view expected = "an array of 2 names of shapes";
    if (names->size(expected) != 2) names->fail(expected);
    const int a = scene.shapes.find(names->item(0)), b = scene.shapes.find(names->item(1));
    if (a == b) names->item(1).fail("another shape than the first");
    const ShapePair pair{value.place(), std::min(a, b), std::max(a, b), law.mu, law.e_N, law.e_T};
    for (const ShapePair& other : pairs) {
      if (other.a == pair.a && other.b == pair.b)
        names->fail("this pair a second time", fmt::format("one [[contact]] for a pair (line {})", other.place.line));
    }
    pairs.push_back(pair);
    table.finish("beside shapes");
  }
}

}  // namespace vinculum::model
