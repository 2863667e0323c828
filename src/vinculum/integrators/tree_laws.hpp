// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws on the coordinates of trees and between bodies that are no contacts, as blocks of a step:
//
//   limit      g = x − lower, or upper − x;  γ = ±ẋ                             unilateral, modes as for contacts
//   angle      g = upper − θ, θ the angle of a ball's rotation;  γ = −e·w, e its axis      unilateral, likewise
//   friction   γ = ẋ                                                            dry, |Λ| ≤ dt friction
//   spring     g = l − rest, l = |x_B − x_A|;  γ = l̇                             compliant bond, 1 row, see below
//   coupling   g = x_a − P(x_b);  γ = ẋ_a − P'(x_b) ẋ_b                          bond, 1 row
//   points     g = x_B − x_A of the two points;  γ = Fᵀ (their relative velocity)          bond, 1 to 3 rows
//   cut_...    limits and friction as above, x = angle of b against a about u, or u·d;  γ = ±u·(w_b − w_a), ±d/dt(u·d)
//   turning    g = rotation of b against a;  γ = Nᵀ(w_b − w_a)                    bond, 1 to 3 rows
// Rows of the last two by what the closure leaves free (system/forest.hpp), with d = x_B − x_A, u, n₁, n₂ the axis and
// its normals in a, u_b and w_b the two axes in b:
//   sliding none     d in world axes                              turning none       twice the vector part of b in a
//           line     n₁·d, n₂·d                                           axis       n₁·(u × u_b), n₂·(u × u_b)
//           plane    u·d                                                  two_axes   u·w_b − the same at the start
//           thread   n₁·d, n₂·d, u·d − pitch φ, φ the turn of b about u, to the nearest multiple of 2π
// Where the point slides, its velocity is that of both bodies at x_B: d/dt(n·d) = n·(ẋ_B − ẋ_A − w_a × d).
//
// A spring f = −k g − c ġ is taken at the means of the midpoint rule, ḡ = g_m + dt/4 (γ⁺ − γ⁻), γ̄ = (γ⁻ + γ⁺)/2:
//   Λ = −dt (k ḡ + c γ̄)   ⇔   γ⁺ + Λ/κ + γ₀ = 0,    κ = dt (c/2 + k dt/4),   κ γ₀ = dt (k (g_m − dt/4 γ⁻) + c/2 γ⁻)
// a bond with compliance 1/κ: G + 1/κ instead of G. So that G = J Jᵀ stays, the block has one node more, on which no
// other block acts, with the entry κ^(−1/2). However stiff the spring, the step stays stable; along a line its energy
// is kept exactly, because then ḡ is the mean of g at the two ends of the step.
#pragma once

#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/modes.hpp"
#include "vinculum/motion/forest.hpp"

#include <vector>

namespace vinculum::integrators {

/// A law at one configuration.
struct TreeLaw {
  enum class Kind : std::uint8_t {
    lower,
    upper,
    friction,
    coupling,
    points,
    turning,
    spring,
    angle,
    cut_lower,
    cut_upper,
    cut_friction
  };
  Kind kind = Kind::lower;
  int index = 0;  // in the list of the forest
  int rows = 1;
  Vec3 gap = Vec3::Zero();
  contact::Frame frame;                     // spring, points, turning: bodies, point, F (zero beyond the rows)
  algebra::Mat3 N = algebra::Mat3::Zero();  // turning, and the thread among the points: the axes
  Vec3 axis = Vec3::Zero();                 // angle: −e
  double slope = 0;                         // coupling: P'
};

/// Code of a law in ContactRecord::shape_a: −3 − kind.
constexpr int tree_law_code(TreeLaw::Kind kind) { return -3 - static_cast<int>(kind); }

/// In the order: limits, frictions, angles, springs, limits and frictions of cut joints, and then the bonds: couplings,
/// closures. Limits come in pairs, the lower one first. `out` is empty or what the last call left in it.
void evaluate_tree_laws(const system::System& system, const system::Configuration& q, std::vector<TreeLaw>& out);

/// γ for velocities at the law's configuration.
Vec3 rate_of(const system::Forest& forest, const TreeLaw& law, const motion::Velocity& velocity,
             const Eigen::VectorXd& v);

laws::Kind law_kind(const TreeLaw& law);
inline bool is_bond(const TreeLaw& law) {
  return law.kind == TreeLaw::Kind::coupling || law.kind == TreeLaw::Kind::points || law.kind == TreeLaw::Kind::turning;
}
/// Whether there is a gap to be kept: neither dry friction nor a spring.
inline bool has_gap(const TreeLaw& law) { return is_bond(law) || law_kind(law) == laws::Kind::unilateral; }
/// Whether γ is the rate of coordinates with constant factors: limits of them, and friction.
inline bool is_along_coordinates(const TreeLaw& law) {
  return law.kind == TreeLaw::Kind::lower || law.kind == TreeLaw::Kind::upper || law.kind == TreeLaw::Kind::friction;
}
/// The gap of a limit of coordinates; 0 for friction.
double gap_of_limit(const system::Forest& forest, const TreeLaw& law, const Eigen::VectorXd& q);
/// Of a limit.
double restitution(const system::Forest& forest, const TreeLaw& law);

/// κ and γ₀ of a spring for a step.
struct Compliance {
  double kappa = 0, offset = 0;
};
Compliance compliance(const system::Spring& spring, double dt, double gap_mid, double gamma_minus);

/// Appends the block of the law; `turn` of contact::make_turns.
void add_tree_law(const system::System& system, const std::vector<algebra::Mat3>& turn, const TreeLaw& law,
                  double bound, const Vec3& c, contact::TreeRows& rows, contact::ContactProblem& problem);

/// The same for a spring, with a node of its own; c includes γ₀.
void add_spring(const system::System& system, const std::vector<algebra::Mat3>& turn, const TreeLaw& law, double kappa,
                const Vec3& c, contact::TreeRows& rows, contact::ContactProblem& problem);

/// Impulses on all that moves: momenta of free bodies and generalised ones of the trees.
struct Impulses {
  std::vector<Vec3>* p = nullptr;
  std::vector<Vec3>* l = nullptr;
  Eigen::VectorXd* tau = nullptr;  // null: no trees
  const motion::ForestMotion* trees = nullptr;
};
void add_impulse(const system::System& system, const contact::Frame& frame, const Vec3& Lambda, const Impulses& to);
void add_impulse(const system::System& system, const TreeLaw& law, const Vec3& Lambda, const Impulses& to);

/// z += JᵀΛ where everything that moves is linked, z = L v over the coordinates; `nodes`: scratch.
void add_whitened(const system::Forest& forest, const contact::ContactProblem& problem, const std::vector<Vec3>& Lambda,
                  Eigen::VectorXd& nodes, Eigen::VectorXd& z);

}  // namespace vinculum::integrators
