// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/tree_laws.hpp"

#include <limits>

namespace vinculum::integrators {

using algebra::Mat3;
using algebra::Quat;
using system::Closure;
using system::Forest;
using system::world;

namespace {

using Kind = TreeLaw::Kind;

TreeLaw row_law(Kind kind, std::size_t index, double gap) {
  TreeLaw law;
  law.kind = kind;
  law.index = static_cast<int>(index);
  law.gap.x() = gap;
  return law;
}

/// P and P' at x.
std::pair<double, double> polynomial(const std::vector<double>& c, double x) {
  double P = 0, dP = 0;
  for (std::size_t k = c.size(); k-- > 0;) {
    dP = dP * x + P;
    P = P * x + c[k];
  }
  return {P, dP};
}

TreeLaw coupling_law(const Forest& forest, std::size_t index, const Eigen::VectorXd& q) {
  const system::Coupling& coupling = forest.couplings[index];
  const auto [P, dP] = polynomial(coupling.coefficients, coupling.b.empty() ? 0.0 : value(coupling.b, q));
  TreeLaw law = row_law(Kind::coupling, index, value(coupling.a, q) - P);
  law.slope = dP;
  return law;
}

Vec3 world_point(const system::Configuration& q, int body, const Vec3& point) {
  return body == world ? point : q.pose(body) * point;
}

contact::Frame closure_frame(const Closure& closure, const system::Configuration& q, const Vec3& point) {
  contact::Frame frame;
  frame.body_a = closure.a;
  frame.body_b = closure.b;
  frame.point = point;
  if (closure.a != world) frame.r_a = point - q.x[static_cast<std::size_t>(closure.a)];
  if (closure.b != world) frame.r_b = point - q.x[static_cast<std::size_t>(closure.b)];
  return frame;
}

TreeLaw points_law(const Closure& closure, std::size_t index, const system::Configuration& q) {
  const Vec3 x_a = world_point(q, closure.a, closure.point_a), x_b = world_point(q, closure.b, closure.point_b);
  TreeLaw law = row_law(Kind::points, index, 0);
  law.rows = 3;
  law.gap = x_b - x_a;
  law.frame = closure_frame(closure, q, 0.5 * (x_a + x_b));
  return law;
}

/// About an axis: n₁, n₂ normal to the axis, fixed in a; g_i = n_i·(u_a × u_b), the sine of the tilt. None: three axes
/// of a, twice the vector part of the quaternion of b in them.
TreeLaw turning_law(const Closure& closure, std::size_t index, const system::Configuration& q) {
  const Quat R_a = q.pose(closure.a).R * closure.R_AB, R_b = q.pose(closure.b).R;
  TreeLaw law = row_law(Kind::turning, index, 0);
  law.frame = closure_frame(closure, q, Vec3::Zero());
  if (closure.turning == Closure::Turning::about_axis) {
    law.rows = 2;
    const Vec3 n = algebra::orthogonal_to(closure.axis), m = closure.axis.cross(n);
    law.N << R_a * n, R_a * m, Vec3::Zero();
    const Vec3 tilt = (R_a * closure.axis).cross(R_b * closure.axis);
    law.gap = law.N.transpose() * tilt;
  } else {
    law.rows = 3;
    law.N = R_a.toRotationMatrix();
    const Quat turn = R_a.conjugate() * R_b;
    law.gap = (turn.w() < 0 ? -2 : 2) * turn.vec();
  }
  return law;
}

}  // namespace

void evaluate_tree_laws(const system::System& system, const system::Configuration& q, std::vector<TreeLaw>& out) {
  const Forest& forest = *system.forest;
  const std::size_t rows = 2 * forest.limits.size() + forest.frictions.size();
  if (out.size() < rows) {  // once: of limits only the gap depends on q
    for (std::size_t i = 0; i < forest.limits.size(); ++i) {
      out.push_back(row_law(Kind::lower, i, 0));
      out.push_back(row_law(Kind::upper, i, 0));
    }
    for (std::size_t i = 0; i < forest.frictions.size(); ++i) out.push_back(row_law(Kind::friction, i, 0));
  }
  out.resize(rows);
  for (std::size_t i = 0; i < forest.limits.size(); ++i) {
    const double x = value(forest.limits[i].row, q.tree);
    out[2 * i].gap.x() = x - forest.limits[i].lower;
    out[2 * i + 1].gap.x() = forest.limits[i].upper - x;
  }
  for (std::size_t i = 0; i < forest.couplings.size(); ++i) out.push_back(coupling_law(forest, i, q.tree));
  for (std::size_t i = 0; i < forest.closures.size(); ++i) {
    out.push_back(points_law(forest.closures[i], i, q));
    if (forest.closures[i].turning != Closure::Turning::free) out.push_back(turning_law(forest.closures[i], i, q));
  }
}

Vec3 rate_of(const Forest& forest, const TreeLaw& law, const motion::Velocity& velocity, const Eigen::VectorXd& v) {
  const auto i = static_cast<std::size_t>(law.index);
  switch (law.kind) {
    case Kind::lower:
      return {rate(forest.limits[i].row, v), 0, 0};
    case Kind::upper:
      return {-rate(forest.limits[i].row, v), 0, 0};
    case Kind::friction:
      return {rate(forest.frictions[i].row, v), 0, 0};
    case Kind::coupling:
      return {rate(forest.couplings[i].a, v) - law.slope * rate(forest.couplings[i].b, v), 0, 0};
    case Kind::points:
      return local_velocity(law.frame, velocity);
    case Kind::turning:
      break;
  }
  Vec3 w = Vec3::Zero();
  if (law.frame.body_b != world) w += velocity.w[static_cast<std::size_t>(law.frame.body_b)];
  if (law.frame.body_a != world) w -= velocity.w[static_cast<std::size_t>(law.frame.body_a)];
  return law.N.transpose() * w;
}

laws::Kind law_kind(const TreeLaw& law) {
  if (law.kind == Kind::lower || law.kind == Kind::upper) return laws::Kind::unilateral;
  return law.kind == Kind::friction ? laws::Kind::dry : laws::Kind::bilateral;
}

void add_tree_law(const system::System& system, const std::vector<Mat3>& turn, const TreeLaw& law, double bound,
                  const Vec3& c, contact::TreeRows& rows, contact::ContactProblem& problem) {
  const Forest& forest = *system.forest;
  const auto i = static_cast<std::size_t>(law.index);
  switch (law.kind) {
    case Kind::lower:
    case Kind::upper:
      rows.add_row(forest.limits[i].row, law.kind == Kind::lower ? 1 : -1, 0);
      break;
    case Kind::friction:
      rows.add_row(forest.frictions[i].row, 1, 0);
      break;
    case Kind::coupling:
      rows.add_row(forest.couplings[i].a, 1, 0);
      rows.add_row(forest.couplings[i].b, -law.slope, 0);
      break;
    case Kind::points:
      contact::add_block(system, turn, law.frame, law_kind(law), law.rows, bound, c, &rows, problem);
      return;
    case Kind::turning:
      contact::add_turning(system, turn, law.frame, law.N, law.rows, rows, problem);
      break;
  }
  rows.emit(problem);
  contact::close_block(law_kind(law), law.rows, bound, c, problem);
}

void add_impulse(const system::System& system, const contact::Frame& frame, const Vec3& Lambda, const Impulses& to) {
  if (!to.tau) return contact::add_impulse(frame, Lambda, *to.p, *to.l);
  const Vec3 F = frame.F * Lambda;
  for (const auto& [body, arm, sign] :
       {std::tuple(frame.body_a, frame.r_a, -1.0), std::tuple(frame.body_b, frame.r_b, 1.0)}) {
    if (body == world) continue;
    if (system.linked(body)) {
      to.trees->add_impulse(body, frame.point, sign * F, *to.tau);
    } else {
      (*to.p)[static_cast<std::size_t>(body)] += sign * F;
      (*to.l)[static_cast<std::size_t>(body)] += sign * arm.cross(F);
    }
  }
}

void add_impulse(const system::System& system, const TreeLaw& law, const Vec3& Lambda, const Impulses& to) {
  const Forest& forest = *system.forest;
  const auto i = static_cast<std::size_t>(law.index);
  auto along = [&](const system::Row& row, double impulse) {
    for (const system::Term& term : row) (*to.tau)[term.v] += term.coefficient * impulse;
  };
  switch (law.kind) {
    case Kind::lower:
      return along(forest.limits[i].row, Lambda.x());
    case Kind::upper:
      return along(forest.limits[i].row, -Lambda.x());
    case Kind::friction:
      return along(forest.frictions[i].row, Lambda.x());
    case Kind::coupling:
      along(forest.couplings[i].a, Lambda.x());
      return along(forest.couplings[i].b, -law.slope * Lambda.x());
    case Kind::points:
      return add_impulse(system, law.frame, Lambda, to);
    case Kind::turning:
      break;
  }
  const Vec3 m = law.N * Lambda;
  for (const auto& [body, sign] : {std::pair(law.frame.body_a, -1.0), std::pair(law.frame.body_b, 1.0)}) {
    if (body == world) continue;
    if (system.linked(body)) {
      to.trees->add_couple(body, sign * m, *to.tau);
    } else {
      (*to.l)[static_cast<std::size_t>(body)] += sign * m;
    }
  }
}

}  // namespace vinculum::integrators
