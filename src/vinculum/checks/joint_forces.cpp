// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Smooth forces along joints, as model/multibody.hpp and docs/scene.md define them:
//   actuators   f = clamp(gain·(1, x, ẋ) clamp(ctrl) + bias·(1, x, ẋ)), gear f on the coordinates; their sum within the
//   effort coordinate  −damping v − stiffness (q − rest);  with [control] of a key: kp (q_key − q) − kd v tendon
//   −stiffness (x − nearest of its rest interval) − damping ẋ
#include "vinculum/checks/joint_laws.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::JointType;

namespace {

double scene_control(const model::Model& model, std::size_t a, double t) {
  if (!model.control) return model.actuators[a].ctrl;
  const model::Control& control = *model.control;
  if (control.times.empty()) {
    return control.key < 0 ? model.actuators[a].ctrl : model.keyframes[static_cast<std::size_t>(control.key)].ctrl[a];
  }
  if (t <= control.times.front()) return control.values.front()[a];
  for (std::size_t k = 1; k < control.times.size(); ++k) {
    if (t > control.times[k]) continue;
    const double width = control.times[k] - control.times[k - 1];
    const double s = (t - control.times[k - 1]) / width;
    return control.values[k - 1][a] + s * (control.values[k][a] - control.values[k - 1][a]);
  }
  return control.values.back()[a];
}

/// Length of what an actuator pulls at, with its gears.
JointRow row_of(const Linkage& linkage, const model::Actuator& actuator) {
  JointRow row;
  auto add = [&](int joint, int coordinate, double coefficient) {
    const Linkage::Place at = linkage.of_joint[static_cast<std::size_t>(joint)];
    if (coefficient != 0) row.terms.push_back({at.q + coordinate, at.v + coordinate, coefficient});
  };
  if (actuator.joint >= 0) {
    for (int k = 0; k < std::ssize(actuator.gear); ++k) {
      add(actuator.joint, k, actuator.gear[static_cast<std::size_t>(k)]);
    }
  } else {
    for (const auto& term : linkage.model.tendons[static_cast<std::size_t>(actuator.tendon)].terms) {
      add(term.joint, term.coordinate, actuator.gear.front() * term.coefficient);
    }
  }
  return row;
}

JointRow row_of(const Linkage& linkage, const model::Tendon& tendon) {
  JointRow row;
  for (const auto& term : tendon.terms) {
    const Linkage::Place at = linkage.of_joint[static_cast<std::size_t>(term.joint)];
    row.terms.push_back({at.q + term.coordinate, at.v + term.coordinate, term.coefficient});
  }
  return row;
}

/// Displacement from the rest position along the velocity coordinates of a joint.
VectorXd stretch_of(const Linkage& linkage, std::size_t j, const VectorXd& q, const VectorXd& from_zero) {
  const model::Joint& joint = linkage.model.joints[j];
  const Linkage::Place at = linkage.of_joint[j];
  const auto n = static_cast<int>(joint.axes.size());
  VectorXd u(n);
  for (int k = 0; k < n; ++k) {
    u[k] = joint.q.size() == joint.v.size() ? q[at.q + k] - joint.axes[static_cast<std::size_t>(k)].rest
                                            : from_zero[at.v + k];
  }
  return u;
}

VectorXd zero_coordinates(const Linkage& linkage) {
  VectorXd q = VectorXd::Zero(linkage.nq());
  for (std::size_t j = 0; j < linkage.of_joint.size(); ++j) {
    const JointType type = linkage.model.joints[j].type;
    if (linkage.of_joint[j].v < 0) continue;
    if (type == JointType::spherical) q[linkage.of_joint[j].q] = 1;
    if (type == JointType::free) q[linkage.of_joint[j].q + 3] = 1;
  }
  return q;
}

bool is_driven(JointType type) {
  return type == JointType::revolute || type == JointType::continuous || type == JointType::prismatic ||
         type == JointType::screw;
}

/// Length of a row term by term: what its rounding goes by.
double value_size(const JointRow& row, const VectorXd& q) {
  double sum = 0;
  for (const JointRow::Term& term : row.terms) sum += std::abs(term.coefficient * q[term.q]);
  return sum;
}

void add_actuators(const Linkage& linkage, std::span<const double> controls, const VectorXd& q, const VectorXd& v,
                   JointPush& push) {
  const model::Model& model = linkage.model;
  for (std::size_t a = 0; a < model.actuators.size(); ++a) {
    const model::Actuator& actuator = model.actuators[a];
    const JointRow row = row_of(linkage, actuator);
    const double ctrl = std::clamp(controls[a], actuator.ctrl_lower, actuator.ctrl_upper);
    const Vec3 at(1, row.value(q), row.rate(v));
    const Vec3 sizes(1, value_size(row, q), std::abs(at.z()));
    const Vec3 gain(actuator.gain.data()), bias(actuator.bias.data());
    const double asked = at.dot(gain) * ctrl + at.dot(bias);
    const double f = std::clamp(asked, actuator.force_lower, actuator.force_upper);
    const double size = f == asked ? sizes.dot(std::abs(ctrl) * gain.cwiseAbs() + bias.cwiseAbs()) : std::abs(f);
    for (const JointRow::Term& term : row.terms) push.add(term.v, term.coefficient * f, term.coefficient * size);
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    for (std::size_t k = 0; linkage.of_joint[j].v >= 0 && k < model.joints[j].axes.size(); ++k) {
      double& sum = push.tau[linkage.of_joint[j].v + static_cast<int>(k)];
      sum = std::clamp(sum, -model.joints[j].axes[k].effort, model.joints[j].axes[k].effort);
    }
  }
}

}  // namespace

std::vector<double> scene_controls(const model::Model& model, double t) {
  std::vector<double> controls;
  for (std::size_t a = 0; a < model.actuators.size(); ++a) controls.push_back(scene_control(model, a, t));
  return controls;
}

JointPush joint_forces(const Linkage& linkage, std::span<const double> controls, const VectorXd& q, const VectorXd& v,
                       bool with_springs) {
  const model::Model& model = linkage.model;
  JointPush push{VectorXd::Zero(linkage.nv()), VectorXd::Zero(linkage.nv())};
  add_actuators(linkage, controls, q, v, push);
  const VectorXd from_zero = linkage.difference(zero_coordinates(linkage), q);
  std::size_t in_key = 0;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    const std::size_t at_key = in_key;
    in_key += joint.q.size();
    if (linkage.of_joint[j].v < 0) continue;
    const VectorXd u = stretch_of(linkage, j, q, from_zero);
    for (int k = 0; k < std::ssize(joint.axes); ++k) {
      const int i = linkage.of_joint[j].v + k;
      const model::JointAxis& axis = joint.axes[static_cast<std::size_t>(k)];
      push.add(i, -axis.damping * v[i], axis.damping * v[i]);
      const double apart = std::abs(u[k]) + 2 * std::abs(axis.rest);  // |q| + |rest| at most
      if (with_springs) push.add(i, -axis.stiffness * u[k], axis.stiffness * apart);
    }
    if (!model.control || model.control->key < 0 || !is_driven(joint.type)) continue;
    const model::Keyframe& key = model.keyframes[static_cast<std::size_t>(model.control->key)];
    const int i = linkage.of_joint[j].v;
    const double now = q[linkage.of_joint[j].q], kp = model.control->kp, kd = model.control->kd;
    push.add(i, kp * (key.q[at_key] - now) - kd * v[i],
             kp * (std::abs(key.q[at_key]) + std::abs(now)) + kd * std::abs(v[i]));
  }
  for (const model::Tendon& tendon : model.tendons) {
    const JointRow row = row_of(linkage, tendon);
    const double x = row.value(q);
    const double spring = tendon.stiffness * (x - std::clamp(x, tendon.rest_lower, tendon.rest_upper));
    const double f = -tendon.damping * row.rate(v) - (with_springs ? spring : 0);
    const double size = std::abs(f) + 2 * tendon.stiffness * value_size(row, q);  // the nearest length of rest included
    for (const JointRow::Term& term : row.terms) push.add(term.v, term.coefficient * f, term.coefficient * size);
  }
  return push;
}

VectorXd implicit_part(const Linkage& linkage, std::span<const double> controls, double dt, const VectorXd& q,
                       const VectorXd& v) {
  const model::Model& model = linkage.model;
  VectorXd A = VectorXd::Zero(linkage.nv());
  const auto add = [&](const JointRow& row, double k) {
    double sum = 0;
    for (const JointRow::Term& term : row.terms) sum += std::abs(term.coefficient);
    for (const JointRow::Term& term : row.terms) {
      if (k > 0) A[term.v] += (row.terms.size() == 1 ? 1 : 0.5) * k * std::abs(term.coefficient) * sum;
    }
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    const int first = linkage.of_joint[j].v;
    const bool simple = joint.q.size() == joint.v.size();  // its coordinates are the integrals of its velocities
    for (int k = 0; first >= 0 && k < std::ssize(joint.axes); ++k) {
      const model::JointAxis& axis = joint.axes[static_cast<std::size_t>(k)];
      A[first + k] += axis.damping + (simple ? 0.5 * dt * axis.stiffness : 0);
    }
    if (first < 0 || !model.control || model.control->key < 0 || !is_driven(joint.type)) continue;
    A[first] += model.control->kd + 0.5 * dt * model.control->kp;
  }
  for (std::size_t a = 0; a < model.actuators.size(); ++a) {
    const model::Actuator& actuator = model.actuators[a];
    const JointRow row = row_of(linkage, actuator);
    const double ctrl = std::clamp(controls[a], actuator.ctrl_lower, actuator.ctrl_upper);
    const Vec3 c = ctrl * Vec3(actuator.gain.data()) + Vec3(actuator.bias.data());
    const double f = c.dot(Vec3(1, row.value(q), row.rate(v)));
    if (f >= actuator.force_lower && f <= actuator.force_upper) add(row, -c.z() - 0.5 * dt * c.y());
  }
  for (const model::Tendon& tendon : model.tendons) {
    const JointRow row = row_of(linkage, tendon);
    const double x = row.value(q);
    const bool slack = x > tendon.rest_lower && x < tendon.rest_upper;
    add(row, tendon.damping + (slack ? 0 : 0.5 * dt * tendon.stiffness));
  }
  return A;
}

double spring_energy(const Linkage& linkage, const VectorXd& q) {
  double energy = 0;
  const VectorXd from_zero = linkage.difference(zero_coordinates(linkage), q);
  for (std::size_t j = 0; j < linkage.of_joint.size(); ++j) {
    if (linkage.of_joint[j].v < 0) continue;
    const VectorXd u = stretch_of(linkage, j, q, from_zero);
    for (std::size_t k = 0; k < linkage.model.joints[j].axes.size(); ++k) {
      const double x = u[static_cast<Eigen::Index>(k)];
      energy += 0.5 * linkage.model.joints[j].axes[k].stiffness * x * x;
    }
  }
  for (const model::Tendon& tendon : linkage.model.tendons) {
    const double x = row_of(linkage, tendon).value(q);
    const double stretch = x - std::clamp(x, tendon.rest_lower, tendon.rest_upper);
    energy += 0.5 * tendon.stiffness * stretch * stretch;
  }
  return energy;
}

}  // namespace vinculum::checks
