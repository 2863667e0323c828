// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a search keeps from call to call, for search.cpp and sweep.cpp.
#pragma once

#include "vinculum/collide/contact_set.hpp"
#include "vinculum/collide/kept_pairs.hpp"

#include <limits>

namespace vinculum::collide {

/// A block and a ball about the same centre that hold the shape, in its own frame.
struct Block {
  Vec3 centre, half;
  double radius;
};

/// Half the smallest width; infinity for a half space, 0 for a sheet.
double half_thickness(const shapes::Shape& shape);

inline void set_pair(int i, int j, const system::Collider& a, const system::Collider& b, Contact& contact) {
  contact.shape_a = i;
  contact.shape_b = j;
  contact.body_a = a.body;
  contact.body_b = b.body;
}

inline void move_to_body(const system::Collider& a, const system::Collider& b, Contact& contact) {
  Feature& feature = contact.feature;
  feature.P_a = a.X_BS * feature.P_a;
  feature.P_b = b.X_BS * feature.P_b;
  feature.dir_a = a.X_BS.R * feature.dir_a;
  feature.dir_b = b.X_BS.R * feature.dir_b;
}

struct Search::Buffers {
  KeptPairs broad;
  std::vector<Block> blocks;          // of each shape
  std::vector<std::uint8_t> centred;  // X_BS is the identity
  std::vector<int> bounded, groups;   // shapes with a box, and their bodies
  std::vector<int> planes;
  std::vector<Pose> poses;     // X_WS of each shape
  std::vector<Bounds> bounds;  // of the bounded ones
  std::vector<double> speed;   // of those: margins of their bodies
  std::vector<HalfSpace> half_spaces;
  std::vector<std::array<int, 2>> pairs;
  std::vector<ContactSet> found;    // one list per chunk of pairs
  std::vector<std::size_t> starts;  // of each list in the result
  // sweep.cpp
  std::vector<double> thickness;                              // half, of each shape
  double thinnest = std::numeric_limits<double>::infinity();  // of those that are no sheets
  std::vector<double> motion;                                 // of each body
  ContactSet met, swept;
  std::vector<std::array<int, 2>> replaced;
  // The last call, if its result stands.
  system::Configuration last_q;
  std::vector<double> last_margin;
  std::vector<std::uint8_t> last_skipped;  // empty: nobody
  bool stands = false;
  // The call at hand, for the loop bodies.
  const system::Configuration* q = nullptr;
  const std::vector<double>* margin = nullptr;
  ContactSet* out = nullptr;
  const std::vector<std::uint8_t>* skipped = nullptr;

  bool skips(int body) const { return body == system::world || (*skipped)[static_cast<std::size_t>(body)] != 0; }

  double margin_of(int body) const { return body == system::world ? 0 : (*margin)[static_cast<std::size_t>(body)]; }
};

}  // namespace vinculum::collide
