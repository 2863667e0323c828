// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/joint_laws.hpp"

#include <cmath>

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

void add_closure(int index, int a, int b, const Vec3& point_a, const Vec3& point_b, const std::string& name,
                 std::vector<JointLaw>& out) {
  JointLaw law;
  law.kind = Kind::points, law.rows = 3, law.index = index, law.name = name;
  law.a = a, law.b = b, law.point_a = point_a, law.point_b = point_b;
  out.push_back(law);
}

void add_turning(const Mat3& R_AB, const Vec3& free_axis, std::vector<JointLaw>& out) {
  JointLaw law = out.back();
  law.kind = Kind::turning, law.name += " (turning)";
  law.R_AB = R_AB, law.axis = free_axis;
  law.rows = free_axis.isZero() ? 3 : 2;
  out.push_back(law);
}

void add_closures(const model::Model& model, std::vector<JointLaw>& out) {
  int index = 0;
  for (const model::Connect& c : model.connects) {
    add_closure(index++, c.a, c.b, c.point_a, c.point_b, "connect " + c.name, out);
  }
  for (const model::Joint& loop : model.loops) {
    add_closure(index++, loop.parent, loop.child, loop.X_PC * loop.point, loop.point, "loop " + loop.name, out);
    const Mat3 R = loop.X_PC.R.normalized().toRotationMatrix();
    if (loop.type == JointType::revolute || loop.type == JointType::continuous) add_turning(R, loop.axis, out);
    if (loop.type == JointType::fixed) add_turning(R, Vec3::Zero(), out);
  }
  for (const model::Weld& weld : model.welds) {
    add_closure(index++, weld.a, weld.b, weld.X_AB.p, Vec3::Zero(), "weld " + weld.name, out);
    add_turning(weld.X_AB.R.normalized().toRotationMatrix(), Vec3::Zero(), out);
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
  int limit = 0, friction = 0;
  for (int j = 0; j < std::ssize(model.joints); ++j) {
    const model::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (linkage.of_joint[static_cast<std::size_t>(j)].v < 0) continue;
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
  for (int k = 0; k < std::ssize(model.couplings); ++k) {
    const model::Coupling& coupling = model.couplings[static_cast<std::size_t>(k)];
    JointLaw law;
    law.kind = Kind::coupling, law.index = k, law.name = "coupling " + coupling.name;
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
    case Kind::points: {
      const Vec3 x_a = point_of(linkage, at, law.a, law.point_a), x_b = point_of(linkage, at, law.b, law.point_b);
      state.gap = x_b - x_a;
      state.point = 0.5 * (x_a + x_b);
      break;
    }
    case Kind::turning: {
      const Mat3 R_a = axes_of(at, law.a) * law.R_AB, R_b = axes_of(at, law.b);
      if (law.rows == 2) {
        const Vec3 n = algebra::orthogonal_to(law.axis);
        state.N << R_a * n, R_a * law.axis.cross(n), Vec3::Zero();
        state.gap = state.N.transpose() * (R_a * law.axis).cross(R_b * law.axis);
      } else {
        state.N = R_a;
        const Vec3 turn = turn_of(R_a.transpose() * R_b);
        const double angle = turn.norm();
        state.gap = angle > 0 ? Vec3(2 * std::sin(0.5 * angle) / angle * turn) : Vec3(Vec3::Zero());
      }
      break;
    }
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
    case Kind::points:
      return velocity_of(at, speeds, law.b, state.point) - velocity_of(at, speeds, law.a, state.point);
    case Kind::turning:
      break;
  }
  Vec3 w = Vec3::Zero();
  if (law.b != world) w += speeds.w[static_cast<std::size_t>(law.b)];
  if (law.a != world) w -= speeds.w[static_cast<std::size_t>(law.a)];
  return state.N.transpose() * w;
}

void Pushes::clear(const Linkage& linkage) {
  tau = VectorXd::Zero(linkage.nv());
  p.assign(linkage.linked.size(), Vec3::Zero());
  l.assign(linkage.linked.size(), Vec3::Zero());
}

void Pushes::add(const Linkage& linkage, const Posture& trees, const Placement& at, int body, const Vec3& x,
                 const Vec3& F, const Vec3& m) {
  if (body == world) return;
  const auto b = static_cast<std::size_t>(body);
  if (linkage.linked[b]) return linkage.pull(trees, body, x, F, m, tau);
  p[b] += F;
  l[b] += m + (x - at.x[b]).cross(F);
}

void Pushes::add(const Linkage& linkage, const Posture& trees, const Placement& at, const JointLaw& law,
                 const JointLawState& state, const Vec3& Lambda) {
  auto along = [&](const JointRow& row, double impulse) {
    for (const JointRow::Term& term : row.terms) tau[term.v] += term.coefficient * impulse;
  };
  switch (law.kind) {
    case Kind::lower:
    case Kind::friction:
      return along(law.row, Lambda.x());
    case Kind::upper:
      return along(law.row, -Lambda.x());
    case Kind::coupling:
      along(law.row, Lambda.x());
      return along(law.row_b, -state.slope * Lambda.x());
    case Kind::points:
      add(linkage, trees, at, law.a, state.point, -Lambda, Vec3::Zero());
      return add(linkage, trees, at, law.b, state.point, Lambda, Vec3::Zero());
    case Kind::turning:
      add(linkage, trees, at, law.a, state.point, Vec3::Zero(), -(state.N * Lambda));
      return add(linkage, trees, at, law.b, state.point, Vec3::Zero(), state.N * Lambda);
  }
}

}  // namespace vinculum::checks
