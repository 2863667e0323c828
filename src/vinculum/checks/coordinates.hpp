// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The Lagrangian part of a recorded step, rebuilt from (t, q, u), Λ and the scene by the equations of
// integrators/lagrangian_step.hpp written out once more. Formulas and sets come from the model's own definitions
// (parts/, potentials/); nothing of the integrator or of a solver is used.
#pragma once

#include "vinculum/parts/lagrangian.hpp"
#include "vinculum/trace/trace.hpp"

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

namespace vinculum::checks {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using integrators::ContactRecord;
using integrators::Mode;

/// One law that took part in the step.
struct LawView {
  const parts::RowLaw* law = nullptr;
  const parts::RowLaw* friction = nullptr;  // coupled to it
  const ContactRecord* record = nullptr;
  VectorXd Lambda, xi, gamma_mean;  // rows of the law, then of its friction
  double weight = 1;                // d = (tr G_ii / rows)^(-1/2): Λ/d and d ξ are of one unit
  VectorXd defect;                  // natural map Λ' − P(Λ' − ξ')
  double distance = 0;              // of Λ' from its admissible set
  bool mode_agrees = true;
  bool closed = false;    // contact that neither closes nor opens at the node, up to the bend of its surface in a step
  double closed_gap = 0;  // what counts as closed there
  bool sticks = false;    // friction whose rate vanishes and whose force is inside its set: the rate must stay 0
  double gap = 0;         // at q_m; 0 without one
  std::string name;
};

struct Coordinates {
  explicit Coordinates(const model::Model& model);
  void load(const trace::Row& before, const trace::Row& after, const integrators::StepRecord& record, double tolerance);

  parts::Lagrangian part;
  double t = 0, dt = 0, tol = 0;
  VectorXd q_k, u_k, q_m, q_e, q_star, q_1, u_1, u_mean;
  MatrixXd M, W;                      // at q_m
  VectorXd forces;                    // h, −∂U/∂q, F at (q_m, ū)
  VectorXd Lambda;                    // all rows
  double balance = 0, lift_rest = 0;  // relative; what the recorded Π do not explain of q_{k+1}
  double lift_off = 0;                // the projection's complementarity, in units of its tolerance
  double lift_gap_off = 0;            // recorded gaps of the projection, relative
  std::string lift_where, lift_gap_where;
  double scale = 0;  // of the laws: max(|c'|, |Λ'|, |ξ'|)
  std::vector<LawView> laws;
  VectorXd x_1;            // gaps at the end of the step
  double length = 1e-300;  // of the coordinates and gaps, the largest so far
  std::string amiss;       // a law that must act and was not recorded, or was recorded twice; empty: none
  integrators::Ledger ledger;
  double handled = 0;  // energy that the step handles
  std::string name() const { return "lagrangian"; }
  std::string balance_where;  // its name and the coordinate that is worst balanced

 private:
  void rebuild_laws(const integrators::StepRecord& record);
  LawView rebuild(const ContactRecord& record);
  void find_free();
  void find_amiss(const std::vector<char>& seen);
  void set_law(LawView& view);
  void set_gap_force(LawView& view, VectorXd& answer, VectorXd& nearest);
  void find_lift(const integrators::StepRecord& record);
  void lift(std::span<const ContactRecord* const> records, VectorXd& q);
  void book();

  VectorXd x_k_, x_m_, x_e_, gamma_k_, gamma_minus_, gamma_e_, gamma_plus_, gamma_free_;
  double tau_v_ = 0, tau_g_ = 0;
};

}  // namespace vinculum::checks
