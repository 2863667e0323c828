// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What all laws share: the levels as faces of one set, the standing, and defaults for prox and conjugate.
#include "vinculum/potentials/superpotential.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/convex/fixed_point.hpp"

#include <cmath>
#include <limits>

namespace vinculum::potentials {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Root of z + r ∂P(z) ∋ x, monotone: −1 if z is too small, +1 if too large, 0 if x is in it.
int side_of(const Superpotential& law, double z, double x, double r) {
  const SetPtr set = law.gradient_set(convex::vec(z));
  if (set->empty()) return 0;
  const double low = -set->support(convex::vec(-1)), high = set->support(convex::vec(1));
  if (z - x + r * low > 0) return 1;
  return z - x + r * high < 0 ? -1 : 0;
}

// Bisection down to neighbouring numbers: exact at kinks, and nothing to tune.
double bisect_prox(const Superpotential& law, double x, double r) {
  const SetPtr domain = law.domain();
  const double first = -domain->support(convex::vec(-1)), last = domain->support(convex::vec(1));
  double z = std::clamp(x, first, last), width = 1 + std::abs(x);
  const int start = side_of(law, z, x, r);
  if (start == 0) return z;
  double low = z, high = z;
  for (int k = 0; k < 1000 && side_of(law, z, x, r) == start; ++k, width *= 2) {
    (start < 0 ? low : high) = z;
    z = std::clamp(z - start * width, first, last);
    if (z == (start < 0 ? low : high)) return z;
  }
  (start < 0 ? high : low) = z;
  for (int k = 0; k < 200; ++k) {
    z = low + (high - low) / 2;
    if (z <= low || z >= high) break;
    const int side = side_of(law, z, x, r);
    if (side == 0) return z;
    (side < 0 ? low : high) = z;
  }
  return side_of(law, low, x, r) == 0 ? low : side_of(law, high, x, r) == 0 ? high : z;
}

}  // namespace

const char* name(State state) {
  switch (state) {
    case State::penetration:
      return "penetration";
    case State::open:
      return "open";
    case State::separating:
      return "separating";
    case State::impact:
      return "impact";
    case State::active:
      return "active";
  }
  return "?";
}

SetPtr PastLaw::gradient_set(const Vec& a, double tol) const {
  return reservoir->face(acceleration_reversed ? Vec(-a) : a, tol);
}

double PastLaw::cost(const Vec& a) const {
  return acceleration_reversed ? -reservoir->support(-a) : reservoir->support(a);
}

bool PastLaw::is_convex() const { return !acceleration_reversed || reservoir->is_point(); }

Vec Superpotential::prox(const Vec& x, double r) const {
  VINCULUM_DEMAND(r > 0);
  if (rows() == 1) return convex::vec(bisect_prox(*this, x[0], r));
  // z = x − r y with y the point of ∂P(z) nearest to (x − z)/r.
  const convex::Map T = [&](const Eigen::VectorXd& z) -> Eigen::VectorXd {
    return x - r * gradient_set(z)->project((x - z) / r);
  };
  return convex::find_fixed_point(T, x);
}

// Proximal point: z ← prox(z + r y, r), r growing; y + (z − z⁺)/r ∈ ∂P(z⁺). No fixed point: the supremum is infinite.
double Superpotential::conjugate(const Vec& y) const {
  if (!is_convex()) return std::nan("");
  Vec z = prox(Vec::Zero(rows()), 1);
  double r = 1;
  for (int k = 0; k < 200; ++k, r = std::min(4 * r, 1e4)) {
    const Vec next = prox(z + r * y, r);
    const double step = (next - z).norm();
    z = next;
    if (step <= 4e-16 * r * (1 + y.norm()) || step <= 1e-15 * (1 + z.norm())) return y.dot(z) - potential(z);
    if (!(z.norm() < 1e12)) return kInf;
  }
  return y.dot(z) - potential(z);
}

LawPtr Superpotential::with_load(double) const { return shared_from_this(); }

double Superpotential::derivative(const Vec& x, const Vec& p, double tol) const {
  const SetPtr set = gradient_set(x, tol);
  return set->empty() ? kInf : set->support(p);
}

double Superpotential::residual(const Vec& minus_f, const Vec& x, double tol) const {
  return gradient_set(x, tol)->distance(minus_f);
}

double Superpotential::fenchel_gap(const Vec& minus_f, const Vec& x) const {
  const double P = potential(x);
  if (P == kInf) return kInf;
  return P + conjugate(minus_f) - minus_f.dot(x);
}

SetPtr Superpotential::velocity_set(const Vec& x, double tol) const {
  return gradient_set(level() == Level::displacement ? x : Vec(Vec::Zero(rows())), tol);
}

SetPtr Superpotential::acceleration_set(const Vec& x, const Vec& u, const Tolerances& tol) const {
  if (level() == Level::velocity) return gradient_set(u, tol.rate);
  return gradient_set(x, tol.gap)->face(u, tol.rate);
}

SetPtr Superpotential::reaction_set(const Vec& x, const Vec& u, const Vec& a, const Tolerances& tol) const {
  return acceleration_set(x, u, tol)->face(a, tol.acceleration);
}

LawPtr Superpotential::velocity_law(const Vec& x, double tol) const {
  if (level() == Level::velocity) return shared_from_this();
  return std::make_shared<SupportLaw>(gradient_set(x, tol));
}

LawPtr Superpotential::acceleration_law(const Vec& x, const Vec& u, const Tolerances& tol) const {
  return std::make_shared<SupportLaw>(acceleration_set(x, u, tol));
}

PastLaw Superpotential::past_law(const Vec& x, const Vec& u_minus, const Tolerances& tol) const {
  if (level() == Level::velocity) return {gradient_set(u_minus, tol.rate), true};
  return {gradient_set(x, tol.gap)->face(-u_minus, tol.rate), false};
}

Standing Superpotential::standing(const Vec& x, const Vec& u, const Tolerances& tol) const {
  if (level() == Level::displacement) {
    const SetPtr set = gradient_set(x, tol.gap);
    if (set->empty()) return {State::penetration, set};
    if (set->is_point()) return {State::open, set};
  }
  const SetPtr face = acceleration_set(x, u, tol);
  if (face->empty()) return {State::impact, face};
  return {face->is_point() ? State::separating : State::active, face};
}

double SupportLaw::conjugate(const Vec& y) const { return set_->contains(y, 1e-12 * (1 + y.norm())) ? 0 : kInf; }

}  // namespace vinculum::potentials
