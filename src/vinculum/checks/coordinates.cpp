// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/coordinates.hpp"

#include "vinculum/checks/landing.hpp"
#include "vinculum/potentials/kink.hpp"

#include <fmt/core.h>
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::checks {

using parts::Lagrangian;
using parts::Point;
using parts::RowLaw;
using potentials::Level;

namespace {

struct Rows {
  VectorXd x, gamma;
};

Rows look_at(const Lagrangian& part, double t, const VectorXd& q, const VectorXd& u) {
  Point point = part.make_point();
  part.set(t, q, u, point);
  Rows rows;
  part.gaps(point, rows.x);
  part.rates(point, rows.gamma);
  return rows;
}

bool is_contact(const RowLaw& law) { return law.role == parts::Role::contact; }
bool is_bond(const RowLaw& law) { return law.role == parts::Role::bond; }

double size_of(const VectorXd& x) {
  double most = 0;
  for (const double value : x) {
    if (std::abs(value) > most) most = std::abs(value);
  }
  return most;
}

/// Nearest point of the friction cone.
VectorXd onto_cone(const VectorXd& y, double mu) {
  VectorXd z = y;
  const double s = y.tail(y.size() - 1).norm();
  if (s <= mu * y[0]) return z;
  if (mu * s <= -y[0]) return VectorXd::Zero(y.size());
  const double n = (y[0] + mu * s) / (1 + mu * mu);
  z[0] = n;
  z.tail(y.size() - 1) *= mu * n / s;
  return z;
}

}  // namespace

Coordinates::Coordinates(const model::Model& model) : part(*model.lagrangian, model.laws) {}

void Coordinates::load(const trace::Row& before, const trace::Row& after, const integrators::StepRecord& record,
                       double tolerance) {
  t = record.t, dt = record.dt, tol = tolerance;
  q_k = before.lagrangian_q, u_k = before.lagrangian_u, q_1 = after.lagrangian_q, u_1 = after.lagrangian_u;
  bool finite = q_k.allFinite() && u_k.allFinite() && q_1.allFinite() && u_1.allFinite();
  for (const ContactRecord& contact : record.contacts) finite = finite && contact.Lambda.allFinite();
  if (!finite) {  // laws have no answer to that: nothing is looked at but that it fails
    const Eigen::Index n = part.size();
    balance = lift_rest = std::numeric_limits<double>::quiet_NaN();
    balance_where = name() + " (no numbers)";
    lift_off = lift_gap_off = handled = 0, scale = 1, ledger = {};
    laws.clear(), amiss.clear();
    u_mean = VectorXd::Constant(n, balance), x_1 = VectorXd::Constant(part.rows(), balance);
    M = MatrixXd::Identity(n, n), W = MatrixXd::Zero(n, part.rows()), forces = VectorXd::Zero(3 * n);
    Lambda = VectorXd::Zero(part.rows());
    return;
  }
  q_m = q_k + 0.5 * dt * u_k;
  q_e = q_k + dt * u_k;
  q_star = q_m + 0.5 * dt * u_1;
  u_mean = 0.5 * (u_k + u_1);
  const Rows node = look_at(part, t, q_k, u_k), mid = look_at(part, t + 0.5 * dt, q_m, u_k);
  const Rows end = look_at(part, t + dt, q_e, u_k);
  x_k_ = node.x, x_m_ = mid.x, x_e_ = end.x, gamma_k_ = node.gamma, gamma_minus_ = mid.gamma, gamma_e_ = end.gamma;
  gamma_plus_ = look_at(part, t + 0.5 * dt, q_m, u_1).gamma;
  x_1 = look_at(part, t + dt, q_1, u_1).x;
  length = std::max({length, size_of(q_1), size_of(x_1), size_of(q_k)});
  Point point = part.make_point();
  part.set(t + 0.5 * dt, q_m, u_mean, point);
  part.mass(point, M);
  part.directions(point, W);
  part.forces(point, forces);
  find_free();
  rebuild_laws(record);
  const Eigen::Index n = part.size();
  const VectorXd change = M * (u_1 - u_k), push = dt * (forces.head(n) + forces.segment(n, n) + forces.tail(n));
  const VectorXd impulse = W * Lambda;
  const double terms = (M * u_1).norm() + (M * u_k).norm() + push.norm() + (W.cwiseAbs() * Lambda.cwiseAbs()).norm();
  const VectorXd rest = change - push - impulse;
  balance = rest.norm() / std::max(terms, 1e-300);
  Eigen::Index worst = 0;
  rest.cwiseAbs().maxCoeff(&worst);
  balance_where = fmt::format("{} (coordinate {})", name(), part.coordinates()[static_cast<std::size_t>(worst)]);
  find_lift(record);
  book();
}

/// γ at the end of a step without laws, forces taken at the velocity before it.
void Coordinates::find_free() {
  Point point = part.make_point();
  part.set(t + 0.5 * dt, q_m, u_k, point);
  VectorXd before;
  part.forces(point, before);
  const Eigen::Index n = part.size();
  const VectorXd a = M.llt().solve(before.head(n) + before.segment(n, n) + before.tail(n));
  gamma_free_ = gamma_minus_ + dt * (W.transpose() * a);
}

/// Unilateral laws may stay away while the step does not close them; all others act always.
void Coordinates::find_amiss(const std::vector<char>& seen) {
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const RowLaw& law = part.laws()[i];
    if (seen[i] || law.normal >= 0) continue;
    const auto r = law.first;
    if (is_contact(law) && !(std::min(x_e_[r], x_m_[r] + 0.5 * dt * gamma_free_[r]) <= 0)) continue;
    amiss = law.name;
  }
}

void Coordinates::rebuild_laws(const integrators::StepRecord& record) {
  const Eigen::Index n = part.size();
  const VectorXd kick = dt * M.llt().solve(forces.head(n) + forces.segment(n, n) + forces.tail(n));
  double speed = 0;  // with which the rows move, or would without laws
  for (Eigen::Index r = 0; r < part.rows(); ++r) {
    const double gain = W.col(r).dot(kick);
    speed = std::max({speed, std::abs(gamma_k_[r]), std::abs(gamma_minus_[r] + gain), std::abs(gain)});
  }
  tau_v_ = tol * std::max(speed, 1e-300);
  tau_g_ = std::max(dt * tau_v_, 4e-15 * length);
  laws.clear();
  Lambda = VectorXd::Zero(part.rows());
  amiss.clear();
  std::vector<char> seen(part.laws().size(), 0);
  for (const ContactRecord& contact : record.contacts) {
    if (contact.shape_a != -2 || is_lift(contact.mode)) continue;
    const auto i = static_cast<std::size_t>(contact.shape_b);
    if (i >= part.laws().size() || seen[i]) {
      amiss = i < part.laws().size() ? part.laws()[i].name : fmt::format("law {}", contact.shape_b);
      continue;
    }
    seen[i] = 1;
    laws.push_back(rebuild(contact));
    const LawView& view = laws.back();
    Lambda.segment(view.law->first, view.law->rows) = view.Lambda.head(view.law->rows);
    if (view.friction)
      Lambda.segment(view.friction->first, view.friction->rows) = view.Lambda.tail(view.friction->rows);
  }
  find_amiss(seen);
  double c = 0, l = 0, x = 0;
  for (LawView& view : laws) {
    set_law(view);
    const VectorXd own_c = view.xi;  // ξ' is the larger part of c' whenever Λ' is not
    c += view.weight * view.weight * own_c.squaredNorm();
    l += view.Lambda.squaredNorm() / (view.weight * view.weight);
    x += view.weight * view.weight * view.gamma_mean.squaredNorm();
  }
  scale = std::sqrt(std::max({c, l, x, 1e-300}));
}

LawView Coordinates::rebuild(const ContactRecord& record) {
  LawView view;
  const auto i = static_cast<std::size_t>(record.shape_b);
  view.record = &record;
  view.law = &part.laws()[i];
  if (view.law->friction >= 0) view.friction = &part.laws()[static_cast<std::size_t>(view.law->friction)];
  view.name = view.law->name;
  view.gap = view.law->has_gap ? x_m_[view.law->first] : 0;
  const int own = view.law->rows, more = view.friction ? view.friction->rows : 0;
  view.Lambda = record.Lambda.head(own + more);
  auto gather = [&](const VectorXd& rows) {
    VectorXd all(own + more);
    all.head(own) = rows.segment(view.law->first, own);
    if (more) all.tail(more) = rows.segment(view.friction->first, more);
    return all;
  };
  const VectorXd plus = gather(gamma_plus_), minus = gather(gamma_minus_), node = gather(gamma_k_);
  const VectorXd beta = gather(gamma_e_) - minus;
  view.gamma_mean = 0.5 * (plus + minus);
  view.xi = plus;
  const auto r = view.law->first;
  const Mode mode = record.mode;
  if (is_contact(*view.law)) {
    const double tau = tau_v_ + 2 * std::abs(beta[0]);
    auto decide = [&](double slack) {
      const bool closes = std::max(x_k_[r], 0.0) + dt * node[0] < -dt * tau * slack;
      if (closes && minus[0] < 0) return Mode::impact;
      if (x_k_[r] <= tau_g_ * slack && node[0] <= tau * slack) return Mode::held;
      return view.law->e == 1 ? Mode::impact : Mode::landing;
    };
    view.mode_agrees = mode == decide(1) || mode == decide(0.25) || mode == decide(4);
    const double bend = std::abs(beta[0]);  // on a convex surface a step ends with a gap of about bend dt/4
    view.closed = mode != Mode::impact && x_k_[r] <= tau_g_ + bend * dt && std::abs(node[0]) <= tau;
    view.closed_gap = tau_g_ + bend * dt;
    const bool sticks = node.tail(more).norm() <= beta.tail(more).norm() + tau_v_;
    if (mode == Mode::impact) view.xi[0] += view.law->e * minus[0];
    if (mode == Mode::held) view.xi[0] += beta[0];
    if (mode == Mode::landing) view.xi[0] += Landing(x_k_[r], x_m_[r], node[0], beta[0], 0, dt, tau_v_).offset;
    if (mode != Mode::impact && sticks) view.xi.tail(more) += beta.tail(more);
  } else if (is_bond(*view.law)) {
    view.mode_agrees = mode == Mode::bond;
    view.xi += beta;
  } else {
    view.mode_agrees = mode == Mode::acting;
    const bool sticks = node.norm() <= beta.norm() + tau_v_;
    if (view.law->law->level() == Level::velocity && sticks) view.xi += beta;
    view.sticks = sticks && plus.norm() <= beta.norm() + tau_v_;
  }
  return view;
}

/// The natural map of the law's own definition, in unit-free variables.
void Coordinates::set_law(LawView& view) {
  const RowLaw& law = *view.law;
  const auto rows = view.Lambda.size();
  double stiffness = 0;
  const Eigen::LLT<MatrixXd> factor(M);
  auto row = [&](Eigen::Index k) { return k < law.rows ? law.first + k : view.friction->first + k - law.rows; };
  for (Eigen::Index k = 0; k < rows; ++k) {
    const VectorXd column = W.col(row(k));
    stiffness += column.dot(factor.solve(column)) / static_cast<double>(rows);
  }
  view.weight = stiffness > 0 ? 1 / std::sqrt(stiffness) : 1;
  const double d = view.weight;
  const VectorXd y = view.Lambda - d * d * view.xi;
  VectorXd answer = y, nearest = view.Lambda;
  if (is_bond(law)) {
    // any Λ: the answer is y itself, Λ − y = d² ξ
  } else if (is_contact(law) && !view.friction) {
    answer[0] = std::max(0.0, y[0]);
    nearest[0] = std::max(0.0, view.Lambda[0]);
  } else if (is_contact(law)) {  // De Saxcé: Λ = P_K(Λ − ξ − μ|ξ_T| n)
    VectorXd z = y;
    z[0] -= d * d * view.friction->mu * view.xi.tail(rows - 1).norm();
    answer = onto_cone(z, view.friction->mu);
    nearest = onto_cone(view.Lambda, view.friction->mu);
  } else if (law.law->level() == Level::velocity) {
    const convex::Vec rest = convex::Vec::Zero(law.rows);
    const convex::Vec gamma = gamma_plus_.segment(law.first, law.rows);
    convex::SetPtr set = law.law->gradient_set(rest);
    if (set->is_point()) {
      view.sticks = false;
      const convex::Vec mean = view.gamma_mean;
      answer = nearest = -dt * law.law->gradient_set(mean)->least();
    } else {
      if (!law.law->is_homogeneous() && set->is_bounded() && law.law->gradient_set(gamma)->is_point()) {
        set = convex::make_ball(rest, law.law->gradient_set(gamma)->least().norm());
      }
      const convex::Vec more = -view.Lambda * (1.001 / dt);
      view.sticks = view.sticks && set->contains(more, 0);
      answer = -dt * set->project(convex::Vec(-y / dt));
      nearest = -dt * set->project(convex::Vec(-view.Lambda / dt));
    }
  } else {
    view.sticks = false;
    set_gap_force(view, answer, nearest);
  }
  view.defect = (view.Lambda - answer) / d;
  view.distance = (view.Lambda - nearest).norm() / d;
}

/// A force of the gap: −Λ/dt = V'(x_m), or of [V'(x°−), V'(x°+)] where the step can reach a kink x°. Whether it can,
/// and whether the row rests there, is left to the record where it hangs on the last digits.
void Coordinates::set_gap_force(LawView& view, VectorXd& answer, VectorXd& nearest) {
  const auto r = view.law->first;
  const double d = view.weight, end = x_m_[r] + 0.5 * dt * gamma_free_[r], Lambda_r = view.Lambda[0];
  const double low = std::min({x_k_[r], x_m_[r], x_e_[r], end}), high = std::max({x_k_[r], x_m_[r], x_e_[r], end});
  const bool claimed = view.record->feature_id == 1;
  const double band = (claimed ? 4 : 0.25) * tau_g_;
  const auto kink = potentials::find_kink(*view.law->law, low - band, high + band);
  if (claimed != kink.has_value()) view.mode_agrees = false;
  if (!kink) {
    answer[0] = nearest[0] = -dt * view.law->law->gradient_set(convex::vec(x_m_[r]))->least()[0];
    return;
  }
  const auto [least, most] = std::minmax({-dt * kink->slope_after, -dt * kink->slope_before});
  const double beta = gamma_e_[r] - gamma_minus_[r];
  auto rests = [&](double slack) {
    return std::abs(x_k_[r] - kink->x) <= 4 * tau_g_ * slack &&
           std::abs(gamma_k_[r]) <= (tau_v_ + 2 * std::abs(beta)) * slack;
  };
  auto look = [&](bool at_rest) {
    const double xi = gamma_plus_[r] + (at_rest ? beta : (x_m_[r] - kink->x) / dt + 0.75 * beta);
    const double other = std::clamp(Lambda_r - d * d * xi, least, most);
    if (std::abs(Lambda_r - other) > std::abs(Lambda_r - answer[0])) return;
    answer[0] = other;
    view.xi[0] = xi;
  };
  nearest[0] = std::clamp(Lambda_r, least, most);
  answer[0] = std::numeric_limits<double>::infinity();
  for (const double slack : {0.25, 4.0}) look(rests(slack));
}

/// One repetition of the projection from q: q ← q + M⁻¹ W(q) Π with 0 <= x + Wᵀ M⁻¹ W Π ⊥ Π >= 0; bonds = 0, any Π. The
/// run solves it to 1e-10 of the unit-free size; a hundred times that, and what rounding leaves of a gap.
void Coordinates::lift(std::span<const ContactRecord* const> records, VectorXd& q) {
  Point point = part.make_point();
  part.set(t + dt, q, u_1, point);
  VectorXd x;
  MatrixXd W_q;
  part.gaps(point, x);
  part.directions(point, W_q);
  VectorXd Pi = VectorXd::Zero(part.rows());
  for (const ContactRecord* contact : records) {
    const auto i = static_cast<std::size_t>(contact->shape_b);
    if (i >= part.laws().size() || !part.laws()[i].holds_gap()) {
      lift_gap_off = std::numeric_limits<double>::infinity();
      lift_gap_where = fmt::format("law {} keeps no gap", contact->shape_b);
      continue;
    }
    const RowLaw& law = part.laws()[i];
    Pi.segment(law.first, law.rows) += contact->Pi.head(law.rows);
    const double off = std::abs(contact->gap - x[law.first]) / length;
    if (!(off <= lift_gap_off)) lift_gap_off = off, lift_gap_where = law.name;
  }
  const MatrixXd V = M.llt().solve(W_q);
  const VectorXd move = V * Pi;
  double size = 0;
  struct Row {
    double off, weight;
    const RowLaw* law;
  };
  std::vector<Row> rows;
  for (const RowLaw& law : part.laws()) {
    for (int r = law.first; law.holds_gap() && r < law.first + law.rows; ++r) {
      const double d = 1 / std::sqrt(std::max(W_q.col(r).dot(V.col(r)), 1e-300));
      const double push = Pi[r] / d, gap = d * (x[r] + W_q.col(r).dot(move));
      size = std::max({size, std::abs(push), Pi[r] != 0 ? std::abs(d * x[r]) : 0});
      if (Pi[r] != 0) rows.push_back({is_bond(law) ? std::abs(gap) : std::abs(std::min(push, gap)), d, &law});
    }
  }
  for (const Row& row : rows) {
    const double off = row.off / (1e-8 * size + 1e-14 * row.weight * length);
    if (!(off <= lift_off)) lift_off = off, lift_where = row.law->name;
  }
  q += move;
}

/// q* after the recorded repetitions of the projection.
void Coordinates::find_lift(const integrators::StepRecord& record) {
  lift_off = lift_gap_off = 0;
  lift_where = name();
  lift_gap_where.clear();
  VectorXd q = q_star;
  std::vector<const ContactRecord*> records;
  for (const ContactRecord& contact : record.contacts) {
    if (contact.shape_a == -2 && contact.mode == Mode::projected) records.push_back(&contact);
  }
  for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
    while (end < records.size() && records[end]->round == records[begin]->round) ++end;
    lift(std::span(records).subspan(begin, end - begin), q);
  }
  lift_rest = (q_1 - q).lpNorm<Eigen::Infinity>() / length;
}

void Coordinates::book() {
  ledger = {};
  Point point = part.make_point();
  part.set(t, q_k, u_k, point);
  const double T_0 = part.kinetic(point), V_0 = part.potential(point);
  part.set(t + dt, q_1, u_1, point);
  const double T_1 = part.kinetic(point), V_1 = part.potential(point);
  handled = std::abs(T_1 - T_0) + std::abs(V_1 - V_0) + 1e-4 * (std::abs(T_0) + std::abs(T_1)) + 1e-8 * std::abs(V_1);
  for (const LawView& view : laws) {
    const auto own = view.law->rows;
    const double work = view.Lambda.head(own).dot(view.gamma_mean.head(own));
    const double slip =
        view.friction ? view.Lambda.tail(view.friction->rows).dot(view.gamma_mean.tail(view.friction->rows)) : 0;
    handled += std::abs(work) + std::abs(slip);
    ledger.work_friction += slip;
    if (is_contact(*view.law)) {
      ledger.work_impact += work;
    } else if (is_bond(*view.law)) {
      ledger.work_bonds += work;
    } else if (view.law->law->level() == Level::velocity) {
      ledger.work_friction += work;
    }
  }
  part.set(t + 0.5 * dt, q_m, u_mean, point);
  ledger.work_forces = dt * (forces.tail(part.size()).dot(u_mean) + part.drive(point));
  handled += std::abs(ledger.work_forces);
  ledger.kinetic = T_1;
  ledger.potential = V_1;
  ledger.scheme =
      T_1 + V_1 - T_0 - V_0 - ledger.work_forces - ledger.work_impact - ledger.work_friction - ledger.work_bonds;
}

}  // namespace vinculum::checks
