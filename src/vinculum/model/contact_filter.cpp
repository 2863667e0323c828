// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Who may touch whom. Bodies that fixed joints hold together are one group, and so is the world with what is fixed to
// it. Two shapes are tested if a [[contact]] names them, or else if
//   1. their groups differ,
//   2. (a.contype & b.conaffinity) | (b.contype & a.conaffinity) ≠ 0,
//   3. no [[no_contact]] names their bodies,
//   4. neither group hangs on the other by a joint, unless the scene says joint_contact; hanging on the world does not
//      count.
// These are the rules of MuJoCo (documentation, Computation, Collision detection), where bodies of one group are called
// welded.
#include "vinculum/model/model.hpp"

#include <algorithm>

namespace vinculum::model {

namespace {
constexpr int hangs_on_nothing = -2;
}

ContactFilter::ContactFilter(const Model& model) : model_(&model), groups_(model.bodies.size(), -2) {
  const std::vector<std::vector<int>> joints = joints_of_bodies(model);
  const auto held = [&](int b) {  // by fixed joints only
    const std::vector<int>& own = joints[static_cast<std::size_t>(b)];
    return !own.empty() && std::all_of(own.begin(), own.end(), [&](int j) {
      return model.joints[static_cast<std::size_t>(j)].type == JointType::fixed;
    });
  };
  const auto parent = [&](int b) {
    const std::vector<int>& own = joints[static_cast<std::size_t>(b)];
    return own.empty() ? hangs_on_nothing : model.joints[static_cast<std::size_t>(own.front())].parent;
  };
  const auto root = [&](int b) {
    while (b >= 0 && held(b)) b = parent(b);
    return b;
  };
  parents_.assign(model.bodies.size(), hangs_on_nothing);
  for (int b = 0; b < std::ssize(model.bodies); ++b) groups_[static_cast<std::size_t>(b)] = root(b);
  for (int b = 0; b < std::ssize(model.bodies); ++b) {
    if (groups_[static_cast<std::size_t>(b)] != b) continue;
    const int p = parent(b);
    if (p >= 0) parents_[static_cast<std::size_t>(b)] = root(p);
  }
}

bool ContactFilter::may_touch(int shape_a, int shape_b) const {
  if (shape_a > shape_b) std::swap(shape_a, shape_b);
  for (const ShapePair& pair : model_->shape_pairs) {
    if (pair.a == shape_a && pair.b == shape_b) return true;
  }
  const Shape& a = model_->shapes[static_cast<std::size_t>(shape_a)];
  const Shape& b = model_->shapes[static_cast<std::size_t>(shape_b)];
  const int group_a = group(a.body), group_b = group(b.body);
  if (group_a == group_b) return false;
  if (((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) == 0) return false;
  const std::array<int, 2> bodies{std::min(a.body, b.body), std::max(a.body, b.body)};
  if (std::binary_search(model_->no_contact.begin(), model_->no_contact.end(), bodies)) return false;
  if (model_->joint_contact || group_a < 0 || group_b < 0) return true;
  return parents_[static_cast<std::size_t>(group_a)] != group_b &&
         parents_[static_cast<std::size_t>(group_b)] != group_a;
}

}  // namespace vinculum::model
