// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// System: the machine, built once from a Model and const from then on.  State: what moves.
// Bodies are kept in structure of arrays; the frame of a body here has its origin at the centre of mass.
//
//   q = (x_b, R_b)          centre of mass and orientation of each body
//   p = (m v_b, l_b)        momentum and spin about the centre of mass, world axes: constant in free flight
//   v = M(q)⁻¹ p            l = R I Rᵀ w
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/parts/bodies.hpp"
#include "vinculum/parts/lagrangian.hpp"
#include "vinculum/system/forest.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace vinculum::system {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;
using model::world;

using parts::Bodies;

/// A shape as collision sees it.
struct Collider {
  shapes::Shape geometry;
  int body = world;
  Pose X_BS;  // in the centre-of-mass frame of its body
  int material = 0;
  std::uint32_t contype = 1, conaffinity = 1;
};

/// A law between two shapes (a < b) that replaces the one of their materials.
struct ShapePair {
  int a = 0, b = 0;
  model::Pair law;
};

struct Rod {
  int a = world, b = world;
  Vec3 point_a, point_b;  // centre-of-mass frames
  double length = 0;
};

struct Force {
  int body = 0;
  Vec3 force, torque, point;  // point in the centre-of-mass frame
  bool body_axes = false;
  double from = 0, to = 0;
};

struct System {
  explicit System(const model::Model& model);

  std::size_t body_count() const { return bodies.mass.size(); }
  /// Nodes of a contact problem: the free bodies, then those of the trees.
  std::size_t node_count() const {
    return forest ? static_cast<std::size_t>(forest->free_bodies + forest->nodes) : body_count();
  }
  int node_of(int body) const { return forest ? forest->node_of_body[static_cast<std::size_t>(body)] : body; }
  const model::Pair& pair(int material_a, int material_b) const {
    return pairs[static_cast<std::size_t>(material_a) * material_count + static_cast<std::size_t>(material_b)];
  }
  /// Whether coordinates of trees, or of a Lagrangian part that carries it, say where the body is.
  bool linked(int body) const {
    return forest && body != world && forest->node_of_body[static_cast<std::size_t>(body)] < 0;
  }
  /// The law between two shapes (a < b).
  const model::Pair& law_between(int shape_a, int shape_b) const;
  /// Two shapes, by the rules of model::ContactFilter.
  bool may_touch(int shape_a, int shape_b) const;

  Vec3 gravity;
  Bodies bodies;
  std::vector<Collider> shapes;  // same order as in the model
  std::vector<Rod> rods;
  std::vector<Force> forces;
  std::vector<model::Pair> pairs;  // full square table
  std::size_t material_count = 0;
  std::vector<std::uint64_t> no_contact;                // sorted keys of body pairs
  bool masked = false;                                  // shapes have masks or pairs, or bodies hang together
  bool joint_contact = false;                           // bodies that a joint connects may touch
  std::vector<int> group, group_above;                  // of each body where `masked`: what fixed joints make one, and
                                                        // what it hangs on (model::ContactFilter)
  std::vector<ShapePair> shape_pairs;                   // ascending
  double length_scale = 1;                              // the median body size, m
  std::shared_ptr<const parts::Lagrangian> lagrangian;  // null: none
  std::shared_ptr<const Forest> forest;                 // null: no joints, closures, springs

 private:
  void set_filter(const model::Model& model);
  const ShapePair* find_pair(int shape_a, int shape_b) const;
  int group_of(int body) const { return body == world ? world : group[static_cast<std::size_t>(body)]; }
};

/// Positions of all bodies.
struct Configuration {
  std::vector<Vec3> x;
  std::vector<Quat> R;
  Eigen::VectorXd tree;  // joint coordinates of the trees, then those of a Lagrangian part that carries frames; x and
                         // R of the linked bodies follow from them
  Pose pose(int body) const {
    return body == world ? Pose{} : Pose{x[static_cast<std::size_t>(body)], R[static_cast<std::size_t>(body)]};
  }
};

struct State {
  double t = 0;
  std::int64_t step = 0;
  Configuration q;
  std::vector<Vec3> p;                         // linear momentum
  std::vector<Vec3> l;                         // spin
  Eigen::VectorXd tree_v;                      // velocities likewise; p and l of linked bodies are zero
  Eigen::VectorXd lagrangian_q, lagrangian_u;  // of the Lagrangian part
};

/// Where the Lagrangian part carries frames: its coordinates as the forest has them.
void copy_part(const System& system, State& state);

State make_initial_state(const model::Model& model, const System& system);

}  // namespace vinculum::system
