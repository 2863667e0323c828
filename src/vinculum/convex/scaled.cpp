// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// s C, s > 0:   P(x) = s P_C(x/s),   h(d) = s h_C(d),   face(d) = s face_C(d).
#include "vinculum/convex/scaled.hpp"

#include <fmt/core.h>

namespace vinculum::convex {

namespace {

class Scaled final : public Set {
 public:
  Scaled(SetPtr set, double s) : Set(set->dimension()), set_(std::move(set)), s_(s) {}
  bool empty() const override { return set_->empty(); }
  bool is_point() const override { return set_->is_point(); }
  bool is_bounded() const override { return set_->is_bounded(); }
  Vec project(const Vec& x) const override { return s_ * set_->project(x / s_); }
  double support(const Vec& d) const override { return s_ * set_->support(d); }
  SetPtr face(const Vec& d, double tol) const override { return make_scaled(set_->face(d, tol), s_); }
  std::string text() const override { return fmt::format("{} * {}", s_, set_->text()); }

 private:
  SetPtr set_;
  double s_;
};

}  // namespace

SetPtr make_scaled(const SetPtr& set, double s) { return std::make_shared<Scaled>(set, s); }

}  // namespace vinculum::convex
