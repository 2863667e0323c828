// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/margins.hpp"

#include "vinculum/integrators/contacts_anew.hpp"

#include <algorithm>

namespace vinculum::integrators {
namespace {

constexpr double margin_factor = 1.5;  // room for speeds to grow in the solve before the search must be repeated
constexpr double part_of_size = 0.25;  // of a slow body

}  // namespace

void Margins::set(const Places& at) {
  margin_.resize(system_.body_count());
  double fastest = 0;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double speed = std::max(at.speed[b], speed_bound(system_, at.free, b));
    margin_[b] = margin_factor * 0.5 * dt_ * speed;
    fastest = std::max(fastest, margin_[b]);
  }
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    margin_[b] = std::max(margin_[b], std::min(fastest, part_of_size * system_.bodies.size[b]));
  }
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

bool Margins::are_left(const system::Configuration& searched, const system::Configuration& q,
                       std::vector<std::uint8_t>& stayed) const {
  stayed.resize(margin_.size());
  bool all = true;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    stayed[b] = displacement(system_, searched, q, b) <= margin_[b] ? 1 : 0;
    all = all && stayed[b];
  }
  return !all;
}

void Margins::widen(int body) {
  if (body != system::world) margin_[static_cast<std::size_t>(body)] = margin_factor * needed_;
}

}  // namespace vinculum::integrators
