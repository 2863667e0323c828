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

constexpr int kMostRows = 72, kMostColumns = 96;
constexpr double kAlpha = 1e-7;      // far below the softest mode that matters, far above rounding
constexpr double kRho[] = {1, 0.3};  // diagonal blocks of G have mean diagonal 1
constexpr int kMostIterations = 14;  // with one ρ
constexpr int kMostRises = 4;        // full steps that may raise |F|: states settle in a few of them
constexpr double kChord = 0.1;       // |F| that falls by less asks for a new factor
constexpr double kRounding = 4e-16;
constexpr double kRest = 1e-13;  // |F| of a state at rest: below what others accept
constexpr double kReach = 0.3;   // longest step: part of the impulses. G may leave a direction free where laws end it
constexpr double kShortest = 0.05;  // steps below are no progress

enum State : char { lets_go, holds, between };

State state_of(const laws::Mat3& D, int rows) {
  bool zero = true, one = true;
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < rows; ++b) {
      zero = zero && D(a, b) == 0;
      one = one && D(a, b) == (a == b);
    }
  }
  return zero ? lets_go : one ? holds : between;
}

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

bool DenseNewton::fits(const ContactProblem& problem) {
  if (problem.size() > kMostRows || 6 * problem.nodes > kMostColumns) return false;
  int rows = 0;
  for (const laws::Kind kind : problem.law) rows += laws::law_of(kind).rows();
  return rows <= kMostRows;
}

/// Blocks, scales and G.
void DenseNewton::write_out(const ContactProblem& problem) {
  const std::size_t n = problem.size();
  const int width = padded(6 * static_cast<int>(problem.nodes));
  blocks_.resize(n);
  d_.resize(n);
  m_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    blocks_[i].law = &laws::law_of(problem.law[i]);
    blocks_[i].coulomb = problem.law[i] == laws::Kind::coulomb;
    blocks_[i].row = m_;
    blocks_[i].rows = blocks_[i].law->rows();
    m_ += blocks_[i].rows;
  }
  stride_ = padded(m_);
  J_.assign(static_cast<std::size_t>(stride_ * width), 0.0);
  double d_min = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Block& block = blocks_[i];
    double trace = 0;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* J = problem.J[e].data();
      for (int k = 0; k < 6 * block.rows; ++k) trace += J[k] * J[k];
    }
    const double d = trace > 0 ? std::sqrt(block.rows / trace) : 0.0;
    if (d > 0) d_min = d_min > 0 ? std::min(d_min, d) : d;
    d_[i] = d;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* J = problem.J[e].data();
      for (int row = 0; row < block.rows; ++row) {
        double* to = J_.data() + (block.row + row) * width + 6 * problem.node[e];
        for (int k = 0; k < 6; ++k) to[k] = d * J[6 * row + k];
      }
    }
  }
  for (double& d : d_) d = d > 0 ? d : d_min > 0 ? d_min : 1.0;
  G_.resize(static_cast<std::size_t>(stride_ * stride_));
  algebra::multiply_transposed(J_.data(), m_, width, G_.data());
  for (auto* v : {&c_, &x_, &u_, &y_, &F_, &dx_, &du_, &trial_x_, &trial_u_, &rhs_, &part_, &inverse_}) {
    v->assign(static_cast<std::size_t>(stride_), 0.0);
  }
  D_.resize(n);
  state_.assign(n, -1);
  order_.resize(static_cast<std::size_t>(m_));
  factored_ = false;
}

/// c', and the warm start.
void DenseNewton::read_free_part(const ContactProblem& problem, const std::vector<Vec3>& Lambda) {
  double sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) sum += d_[i] * d_[i] * problem.c[i].squaredNorm();
  sigma_ = sum > 0 ? std::sqrt(sum) : 1.0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    block.scale = sigma_ * d_[i];
    block.mu = block.law->is_cone() ? problem.mu[i] : problem.mu[i] / block.scale;
    const Vec3 start = block.law->project(Lambda[i] / block.scale, block.mu);
    for (int k = 0; k < block.rows; ++k) {
      c_[block.row + k] = problem.c[i][k] * (d_[i] / sigma_);
      x_[block.row + k] = start[k];
    }
  }
}

/// Most blocks are contacts that stick: nothing to project, D = I.
inline bool DenseNewton::sticks(const Block& block, const Vec3& y) {
  const double edge = block.mu * y[0];
  return block.coulomb && y[0] > 0 && y[1] * y[1] + y[2] * y[2] <= edge * edge;
}

/// y and F at a point; returns |F|².
double DenseNewton::evaluate(const double* x, const double* u, double* y, double* F) const {
  double sum = 0;
  for (const Block& block : blocks_) {
    Vec3 at = Vec3::Zero();
    for (int k = block.row; k < block.row + block.rows; ++k) at[k - block.row] = y[k] = x[k] - rho_ * u[k];
    const Vec3 next = sticks(block, at) ? at : block.law->project(at, block.mu);
    for (int k = 0; k < block.rows; ++k) {
      const double f = x[block.row + k] - next[k];
      F[block.row + k] = f;
      sum += f * f;
    }
  }
  return sum;
}

/// D at y. True if every law is in the state it was in.
bool DenseNewton::find_states(const double* y) {
  bool same = true;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    Vec3 at = Vec3::Zero();
    for (int k = 0; k < block.rows; ++k) at[k] = y[block.row + k];
    char state = holds;
    if (sticks(block, at)) {
      D_[i].setIdentity();
    } else {
      D_[i] = block.law->project_derivative(at, block.mu);
      state = state_of(D_[i], block.rows);
    }
    same = same && state == state_[i];
    state_[i] = state;
  }
  return same;
}

/// I − D + ρ D (G + α I) on the rows of laws that do not let go.
bool DenseNewton::factor() {
  kept_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (state_[i] == lets_go) continue;
    for (int k = 0; k < blocks_[i].rows; ++k) kept_.push_back(blocks_[i].row + k);
  }
  const int n = static_cast<int>(kept_.size()), width = padded(n);
  A_.resize(static_cast<std::size_t>(width * width));
  std::fill(A_.begin() + n * width, A_.end(), 0.0);
  const bool all = n == m_;
  int at = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (state_[i] == lets_go) continue;
    const int rows = blocks_[i].rows;
    const laws::Mat3& D = D_[i];
    const double* G = G_.data() + blocks_[i].row * stride_;
    for (int a = 0; a < rows; ++a) {
      double* to = A_.data() + (at + a) * width;
      if (all && rows == 3) {
        const double w[3] = {rho_ * D(a, 0), rho_ * D(a, 1), rho_ * D(a, 2)};
        algebra::combine_three(w, G, stride_, to);
      } else if (state_[i] == holds) {
        for (int j = 0; j < n; ++j) to[j] = rho_ * G[a * stride_ + kept_[j]];
      } else if (rows == 3) {
        const double w0 = rho_ * D(a, 0), w1 = rho_ * D(a, 1), w2 = rho_ * D(a, 2);
        for (int j = 0; j < n; ++j) {
          const double* column = G + kept_[j];
          to[j] = w0 * column[0] + w1 * column[stride_] + w2 * column[2 * stride_];
        }
      } else {
        for (int j = 0; j < n; ++j) to[j] = rho_ * D(a, 0) * G[kept_[j]];
      }
      for (int b = 0; b < rows; ++b) to[at + b] += (a == b) - D(a, b) + rho_ * kAlpha * D(a, b);
      for (int j = n; j < width; ++j) to[j] = 0;
    }
    at += rows;
  }
  ++factorisations_;
  return algebra::factor_lu(A_.data(), n, order_.data(), inverse_.data());
}

/// dx from F with the factor at hand.
void DenseNewton::find_direction() {
  bool moved = false;
  std::fill(dx_.begin(), dx_.end(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (state_[i] != lets_go) continue;
    for (int k = blocks_[i].row; k < blocks_[i].row + blocks_[i].rows; ++k) {
      dx_[k] = -F_[k];
      moved = moved || F_[k] != 0;
    }
  }
  if (moved) algebra::multiply(G_.data(), stride_, stride_, dx_.data(), du_.data());
  int at = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (state_[i] == lets_go) continue;
    const Block& block = blocks_[i];
    for (int a = 0; a < block.rows; ++a) {
      double f = -F_[block.row + a];
      for (int b = 0; moved && b < block.rows; ++b) f -= rho_ * D_[i](a, b) * du_[block.row + b];
      rhs_[at++] = f;
    }
  }
  algebra::solve_lu(A_.data(), at, order_.data(), inverse_.data(), rhs_.data(), part_.data());
  for (int k = 0; k < at; ++k) dx_[kept_[k]] = part_[k];
  algebra::multiply(G_.data(), stride_, stride_, dx_.data(), du_.data());
}

/// x + t dx, and |F|² there.
double DenseNewton::try_step(double t) {
  for (int k = 0; k < m_; ++k) {
    trial_x_[k] = x_[k] + t * dx_[k];
    trial_u_[k] = u_[k] + t * du_[k];
  }
  return evaluate(trial_x_.data(), trial_u_.data(), y_.data(), F_.data());
}

/// Newton steps from x until |F| is at rounding or falls no more; x is the best point then. True if it is within the
/// target.
bool DenseNewton::iterate(double target, bool polish) {
  algebra::multiply(G_.data(), stride_, stride_, x_.data(), u_.data());
  for (int k = 0; k < m_; ++k) u_[k] += c_[k];
  double merit = evaluate(x_.data(), u_.data(), y_.data(), F_.data()), best = merit;
  if (rho_ == kRho[0]) start_ = std::sqrt(merit);
  best_ = x_;
  int steps = 0, rises = 0;
  for (bool fresh = false; steps < kMostIterations;) {
    const double size = norm(x_), floor = kRest + kRounding * size;
    if (merit <= (polish ? floor * floor : target * target)) break;
    const bool same = find_states(y_.data());
    if (!(same && factored_)) {
      if (!factor()) break;
      factored_ = fresh = true;
    }
    find_direction();
    ++steps;
    double t = std::min(1.0, (1 + kReach * size) / norm(dx_)), next = try_step(t);
    while (rises >= kMostRises && !(next < (1 - 0.2 * t) * merit) && t > kShortest) next = try_step(t *= 0.5);
    if (!(next < merit)) {
      if (fresh ? best <= target * target : merit <= 100 * floor * floor) break;  // no gain: rounding
      if (!fresh) {                                                               // or an old factor
        evaluate(x_.data(), u_.data(), y_.data(), F_.data());
        factored_ = false;
        continue;
      }
      if (++rises > kMostRises) break;
    }
    factored_ = next < kChord * kChord * merit;
    fresh = false;
    x_.swap(trial_x_);
    u_.swap(trial_u_);
    merit = next;
    if (merit < best) {
      best = merit;
      best_ = x_;
    }
  }
  x_ = best_;
  error_ = std::sqrt(best);
  iterations_ += steps;
  return best <= target * target;
}

bool DenseNewton::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  if (!settings.same_matrix || blocks_.size() != problem.size()) write_out(problem);
  read_free_part(problem, solution.Lambda);
  iterations_ = factorisations_ = 0;
  if (rho_ != kRho[0]) factored_ = false;
  rho_ = kRho[0];
  if (!iterate(0.5 * settings.tol, settings.polish)) {
    rho_ = kRho[1];
    factored_ = false;
    if (!iterate(0.5 * rho_ * settings.tol, settings.polish)) return false;
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < block.rows; ++k) x[k] = x_[block.row + k];
    solution.Lambda[i] = block.scale * block.law->project(x, block.mu);
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
