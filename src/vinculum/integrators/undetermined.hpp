// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces that the laws leave open. Where bonds are redundant, impulses Λ₀ with W Λ₀ = 0 change no motion: the linkage
// stresses itself. Bonds take part whose rows of Λ₀ are not zero; so do the joints of the tree through which the loop
// is closed: the joint of a link carries the sum of the wrenches of Λ₀ on the link and all that hangs on it.
#pragma once

#include "vinculum/integrators/tree_laws.hpp"

namespace vinculum::integrators {

/// `bonds` with their rows in the order of `space`, the projector on the null space of Wᵀ M⁻¹ W.
Undetermined find_undetermined(const system::System& system, std::span<const TreeLaw> bonds,
                               const Eigen::MatrixXd& space);

}  // namespace vinculum::integrators
