// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/lagrangian_laws.hpp"

#include "vinculum/convex/scaled.hpp"
#include "vinculum/potentials/kink.hpp"
#include "vinculum/principles/level_problem.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrators {

using parts::Role;
using parts::RowLaw;
using principles::Block;
using principles::BlockKind;
using principles::rows_of;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double closed_factor = 4;  // a distance below so many tau_g counts as none

/// Adds a law with a block of its own rows (and those of its friction).
void add(LawPart part, const RowLaw& law, const RowLaw* friction, Block block, LawParts& out) {
  part.block = static_cast<int>(out.blocks.size());
  part.row = static_cast<int>(out.rows.size());
  out.blocks.push_back(std::move(block));
  for (int k = 0; k < law.rows; ++k) out.rows.push_back(law.first + k);
  for (int k = 0; friction && k < friction->rows; ++k) out.rows.push_back(friction->first + k);
  out.parts.push_back(std::move(part));
}

void add_contact(const parts::Lagrangian& part, LawPart own, const RowsView& rows, LawParts& out) {
  const RowLaw& law = part.laws()[own.law];
  const RowLaw* friction = law.friction < 0 ? nullptr : &part.laws()[static_cast<std::size_t>(law.friction)];
  auto gather = [&](const VectorXd& all) {
    Vec3 v(all[law.first], 0, 0);
    if (friction) v.segment(1, friction->rows) = all.segment(friction->first, friction->rows);
    return v;
  };
  NodeView view;
  view.gap_node = rows.x_k[law.first];
  view.gap_mid = rows.x_m[law.first];
  view.gamma_node = gather(rows.gamma_k);
  view.gamma_minus = gather(rows.gamma_minus);
  view.beta = gather(rows.beta);
  own.mode = decide_mode(view, rows.dt, law.e, rows.thresholds);
  own.offset = law_offset(view, own.mode, rows.dt, law.e, 0, rows.thresholds);
  Block block;
  block.rows = 1 + (friction ? friction->rows : 0);
  block.kind = friction ? BlockKind::coulomb : BlockKind::box;
  block.upper[0] = infinity;
  block.mu = friction ? friction->mu : 0;
  add(std::move(own), law, friction, block, out);
}

void add_bond(const RowLaw& law, LawPart own, const RowsView& rows, LawParts& out) {
  own.mode = Mode::bond;
  own.offset = rows.beta.segment(law.first, law.rows);
  Block block;
  block.rows = law.rows;
  block.lower.setConstant(-infinity);
  block.upper.setConstant(infinity);
  add(std::move(own), law, nullptr, block, out);
}

void add_rate_force(const RowLaw& law, LawPart own, const RowsView& rows, const VectorXd& mean, const VectorXd& after,
                    LawParts& out) {
  const convex::Vec rest = convex::Vec::Zero(law.rows);
  convex::SetPtr set = law.law->gradient_set(rest);
  if (set->is_point()) {  // smooth: a given force at the mean velocity
    out.given.segment(law.first, law.rows) = -rows.dt * law.law->gradient_set(rows_of(law, mean))->least();
    out.parts.push_back(std::move(own));
    return;
  }
  if (!law.law->is_homogeneous() && set->is_bounded()) {  // the size of the force at γ⁺, as a bound of friction
    const convex::SetPtr there = law.law->gradient_set(rows_of(law, after));
    if (there->is_point()) set = convex::make_ball(rest, there->least().norm());
  }
  const bool sticks = rows_of(law, rows.gamma_k).norm() <= rows_of(law, rows.beta).norm() + rows.thresholds.tau_v;
  own.offset = VectorXd::Zero(law.rows);
  if (sticks) own.offset = rows.beta.segment(law.first, law.rows);
  add(std::move(own), law, nullptr, principles::make_block(convex::make_scaled(set, rows.dt)), out);
}

void add_gap_force(const RowLaw& law, LawPart own, const RowsView& rows, LawParts& out) {
  const auto r = law.first;
  const double dt = rows.dt, tau_g = rows.thresholds.tau_g, end = rows.x_m[r] + 0.5 * dt * rows.gamma_free[r];
  const auto [low, high] = std::minmax({rows.x_k[r], rows.x_m[r], rows.x_e[r], end});
  const auto kink = potentials::find_kink(*law.law, low - tau_g, high + tau_g);
  if (!kink) {
    out.given[r] = -dt * law.law->gradient_set(convex::vec(rows.x_m[r]))->least()[0];
    out.parts.push_back(std::move(own));
    return;
  }
  own.kink = true;
  const bool rests = std::abs(rows.x_k[r] - kink->x) <= closed_factor * tau_g &&
                     std::abs(rows.gamma_k[r]) <= rows.thresholds.tau_v + 2 * std::abs(rows.beta[r]);
  const double offset = rests ? rows.beta[r] : (rows.x_m[r] - kink->x) / dt + 0.75 * rows.beta[r];
  own.offset = VectorXd::Constant(1, offset);
  Block block;
  block.lower[0] = -dt * kink->slope_after;
  block.upper[0] = -dt * kink->slope_before;
  add(std::move(own), law, nullptr, block, out);
}

}  // namespace

void demand_steppable(const parts::Lagrangian& part) {
  for (const RowLaw& law : part.laws()) {
    if (law.role != Role::gap_force) continue;
    const bool everywhere = law.rows == 1 && std::isfinite(law.law->potential(convex::vec(1))) &&
                            std::isfinite(law.law->potential(convex::vec(-1)));
    if (everywhere && law.law->is_regular()) continue;
    throw base::InputError(
        law.place, law.path + ".type", fmt::format("\"{}\" on {} rows", law.type, law.rows),
        "a law that can be stepped in time: a contact, a bond, or a regular potential of one row that "
        "is finite everywhere");
  }
}

void ask_laws(const parts::Lagrangian& part, const RowsView& view, const std::vector<char>& active,
              const VectorXd& mean, const VectorXd& after, LawParts& out) {
  out.parts.clear();
  out.blocks.clear();
  out.rows.clear();
  out.given = VectorXd::Zero(part.rows());
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const RowLaw& law = part.laws()[i];
    LawPart own;
    own.law = i;
    switch (law.role) {
      case Role::contact:
        if (active[i]) add_contact(part, std::move(own), view, out);
        break;
      case Role::bond:
        add_bond(law, std::move(own), view, out);
        break;
      case Role::gap_force:
        add_gap_force(law, std::move(own), view, out);
        break;
      case Role::rate_force:
        add_rate_force(law, std::move(own), view, mean, after, out);
        break;
      case Role::coupled:  // with its contact
        break;
    }
  }
}

}  // namespace vinculum::integrators
