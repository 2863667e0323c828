// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of J on the coordinates of trees, J = Wᵀ L⁻¹ with M̂ = LᵀL (motion/tree.hpp). A row is collected from any number
// of points, turns and coordinates, also of one and the same tree, and then written out by nodes of six coordinates.
#pragma once

#include "vinculum/contact/problem.hpp"
#include "vinculum/motion/forest.hpp"

#include <array>
#include <span>

namespace vinculum::contact {

using algebra::Mat3;

class TreeRows {
 public:
  /// The workspace of `trees` must hold the configuration and the factor when rows are added.
  explicit TreeRows(const motion::ForestMotion& trees);

  /// Row k += sign F.col(k) · velocity of the point x of a linked body, k < rows. Reads the subspaces that the mass
  /// matrix has left.
  void add_point(int body, const Vec3& x, const Mat3& F, double sign, int rows);
  /// Row k += sign N.col(k) · angular velocity of the body.
  void add_turn(int body, const Mat3& N, double sign, int rows);
  /// Row k += sign Σ coefficient v.
  void add_row(std::span<const system::Term> row, double sign, int k);

  /// Appends what was collected to the block under construction and forgets it.
  void emit(ContactProblem& problem);

 private:
  void touch(int node);
  void add_frame(const Eigen::VectorXd& row, double sign, int k);
  void scatter(int link, int k, double* chain);
  void scatter_four(int link);

  const motion::ForestMotion& trees_;
  std::vector<double> sums_;  // 3 × 6 per node of the forest
  std::vector<char> touched_;
  std::vector<int> nodes_;
  Eigen::Matrix<double, 6, Eigen::Dynamic> J6_;
  std::vector<int> place_;                // by link, of the coordinates of its chain: first row in sums_
  std::vector<std::size_t> place_of_;     // of the links in it, and its end
  std::vector<int> link_nodes_;           // by link: the nodes of those coordinates
  std::vector<std::size_t> nodes_begin_;  // likewise
  std::vector<double> chain_, four_;      // a row on a chain; four of them, by coordinate
};

}  // namespace vinculum::contact
