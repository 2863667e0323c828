// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/margins.hpp"

#include "vinculum/integrators/contacts_anew.hpp"

#include <algorithm>

namespace vinculum::integrators {
namespace {

constexpr double margin_factor = 1.5;  // room for speeds to grow in the solve before the search must be repeated
constexpr double part_of_size = 0.02;  // of a slow body
constexpr double room_of_size = 0.25;

}  // namespace

void Margins::set(const Places& at) {
  margin_.resize(system_.body_count());
  double fastest = 0;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double speed = std::max(at.speed[b], speed_bound(system_, at.free, b));
    margin_[b] = margin_factor * 0.5 * dt_ * speed;
    fastest = std::max(fastest, margin_[b]);
  }
  room_.resize(margin_.size());
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    room_[b] = std::max(margin_[b], std::min(fastest, room_of_size * system_.bodies.size[b]));
    margin_[b] = std::max(margin_[b], std::min(fastest, part_of_size * system_.bodies.size[b]));
  }
}

bool Margins::grow(const motion::Velocity& after) {
  grown_.assign(margin_.size(), 0);
  bool enough = true;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double needed = 0.5 * dt_ * speed_bound(system_, after, b);
    if (!(needed > margin_[b])) continue;
    grown_[b] = 1;
    margin_[b] = std::min(margin_factor * needed, room_[b]);
    enough = enough && needed <= room_[b];
  }
  return enough;
}

bool Margins::are_exceeded(const motion::Velocity& after) {
  bool exceeded = false;
  needed_ = 0;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double needed = 0.5 * dt_ * speed_bound(system_, after, b);
    needed_ = std::max(needed_, needed);
    exceeded = exceeded || needed > margin_[b];
  }
  return exceeded;
}

Margins::Way Margins::way(const system::Configuration& searched, const system::Configuration& q,
                          std::vector<std::uint8_t>& left) const {
  left.resize(margin_.size());
  Way way = Way::within;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double moved = displacement(system_, searched, q, b);
    left[b] = !(moved <= margin_[b]) ? 1 : 0;
    if (left[b]) way = std::max(way, moved <= room_[b] ? Way::near : Way::beyond);
  }
  return way;
}

void Margins::widen(int body) {
  if (body == system::world) return;
  const auto b = static_cast<std::size_t>(body);
  margin_[b] = room_[b] = std::max(margin_[b], margin_factor * needed_);
}

}  // namespace vinculum::integrators
