// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/sweep.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

Form form_of(const ScaledProblem& scaled, std::size_t i, RoundBlock& round) {
  const laws::Kind law = scaled.problem->law[i];
  if (law == laws::Kind::unilateral) return Form::unilateral;
  if (law != laws::Kind::coulomb) return Form::other;
  return make_round_block(scaled, i, round) ? Form::round : Form::coulomb;
}

}  // namespace

void Sweeper::prepare(const ScaledProblem& scaled, Order order, int slip_steps) {
  order_ = order;
  if (order == Order::coloured) colouring_.colour_by_nodes(*scaled.problem);
  const std::size_t n = scaled.size();
  SweepBlocks& S = blocks_;
  S.scaled = &scaled;
  S.first_slip_steps = slip_steps;
  S.form.resize(n);
  S.round.resize(n);
  S.A.resize(n);
  S.coulomb.resize(n);
  S.slip.assign(n, 0.0);
  S.z.resize(scaled.nodes());
  S.all_round = true;
  for (std::size_t i = 0; i < n; ++i) {
    S.form[i] = form_of(scaled, i, S.round[i]);
    if (S.form[i] == Form::round) continue;
    S.all_round = false;
    S.A[i].setZero();
    for (int e = scaled.begin(i); e < scaled.end(i); ++e) {
      const Eigen::Map<const contact::JBlock> J(scaled.J_entry(e));
      S.A[i].noalias() += J.lazyProduct(J.transpose());
    }
    if (S.form[i] == Form::coulomb) S.coulomb[i] = laws::make_coulomb_block(S.A[i]);
  }
}

void Sweeper::start(const std::vector<Vec3>& r) {
  blocks_.scaled->impulse_to_nodes(r, z_);
  for (std::size_t a = 0; a < blocks_.z.size(); ++a) {
    for (std::size_t k = 0; k < 3; ++k) {
      blocks_.z[a].linear[k] = z_[6 * a + k];
      blocks_.z[a].angular[k] = z_[6 * a + 3 + k];
    }
  }
}

double Sweeper::sweep(std::vector<Vec3>& r) {
  if (order_ == Order::index) return sweep_in_order(blocks_, r);
  return colouring_.sweep(
      [&](std::span<const int> members, double* change) { sweep_listed(blocks_, members, change, r); });
}

void Sweeper::accelerate(Anderson& anderson, const std::vector<Vec3>& before, std::vector<Vec3>& r) {
  if (r.empty()) return;
  anderson.accelerate(before.data()->data(), r.data()->data(), {blocks_.z.data()->linear, 8 * blocks_.z.size()});
}

}  // namespace vinculum::solvers
