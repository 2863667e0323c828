// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/dense_newton.hpp"

#include "vinculum/algebra/dense_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

using algebra::padded;
using contact::ContactProblem;
using contact::Vec3;

constexpr double kAlpha[] = {1e-7, 1e-9};  // far below the softest mode that matters, far above rounding
constexpr double kRho[] = {1, 0.3};        // diagonal blocks of G have mean diagonal 1
constexpr int kMostIterations = 14;        // with one ρ
constexpr int kMostCreeping = 4;           // steps of little gain in sequence: α holds them back
constexpr int kMostRises = 4;              // full steps that may raise |F|: states settle in a few of them
constexpr double kGain = 0.5;              // |F| that falls by less creeps
constexpr double kNoGain = 0.9;            // |F| within the tolerance that falls by less is at its rounding
constexpr double kRounding = 4e-16;
constexpr double kRest = 1e-13;    // |F| of a state at rest: below what others accept
constexpr double kReach = 0.3;     // longest step: part of the impulses. G may leave a direction free where laws end it
constexpr double kStill = 1e-4;    // |du| / |dx| of impulses that move nothing
constexpr double kBeyond = 1e-9;   // part of a step by which it passes the edge of a cone
constexpr double kPassing = 0.05;  // of the tolerance: what later rounds may find good enough
constexpr double kQuiet = 0.01;    // part of the tolerance that is not worth other impulses
constexpr double kShortest = 0.05;  // steps below are no progress
constexpr double kLargest = 1e7;    // |x| / |c'|: above, what the impulses do is lost in their rounding

/// Of a padded vector, in four sums that do not wait for one another.
double norm(const std::vector<double>& x) {
  double sum[4] = {0, 0, 0, 0};
  for (std::size_t k = 0; k < x.size(); k += 4) {
    for (std::size_t j = 0; j < 4; ++j) sum[j] += x[k + j] * x[k + j];
  }
  return std::sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

}  // namespace

/// y, F and the states of the laws at a point; returns |F|².
double DenseNewton::evaluate(const double* x, const double* u, double* y, double* F) {
  double sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    const int row = block.row;
    if (block.form == Form::coulomb) {
      const double y0 = x[row] - rho_ * u[row], y1 = x[row + 1] - rho_ * u[row + 1];
      const double y2 = x[row + 2] - rho_ * u[row + 2], edge = block.mu * y0, square = y1 * y1 + y2 * y2;
      const bool closed = y0 > 0, sticks = square <= edge * edge;
      const double factor = !closed ? 0 : sticks ? 1 : edge / std::sqrt(square);
      const double f0 = x[row] - (closed ? y0 : 0), f1 = x[row + 1] - factor * y1, f2 = x[row + 2] - factor * y2;
      next_state_[i] = !closed ? lets_go : sticks ? holds : between;
      y[row] = y0, y[row + 1] = y1, y[row + 2] = y2;
      F[row] = f0, F[row + 1] = f1, F[row + 2] = f2;
      sum += f0 * f0 + f1 * f1 + f2 * f2;
    } else if (block.form == Form::one_sided) {
      y[row] = x[row] - rho_ * u[row];
      F[row] = x[row] - std::max(y[row], 0.0);
      next_state_[i] = y[row] > 0 ? holds : lets_go;
      sum += F[row] * F[row];
    } else {
      Vec3 at = Vec3::Zero();
      for (int k = 0; k < block.rows; ++k) at[k] = y[row + k] = x[row + k] - rho_ * u[row + k];
      const Vec3 next = block.form == Form::bond ? at : block.law->project(at, block.mu);
      for (int k = 0; k < block.rows; ++k) {
        F[row + k] = x[row + k] - next[k];
        sum += F[row + k] * F[row + k];
      }
      next_state_[i] = block.form == Form::bond ? holds : unknown;
    }
  }
  return sum;
}

/// D where it is neither 0 nor I. True if the same laws hold, slip and let go as in the factor.
bool DenseNewton::find_states(const double* y) {
  bool same = true;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    char state = next_state_[i];
    if (state == between || state == unknown) {
      Vec3 at = Vec3::Zero();
      for (int k = 0; k < block.rows; ++k) at[k] = y[block.row + k];
      D_[i] = block.law->project_derivative(at, block.mu);
      const auto rows = D_[i].topLeftCorner(block.rows, block.rows);
      if (state == unknown) state = rows.isZero(0) ? lets_go : rows.isIdentity(0) ? holds : between;
    }
    same = same && state == state_[i];
    state_[i] = state;
  }
  return same;
}

/// K on the rows of laws that do not let go, and Z. What only begins or ceases to slip leaves the factor as it is.
bool DenseNewton::factor() {
  bool same = factored_;
  kept_.clear();
  slipping_.clear();
  rest_rows_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    same = same && (place_[block.row] < 0) == (state_[i] == lets_go);
    for (int k = block.row; k < block.row + block.rows; ++k) {
      place_[k] = state_[i] == lets_go ? -1 : static_cast<int>(kept_.size());
      if (state_[i] != lets_go) kept_.push_back(k);
    }
    if (state_[i] != between) continue;
    slipping_.push_back(static_cast<int>(i));
    // The first row of a contact that slips is its normal, which holds; of other laws no row is taken to.
    for (int k = block.form == Form::coulomb ? 1 : 0; k < block.rows; ++k) rest_rows_.push_back(block.row + k);
  }
  if (!same && !factor_kept()) return false;
  solve_columns();
  return true;
}

bool DenseNewton::factor_kept() {
  const int n = static_cast<int>(kept_.size()), width = padded(n);
  K_.resize(static_cast<std::size_t>(width * width));
  corners_.resize(static_cast<std::size_t>(8 * width));
  for (int a = 0; a < n; ++a) {
    const double* G = G_.data() + kept_[a] * stride_;
    double* to = K_.data() + a * width;
    if (n == m_) {
      std::copy(G + a, G + width, to + a);
    } else {
      for (int b = a; b < n; ++b) to[b] = G[kept_[b]];
      for (int b = n; b < width; ++b) to[b] = 0;
    }
    to[a] += alpha_;
  }
  ++factorisations_;
  return algebra::factor_cholesky(K_.data(), n, corners_.data());
}

/// Z = K⁻¹ E_N, four columns behind one another.
void DenseNewton::solve_columns() {
  const int n = static_cast<int>(kept_.size()), rest = static_cast<int>(rest_rows_.size()), width = padded(n);
  Z_.assign(static_cast<std::size_t>(padded(rest) * width), 0.0);
  for (int j = 0; j < rest; ++j) Z_[(j / 4) * 4 * width + 4 * place_[rest_rows_[j]] + j % 4] = 1;
  for (int j = 0; j < rest; j += 4) {
    algebra::solve_cholesky_four(K_.data(), n, corners_.data(), place_[rest_rows_[j]], Z_.data() + j * width);
  }
}

/// w_N from the small system, given the other w in w_ and y = K⁻¹ w in part_; then dx = y + Z w_N there.
bool DenseNewton::find_rest(const double* g) {
  const int rest = static_cast<int>(rest_rows_.size()), side = padded(rest),
            width = padded(static_cast<int>(kept_.size()));
  A_.assign(static_cast<std::size_t>(side * side), 0.0);
  rhs_.resize(static_cast<std::size_t>(side));
  rest_.resize(static_cast<std::size_t>(side));
  rest_inverse_.resize(static_cast<std::size_t>(side));
  order_.resize(static_cast<std::size_t>(side));
  int a = 0;
  for (const int i : slipping_) {
    const Block& block = blocks_[i];
    const int own = a;  // first of the block's rows in N
    for (int k = block.form == Form::coulomb ? 1 : 0; k < block.rows; ++k, ++a) {
      double value = -F_[block.row + k];
      double* const row = A_.data() + a * side;
      for (int b = 0; b < block.rows; ++b) {
        const int at = place_[block.row + b];
        const double D = D_[i](k, b), open = (k == b) - D;
        value -= open * part_[at] + rho_ * D * (w_[at] + g[block.row + b]);
        for (int j = 0; j < rest; j += 4) {
          const double* const Z = Z_.data() + j * width + 4 * at;
          for (int c = 0; c < 4; ++c) row[j + c] += open * Z[c];
        }
      }
      for (int b = block.form == Form::coulomb ? 1 : 0, j = own; b < block.rows; ++b, ++j) row[j] += rho_ * D_[i](k, b);
      for (int j = rest; j < side; ++j) row[j] = 0;
      rhs_[a] = value;
    }
  }
  if (!algebra::factor_lu(A_.data(), rest, order_.data(), rest_inverse_.data())) return false;
  algebra::solve_lu(A_.data(), rest, order_.data(), rest_inverse_.data(), rhs_.data(), rest_.data());
  for (int j = 0; j < rest; j += 4) {
    const double* const Z = Z_.data() + j * width;
    for (int k = 0; k < static_cast<int>(kept_.size()); ++k) {
      part_[k] += (Z[4 * k] * rest_[j] + Z[4 * k + 1] * rest_[j + 1]) +
                  (Z[4 * k + 2] * rest_[j + 2] + Z[4 * k + 3] * rest_[j + 3]);
    }
  }
  return true;
}

/// What no impulse moves, α K⁻¹ w, is left out of w where it is below `quiet`. Four corners of a box do not lie in one
/// plane to the last digit, and to follow that digit, by 1/α, would give each solve other impulses than the one before.
/// True if nothing is left out; part_ is K⁻¹ w then.
bool DenseNewton::leave_quiet(double quiet) {
  const int n = static_cast<int>(kept_.size());
  solve_kept();
  double square = 0;
  for (int k = 0; k < n; ++k) square += part_[k] * part_[k];
  const double left = alpha_ * std::sqrt(square);
  if (left > quiet) return true;
  for (int k = 0; k < n; ++k) w_[k] -= alpha_ * part_[k];
  left_ = rho_ * left;
  return false;
}

/// part_ = K⁻¹ w.
void DenseNewton::solve_kept() {
  const int n = static_cast<int>(kept_.size());
  std::copy(w_.begin(), w_.begin() + n, part_.begin());
  std::fill(part_.begin() + n, part_.begin() + padded(n), 0.0);
  algebra::solve_cholesky(K_.data(), n, corners_.data(), part_.data());
}

/// dx from F with the factor at hand, and du = G dx. `quiet`: see leave_quiet.
bool DenseNewton::find_direction(double quiet) {
  left_ = 0;
  const int n = static_cast<int>(kept_.size());
  bool moved = false;  // by what lets go: g = G dx of those rows, in du
  if (n < m_) {
    for (int k = 0; k < m_; ++k) {
      dx_[k] = place_[k] < 0 ? -F_[k] : 0;
      moved = moved || dx_[k] != 0;
    }
  }
  if (moved) {
    algebra::multiply(G_.data(), stride_, stride_, dx_.data(), du_.data());
  } else {
    std::fill(du_.begin(), du_.end(), 0.0);
  }
  for (int k = 0; k < n; ++k) w_[k] = -F_[kept_[k]] / rho_ - du_[kept_[k]];
  for (const int row : rest_rows_) w_[place_[row]] = 0;
  if (!(quiet > 0 && leave_quiet(quiet))) solve_kept();
  if (!rest_rows_.empty() && !find_rest(du_.data())) return false;
  for (int k = 0; k < n; ++k) dx_[kept_[k]] = part_[k];
  algebra::multiply(G_.data(), stride_, stride_, dx_.data(), du_.data());
  return true;
}

/// x + t dx, and |F|² there.
double DenseNewton::try_step(double t) {
  for (int k = 0; k < m_; ++k) {
    trial_x_[k] = x_[k] + t * dx_[k];
    trial_u_[k] = u_[k] + t * du_[k];
  }
  return evaluate(trial_x_.data(), trial_u_.data(), y_.data(), F_.data());
}

/// The first t ≤ most at which a contact that sticks reaches the edge of its cone: |y_T + t dy_T| = μ (y_N + t dy_N).
double DenseNewton::first_crossing(double most) const {
  double first = most;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (block.form != Form::coulomb || state_[i] != holds) continue;
    double y[3], dy[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = x_[block.row + k] - rho_ * u_[block.row + k];
      dy[k] = dx_[block.row + k] - rho_ * du_[block.row + k];
    }
    const double mu2 = block.mu * block.mu;  // a t² + 2 b t + c = 0, c ≤ 0
    const double a = dy[1] * dy[1] + dy[2] * dy[2] - mu2 * dy[0] * dy[0];
    const double b = y[1] * dy[1] + y[2] * dy[2] - mu2 * y[0] * dy[0];
    const double c = y[1] * y[1] + y[2] * y[2] - mu2 * y[0] * y[0];
    const double square = b * b - a * c;
    if (square < 0) continue;
    const double root = std::sqrt(square);
    // The smallest positive one: for a > 0 there is one, (−b + root)/a = −c/(b + root); for a < 0 both or none.
    const double t = b + root > 0 ? -c / (b + root) : -1;
    if (t >= 0 && t < first) first = t;
  }
  return first;
}

/// A direction from F, how far to go along it, and |F|² there.
bool DenseNewton::step_along(double quiet, double size, double& t, double& next) {
  if (!find_direction(quiet)) return false;
  const double length = norm(dx_);
  t = std::min(1.0, (1 + kReach * size) / length);
  if (norm(du_) < kStill * length) t = std::min(t, (1 + kBeyond) * first_crossing(t) + kBeyond);
  next = try_step(t);
  return true;
}

/// Newton steps from x until |F| is at rounding or falls no more; x is the best point then. True if it is within the
/// target.
bool DenseNewton::iterate(double target, bool polish, bool again) {
  algebra::multiply(G_.data(), stride_, stride_, x_.data(), u_.data());
  for (int k = 0; k < m_; ++k) u_[k] += c_[k];
  double merit = evaluate(x_.data(), u_.data(), y_.data(), F_.data()), best = merit;
  if (rho_ == kRho[0]) start_ = std::sqrt(merit);
  best_ = x_;
  int steps = 0, rises = 0, creeping = 0;
  while (steps < kMostIterations) {
    const double size = norm(x_), floor = kRest + kRounding * size;
    if (merit <= (polish ? floor * floor : target * target)) break;
    if (!find_states(y_.data()) || !factored_) {
      factored_ = factor();
      if (!factored_) break;
    }
    double t = 1, next = 0;
    if (!step_along(again ? kQuiet * target : 0, size, t, next)) break;
    // What was left out must be all that is left: it was more than noise where a law still has to find its place by it.
    const bool quiet = left_ > 0 && next <= 4 * left_ * left_ + floor * floor;
    if (left_ > 0 && !quiet) {
      evaluate(x_.data(), u_.data(), y_.data(), F_.data());
      if (!step_along(0, size, t, next)) break;
    }
    ++steps;
    while (rises >= kMostRises && !(next < (1 - 0.2 * t) * merit) && t > kShortest) next = try_step(t *= 0.5);
    if (!(next < merit)) {
      if (best <= target * target) break;  // no gain: rounding
      if (++rises > kMostRises) break;
    }
    const bool slow = next > kGain * kGain * merit;
    creeping = slow && next < merit ? creeping + 1 : 0;
    x_.swap(trial_x_);
    u_.swap(trial_u_);
    const double before = merit;
    merit = next;
    if (merit < best) {
      best = merit;
      best_ = x_;
    }
    if (quiet || creeping >= kMostCreeping || (next > kNoGain * kNoGain * before && best <= target * target)) break;
  }
  x_ = best_;
  error_ = std::sqrt(best);
  iterations_ += steps;
  return best <= target * target;
}

bool DenseNewton::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  const int most = static_cast<int>(std::max(problem.size(), problem.nodes));
  for (int k = static_cast<int>(all_.size()); k < most; ++k) all_.push_back(k);
  return solve(problem, {std::span(all_).first(problem.size()), std::span(all_).first(problem.nodes), problem.nodes},
               settings, solution);
}

bool DenseNewton::solve(const ContactProblem& problem, const Part& part, const Settings& settings, Solution& solution) {
  if (!settings.same_matrix || blocks_.size() != part.blocks.size()) write_out(problem, part);
  read_free_part(problem, solution.Lambda);
  iterations_ = factorisations_ = 0;
  if (rho_ != kRho[0]) factored_ = false;
  rho_ = kRho[0];
  alpha_ = kAlpha[0];
  if (!(norm(x_) < kLargest)) std::fill(x_.begin(), x_.end(), 0.0);
  const double share = settings.passing && settings.same_matrix ? kPassing : 0.5;
  if (!iterate(share * settings.tol, settings.polish, settings.same_matrix)) {
    rho_ = kRho[1];
    alpha_ = kAlpha[1];
    factored_ = false;
    if (!iterate(share * rho_ * settings.tol, settings.polish, settings.same_matrix)) return false;
  }
  if (!(norm(x_) < kLargest)) return false;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < block.rows; ++k) x[k] = x_[block.row + k];
    solution.Lambda[block.number] = block.scale * block.law->project(x, block.mu);
  }
  solution.report = {};
  const bool warm = start_ <= settings.tol;
  solution.report.method = iterations_ == 0          ? "warm start"
                           : warm && settings.polish ? polished_warm_start
                                                     : "dense newton";
  solution.report.errors = {error_, error_, error_};
  solution.report.iterations = iterations_;
  solution.report.factorisations = factorisations_;
  return true;
}

}  // namespace vinculum::solvers
