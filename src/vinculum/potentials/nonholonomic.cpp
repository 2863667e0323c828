// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonholonomic rows: the local rate u = Wᵀq̇ vanishes.                              theory/glocker-1998.md, Sec 2 and 10
//   Φ = I_{0}(u);   any force along the row. Obeys J and G, not stationarity of an action with appended constraints.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory nonholonomic_factory() {
  static const Parameter parameters[] = {
      {.name = "rows", .unit = "1", .text = "number of rows", .low = 1, .high = 3, .integer = true, .fallback = 1},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            const Vec zero = Vec::Zero(static_cast<int>(v.at("rows")));
            return make_box_indicator(Level::velocity, zero, zero);
          }};
}

}  // namespace vinculum::potentials
