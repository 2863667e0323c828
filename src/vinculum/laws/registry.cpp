// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The table behind law_types(): one entry per line of registry.inc.
#include "vinculum/laws/law.hpp"

namespace vinculum::laws {

#define LAW(name, text) const ForceLaw& name##_law();
#include "vinculum/laws/registry.inc"
#undef LAW

std::span<const LawType> law_types() {
  static const LawType types[] = {
#define LAW(name, text) {#name, text, &name##_law()},
#include "vinculum/laws/registry.inc"
#undef LAW
  };
  return types;
}

const ForceLaw& law_of(Kind kind) { return *law_types()[static_cast<std::size_t>(kind)].law; }

}  // namespace vinculum::laws
