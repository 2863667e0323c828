// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the laws of a Lagrangian part ask of their rows in one step, γ⁺ = γ(t_m, q_m, u_{k+1}), Λ an impulse:
//
//   contact        impact, held, landing: modes.hpp, with Newton's e; coupled friction on the rows below it
//   bond           ξ = γ⁺ + β = 0: the row turned to the node at the end of the step
//   gap force      −Λ/dt = V'(x_m); where V has a kink x° that the row can reach in this step,
//                  −Λ/dt ∈ [V'(x°−), V'(x°+)]: it may stay there, with ξ = γ⁺ + β if it rests at x° already,
//                  ξ = γ⁺ + (x_m − x°)/dt + 3/4 β if it arrives: x° is reached at the next midpoint. Asked of the next
//                  node instead, the rate would change its sign in every step for ever.
//   rate force     dry friction: −ξ ∈ N_{dt C}(Λ), ξ = γ⁺ (+ β while it sticks), C = −∂Φ(0);
//                  smooth: −Λ/dt = ∇Φ(γ̄); with a kink at rest (Stribeck) |Λ| <= dt |∂Φ(γ⁺)| as for friction
#pragma once

#include "vinculum/integrators/modes.hpp"
#include "vinculum/principles/small_problem.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum::integrators {

using Eigen::VectorXd;

/// The rows of all laws in a step, as far as u_{k+1} does not matter.
struct RowsView {
  double dt = 0;
  VectorXd x_k, x_m, x_e;                     // gaps at node, midpoint, predicted end
  VectorXd gamma_k, gamma_minus, gamma_free;  // at the node; at q_m with u_k, and with forces but no laws
  VectorXd beta;                              // turning of the rates to the end
  Thresholds thresholds;
};

/// How one law takes part.
struct LawPart {
  std::size_t law = 0;
  Mode mode = Mode::acting;
  bool kink = false;
  VectorXd offset;  // ξ − γ⁺
  int block = -1;   // −1: a given impulse
  int row = 0;      // first row of it in the problem
};

struct LawParts {
  std::vector<LawPart> parts;
  std::vector<principles::Block> blocks;
  std::vector<int> rows;  // problem row -> row of the laws
  VectorXd given;         // impulses of laws without a choice, over all rows

  int rows_of(const LawPart& part, const parts::RowLaw& law) const {
    return part.block < 0 ? law.rows : blocks[static_cast<std::size_t>(part.block)].rows;
  }
};

/// Throws base::InputError for a law that none of the lines above speaks of.
void demand_steppable(const parts::Lagrangian& part);

/// All laws, contacts only where `active`; `mean` and `after` are the last iterates of γ(q_m, ū) and γ⁺.
void ask_laws(const parts::Lagrangian& part, const RowsView& view, const std::vector<char>& active,
              const VectorXd& mean, const VectorXd& after, LawParts& out);

}  // namespace vinculum::integrators
