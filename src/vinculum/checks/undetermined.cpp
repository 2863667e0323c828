// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Who carries the impulses that redundant bonds leave open. Cut the joint between a body and its parent: what the bonds
// do to the part that hangs on it is carried by the joint. A thousandth of the largest counts as nothing.
#include "vinculum/checks/trees.hpp"

#include <algorithm>

namespace vinculum::checks {

using model::world;

namespace {

constexpr double nothing = 1e-3;

/// Is `body` at or above `other` in its tree?
bool carries(const model::Model& model, const std::vector<std::vector<int>>& joints, int body, int other) {
  while (other != world && other != body) {
    const std::vector<int>& own = joints[static_cast<std::size_t>(other)];
    other = own.empty() ? world : model.joints[static_cast<std::size_t>(own.front())].parent;
  }
  return other == body;
}

}  // namespace

Undetermined Trees::undetermined(const MatrixXd& redundant) const {
  const model::Model& model = linkage.model;
  Undetermined found;
  found.directions = static_cast<int>(redundant.cols());
  if (found.directions == 0) return found;
  const std::vector<std::vector<int>> joints = model::joints_of_bodies(model);
  const MatrixXd space = redundant * redundant.transpose();  // columns: the stress that a row alone would leave
  std::vector<char> loaded(model.bodies.size(), 0);
  for (Eigen::Index column = 0; column < space.cols(); ++column) {
    if (space(column, column) < nothing) continue;
    std::vector<double> size(model.bodies.size(), 0);
    for (std::size_t b = 0; b < size.size(); ++b) {
      Vec3 F = Vec3::Zero(), m = Vec3::Zero();
      Eigen::Index row = 0;
      for (const JointLawView& view : views) {
        if (!view.law->is_bond()) continue;
        Vec3 own = Vec3::Zero();
        own.head(view.law->rows) = space.col(column).segment(row, view.law->rows);
        row += view.law->rows;
        if (view.law->kind == JointLaw::Kind::coupling) continue;
        const int side = carries(model, joints, static_cast<int>(b), view.law->b) -
                         carries(model, joints, static_cast<int>(b), view.law->a);
        const Vec3 force = side * (view.mid.F * own);
        F += force;
        m += side * (view.mid.N * own) + view.mid.point.cross(force);
      }
      size[b] = F.norm() + m.norm();
    }
    const double largest = *std::max_element(size.begin(), size.end());
    for (std::size_t b = 0; b < size.size(); ++b) loaded[b] = loaded[b] || size[b] > nothing * largest;
  }
  Eigen::Index row = 0;
  for (const JointLawView& view : views) {
    if (!view.law->is_bond()) continue;
    const double share = space.diagonal().segment(row, view.law->rows).sum();
    row += view.law->rows;
    if (share > nothing && (found.loops.empty() || found.loops.back() != view.law->owner))
      found.loops.push_back(view.law->owner);
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const auto b = static_cast<std::size_t>(model.joints[j].child);
    if (linkage.linked[b] && loaded[b]) found.joints.push_back(model.joints[j].name);
  }
  return found;
}

}  // namespace vinculum::checks
