// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "step_audit.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace vinculum::bench {

// J = Wᵀ L⁻ᵀ with M = L Lᵀ (contact/problem.hpp): rows d/√m and L⁻¹(r × d).
void StepAudit::add_side(const Vec3 axes[3], double sign, int body, const Vec3& p, const Motion& before) {
  if (body == system::world) return;
  const auto b = static_cast<std::size_t>(body);
  contact::JBlock J;
  for (int k = 0; k < 3; ++k) {
    const Vec3 arm = (p - before.q.x[b]).cross(axes[k]);
    J.row(k).head<3>() = sign / std::sqrt(system_.bodies.mass[b]) * axes[k].transpose();
    J.row(k).tail<3>() = sign * root_[b].triangularView<Eigen::Lower>().solve(arm).transpose();
  }
  problem_.node.push_back(body);
  problem_.J.push_back(J);
}

StepErrors StepAudit::judge(const std::vector<Touch>& touches, const Motion& before, const Motion& after, double dt) {
  const std::size_t n = system_.body_count();
  root_.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    const algebra::Mat3 R = before.q.R[b].toRotationMatrix();
    root_[b] = algebra::Mat3(R * system_.bodies.inertia[b] * R.transpose()).llt().matrixL();
  }
  problem_.clear();
  problem_.nodes = n;
  problem_.row.assign(1, 0);
  Lambda_.clear();
  u_.clear();
  for (const Touch& touch : touches) {
    const Vec3 t1 = algebra::orthogonal_to(touch.n);
    const Vec3 axes[3] = {touch.n, t1, touch.n.cross(t1)};
    Vec3 relative = Vec3::Zero();
    auto velocity = [&](int body, const Vec3& p) -> Vec3 {
      if (body == system::world) return Vec3::Zero();
      const auto b = static_cast<std::size_t>(body);
      return after.v[b] + after.w[b].cross(p - before.q.x[b]);
    };
    relative = velocity(touch.a, touch.p_a) - velocity(touch.b, touch.p_b);
    const bool a_first = touch.b == system::world || (touch.a != system::world && touch.a < touch.b);
    if (a_first) add_side(axes, 1, touch.a, touch.p_a, before);
    add_side(axes, -1, touch.b, touch.p_b, before);
    if (!a_first) add_side(axes, 1, touch.a, touch.p_a, before);
    problem_.row.push_back(static_cast<int>(problem_.node.size()));
    problem_.law.push_back(laws::Kind::coulomb);
    problem_.mu.push_back(touch.mu);
    problem_.c.push_back(Vec3::Zero());
    u_.push_back(Vec3(axes[0].dot(relative) + touch.bias, axes[1].dot(relative), axes[2].dot(relative)));
    Lambda_.push_back(Vec3(axes[0].dot(touch.impulse), axes[1].dot(touch.impulse), axes[2].dot(touch.impulse)));
  }
  contact::apply(problem_, Lambda_, z_, xi_);
  for (std::size_t i = 0; i < u_.size(); ++i) problem_.c[i] = u_[i] - xi_[i];
  StepErrors out;
  out.law = contact::measure(problem_, Lambda_, z_, xi_);
  out.balance = balance(touches, before, after, dt);
  return out;
}

double StepAudit::balance(const std::vector<Touch>& touches, const Motion& before, const Motion& after,
                          double dt) const {
  std::vector<Vec3> rest(system_.body_count());
  double size = 0;
  for (std::size_t b = 0; b < rest.size(); ++b) {
    rest[b] = system_.bodies.mass[b] * (after.v[b] - before.v[b] - dt * system_.gravity);
    for (const system::Force& force : system_.forces) {
      if (force.body == static_cast<int>(b)) rest[b] -= dt * force.force;
    }
    size += rest[b].squaredNorm();
  }
  for (const Touch& touch : touches) {
    if (touch.a != system::world) rest[static_cast<std::size_t>(touch.a)] -= touch.impulse;
    if (touch.b != system::world) rest[static_cast<std::size_t>(touch.b)] += touch.impulse;
  }
  double sum = 0;
  for (const Vec3& r : rest) sum += r.squaredNorm();
  return size > 0 ? std::sqrt(sum / size) : 0;
}

}  // namespace vinculum::bench
