// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/collide/initial.hpp"

#include <fmt/core.h>
#include <limits>

namespace vinculum::collide {

namespace {

/// "block" or, for a fixed shape, "floor".
std::string owner(const model::Model& model, int shape) {
  const model::Shape& s = model.shapes[static_cast<std::size_t>(shape)];
  return s.body == model::world ? s.name : model.bodies[static_cast<std::size_t>(s.body)].name;
}

}  // namespace

void check_initial_overlap(const model::Model& model, const system::System& system, const system::State& state) {
  if (model.allow_penetration) return;
  ContactSet contacts;
  Search search(system);
  search.find(state.q, std::vector<double>(system.body_count(), 0.0), contacts);
  double worst = overlap_tolerance;
  const Contact* deepest = nullptr;
  for (const Contact& contact : contacts) {
    double size = std::numeric_limits<double>::infinity();
    for (const int body : {contact.body_a, contact.body_b}) {
      if (body != system::world) size = std::min(size, system.bodies.size[static_cast<std::size_t>(body)]);
    }
    if (-contact.at.gap > worst * size) {
      worst = -contact.at.gap / size;
      deepest = &contact;
    }
  }
  if (!deepest) return;
  const int moving = deepest->body_b != model::world ? deepest->body_b : deepest->body_a;
  const model::Body& body = model.bodies[static_cast<std::size_t>(moving)];
  throw base::InputError(
      body.place, fmt::format("body.{}", body.name),
      fmt::format("overlap of {} and {} by {:.3g} m", owner(model, deepest->shape_a), owner(model, deepest->shape_b),
                  -deepest->at.gap),
      "shapes that do not overlap at the start (or allow_penetration = true in [scene])");
}

}  // namespace vinculum::collide
