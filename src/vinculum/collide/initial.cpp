// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/collide/initial.hpp"
#include "vinculum/collide/search.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::collide {

namespace {

/// "block" or, for a fixed shape, "floor".
std::string owner(const model::Model& model, int shape) {
  const model::Shape& s = model.shapes[static_cast<std::size_t>(shape)];
  return s.body == model::world ? s.name : model.bodies[static_cast<std::size_t>(s.body)].name;
}

/// A rod whose length is not the distance of its ends could only be mended by a leap.
void check_rods(const model::Model& model) {
  for (const model::Rod& rod : model.rods) {
    auto end = [&](int body, const Vec3& point) {
      return body == model::world ? point : model.bodies[static_cast<std::size_t>(body)].X_WB * point;
    };
    const double distance = (end(rod.b, rod.point_b) - end(rod.a, rod.point_a)).norm();
    if (std::abs(distance - rod.length) <= overlap_tolerance * rod.length) continue;
    throw base::InputError(rod.place, fmt::format("rod.{}", rod.name), fmt::format("length {:.6g} m", rod.length),
                           fmt::format("the distance of its ends at the start, {:.6g} m (or allow_penetration = true "
                                       "in [scene])",
                                       distance));
  }
}

/// Gaps of a Lagrangian part: closed bonds, no unilateral gap below 0. The first step would mend them by a leap.
void check_gaps(const model::Model& model, const system::System& system, const system::State& state) {
  const parts::Lagrangian& part = *system.lagrangian;
  parts::Point point = part.make_point();
  part.set(state.t, state.lagrangian_q, state.lagrangian_u, point);
  Eigen::VectorXd x;
  part.gaps(point, x);
  const double small = overlap_tolerance * std::max(1.0, state.lagrangian_q.lpNorm<Eigen::Infinity>());
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const parts::RowLaw& law = part.laws()[i];
    if (!law.holds_gap()) continue;
    const bool bond = law.role == parts::Role::bond;
    for (int r = law.first; r < law.first + law.rows; ++r) {
      if (bond ? std::abs(x[r]) <= small : x[r] >= -small) continue;
      const model::Formula& gap = model.laws[i].gap[static_cast<std::size_t>(r - law.first)];
      throw base::InputError(gap.place, gap.path, fmt::format("a gap of {:.6g} at the start", x[r]),
                             fmt::format("a gap {} 0 (or allow_penetration = true in [scene])", bond ? "=" : ">="));
    }
  }
}

}  // namespace

void check_initial_overlap(const model::Model& model, const system::System& system, const system::State& state) {
  if (model.allow_penetration) return;
  check_rods(model);
  if (system.lagrangian && system.lagrangian->rows() > 0) check_gaps(model, system, state);
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
  throw base::InputError(body.place, fmt::format("body.{}", body.name),
                         fmt::format("overlap of {} and {} by {:.3g} m", owner(model, deepest->shape_a),
                                     owner(model, deepest->shape_b), -deepest->at.gap),
                         "shapes that do not overlap at the start (or allow_penetration = true in [scene])");
}

}  // namespace vinculum::collide
