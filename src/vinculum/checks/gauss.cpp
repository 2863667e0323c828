// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/principle.hpp"

namespace vinculum::checks {

std::unique_ptr<Check> make_gauss() { return std::make_unique<PrincipleCheck>(Principle::gauss); }

}  // namespace vinculum::checks
