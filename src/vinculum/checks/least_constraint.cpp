// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/principle.hpp"

namespace vinculum::checks {

std::unique_ptr<Check> make_least_constraint() { return std::make_unique<PrincipleCheck>(Principle::least_constraint); }

}  // namespace vinculum::checks
