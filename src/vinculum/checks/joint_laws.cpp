// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/joint_laws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vinculum::checks {

using model::JointType;
using model::unbounded;
using model::world;
using Kind = JointLaw::Kind;

namespace {

JointRow row_of(const Linkage& linkage, const model::Quantity& quantity) {
  JointRow row;
  auto add = [&](int joint, int coordinate, double coefficient) {
    const Linkage::Place at = linkage.of_joint[static_cast<std::size_t>(joint)];
    row.terms.push_back({at.q + coordinate, at.v + coordinate, coefficient});
  };
  if (quantity.joint >= 0) add(quantity.joint, quantity.coordinate, 1);
  if (quantity.joint < 0) {
    for (const auto& term : linkage.model.tendons[static_cast<std::size_t>(quantity.tendon)].terms) {
      add(term.joint, term.coordinate, term.coefficient);
    }
  }
  return row;
}

Vec3 point_of(const Linkage& linkage, const Placement& at, int body, const Vec3& point) {
  if (body == world) return point;
  const auto b = static_cast<std::size_t>(body);
  return at.x[b] + at.R[b] * (point - linkage.model.bodies[b].com);
}

Mat3 axes_of(const Placement& at, int body) {
  return body == world ? Mat3::Identity() : at.R[static_cast<std::size_t>(body)];
}

/// Velocity of the point x of a body.
Vec3 velocity_of(const Placement& at, const Speeds& speeds, int body, const Vec3& x) {
  if (body == world) return Vec3::Zero();
  const auto b = static_cast<std::size_t>(body);
  return speeds.v[b] + speeds.w[b].cross(x - at.x[b]);
}

void add_limits(const JointRow& row, double lower, double upper, double e_N, const std::string& name, int& count,
                std::vector<JointLaw>& out) {
  if (lower == -unbounded && upper == unbounded) return;
  for (const auto& [kind, bound] : {std::pair(Kind::lower, lower), std::pair(Kind::upper, upper)}) {
    JointLaw law;
    law.kind = kind, law.index = count, law.row = row, law.bound = bound, law.e_N = e_N;
    law.name = name + (kind == Kind::lower ? " (lower limit)" : " (upper limit)");
    if (std::isfinite(bound)) out.push_back(law);
  }
  ++count;
}

void add_friction(const JointRow& row, double friction, const std::string& name, int& count,
                  std::vector<JointLaw>& out) {
  if (friction == 0) return;
  JointLaw law;
  law.kind = Kind::friction, law.index = count++, law.row = row, law.bound = friction;
  law.name = name + " (friction)";
  out.push_back(law);
}

/// The laws of points and turning of a cut joint; those without rows are none.
void add_closure(int index, const model::Joint& cut, const std::string& name, std::vector<JointLaw>& out) {
  const auto one_of = [&](std::initializer_list<JointType> types) {
    return std::find(types.begin(), types.end(), cut.type) != types.end();
  };
  JointLaw law;
  law.kind = Kind::points, law.index = index, law.name = law.owner = name, law.type = cut.type;
  law.rows = one_of({JointType::prismatic, JointType::cylindrical}) ? 2 : one_of({JointType::planar}) ? 1 : 3;
  law.a = cut.parent, law.b = cut.child, law.point_a = cut.X_PC * cut.point, law.point_b = cut.point;
  law.R_AB = cut.X_PC.R.normalized().toRotationMatrix();
  law.axis = cut.axis, law.axis_2 = cut.axis_2, law.pitch = cut.pitch;
  out.push_back(law);
  if (cut.type == JointType::spherical) return;
  law.kind = Kind::turning, law.name += " (turning)";
  law.rows = one_of({JointType::fixed, JointType::prismatic}) ? 3 : one_of({JointType::universal}) ? 1 : 2;
  out.push_back(law);
}

void add_closures(const model::Model& model, std::vector<JointLaw>& out) {
  int index = 0;
  model::Joint cut;
  for (const model::Connect& c : model.connects) {
    cut.type = JointType::spherical, cut.parent = c.a, cut.child = c.b, cut.point = c.point_b;
    cut.X_PC.p = c.point_a - c.point_b;  // so that the joint's point is at point_a of a
    add_closure(index++, cut, "connect " + c.name, out);
  }
  for (const model::Joint& loop : model.loops) add_closure(index++, loop, "loop " + loop.name, out);
  cut.type = JointType::fixed, cut.point = Vec3::Zero();
  for (const model::Weld& weld : model.welds) {
    cut.parent = weld.a, cut.child = weld.b, cut.X_PC = weld.X_AB;
    add_closure(index++, cut, "weld " + weld.name, out);
  }
}

/// Limits and friction of cut joints: of the displacement of prismatic and cylindrical ones, of the angle of the others
/// but the prismatic.
void add_cut_laws(const model::Model& model, std::vector<JointLaw>& out) {
  int limits = 0, frictions = 0;
  std::vector<JointLaw> rubbing;
  for (const model::Joint& loop : model.loops) {
    for (std::size_t k = 0; k < loop.axes.size(); ++k) {
      const model::JointAxis& axis = loop.axes[k];
      JointLaw law;
      law.turns = loop.type != JointType::prismatic && k + 1 == loop.axes.size();
      law.a = loop.parent, law.b = loop.child, law.point_a = loop.X_PC * loop.point, law.point_b = loop.point;
      law.R_AB = loop.X_PC.R.normalized().toRotationMatrix(), law.axis = loop.axis, law.e_N = axis.e_N;
      const bool limited = axis.lower > -unbounded || axis.upper < unbounded;
      for (const auto& [kind, bound] : {std::pair(Kind::cut_lower, axis.lower), {Kind::cut_upper, axis.upper}}) {
        law.kind = kind, law.index = limits, law.bound = bound;
        law.name = "loop " + loop.name + (kind == Kind::cut_lower ? " (lower limit)" : " (upper limit)");
        if (std::isfinite(bound)) out.push_back(law);
      }
      limits += limited;
      law.kind = Kind::cut_friction, law.index = frictions, law.bound = axis.friction;
      law.name = "loop " + loop.name + " (friction)";
      if (axis.friction > 0) rubbing.push_back(law), ++frictions;
    }
  }
  out.insert(out.end(), rubbing.begin(), rubbing.end());
}

void add_springs(const model::Model& model, std::vector<JointLaw>& out) {
  for (int k = 0; k < std::ssize(model.springs); ++k) {
    const model::Spring& spring = model.springs[static_cast<std::size_t>(k)];
    JointLaw law;
    law.kind = Kind::spring, law.index = k, law.name = "spring " + spring.name;
    law.a = spring.a, law.b = spring.b, law.point_a = spring.point_a, law.point_b = spring.point_b;
    law.stiffness = spring.stiffness, law.damping = spring.damping, law.rest = spring.rest;
    out.push_back(law);
  }
}

void add_angle(const Linkage& linkage, int j, int& count, std::vector<JointLaw>& out) {
  const model::Joint& joint = linkage.model.joints[static_cast<std::size_t>(j)];
  if (joint.type != JointType::spherical || joint.axes[0].upper == unbounded) return;
  JointLaw law;
  law.kind = Kind::angle, law.index = count++, law.name = joint.name + " (angle)";
  law.row = row_of(linkage, {j, 0, -1});
  law.bound = joint.axes[0].upper, law.e_N = joint.axes[0].e_N;
  out.push_back(law);
}

void look_at_points(const JointLaw& law, const Vec3& x_a, const Vec3& x_b, const Mat3& R_a, const Mat3& R_b,
                    JointLawState& state) {
  const Vec3 d = x_b - x_a, n = algebra::orthogonal_to(law.axis), u = R_a * law.axis;
  state.point = x_b;
  switch (law.type) {
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::screw:
      state.F.col(0) = R_a * n;
      state.F.col(1) = R_a * law.axis.cross(n);
      if (law.type == JointType::screw) state.F.col(2) = u, state.N.col(2) = -law.pitch * u;
      break;
    case JointType::planar:
      state.F.col(0) = u;
      break;
    default:
      state.F = Mat3::Identity();
      state.point = 0.5 * (x_a + x_b);
  }
  state.gap = state.F.transpose() * d;
  if (law.type != JointType::screw) return;
  const double turn = turn_of(R_a.transpose() * R_b).dot(law.axis), lead = 2 * std::acos(-1.0) * law.pitch;
  state.gap.z() -= law.pitch * turn;
  if (lead != 0) state.gap.z() -= lead * std::round(state.gap.z() / lead);
}

void look_at_turning(const JointLaw& law, const Mat3& R_a, const Mat3& R_b, JointLawState& state) {
  const Vec3 u = R_a * law.axis;
  if (law.rows == 2) {
    const Vec3 n = algebra::orthogonal_to(law.axis);
    state.N << R_a * n, R_a * law.axis.cross(n), Vec3::Zero();
    state.gap = state.N.transpose() * u.cross(R_b * law.axis);
  } else if (law.rows == 1) {
    const Vec3 w = R_b * law.axis_2;
    state.N.col(0) = w.cross(u);
    state.gap.x() = u.dot(w) - law.axis.dot(law.axis_2);
  } else {
    state.N = R_a;
    const Vec3 turn = turn_of(R_a.transpose() * R_b);
    const double angle = turn.norm();
    state.gap = angle > 0 ? Vec3(2 * std::sin(0.5 * angle) / angle * turn) : Vec3(Vec3::Zero());
  }
}

}  // namespace

double JointRow::value(const VectorXd& q) const {
  double x = 0;
  for (const Term& term : terms) x += term.coefficient * q[term.q];
  return x;
}

double JointRow::rate(const VectorXd& v) const {
  double x = 0;
  for (const Term& term : terms) x += term.coefficient * v[term.v];
  return x;
}

std::vector<JointLaw> make_joint_laws(const Linkage& linkage) {
  const model::Model& model = linkage.model;
  std::vector<JointLaw> laws, frictions;
  int limit = 0, friction = 0, angle = 0;
  for (int j = 0; j < std::ssize(model.joints); ++j) {
    const model::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (linkage.of_joint[static_cast<std::size_t>(j)].v < 0) continue;
    add_angle(linkage, j, angle, laws);
    for (int k = 0; k < std::ssize(joint.axes); ++k) {
      const model::JointAxis& axis = joint.axes[static_cast<std::size_t>(k)];
      const JointRow row = row_of(linkage, {j, k, -1});
      if (joint.q.size() == joint.v.size()) add_limits(row, axis.lower, axis.upper, axis.e_N, joint.name, limit, laws);
      add_friction(row, axis.friction, joint.name, friction, frictions);
    }
  }
  for (int k = 0; k < std::ssize(model.tendons); ++k) {
    const model::Tendon& tendon = model.tendons[static_cast<std::size_t>(k)];
    const JointRow row = row_of(linkage, {-1, 0, k});
    add_limits(row, tendon.lower, tendon.upper, 0, tendon.name, limit, laws);
    add_friction(row, tendon.friction, tendon.name, friction, frictions);
  }
  laws.insert(laws.end(), frictions.begin(), frictions.end());
  add_springs(model, laws);
  add_cut_laws(model, laws);
  for (int k = 0; k < std::ssize(model.couplings); ++k) {
    const model::Coupling& coupling = model.couplings[static_cast<std::size_t>(k)];
    JointLaw law;
    law.kind = Kind::coupling, law.index = k, law.name = law.owner = "coupling " + coupling.name;
    law.row = row_of(linkage, coupling.a);
    if (coupling.b) law.row_b = row_of(linkage, *coupling.b);
    law.coefficients = coupling.coefficients;
    laws.push_back(law);
  }
  add_closures(model, laws);
  return laws;
}

JointLawState look_at(const Linkage& linkage, const JointLaw& law, const VectorXd& q, const Placement& at) {
  JointLawState state;
  switch (law.kind) {
    case Kind::lower:
      state.gap.x() = law.row.value(q) - law.bound;
      break;
    case Kind::upper:
      state.gap.x() = law.bound - law.row.value(q);
      break;
    case Kind::friction:
      break;
    case Kind::coupling: {
      const double x = law.row_b.value(q);
      double power = 1, P = 0, previous = 0;
      for (std::size_t k = 0; k < law.coefficients.size(); ++k) {
        P += law.coefficients[k] * power;
        state.slope += static_cast<double>(k) * law.coefficients[k] * previous;
        previous = power;
        power *= x;
      }
      state.gap.x() = law.row.value(q) - P;
      break;
    }
    case Kind::angle: {
      const auto* x = &q[law.row.terms.front().q];
      const Vec3 turn = turn_of(algebra::Quat(x[0], x[1], x[2], x[3]).normalized().toRotationMatrix());
      state.gap.x() = law.bound - turn.norm();
      state.axis = turn.norm() > 0 ? Vec3(turn.normalized()) : Vec3(Vec3::UnitX());
      break;
    }
    case Kind::spring: {
      const Vec3 x_a = point_of(linkage, at, law.a, law.point_a), x_b = point_of(linkage, at, law.b, law.point_b);
      state.gap.x() = (x_b - x_a).norm() - law.rest;
      state.point = x_a;
      state.F.col(0) = x_a == x_b ? Vec3(Vec3::UnitX()) : Vec3((x_b - x_a).normalized());
      break;
    }
    case Kind::points:
      look_at_points(law, point_of(linkage, at, law.a, law.point_a), point_of(linkage, at, law.b, law.point_b),
                     axes_of(at, law.a) * law.R_AB, axes_of(at, law.b), state);
      break;
    case Kind::cut_lower:
    case Kind::cut_upper:
    case Kind::cut_friction: {
      const Mat3 R_a = axes_of(at, law.a) * law.R_AB;
      const Vec3 u = R_a * law.axis;
      const double sign = law.kind == Kind::cut_upper ? -1 : 1;
      state.point = point_of(linkage, at, law.b, law.point_b);
      (law.turns ? state.N : state.F).col(0) = sign * u;
      if (law.kind == Kind::cut_friction) break;
      const double x = law.turns ? turn_of(R_a.transpose() * axes_of(at, law.b)).dot(law.axis)
                                 : u.dot(state.point - point_of(linkage, at, law.a, law.point_a));
      state.gap.x() = sign * (x - law.bound);
      break;
    }
    case Kind::turning:
      look_at_turning(law, axes_of(at, law.a) * law.R_AB, axes_of(at, law.b), state);
      break;
  }
  return state;
}

Vec3 rate(const JointLaw& law, const JointLawState& state, const VectorXd& v, const Placement& at,
          const Speeds& speeds) {
  switch (law.kind) {
    case Kind::lower:
    case Kind::friction:
      return {law.row.rate(v), 0, 0};
    case Kind::upper:
      return {-law.row.rate(v), 0, 0};
    case Kind::coupling:
      return {law.row.rate(v) - state.slope * law.row_b.rate(v), 0, 0};
    case Kind::angle:
      return {-state.axis.dot(v.segment<3>(law.row.terms.front().v)), 0, 0};
    case Kind::points:
    case Kind::turning:
    case Kind::spring:
    case Kind::cut_lower:
    case Kind::cut_upper:
    case Kind::cut_friction:
      break;
  }
  Vec3 w = Vec3::Zero();
  if (law.b != world) w += speeds.w[static_cast<std::size_t>(law.b)];
  if (law.a != world) w -= speeds.w[static_cast<std::size_t>(law.a)];
  return state.F.transpose() *
             (velocity_of(at, speeds, law.b, state.point) - velocity_of(at, speeds, law.a, state.point)) +
         state.N.transpose() * w;
}

void Pushes::clear(const Linkage& linkage) {
  if (tau.size() != linkage.nv() || p.size() != linkage.linked.size()) {
    tau = VectorXd::Zero(linkage.nv());
    p.assign(linkage.linked.size(), Vec3::Zero());
    l = p;
    tree_pushed_.assign(linkage.trees.size(), 0);
    body_pushed_.assign(p.size(), 0);
  }
  for (const int t : trees) {
    for (const int i : linkage.trees[static_cast<std::size_t>(t)]) tau[i] = 0;
    tree_pushed_[static_cast<std::size_t>(t)] = 0;
  }
  for (const int body : bodies) {
    const auto b = static_cast<std::size_t>(body);
    p[b] = l[b] = Vec3::Zero();
    body_pushed_[b] = 0;
  }
  trees.clear();
  bodies.clear();
}

void Pushes::touch_tree(int tree) {
  if (std::exchange(tree_pushed_[static_cast<std::size_t>(tree)], 1) == 0) trees.push_back(tree);
}

void Pushes::touch_body(int body) {
  if (std::exchange(body_pushed_[static_cast<std::size_t>(body)], 1) == 0) bodies.push_back(body);
}

void Pushes::add(const Linkage& linkage, const Posture& posture, const Placement& at, int body, const Vec3& x,
                 const Vec3& F, const Vec3& m) {
  if (body == world) return;
  const auto b = static_cast<std::size_t>(body);
  if (linkage.linked[b]) {
    if (linkage.frame[b] >= 0) touch_tree(static_cast<int>(linkage.trees.size()) - 1);
    if (!linkage.chain[b].empty()) touch_tree(linkage.tree_of[static_cast<std::size_t>(linkage.chain[b].front())]);
    return linkage.pull(posture, body, x, F, m, tau);
  }
  touch_body(body);
  p[b] += F;
  l[b] += m + (x - at.x[b]).cross(F);
}

void Pushes::add(const Linkage& linkage, const JointRow& row, double impulse) {
  for (const JointRow::Term& term : row.terms) {
    touch_tree(linkage.tree_of[static_cast<std::size_t>(term.v)]);
    tau[term.v] += term.coefficient * impulse;
  }
}

void Pushes::add(const Linkage& linkage, const Posture& posture, const Placement& at, const JointLaw& law,
                 const JointLawState& state, const Vec3& Lambda) {
  switch (law.kind) {
    case Kind::lower:
    case Kind::friction:
      return add(linkage, law.row, Lambda.x());
    case Kind::upper:
      return add(linkage, law.row, -Lambda.x());
    case Kind::coupling:
      add(linkage, law.row, Lambda.x());
      return add(linkage, law.row_b, -state.slope * Lambda.x());
    case Kind::angle:
      touch_tree(linkage.tree_of[static_cast<std::size_t>(law.row.terms.front().v)]);
      tau.segment<3>(law.row.terms.front().v) -= Lambda.x() * state.axis;
      return;
    case Kind::points:
    case Kind::turning:
    case Kind::spring:
    case Kind::cut_lower:
    case Kind::cut_upper:
    case Kind::cut_friction:
      add(linkage, posture, at, law.a, state.point, -(state.F * Lambda), -(state.N * Lambda));
      return add(linkage, posture, at, law.b, state.point, state.F * Lambda, state.N * Lambda);
  }
}

double spring_energy(const Linkage& linkage, const Placement& at) {
  double energy = 0;
  for (const model::Spring& spring : linkage.model.springs) {
    const Vec3 d = point_of(linkage, at, spring.b, spring.point_b) - point_of(linkage, at, spring.a, spring.point_a);
    energy += 0.5 * spring.stiffness * (d.norm() - spring.rest) * (d.norm() - spring.rest);
  }
  return energy;
}

}  // namespace vinculum::checks
