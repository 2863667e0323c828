// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How far a candidate Λ is from a solution: the natural map of every law at ξ = G Λ + c, once as it stands (the FCLIB
// measure) and once on unit-free variables
//   Λ = σ D Λ',  ξ = σ D⁻¹ ξ',  c = σ D⁻¹ c',   d_i = (tr G_ii / rows_i)^(-1/2),   σ = |D c|,  so |c'| = 1.
// One scalar per block keeps cones cones; the size of other sets is divided by d. The map is homogeneous of degree one,
// so σ drops out of the quotients.
// A block without a moving node has no scale of its own and takes the smallest d of the others.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/contact/block_product.hpp"
#include "vinculum/laws/coulomb.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::contact {
namespace {

// Squared norms of the natural map, c, ξ and Λ.
struct Sums {
  double map = 0, c = 0, xi = 0, Lambda = 0;

  double relative() const {
    const double size = std::max({c, xi, Lambda});
    return size > 0 ? std::sqrt(map / size) : 0.0;
  }
};

/// One block at its ξ and Λ, as it stands and in the unit of d. Friction needs no virtual calls, and one |ξ_T| for
/// both.
struct Block {
  const laws::ForceLaw& law;
  bool coulomb;
  double mu;
  const Vec3 &xi, &Lambda, &c;
  double slip = coulomb ? std::sqrt(xi[1] * xi[1] + xi[2] * xi[2]) : 0;
  double c_square = c.squaredNorm(), xi_square = xi.squaredNorm(), Lambda_square = Lambda.squaredNorm();

  void add(Sums& sums) const {
    const Vec3 map = coulomb ? laws::coulomb_natural_map(xi, slip, Lambda, mu) : law.natural_map(xi, Lambda, mu);
    sums.map += map.squaredNorm();
    sums.c += c_square;
    sums.xi += xi_square;
    sums.Lambda += Lambda_square;
  }

  void add_scaled(double d, Sums& sums) const {
    const double inverse = 1 / d;
    const Vec3 xi_d = d * xi, Lambda_d = inverse * Lambda;
    const Vec3 map = coulomb ? laws::coulomb_natural_map(xi_d, d * slip, Lambda_d, mu)
                             : law.natural_map(xi_d, Lambda_d, law.is_cone() ? mu : mu * inverse);
    sums.map += map.squaredNorm();
    sums.c += d * d * c_square;
    sums.xi += d * d * xi_square;
    sums.Lambda += inverse * inverse * Lambda_square;
  }
};

}  // namespace

VINCULUM_CLONES Errors measure(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
                               std::vector<Vec3>& xi) {
  const std::span<const laws::LawType> types = laws::law_types();
  auto law_at = [&](std::size_t i) -> const laws::ForceLaw& {
    return *types[static_cast<std::size_t>(problem.law[i])].law;
  };
  auto is_coulomb = [&](std::size_t i) { return problem.law[i] == laws::Kind::coulomb; };
  auto rows = [&](std::size_t i) { return is_coulomb(i) ? 3 : law_at(i).rows(); };
  auto block_at = [&](std::size_t i) {
    return Block{law_at(i), is_coulomb(i), problem.mu[i], xi[i], Lambda[i], problem.c[i]};
  };
  z.assign(6 * problem.nodes, 0.0);
  xi.resize(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) add_to_nodes(problem, i, rows(i) == 1, Lambda[i], z);
  Sums judged, scaled;
  double d_min = 0;
  bool all_move = true;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const BlockVelocity velocity = velocity_of(problem, i, rows(i) == 1, z);
    xi[i] = velocity.xi;
    const Block block = block_at(i);
    block.add(judged);
    if (velocity.trace > 0) {
      const double d = std::sqrt(rows(i) / velocity.trace);
      block.add_scaled(d, scaled);
      d_min = d_min > 0 ? std::min(d_min, d) : d;
    } else {
      all_move = false;
    }
  }
  for (std::size_t i = 0; !all_move && i < problem.size(); ++i) {
    if (velocity_of(problem, i, rows(i) == 1, z).trace == 0) block_at(i).add_scaled(d_min > 0 ? d_min : 1.0, scaled);
  }
  Errors errors;
  errors.judged = judged.relative();
  errors.scaled = scaled.relative();
  errors.over_c = scaled.c > 0 ? std::sqrt(scaled.map / scaled.c) : errors.scaled;
  return errors;
}

}  // namespace vinculum::contact
