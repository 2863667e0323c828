// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/wedge.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrators {

using contact::Vec3;

namespace {

constexpr double runaway = 1e4;      // |Λ'_i| over |c'|
constexpr double moves_less = 1e-4;  // |W s| over |s|, unit-free

double stiffness(const contact::ContactProblem& problem, std::size_t i) {
  double trace = 0;
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) trace += problem.J[e].squaredNorm();
  return trace;
}

}  // namespace

bool find_self_stress(const contact::ContactProblem& problem, const std::vector<Vec3>& Lambda, std::size_t contacts,
                      std::vector<Vec3>& s) {
  double free = 0, largest = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const double g = stiffness(problem, i);
    if (g > 0) free += problem.c[i].squaredNorm() / g;
  }
  s.assign(contacts, Vec3::Zero());
  std::vector<double> z(6 * problem.nodes, 0.0);
  double size = 0, motion = 0;
  for (std::size_t i = 0; i < contacts; ++i) {
    const double impulse = Lambda[i].squaredNorm() * stiffness(problem, i);
    if (!(impulse > runaway * runaway * free)) continue;
    s[i] = Lambda[i];
    largest = std::max(largest, s[i].cwiseAbs().maxCoeff());
    size += impulse;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      Eigen::Map<Eigen::Matrix<double, 6, 1>>(z.data() + 6 * problem.node[e]) += problem.J[e].transpose() * s[i];
    }
  }
  for (const double x : z) motion += x * x;
  if (size == 0 || !(motion <= moves_less * moves_less * size)) return false;
  for (Vec3& own : s) own /= largest;
  return true;
}

}  // namespace vinculum::integrators
