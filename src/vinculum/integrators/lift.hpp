// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One linearised projection of free bodies, by Gauss–Seidel sweeps over the pairs that it reaches:
//
//   min ½ |z|²  :  g_i + J_i z >= 0,   with z = δq in mass-weighted coordinates
//   z = Jᵀ Π,  Π >= 0,  Π_i (g_i + J_i z) = 0
//   Π_i ← max(0, Π_i − ω (g_i + J_i z) / |J_i|²),   ω grows with the rate that is seen
//
// A pair that does not overlap joins when its bodies have been moved towards each other by as much as they are apart,
// and half a tolerance more: what is never reached has Π = 0 in the solution too, and costs neither a search nor a row.
// Only pairs of bodies that have moved are looked at, and again only after one of them moved again. So the cost is that
// of the places which overlap, not of the heap.
#pragma once

#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/contacts_anew.hpp"

namespace vinculum::integrators {

class Lift {
 public:
  explicit Lift(const system::System& system) : system_(system) {}

  /// At q, where `anew` looked last; `turn`: contact::make_turns there. To tol in the measure of contact::measure, over
  /// what is lifted; elsewhere half the tolerance of a gap is good enough. False if many sweeps did not suffice, as in
  /// high stacks, or if it spreads over much of a heap.
  bool solve(const ContactsAnew& anew, const system::Configuration& q, const std::vector<contact::Mat3>& turn,
             double tol);

  // Of the contacts that were reached.
  collide::ContactSet contacts;
  std::vector<contact::Frame> frames;
  std::vector<double> Pi;

 private:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  struct Row {
    Vec6 J_a, J_b;
    double gap, inverse, tolerance;  // inverse: 1/|J|²
    double way_a, way_b;             // how far Π = 1 moves the points of the bodies, at most
  };
  struct Pair {
    int a, b;                        // bodies, the world as one more behind all others
    bool overlaps;                   // at q
    double room;                     // what its bodies may move before it overlaps by what is good enough
    double due;                      // ways of its bodies, from where on it may
    std::size_t begin = 0, end = 0;  // rows
    std::uint64_t seen = 0;
    bool reached = false, joined = false;
  };
  void begin(const ContactsAnew& anew);
  void join(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
            const std::vector<contact::Mat3>& turn);
  Vec6 row_of(int body, const Vec3& n, const Vec3& r, double sign, const std::vector<contact::Mat3>& turn) const;
  double way_of(int body, const Vec6& J, const std::vector<contact::Mat3>& turn) const;
  double sweep(const ContactsAnew& anew, const system::Configuration& q, const std::vector<contact::Mat3>& turn);
  double sweep_pair(Pair& pair);
  double error() const;
  double approach(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
                  const std::vector<contact::Mat3>& turn) const;
  bool comes_near(std::size_t p, const ContactsAnew& anew, const system::Configuration& q,
                  const std::vector<contact::Mat3>& turn);
  void list_pairs(std::size_t bodies);
  void reach(int body);

  const system::System& system_;
  std::vector<Row> rows_;
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
