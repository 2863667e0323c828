// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Unilateral contact with isotropic Coulomb friction.
//   0 ≤ ξ_N ⊥ Λ_N ≥ 0,   −ξ_T ∈ N_{D(Λ_N)}(Λ_T),   D(Λ_N) = { x ∈ ℝ² : |x| ≤ μ Λ_N }     theory/solving-friction.md
// Equivalent (De Saxcé):  K_μ ∋ Λ ⊥ ξ + μ|ξ_T| n ∈ K_μ*. Dissipation −ξᵀΛ = μ Λ_N |ξ_T| ≥ 0.
//
// The block problem ξ = A Λ + b. Open if b_N ≥ 0. Otherwise ξ_N = 0 eliminates Λ_N,
//   S = A_TT − A_TN A_NT / A_NN,   c = b_T − A_TN b_N / A_NN,   ξ_T = S Λ_T + c,
// and ξ_T = −λ Λ_T with λ = |ξ_T|/|Λ_T| ≥ 0 gives, with a = adj(S) c,
//   Λ_T(λ) = −(a + λ c) / (λ² + λ tr S + det S),   Λ_N = −(b_N + A_NT Λ_T) / A_NN.
// Stick is λ = 0 if |Λ_T| ≤ μ Λ_N. Slip is the root of
//   φ(λ) = R/w − 1,   w = |a + λ c|,   R = (μ/A_NN) (−b_N (λ² + λ tr S + det S) + A_NT (a + λ c)),
// negative at 0 and positive at infinity, so that a bracket always exists; φ is nearly linear, as in trust regions.
#include "vinculum/laws/coulomb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::laws {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kRank = 1e-9;     // eigenvalues of S below this part of A_TT are none
constexpr double kUndone = 1e-13;  // part of the velocity that a stick may leave
constexpr double kClear = 1e-9;    // beyond the edge of the cone by more than rounding, also of a bad S
constexpr double kKnown = 1e-3;    // part of it to which impulses over tiny eigenvalues must be known, as in meets()

// std::hypot where squares leave the range of doubles: it takes longer than the rest of a block.
double length(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x, y);
}

// One right-hand side of the tangent problem: c and a = adj(S) c.
struct Tangent {
  double c0, c1, a0, a1;
};

// Λ_T at λ. Where S is badly conditioned one step of refinement makes up for Cramer's rule.
Eigen::Vector2d tangent_impulse(const CoulombBlock& B, const Tangent& t, double lambda) {
  const double den = lambda * lambda + lambda * B.trace + B.det, inverse = 1 / den;
  Eigen::Vector2d x(-(t.a0 + lambda * t.c0) * inverse, -(t.a1 + lambda * t.c1) * inverse);
  if (den < 1e-3 * B.trace * B.trace) {
    const double e0 = (B.S[0] + lambda) * x[0] + B.S[1] * x[1] + t.c0;
    const double e1 = B.S[2] * x[0] + (B.S[3] + lambda) * x[1] + t.c1;
    x[0] -= ((B.S[3] + lambda) * e0 - B.S[1] * e1) * inverse;
    x[1] -= ((B.S[0] + lambda) * e1 - B.S[2] * e0) * inverse;
  }
  return x;
}

double normal_impulse(const CoulombBlock& B, const Eigen::Vector2d& x, double b_N) {
  return -(b_N + B.A_NT[0] * x[0] + B.A_NT[1] * x[1]) * B.inverse_NN;
}

// Along the direction n that S does not move, the way s of least length to where x + s n lies in the cone:
//   |x + s n|² = μ² (N + s N')²,   N' = −A_NT n / A_NN
bool reach_cone(const CoulombBlock& B, double b_N, double mu, Eigen::Vector2d& x) {
  const double* row = std::abs(B.S[0]) + std::abs(B.S[1]) > std::abs(B.S[2]) + std::abs(B.S[3]) ? B.S : B.S + 2;
  const bool none = length(row[0], row[1]) <= kRank * B.size;  // S = 0: the way along which the normal gains most
  Eigen::Vector2d n(none ? B.A_NT[0] : -row[1], none ? B.A_NT[1] : row[0]);
  if (n.isZero(0)) return false;
  n.normalize();
  const double N = normal_impulse(B, x, b_N), slope = normal_impulse(B, n, 0), mu2 = mu * mu;
  const double a = 1 - mu2 * slope * slope, h = x.dot(n) - mu2 * N * slope, c = x.squaredNorm() - mu2 * N * N;
  const double square = h * h - a * c;
  if (square < 0) return false;
  const double q = -(h + std::copysign(std::sqrt(square), h));
  double least = std::numeric_limits<double>::infinity();
  for (const double s : {q / a, c / q}) {
    if (std::isfinite(s) && N + s * slope >= 0 && std::abs(s) < std::abs(least)) least = s;
  }
  if (!std::isfinite(least)) return false;
  x += least * n;
  x *= std::min(1.0, mu * normal_impulse(B, x, b_N) / x.norm());  // by rounding
  return true;
}

bool is_inside(const CoulombBlock& B, double b_N, double mu, const Eigen::Vector2d& x) {
  const double N = normal_impulse(B, x, b_N);
  return N >= 0 && x.squaredNorm() <= mu * mu * N * N;
}

// S x + c = 0 of least length where S is singular: (S + λ)⁻¹ is applied to what is left, with a λ far above the
// rounding of S and far below what S can move. False where that does not undo c, which then is not in the range of S.
bool undo_in_range(const CoulombBlock& B, const Tangent& t, double asked, Eigen::Vector2d& x) {
  const double lambda = kRank * B.size, den = lambda * lambda + lambda * B.trace + B.det;
  x.setZero();
  double e0 = t.c0, e1 = t.c1;
  for (int step = 0; step < 4; ++step) {
    x[0] -= ((B.S[3] + lambda) * e0 - B.S[1] * e1) / den;
    x[1] -= ((B.S[0] + lambda) * e1 - B.S[2] * e0) / den;
    e0 = B.S[0] * x[0] + B.S[1] * x[1] + t.c0;
    e1 = B.S[2] * x[0] + B.S[3] * x[1] + t.c1;
  }
  return length(e0, e1) <= kUndone * asked;
}

// S Λ_T + c = 0 within the cone. S is singular for planar contacts, and between links of a tree that can move in fewer
// directions than a contact has; what it cannot undo is c over its rounding then, and holds nothing.
bool find_stick(const CoulombBlock& B, const Tangent& t, const Vec3& b, double mu, Eigen::Vector2d& x) {
  if (B.det > kRank * B.size * B.trace) {
    // |Λ_T| ≤ μ Λ_N times det S, without a division, which most of those that slip can do without: |a| ≤ R(0).
    const double R = mu * B.inverse_NN * (B.A_NT[0] * t.a0 + B.A_NT[1] * t.a1 - b[0] * B.det);
    const double square = t.a0 * t.a0 + t.a1 * t.a1;
    if (square > (1 + kClear) * R * R || (R < 0 && square > 0)) return false;
    x = tangent_impulse(B, t, 0);
    return is_inside(B, b[0], mu, x);
  }
  const double asked = length(b[1], b[2]) + length(B.g[0], B.g[1]) * std::abs(b[0]);
  if (undo_in_range(B, t, asked, x) && (is_inside(B, b[0], mu, x) || reach_cone(B, b[0], mu, x))) return true;
  if (!(B.det > 4 * kEps * B.trace * B.trace)) return false;
  x = tangent_impulse(B, t, 0);
  return is_inside(B, b[0], mu, x) && kEps * B.size * x.norm() <= kKnown * asked;
}

// Root of φ. Newton inside a bracket [low, high]; geometric bisection where Newton leaves it.
double find_slip(const CoulombBlock& B, const Tangent& t, double b_N, double mu, double lambda, int most_steps) {
  const double k = mu * B.inverse_NN;
  const double cc = t.c0 * t.c0 + t.c1 * t.c1;
  const double ac = t.a0 * t.c0 + t.a1 * t.c1;
  const double hc = B.A_NT[0] * t.c0 + B.A_NT[1] * t.c1;
  const double ha = B.A_NT[0] * t.a0 + B.A_NT[1] * t.a1;
  double low = 0, high = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const double w = length(t.a0 + lambda * t.c0, t.a1 + lambda * t.c1), inverse = 1 / w;
    const double R = k * (-b_N * (lambda * lambda + lambda * B.trace + B.det) + ha + lambda * hc);
    const double phi = R * inverse - 1;
    if (std::abs(phi) <= 2 * kEps) break;
    (phi < 0 ? low : high) = lambda;
    const double dR = k * (-b_N * (2 * lambda + B.trace) + hc);
    const double slope = (dR - R * (ac + lambda * cc) * inverse * inverse) * inverse;
    double next = lambda - phi / slope;
    if (!(next > low && next < high)) {
      if (high == std::numeric_limits<double>::infinity()) {
        next = 10 * lambda;
      } else {
        next = std::sqrt(std::max(low, 1e-6 * high) * high);
        if (next <= low || next >= high) break;
      }
    }
    if (std::abs(next - lambda) <= kEps * lambda) break;
    lambda = next;
  }
  return lambda;
}

}  // namespace

CoulombBlock make_coulomb_block(const Mat3& A) {
  CoulombBlock B;
  B.A_NN = A(0, 0);
  const bool moves = A(0, 0) > 1e-15 * A.trace() && A(0, 0) > std::numeric_limits<double>::min();
  if (!moves) return B;
  B.inverse_NN = 1 / A(0, 0);
  for (int i = 0; i < 2; ++i) {
    B.A_NT[i] = A(0, 1 + i);
    B.g[i] = A(1 + i, 0) / A(0, 0);
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) B.S[2 * i + j] = A(1 + i, 1 + j) - B.g[i] * A(0, 1 + j);
  }
  // Rounding may leave −ε where a row is empty or the block is singular.
  const double size = A(1, 1) + A(2, 2);
  B.size = size;
  B.trace = std::max(B.S[0] + B.S[3], kEps * size);
  B.det = std::max(B.S[0] * B.S[3] - B.S[1] * B.S[2], 0.0);
  const double coupling = std::max({std::abs(A(0, 1)), std::abs(A(0, 2)), std::abs(A(1, 0)), std::abs(A(2, 0)),
                                    std::abs(A(1, 2)), std::abs(A(2, 1)), std::abs(A(1, 1) - A(2, 2))});
  B.round = coupling <= 16 * kEps * std::min(A(0, 0), size) && size > 1e-3 * A(0, 0);
  if (B.round) B.inverse_TT = 2 / size;
  return B;
}

Vec3 solve_coulomb_block(const CoulombBlock& B, const Vec3& b, double mu, double& slip, int most_steps) {
  const double b_N = b[0];
  if (b_N >= 0 || B.inverse_NN == 0) {
    slip = 0;
    return Vec3::Zero();
  }
  if (!(mu > 0)) return {-b_N * B.inverse_NN, 0, 0};
  Tangent t;
  t.c0 = b[1] - B.g[0] * b_N;
  t.c1 = b[2] - B.g[1] * b_N;
  t.a0 = B.S[3] * t.c0 - B.S[1] * t.c1;
  t.a1 = B.S[0] * t.c1 - B.S[2] * t.c0;

  Eigen::Vector2d x;
  if (B.trace > 0 && find_stick(B, t, b, mu, x)) {
    slip = 0;
    return {normal_impulse(B, x, b_N), x[0], x[1]};
  }
  const double c_norm = length(t.c0, t.c1);
  if (c_norm == 0) return {-b_N * B.inverse_NN, 0, 0};

  // Slip. First guess: the isotropic block with the same trace.
  if (!(slip > 0)) {
    const double isotropic = c_norm * B.A_NN / (-b_N * mu) - 0.5 * B.trace;
    slip = std::max({isotropic, 1e-3 * B.trace, std::numeric_limits<double>::min()});
  }
  slip = find_slip(B, t, b_N, mu, slip, most_steps);
  // Direction from λ, size from ξ_N = 0: the impulse lies on the cone and the contact keeps closed to rounding.
  const double w0 = t.a0 + slip * t.c0, w1 = t.a1 + slip * t.c1;
  const double w = length(w0, w1);
  const double t0 = -w0 / w, t1 = -w1 / w;
  const double stiffness = B.A_NN + mu * (B.A_NT[0] * t0 + B.A_NT[1] * t1);
  if (!(stiffness > 0)) return {-b_N * B.inverse_NN, 0, 0};  // only by rounding: no root was found
  const double Lambda_N = -b_N / stiffness;
  return {Lambda_N, mu * Lambda_N * t0, mu * Lambda_N * t1};
}

namespace {

struct Coulomb final : ForceLaw {
  int rows() const override { return 3; }

  // The normal answers first, Λ_N = y_N; the tangent is cut to the radius that this allows.
  Vec3 project(const Vec3& y, double mu) const override {
    if (!(y[0] > 0)) return Vec3::Zero();
    const double radius = mu * y[0];
    const double s = std::sqrt(y[1] * y[1] + y[2] * y[2]);
    if (s <= radius) return y;
    const double f = radius / s;
    return {y[0], f * y[1], f * y[2]};
  }

  // slip: ∂Λ_T/∂y_N = μ t,  ∂Λ_T/∂y_T = (μ y_N/|y_T|)(I − t tᵀ),  t = y_T/|y_T|
  Mat3 project_derivative(const Vec3& y, double mu) const override {
    Mat3 D = Mat3::Zero();
    if (!(y[0] > 0)) return D;
    D(0, 0) = 1;
    if (!(mu > 0)) return D;
    const double radius = mu * y[0];
    const double s = std::sqrt(y[1] * y[1] + y[2] * y[2]);
    if (s <= radius) return Mat3::Identity();
    const double t0 = y[1] / s, t1 = y[2] / s, f = radius / s;
    D(1, 0) = mu * t0;
    D(2, 0) = mu * t1;
    D(1, 1) = f * t1 * t1;
    D(2, 2) = f * t0 * t0;
    D(1, 2) = D(2, 1) = -f * t0 * t1;
    return D;
  }

  Vec3 project_set(const Vec3& x, const Vec3& Lambda, double mu) const override {
    const double radius = mu * std::max(0.0, Lambda[0]);
    const double s = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    const double f = s <= radius ? 1.0 : radius / s;
    return {std::max(0.0, x[0]), f * x[1], f * x[2]};
  }

  double support(const Vec3& d, const Vec3& Lambda, double mu) const override {
    if (d[0] > 0) return std::numeric_limits<double>::infinity();
    return mu * std::max(0.0, Lambda[0]) * std::hypot(d[1], d[2]);
  }

  Vec3 solve_local(const Mat3& A, const Vec3& b, double mu, const Vec3& guess) const override {
    double slip = 0;
    const double size = std::hypot(guess[1], guess[2]);
    if (size > 0) {
      const Vec3 xi = A * guess + b;
      slip = std::hypot(xi[1], xi[2]) / size;
    }
    return solve_coulomb_block(make_coulomb_block(A), b, mu, slip);
  }

  Vec3 natural_map(const Vec3& xi, const Vec3& Lambda, double mu) const override {
    return coulomb_natural_map(xi, std::sqrt(xi[1] * xi[1] + xi[2] * xi[2]), Lambda, mu);
  }
};

}  // namespace

const ForceLaw& coulomb_law() {
  static const Coulomb law;
  return law;
}

}  // namespace vinculum::laws
