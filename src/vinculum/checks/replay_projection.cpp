// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The projection at the end of a step, repetition by repetition, from the recorded Π:
//
//   q⁰ = q*,   δ = M(qʲ)⁻¹ W(qʲ) Π,   qʲ⁺¹ = qʲ ⊕ δ
//
// or, where a repetition is a nudge by what the step has at its middle (contacts and limits that act in the step, small
// gaps, nothing but trees without loops),
//
//   δ = M̂(q_m)⁻¹ W(q_m) Π,   M̂ = M + dt/2 A, A of joint_laws.hpp
//
// ⊕ moves centres of mass by δ, turns free bodies by Cay(δ) and joints by their own motion. Each Π acts where its
// repetition starts, so that nothing is left to fit: q_{k+1} is the last qʲ to round-off.
//
// A scene that starts in violation was settled before its first step in the same way, from its own configuration.
#include "vinculum/checks/replay.hpp"

#include <fmt/core.h>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::checks {

using model::world;

namespace {

/// Of the smaller body, as far as a nudge may lift: its rows are those of q_m, off by the angle of half a step, and of
/// a hundred-thousandth of a body that is not seen.
constexpr double nudge_reach = 1e-5;
constexpr double closed_by = 100;  // of the tolerance of a gap: what presses and is kept as it is

/// Position impulses and displacements at one configuration.
class Lifting {
 public:
  /// `added`: to the diagonal of M; empty: nothing.
  Lifting(const Replay& step, const Placement& q, const VectorXd& tree, const VectorXd& added) : step_(step), q_(q) {
    if (!step.trees) {
      sum_.p.assign(step.model.bodies.size(), Vec3::Zero());
      sum_.l = sum_.p;
      return;
    }
    sum_.clear(links());
    links().place(tree, at_);
    mass_.set(links(), at_, added);
  }

  void push(int body, const Vec3& x, const Vec3& F) {
    if (body == world) return;
    if (step_.trees) return sum_.add(links(), at_, q_, body, x, F, Vec3::Zero());
    const auto b = static_cast<std::size_t>(body);
    sum_.p[b] += F;
    sum_.l[b] += (x - q_.x[b]).cross(F);
  }
  void push(const JointLaw& law, const JointLawState& state, const Vec3& Pi) {
    sum_.add(links(), at_, q_, law, state, Pi);
  }
  /// δ of all that was pushed.
  void solve() {
    delta_.v.resize(sum_.p.size()), delta_.w.resize(sum_.p.size());
    for (std::size_t b = 0; b < sum_.p.size(); ++b) {
      delta_.v[b] = sum_.p[b] / step_.model.bodies[b].mass;
      delta_.w[b] = q_.R[b] * turn(b);
    }
    if (!step_.trees) return;
    joints_ = mass_.solve(sum_.tau);
    links().move(at_, joints_, delta_);
  }
  const VectorXd& joints() const { return joints_; }
  const Vec3& shift(std::size_t b) const { return delta_.v[b]; }
  /// Of a free body, about its own axes.
  Vec3 turn(std::size_t b) const { return turned_by(b, sum_.l[b]); }
  /// Displacement of b against a along n at a point.
  double opening(int a, int b, const Vec3& point, const Vec3& n) const {
    auto move = [&](int body) {
      if (body == world) return Vec3(Vec3::Zero());
      const auto i = static_cast<std::size_t>(body);
      return Vec3(delta_.v[i] + delta_.w[i].cross(point - q_.x[i]));
    };
    return n.dot(move(b) - move(a));
  }

  /// Wᵀ M⁻¹ W of a contact along n, and of the first row of a law.
  double stiffness(int a, int b, const Vec3& point, const Vec3& n) {
    double sum = 0;
    if (step_.trees) unit_.clear(links());
    for (const auto& [body, sign] : {std::pair(a, -1.0), std::pair(b, 1.0)}) {
      if (body == world) continue;
      if (is_linked(body)) {
        unit_.add(links(), at_, q_, body, point, sign * n, Vec3::Zero());
        continue;
      }
      const auto i = static_cast<std::size_t>(body);
      const Vec3 moment = (point - q_.x[i]).cross(n);
      sum += 1 / step_.model.bodies[i].mass + moment.dot(q_.R[i] * turned_by(i, moment));
    }
    return step_.trees ? sum + mass_.inverse_square(unit_.tau, unit_.trees) : sum;
  }
  double stiffness(const JointLaw& law, const JointLawState& state) {
    unit_.clear(links());
    unit_.add(links(), at_, q_, law, state, Vec3::UnitX());
    double sum = mass_.inverse_square(unit_.tau, unit_.trees);
    for (const int body : unit_.bodies) {
      const auto b = static_cast<std::size_t>(body);
      sum += unit_.p[b].squaredNorm() / step_.model.bodies[b].mass + unit_.l[b].dot(q_.R[b] * turned_by(b, unit_.l[b]));
    }
    return sum;
  }
  /// How far a law opens.
  double opening(const JointLaw& law, const JointLawState& state) const {
    return rate(law, state, joints_, q_, delta_).x();
  }

 private:
  const Linkage& links() const { return step_.trees->linkage; }
  bool is_linked(int body) const { return step_.trees && step_.trees->linked(body); }
  Vec3 turned_by(std::size_t b, const Vec3& moment) const {
    if (step_.model.bodies[b].particle || moment.isZero(0)) return Vec3::Zero();
    return step_.model.bodies[b].inertia.inverse() * (q_.R[b].transpose() * moment);
  }

  const Replay& step_;
  const Placement& q_;
  Posture at_;
  TreeMass mass_;
  Pushes sum_, unit_;
  VectorXd joints_;
  Speeds delta_;
};

double weight_of(double stiffness) { return stiffness > 0 ? 1 / std::sqrt(stiffness) : 0; }

const JointLaw* find_law(const Trees& trees, const ContactRecord& record) {
  for (const JointLaw& law : trees.laws) {
    if (static_cast<int>(law.kind) == record.shape_a && law.index == record.shape_b) return &law;
  }
  return nullptr;
}

/// How far free bodies may overlap where a repetition ends, in parts of the tolerance τ of the gap. The first lifts
/// what overlaps by more than τ to zero and keeps the others from overlapping by 3/4; each further one, which mends
/// what the linearisation of the one before missed, leaves those where that left them, and half of the rest to these:
///   0, 3/4;   3/4, 7/8;   7/8, 15/16;  ...
double allowed_overlap(const ContactRecord& record, double tau) {
  const bool deep = record.gap < -tau;
  if (record.round == 1) return deep ? 0 : 0.75 * tau;
  return tau - std::pow(0.5, deep ? record.round : record.round + 1) * tau;
}

bool closes_loops(const Trees& trees) {
  return std::any_of(trees.laws.begin(), trees.laws.end(), [](const JointLaw& law) { return law.is_bond(); });
}

}  // namespace

/// Nothing binds or draws the bodies but contacts, rods and forces: joints, if there are any, hold nothing.
bool Replay::all_free() const {
  if (!trees) return true;
  const auto& linked = trees->linkage.linked;
  return std::find(linked.begin(), linked.end(), true) == linked.end() && model.loops.empty() &&
         model.connects.empty() && model.welds.empty() && model.springs.empty();
}

/// A tenth of the tolerance of the run, times the smaller body.
double Replay::gap_tolerance(const ContactView& contact) const {
  return 0.1 * tol * pair_size(contact.body_a, contact.body_b);
}

/// With trees that close no loops: it presses in this step, Λ_N > 0, and is closed where its repetition starts, within
/// a hundred times the tolerance of its gap. Where a coupling or closure of the scene binds trees, whether or not its Π
/// act in this step, contacts only push.
bool Replay::stands(const ContactView& lifted) const {
  const ContactRecord& own = *lifted.record;
  if (!trees || closes_loops(*trees) || lifted.bond || own.mode == Mode::settled) return false;
  if (!(lifted.mid.gap <= closed_by * gap_tolerance(lifted) * (1 + 1e-6) + 1e-15 * (1 + own.point.norm())))
    return false;
  return std::any_of(record.contacts.begin(), record.contacts.end(), [&](const ContactRecord& contact) {
    return !is_lift(contact.mode) && contact.shape_a == own.shape_a && contact.shape_b == own.shape_b &&
           contact.feature_id == own.feature_id && contact.Lambda.x() > 0;
  });
}

/// A nudge is for trees that close no loops and nothing else.
bool Replay::may_be_nudged() const {
  if (!trees || closes_loops(*trees) || !model.rods.empty() || trees->linkage.part) return false;
  return std::all_of(trees->linkage.linked.begin(), trees->linkage.linked.end(), [](char linked) { return linked; });
}

/// Where the step's own problem has the law of a nudge; infinitely far off where it has none, or the gap is too large.
const LocalView* Replay::acting_view(const ContactView& lifted, double& off) const {
  const ContactRecord& own = *lifted.record;
  off = std::numeric_limits<double>::infinity();
  for (const ContactView& contact : contacts) {
    const ContactRecord& r = *contact.record;
    if (r.shape_a != own.shape_a || r.shape_b != own.shape_b || r.feature_id != own.feature_id) continue;
    const double deepest = nudge_reach * pair_size(contact.body_a, contact.body_b);
    if (lifted.mid.gap >= -deepest * (1 + 1e-6) - 1e-15 * (1 + own.point.norm())) off = 0;
    return &contact.mid;
  }
  return nullptr;
}

void Replay::replay_repetition(std::span<const ContactRecord* const> records) {
  lifts.push_back({q_lifted, {}, 0, {}, records.front()->mode == Mode::settled});
  Lift& lift = lifts.back();
  const auto refute = [&lift](const std::string& why) {
    lift.gap_off = std::numeric_limits<double>::infinity();
    lift.gap_where = why;
  };
  const bool nudges = records.front()->mode == Mode::nudged && may_be_nudged();
  if (!nudges && records.front()->mode == Mode::nudged) refute("a nudge of what is more than trees");
  const VectorXd added =
      nudges ? VectorXd(0.5 * dt * implicit_part(trees->linkage, controls, dt, trees->q_k, trees->v_k)) : VectorXd();
  Lifting lifting(*this, nudges ? q_m : lift.q, nudges ? trees->q_m : tree_lifted, added);
  std::vector<LocalView> acting;  // of the contacts, where they push
  const std::size_t first = projected.size();
  std::vector<std::pair<const JointLaw*, JointLawState>> limits;
  for (const ContactRecord* entry : records) {
    if (entry->shape_a >= -2) {
      ContactView contact = rebuild(*entry, 0, 0);
      contact.mid = view_of(*entry, contact.body_a, contact.body_b, lift.q, entry->t1);
      contact.lift = lifts.size() - 1;
      acting.push_back(contact.mid);
      acting.back().point = entry->point, acting.back().F.col(0) = entry->n;
      if (nudges) {
        double off = 0;
        const LocalView* own = acting_view(contact, off);
        if (own) acting.back() = *own;
        if (off > 0) refute(contact.name + (own ? " (too far for a nudge)" : " (nudged, and not of the step)"));
      }
      lifting.push(contact.body_a, acting.back().point, -entry->Pi.x() * acting.back().F.col(0));
      lifting.push(contact.body_b, acting.back().point, entry->Pi.x() * acting.back().F.col(0));
      projected.push_back(std::move(contact));
      continue;
    }
    const JointLaw* law = trees ? find_law(*trees, *entry) : nullptr;
    if (!law) {
      refute(fmt::format("law ({}, {}) is not in the scene", entry->shape_a, entry->shape_b));
      continue;
    }
    JointLawState state = look_at(trees->linkage, *law, tree_lifted, lift.q);
    const double off = std::abs(entry->gap - state.gap.x()) / (1 + tree_lifted.lpNorm<Eigen::Infinity>());
    if (!(off <= lift.gap_off)) lift.gap_off = off, lift.gap_where = law->name;
    if (nudges) {
      const bool acts = std::any_of(trees->views.begin(), trees->views.end(),
                                    [law](const JointLawView& view) { return view.law == law; });
      const double deepest = nudge_reach * std::min(1.0, length_scale) * (1 + 1e-6) + 1e-15;
      if (!acts || !law->is_limit()) refute(law->name + " (nudged, and not of the step)");
      if (!(state.gap.x() >= -deepest)) refute(law->name + " (too far for a nudge)");
      const Vec3 gap = state.gap;
      state = look_at(trees->linkage, *law, trees->q_m, q_m);
      state.gap = gap;
    }
    lifting.push(*law, state, entry->Pi);
    if (!law->is_limit()) continue;  // `gap` asks for the end of bonds
    limits.emplace_back(law, state);
    lift.views.push_back({entry, true, false, state.gap.x(), 0, weight_of(lifting.stiffness(*law, state)), law->name});
  }
  lifting.solve();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto& [law, state] = limits[i];
    lift.views[i].gap_end = state.gap.x() + lifting.opening(*law, state);
  }
  for (std::size_t i = first; i < projected.size(); ++i) {
    const ContactView& contact = projected[i];
    const ContactRecord& r = *contact.record;
    const Vec3 point = acting[i - first].point, n = acting[i - first].F.col(0);
    const bool exact = contact.bond || lift.settling || !all_free();
    const double slack = exact ? 0 : allowed_overlap(r, gap_tolerance(contact));
    lift.views.push_back({&r, !contact.bond, stands(contact), contact.mid.gap + slack,
                          contact.mid.gap + slack + lifting.opening(contact.body_a, contact.body_b, point, n),
                          weight_of(lifting.stiffness(contact.body_a, contact.body_b, point, n)), contact.name});
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    q_lifted.x[b] += lifting.shift(b);
    q_lifted.R[b] = lift.q.R[b] * cayley(lifting.turn(b));
  }
  if (!trees) return;
  tree_lifted = trees->linkage.shift(tree_lifted, lifting.joints());
  Posture links;
  trees->linkage.place(tree_lifted, links);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (trees->linkage.linked[b]) q_lifted.x[b] = links.x[b], q_lifted.R[b] = links.R[b];
  }
}

/// All repetitions, of the settling or of the projection, from where q_lifted and tree_lifted are.
void Replay::replay_lifts(bool settling) {
  std::vector<const ContactRecord*> records;
  for (const ContactRecord& contact : record.contacts) {
    const bool of_coordinates = coordinates && contact.shape_a == -2;
    const bool own = is_lift(contact.mode) && (contact.mode == Mode::settled) == settling;
    if (own && !of_coordinates) records.push_back(&contact);
  }
  std::int32_t round = 0;
  for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
    const ContactRecord& first = *records[begin];
    while (end < records.size() && records[end]->round == first.round && records[end]->mode == first.mode) ++end;
    replay_repetition(std::span(records).subspan(begin, end - begin));
    if (records[begin]->round != ++round) rounds_in_order = false;
  }
}

/// Where the scene puts its bodies and joints.
void Replay::place_scene(Placement& q, VectorXd& tree) const {
  q = q_k;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    q.R[b] = model.bodies[b].X_WB.R.normalized().toRotationMatrix();
    q.x[b] = model.bodies[b].X_WB.p + q.R[b] * model.bodies[b].com;
  }
  if (!trees) return;
  tree = trees->q_k;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const int at = trees->linkage.of_joint[j].q;
    for (std::size_t k = 0; at >= 0 && k < model.joints[j].q.size(); ++k) {
      tree[at + static_cast<int>(k)] = model.joints[j].q[k];
    }
  }
  for (Eigen::Index k = 0, n = trees->linkage.part_size(); k < n; ++k) {
    tree[tree.size() - n + k] = model.lagrangian->q[static_cast<std::size_t>(k)];
  }
}

void Replay::replay_projection() {
  projected.clear();
  lifts.clear();
  rounds_in_order = true;
  for (const ContactRecord& contact : record.contacts) {
    const bool bare = contact.round == 0 && (contact.Pi.isZero(0) || contact.mode == Mode::wedged);
    if (!is_lift(contact.mode) && !bare) rounds_in_order = false;
    if (contact.mode == Mode::settled && record.step != 0) rounds_in_order = false;
  }
  if (record.step == 0) {
    place_scene(q_lifted, tree_lifted);
    replay_lifts(true);
    q_start = q_lifted, tree_start = tree_lifted;
  }
  q_lifted = q_star;
  if (trees) tree_lifted = trees->q_star;
  replay_lifts(false);
}

}  // namespace vinculum::checks
