// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/interchange/fuse.hpp"

#include "vinculum/interchange/matter.hpp"

#include <fmt/core.h>
#include <algorithm>

namespace vinculum::interchange {

using model::Body;
using model::Joint;
using model::JointType;
using model::Model;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Fusion {
 public:
  Fusion(Model& model, Notices& notices)
      : model_(model), notices_(notices), above_(model.bodies.size()), dropped_(model.joints.size()) {
    for (std::size_t b = 0; b < above_.size(); ++b) above_[b] = {static_cast<int>(b), {}};
    index_joints();
  }

  Fused run(bool hold) {
    const int bodies = static_cast<int>(model_.bodies.size());
    for (int b = bodies - 1; b >= 0; --b) add_to_holder(b);
    for (int b = bodies - 1; hold && b >= 0; --b) hold_still(b);
    resolve();
    index_joints();
    for (int b = 0; b < bodies; ++b) leave_joints(b);
    return compact();
  }

 private:
  void index_joints() {
    held_by_.assign(model_.bodies.size(), {});
    holds_.assign(model_.bodies.size(), {});
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
      const Joint& joint = model_.joints[at(j)];
      if (dropped_[at(j)]) continue;
      held_by_[at(joint.child)].push_back(j);
      if (joint.parent != model::world) holds_[at(joint.parent)].push_back(j);
    }
  }

  bool is_gone(int body) const { return above_[at(body)].body != body; }

  /// From the leaves, so that what a part holds is part of it already.
  void add_to_holder(int b) {
    const std::vector<int>& joints = held_by_[at(b)];
    if (joints.size() != 1 || model_.joints[at(joints[0])].type != JointType::fixed) return;
    const Joint& joint = model_.joints[at(joints[0])];
    if (joint.parent == model::world) return;
    const Body& part = model_.bodies[at(b)];
    Body& body = model_.bodies[at(joint.parent)];
    const bool whole = objection_to(part.inertia).empty();
    if (part.mass > 0 && whole && body.mass > 0) return;
    const MassPart both[] = {{body.mass, body.com, body.inertia},
                             moved({part.mass, part.com, part.inertia}, joint.X_PC)};
    const MassPart sum = sum_of(both);
    body.mass = sum.mass;
    body.com = sum.com;
    body.inertia = sum.inertia;
    above_[at(b)] = {joint.parent, joint.X_PC};
    dropped_[at(joints[0])] = 1;
    if (part.mass > 0) {
      notices_.add("fixed part",
                   whole ? "brings the mass of the moving body that holds it: part of that body"
                         : "its inertia is that of no body (0, or one moment above the sum of the others): part of the "
                           "body that holds it",
                   part.place);
    }
  }

  /// From the leaves: no mass, and nothing with mass hangs on it.
  void hold_still(int b) {
    const Body& body = model_.bodies[at(b)];
    if (is_gone(b) || body.mass > 0 || held_by_[at(b)].empty()) return;
    for (const int j : holds_[at(b)]) {
      if (!dropped_[at(j)]) return;
    }
    const Joint& first = model_.joints[at(held_by_[at(b)][0])];
    above_[at(b)] = {first.parent, first.X_PC};
    for (const int j : held_by_[at(b)]) dropped_[at(j)] = 1;
    notices_.add("joint", "moves no mass: held at its start", body.place);
  }

  /// What hangs on parts hangs on the bodies they belong to.
  void resolve() {
    for (Fused::Place& place : above_) {  // holders come first
      if (place.body != model::world && place.body != static_cast<int>(&place - above_.data())) {
        const Fused::Place& holder = above_[at(place.body)];
        place = {holder.body, holder.X * place.X};
      }
    }
    std::vector<bool> seen(model_.bodies.size());
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      Joint& joint = model_.joints[j];
      const bool first = !seen[at(joint.child)];
      seen[at(joint.child)] = true;
      if (joint.parent == model::world || dropped_[j]) continue;
      const Fused::Place& parent = above_[at(joint.parent)];
      if (first && joint.parent != parent.body) joint.X_PC = in(parent.X, joint.X_PC);
      joint.parent = parent.body;
    }
    for (model::Shape& shape : model_.shapes) {
      if (shape.body == model::world || !is_gone(shape.body)) continue;
      shape.X_BS = in(above_[at(shape.body)].X, shape.X_BS);
      shape.body = above_[at(shape.body)].body;
    }
  }

  static Pose in(const Pose& X, const Pose& Y) {
    Pose result = X * Y;
    result.R.normalize();
    return result;
  }

  /// Of the joints that turn about or slide along axes.
  static bool has_axes(const Joint& joint) {
    return model::form_of(joint.type).axis;  // the others have coordinates in the child's axes
  }

  void leave_joints(int v) {
    if (is_gone(v) || model_.bodies[at(v)].mass > 0 || holds_[at(v)].empty()) return;
    const int c = model_.joints[at(holds_[at(v)][0])].child;
    for (const int j : holds_[at(v)]) {
      if (model_.joints[at(j)].child != c) return;
    }
    for (const int j : held_by_[at(v)]) {
      if (!has_axes(model_.joints[at(j)])) return;
    }
    const auto touches = [v](const model::Shape& shape) { return shape.body == v; };
    if (std::any_of(model_.shapes.begin(), model_.shapes.end(), touches)) return;
    Joint& first = model_.joints[at(holds_[at(v)][0])];
    const Pose X_VC = first.X_PC;
    for (const int j : holds_[at(v)]) model_.joints[at(j)].parent = model_.joints[at(held_by_[at(v)][0])].parent;
    first.X_PC = {};
    Pose& place = model_.joints[at(held_by_[at(v)][0])].X_PC;
    place = in(place, X_VC);
    for (const int j : held_by_[at(v)]) {
      Joint& joint = model_.joints[at(j)];
      joint.child = c;
      joint.point = X_VC.R.conjugate() * (joint.point - X_VC.p);
      joint.axis = (X_VC.R.conjugate() * joint.axis).normalized();
      joint.axis_2 = (X_VC.R.conjugate() * joint.axis_2).normalized();
    }
    held_by_[at(c)].insert(held_by_[at(c)].begin(), held_by_[at(v)].begin(), held_by_[at(v)].end());
    above_[at(v)] = {c, {}};  // nobody asks where it is
  }

  Fused compact() {
    Fused fused;
    std::vector<int> now(model_.bodies.size(), -1);
    std::vector<Body> bodies;
    for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b) {
      if (is_gone(b)) continue;
      now[at(b)] = static_cast<int>(bodies.size());
      bodies.push_back(std::move(model_.bodies[at(b)]));
    }
    std::vector<Joint> joints;
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      Joint& joint = model_.joints[j];
      fused.joints.push_back(dropped_[j] ? -1 : static_cast<int>(joints.size()));
      if (dropped_[j]) continue;
      joint.child = now[at(joint.child)];
      if (joint.parent != model::world) joint.parent = now[at(joint.parent)];
      joint.path = fmt::format("joint[{}]", joints.size());
      joints.push_back(std::move(joint));
    }
    for (model::Shape& shape : model_.shapes) {
      if (shape.body != model::world) shape.body = now[at(shape.body)];
    }
    for (const Fused::Place& place : above_) {
      int body = place.body;
      while (body != model::world && is_gone(body)) body = above_[at(body)].body;  // that left their joints
      fused.bodies.push_back({body == model::world ? body : now[at(body)], place.X});
    }
    model_.bodies = std::move(bodies);
    model_.joints = std::move(joints);
    return fused;
  }

  Model& model_;
  Notices& notices_;
  std::vector<Fused::Place> above_;                // of a part: in what holds it; of others themselves
  std::vector<char> dropped_;                      // joints
  std::vector<std::vector<int>> held_by_, holds_;  // joints of each body
};

/// Of its shapes, filled alike, about their centre.
Mat3 inertia_of_shapes(const Model& model, int body) {
  std::vector<MassPart> parts;
  for (const model::Shape& shape : model.shapes) {
    if (shape.body != body) continue;
    const shapes::VolumeMoments moments = shapes::type_of(shape.geometry.kind).moments(shape.geometry);
    parts.push_back(moved({moments.volume, moments.centroid, moments.inertia}, shape.X_BS));
  }
  const MassPart sum = sum_of(parts);
  return sum.mass > 0 ? Mat3(model.bodies[at(body)].mass / sum.mass * sum.inertia) : Mat3(Mat3::Zero());
}

/// A link may be a rod or a point, as long as it is not free.
bool may_be_thin(const Model& model, int body) {
  const auto free = [body](const Joint& joint) { return joint.child == body && joint.type == JointType::free; };
  return std::none_of(model.joints.begin(), model.joints.end(), free);
}

constexpr double nothing = 1e-12;  // part of the inertia of its shapes that is none

}  // namespace

Fused fuse_parts(Model& model, bool hold, Notices& notices) { return Fusion(model, notices).run(hold); }

void mend_inertias(Model& model, Notices& notices) {
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    Body& body = model.bodies[at(b)];
    if (!(body.mass > 0) || objection_to(body.inertia).empty()) continue;
    const Mat3 of_shapes = inertia_of_shapes(model, b), before = body.inertia;
    body.inertia = nearest_possible(before);
    const bool point = before.norm() <= nothing * of_shapes.norm();
    const bool free_rod = !objection_to(body.inertia).empty() && !may_be_thin(model, b);
    if (of_shapes.trace() > 0 && (point || free_rod)) {
      body.inertia = of_shapes;
      notices.add("inertia", "that of a point or a rod: of the shapes, filled alike, is taken", body.place);
      continue;
    }
    if ((body.inertia - before).norm() > nothing * before.norm())
      notices.add("inertia", "no body has these moments (one is above the sum of the others): the nearest that one has",
                  body.place);
  }
}

void check_matter(const Model& model, const std::string& thing, const std::string& expected) {
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Body& body = model.bodies[at(b)];
    const auto fail = [&](const std::string& found, const std::string& wanted) {
      throw base::InputError(body.place, fmt::format("{} \"{}\"", thing, body.name), found, wanted);
    };
    if (!(body.mass > 0)) fail(fmt::format("a moving {} without mass", thing), expected);
    const Objection objection = objection_to(body.inertia);
    if (objection.empty() || (is_semidefinite(body.inertia) && may_be_thin(model, b))) continue;
    fail(objection.found, objection.expected);
  }
}

}  // namespace vinculum::interchange
