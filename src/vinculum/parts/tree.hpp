// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Articulated bodies in reduced coordinates: an immutable forest of links.
//
//   link b in its parent:  X_PC · E_1(q_1) E_2(q_2) ...     all factors of all its joints in turn (joints/joint.hpp)
//
// Every factor becomes one elementary node; nodes between two factors have no mass, and a link without joints melts
// into the node of its parent. Node 0 is the world. The frame of a node stands at the point of its factor with z along
// the axis, so that all hinges are turns about z:
//   node in its parent node:  T_n · E_z(q)      T_n constant;   link in its node: X_NB constant
// A parent has a smaller number than its child, for links, nodes and coordinates alike.
//
// The mass matrix and its factor have an entry (i, j) exactly where coordinate j is i or an ancestor of it. Row i is
// kept packed, root first; the rows of the ancestors of i have the beginning of the same columns:
//   row i: entries [row[i], row[i] + depth[i] + 1),  columns column[row[i]...],  the last one is i itself
#pragma once

#include "vinculum/joints/joint.hpp"
#include "vinculum/screw/inertia.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vinculum::parts {

using algebra::Mat3;
using algebra::Pose;
using algebra::Vec3;

/// What a tree is made from.
struct TreeLink {
  int parent = -1;                    // a link before this one; −1: the world
  Pose X_PC;                          // the link in its parent at zero joint coordinates
  std::vector<joints::Joint> joints;  // in sequence; none: fixed
  screw::Inertia inertia;             // in the link's frame
  std::vector<double> armature = {};  // per velocity coordinate of the link, kg m² or kg; empty: none
};

class Tree {
 public:
  /// The elementary motion of a node; one coordinate except ball (3) and free (6).
  enum class Node : std::uint8_t { hinge, slide, helix, ball, free };

  Tree() = default;
  /// InputError `link[3].parent: found 5, expected ...` on bad structure, inertia, armature, or motion without mass.
  explicit Tree(std::span<const TreeLink> links);
  /// The part of a forest that these nodes make, ascending, each with its parent or on the world.
  Tree(const Tree& forest, std::span<const int> nodes);

  int links() const { return static_cast<int>(node_of_link.size()); }
  int nodes() const { return static_cast<int>(parent.size()); }  // with the world
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  int depth_max() const { return depth_max_; }  // longest chain of coordinates

  // By link.
  std::vector<int> parent_link;
  std::vector<int> node_of_link;  // 0: fixed to the world
  std::vector<Mat3> R_NB;         // link in its node
  std::vector<Vec3> p_NB;
  std::vector<screw::Inertia> inertia;  // as given, in the link's frame
  std::vector<int> link_iq, link_iv;    // links + 1: the link's own coordinates
  std::vector<std::vector<joints::Joint>> joints;

  // By node; entry 0 is the world.
  std::vector<int> parent;
  std::vector<Node> motion;
  std::vector<joints::Motion> factor;  // as the joint named it: turns differ from hinges in `difference`
  std::vector<int> iq, iv;
  std::vector<int> link_of_node;
  std::vector<Mat3> R_T;  // T_n
  std::vector<Vec3> p_T;
  std::vector<double> pitch;  // linear part of S for one coordinate: 0 hinge, 1 slide, pitch helix
  std::vector<double> mass;   // in the node's frame; 0: no matter here
  std::vector<Vec3> com;
  std::vector<Mat3> J_c;

  // By velocity coordinate.
  std::vector<int> node_of;
  std::vector<double> armature;
  std::vector<int> row, depth;  // of the packed matrices
  std::vector<int> column;      // of each packed entry
  std::size_t entries() const { return column.size(); }

  /// The velocity coordinates that move link b, root first: those of its packed row.
  std::span<const int> chain(int link) const;

  /// q₁ = q with constant factor velocities u for unit time, exactly. q₁ may be q.
  void integrate(const double* q, const double* u, double* q1) const;
  /// The u with integrate(q0, u) = q1, shortest where turns allow several.
  void difference(const double* q0, const double* q1, double* u) const;
  /// q̇ = N(q) v.
  void rate(const double* q, const double* v, double* qdot) const;
  /// All joints at zero.
  Eigen::VectorXd neutral() const;
  /// InputError `link[2].joint[0]: found ..., expected ...` where q is no configuration.
  void check(std::span<const double> q) const;

 private:
  void add_link(const TreeLink& link, int b);
  int add_node(int parent_node, const joints::Factor& factor, const Pose& T, int b);
  void add_matter(int node, const Pose& X_NB, const screw::Inertia& inertia);
  void index_rows();
  void check_moved_mass() const;

  int nq_ = 0, nv_ = 0, depth_max_ = 0;
};

}  // namespace vinculum::parts
