// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Mechanics of a tree in reduced coordinates:  M(q) v̇ = h(q, v) + τ.
//
// All vectors have **world axes**; those of a node are taken at the node's own origin. Twists then need no rotation to
// pass from parent to child, only the arm r = p_child − p_parent, a hinge keeps S = (0, z), and nothing is computed
// about a far origin. Accelerations are those of the points (classical):
//   w_i = w_p + (S v)_w,    v_i = v_p + w_p × r + (S v)_v
//   α_i = α_p + (S v̇)_w + w_p × (S v)_w,    a_i = a_p + α_p × r + (S v̇)_v + c_v
//   c_v = w_p × (w_p × r) + (2 w_p + (S v)_w) × (S v)_v
//   f = m (a + α × c + w × (w × c)),    m_0 = c × f + J_c α + w × J_c w
// Gravity g (m/s², e.g. (0, 0, −9.81)) enters as the acceleration −g of the world. External wrenches are given per
// link, world axes, at the origin of the link; an empty span means none.
//
// Call place(q) first; everything else reads the poses it left in the workspace. Twist order (linear, angular).
// Sources: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 5-8; here in classical accelerations.
#pragma once

#include "vinculum/motion/mass_kernels.hpp"
#include "vinculum/parts/tree.hpp"

#include <Eigen/Core>
#include <span>
#include <vector>

namespace vinculum::motion {

using algebra::Mat3;
using algebra::Pose;
using algebra::Vec3;
using parts::Tree;
using screw::Mat6;
using screw::Twist;
using screw::Vec6;
using screw::Wrench;

/// Scratch and results for one tree; no allocation after the constructor.
struct TreeWorkspace {
  TreeWorkspace() = default;
  explicit TreeWorkspace(const Tree& tree);
  /// The sweeps of a step go through these nodes only.
  void restrict_to(const Tree& tree, std::span<const int> nodes);

  struct Place {
    Mat3 R;           // node axes in the world
    Vec3 p;           // node origin
    Vec3 r;           // p − p_parent
    algebra::Quat q;  // R
  };
  struct Motion {
    Vec3 w, c_v, c_w;  // angular velocity; accelerations that come from velocities alone
    Vec3 c;            // arm from the node's origin to its centre of mass
    Vec3 f, m;         // forces that come from velocities alone, minus external wrenches
  };
  struct Rates {
    Vec3 a, alpha;
  };
  using Matter = kernels::Matter<One>;
  using Moving = kernels::Moving<One>;
  using Bias = kernels::Bias<One>;
  struct Run {  // coordinates column, column + 1, ... that stand side by side in a packed row, from entry `at` on
    int column, at, count;
  };
  using Composite = kernels::Composite<double>;
  struct Articulated {  // f = A a + H α + p_f,  m = Hᵀ a + C α + p_m
    Mat3 A, H, C;
    Vec3 f, m;
    Vec3 U_f, U_m;  // one coordinate: U = I^A S
    double D_inverse, u;
  };
  struct Wide {  // the same for nodes with three or six coordinates
    Eigen::Matrix<double, 6, 6> U, D_inverse;
    Vec6 u;
  };

  // What the sweeps of a step go through: all, or those that no herd moves (herd.hpp); nodes ascending, coordinates
  // tree by tree. Inverse dynamics with external wrenches or accelerations, forward dynamics and derivatives go through
  // all.
  std::vector<int> nodes, coordinates;

  std::vector<Place> place;
  std::vector<int> turning;                      // of them, nodes that turn about their axis: hinge, helix
  std::vector<double> half_angle, sine, cosine;  // of them, with room for whole fours
  std::vector<algebra::Quat> q_T;                // by node: R_T of the tree
  std::vector<algebra::Quat> q_NB;               // by link, likewise
  std::vector<Motion> motion;
  std::vector<Rates> rates;
  std::vector<Wrench> force;
  std::vector<Matter> matter;
  std::vector<Bias> bias;
  bool weighed = false;  // matter is that of the poses at hand
  std::vector<Twist> twist;
  std::vector<Moving> moving;  // the same in lanes
  std::vector<Composite> composite;
  std::vector<Vec6> S;         // by coordinate, at the origin of the root's node
  std::vector<double> S_rows;  // the same, one component of all coordinates behind the other
  std::size_t S_stride = 0;
  std::vector<Vec3> arm;  // from there to the node's origin
  std::vector<Articulated> articulated;
  std::vector<Wide> wide;
  std::vector<double> M;  // packed rows (parts/tree.hpp)
  std::vector<double> L;  // M = LᵀL, packed in the same way
  std::vector<double> L_inverse_diagonal;
  std::vector<Run> runs;     // of the packed rows, without their diagonals
  std::vector<int> run_of;   // nv + 1
  std::vector<double> line;  // one packed row, with room at its end
};

// --- kinematics (tree_kinematics.cpp) ---

/// Poses of all nodes.
void place(const Tree& tree, const double* q, TreeWorkspace& ws);
/// Twists of all nodes at their origins: ws.twist.
void move(const Tree& tree, const double* v, TreeWorkspace& ws);

Pose link_pose(const Tree& tree, const TreeWorkspace& ws, int link);
/// The axes of these links, out[link].
void link_turns(const Tree& tree, const TreeWorkspace& ws, std::span<const std::size_t> links, algebra::Quat* out);
/// At the link's origin; after move.
Twist link_twist(const Tree& tree, const TreeWorkspace& ws, int link);

/// Velocity of the material point of the link that is now at x (world): J v over the link's chain. J is 3 × chain.
void point_jacobian(const Tree& tree, const TreeWorkspace& ws, int link, const Vec3& x,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>> J);
/// The same for the velocity along three directions, the columns of F, in fours: out[4 i + k], k < rows, the others
/// zero. Reads ws.S: the mass matrix of this configuration must have been made.
void measure_chain(const Tree& tree, const TreeWorkspace& ws, int link, const Vec3& x, const Mat3& F, int rows,
                   double* out);
/// Twist of the link's frame at its origin, rows (linear, angular), 6 × chain.
void link_jacobian(const Tree& tree, const TreeWorkspace& ws, int link,
                   Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J);
/// τ += JᵀF for a wrench on the link at its origin, in O(depth).
void add_wrench(const Tree& tree, const TreeWorkspace& ws, int link, const Wrench& F, double* tau);

/// ½ vᵀM v, armature included; after move(v). `own`: by node, scratch memory that holds what the nodes add to the sum
/// that ws does not go through.
double kinetic_energy(const Tree& tree, const TreeWorkspace& ws, const double* v, std::span<double> own);
double kinetic_energy(const Tree& tree, const TreeWorkspace& ws, const double* v);
/// −Σ m g·c, zero at the world's origin; own likewise.
double potential_energy(const Tree& tree, const TreeWorkspace& ws, const Vec3& gravity, std::span<double> own);
double potential_energy(const Tree& tree, const TreeWorkspace& ws, const Vec3& gravity);
/// Momentum and spin about the world's origin; after move.
Wrench momentum(const Tree& tree, const TreeWorkspace& ws);

// --- inverse dynamics (tree_rnea.cpp) ---

/// τ = M v̇ − h(q, v): the joint forces that make v̇. O(n).
void inverse_dynamics(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity,
                      std::span<const Wrench> external, TreeWorkspace& ws, double* tau);
/// h(q, v): gravity, gyroscopic and external forces on the coordinates.
void smooth_forces(const Tree& tree, const double* v, const Vec3& gravity, std::span<const Wrench> external,
                   TreeWorkspace& ws, double* h);

// --- mass matrix (tree_crba.cpp) and its factor (tree_factor.cpp) ---

/// M into ws.M, armature included.
void mass_matrix(const Tree& tree, TreeWorkspace& ws);
Eigen::MatrixXd dense_mass_matrix(const Tree& tree, const TreeWorkspace& ws);

/// M = LᵀL, L lower triangular with the pattern of M. Returns −1, or the coordinate whose pivot is not positive.
int factor(const Tree& tree, TreeWorkspace& ws);

void multiply_M(const Tree& tree, const TreeWorkspace& ws, const double* x, double* y);
/// In place: y = L x (z = L v has kinetic energy |z|²/2), y = Lᵀ x.
void multiply_L(const Tree& tree, const TreeWorkspace& ws, double* x);
void multiply_Lt(const Tree& tree, const TreeWorkspace& ws, double* x);
/// In place: L⁻ᵀ x runs up chains and keeps what is zero off them; L⁻¹ x runs down to all descendants.
void solve_Lt(const Tree& tree, const TreeWorkspace& ws, double* x);
void solve_L(const Tree& tree, const TreeWorkspace& ws, double* x);
/// M⁻¹ x = L⁻¹ L⁻ᵀ x.
void solve_M(const Tree& tree, const TreeWorkspace& ws, double* x);
/// L⁻ᵀ x for x given on the chain of a link alone, packed root first: a row of J = Wᵀ L⁻¹ in contact problems.
void whiten_chain(const Tree& tree, const TreeWorkspace& ws, int link, double* x);
/// The same for four rows at once, x[4 k + row].
void whiten_chain_of_four(const Tree& tree, const TreeWorkspace& ws, int link, double* x);

// --- forward dynamics (tree_aba.cpp) ---

/// v̇ = M⁻¹ (h + τ), O(n), without M. Returns −1, or the coordinate that no inertia resists.
int forward_dynamics(const Tree& tree, const double* v, const double* tau, const Vec3& gravity,
                     std::span<const Wrench> external, TreeWorkspace& ws, double* vdot);

}  // namespace vinculum::motion
