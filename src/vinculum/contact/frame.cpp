// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/frame.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::contact {

namespace {

/// Rows d·(v + w × r) of one body in mass-weighted coordinates: d/√m and (r × d)ᵀ R C⁻ᵀ, signed.
void write_rows(double mass, const Mat3& turn, const Frame& frame, const Vec3& r, double sign, int rows, JBlock& J) {
  const double linear = sign / std::sqrt(mass);
  for (int i = 0; i < 3; ++i) {
    double* row = J.data() + 6 * i;
    if (i >= rows) {
      std::fill(row, row + 6, 0.0);
      continue;
    }
    const Vec3 d = frame.F.col(i), moment = sign * r.cross(d);
    for (int k = 0; k < 3; ++k) row[k] = linear * d[k];
    for (int k = 0; k < 3; ++k) row[3 + k] = moment.dot(turn.col(k));
  }
}

Vec3 relative_velocity(const Frame& frame, const motion::Velocity& velocity) {
  Vec3 relative = Vec3::Zero();
  if (frame.body_b != system::world) {
    const auto b = static_cast<std::size_t>(frame.body_b);
    relative += velocity.v[b] + velocity.w[b].cross(frame.r_b);
  }
  if (frame.body_a != system::world) {
    const auto a = static_cast<std::size_t>(frame.body_a);
    relative -= velocity.v[a] + velocity.w[a].cross(frame.r_a);
  }
  return relative;
}

}  // namespace

Frame place_frame(const collide::Kinematics& at, int body_a, int body_b, const system::Configuration& q) {
  Frame frame;
  frame.body_a = body_a;
  frame.body_b = body_b;
  frame.F.col(0) = at.n;
  frame.point = 0.5 * (at.p_a + at.p_b);
  if (body_a != system::world) frame.r_a = frame.point - q.x[static_cast<std::size_t>(body_a)];
  if (body_b != system::world) frame.r_b = frame.point - q.x[static_cast<std::size_t>(body_b)];
  return frame;
}

void set_tangents(const Vec3& along, Frame& frame) {
  const Vec3 n = frame.F.col(0), tangent = along - along.dot(n) * n;
  const double square = tangent.squaredNorm();
  const bool given = square > 1e-12 * along.squaredNorm() && square > 0;
  const Vec3 t1 = given ? Vec3(tangent / std::sqrt(square)) : algebra::orthogonal_to(n);
  frame.F.col(1) = t1;
  frame.F.col(2) = n.cross(t1);
}

Frame make_frame(const collide::Kinematics& at, int body_a, int body_b, const system::Configuration& q,
                 const Vec3& along) {
  Frame frame = place_frame(at, body_a, body_b, q);
  set_tangents(along, frame);
  return frame;
}

Vec3 local_velocity(const Frame& frame, const motion::Velocity& velocity) {
  return frame.F.transpose() * relative_velocity(frame, velocity);
}

double normal_velocity(const Frame& frame, const motion::Velocity& velocity) {
  return frame.F.col(0).dot(relative_velocity(frame, velocity));
}

void add_impulse(const Frame& frame, const Vec3& Lambda, std::vector<Vec3>& p, std::vector<Vec3>& l) {
  const Vec3 impulse = frame.F * Lambda;
  if (frame.body_b != system::world) {
    const auto b = static_cast<std::size_t>(frame.body_b);
    p[b] += impulse;
    l[b] += frame.r_b.cross(impulse);
  }
  if (frame.body_a != system::world) {
    const auto a = static_cast<std::size_t>(frame.body_a);
    p[a] -= impulse;
    l[a] -= frame.r_a.cross(impulse);
  }
}

void make_turns(const system::System& system, const system::Configuration& q, std::vector<Mat3>& turn) {
  turn.resize(system.body_count());
  for (std::size_t b = 0; b < turn.size(); ++b) {
    if (system.linked(static_cast<int>(b))) continue;  // rows of trees need none
    const Mat3& whitening = system.bodies.inertia_whitening[b];
    turn[b] = system.bodies.isotropic[b] ? whitening : Mat3(q.R[b].toRotationMatrix() * whitening);
  }
}

void add_motion(const system::System& system, const std::vector<Mat3>& turn, const Frame& frame, const Mat3& N,
                int rows, TreeRows& trees, ContactProblem& problem) {
  struct Side {
    int body;
    const Vec3* r;
    double sign;
  };
  Side first{frame.body_a, &frame.r_a, -1}, second{frame.body_b, &frame.r_b, 1};
  if (second.body < first.body) std::swap(first, second);
  const bool moves = !frame.F.isZero(0), turns = !N.isZero(0);
  for (const Side& side : {first, second}) {
    if (side.body == system::world) continue;
    if (system.linked(side.body)) {
      if (moves) trees.add_point(side.body, frame.point, frame.F, side.sign, rows);
      if (turns) trees.add_turn(side.body, N, side.sign, rows);
      continue;
    }
    const auto b = static_cast<std::size_t>(side.body);
    JBlock J;
    write_rows(system.bodies.mass[b], turn[b], frame, *side.r, side.sign, rows, J);
    for (int k = 0; turns && k < rows; ++k) J.row(k).tail<3>() += side.sign * (N.col(k).transpose() * turn[b]);
    problem.node.push_back(system.node_of(side.body));
    problem.J.push_back(J);
  }
  trees.emit(problem);
}

void close_block(laws::Kind law, int rows, double mu, const Vec3& c, ContactProblem& problem) {
  if (problem.row.empty()) problem.row.push_back(0);
  problem.row.push_back(static_cast<int>(problem.node.size()));
  problem.c.push_back({c.x(), rows > 1 ? c.y() : 0, rows > 2 ? c.z() : 0});
  problem.law.push_back(law);
  problem.mu.push_back(mu);
}

void add_block(const system::System& system, const std::vector<Mat3>& turn, const Frame& frame, laws::Kind law,
               int rows, double mu, const Vec3& c, TreeRows* trees, ContactProblem& problem) {
  struct Side {
    int body;
    const Vec3* r;
    double sign;
  };
  Side first{frame.body_a, &frame.r_a, -1}, second{frame.body_b, &frame.r_b, 1};
  if (second.body < first.body) std::swap(first, second);
  for (const Side& side : {first, second}) {
    if (side.body == system::world) continue;
    if (system.linked(side.body)) {
      trees->add_point(side.body, frame.point, frame.F, side.sign, rows);
      continue;
    }
    problem.node.push_back(system.node_of(side.body));
    const auto b = static_cast<std::size_t>(side.body);
    write_rows(system.bodies.mass[b], turn[b], frame, *side.r, side.sign, rows, problem.J.emplace_back());
  }
  if (trees) trees->emit(problem);
  close_block(law, rows, mu, c, problem);
}

}  // namespace vinculum::contact
