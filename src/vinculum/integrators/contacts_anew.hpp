// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The contacts that were found at q_m, seen from another configuration of the same step. Features that stay the right
// ones are evaluated there; other pairs are searched anew, unless something cheaper shows that they are apart:
//   a bound        distance(q) >= distance(q_m) − what the points of both bodies moved, or those of one as seen from
//                  the other
//   a direction    convex bodies overlap by at most h_a(n) + h_b(−n), h the support function, whatever their features
#pragma once

#include "vinculum/integrators/integrator.hpp"

namespace vinculum::integrators {

class ContactsAnew {
 public:
  ContactsAnew(const system::System& system, double tol) : system_(system), tol_(tol) {}

  /// Looks at pairs of `candidates`, found at q_m with these margins. All three must stay as they are. `repeated`: the
  /// candidates are those of the last call.
  void begin(const system::Configuration& q_m, const collide::ContactSet& candidates, const std::vector<double>& margin,
             bool repeated);
  /// The contacts at q that overlap by more than the tolerance, or all within the reach of `take`, in the order of the
  /// candidates.
  void find(const system::Configuration& q, collide::ContactSet& out);
  /// From now on, until `begin`, contacts with a gap of at most `widest` are found.
  void take(double widest) {
    widest_ = widest;
    looked_ = false;
  }

  // Pair by pair, after `find`.
  std::size_t pair_count() const { return pairs_.size(); }
  int body_a(std::size_t pair) const { return pairs_[pair].body_a; }
  int body_b(std::size_t pair) const { return pairs_[pair].body_b; }
  /// By more than the tolerance.
  bool overlaps(std::size_t pair) const { return pairs_[pair].overlaps; }
  /// Bound on the distance of a pair, from below; of one that overlaps within its tolerance it is negative.
  double apart(std::size_t pair) const { return pairs_[pair].apart; }
  /// Its contacts at q_m.
  std::span<const collide::Contact> found(std::size_t pair) const {
    return std::span(*candidates_).subspan(pairs_[pair].begin, pairs_[pair].end - pairs_[pair].begin);
  }
  /// Appends all contacts of a pair at the q of `find`.
  void gather(std::size_t pair, const system::Configuration& q, collide::ContactSet& out) const;

  /// Deepest overlap in the last `find` that no contact shows, because it is within tolerance or because thin bodies
  /// turned through each other: in metres, and in units of the tolerance.
  double depth() const { return depth_; }
  double depth_ratio() const { return depth_ratio_; }
  /// A tenth of the tolerance times the smaller body.
  double tolerance(int body_a, int body_b) const;
  double largest_tolerance() const;  // of the candidates

 private:
  struct Pair {
    std::size_t begin, end;  // its candidates
    int body_a, body_b;
    double gap;     // the smallest of them
    bool lasting;   // its features are the right ones everywhere
    bool rim;       // a cylinder takes part
    bool swept;     // they are those of a first touch: others of the pair may be nearer
    bool overlaps;  // by more than the tolerance
    double apart;   // at the last q, at least
    double depth;   // there, within tolerance or not shown by a contact
  };
  bool is_apart(const collide::Contact& contact, const system::Configuration& q, double distance, double& apart) const;
  double evaluate_again(const Pair& pair, const system::Configuration& q, double move, double widest,
                        collide::ContactSet& out) const;
  void look_at_bodies(const system::Configuration& q);
  bool stays(int body) const { return body == system::world || stays_[static_cast<std::size_t>(body)] != 0; }
  void look_at(Pair& pair, const system::Configuration& q, collide::ContactSet& out);
  void note(Pair& pair, double depth);
  void search(const Pair& pair, const system::Configuration& q, double widest, collide::ContactSet& out) const;
  double reach_of(const Pair& pair) const;
  double moved(const Pair& pair) const;
  double moved_apart(const Pair& pair, const system::Configuration& q) const;
  bool keeps_features(const Pair& pair, double move) const;
  double size(int body_a, int body_b) const;

  const system::System& system_;
  double tol_;
  const system::Configuration* q_m_ = nullptr;
  const collide::ContactSet* candidates_ = nullptr;
  const std::vector<double>* margin_ = nullptr;
  std::vector<Pair> pairs_;
  std::vector<char> takes_part_;      // of each body: in a pair
  std::vector<double> moved_;         // of those: bound on the displacement of their points from q_m
  std::vector<algebra::Quat> turns_;  // and their turns since, world axes
  system::Configuration last_q_;      // of `find` since `begin`
  bool looked_ = false;               // there was one
  std::vector<char> stays_;           // of each body: it is where it was then
  double widest_ = 0, depth_ = 0, depth_ratio_ = 0;
};

/// Bound on the displacement of any point of a body between two configurations.
double displacement(const system::System& system, const system::Configuration& q0, const system::Configuration& q1,
                    std::size_t body);

}  // namespace vinculum::integrators
