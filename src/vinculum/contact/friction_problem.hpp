// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A friction-contact problem as others write it down (FCLIB; Acary, Brémond, Huber, LMGC/Siconos conventions), kept as
// given. dimension d = 2 (plane), 3 (space) or 5 (space with rolling friction); contacts come in blocks of d rows,
// normal first. Laws on each block: explicit_problem.hpp.
//
//   local:   u = W r + V l + q,          0 = Vᵀ r + R l + s
//   global:  M v = H r + G l + f,        u = Hᵀ v + w,          0 = Gᵀ v + b
//
// l are the multipliers of bilateral rows; V, R, s and G, b are empty where there are none.
// Names beside ours (docs/notation.md): W = G, q = c, r = Λ, u = ξ.
#pragma once

#include "vinculum/contact/explicit_problem.hpp"
#include "vinculum/contact/problem.hpp"

#include <Eigen/SparseCore>
#include <string>

namespace vinculum::contact {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// A point: what a solver found, or a guess stored with the problem. Empty parts are not known.
struct Candidate {
  Vector u, r, v, l;
};

struct FrictionProblem {
  enum class Form : std::uint8_t { local, global };

  Form form = Form::local;
  int dimension = 3;
  std::string title, description, math_info;
  Sparse W, V, R;  // local
  Vector q, s;
  Sparse M, H, G;  // global
  Vector f, w, b;
  Vector mu, mu_r;  // one per contact; mu_r only for d = 5
  std::vector<Candidate> guesses;
  Candidate solution;

  std::size_t contacts() const { return static_cast<std::size_t>(mu.size()); }
  bool has_bonds() const { return form == Form::local ? V.cols() > 0 : G.cols() > 0; }
};

/// The contact-space problem in r alone: v and l are eliminated exactly,
///   W = Hᵀ M⁻¹ H,  q = Hᵀ M⁻¹ f + w     and with bonds     W ← W − V R⁺ Vᵀ,  q ← q − V R⁺ s.
/// R⁺ is the inverse, or the pseudo-inverse where bonds are redundant. Throws base::InputError with `name` in front
/// when M is singular.
ExplicitProblem condense(const FrictionProblem& problem, const std::string& name);

/// What follows from r in the equations as given, and how well they hold: u, v, l and the largest relative residual of
/// the balance and of the bonds (rounding, unless bonds contradict each other).
struct Recovered {
  Candidate candidate;
  double balance = 0;  // |M v − H r − G l − f| / max of the norms of its terms; 0 for a local problem
  double bonds = 0;    // |Gᵀ v + b| or |Vᵀ r + R l + s|, over the norms of its terms
};
Recovered recover(const FrictionProblem& problem, const std::vector<double>& r, const std::string& name);

/// Whether row k of block i of a problem of bodies is in use (a rod has one row of three).
bool uses_row(const ContactProblem& problem, std::size_t i, int k);

/// A problem of bodies as a local one: W = J Jᵀ; frictionless blocks have μ = 0 and empty tangent rows, bonds become
/// V, R, s.
FrictionProblem make_local(const ContactProblem& problem);

}  // namespace vinculum::contact
