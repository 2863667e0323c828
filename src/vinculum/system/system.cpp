// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/system/system.hpp"

#include <algorithm>

namespace vinculum::system {

namespace {

std::uint64_t pair_key(int a, int b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
}

/// The median body size: what "small" means for a length in this scene.
double median_size(std::vector<double> size) {
  std::erase_if(size, [](double s) { return s <= 0; });
  if (size.empty()) return 1;
  auto middle = size.begin() + static_cast<std::ptrdiff_t>(size.size() / 2);
  std::nth_element(size.begin(), middle, size.end());
  return *middle;
}

}  // namespace

System::System(const model::Model& model)
    : gravity(model.gravity), bodies(parts::make_bodies(model)), material_count(model.materials.size()) {
  for (const model::Shape& shape : model.shapes) {
    Pose X_BS = shape.X_BS;
    X_BS.p = from_com(model, shape.body, X_BS.p);
    shapes.push_back({shape.geometry, shape.body, X_BS, shape.material, shape.contype, shape.conaffinity});
    if (shape.contype != 1 || shape.conaffinity != 1) masked = true;
  }
  for (const model::Rod& rod : model.rods) {
    rods.push_back(
        {rod.a, rod.b, from_com(model, rod.a, rod.point_a), from_com(model, rod.b, rod.point_b), rod.length});
  }
  for (const model::Force& force : model.forces) {
    forces.push_back({force.body, force.force, force.torque, from_com(model, force.body, force.point), force.body_axes,
                      force.from, force.to});
  }
  for (std::size_t a = 0; a < material_count; ++a) {
    for (std::size_t b = 0; b < material_count; ++b) {
      pairs.push_back(model.pair(static_cast<int>(a), static_cast<int>(b)));
    }
  }
  for (const auto& [a, b] : model.no_contact) no_contact.push_back(pair_key(a, b));
  std::sort(no_contact.begin(), no_contact.end());
  set_filter(model);
  length_scale = median_size(bodies.size);
  const auto frames = model::frame_formulas(model);
  if (model.lagrangian) lagrangian = std::make_shared<parts::Lagrangian>(*model.lagrangian, model.laws, frames);
  if (!model.joints.empty() || !model.loops.empty() || !model.connects.empty() || !model.welds.empty() ||
      !model.springs.empty() || !frames.empty())
    forest = std::make_shared<Forest>(model, frames.empty() ? nullptr : lagrangian);
  if (forest && forest->body_of_link.empty() && forest->closures.empty() && forest->springs.empty() && frames.empty())
    forest.reset();
}

void System::set_filter(const model::Model& model) {
  joint_contact = model.joint_contact;
  for (const model::ShapePair& pair : model.shape_pairs)
    shape_pairs.push_back({pair.a, pair.b, {0, 0, pair.mu, pair.e_N, pair.e_T}});
  std::sort(shape_pairs.begin(), shape_pairs.end(),
            [](const ShapePair& p, const ShapePair& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
  masked = masked || !shape_pairs.empty() || !model.joints.empty();
  if (!masked) return;
  const model::ContactFilter filter(model);
  for (int b = 0; b < std::ssize(model.bodies); ++b) {
    group.push_back(filter.group(b));
    group_above.push_back(filter.above(b));
  }
}

const ShapePair* System::find_pair(int shape_a, int shape_b) const {
  const auto at =
      std::lower_bound(shape_pairs.begin(), shape_pairs.end(), std::pair(shape_a, shape_b),
                       [](const ShapePair& p, const std::pair<int, int>& q) { return std::pair(p.a, p.b) < q; });
  return at != shape_pairs.end() && at->a == shape_a && at->b == shape_b ? &*at : nullptr;
}

const model::Pair& System::law_between(int shape_a, int shape_b) const {
  const ShapePair* own = shape_pairs.empty() ? nullptr : find_pair(shape_a, shape_b);
  if (own) return own->law;
  return pair(shapes[static_cast<std::size_t>(shape_a)].material, shapes[static_cast<std::size_t>(shape_b)].material);
}

bool System::may_touch(int shape_a, int shape_b) const {
  const Collider &a = shapes[static_cast<std::size_t>(shape_a)], &b = shapes[static_cast<std::size_t>(shape_b)];
  if (!shape_pairs.empty() && find_pair(std::min(shape_a, shape_b), std::max(shape_a, shape_b))) return true;
  if (a.body == b.body) return false;  // the same body, or world and world
  if (masked) {
    if (((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) == 0) return false;
    const int group_a = group_of(a.body), group_b = group_of(b.body);
    if (group_a == group_b) return false;
    const bool both = group_a >= 0 && group_b >= 0 && !joint_contact;
    if (both && (group_above[static_cast<std::size_t>(group_a)] == group_b ||
                 group_above[static_cast<std::size_t>(group_b)] == group_a)) {
      return false;
    }
  }
  return no_contact.empty() || !std::binary_search(no_contact.begin(), no_contact.end(), pair_key(a.body, b.body));
}

void copy_part(const System& system, State& state) {
  if (!system.forest || !system.forest->part) return;
  state.lagrangian_q = state.q.tree.tail(system.forest->part_size());
  state.lagrangian_u = state.tree_v.tail(system.forest->part_size());
}

State make_initial_state(const model::Model& model, const System& system) {
  State state;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    const Quat R = body.X_WB.R.normalized();
    state.q.x.push_back(body.X_WB * body.com);
    state.q.R.push_back(R);
    state.p.push_back(body.mass * body.v_WB);
    state.l.push_back(R * (system.bodies.inertia[b] * (R.conjugate() * body.w_WB)));
  }
  if (system.forest) {
    state.q.tree = system.forest->q_start;
    state.tree_v = system.forest->v_start;
    for (std::size_t b = 0; b < state.p.size(); ++b) {
      if (!system.linked(static_cast<int>(b))) continue;
      state.p[b].setZero();
      state.l[b].setZero();
    }
  }
  if (model.lagrangian) {
    const auto n = static_cast<Eigen::Index>(model.lagrangian->q.size());
    state.lagrangian_q = Eigen::Map<const Eigen::VectorXd>(model.lagrangian->q.data(), n);
    state.lagrangian_u = Eigen::Map<const Eigen::VectorXd>(model.lagrangian->u.data(), n);
    if (system.forest && system.forest->part) {
      state.q.tree.conservativeResize(system.forest->nq());
      state.tree_v.conservativeResize(system.forest->nv());
      state.q.tree.tail(n) = state.lagrangian_q;
      state.tree_v.tail(n) = state.lagrangian_u;
    }
  }
  return state;
}

}  // namespace vinculum::system
