// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/materials/linear_law.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/core.h>
#include <cmath>

namespace vinculum::materials {

Eigen::MatrixXd stress(const LinearLaw& law, const Eigen::MatrixXd& U) {
  VINCULUM_DEMAND(U.rows() == law.n && U.cols() == law.n);
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(law.n, law.n), transposed = U.transpose();
  return (law.r_1 * U.trace() - law.r_0) * I + 0.5 * law.r_2 * (U + transposed) + 0.5 * law.r_3 * (U - transposed);
}

LinearLaw inverse(const LinearLaw& law) {
  const double bulk = law.n * law.r_1 + law.r_2;
  auto demand = [](double x, const char* name, const char* lost) {
    if (x == 0) throw base::InputError(fmt::format("material.{}: found 0, expected a law that keeps {}", name, lost));
  };
  demand(law.r_2, "r_2", "the symmetric part");
  demand(law.r_3, "r_3", "the antisymmetric part");
  demand(bulk, "n r_1 + r_2", "the trace");
  return {law.n, -law.r_0 / bulk, -law.r_1 / (law.r_2 * bulk), 1 / law.r_2, 1 / law.r_3};
}

Moduli moduli(const LinearLaw& law) {
  const double side = (law.n - 1) * law.r_1 + law.r_2;
  if (side == 0)
    throw base::InputError("material.(n - 1) r_1 + r_2: found 0, expected a law that a free side can obey");
  return {law.r_2 * (law.n * law.r_1 + law.r_2) / side, law.r_1 / side, law.r_2 / 2};
}

void check_law(const LinearLaw& law, std::string_view path, bool has_equation_of_state) {
  auto fail = [&](std::string_view name, const std::string& found, std::string_view expected) {
    throw base::InputError(fmt::format("{}.{}: found {}, expected {}", path, name, found, expected));
  };
  if (law.n != 2 && law.n != 3) fail("n", fmt::format("{}", law.n), "2 or 3 dimensions");
  const std::pair<const char*, double> all[] = {{"r_0", law.r_0}, {"r_1", law.r_1}, {"r_2", law.r_2}, {"r_3", law.r_3}};
  for (const auto& [name, r] : all) {
    if (!std::isfinite(r)) fail(name, fmt::format("{}", r), "a finite number (Pa, or Pa s)");
  }
  constexpr std::string_view passive = "a number >= 0: a material that gives no work away for nothing";
  if (law.r_2 < 0) fail("r_2", fmt::format("{}", law.r_2), passive);
  if (law.r_3 < 0) fail("r_3", fmt::format("{}", law.r_3), passive);
  const double bulk = law.n * law.r_1 + law.r_2;
  if (bulk < 0) fail("n r_1 + r_2", fmt::format("{}", bulk), passive);
  const bool ideal = law.r_1 == 0 && law.r_2 == 0 && law.r_3 == 0;
  if (ideal && !has_equation_of_state) fail("r_0", "a pressure without law", "an equation of state");
}

}  // namespace vinculum::materials
