// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep (sweep.hpp) reads and writes, laid out for four doubles at a time, and the loops over it. The loops are
// compiled once for each kind of processor and chosen at run time: a machine gives the same bits for any number of
// threads, machines with and without fused multiply-add differ by rounding.
#pragma once

#include "vinculum/laws/coulomb.hpp"
#include "vinculum/solvers/round_block.hpp"
#include "vinculum/solvers/scaled.hpp"

namespace vinculum::solvers {

/// z of one node: linear and angular part, each with a fourth number that stays zero.
struct alignas(64) NodeImpulse {
  double linear[4] = {}, angular[4] = {};
};

enum class Form : std::uint8_t { round, coulomb, unilateral, other };

struct SweepBlocks {
  const ScaledProblem* scaled = nullptr;
  std::vector<Form> form;
  std::vector<RoundBlock> round;  // of those blocks that are: nothing else is read of them
  std::vector<laws::Mat3> A;
  std::vector<laws::CoulombBlock> coulomb;
  std::vector<double> slip;
  std::vector<NodeImpulse> z;
  bool all_round = false;
  int first_slip_steps = 100;  // Newton steps on an unknown λ
};

/// Blocks [0, n) in turn; returns |Δr|².
double sweep_in_order(SweepBlocks& blocks, std::vector<Vec3>& r);

/// The listed blocks, of which no two share a node; change[k] = |Δr|² of the k-th.
void sweep_listed(SweepBlocks& blocks, std::span<const int> listed, double* change, std::vector<Vec3>& r);

}  // namespace vinculum::solvers
