// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Polyhedral cones { Σ λ_j g_j : λ_j ≥ 0 } in at most three rows.
//   h(d) = 0 if all ⟨d, g_j⟩ ≤ 0, else +inf;   face(d): the cone of the g_j with ⟨d, g_j⟩ = 0.
// Projection by enumeration: the nearest point lies inside the cone of at most n independent generators (Carathéodory),
// where it is a least-squares solution with λ ≥ 0; the nearest such point over all subsets is the answer.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>
#include <Eigen/QR>

#include <algorithm>
#include <limits>
#include <vector>

namespace vinculum::convex {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
using Generators = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

struct ConeSet final : Set {
  Generators G;  // unit columns

  explicit ConeSet(const Generators& g) : Set(static_cast<int>(g.rows())), G(g) {}
  bool is_bounded() const override { return false; }

  double support(const Vec& d) const override {
    return (d.transpose() * G).maxCoeff() <= kRounding * d.norm() ? 0 : kInf;
  }

  SetPtr face(const Vec& d, double tol) const override {
    const double zero = std::max(tol, kRounding * d.norm());
    std::vector<int> tight;
    for (int j = 0; j < G.cols(); ++j) {
      const double product = d.dot(G.col(j));
      if (product > zero) return make_empty(dimension());
      if (product >= -zero) tight.push_back(j);
    }
    return make_cone(G(Eigen::all, tight));
  }

  Vec project(const Vec& x) const override {
    Vec best = Vec::Zero(dimension());
    double distance = x.norm();
    std::vector<int> chosen;
    search(x, 0, chosen, best, distance);
    return best;
  }

  void search(const Vec& x, int from, std::vector<int>& chosen, Vec& best, double& distance) const {
    for (int j = from; j < G.cols(); ++j) {
      chosen.push_back(j);
      const Mat S = G(Eigen::all, chosen);
      const Eigen::ColPivHouseholderQR<Mat> qr(S);
      if (qr.rank() == static_cast<int>(chosen.size())) {
        const Vec lambda = qr.solve(x);
        const Vec p = S * lambda;
        if (lambda.minCoeff() >= 0 && (x - p).norm() < distance) {
          best = p;
          distance = (x - p).norm();
        }
        if (static_cast<int>(chosen.size()) < dimension()) search(x, j + 1, chosen, best, distance);
      }
      chosen.pop_back();
    }
  }

  std::string text() const override {
    std::string text = "cone of";
    for (int j = 0; j < G.cols(); ++j) text += fmt::format(" {}", to_text(G.col(j)));
    return text;
  }
};

// The whole line of g in one row, or a half line, is an interval.
SetPtr make_cone_1(const Generators& G) {
  return make_interval(G.minCoeff() < 0 ? -kInf : 0, G.maxCoeff() > 0 ? kInf : 0);
}

}  // namespace

SetPtr make_cone(const Generators& generators) {
  VINCULUM_DEMAND(generators.rows() >= 1 && generators.rows() <= 3);
  std::vector<int> kept;
  for (int j = 0; j < generators.cols(); ++j) {
    if (generators.col(j).norm() > 0) kept.push_back(j);
  }
  if (kept.empty()) return make_point(Vec::Zero(generators.rows()));
  Generators G = generators(Eigen::all, kept);
  G.colwise().normalize();
  if (G.rows() == 1) return make_cone_1(G);
  return std::make_shared<ConeSet>(G);
}

}  // namespace vinculum::convex
