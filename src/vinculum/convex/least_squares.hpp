// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Least squares with signs:  min |A x − b|,  x_j ≥ 0 for j ≥ free.            Lawson & Hanson (1974), chapter 23
//
// An active-set method: finite, exact to rounding. Two problems reduce to it:
//   find p with Aᵀp ≥ h, Eᵀp = e and |p| least (their LDP), or prove that there is none.
#pragma once

#include <Eigen/Core>

#include <optional>

namespace vinculum::convex {

/// The columns j < free have any sign.
Eigen::VectorXd solve_nonnegative(const Eigen::MatrixXd& A, int free, const Eigen::VectorXd& b);

/// p of least length with Eᵀp = e, Aᵀp ≥ h (columns are the constraints); nothing if there is none.
std::optional<Eigen::VectorXd> find_least_point(const Eigen::MatrixXd& E, const Eigen::VectorXd& e,
                                                const Eigen::MatrixXd& A, const Eigen::VectorXd& h);

}  // namespace vinculum::convex
