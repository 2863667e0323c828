// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/warm_start.hpp"

#include "vinculum/base/error.hpp"

#include <algorithm>

namespace vinculum::integrators {

const WarmStart::Entry& WarmStart::find(const ContactKey& key) {
  while (cursor_ < entries_.size() && entries_[cursor_].key < key) ++cursor_;
  return cursor_ < entries_.size() && entries_[cursor_].key == key ? entries_[cursor_] : none_;
}

std::span<const WarmStart::Entry> WarmStart::behind(const ContactKey& key) const {
  std::size_t begin = entries_.size();
  while (begin > 0 && !(entries_[begin - 1].key < key)) --begin;
  return std::span(entries_).subspan(begin);
}

/// Without history nothing is written behind key and impulse: half of the memory stays untouched.
WarmStart::Entry& WarmStart::next() {
  if (count_ == next_.size()) next_.emplace_back();
  return next_[count_++];
}

void WarmStart::end_update() {
  next_.resize(count_);
  entries_.swap(next_);
}

void WarmStart::add(const ContactKey& key, const algebra::Vec3& impulse, const Entry& found) {
  Entry& entry = next();
  entry.key = key;
  entry.impulse = impulse;
  if (!history_) return;
  const auto& past = found.past;
  algebra::Vec3 start = impulse;
  switch (
      best_guess(impulse.data(), {past[0].data(), past[1].data(), past[2].data(), past[3].data(), past[4].data()}, 3)) {
    case Guess::same:
      break;
    case Guess::alternating:
      start = past[0];
      break;
    case Guess::of_four:
      start = past[2];
      break;
    case Guess::straight:
      start = 2 * impulse - past[0];
      break;
    case Guess::leaning:
      start = impulse + past[0] - past[1];
      break;
  }
  entry.impulse = start;
  // One by one: what is put together first and copied then is read before it is written.
  entry.past[0] = impulse;
  for (std::size_t k = 1; k < kept; ++k) entry.past[k] = past[k - 1];
}

void WarmStart::insert(std::span<const Entry> more) {
  entries_.insert(entries_.end(), more.begin(), more.end());
  std::sort(entries_.begin(), entries_.end(), [](const Entry& x, const Entry& y) { return x.key < y.key; });
}

// Integers of 32 bits are exact as doubles. History is kept where there is one.
std::vector<double> WarmStart::save() const {
  std::vector<double> memory;
  memory.reserve(entries_.size() * (history_ ? 6 + 3 * kept : 6));
  for (const Entry& entry : entries_) {
    for (const double value :
         {static_cast<double>(entry.key.a), static_cast<double>(entry.key.b), static_cast<double>(entry.key.feature),
          entry.impulse.x(), entry.impulse.y(), entry.impulse.z()}) {
      memory.push_back(value);
    }
    if (!history_) continue;
    for (const algebra::Vec3& past : entry.past) memory.insert(memory.end(), past.begin(), past.end());
  }
  return memory;
}

void WarmStart::restore(std::span<const double> memory) {
  const std::size_t size = history_ ? 6 + 3 * kept : 6;
  VINCULUM_DEMAND(memory.size() % size == 0);
  entries_.clear();
  for (std::size_t i = 0; i < memory.size(); i += size) {
    const ContactKey key{static_cast<std::int32_t>(memory[i]), static_cast<std::int32_t>(memory[i + 1]),
                         static_cast<std::uint32_t>(memory[i + 2])};
    entries_.push_back({key, {memory[i + 3], memory[i + 4], memory[i + 5]}});
    if (!history_) continue;
    std::size_t at = i + 6;
    for (algebra::Vec3& past : entries_.back().past) {
      for (double& x : past) x = memory[at++];
    }
  }
}

}  // namespace vinculum::integrators
