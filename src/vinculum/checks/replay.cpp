// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/replay.hpp"

#include "vinculum/checks/landing.hpp"

#include <fmt/core.h>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::checks {

using collide::Feature;
using collide::FeatureKind;
using model::world;

namespace {

constexpr double joined = 2e-3;    // over the size of a pair: features that near join a first touch
constexpr int parts = 16;          // of half a step, when they are looked for
constexpr double no_tilt = 1e-12;  // sine below which the lowest point of a rim is rounding

/// Rotation matrix of a unit quaternion (w, x, y, z), Euler-Rodrigues.
Mat3 matrix_of(const algebra::Quat& quaternion) {
  const double w = quaternion.w();
  const Vec3 u = quaternion.vec();
  const double norm2 = w * w + u.squaredNorm();
  return ((w * w - u.squaredNorm()) * Mat3::Identity() + 2 * u * u.transpose() + 2 * w * algebra::skew(u)) / norm2;
}

Vec3 unit(const Vec3& d) { return d / d.norm(); }

/// Linked bodies where their joints say.
void put(const Trees& trees, const Posture& at, Placement& q) {
  for (std::size_t b = 0; b < q.x.size(); ++b) {
    if (trees.linkage.linked[b]) q.x[b] = at.x[b], q.R[b] = at.R[b];
  }
}

}  // namespace

Mat3 cayley(const Vec3& a) {
  const Mat3 half = 0.5 * algebra::skew(a);
  return (Mat3::Identity() - half).inverse() * (Mat3::Identity() + half);
}

Replay::Replay(const model::Model& scene, const trace::Header& header) : model(scene), size(scene.bodies.size(), 0.0) {
  for (const model::Shape& shape : scene.shapes) {
    if (shape.body == world) continue;
    const auto b = static_cast<std::size_t>(shape.body);
    size[b] = std::max(size[b], (shape.X_BS.p - scene.bodies[b].com).norm() + reach(shape.geometry));
  }
  std::vector<double> sizes;
  std::copy_if(size.begin(), size.end(), std::back_inserter(sizes), [](double s) { return s > 0; });
  std::sort(sizes.begin(), sizes.end());
  length_scale = sizes.empty() ? 1 : sizes[sizes.size() / 2];
  const bool frames = !model::frame_formulas(scene).empty();  // then its coordinates are among those of the trees
  if (scene.lagrangian && !frames) coordinates = std::make_unique<Coordinates>(scene);
  if (!scene.joints.empty() || !scene.loops.empty() || !scene.connects.empty() || !scene.welds.empty() ||
      !scene.springs.empty() || frames)
    trees = std::make_unique<Trees>(scene, header);
  driven = header.driven;
  const bool same = std::equal(header.actuators.begin(), header.actuators.end(), scene.actuators.begin(),
                               scene.actuators.end(), [](const auto& a, const auto& b) { return a == b.name; });
  if (!same) throw base::InputError("trace: scene.actuators: found other names, expected the actuators of its scene");
}

double Replay::pair_size(int a, int b) const {
  double least = std::numeric_limits<double>::infinity();
  for (const int body : {a, b}) {
    if (body != world && size[static_cast<std::size_t>(body)] > 0) {
      least = std::min(least, size[static_cast<std::size_t>(body)]);
    }
  }
  return std::isfinite(least) ? least : length_scale;
}

std::string Replay::body_name(int body) const {
  return body == world ? "world" : model.bodies[static_cast<std::size_t>(body)].name;
}

Solid Replay::solid(std::size_t shape, const Placement& q) const {
  const model::Shape& s = model.shapes[shape];
  const Mat3 R_BS = matrix_of(s.X_BS.R);
  if (s.body == world) return {&s.geometry, s.X_BS.p, R_BS};
  const auto b = static_cast<std::size_t>(s.body);
  return {&s.geometry, q.x[b] + q.R[b] * (s.X_BS.p - model.bodies[b].com), q.R[b] * R_BS};
}

Vec3 Replay::angular_velocity(std::size_t b, const Mat3& R, const Vec3& l) const {
  if (model.bodies[b].particle) return Vec3::Zero();
  return R * (model.bodies[b].inertia.inverse() * (R.transpose() * l));
}

double Replay::kinetic(std::size_t b, const Mat3& R, const Momentum& momentum) const {
  return 0.5 * momentum.p[b].squaredNorm() / model.bodies[b].mass +
         0.5 * momentum.l[b].dot(angular_velocity(b, R, momentum.l[b]));
}

double Replay::potential(std::size_t b, const Placement& q) const {
  return -model.bodies[b].mass * model.gravity.dot(q.x[b]);
}

/// Free flight: straight line, and the midpoint rule for Euler's equations by fixed-point iteration.
bool Replay::fly(const Placement& from, const Momentum& momentum, double time, Placement& to) const {
  to = from;
  bool converged = true;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    to.x[b] = from.x[b] + time * momentum.p[b] / body.mass;
    if (body.particle || (trees && trees->linkage.linked[b])) continue;
    const Mat3 I_inverse = body.inertia.inverse();
    const Vec3 Pi = from.R[b].transpose() * momentum.l[b];
    Vec3 mean = Pi;
    double change = 0;
    for (int k = 0; k < 500; ++k) {
      const Vec3 next = Pi + 0.5 * time * mean.cross(I_inverse * mean);
      change = (next - mean).norm();
      mean = next;
      if (change <= 1e-16 * Pi.norm()) break;
    }
    if (change > 1e-12 * Pi.norm()) converged = false;
    to.R[b] = from.R[b] * cayley(time * (I_inverse * mean));
  }
  return converged;
}

/// p_f = p_k + dt h(q_m).
void Replay::apply_forces() {
  p_f = p_k;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) p_f.p[b] += dt * model.bodies[b].mass * model.gravity;
  const double now = t + 0.5 * dt;
  work_forces = 0;
  for (const model::Force& force : model.forces) {
    if (now < force.from || now >= force.to) continue;
    const auto b = static_cast<std::size_t>(force.body);
    const Mat3 axes = force.body_axes ? q_m.R[b] : Mat3::Identity();
    const Vec3 f = axes * force.force;
    const Vec3 arm = q_m.R[b] * (force.point - model.bodies[b].com);
    const Vec3 torque = axes * force.torque + arm.cross(f);
    work_forces += 0.5 * dt * (f.dot(at_mid.v[b] + at_plus.v[b]) + torque.dot(at_mid.w[b] + at_plus.w[b]));
    if (trees && trees->linked(force.body)) {
      trees->add_force(force.body, q_m.x[b], f, torque, dt);
      continue;
    }
    p_f.p[b] += dt * f;
    p_f.l[b] += dt * torque;
  }
}

/// Where the flight is after a time of the first or of the second half of the step.
void Replay::follow(bool first_half, double time, Placement& q) const {
  const Placement& from = first_half ? q_k : q_m;
  q = from;
  fly(from, first_half ? p_k : p_1, time, q);
  if (!trees) return;
  Posture links;
  const VectorXd& start = first_half ? trees->q_k : trees->q_m;
  trees->linkage.place(trees->linkage.shift(start, time * (first_half ? trees->v_k : trees->v_1)), links);
  put(*trees, links, q);
}

bool Replay::touch(const ContactView& contact, bool first_half, double near, LocalView& at, Placement& q) const {
  const double length = pair_size(contact.body_a, contact.body_b), level = near * joined * length;
  auto look = [&](double time) {
    follow(first_half, time, q);
    at = view_of(*contact.record, contact.body_a, contact.body_b, q, contact.record->t1);
    return at.gap;
  };
  double open = 0, shut = 0.5 * dt, least = std::numeric_limits<double>::infinity();
  if (look(shut) > 0) {  // perhaps it only came near when others touched
    for (int k = 0; k <= parts; ++k) {
      const double time = 0.5 * dt * k / parts, gap = look(time);
      if (gap < least) least = gap, open = time;
    }
    return look(open) <= joined * length;
  }
  if (look(open) <= level) return true;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (open + shut);
    (look(middle) > level ? open : shut) = middle;
  }
  return std::abs(at.gap - level) <= 1e-9 * (length + at.point.norm());
}

/// Gap, frame and points of the recorded features at q, by the definitions in collide/contact_set.hpp.
LocalView Replay::view_of(const ContactRecord& contact, int a, int b, const Placement& q, const Vec3& along) const {
  const Feature& f = contact.feature;
  auto place = [&](int body, const Vec3& x) {
    return body == world ? x : Vec3(q.x[static_cast<std::size_t>(body)] + q.R[static_cast<std::size_t>(body)] * x);
  };
  auto turn = [&](int body, const Vec3& d) {
    return body == world ? d : Vec3(q.R[static_cast<std::size_t>(body)] * d);
  };
  const Vec3 P_a = place(a, f.P_a), P_b = place(b, f.P_b), dir_a = turn(a, f.dir_a), dir_b = turn(b, f.dir_b);
  const Vec3 across = P_b - P_a;
  LocalView view;
  Vec3 n = Vec3::UnitZ();
  switch (f.kind) {
    case FeatureKind::face_a:
    case FeatureKind::face_a_rim_b:
      n = unit(dir_a);
      break;
    case FeatureKind::face_b:
    case FeatureKind::face_b_rim_a:
      n = unit(dir_b);
      break;
    case FeatureKind::point_point:
      n = unit(across);
      break;
    case FeatureKind::edge_a_point_b:
      n = unit(across - across.dot(unit(dir_a)) * unit(dir_a));
      break;
    case FeatureKind::point_a_edge_b:
      n = unit(across - across.dot(unit(dir_b)) * unit(dir_b));
      break;
    case FeatureKind::edge_edge:
      n = f.sign * unit(dir_a.cross(dir_b));
      view.sine = dir_a.cross(dir_b).norm() / (dir_a.norm() * dir_b.norm());
      break;
  }
  Vec3 core_a = P_a, core_b = P_b;
  view.gap = n.dot(across) - f.rounding_a - f.rounding_b;
  // The extreme point of a circle along d. Along d it is rim |d_⟂| away, d_⟂ the part of d across the axis: of a circle
  // that lies nearly flat the product of d and that point would lose the digits of a small |d_⟂|.
  auto on_rim = [&](const Vec3& axis, const Vec3& d) -> Vec3 {
    const Vec3 d_across = d - d.dot(unit(axis)) * unit(axis);
    view.sine = d_across.norm();
    view.gap -= f.rim * view.sine;
    return f.rim * unit(d_across);
  };
  if (f.kind == FeatureKind::face_a_rim_b) core_b += on_rim(dir_b, -n);
  if (f.kind == FeatureKind::face_b_rim_a) core_a += on_rim(dir_a, n);
  // The point whose position along the surface counts: the vertex, rim or ball; on its line for an edge.
  switch (f.kind) {
    case FeatureKind::face_a:
    case FeatureKind::face_a_rim_b:
      view.p_b = core_b - f.rounding_b * n;
      view.p_a = view.p_b - view.gap * n;
      break;
    case FeatureKind::face_b:
    case FeatureKind::face_b_rim_a:
    case FeatureKind::point_a_edge_b:
    case FeatureKind::point_point:
      view.p_a = core_a + f.rounding_a * n;
      view.p_b = view.p_a + view.gap * n;
      break;
    case FeatureKind::edge_a_point_b:
      view.p_b = core_b - f.rounding_b * n;
      view.p_a = view.p_b - view.gap * n;
      break;
    case FeatureKind::edge_edge: {
      // Nearest points of the two lines: P_a + s d_a + g n = P_b + t d_b.
      Mat3 K;
      K << dir_a, -dir_b, n;
      const Vec3 solution = K.inverse() * across;
      view.p_a = P_a + solution.x() * dir_a + f.rounding_a * n;
      view.p_b = view.p_a + view.gap * n;
      break;
    }
  }
  view.point = 0.5 * (view.p_a + view.p_b);
  const Vec3 t1 = unit(along - along.dot(n) * n);
  view.F << n, t1, n.cross(t1);
  return view;
}

Vec3 Replay::gamma(const LocalView& at, int a, int b, const Placement& q, const Speeds& speeds) const {
  auto point_velocity = [&](int body) {
    if (body == world) return Vec3(Vec3::Zero());
    const auto i = static_cast<std::size_t>(body);
    return Vec3(speeds.v[i] + speeds.w[i].cross(at.point - q.x[i]));
  };
  return at.F.transpose() * (point_velocity(b) - point_velocity(a));
}

double Replay::spin_of(int body) const { return body == world ? 0 : before.w[static_cast<std::size_t>(body)].norm(); }

/// ξ and c for the recorded mode, or, where a wedge drops it, the one that is decided; the weight from the diagonal
/// block of G.
void Replay::set_law(ContactView& view, Mode decided, double tau_v) {
  const double slip = view.gamma_node.tail<2>().norm(), turn = view.beta.tail<2>().norm();
  const bool wedged = view.record->mode == Mode::wedged;
  const Mode mode = wedged ? decided : view.record->mode;
  Vec3 offset = Vec3::Zero();
  if (mode == Mode::impact) {
    offset << view.law.e_N * view.gamma_minus.x(), view.law.e_T * view.gamma_minus.tail<2>();
  } else {
    const double spin = dt * std::max(spin_of(view.body_a), spin_of(view.body_b));
    const Landing landing(view.gap_node, view.mid.gap, view.gamma_node.x(), view.beta.x(), spin, dt, tau_v);
    offset.x() = mode == Mode::landing ? landing.offset : view.beta.x();
    view.sticks = slip <= turn + tau_v;
    view.rests = mode == Mode::held || (mode == Mode::landing && landing.arrived);
    if (view.sticks) offset.tail<2>() = view.beta.tail<2>();
  }
  if (wedged) std::swap(offset, view.dropped);
  view.xi = view.gamma_plus + offset;
  view.c = view.gamma_free + offset;
  double trace = 0;
  for (int i = 0; i < view.rows; ++i) {
    const Vec3 d = view.mid.F.col(i);
    if (trees) {
      unit_.clear(trees->linkage);
      unit_.add(trees->linkage, trees->at_m, q_m, view.body_a, view.mid.point, -d, Vec3::Zero());
      unit_.add(trees->linkage, trees->at_m, q_m, view.body_b, view.mid.point, d, Vec3::Zero());
      trace += stiffness_of(unit_);
      continue;
    }
    for (const int body : {view.body_a, view.body_b}) {
      if (body == world) continue;
      const auto b = static_cast<std::size_t>(body);
      const Vec3 arm = (view.mid.point - q_m.x[b]).cross(d);
      trace += 1 / model.bodies[b].mass + arm.dot(angular_velocity(b, q_m.R[b], arm));
    }
  }
  view.weight = trace > 0 ? std::sqrt(view.rows / trace) : 0;
}

ContactView Replay::rebuild(const ContactRecord& contact, double tau_v, double tau_g) {
  ContactView view;
  view.record = &contact;
  view.bond = contact.shape_a < 0;
  const std::size_t known = view.bond ? model.rods.size() : model.shapes.size();
  const bool exists =
      contact.shape_b >= 0 && static_cast<std::size_t>(std::max(contact.shape_a, contact.shape_b)) < known;
  if (!exists || (!view.bond && contact.shape_a >= contact.shape_b) || (view.bond && contact.shape_a != -1)) {
    throw base::InputError(
        fmt::format("trace: contact.shapes: found ({}, {}), expected two shapes of its scene, the "
                    "smaller first, or (-1, rod)",
                    contact.shape_a, contact.shape_b));
  }
  if (view.bond) {
    const model::Rod& rod = model.rods.at(static_cast<std::size_t>(contact.shape_b));
    view.body_a = rod.a;
    view.body_b = rod.b;
    view.name = "rod " + rod.name;
  } else {
    const model::Shape& a = model.shapes.at(static_cast<std::size_t>(contact.shape_a));
    const model::Shape& b = model.shapes.at(static_cast<std::size_t>(contact.shape_b));
    view.body_a = a.body;
    view.body_b = b.body;
    view.law = model.pair(a.material, b.material);
    for (const model::ShapePair& own : model.shape_pairs) {
      if (own.a == contact.shape_a && own.b == contact.shape_b) view.law = {0, 0, own.mu, own.e_N, own.e_T};
    }
    view.name = (a.body == world ? a.name : body_name(a.body)) + " - " + (b.body == world ? b.name : body_name(b.body));
  }
  view.rows = view.law.mu > 0 ? 3 : 1;
  const int a = view.body_a, b = view.body_b;
  if (is_lift(contact.mode)) return view;
  view.mid = view_of(contact, a, b, q_m, contact.t1);
  const LocalView node = view_of(contact, a, b, q_k, contact.t1);
  const LocalView end = view_of(contact, a, b, q_e, contact.t1);
  view.gap_node = node.gap;
  view.gamma_node = gamma(node, a, b, q_k, at_node);
  view.gamma_minus = gamma(view.mid, a, b, q_m, at_mid);
  view.gamma_free = gamma(view.mid, a, b, q_m, at_free);
  view.gamma_plus = gamma(view.mid, a, b, q_m, at_plus);
  view.beta = gamma(end, a, b, q_e, at_end) - view.gamma_minus;

  // The mode may fall either way where a threshold is met to within a factor 2, or where a rim is flat at the node:
  // then whichever of its points is taken for the lowest one decides.
  const bool flat = node.sine <= no_tilt;
  auto decide = [&](double factor) {
    const double v = factor * tau_v + 2 * std::abs(view.beta.x()), g = factor * tau_g, gamma_N = view.gamma_node.x();
    if (std::max(node.gap, 0.0) + dt * gamma_N < -dt * v && view.gamma_minus.x() < 0) return Mode::impact;
    if (node.gap <= g && gamma_N <= v) return Mode::held;
    return view.law.e_N == 1 ? Mode::impact : Mode::landing;
  };
  view.mode_agrees =
      view.bond ? contact.mode == Mode::bond
                : flat || decide(0.5) == contact.mode || decide(1) == contact.mode || decide(2) == contact.mode;
  set_law(view, decide(1), tau_v);
  return view;
}

bool Replay::load(const trace::Reader& reader, std::size_t i, double tolerance) {
  reader.read(i, before, record, after);
  tol = tolerance;
  dt = record.dt;
  t = record.t;
  const std::size_t n = model.bodies.size();
  for (auto* placement : {&q_k, &q_1}) placement->x.resize(n), placement->R.resize(n);
  for (auto* momentum : {&p_k, &p_1}) momentum->p.resize(n), momentum->l.resize(n);
  double speed = 0, coordinate = length_scale;
  for (std::size_t b = 0; b < n; ++b) {
    const model::Body& body = model.bodies[b];
    auto set = [&](const trace::Row& row, Placement& q, Momentum& p) {
      q.x[b] = row.x[b];
      q.R[b] = matrix_of(row.R[b]);
      p.p[b] = body.mass * row.v[b];
      p.l[b] = q.R[b] * (body.inertia * (q.R[b].transpose() * row.w[b]));
    };
    set(before, q_k, p_k);
    set(after, q_1, p_1);
    speed = std::max(speed, before.v[b].norm() + before.w[b].norm() * size[b]);
    coordinate = std::max(coordinate, before.x[b].cwiseAbs().maxCoeff());
  }
  bool converged = fly(q_k, p_k, 0.5 * dt, q_m);
  converged = fly(q_m, p_k, 0.5 * dt, q_e) && converged;
  converged = fly(q_m, p_1, 0.5 * dt, q_star) && converged;
  if (trees) trees->set(before, after, dt), place_links();
  speeds_of(q_k, p_k, at_node), speeds_of(q_m, p_k, at_mid), speeds_of(q_m, p_1, at_plus), speeds_of(q_e, p_k, at_end);
  if (trees) {
    const Linkage& links = trees->linkage;
    links.move(trees->at_k, trees->v_k, at_node), links.move(trees->at_m, trees->v_k, at_mid);
    links.move(trees->at_m, trees->v_1, at_plus), links.move(trees->at_e, trees->v_k, at_end);
    controls = driven ? record.ctrl : scene_controls(model, t + 0.5 * dt);
    trees->set_push(controls, t + 0.5 * dt, dt);
  }
  apply_forces();
  if (trees) work_forces += trees->work;
  speeds_of(q_m, p_f, at_free);
  if (trees) find_free();

  record_every = reader.header().record_every;

  const double tau_v = tol * (speed + dt * model.gravity.norm());
  const double tau_g = dt * tau_v + 8 * std::numeric_limits<double>::epsilon() * coordinate;
  contacts.clear();
  if (coordinates) coordinates->load(before, after, record, tol);
  for (const ContactRecord& contact : record.contacts) {
    if (is_lift(contact.mode)) continue;
    if (coordinates && contact.shape_a == -2) continue;
    if (trees && contact.shape_a < -2) continue;
    contacts.push_back(rebuild(contact, tau_v, tau_g));
  }
  if (trees) rebuild_joint_laws(tau_v, tau_g);
  if (trees) agree_on_patches();
  drop_redundant_parts();
  judge_wedges();
  replay_projection();
  return converged;
}

}  // namespace vinculum::checks
