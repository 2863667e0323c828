// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Systems of Glocker (1998) from texts, as a user writes them, and what their accelerations are asked.
#pragma once

#include "vinculum/model/model.hpp"
#include "vinculum/principles/verdict.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <string>

namespace vinculum::glocker {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using principles::Accelerations;
using principles::Instant;
using principles::Principle;
using principles::Status;

inline constexpr double exact = 1e-12;

inline parts::Lagrangian make_part(const std::string& text) {
  const model::Model model = model::parse_scene(text, "glocker.toml");
  return {*model.lagrangian, model.laws};
}

inline VectorXd vec(std::initializer_list<double> values) {
  VectorXd x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

inline Accelerations solve(const parts::Lagrangian& part, const VectorXd& q, const VectorXd& u) {
  return principles::least_constraint(part, 0, q, u);
}

inline principles::Verdict verdict(Principle principle, const parts::Lagrangian& part, const VectorXd& q,
                                   const VectorXd& u, const VectorXd& a) {
  const Instant at = principles::make_instant(part, 0, q, u);
  return principles::check(principle, part, at, a, principles::tolerances_of(at));
}

inline void expect_near(const VectorXd& a, std::initializer_list<double> b, double tol = exact) {
  ASSERT_EQ(a.size(), static_cast<Eigen::Index>(b.size()));
  Eigen::Index i = 0;
  for (const double value : b) {
    EXPECT_NEAR(a[i], value, tol) << "component " << i;
    ++i;
  }
}

inline void expect_proof(const Accelerations& r) {
  EXPECT_TRUE(r.report.solved);
  EXPECT_LE(r.certificate.balance, 1e-11);
  EXPECT_LE(r.certificate.feasibility, 1e-11);
  EXPECT_LE(r.certificate.domain, 1e-11);
  EXPECT_LE(std::abs(r.certificate.gap), 1e-10);
}

/// A ball over a floor, and a block on rough ground, pushed by F.
inline std::string ball(double F) {
  return "[lagrangian]\ncoordinates = [\"y\"]\nparameters = { m = 1, g = 10, F = " + std::to_string(F) +
         " }\nT = \"m/2*y'^2\"\nU = \"(m*g - F)*y\"\n"
         "[[law]]\nname = \"floor\"\ntype = \"unilateral\"\ngap = \"y\"\n";
}

inline std::string friction(double F) {
  return "[lagrangian]\ncoordinates = [\"x\"]\nparameters = { m = 1, F = " + std::to_string(F) +
         " }\nT = \"m/2*x'^2\"\nforces = [\"F\"]\n"
         "[[law]]\nname = \"ground\"\ntype = \"dry_friction\"\nrate = \"x'\"\nload = 2\n";
}

}  // namespace vinculum::glocker
