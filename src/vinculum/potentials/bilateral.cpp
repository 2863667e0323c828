// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A bond.                                                                           theory/glocker-1998.md, Sec 9
//   V = I_{0};   any force, on every level.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory bilateral_factory() {
  static const Parameter parameters[] = {
      {.name = "rows", .unit = "1", .text = "number of rows", .low = 1, .high = 3, .integer = true, .fallback = 1},
  };
  return {Level::displacement, parameters, [](const Values& v) -> LawPtr {
            const Vec zero = Vec::Zero(static_cast<int>(v.at("rows")));
            return make_box_indicator(Level::displacement, zero, zero);
          }};
}

}  // namespace vinculum::potentials
