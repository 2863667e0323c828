// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Redundant bonds (couplings, closures, rods): of all their ξ only the part counts that impulses can change.
// G = Wᵀ M⁻¹ W of the bonds; directions in which it is below a millionth of its largest (a thousandth in W) ask for
// what other rows ask for already, up to the error of a midpoint off the constraint.
#include "vinculum/checks/replay.hpp"

#include <Eigen/Eigenvalues>

namespace vinculum::checks {

using model::world;

namespace {

constexpr std::size_t rods_looked_through = 200;  // as many as the run looks through

/// One row of a bond: its unit impulse, and where its ξ and c stand.
struct BondRow {
  Pushes unit;
  double *xi, *c;
};

}  // namespace

void Replay::drop_redundant_parts() {
  std::vector<BondRow> rows;
  redundant.resize(0, 0);
  auto clear = [&](Pushes& unit) {
    if (trees) return unit.clear(trees->linkage);
    unit.p.assign(model.bodies.size(), Vec3::Zero());
    unit.l.assign(model.bodies.size(), Vec3::Zero());
  };
  if (trees) {
    for (JointLawView& view : trees->views) {
      for (int k = 0; view.law->is_bond() && k < view.law->rows; ++k) {
        rows.push_back({{}, &view.xi[k], &view.c[k]});
        clear(rows.back().unit);
        rows.back().unit.add(trees->linkage, trees->at_m, q_m, *view.law, view.mid, Vec3::Unit(k));
      }
    }
  }
  bond_rows = rows.size();
  for (ContactView& rod : contacts) {
    if (!rod.bond || model.rods.size() > rods_looked_through) continue;
    rows.push_back({{}, &rod.xi.x(), &rod.c.x()});
    Pushes& unit = rows.back().unit;
    clear(unit);
    for (const auto& [body, sign] : {std::pair(rod.body_a, -1.0), std::pair(rod.body_b, 1.0)}) {
      const Vec3 F = sign * rod.mid.F.col(0);
      if (body == world) continue;
      if (trees) {
        unit.add(trees->linkage, trees->at_m, q_m, body, rod.mid.point, F, Vec3::Zero());
        continue;
      }
      const auto b = static_cast<std::size_t>(body);
      unit.p[b] += F;
      unit.l[b] += (rod.mid.point - q_m.x[b]).cross(F);
    }
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  if (n < 2) return;
  MatrixXd G(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Pushes& push = rows[static_cast<std::size_t>(j)].unit;
    const VectorXd v = trees ? trees->mass.solve(push.tau) : VectorXd();
    for (Eigen::Index i = 0; i < n; ++i) {
      const Pushes& other = rows[static_cast<std::size_t>(i)].unit;
      G(i, j) = trees ? other.tau.dot(v) : 0;
      for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        G(i, j) +=
            other.p[b].dot(push.p[b]) / model.bodies[b].mass + other.l[b].dot(angular_velocity(b, q_m.R[b], push.l[b]));
      }
    }
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (G + G.transpose()));
  Eigen::Index lost = 0;
  while (lost < n && eigen.eigenvalues()[lost] < 1e-6 * eigen.eigenvalues()[n - 1]) ++lost;
  if (lost == 0) return;
  redundant = eigen.eigenvectors().leftCols(lost);
  const MatrixXd V = eigen.eigenvectors().rightCols(n - lost);
  for (double* BondRow::*member : {&BondRow::xi, &BondRow::c}) {
    VectorXd x(n);
    for (Eigen::Index i = 0; i < n; ++i) x[i] = *(rows[static_cast<std::size_t>(i)].*member);
    x = V * (V.transpose() * x).eval();
    for (Eigen::Index i = 0; i < n; ++i) *(rows[static_cast<std::size_t>(i)].*member) = x[i];
  }
}

Undetermined Replay::undetermined() const {
  Undetermined found;
  if (trees) found = trees->undetermined(redundant.topRows(static_cast<Eigen::Index>(bond_rows)));
  found.directions = static_cast<int>(redundant.cols());
  auto row = static_cast<Eigen::Index>(bond_rows);
  for (const ContactView& rod : contacts) {
    if (!rod.bond || row >= redundant.rows()) continue;
    if (redundant.row(row++).squaredNorm() > 1e-3) found.loops.push_back(rod.name);
  }
  return found;
}

}  // namespace vinculum::checks
