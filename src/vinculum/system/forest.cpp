// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From the joints of a model to one forest. One convention of the model differs from the tree's and is translated here:
// a free joint has the velocity of its origin in the parent's axes there and in its own axes in the tree.
#include "vinculum/system/forest.hpp"

#include <algorithm>
#include <numeric>

namespace vinculum::system {

namespace {

joints::Joint make_joint(const model::Joint& joint) {
  const joints::JointType* type = joints::find_joint_type(model::form_of(joint.type).name);
  const auto kind = static_cast<joints::Kind>(type - joints::joint_types().data());
  return {kind, {joint.axis, joint.axis_2, joint.point, joint.pitch}};
}

/// Bodies that hang on the world by one free joint and nothing else: they need no tree, and the part of the free bodies
/// keeps their momentum exactly. Something that acts along the joint, or another joint on the body, makes it a link.
std::vector<int> free_bodies(const model::Model& model, const std::vector<std::vector<int>>& joints) {
  std::vector<char> plain(model.bodies.size(), 0);
  for (std::size_t b = 0; b < joints.size(); ++b) {
    if (joints[b].size() != 1) continue;
    const model::Joint& joint = model.joints[static_cast<std::size_t>(joints[b].front())];
    const bool acts = std::any_of(joint.axes.begin(), joint.axes.end(), [](const model::JointAxis& axis) {
      return axis.friction != 0 || axis.damping != 0 || axis.armature != 0 || axis.stiffness != 0;
    });
    plain[b] = joint.type == model::JointType::free && joint.parent < 0 && !acts;
  }
  auto used = [&](int joint) {
    if (joint >= 0) plain[static_cast<std::size_t>(model.joints[static_cast<std::size_t>(joint)].child)] = 0;
  };
  for (const model::Joint& joint : model.joints) {
    if (joint.parent >= 0) plain[static_cast<std::size_t>(joint.parent)] = 0;
  }
  for (const model::Actuator& actuator : model.actuators) used(actuator.joint);
  for (const model::Coupling& coupling : model.couplings) {
    used(coupling.a.joint);
    if (coupling.b) used(coupling.b->joint);
  }
  for (const model::Tendon& tendon : model.tendons) {
    for (const model::Tendon::Term& term : tendon.terms) used(term.joint);
  }
  std::vector<int> bodies;
  for (std::size_t b = 0; b < plain.size(); ++b) {
    if (plain[b]) bodies.push_back(static_cast<int>(b));
  }
  return bodies;
}

/// What a joint leaves free when it closes a loop. Types that are not here leave everything free.
struct CutForm {
  model::JointType type;
  Closure::Sliding sliding;
  Closure::Turning turning;
};
constexpr CutForm cut_forms[] = {
    {model::JointType::fixed, Closure::Sliding::none, Closure::Turning::none},
    {model::JointType::revolute, Closure::Sliding::none, Closure::Turning::axis},
    {model::JointType::continuous, Closure::Sliding::none, Closure::Turning::axis},
    {model::JointType::universal, Closure::Sliding::none, Closure::Turning::two_axes},
    {model::JointType::spherical, Closure::Sliding::none, Closure::Turning::free},
    {model::JointType::prismatic, Closure::Sliding::line, Closure::Turning::none},
    {model::JointType::cylindrical, Closure::Sliding::line, Closure::Turning::axis},
    {model::JointType::screw, Closure::Sliding::thread, Closure::Turning::axis},
    {model::JointType::planar, Closure::Sliding::plane, Closure::Turning::axis},
};

/// A cut joint as a closure of its two bodies at the joint's point, with X_AB their placement at zero coordinates.
Closure cut_joint(const model::Model& model, const model::Joint& loop) {
  for (const CutForm& form : cut_forms) {
    if (form.type != loop.type) continue;
    return {loop.parent,
            loop.child,
            from_com(model, loop.parent, loop.X_PC * loop.point),
            from_com(model, loop.child, loop.point),
            form.sliding,
            form.turning,
            loop.X_PC.R,
            loop.axis,
            loop.axis_2,
            loop.pitch};
  }
  throw base::InputError(loop.place, loop.path + ".type", '"' + std::string(model::form_of(loop.type).name) + '"',
                         "a cut joint that leaves less than six freedoms");
}

/// Jointed bodies that are no free bodies, parents before children.
std::vector<int> links_in_order(const model::Model& model, const std::vector<std::vector<int>>& joints) {
  std::vector<int> order;
  std::vector<char> done(model.bodies.size(), 0);
  for (const int b : free_bodies(model, joints)) done[static_cast<std::size_t>(b)] = 1;
  auto visit = [&](auto&& self, int body) -> void {
    if (body < 0 || done[static_cast<std::size_t>(body)] || joints[static_cast<std::size_t>(body)].empty()) return;
    done[static_cast<std::size_t>(body)] = 1;
    self(self, model.joints[static_cast<std::size_t>(joints[static_cast<std::size_t>(body)].front())].parent);
    order.push_back(body);
  };
  for (int b = 0; b < std::ssize(model.bodies); ++b) visit(visit, b);
  return order;
}

}  // namespace

Vec3 from_com(const model::Model& model, int body, const Vec3& point) {
  return body == model::world ? point : Vec3(point - model.bodies[static_cast<std::size_t>(body)].com);
}

double value(const Row& row, const Eigen::VectorXd& q) {
  double sum = 0;
  for (const Term& term : row) sum += term.coefficient * q[term.q];
  return sum;
}

double rate(const Row& row, const Eigen::VectorXd& v) {
  double sum = 0;
  for (const Term& term : row) sum += term.coefficient * v[term.v];
  return sum;
}

Forest::Forest(const model::Model& model, std::shared_ptr<const parts::Lagrangian> lagrangian)
    : part(std::move(lagrangian)) {
  for (int b = 0; b < std::ssize(model.bodies); ++b) {
    const model::Body& body = model.bodies[static_cast<std::size_t>(b)];
    frame_of_body.push_back(body.carried() ? static_cast<int>(body_of_frame.size()) : -1);
    if (!body.carried()) continue;
    body_of_frame.push_back(b);
    frame_axis.push_back(body.frame_axis);
  }
  add_links(model);
  cut_into_nodes();
  add_coordinates(model);
  add_forces(model);
  add_laws(model);
}

void Forest::add_links(const model::Model& model) {
  const std::vector<std::vector<int>> joints = model::joints_of_bodies(model);
  body_of_link = links_in_order(model, joints);
  link_of_body.assign(model.bodies.size(), -1);
  iq_.assign(model.joints.size(), -1);
  iv_.assign(model.joints.size(), -1);
  std::vector<parts::TreeLink> links;
  int iq = 0, iv = 0;
  for (int link = 0; link < std::ssize(body_of_link); ++link) {
    const auto b = static_cast<std::size_t>(body_of_link[static_cast<std::size_t>(link)]);
    const model::Body& body = model.bodies[b];
    link_of_body[b] = link;
    com.push_back(body.com);
    parts::TreeLink made;
    const model::Joint& first = model.joints[static_cast<std::size_t>(joints[b].front())];
    made.parent = first.parent < 0 ? -1 : link_of_body[static_cast<std::size_t>(first.parent)];
    made.X_PC = first.X_PC;
    if (first.parent >= 0 && made.parent < 0) {
      throw base::InputError(
          first.place, first.path + ".parent",
          '"' + model.bodies[static_cast<std::size_t>(first.parent)].name + "\", a body without a joint",
          "the world or a body with a joint (a free one makes a floating base)");
    }
    made.inertia = {body.mass, body.com, body.inertia};
    for (const int j : joints[b]) {
      const model::Joint& joint = model.joints[static_cast<std::size_t>(j)];
      made.joints.push_back(make_joint(joint));
      iq_[static_cast<std::size_t>(j)] = iq;
      iv_[static_cast<std::size_t>(j)] = iv;
      const int nv = made.joints.back().nv();
      for (int k = 0; k < nv; ++k) {
        made.armature.push_back(joint.axes[static_cast<std::size_t>(k)].armature);
      }
      iq += made.joints.back().nq();
      iv += nv;
    }
    links.push_back(std::move(made));
  }
  tree = parts::Tree(links);
  for (std::size_t b = 0; b < link_of_body.size(); ++b) {
    node_of_body.push_back(link_of_body[b] < 0 && frame_of_body[b] < 0 ? free_bodies++ : -1);
  }
}

/// Trees one after the other, in the order of their first coordinates.
void Forest::cut_into_nodes() {
  std::vector<int> root(body_of_link.size());
  for (std::size_t link = 0; link < root.size(); ++link) {
    root[link] =
        tree.parent_link[link] < 0 ? static_cast<int>(link) : root[static_cast<std::size_t>(tree.parent_link[link])];
  }
  slot.assign(static_cast<std::size_t>(tree.nv()), 0);
  tree_nodes.resize(root.size());
  for (std::size_t r = 0; r < root.size(); ++r) {
    if (root[r] != static_cast<int>(r)) continue;
    int place = 0;
    for (std::size_t link = r; link < root.size(); ++link) {
      if (root[link] != static_cast<int>(r)) continue;
      for (int v = tree.link_iv[link]; v < tree.link_iv[link + 1]; ++v)
        slot[static_cast<std::size_t>(v)] = 6 * nodes + place++;
    }
    std::vector<int> own((static_cast<std::size_t>(place) + 5) / 6);
    std::iota(own.begin(), own.end(), nodes);
    nodes += static_cast<int>(own.size());
    for (std::size_t link = r; link < root.size(); ++link) {
      if (root[link] == static_cast<int>(r)) tree_nodes[link] = own;
    }
  }
  for (int i = 0; i < part_size(); ++i) slot.push_back(6 * nodes + i);
  nodes += (part_size() + 5) / 6;
}

void Forest::integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  out.resize(q.size());
  tree.integrate(q.data(), v.data(), out.data());
  if (part) out.tail(part_size()) = q.tail(part_size()) + v.tail(part_size());
}

void Forest::add_coordinates(const model::Model& model) {
  const auto nv = static_cast<std::size_t>(tree.nv());
  q_of_v.assign(nv, -1);
  q_names.resize(static_cast<std::size_t>(tree.nq()));
  v_names.resize(nv);
  for (auto* list : {&damping, &stiffness, &rest, &kp, &kd, &target}) list->assign(nv, 0.0);
  effort.assign(static_cast<std::size_t>(this->nv()), model::unbounded);
  q_start = tree.neutral();
  v_start = Eigen::VectorXd::Zero(tree.nv());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    if (iv_[j] < 0) continue;  // of a free body
    const int n = static_cast<int>(joint.v.size());
    const bool simple = joint.q.size() == joint.v.size();
    auto name = [&](std::size_t k, std::size_t count) {
      return count == 1 ? joint.name : joint.name + '[' + std::to_string(k) + ']';
    };
    for (std::size_t k = 0; k < joint.q.size(); ++k)
      q_names[static_cast<std::size_t>(iq_[j]) + k] = name(k, joint.q.size());
    for (std::size_t k = 0; k < joint.v.size(); ++k)
      v_names[static_cast<std::size_t>(iv_[j]) + k] = name(k, joint.v.size());
    for (int k = 0; k < n; ++k) {
      const auto v = static_cast<std::size_t>(iv_[j] + k);
      const model::JointAxis& axis = joint.axes[static_cast<std::size_t>(k)];
      if (simple) q_of_v[v] = iq_[j] + k;
      damping[v] = axis.damping;
      stiffness[v] = axis.stiffness;
      rest[v] = axis.rest;
      effort[v] = axis.effort;
      v_start[static_cast<Eigen::Index>(v)] = joint.v[static_cast<std::size_t>(k)];
    }
    for (int k = 0; k < std::ssize(joint.q); ++k) {
      q_start[iq_[j] + k] = joint.q[static_cast<std::size_t>(k)];
    }
    if (joint.type == model::JointType::free) {
      const algebra::Quat R(joint.q[3], joint.q[4], joint.q[5], joint.q[6]);
      v_start.segment<3>(iv_[j]) = R.conjugate() * Vec3(joint.v[0], joint.v[1], joint.v[2]);
    }
  }
}

Row Forest::row_of(const model::Model& model, const model::Quantity& quantity) const {
  Row row;
  auto add = [&](int joint, int coordinate, double coefficient) {
    const auto j = static_cast<std::size_t>(joint);
    row.push_back({iq_[j] + coordinate, iv_[j] + coordinate, coefficient});
  };
  if (quantity.joint >= 0) {
    add(quantity.joint, quantity.coordinate, 1);
  } else {
    for (const model::Tendon::Term& term : model.tendons[static_cast<std::size_t>(quantity.tendon)].terms) {
      add(term.joint, term.coordinate, term.coefficient);
    }
  }
  return row;
}

void Forest::add_forces(const model::Model& model) {
  for (const model::Actuator& actuator : model.actuators) {
    Actuator made;
    if (actuator.joint >= 0) {
      for (int k = 0; k < std::ssize(actuator.gear); ++k) {
        Row row = row_of(model, {actuator.joint, k, -1});
        row.front().coefficient = actuator.gear[static_cast<std::size_t>(k)];
        if (row.front().coefficient != 0) made.row.push_back(row.front());
      }
    } else {
      made.row = row_of(model, {-1, 0, actuator.tendon});
      for (Term& term : made.row) term.coefficient *= actuator.gear.front();
    }
    made.gain = actuator.gain;
    made.bias = actuator.bias;
    made.ctrl_lower = actuator.ctrl_lower;
    made.ctrl_upper = actuator.ctrl_upper;
    made.force_lower = actuator.force_lower;
    made.force_upper = actuator.force_upper;
    made.ctrl = actuator.ctrl;
    actuators.push_back(std::move(made));
    actuator_names.push_back(actuator.name);
  }
  for (int k = 0; k < std::ssize(model.tendons); ++k) {
    const model::Tendon& tendon = model.tendons[static_cast<std::size_t>(k)];
    if (tendon.stiffness == 0 && tendon.damping == 0) continue;
    tendons.push_back(
        {row_of(model, {-1, 0, k}), tendon.stiffness, tendon.damping, tendon.rest_lower, tendon.rest_upper});
  }
  if (!model.control) return;
  control = *model.control;
  if (control.key < 0) return;
  const model::Keyframe& key = model.keyframes[static_cast<std::size_t>(control.key)];
  for (std::size_t a = 0; a < actuators.size() && a < key.ctrl.size(); ++a) actuators[a].ctrl = key.ctrl[a];
  int at = 0;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    using Type = model::JointType;
    const bool driven = joint.type == Type::revolute || joint.type == Type::continuous ||
                        joint.type == Type::prismatic || joint.type == Type::screw;
    if (driven) {
      const auto v = static_cast<std::size_t>(iv_[j]);
      kp[v] = control.kp;
      kd[v] = control.kd;
      target[v] = key.q[static_cast<std::size_t>(at)];
    }
    at += static_cast<int>(joint.q.size());
  }
}

void Forest::add_laws(const model::Model& model) {
  for (int j = 0; j < std::ssize(model.joints); ++j) {
    const model::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (iv_[static_cast<std::size_t>(j)] < 0) continue;
    for (int k = 0; k < std::ssize(joint.axes); ++k) {
      const model::JointAxis& axis = joint.axes[static_cast<std::size_t>(k)];
      const Row row = row_of(model, {j, k, -1});
      const bool has_value = joint.q.size() == joint.v.size();
      if (has_value && (axis.lower > -model::unbounded || axis.upper < model::unbounded)) {
        limits.push_back({row, axis.lower, axis.upper, axis.e_N});
      }
      if (joint.type == model::JointType::spherical && axis.upper < model::unbounded) {
        ball_limits.push_back({row.front().q, row.front().v, axis.upper, axis.e_N});
      }
      if (axis.friction > 0) frictions.push_back({row, axis.friction});
    }
  }
  for (int k = 0; k < std::ssize(model.tendons); ++k) {
    const model::Tendon& tendon = model.tendons[static_cast<std::size_t>(k)];
    const Row row = row_of(model, {-1, 0, k});
    if (tendon.lower > -model::unbounded || tendon.upper < model::unbounded) {
      limits.push_back({row, tendon.lower, tendon.upper, 0});
    }
    if (tendon.friction > 0) frictions.push_back({row, tendon.friction});
  }
  for (const model::Coupling& coupling : model.couplings) {
    couplings.push_back(
        {row_of(model, coupling.a), coupling.b ? row_of(model, *coupling.b) : Row{}, coupling.coefficients});
  }
  add_closures(model);
  for (const model::Spring& spring : model.springs) {
    springs.push_back({spring.a, spring.b, from_com(model, spring.a, spring.point_a),
                       from_com(model, spring.b, spring.point_b), spring.stiffness, spring.damping, spring.rest});
  }
}

/// The reader lets only joints have them whose last coordinate is an angle about the axis and whose first, of
/// prismatic and cylindrical ones, is a displacement along it.
void Forest::add_cut_laws(const model::Joint& loop, int closure) {
  for (std::size_t k = 0; k < loop.axes.size(); ++k) {
    const model::JointAxis& axis = loop.axes[k];
    const bool turns = loop.type != model::JointType::prismatic && k + 1 == loop.axes.size();
    if (axis.lower > -model::unbounded || axis.upper < model::unbounded) {
      cut_limits.push_back({closure, turns, axis.lower, axis.upper, axis.e_N});
    }
    if (axis.friction > 0) cut_frictions.push_back({closure, turns, axis.friction});
  }
}

/// Connects and welds are cut joints, too: spherical and fixed ones.
void Forest::add_closures(const model::Model& model) {
  for (const model::Connect& connect : model.connects) {
    Closure closure;
    closure.a = connect.a, closure.b = connect.b;
    closure.point_a = from_com(model, connect.a, connect.point_a);
    closure.point_b = from_com(model, connect.b, connect.point_b);
    closures.push_back(closure);
  }
  for (const model::Joint& loop : model.loops) {
    add_cut_laws(loop, static_cast<int>(closures.size()));
    closures.push_back(cut_joint(model, loop));
  }
  for (const model::Weld& weld : model.welds) {
    Closure closure;
    closure.a = weld.a, closure.b = weld.b;
    closure.point_a = from_com(model, weld.a, weld.X_AB.p);
    closure.point_b = from_com(model, weld.b, Vec3::Zero());
    closure.turning = Closure::Turning::none;
    closure.R_AB = weld.X_AB.R;
    closures.push_back(closure);
  }
}

}  // namespace vinculum::system
