// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws on the coordinates of trees that are no contacts, as blocks of a step:
//
//   limit      g = x − lower, or upper − x;  γ = ±ẋ                             unilateral, modes as for contacts
//   friction   γ = ẋ                                                            dry, |Λ| ≤ dt friction
//   coupling   g = x_a − P(x_b);  γ = ẋ_a − P'(x_b) ẋ_b                          bond, 1 row
//   points     g = x_B − x_A of the two points, world axes;  γ = their relative velocity      bond, 3 rows
//   turning    g = rotation of b against a, in axes N of a;  γ = Nᵀ(w_b − w_a)     bond, 2 or 3 rows
#pragma once

#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/modes.hpp"
#include "vinculum/motion/forest.hpp"

#include <vector>

namespace vinculum::integrators {

/// A law at one configuration.
struct TreeLaw {
  enum class Kind : std::uint8_t { lower, upper, friction, coupling, points, turning };
  Kind kind = Kind::lower;
  int index = 0;  // in the list of the forest
  int rows = 1;
  Vec3 gap = Vec3::Zero();
  contact::Frame frame;                         // points, turning: bodies and point; F = 1
  algebra::Mat3 N = algebra::Mat3::Identity();  // turning: the axes
  double slope = 0;                             // coupling: P'
};

/// Code of a law in ContactRecord::shape_a: −3 − kind.
constexpr int tree_law_code(TreeLaw::Kind kind) { return -3 - static_cast<int>(kind); }

/// In the order of the forest: limits, frictions, couplings, closures. Limits come in pairs, the lower one first. `out`
/// is empty or what the last call left in it.
void evaluate_tree_laws(const system::System& system, const system::Configuration& q, std::vector<TreeLaw>& out);

/// γ for velocities at the law's configuration.
Vec3 rate_of(const system::Forest& forest, const TreeLaw& law, const motion::Velocity& velocity,
             const Eigen::VectorXd& v);

laws::Kind law_kind(const TreeLaw& law);

/// Appends the block of the law; `turn` of contact::make_turns.
void add_tree_law(const system::System& system, const std::vector<algebra::Mat3>& turn, const TreeLaw& law,
                  double bound, const Vec3& c, contact::TreeRows& rows, contact::ContactProblem& problem);

/// Impulses on all that moves: momenta of free bodies and generalised ones of the trees.
struct Impulses {
  std::vector<Vec3>* p = nullptr;
  std::vector<Vec3>* l = nullptr;
  Eigen::VectorXd* tau = nullptr;  // null: no trees
  const motion::ForestMotion* trees = nullptr;
};
void add_impulse(const system::System& system, const contact::Frame& frame, const Vec3& Lambda, const Impulses& to);
void add_impulse(const system::System& system, const TreeLaw& law, const Vec3& Lambda, const Impulses& to);

}  // namespace vinculum::integrators
