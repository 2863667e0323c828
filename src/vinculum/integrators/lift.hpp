// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One linearised projection of free bodies, by Gauss–Seidel sweeps over the pairs that it reaches:
//
//   min ½ |z|²  :  c_i + J_i z >= 0,   c_i = g_i + s_i (Allowance),   with z = δq in mass-weighted coordinates
//   z = Jᵀ Π,  Π >= 0,  Π_i (c_i + J_i z) = 0
//   Π_i ← max(0, Π_i − ω (c_i + J_i z) / |J_i|²),   ω grows with the rate that is seen
//
// A pair that does not overlap joins when its bodies have been moved towards each other by as much as they are apart,
// and s more: what is never reached has Π = 0 in the solution too, and costs neither a search nor a row.
// Only pairs of bodies that have moved are looked at, and again only after one of them moved again. So the cost is that
// of the places which overlap, not of the heap.
#pragma once

#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/contacts_anew.hpp"

#include <array>

namespace vinculum::integrators {

/// How far contacts may overlap where a repetition of a lift ends, in parts of the tolerance τ of their gaps: those
/// that overlap by more than τ where it starts (`deep`), and those that only must not come to do so. In a heap
/// everything overlaps within its tolerance; were all that is touched lifted to zero, a lift would go through the whole
/// of it.
struct Allowance {
  double deep = 0, other = 0;
  double of(double gap, double tau) const { return (gap < -tau ? deep : other) * tau; }
};
/// 0 and 3/4 in repetition 1. Those that follow mend what the linearisation missed: 3/4 and 7/8, 7/8 and 15/16, ..., so
/// that what is where the one before left it is not pushed again.
Allowance allowance(int repetition);

class Lift {
 public:
  explicit Lift(const system::System& system) : system_(system) {}

  /// At q, where `anew` looked last; `turn`: contact::make_turns there. To tol in the measure of contact::measure, over
  /// what is lifted. False if many sweeps did not suffice, as in high stacks, or if it spreads over much of a heap.
  bool solve(const ContactsAnew& anew, const system::Configuration& q, const std::vector<contact::Mat3>& turn,
             const Allowance& allowed, double tol);

  // Of the contacts that were reached.
  collide::ContactSet contacts;
  std::vector<contact::Frame> frames;
  std::vector<double> Pi;

 private:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  struct Row {
    Vec6 J_a, J_b;
    double c, inverse, tolerance;  // c: the gap and what may overlap;  inverse: 1/|J|²
    double way_a, way_b;           // how far Π = 1 moves the points of the bodies, at most
  };
  struct Pair {
    int a, b;                        // bodies, the world as one more behind all others
    bool overlaps;                   // at q
    double room;                     // what its bodies may move before it overlaps by what is good enough
    double due;                      // ways of its bodies, from where on it may
    std::size_t begin = 0, end = 0;  // rows
    std::size_t watched_begin = 0, watched_end = 0;
    std::uint64_t seen = 0;
    bool reached = false, watched = false, joined = false;
  };
  void begin(const ContactsAnew& anew);
  void join(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
            const std::vector<contact::Mat3>& turn);
  Vec6 row_of(int body, const Vec3& n, const Vec3& r, double sign, const std::vector<contact::Mat3>& turn) const;
  double way_of(int body, const Vec6& J, const std::vector<contact::Mat3>& turn) const;
  double sweep(const ContactsAnew& anew, const system::Configuration& q, const std::vector<contact::Mat3>& turn);
  double sweep_pair(Pair& pair);
  double error() const;
  void watch(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
             const std::vector<contact::Mat3>& turn);
  double approach(const Pair& pair) const;
  bool comes_near(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
                  const std::vector<contact::Mat3>& turn);
  void list_pairs(std::size_t bodies);
  void reach(int body);

  const system::System& system_;
  Allowance allowed_;
  std::vector<Row> rows_;
  std::vector<std::array<Vec6, 2>> watched_;  // rows of contacts at q_m
  std::vector<Pair> pairs_;
  std::vector<Vec6> z_;
  std::vector<std::size_t> starts_, pairs_of_;  // of each body
  std::vector<std::size_t> reached_;            // pairs that overlap or of which a body has moved
  std::vector<std::uint64_t> changed_;          // when z of a body changed
  std::vector<double> ways_;                    // of each body: bound on the way of its points so far
  std::uint64_t clock_ = 0;
  double relaxed_ = 1;  // ω
};

}  // namespace vinculum::integrators
