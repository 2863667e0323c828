// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/tree_laws.hpp"

#include "vinculum/algebra/clones.hpp"
#include "vinculum/solvers/kernels.hpp"

#include <cmath>
#include <limits>
#include <numbers>

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

contact::Frame pair_frame(int a, int b, const system::Configuration& q, const Vec3& point) {
  contact::Frame frame;
  frame.body_a = a;
  frame.body_b = b;
  frame.point = point;
  if (a != world) frame.r_a = point - q.x[static_cast<std::size_t>(a)];
  if (b != world) frame.r_b = point - q.x[static_cast<std::size_t>(b)];
  return frame;
}

contact::Frame closure_frame(const Closure& closure, const system::Configuration& q, const Vec3& point) {
  return pair_frame(closure.a, closure.b, q, point);
}

/// Twist of b against a about the axis, in (−2π, 2π].
double turn_about(const Vec3& axis, const Quat& turn) { return 2 * std::atan2(turn.vec().dot(axis), turn.w()); }

TreeLaw points_law(const Closure& closure, std::size_t index, const system::Configuration& q) {
  using Sliding = Closure::Sliding;
  const Vec3 x_a = world_point(q, closure.a, closure.point_a), x_b = world_point(q, closure.b, closure.point_b);
  const Vec3 d = x_b - x_a;
  TreeLaw law = row_law(Kind::points, index, 0);
  if (closure.sliding == Sliding::none) {
    law.rows = 3;
    law.gap = d;
    law.frame = closure_frame(closure, q, 0.5 * (x_a + x_b));
    return law;
  }
  const Quat R_a = q.pose(closure.a).R * closure.R_AB;
  const Vec3 n = algebra::orthogonal_to(closure.axis), u = R_a * closure.axis;
  law.frame = closure_frame(closure, q, x_b);
  if (closure.sliding == Sliding::plane) {
    law.rows = 1;
    law.frame.F << u, Vec3::Zero(), Vec3::Zero();
  } else {
    law.rows = closure.sliding == Sliding::thread ? 3 : 2;
    law.frame.F << R_a * n, R_a * closure.axis.cross(n), closure.sliding == Sliding::thread ? u : Vec3(Vec3::Zero());
  }
  law.gap = law.frame.F.transpose() * d;
  if (closure.sliding == Sliding::thread) {
    const double turn = closure.pitch * turn_about(closure.axis, R_a.conjugate() * q.pose(closure.b).R);
    law.gap.z() -= turn;
    if (closure.pitch != 0) law.gap.z() = std::remainder(law.gap.z(), 2 * std::numbers::pi * closure.pitch);
    law.N.col(2) = -closure.pitch * u;
  }
  return law;
}

TreeLaw turning_law(const Closure& closure, std::size_t index, const system::Configuration& q) {
  const Quat R_a = q.pose(closure.a).R * closure.R_AB, R_b = q.pose(closure.b).R;
  const Vec3 u = R_a * closure.axis;
  TreeLaw law = row_law(Kind::turning, index, 0);
  law.frame = closure_frame(closure, q, Vec3::Zero());
  law.frame.F.setZero();
  if (closure.turning == Closure::Turning::axis) {
    law.rows = 2;
    const Vec3 n = algebra::orthogonal_to(closure.axis);
    law.N << R_a * n, R_a * closure.axis.cross(n), Vec3::Zero();
    law.gap = law.N.transpose() * u.cross(R_b * closure.axis);
  } else if (closure.turning == Closure::Turning::two_axes) {
    const Vec3 w = R_b * closure.axis_2;
    law.N << w.cross(u), Vec3::Zero(), Vec3::Zero();
    law.gap.x() = u.dot(w) - closure.axis.dot(closure.axis_2);
  } else {
    law.rows = 3;
    law.N = R_a.toRotationMatrix();
    const Quat turn = R_a.conjugate() * R_b;
    law.gap = (turn.w() < 0 ? -2 : 2) * turn.vec();
  }
  return law;
}

/// The force acts along the line through the points, so that any point of it will do.
TreeLaw spring_law(const system::Spring& spring, std::size_t index, const system::Configuration& q) {
  const Vec3 x_a = world_point(q, spring.a, spring.point_a), x_b = world_point(q, spring.b, spring.point_b);
  const double length = (x_b - x_a).norm();
  TreeLaw law = row_law(Kind::spring, index, length - spring.rest);
  law.frame = pair_frame(spring.a, spring.b, q, 0.5 * (x_a + x_b));
  law.frame.F << (length > 0 ? Vec3((x_b - x_a) / length) : Vec3(Vec3::UnitX())), Vec3::Zero(), Vec3::Zero();
  return law;
}

/// Of the way that a cut joint leaves free.
TreeLaw cut_law(Kind kind, std::size_t index, const Closure& closure, bool turns, double bound,
                const system::Configuration& q) {
  const Vec3 x_a = world_point(q, closure.a, closure.point_a), x_b = world_point(q, closure.b, closure.point_b);
  const Quat R_a = q.pose(closure.a).R * closure.R_AB;
  const Vec3 u = R_a * closure.axis;
  const double sign = kind == Kind::cut_upper ? -1 : 1;
  TreeLaw law = row_law(kind, index, 0);
  law.frame = closure_frame(closure, q, x_b);
  law.frame.F.setZero();
  (turns ? law.N : law.frame.F).col(0) = sign * u;
  if (kind == Kind::cut_friction) return law;
  const double turn = turns ? turn_about(closure.axis, R_a.conjugate() * q.pose(closure.b).R) : 0;
  const double x = turns ? std::remainder(turn, 2 * std::numbers::pi) : u.dot(x_b - x_a);
  law.gap.x() = sign * (x - bound);
  return law;
}

/// θ = 2 atan2(|vec|, |w|) ∈ [0, π]; without a rotation no axis, and no limit near.
TreeLaw angle_law(const system::BallLimit& limit, std::size_t index, const Eigen::VectorXd& q) {
  const Quat turn(q[limit.q], q[limit.q + 1], q[limit.q + 2], q[limit.q + 3]);
  const double sine = turn.vec().norm();
  TreeLaw law = row_law(Kind::angle, index, limit.upper - 2 * std::atan2(sine, std::abs(turn.w())));
  law.axis = sine > 0 ? Vec3((turn.w() < 0 ? 1 : -1) / sine * turn.vec()) : Vec3(-Vec3::UnitX());
  return law;
}

std::array<system::Term, 3> angle_row(const Forest& forest, const TreeLaw& law) {
  const int v = forest.ball_limits[static_cast<std::size_t>(law.index)].v;
  return {{{0, v, law.axis.x()}, {0, v + 1, law.axis.y()}, {0, v + 2, law.axis.z()}}};
}

/// w_b − w_a.
Vec3 relative_turning(const contact::Frame& frame, const motion::Velocity& velocity) {
  Vec3 w = Vec3::Zero();
  if (frame.body_b != world) w += velocity.w[static_cast<std::size_t>(frame.body_b)];
  if (frame.body_a != world) w -= velocity.w[static_cast<std::size_t>(frame.body_a)];
  return w;
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
    const system::Limit& limit = forest.limits[i];
    const bool single = limit.row.size() == 1;  // most are
    const double x = single ? limit.row[0].coefficient * q.tree[limit.row[0].q] : value(limit.row, q.tree);
    out[2 * i].gap.x() = x - limit.lower;
    out[2 * i + 1].gap.x() = limit.upper - x;
  }
  for (std::size_t i = 0; i < forest.ball_limits.size(); ++i)
    out.push_back(angle_law(forest.ball_limits[i], i, q.tree));
  for (std::size_t i = 0; i < forest.springs.size(); ++i) out.push_back(spring_law(forest.springs[i], i, q));
  for (std::size_t i = 0; i < forest.cut_limits.size(); ++i) {
    const system::CutLimit& cut = forest.cut_limits[i];
    const Closure& closure = forest.closures[static_cast<std::size_t>(cut.closure)];
    out.push_back(cut_law(Kind::cut_lower, i, closure, cut.turns, cut.lower, q));
    out.push_back(cut_law(Kind::cut_upper, i, closure, cut.turns, cut.upper, q));
  }
  for (std::size_t i = 0; i < forest.cut_frictions.size(); ++i) {
    const system::CutFriction& cut = forest.cut_frictions[i];
    out.push_back(
        cut_law(Kind::cut_friction, i, forest.closures[static_cast<std::size_t>(cut.closure)], cut.turns, 0, q));
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
    case Kind::angle:
      return {law.axis.dot(v.segment<3>(forest.ball_limits[i].v)), 0, 0};
    case Kind::points:
    case Kind::turning:
    case Kind::spring:
    case Kind::cut_lower:
    case Kind::cut_upper:
    case Kind::cut_friction:
      break;
  }
  return local_velocity(law.frame, velocity) + law.N.transpose() * relative_turning(law.frame, velocity);
}

laws::Kind law_kind(const TreeLaw& law) {
  switch (law.kind) {
    case Kind::lower:
    case Kind::upper:
    case Kind::angle:
    case Kind::cut_lower:
    case Kind::cut_upper:
      return laws::Kind::unilateral;
    case Kind::friction:
    case Kind::cut_friction:
      return laws::Kind::dry;
    default:
      return laws::Kind::bilateral;
  }
}

double gap_of_limit(const Forest& forest, const TreeLaw& law, const Eigen::VectorXd& q) {
  if (law.kind == Kind::friction) return 0;
  const system::Limit& limit = forest.limits[static_cast<std::size_t>(law.index)];
  const double x = value(limit.row, q);
  return law.kind == Kind::lower ? x - limit.lower : limit.upper - x;
}

double restitution(const Forest& forest, const TreeLaw& law) {
  const auto i = static_cast<std::size_t>(law.index);
  if (law.kind == Kind::angle) return forest.ball_limits[i].e_N;
  const bool cut = law.kind == Kind::cut_lower || law.kind == Kind::cut_upper;
  return cut ? forest.cut_limits[i].e_N : forest.limits[i].e_N;
}

Compliance compliance(const system::Spring& spring, double dt, double gap_mid, double gamma_minus) {
  const double kappa = dt * (0.5 * spring.damping + 0.25 * dt * spring.stiffness);
  const double force = spring.stiffness * (gap_mid - 0.25 * dt * gamma_minus) + 0.5 * spring.damping * gamma_minus;
  return {kappa, dt * force / kappa};
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
    case Kind::angle:
      rows.add_row(angle_row(forest, law), 1, 0);
      break;
    case Kind::friction:
      rows.add_row(forest.frictions[i].row, 1, 0);
      break;
    case Kind::coupling:
      rows.add_row(forest.couplings[i].a, 1, 0);
      rows.add_row(forest.couplings[i].b, -law.slope, 0);
      break;
    case Kind::points:
    case Kind::turning:
    case Kind::spring:
    case Kind::cut_lower:
    case Kind::cut_upper:
    case Kind::cut_friction:
      contact::add_motion(system, turn, law.frame, law.N, law.rows, rows, problem);
      return contact::close_block(law_kind(law), law.rows, bound, c, problem);
  }
  rows.emit(problem);
  contact::close_block(law_kind(law), law.rows, bound, c, problem);
}

void add_spring(const system::System& system, const std::vector<Mat3>& turn, const TreeLaw& law, double kappa,
                const Vec3& c, contact::TreeRows& rows, contact::ContactProblem& problem) {
  contact::add_motion(system, turn, law.frame, law.N, law.rows, rows, problem);
  problem.node.push_back(static_cast<int>(problem.nodes++));
  problem.J.push_back(contact::JBlock::Zero());
  problem.J.back()(0, 0) = 1 / std::sqrt(kappa);
  contact::close_block(law_kind(law), law.rows, 0, c, problem);
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
  auto along = [&](std::span<const system::Term> row, double impulse) {
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
    case Kind::angle:
      return along(angle_row(forest, law), Lambda.x());
    case Kind::points:
    case Kind::turning:
    case Kind::spring:
    case Kind::cut_lower:
    case Kind::cut_upper:
    case Kind::cut_friction:
      break;
  }
  if (!law.frame.F.isZero(0)) add_impulse(system, law.frame, Lambda, to);
  if (law.N.isZero(0)) return;
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

VINCULUM_CLONES void add_whitened(const Forest& forest, const contact::ContactProblem& problem,
                                  const std::vector<Vec3>& Lambda, Eigen::VectorXd& nodes, Eigen::VectorXd& z) {
  nodes.setZero(6 * static_cast<Eigen::Index>(problem.nodes));
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const Vec3& own = Lambda[i];
    if (own.x() == 0 && own.y() == 0 && own.z() == 0) continue;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      solvers::add_transposed(problem.J[e].data(), own.x(), own.y(), own.z(), nodes.data() + 6 * problem.node[e]);
    }
  }
  for (std::size_t i = 0; i < forest.slot.size(); ++i) z[static_cast<Eigen::Index>(i)] += nodes[forest.slot[i]];
}

}  // namespace vinculum::integrators
