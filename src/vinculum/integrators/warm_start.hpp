// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The impulses of the last step by contact, as world vectors, so that the next solve starts from them. Keys are kept in
// ascending order and looked up in ascending order: one merge, no hashing, no allocation once grown.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace vinculum::integrators {

struct ContactKey {
  std::int32_t a = 0, b = 0;
  std::uint32_t feature = 0;
  auto operator<=>(const ContactKey&) const = default;
};

class WarmStart {
 public:
  struct Entry {
    ContactKey key;
    algebra::Vec3 impulse;
  };

  /// Begins a round of look-ups with ascending keys.
  void rewind() { cursor_ = 0; }
  /// The world impulse of the last step, or zero.
  algebra::Vec3 find(const ContactKey& key);

  void begin_update() { next_.clear(); }
  void add(const ContactKey& key, const algebra::Vec3& impulse) { next_.push_back({key, impulse}); }
  void end_update() { entries_.swap(next_); }

  /// In ascending order.
  std::vector<Entry>& entries() { return entries_; }
  /// Adds entries with keys of their own.
  void insert(std::span<const Entry> more);

  std::vector<double> save() const;
  void restore(std::span<const double> memory);

 private:
  std::vector<Entry> entries_, next_;
  std::size_t cursor_ = 0;
};

}  // namespace vinculum::integrators
