// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/principles/qualification.hpp"

namespace vinculum::principles {

convex::Qualification check_qualification(const parts::Lagrangian& part, const Instant& at, const ActiveSets& sets) {
  std::vector<convex::SmoothConstraint> constraints;
  const double t = at.t;
  const VectorXd rest = VectorXd::Zero(part.size());
  for (const int i : sets.I0) {
    const parts::RowLaw& law = part.laws()[static_cast<std::size_t>(i)];
    if (law.role != parts::Role::contact) continue;
    const int row = law.first;
    constraints.push_back({[&part, t, rest, row](const VectorXd& q) {
                             parts::Point point = part.make_point();
                             part.set(t, q, rest, point);
                             VectorXd x;
                             part.gaps(point, x);
                             return x[row];
                           },
                           [&part, t, rest, row](const VectorXd& q) -> VectorXd {
                             parts::Point point = part.make_point();
                             part.set(t, q, rest, point);
                             MatrixXd W;
                             part.directions(point, W);
                             return W.col(row);
                           }});
  }
  if (constraints.empty()) return {};
  return convex::make_level_set(static_cast<int>(part.size()), constraints)->qualification(at.q);
}

}  // namespace vinculum::principles
