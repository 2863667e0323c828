// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/integrators/integrator.hpp"
#include "vinculum/parts/lagrangian.hpp"

#include <Eigen/Cholesky>

namespace vinculum::integrators {

struct GapViolation {
  double before = 0, after = 0;  // worst negative contact gap or open bond
};

/// Moves q to the nearest place, in the metric of M, with closed bonds and no negative contact gap:
///   q ← q + M⁻¹ W Π,   0 <= x + Wᵀ M⁻¹ W Π ⊥ Π >= 0 (bonds: = 0, any Π),   repeated with W at the new q.
/// Gaps within `closed` take part; violations below `small` are left. Appends a record for each law with Π ≠ 0 of each
/// repetition.
GapViolation project_gaps(const parts::Lagrangian& part, const Eigen::LLT<Eigen::MatrixXd>& M, double t,
                          const Eigen::VectorXd& u, double closed, double small, Eigen::VectorXd& q,
                          std::vector<ContactRecord>& records);

}  // namespace vinculum::integrators
