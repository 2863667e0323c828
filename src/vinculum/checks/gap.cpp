// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// At the end of every recorded step, for every pair of shapes whose bounding balls meet: a direction n with
//   sep(n) = −h_B(−n) − h_A(n) >= −tol · size
// proves that they overlap by no more than that. Directions proposed by recorded contacts are tried, not believed. A
// contact that was overlooked shows up here. Rods: | |AB| − length | within the same tolerance.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vinculum::checks {

using model::world;

namespace {

class Gap final : public Check {
 public:
  Gap() { outcome.unit = "of the body size"; }
  void look(const Replay& step) override {
    collect(step);
    std::sort(boxes_.begin(), boxes_.end(), [](const Box& a, const Box& b) { return a.low < b.low; });
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (std::size_t j = i + 1; j < boxes_.size() && boxes_[j].low <= boxes_[i].high; ++j) {
        if ((boxes_[i].centre - boxes_[j].centre).norm() <= boxes_[i].radius + boxes_[j].radius) {
          look_at(step, boxes_[i].shape, boxes_[j].shape);
        }
      }
      for (const std::size_t big : unbounded_) look_at(step, boxes_[i].shape, big);
    }
    look_at_rods(step);
    if (step.trees) look_at_joints(step);
    if (step.coordinates) look_at_rows(*step.coordinates);
  }

 private:
  /// Limits and bonds of joints. Angles in radians, lengths in units of the bodies where these are below one metre.
  void look_at_joints(const Replay& step) {
    for (const JointLaw& law : step.trees->laws) {
      if (!law.holds_gap()) continue;
      const Vec3 gap = checks::look_at(step.trees->linkage, law, step.trees->q_1, step.q_1).gap;
      const double off = law.is_limit() ? largest({0, -gap.x()}) : gap.norm();
      note(off / std::min(1.0, step.length_scale), step.tol, step.t + step.dt, law.name);
    }
  }
  void look_at_rows(const Coordinates& at) {
    for (const parts::RowLaw& law : at.part.laws()) {
      const bool bond = law.role == parts::Role::bond;
      for (int r = law.first; law.holds_gap() && r < law.first + law.rows; ++r) {
        note(bond ? std::abs(at.x_1[r]) / at.length : largest({0, -at.x_1[r]}) / at.length, at.tol, at.t + at.dt,
             law.name);
      }
    }
  }

  struct Box {
    double low, high;
    Vec3 centre;
    double radius;
    std::size_t shape;
  };
  struct Hint {
    std::size_t a, b;
    Vec3 n;
  };

  void collect(const Replay& step) {
    boxes_.clear();
    unbounded_.clear();
    hints_.clear();
    for (std::size_t s = 0; s < step.model.shapes.size(); ++s) {
      const double radius = reach(step.model.shapes[s].geometry);
      if (!std::isfinite(radius)) {
        unbounded_.push_back(s);
        continue;
      }
      const Vec3 centre = step.solid(s, step.q_1).p;
      boxes_.push_back({centre.x() - radius, centre.x() + radius, centre, radius, s});
    }
    auto add = [&](const ContactView& contact) {
      if (contact.bond) return;
      hints_.push_back({static_cast<std::size_t>(contact.record->shape_a),
                        static_cast<std::size_t>(contact.record->shape_b), contact.record->n});
    };
    for (const ContactView& contact : step.contacts) add(contact);
    for (const ContactView& contact : step.projected) add(contact);
    std::stable_sort(hints_.begin(), hints_.end(),
                     [](const Hint& x, const Hint& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  }

  void look_at(const Replay& step, std::size_t s1, std::size_t s2) {
    const auto [a, b] = std::minmax(s1, s2);
    const model::Shape &shape_a = step.model.shapes[a], &shape_b = step.model.shapes[b];
    if (!filter_) filter_.emplace(step.model);
    if (!filter_->may_touch(static_cast<int>(a), static_cast<int>(b))) return;
    directions_.clear();
    auto hint = std::lower_bound(hints_.begin(), hints_.end(), Hint{a, b, {}},
                                 [](const Hint& x, const Hint& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    for (; hint != hints_.end() && hint->a == a && hint->b == b; ++hint) directions_.push_back(hint->n);
    const Separation found = separate(step.solid(a, step.q_1), step.solid(b, step.q_1), directions_);
    const double size = step.pair_size(shape_a.body, shape_b.body);
    auto name = [&](const model::Shape& shape) {
      return shape.body == world ? shape.name : step.body_name(shape.body);
    };
    note(largest({0, -found.value}) / size, step.tol, step.t + step.dt, name(shape_a) + " - " + name(shape_b));
  }

  void look_at_rods(const Replay& step) {
    auto end = [&](int body, const Vec3& point) {
      if (body == world) return point;
      const auto b = static_cast<std::size_t>(body);
      return Vec3(step.q_1.x[b] + step.q_1.R[b] * (point - step.model.bodies[b].com));
    };
    for (const model::Rod& rod : step.model.rods) {
      const double stretch = std::abs((end(rod.a, rod.point_a) - end(rod.b, rod.point_b)).norm() - rod.length);
      note(stretch / step.pair_size(rod.a, rod.b), step.tol, step.t + step.dt, "rod " + rod.name);
    }
  }

  std::optional<model::ContactFilter> filter_;
  std::vector<Box> boxes_;
  std::vector<std::size_t> unbounded_;
  std::vector<Hint> hints_;
  std::vector<Vec3> directions_;
};

}  // namespace

std::unique_ptr<Check> make_gap() { return std::make_unique<Gap>(); }

}  // namespace vinculum::checks
