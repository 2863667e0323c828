// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts along the coordinates of the trees, smoothly:
//   coordinate   −damping v − stiffness (q − rest) + kp (target − q) − kd v
//   actuator     f = clamp((gain·(1, x, ẋ)) clamp(ctrl) + bias·(1, x, ẋ)), gear f on its coordinates, their sum within
//                the effort of the coordinate
//   tendon       −stiffness (x − nearest of [rest_lower, rest_upper]) − damping ẋ
// Turns by quaternion and twists have springs towards the neutral position: −stiffness u, u = difference(neutral, q).
#include "vinculum/motion/joint_forces.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::motion {

using system::Actuator;
using system::Forest;
using system::Term;

namespace {

// system::value and rate, compiled in: there are many, of one term each.
inline double value_of(const system::Row& row, const Eigen::VectorXd& q) {
  double sum = 0;
  for (const Term& term : row) sum += term.coefficient * q[term.q];
  return sum;
}
inline double size_of(const system::Row& row, const Eigen::VectorXd& q) {
  double sum = 0;
  for (const Term& term : row) sum += std::abs(term.coefficient * q[term.q]);
  return sum;
}
inline double rate_of(const system::Row& row, const Eigen::VectorXd& v) {
  double sum = 0;
  for (const Term& term : row) sum += term.coefficient * v[term.v];
  return sum;
}

/// What the force would be without its range: c₀ + c₁ x + c₂ ẋ.
std::array<double, 3> affine_force(const Actuator& actuator, double wanted) {
  const double ctrl = std::clamp(wanted, actuator.ctrl_lower, actuator.ctrl_upper);
  std::array<double, 3> c = actuator.bias;
  for (std::size_t k = 0; k < 3; ++k) c[k] += actuator.gain[k] * ctrl;
  return c;
}

/// k c cᵀ of a row c with one entry; of more the diagonal D = k/2 |c_i| Σ|c_j|. Since 0 ≤ k c cᵀ ≤ 2 D (diagonal
/// dominance), the repetition of motion/forest.hpp, whose matrix is (M + dt/2 D)⁻¹ dt/2 (D − k c cᵀ), contracts for
/// every k.
void add_damping(const system::Row& row, double k, Eigen::VectorXd& A) {
  if (k <= 0) return;
  double sum = 0;
  for (const Term& term : row) sum += std::abs(term.coefficient);
  const double part = row.size() == 1 ? 1 : 0.5;
  for (const Term& term : row) A[term.v] += part * k * std::abs(term.coefficient) * sum;
}

bool has_quaternion_springs(const Forest& forest) {
  for (std::size_t i = 0; i < forest.q_of_v.size(); ++i) {
    if (forest.q_of_v[i] < 0 && forest.stiffness[i] > 0) return true;
  }
  return false;
}

/// Whether forces read only those q that have their own rate.
bool has_simple_forces(const Forest& forest) {
  const auto simple = [&](const system::Row& row) {
    return std::all_of(row.begin(), row.end(), [&](const Term& term) { return forest.q_of_v[term.v] >= 0; });
  };
  return !has_quaternion_springs(forest) &&
         std::all_of(forest.actuators.begin(), forest.actuators.end(), [&](const auto& a) { return simple(a.row); }) &&
         std::all_of(forest.tendons.begin(), forest.tendons.end(), [&](const auto& t) { return simple(t.row); });
}

}  // namespace

void scene_controls(const Forest& forest, double t, std::vector<double>& ctrl) {
  ctrl.resize(forest.actuators.size());
  for (std::size_t a = 0; a < ctrl.size(); ++a) {
    ctrl[a] = forest.control.times.empty() ? forest.actuators[a].ctrl : model::control_value(forest.control, a, t);
  }
}

JointForces::JointForces(const Forest& forest)
    : forest_(forest), turned_(has_quaternion_springs(forest)), simple_(has_simple_forces(forest)) {
  for (std::size_t i = 0; i < forest.q_of_v.size(); ++i) {
    along_.push_back({forest.q_of_v[i], forest.damping[i] + forest.kd[i], forest.kp[i], forest.target[i],
                      forest.stiffness[i], forest.rest[i]});
  }
  for (const system::TendonForce& tendon : forest.tendons) {
    if (tendon.stiffness != 0 || tendon.damping != 0) tendons_.push_back(&tendon);
  }
  if (forest.actuators.empty()) set_controls({});
}

void JointForces::set_controls(std::span<const double> ctrl) {
  VINCULUM_DEMAND(ctrl.size() == forest_.actuators.size());
  if (!ctrl.empty() && std::equal(ctrl.begin(), ctrl.end(), ctrl_.begin(), ctrl_.end())) return;
  ctrl_.assign(ctrl.begin(), ctrl.end());
  affine_.resize(ctrl.size());
  constant_ = true;
  for (std::size_t a = 0; a < ctrl.size(); ++a) {
    affine_[a] = affine_force(forest_.actuators[a], ctrl[a]);
    constant_ = constant_ && affine_[a][1] == 0 && affine_[a][2] == 0;
  }
  if (constant_) add_actuators(Eigen::VectorXd(), Eigen::VectorXd(), pushed_);
}

/// From nothing; q and v are not read where all forces are constant.
void JointForces::add_actuators(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) const {
  tau.setZero(forest_.nv());
  for (std::size_t a = 0; a < forest_.actuators.size(); ++a) {
    const Actuator& actuator = forest_.actuators[a];
    const std::array<double, 3>& c = affine_[a];
    const double asked = constant_ ? c[0] : c[0] + c[1] * value_of(actuator.row, q) + c[2] * rate_of(actuator.row, v);
    const double f = std::clamp(asked, actuator.force_lower, actuator.force_upper);
    for (const Term& term : actuator.row) tau[term.v] += term.coefficient * f;
  }
  for (std::size_t i = 0; i < forest_.effort.size(); ++i) {
    double& own = tau[static_cast<Eigen::Index>(i)];
    own = std::clamp(own, -forest_.effort[i], forest_.effort[i]);
  }
}

void JointForces::evaluate(const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool with_springs,
                           Eigen::VectorXd& tau) const {
  if (constant_) {
    tau = pushed_;
  } else {
    VINCULUM_DEMAND(affine_.size() == forest_.actuators.size());
    add_actuators(q, v, tau);
  }
  for (std::size_t i = 0; i < along_.size(); ++i) {
    const Along& own = along_[i];
    const auto k = static_cast<Eigen::Index>(i);
    double sum = tau[k] - own.damping * v[k];
    if (own.q >= 0) {
      const double x = q[own.q];
      sum += own.kp * (own.target - x);
      if (with_springs) sum -= own.stiffness * (x - own.rest);
    }
    tau[k] = sum;
  }
  for (const system::TendonForce* tendon : tendons_) {
    const double x = value_of(tendon->row, q);
    double f = -tendon->damping * rate_of(tendon->row, v);
    if (with_springs) f -= tendon->stiffness * (x - std::clamp(x, tendon->rest_lower, tendon->rest_upper));
    for (const Term& term : tendon->row) tau[term.v] += term.coefficient * f;
  }
  if (!(with_springs && turned_)) return;
  const Eigen::VectorXd neutral = forest_.tree.neutral();
  Eigen::VectorXd u(tau.size());
  forest_.tree.difference(neutral.data(), q.data(), u.data());
  for (std::size_t i = 0; i < along_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (along_[i].q < 0) tau[k] -= along_[i].stiffness * u[k];
  }
}

void JointForces::damping(double dt, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& A) const {
  A.setZero(v.size());
  for (std::size_t i = 0; i < along_.size(); ++i) {
    const Along& own = along_[i];
    A[static_cast<Eigen::Index>(i)] = own.damping + 0.5 * dt * (own.q < 0 ? 0.0 : own.stiffness + own.kp);
  }
  for (std::size_t a = 0; !constant_ && a < forest_.actuators.size(); ++a) {
    const Actuator& actuator = forest_.actuators[a];
    const std::array<double, 3>& c = affine_[a];
    const double f = c[0] + c[1] * value_of(actuator.row, q) + c[2] * rate_of(actuator.row, v);
    if (f < actuator.force_lower || f > actuator.force_upper) continue;
    add_damping(actuator.row, -c[2] - 0.5 * dt * c[1], A);
  }
  for (const system::TendonForce* tendon : tendons_) {
    const double x = value_of(tendon->row, q);
    const bool slack = x > tendon->rest_lower && x < tendon->rest_upper;
    add_damping(tendon->row, tendon->damping + (slack ? 0 : 0.5 * dt * tendon->stiffness), A);
  }
}

void JointForces::sizes(const Eigen::VectorXd& q, Eigen::VectorXd& out) const {
  out.setZero(forest_.nv());
  if (constant_) out = pushed_.cwiseAbs();
  for (std::size_t a = 0; !constant_ && a < forest_.actuators.size(); ++a) {
    const system::Row& row = forest_.actuators[a].row;
    const double size = std::abs(affine_[a][0]) + std::abs(affine_[a][1]) * size_of(row, q);
    for (const Term& term : row) out[term.v] += std::abs(term.coefficient) * size;
  }
  for (std::size_t i = 0; i < along_.size(); ++i) {
    const Along& own = along_[i];
    const double x = own.q >= 0 ? std::abs(q[own.q]) : 1;  // turns by quaternion are found from numbers of size one
    out[static_cast<Eigen::Index>(i)] += own.kp * (x + std::abs(own.target)) + own.stiffness * (x + std::abs(own.rest));
  }
  for (const system::TendonForce* tendon : tendons_) {
    const double size = 2 * tendon->stiffness * size_of(tendon->row, q);
    for (const Term& term : tendon->row) out[term.v] += std::abs(term.coefficient) * size;
  }
}

double spring_energy(const Forest& forest, const Eigen::VectorXd& q) {
  double energy = 0;
  bool turned = false;  // springs on turns by quaternion
  for (std::size_t i = 0; i < forest.q_of_v.size(); ++i) {
    if (forest.stiffness[i] == 0) continue;
    if (forest.q_of_v[i] < 0) {
      turned = turned || forest.stiffness[i] > 0;
      continue;
    }
    const double x = q[forest.q_of_v[i]] - forest.rest[i];
    energy += 0.5 * forest.stiffness[i] * x * x;
  }
  for (const system::TendonForce& tendon : forest.tendons) {
    const double x = value_of(tendon.row, q), stretch = x - std::clamp(x, tendon.rest_lower, tendon.rest_upper);
    energy += 0.5 * tendon.stiffness * stretch * stretch;
  }
  if (turned) {
    const Eigen::VectorXd neutral = forest.tree.neutral();
    Eigen::VectorXd u(forest.tree.nv());
    forest.tree.difference(neutral.data(), q.data(), u.data());
    for (std::size_t i = 0; i < forest.q_of_v.size(); ++i) {
      const double x = u[static_cast<Eigen::Index>(i)];
      if (forest.q_of_v[i] < 0) energy += 0.5 * forest.stiffness[i] * x * x;
    }
  }
  return energy;
}

}  // namespace vinculum::motion
