// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/flow.hpp"

#include "vinculum/base/parallel.hpp"
#include "vinculum/motion/forest.hpp"

#include <Eigen/LU>
#include <limits>

namespace vinculum::motion {

using algebra::Mat3;
using algebra::skew;

namespace {

constexpr std::size_t bodies_per_chunk = 256;

/// Ω̄ of one step of Euler's equations: Newton on F(Π₁) = Π₁ − Π − t Π̄ × I⁻¹Π̄, dF = 1 − t/2 (Π̄^ I⁻¹ − Ω̄^).
/// Stops when |F| is the rounding of Π or a step no longer reduces it. `Pi1` is the first guess and the result; true if
/// solved.
bool solve_midpoint(const Vec3& Pi, const Mat3& I_inverse, double t, Vec3& Pi1) {
  auto residual = [&](const Vec3& candidate) {
    const Vec3 mean = 0.5 * (Pi + candidate);
    return Vec3(candidate - Pi - t * mean.cross(I_inverse * mean));
  };
  Vec3 F = residual(Pi1);
  const double rounding = std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();
  for (int k = 0; k < 50 && F.squaredNorm() > 0.25 * rounding * Pi.squaredNorm(); ++k) {
    const Vec3 mean = 0.5 * (Pi + Pi1);
    const Mat3 dF = Mat3::Identity() - 0.5 * t * (skew(mean) * I_inverse - skew(I_inverse * mean));
    const Vec3 direction = dF.inverse() * F;
    double length = 1;
    Vec3 next = Pi1 - direction;
    Vec3 F_next = residual(next);
    while (F_next.squaredNorm() >= F.squaredNorm() && length > 1e-3) {
      length *= 0.5;
      next = Pi1 - length * direction;
      F_next = residual(next);
    }
    if (F_next.squaredNorm() >= F.squaredNorm()) break;
    Pi1 = next;
    F = F_next;
  }
  return F.norm() <= 1e-12 * Pi.norm();
}

/// From the spin itself; at many radians per step, where that guess is too far, by following the solution up from t =
/// 0.
Vec3 midpoint_rate(const Vec3& Pi, const Mat3& I_inverse, double t) {
  Vec3 Pi1 = Pi;
  for (int parts = 1; parts <= 256; parts *= 4) {
    Pi1 = Pi;
    bool solved = true;
    for (int k = 1; k <= parts; ++k) solved = solve_midpoint(Pi, I_inverse, t * k / parts, Pi1);
    if (solved) break;
  }
  return I_inverse * (0.5 * (Pi + Pi1));
}

/// R Cay(a): the quaternion of Cay(a) is (1, a/2) normalised.
Quat turn(const Quat& R, const Vec3& a) { return (R * Quat(1, 0.5 * a.x(), 0.5 * a.y(), 0.5 * a.z())).normalized(); }

}  // namespace

Quat rotate_free(const Quat& R, const Vec3& l, const Mat3& I_inverse, bool isotropic, double t) {
  // Half the angle is below the rounding of R: |I⁻¹ Π| <= tr(I⁻¹) |l|.
  const double half_angle = 0.5 * t * I_inverse.trace();
  constexpr double rounding = 0.25 * std::numeric_limits<double>::epsilon();
  if (half_angle * half_angle * l.squaredNorm() <= rounding * rounding) return R;
  const Vec3 Pi = R.conjugate() * l;
  const Vec3 rate = isotropic ? Vec3(I_inverse(0, 0) * Pi) : midpoint_rate(Pi, I_inverse, t);
  return turn(R, t * rate);
}

void drift(const system::System& system, double t, const system::Configuration& q, const std::vector<Vec3>& p,
           const std::vector<Vec3>& l, system::Configuration& q1) {
  const std::size_t n = system.body_count();
  q1.x.resize(n);
  q1.R.resize(n);
  if (all_linked(system)) return;
  const parts::Bodies& bodies = system.bodies;
  base::parallel_chunks(n, bodies_per_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      if (system.linked(static_cast<int>(b))) {  // its trees know
        q1.x[b] = q.x[b];
        q1.R[b] = q.R[b];
        continue;
      }
      q1.x[b] = q.x[b] + (t / bodies.mass[b]) * p[b];
      q1.R[b] = rotate_free(q.R[b], l[b], bodies.inertia_inverse[b], bodies.isotropic[b] != 0, t);
    }
  });
}

void kick(const system::System& system, double t, double dt, const system::Configuration& q, std::vector<Vec3>& p,
          std::vector<Vec3>& l) {
  if (all_linked(system)) return;
  for (std::size_t b = 0; b < p.size(); ++b) {
    if (!system.linked(static_cast<int>(b))) p[b] += (dt * system.bodies.mass[b]) * system.gravity;
  }
  for (const system::Force& force : system.forces) {
    if (t < force.from || t >= force.to || system.linked(force.body)) continue;
    const auto b = static_cast<std::size_t>(force.body);
    const Quat& R = q.R[b];
    const Vec3 f = force.body_axes ? R * force.force : force.force;
    const Vec3 torque = force.body_axes ? R * force.torque : force.torque;
    p[b] += dt * f;
    l[b] += dt * (torque + (R * force.point).cross(f));
  }
}

double kinetic_energy(const system::System& system, std::size_t b, const Quat& R, const Vec3& p, const Vec3& l) {
  return 0.5 * p.squaredNorm() / system.bodies.mass[b] + 0.5 * l.dot(angular_velocity(system, b, R, l));
}

namespace {

/// Of the springs between points, on free and linked bodies.
double spring_energy(const system::System& system, const system::Configuration& q) {
  double energy = 0;
  if (!system.forest) return energy;
  for (const system::Spring& spring : system.forest->springs) {
    const Vec3 x_a = q.pose(spring.a) * spring.point_a, x_b = q.pose(spring.b) * spring.point_b;
    const double stretch = (x_b - x_a).norm() - spring.rest;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  return energy;
}

}  // namespace

Energy energy_of_bodies(const system::System& system, const system::State& state) {
  Energy e;
  for (std::size_t b = 0; b < (all_linked(system) ? 0 : system.body_count()); ++b) {
    if (system.linked(static_cast<int>(b))) continue;
    e.kinetic += kinetic_energy(system, b, state.q.R[b], state.p[b], state.l[b]);
    e.potential -= system.bodies.mass[b] * system.gravity.dot(state.q.x[b]);
  }
  e.potential += spring_energy(system, state.q);
  return e;
}

Energy energy(const system::System& system, const system::State& state) {
  Energy e = energy_of_bodies(system, state);
  if (system.forest) {
    const ForestEnergy trees = forest_energy(system, state.q.tree, state.tree_v);
    e.kinetic += trees.kinetic;
    e.potential += trees.potential;
  }
  if (system.lagrangian) {
    parts::Point point = system.lagrangian->make_point();
    system.lagrangian->set(state.t, state.lagrangian_q, state.lagrangian_u, point);
    e.kinetic += system.lagrangian->kinetic(point);
    e.potential += system.lagrangian->potential(point);
  }
  return e;
}

}  // namespace vinculum::motion
