// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/principles/small_problem.hpp"

#include "vinculum/laws/law.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::principles {

namespace {

Vec3 project_on_set(const Block& block, const Vec3& y) {
  const convex::Vec minus_y = -y.head(block.rows);
  Vec3 x = Vec3::Zero();
  x.head(block.rows) = -block.minus_set->project(minus_y);
  return x;
}

// Central differences: the sets of convex/ are smooth or polyhedral, and Newton only needs a direction.
Mat3 differentiate(const Block& block, const Vec3& y) {
  const double h = 1e-6 * std::max(1e-3, y.norm());
  Mat3 D = Mat3::Zero();
  for (int j = 0; j < block.rows; ++j) {
    Vec3 up = y, down = y;
    up[j] += h;
    down[j] -= h;
    D.col(j) = (project_on_set(block, up) - project_on_set(block, down)) / (2 * h);
  }
  return D;
}

Vec3 project_on_box(const Block& block, const Vec3& y) {
  Vec3 x = Vec3::Zero();
  for (int i = 0; i < block.rows; ++i) x[i] = std::min(std::max(y[i], block.lower[i]), block.upper[i]);
  return x;
}

Vec3 project_on_disc(const Block& block, const Vec3& y) {
  const double size = y.head(block.rows).norm();
  return size <= block.radius ? y : Vec3(y * (block.radius / size));
}

// P = r y/|y| outside: derivative (r/|y|)(1 − t tᵀ)
Mat3 differentiate_disc(const Block& block, const Vec3& y) {
  Mat3 D = Mat3::Zero();
  const auto n = block.rows;
  D.topLeftCorner(n, n).setIdentity();
  const double size = y.head(n).norm();
  if (size <= block.radius) return D;
  const Vec3 t = y / size;
  D.topLeftCorner(n, n) -= t.head(n) * t.head(n).transpose();
  return D * (block.radius / size);
}

const laws::ForceLaw& coulomb() { return laws::law_of(laws::Kind::coulomb); }

}  // namespace

Vec3 Block::project(const Vec3& y) const {
  switch (kind) {
    case BlockKind::box:
      return project_on_box(*this, y);
    case BlockKind::disc:
      return project_on_disc(*this, y);
    case BlockKind::set:
      return project_on_set(*this, y);
    case BlockKind::coulomb:
      return coulomb().project(y, mu);
    case BlockKind::coulomb_slip: {
      const double normal = std::max(0.0, y[0]);
      return {normal, -mu * normal * slip[1], -mu * normal * slip[2]};
    }
  }
  return y;
}

Mat3 Block::derivative(const Vec3& y) const {
  Mat3 D = Mat3::Zero();
  switch (kind) {
    case BlockKind::box:
      for (int i = 0; i < rows; ++i) D(i, i) = y[i] >= lower[i] && y[i] <= upper[i] && lower[i] < upper[i] ? 1 : 0;
      return D;
    case BlockKind::disc:
      return differentiate_disc(*this, y);
    case BlockKind::set:
      return differentiate(*this, y);
    case BlockKind::coulomb:
      return coulomb().project_derivative(y, mu);
    case BlockKind::coulomb_slip:
      if (y[0] > 0) D.col(0) = Vec3(1, -mu * slip[1], -mu * slip[2]);
      return D;
  }
  return D;
}

bool SmallProblem::convex() const {
  return std::all_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.convex(); });
}

double judge(const SmallProblem& problem, const Eigen::VectorXd& Lambda) {
  const Eigen::VectorXd xi = problem.G * Lambda + problem.c;
  double map = 0, free = 0, impulse = 0;
  Eigen::Index row = 0;
  for (const Block& block : problem.blocks) {
    double stiffness = 0;
    for (int i = 0; i < block.rows; ++i) stiffness += problem.G(row + i, row + i) / block.rows;
    const double d = stiffness > 0 ? std::sqrt(stiffness) : 1;  // Λ d and ξ/d are of one unit
    Vec3 L = Vec3::Zero(), y = Vec3::Zero();
    L.head(block.rows) = Lambda.segment(row, block.rows);
    y.head(block.rows) = L.head(block.rows) - xi.segment(row, block.rows) / (d * d);
    map += d * d * (L - block.project(y)).squaredNorm();
    impulse += d * d * L.squaredNorm();
    free += problem.c.segment(row, block.rows).squaredNorm() / (d * d);
    row += block.rows;
  }
  const double size = std::max(std::sqrt(free), std::sqrt(impulse));
  return size > 0 ? std::sqrt(map) / size : std::sqrt(map);
}

}  // namespace vinculum::principles
