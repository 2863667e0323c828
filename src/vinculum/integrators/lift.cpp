// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/lift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrators {
namespace {

constexpr int most_sweeps = 100, sweeps_per_look = 4;
constexpr double enough = 0.5;  // of the tolerance of a gap: with a larger violation met, the error is not worth asking
constexpr std::size_t part_of_pairs = 2, few_rows = 2000;   // more rows than one pair in so many: the solver is sooner
constexpr double spared = 0.2;                              // of the tolerance
constexpr double near = 0.8;                                // of that room: normals and points are those at q_m
constexpr double least_relaxed = 1.2, most_relaxed = 1.65;  // over-relaxation

/// Young's relation of the rate λ of sweeps over-relaxed by ω to that of Jacobi's, μ:  λ + ω − 1 = ω μ √λ,  and his
/// best ω = 2 / (1 + √(1 − μ²)); exact for chains of bodies, a good guess for heaps. Never less than what it was.
double relax_more(double omega, double rate) {
  if (rate >= 1 || rate <= omega - 1) return omega;
  const double mu = (rate + omega - 1) / (omega * std::sqrt(rate));
  return mu >= 1 ? most_relaxed : std::clamp(2 / (1 + std::sqrt(1 - mu * mu)), omega, most_relaxed);
}

}  // namespace

Allowance allowance(int repetition) {
  return {repetition == 1 ? 0 : 1 - std::ldexp(1, -repetition), 1 - std::ldexp(1, -1 - repetition)};
}

void Lift::begin(const ContactsAnew& anew) {
  const std::size_t bodies = system_.body_count() + 1;
  contacts.clear();
  frames.clear();
  Pi.clear();
  rows_.clear();
  watched_.clear();
  z_.assign(bodies, Vec6::Zero());
  changed_.assign(bodies, 0);
  ways_.assign(bodies, 0);
  clock_ = 1;
  relaxed_ = least_relaxed;
  pairs_.clear();
  const auto place = [&](int body) { return body == system::world ? static_cast<int>(bodies) - 1 : body; };
  for (std::size_t p = 0; p < anew.pair_count(); ++p) {
    const int a = anew.body_a(p), b = anew.body_b(p);
    const double room = anew.apart(p) + allowed_.other * anew.tolerance(a, b);
    pairs_.push_back({place(a), place(b), anew.overlaps(p), room, room});
  }
  list_pairs(bodies);
  reached_.clear();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (!pairs_[p].overlaps) continue;
    pairs_[p].reached = true;
    reached_.push_back(p);
  }
}

/// By body, in order.
void Lift::list_pairs(std::size_t bodies) {
  starts_.assign(bodies + 2, 0);
  for (const Pair& pair : pairs_)
    ++starts_[static_cast<std::size_t>(pair.a) + 2], ++starts_[static_cast<std::size_t>(pair.b) + 2];
  for (std::size_t b = 2; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
  pairs_of_.resize(2 * pairs_.size());
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    pairs_of_[starts_[static_cast<std::size_t>(pairs_[p].a) + 1]++] = p;
    pairs_of_[starts_[static_cast<std::size_t>(pairs_[p].b) + 1]++] = p;
  }
}

/// A body moves for the first time: its pairs are looked at.
void Lift::reach(int body) {
  const auto b = static_cast<std::size_t>(body);
  for (std::size_t k = starts_[b]; k < starts_[b + 1]; ++k) {
    Pair& pair = pairs_[pairs_of_[k]];
    if (pair.reached) continue;
    pair.reached = true;
    reached_.push_back(pairs_of_[k]);
  }
}

/// d·(v + w × r) of one body in mass-weighted coordinates, signed; nothing of the world.
Lift::Vec6 Lift::row_of(int body, const Vec3& n, const Vec3& r, double sign,
                        const std::vector<contact::Mat3>& turn) const {
  Vec6 J = Vec6::Zero();
  if (body == system::world) return J;
  const auto b = static_cast<std::size_t>(body);
  J.head<3>() = sign / std::sqrt(system_.bodies.mass[b]) * n;
  J.tail<3>() = sign * (turn[b].transpose() * r.cross(n));
  return J;
}

/// |δx| + |δθ| size for z = J.
double Lift::way_of(int body, const Vec6& J, const std::vector<contact::Mat3>& turn) const {
  if (body == system::world) return 0;
  const auto b = static_cast<std::size_t>(body);
  return J.head<3>().norm() / std::sqrt(system_.bodies.mass[b]) +
         (turn[b] * J.tail<3>()).norm() * system_.bodies.size[b];
}

void Lift::join(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
                const std::vector<contact::Mat3>& turn) {
  Pair& pair = pairs_[p];
  pair.joined = true;
  pair.begin = rows_.size();
  anew.gather(p, q, contacts);
  for (std::size_t i = frames.size(); i < contacts.size(); ++i) {
    const collide::Contact& contact = contacts[i];
    frames.push_back(contact::make_frame(contact.at, contact.body_a, contact.body_b, q));
    const contact::Frame& frame = frames.back();
    Row& row = rows_.emplace_back();
    row.J_a = row_of(contact.body_a, contact.at.n, frame.r_a, -1, turn);
    row.J_b = row_of(contact.body_b, contact.at.n, frame.r_b, 1, turn);
    row.tolerance = anew.tolerance(contact.body_a, contact.body_b);
    row.c = contact.at.gap + allowed_.of(contact.at.gap, row.tolerance);
    const double G = row.J_a.squaredNorm() + row.J_b.squaredNorm();
    row.inverse = G > 0 ? 1 / G : 0;
    row.way_a = way_of(contact.body_a, row.J_a, turn);
    row.way_b = way_of(contact.body_b, row.J_b, turn);
    Pi.push_back(0);
  }
  pair.end = rows_.size();
}

/// Largest violation that was met, in units of its tolerance.
double Lift::sweep_pair(Pair& pair) {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const std::uint64_t before = ++clock_;
  double worst = 0;
  bool moved = false;
  for (std::size_t i = pair.begin; i < pair.end; ++i) {
    const Row& row = rows_[i];
    const double xi = row.c + row.J_a.dot(z_[a]) + row.J_b.dot(z_[b]);
    worst = std::max(worst, -xi / row.tolerance);
    const double next = std::max(0.0, Pi[i] - relaxed_ * xi * row.inverse), change = next - Pi[i];
    if (change == 0) continue;
    Pi[i] = next;
    z_[a] += change * row.J_a;
    z_[b] += change * row.J_b;
    ways_[a] += std::abs(change) * row.way_a;
    ways_[b] += std::abs(change) * row.way_b;
    moved = true;
  }
  if (moved) {
    if (changed_[a] == 0 && a + 1 < changed_.size()) reach(pair.a);
    if (changed_[b] == 0 && b + 1 < changed_.size()) reach(pair.b);
    changed_[a] = changed_[b] = clock_;
  }
  changed_.back() = 0;                      // the world
  pair.seen = moved ? before - 1 : before;  // what was moved is looked at again: rows of a pair move each other
  return worst;
}

/// The contacts of a pair that were found at q_m, with their points at the present places of the bodies.
void Lift::watch(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
                 const std::vector<contact::Mat3>& turn) {
  Pair& pair = pairs_[p];
  pair.watched = true;
  pair.watched_begin = watched_.size();
  for (const collide::Contact& contact : anew.found(p)) {
    const Vec3 point = 0.5 * (contact.at.p_a + contact.at.p_b);
    const auto row = [&](int body, double sign) {
      const Vec3 r = body == system::world ? Vec3(Vec3::Zero()) : Vec3(point - q.x[static_cast<std::size_t>(body)]);
      return row_of(body, contact.at.n, r, sign, turn);
    };
    watched_.push_back({row(contact.body_a, -1), row(contact.body_b, 1)});
  }
  pair.watched_end = watched_.size();
}

/// How far the bodies of a pair have been moved towards each other.
double Lift::approach(const Pair& pair) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = pair.watched_begin; i < pair.watched_end; ++i) {
    most = std::max(most, -(watched_[i][0].dot(z_[a]) + watched_[i][1].dot(z_[b])));
  }
  return most;
}

/// Have they come as near as their room? If not, they may only after as much more of their ways; a few tenths of a
/// tolerance are left to the look at where the lift ends.
bool Lift::comes_near(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
                      const std::vector<contact::Mat3>& turn) {
  Pair& pair = pairs_[p];
  const double way = ways_[static_cast<std::size_t>(pair.a)] + ways_[static_cast<std::size_t>(pair.b)];
  if (way <= pair.due) return false;
  if (!pair.watched) watch(p, anew, q, turn);
  const double room = pair.room - (1 - near) * std::abs(pair.room), left = room - approach(pair);
  pair.due = way + std::max(left, spared * anew.tolerance(anew.body_a(p), anew.body_b(p)));
  return left <= 0;
}

/// Once over all pairs that are reached; the largest violation that was met, in units of its tolerance.
double Lift::sweep(const ContactsAnew& anew, const system::Configuration& q, const std::vector<contact::Mat3>& turn) {
  double worst = 0;
  for (std::size_t k = 0; k < reached_.size(); ++k) {  // they become more on the way
    Pair& pair = pairs_[reached_[k]];
    const std::uint64_t changed =
        std::max(changed_[static_cast<std::size_t>(pair.a)], changed_[static_cast<std::size_t>(pair.b)]);
    if ((pair.joined || !pair.overlaps) && changed <= pair.seen) continue;
    if (!pair.joined && !pair.overlaps && !comes_near(reached_[k], anew, q, turn)) {
      pair.seen = clock_;
      continue;
    }
    if (!pair.joined) join(reached_[k], anew, q, turn);
    worst = std::max(worst, sweep_pair(pair));
  }
  return worst;
}

/// |natural map| / max(|c|, |Π|) in unit-free variables, the norms over what is lifted.
double Lift::error() const {
  double map = 0, gaps = 0, pushes = 0;
  for (const std::size_t p : reached_) {
    const Pair& pair = pairs_[p];
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    for (std::size_t i = pair.begin; i < pair.end; ++i) {
      const Row& row = rows_[i];
      const double scale = row.inverse, xi = row.c + row.J_a.dot(z_[a]) + row.J_b.dot(z_[b]);
      if (Pi[i] == 0 && (xi >= 0 || scale == 0)) continue;
      const double least = std::min(xi * scale, Pi[i]);  // times 1/√scale
      map += least * least / scale;
      gaps += row.c * row.c * scale;
      pushes += Pi[i] * Pi[i] / scale;
    }
  }
  return map > 0 ? std::sqrt(map / std::max(gaps, pushes)) : 0;
}

bool Lift::solve(const ContactsAnew& anew, const system::Configuration& q, const std::vector<contact::Mat3>& turn,
                 const Allowance& allowed, double tol) {
  allowed_ = allowed;
  begin(anew);
  double last = 0;
  for (int k = 1; k <= most_sweeps; ++k) {
    const bool good = sweep(anew, q, turn) <= enough, look = k % sweeps_per_look == 0;
    if (rows_.size() > std::max(few_rows, pairs_.size() / part_of_pairs)) return false;
    if (!good && !look) continue;
    const double e = error();
    if (e <= tol) return true;
    if (look && last > 0) relaxed_ = relax_more(relaxed_, std::pow(e / last, 1.0 / sweeps_per_look));
    if (look) last = e;
  }
  return false;
}

}  // namespace vinculum::integrators
