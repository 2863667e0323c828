// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a search keeps from call to call, for search.cpp and sweep.cpp.
#pragma once

#include "vinculum/collide/kept_pairs.hpp"
#include "vinculum/collide/search.hpp"

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

/// `centred`: its X_BS is the identity.
inline void move_to_body(const system::Collider& a, const system::Collider& b, bool a_centred, bool b_centred,
                         Contact& contact) {
  Feature& feature = contact.feature;
  if (!a_centred) {
    feature.P_a = a.X_BS * feature.P_a;
    feature.dir_a = a.X_BS.R * feature.dir_a;
  }
  if (!b_centred) {
    feature.P_b = b.X_BS * feature.P_b;
    feature.dir_b = b.X_BS.R * feature.dir_b;
  }
}
inline void move_to_body(const system::Collider& a, const system::Collider& b, Contact& contact) {
  move_to_body(a, b, false, false, contact);
}

struct Search::Buffers {
  KeptPairs broad;
  std::vector<Block> blocks;          // of each shape
  std::vector<std::uint8_t> centred;  // X_BS is the identity
  std::vector<int> body_of;
  std::vector<int> bounded, groups;  // shapes with a box, and their bodies
  std::vector<int> planes;
  std::vector<Pose> poses;     // X_WS of each shape
  std::vector<int> place;      // of each shape among the bounded ones, or −1
  std::vector<Bounds> bounds;  // of those, with the room of their bodies
  std::vector<double> speed;   // of those: the room or the margins of their bodies
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
  std::vector<double> last_margin, last_room;
  Marks last_skipped;  // empty: nobody
  bool stands = false;
  // The call at hand, for the loop bodies.
  const system::Configuration* q = nullptr;
  const std::vector<double>*margin = nullptr, *room = nullptr;
  ContactSet* out = nullptr;
  const Marks* skipped = nullptr;

  bool skips(int body) const { return body == system::world || (*skipped)[static_cast<std::size_t>(body)] != 0; }

  double margin_of(int body) const { return body == system::world ? 0 : (*margin)[static_cast<std::size_t>(body)]; }
  double room_of(int body) const { return body == system::world ? 0 : (*room)[static_cast<std::size_t>(body)]; }

  bool is_marked(const Marks& marks, int shape) const {
    const int body = body_of[static_cast<std::size_t>(shape)];
    return body != system::world && marks[static_cast<std::size_t>(body)] != 0;
  }

  /// With the margins alone, do the bounds of two shapes still overlap?
  bool near(int i, int j, int body_a, int body_b) const {
    const double spare = room_of(body_a) + room_of(body_b) - margin_of(body_a) - margin_of(body_b);
    const int a = place[static_cast<std::size_t>(i)], b = place[static_cast<std::size_t>(j)];
    return !(spare > 0) || a < 0 || b < 0 ||
           overlap(bounds[static_cast<std::size_t>(a)], bounds[static_cast<std::size_t>(b)], spare);
  }
};

}  // namespace vinculum::collide
