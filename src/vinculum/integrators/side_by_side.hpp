// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies and trees beside a Lagrangian part, in one step. No law reaches from the ones to the other, so that M, W and G
// of the whole are block diagonal: the solution of the one problem is that of its two blocks, each by its own solver.
#pragma once

#include "vinculum/integrators/integrator.hpp"

namespace vinculum::integrators {

/// Steps `bodies` and `part` from the same instant; one record, one ledger, the worse report.
std::unique_ptr<Integrator> make_side_by_side(std::unique_ptr<Integrator> bodies, std::unique_ptr<Integrator> part);

}  // namespace vinculum::integrators
