// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How far a candidate Λ is from a solution: the natural map of every law at ξ = G Λ + c, once as it stands (the FCLIB
// measure) and once on unit-free variables
//   Λ = σ D Λ',  ξ = σ D⁻¹ ξ',  c = σ D⁻¹ c',   d_i = (tr G_ii / rows_i)^(-1/2),   σ = |D c|,  so |c'| = 1.
// One scalar per block keeps cones cones; the size of other sets is divided by d. The map is homogeneous of degree one,
// so σ drops out of the quotients.
// A block without a moving node has no scale of its own and takes the smallest d of the others.
#include "vinculum/contact/block_product.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::contact {
namespace {

// d_i, or 0 for a block that cannot move.
double block_scale(const ContactProblem& problem, std::size_t i, int rows) {
  double trace = 0;
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
    trace += rows == 1 ? problem.J[e].row(0).squaredNorm() : problem.J[e].squaredNorm();  // other rows are zero
  }
  return trace > 0 ? std::sqrt(rows / trace) : 0.0;
}

// Squared norms of the natural map, c, ξ and Λ.
struct Sums {
  double map = 0, c = 0, xi = 0, Lambda = 0;

  void add(const Vec3& map_i, const Vec3& c_i, const Vec3& xi_i, const Vec3& Lambda_i) {
    map += map_i.squaredNorm();
    c += c_i.squaredNorm();
    xi += xi_i.squaredNorm();
    Lambda += Lambda_i.squaredNorm();
  }
  double relative() const {
    const double size = std::max({c, xi, Lambda});
    return size > 0 ? std::sqrt(map / size) : 0.0;
  }
};

/// Of the law, without a virtual call where it is friction and the impulse stays within its cone: there
/// P_K is the identity.
Vec3 natural_map(const laws::ForceLaw& law, bool coulomb, const Vec3& xi, const Vec3& Lambda, double mu) {
  if (coulomb) {
    const double push = xi[0] + mu * std::sqrt(xi[1] * xi[1] + xi[2] * xi[2]);
    const double x = Lambda[0] - push, y = Lambda[1] - xi[1], z = Lambda[2] - xi[2];
    if (x > 0 && y * y + z * z < mu * mu * x * x) return {Lambda[0] - x, Lambda[1] - y, Lambda[2] - z};
  }
  return law.natural_map(xi, Lambda, mu);
}

}  // namespace

Errors measure(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
               std::vector<Vec3>& xi) {
  const std::span<const laws::LawType> types = laws::law_types();
  auto law_at = [&](std::size_t i) { return types[static_cast<std::size_t>(problem.law[i])].law; };
  auto one_row = [&](std::size_t i) { return problem.law[i] != laws::Kind::coulomb && law_at(i)->rows() == 1; };
  z.assign(6 * problem.nodes, 0.0);
  xi.resize(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) add_to_nodes(problem, i, one_row(i), Lambda[i], z);
  Sums judged, scaled;
  double d_min = 0;
  bool all_move = true;
  auto add_scaled = [&](const laws::ForceLaw& law, std::size_t i, double d) {
    const double mu = law.is_cone() ? problem.mu[i] : problem.mu[i] / d;
    const Vec3 xi_i = d * xi[i], Lambda_i = Lambda[i] / d;
    scaled.add(natural_map(law, problem.law[i] == laws::Kind::coulomb, xi_i, Lambda_i, mu), d * problem.c[i], xi_i,
               Lambda_i);
  };
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const laws::ForceLaw& law = *law_at(i);
    xi[i] = velocity_of(problem, i, one_row(i), z);  // here, while its rows are at hand for the scale
    judged.add(natural_map(law, problem.law[i] == laws::Kind::coulomb, xi[i], Lambda[i], problem.mu[i]), problem.c[i],
               xi[i], Lambda[i]);
    const double d = block_scale(problem, i, law.rows());
    if (d > 0) {
      add_scaled(law, i, d);
      d_min = d_min > 0 ? std::min(d_min, d) : d;
    } else {
      all_move = false;
    }
  }
  if (!all_move) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const laws::ForceLaw& law = *law_at(i);
      if (block_scale(problem, i, law.rows()) == 0) add_scaled(law, i, d_min > 0 ? d_min : 1.0);
    }
  }
  Errors errors;
  errors.judged = judged.relative();
  errors.scaled = scaled.relative();
  errors.over_c = scaled.c > 0 ? std::sqrt(scaled.map / scaled.c) : errors.scaled;
  return errors;
}

}  // namespace vinculum::contact
