// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction whose load is its own normal force λ_N, an unknown.                  theory/glocker-1998.md, test 25
//   −f ∈ ∂(μ λ_N |u|)  for the λ_N of the answer.
// The set depends on the reaction: no potential exists, and least constraint (Z) does not apply. with_load(λ_N) gives
// the law of disc_friction that it is when λ_N is known; anything else asks for a potential and is refused.
#include "vinculum/base/error.hpp"
#include "vinculum/potentials/registry.hpp"

#include <fmt/format.h>

namespace vinculum::potentials {
namespace {

struct Coulomb final : Superpotential {
  double mu;

  explicit Coulomb(double friction) : mu(friction) {}
  Level level() const override { return Level::velocity; }
  int rows() const override { return 2; }
  bool is_integrable() const override { return false; }
  bool is_dissipative() const override { return true; }
  double potential(const Vec&) const override { refuse(); }
  SetPtr gradient_set(const Vec&, double) const override { refuse(); }

  LawPtr with_load(double normal_force) const override {
    if (!(normal_force >= 0)) {
      throw base::InputError(
          fmt::format("coulomb: found a normal force of {}, expected a number >= 0 (N)", normal_force));
    }
    return std::make_shared<SupportLaw>(convex::make_ball(Vec::Zero(2), mu * normal_force));
  }

  [[noreturn]] static void refuse() {
    throw base::InputError(
        "coulomb: found a load that depends on the unknown reaction, expected a given normal force: there is no "
        "potential, and least constraint does not apply");
  }
};

}  // namespace

LawFactory coulomb_factory() {
  static const Parameter parameters[] = {
      {.name = "mu", .unit = "1", .text = "friction coefficient", .low = 0},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr { return std::make_shared<Coulomb>(v.at("mu")); }};
}

}  // namespace vinculum::potentials
