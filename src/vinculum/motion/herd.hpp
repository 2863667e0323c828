// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Equal trees of a forest, moved side by side. Two trees are equal if their nodes are, in number, order, parents, kinds
// of motion, and in which of them have mass and carry links; masses, lengths and axes may differ. Eight of them share
// the lanes of wide registers through all sweeps of a step (lanes.hpp), with the bits that each would have alone: what
// a robot does does not depend on how many like it there are. In the last block lanes beyond the trees repeat the last.
//
// Vectors and forces come and go in the order of the forest's coordinates; entries of other trees are left alone.
#pragma once

#include "vinculum/motion/tree.hpp"
#include "vinculum/motion/velocity.hpp"

#include <span>
#include <vector>

namespace vinculum::motion {

/// The trees of a forest by their nodes, ascending, in classes of equal ones, each in the order of their first nodes.
std::vector<std::vector<std::vector<int>>> equal_trees(const Tree& forest);

class Herd {
 public:
  static constexpr int lanes = 8;
  static constexpr std::size_t fewest = 3;  // trees that are not as soon moved one by one

  /// `trees`: one class of `equal_trees`. ws: of the forest. com: of each link of the forest, in its node.
  Herd(const Tree& forest, const TreeWorkspace& ws, std::span<const Vec3> com, std::span<const std::vector<int>> trees);

  void place(const double* q);
  /// Poses of the links at their centres of mass, to the bodies that they are.
  void write_poses(std::span<const int> body_of_link, std::vector<Vec3>& x, std::vector<algebra::Quat>& R) const;
  void move(const double* v);
  void write_velocities(std::span<const int> body_of_link, Velocity& out);
  /// Twice the kinetic energy, and m g·c, by node.
  void kinetic(double* own);
  void weights(const Vec3& gravity, double* own);

  void mass_matrix();
  void multiply_M(const double* x, double* y);
  /// M_ii += part a_i.
  void add_diagonal(double part, const double* a);
  /// −1, or a coordinate of the forest whose pivot is not positive.
  int factor();
  /// After the factor: h of smooth_forces without external wrenches.
  void smooth_forces(const double* v, const Vec3& gravity, double* h);
  /// In place.
  void multiply_L(double* x);
  void solve_L(double* x);
  void solve_Lt(double* x);

  /// Places, subspaces, composites, factor; twists.
  void write_out(TreeWorkspace& ws) const;
  void write_twists(TreeWorkspace& ws) const;

  /// Eight trees, or what is left of them.
  struct Block {
    struct Place {
      Eight R[9], p[3], r[3];
      Turns8 q;
    };
    struct Link {
      Turns8 q_NB, q;
      Eight com[3], reach[3], x[3], v[3];
    };
    int first, count;  // of the trees
    // Of the nodes, and of the coordinates: what does not change.
    WideVector<Turns8> q_T;
    WideVector<Eight> p_T, pitch, mass, com, J_c, armature;
    // At hand.
    WideVector<Place> place;
    WideVector<Link> link;
    WideVector<Eight> half_angle, sine, cosine;
    WideVector<kernels::Moving<Many>> moving;
    WideVector<kernels::Matter<Many>> matter;
    WideVector<kernels::Bias<Many>> bias;
    WideVector<kernels::Composite<Eight>> composite;
    WideVector<Eight> arm, S, M, L, L_inverse_diagonal;
    WideVector<Eight> q, x, y;  // coordinates; vectors over velocities; by node
  };

 private:
  /// Own numbers in the forest.
  struct Order {
    std::vector<int> at;    // [own number × trees + tree]
    std::vector<int> runs;  // where numbers begin that follow one another in every tree, and their end
  };
  void find_runs(Order& order) const;
  void gather(const double* x, const Order& order, const Block& block, WideVector<Eight>& out) const;
  void scatter(const WideVector<Eight>& x, const Order& order, const Block& block, double* out) const;

  Tree tree_;  // the structure that they share; its numbers are those of the first
  std::size_t count_;
  Order node_, q_, v_;
  std::vector<int> link_, row_;  // likewise [own number × trees + tree]; row_: where a coordinate's packed row begins
  std::vector<int> coordinates_, turning_;
  std::vector<Block> blocks_;
};

}  // namespace vinculum::motion
