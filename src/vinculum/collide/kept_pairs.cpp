// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/collide/kept_pairs.hpp"

#include <algorithm>

namespace vinculum::collide {
namespace {

constexpr double skin_steps = 8;     // at its speed a box leaves the skin after so many calls, or later
constexpr double skin_part = 0.02;   // of its radius, at least
constexpr int short_life = 3;        // calls
constexpr int most_brief = 4;        // searches that do not last so long, before
constexpr int plain_calls = 32;      // calls without a skin
constexpr double space_part = 1e-3;  // of its place: skin of a half space, whose margin may change

/// `inner` lies in `outer`, and with it everything that overlaps it: also by the distance of the centres.
inline bool lies_in(const Bounds& inner, const Bounds& outer) {
  const double room = outer.radius - inner.radius;
  for (int k = 0; k < 3; ++k) {
    if (!(outer.low[k] <= inner.low[k] && inner.high[k] <= outer.high[k])) return false;
  }
  return room >= 0 && 0.25 * ((inner.low - outer.low) + (inner.high - outer.high)).squaredNorm() <= room * room;
}

inline bool meets(const Bounds& box, const HalfSpace& space) {
  const algebra::Vec3 centre = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low);
  return !(space.n.dot(centre) - space.n.cwiseAbs().dot(half) > space.offset);
}

}  // namespace

bool KeptPairs::holds(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces) {
  ++age_;
  if (boxes_.size() != boxes.size() || half_spaces_.size() != half_spaces.size()) return false;
  for (std::size_t k = 0; k < half_spaces.size(); ++k) {
    if (half_spaces[k].n != half_spaces_[k].n || !(half_spaces[k].offset <= half_spaces_[k].offset)) return false;
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (!lies_in(boxes[k], boxes_[k])) return false;
  }
  return true;
}

void KeptPairs::enlarge(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces,
                        std::span<const double> speed) {
  brief_ = age_ <= short_life ? brief_ + 1 : 0;
  age_ = 0;
  if (brief_ >= most_brief) {
    brief_ = 0;
    plain_ = plain_calls;
  }
  boxes_.assign(boxes.begin(), boxes.end());
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    const double skin = skin_steps * speed[k] + skin_part * boxes[k].radius;
    boxes_[k].low.array() -= skin;
    boxes_[k].high.array() += skin;
    boxes_[k].radius += skin;
  }
  half_spaces_.assign(half_spaces.begin(), half_spaces.end());
  for (HalfSpace& space : half_spaces_) space.offset += space_part * std::abs(space.offset);
}

void KeptPairs::test(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces,
                     std::vector<std::array<int, 2>>& pairs) const {
  pairs.clear();
  for (const Pair& pair : kept_) {
    const Bounds& b = boxes[static_cast<std::size_t>(pair.b)];
    const bool near = pair.a < 0 ? meets(b, half_spaces[static_cast<std::size_t>(-1 - pair.a)])
                                 : overlap(boxes[static_cast<std::size_t>(pair.a)], b);
    if (near) pairs.push_back({pair.i, pair.j});
  }
}

}  // namespace vinculum::collide
