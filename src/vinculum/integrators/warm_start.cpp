// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/warm_start.hpp"

#include "vinculum/base/error.hpp"

#include <algorithm>

namespace vinculum::integrators {

algebra::Vec3 WarmStart::find(const ContactKey& key) {
  while (cursor_ < entries_.size() && entries_[cursor_].key < key) ++cursor_;
  if (cursor_ < entries_.size() && entries_[cursor_].key == key) return entries_[cursor_].impulse;
  return algebra::Vec3::Zero();
}

void WarmStart::insert(std::span<const Entry> more) {
  entries_.insert(entries_.end(), more.begin(), more.end());
  std::sort(entries_.begin(), entries_.end(), [](const Entry& x, const Entry& y) { return x.key < y.key; });
}

// Integers of 32 bits are exact as doubles.
std::vector<double> WarmStart::save() const {
  std::vector<double> memory;
  memory.reserve(entries_.size() * 6);
  for (const Entry& entry : entries_) {
    for (const double value :
         {static_cast<double>(entry.key.a), static_cast<double>(entry.key.b), static_cast<double>(entry.key.feature),
          entry.impulse.x(), entry.impulse.y(), entry.impulse.z()}) {
      memory.push_back(value);
    }
  }
  return memory;
}

void WarmStart::restore(std::span<const double> memory) {
  VINCULUM_DEMAND(memory.size() % 6 == 0);
  entries_.clear();
  for (std::size_t i = 0; i < memory.size(); i += 6) {
    const ContactKey key{static_cast<std::int32_t>(memory[i]), static_cast<std::int32_t>(memory[i + 1]),
                         static_cast<std::uint32_t>(memory[i + 2])};
    entries_.push_back({key, {memory[i + 3], memory[i + 4], memory[i + 5]}});
  }
}

}  // namespace vinculum::integrators
