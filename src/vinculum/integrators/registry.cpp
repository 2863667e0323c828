// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/integrator.hpp"

#include <algorithm>
#include <array>

namespace vinculum::integrators {

#define INTEGRATOR(name, text) \
  std::unique_ptr<Integrator> make_##name(const system::System& system, const Settings& settings);
#include "vinculum/integrators/registry.inc"
#undef INTEGRATOR

std::span<const IntegratorType> integrator_types() {
  static const std::array types = {
#define INTEGRATOR(name, text) IntegratorType{#name, text, &make_##name},
#include "vinculum/integrators/registry.inc"
#undef INTEGRATOR
  };
  return types;
}

const IntegratorType* find_integrator_type(std::string_view name) {
  for (const IntegratorType& type : integrator_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace vinculum::integrators
