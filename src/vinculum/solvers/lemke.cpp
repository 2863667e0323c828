// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Lemke's method (Lemke 1965; Cottle, Pang & Stone 1992) with the lexicographic ratio test, which cannot cycle.
//   w = M z + b,  w ≥ 0,  z ≥ 0,  wᵀz = 0
// Without friction z = r_N, M = W_NN. In the plane Coulomb's law is exactly such a problem (Stewart & Trinkle 1996):
// with r_T = β⁺ − β⁻ and the slip speed λ
//   z = (r_N, β⁺, β⁻, λ),   w = (u_N, u_T + λ, −u_T + λ, μ r_N − β⁺ − β⁻),   zᵀMz = rᵀWr + μ r_N λ ≥ 0 (copositive)
// The end is a solution or a secondary ray. Without friction, W symmetric and positive semi-definite, the ray proves
// that there is no solution: its z is the witness of contact/certificate.hpp. The last basis is solved again by LU, so
// that rounding of the pivots does not stay in the answer. Dense; friction in space is refused.
#include "vinculum/contact/certificate.hpp"
#include "vinculum/solvers/dense_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vinculum::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMostContacts = 400;
constexpr double kRounding = 1e-11;
constexpr double kZero = 1e-12;   // of |q| = 1
constexpr double kPivot = 1e-10;  // of the largest entry of its column

// w − M z − 1 z₀ = b. Variables: w 0..m−1, z m..2m−1, z₀ 2m. tableau: [coefficients of all | right-hand side].
class Lemke {
 public:
  enum class End : unsigned char { solution, ray, budget };

  template <class Next>
  End run(const MatrixXd& M, const VectorXd& b, Next&& next) {
    const long m = b.size();
    T_.setZero(m, 2 * m + 2);
    T_.leftCols(m).setIdentity();
    T_.middleCols(m, m) = -M;
    T_.col(2 * m).setConstant(-1);
    T_.col(2 * m + 1) = b;
    start_ = T_;
    basis_.resize(static_cast<std::size_t>(m));
    std::iota(basis_.begin(), basis_.end(), 0L);
    long row = 0;
    for (long i = 1; i < m; ++i) {
      if (b[i] <= b[row]) row = i;  // of equal ones the last: the others stay lexicographically positive
    }
    if (m == 0 || b[row] >= 0) return End::solution;
    long enter = 2 * m;
    for (;;) {
      if (!next()) return End::budget;
      const long leave = basis_[static_cast<std::size_t>(row)];
      pivot(row, enter);
      if (leave == 2 * m) return End::solution;
      enter = leave < m ? leave + m : leave - m;
      row = ratio_test(enter);
      if (row < 0) {
        enter_ = enter;
        return artificial() <= kZero ? End::solution : End::ray;
      }
    }
  }

  /// z of the last basis, solved afresh.
  VectorXd solution() const {
    const long m = T_.rows();
    MatrixXd B(m, m);
    for (long i = 0; i < m; ++i) B.col(i) = start_.col(basis_[static_cast<std::size_t>(i)]);
    const VectorXd b = start_.col(2 * m + 1);
    const Eigen::FullPivLU<MatrixXd> lu(B);
    VectorXd x = lu.isInvertible() ? VectorXd(lu.solve(b)) : VectorXd(T_.col(2 * m + 1));
    if (lu.isInvertible()) x += lu.solve(b - B * x);
    return z_of(x);
  }

  /// z along the ray on which it ended.
  VectorXd ray() const {
    VectorXd z = z_of(-T_.col(enter_));
    const long m = T_.rows();
    if (enter_ >= m && enter_ < 2 * m) z[enter_ - m] = 1;
    return z;
  }

 private:
  VectorXd z_of(const VectorXd& x) const {
    const long m = T_.rows();
    VectorXd z = VectorXd::Zero(m);
    for (long i = 0; i < m; ++i) {
      const long k = basis_[static_cast<std::size_t>(i)];
      if (k >= m && k < 2 * m) z[k - m] = x[i];
    }
    return z;
  }

  // z₀, which a degenerate end may leave in the basis at zero.
  double artificial() const {
    const long m = T_.rows();
    for (long i = 0; i < m; ++i) {
      if (basis_[static_cast<std::size_t>(i)] == 2 * m) return T_(i, 2 * m + 1);
    }
    return 0;
  }

  // Differences that are rounding of what they are differences of become zero: ties must be seen as ties.
  void pivot(long row, long enter) {
    T_.row(row) /= T_(row, enter);
    for (long i = 0; i < T_.rows(); ++i) {
      const double f = T_(i, enter);
      if (i == row || f == 0) continue;
      for (long k = 0; k < T_.cols(); ++k) {
        const double product = f * T_(row, k), before = T_(i, k), after = before - product;
        T_(i, k) = std::abs(after) <= kRounding * (std::abs(before) + std::abs(product)) ? 0.0 : after;
      }
    }
    basis_[static_cast<std::size_t>(row)] = enter;
  }

  // The row whose (rhs, columns of w) / entry is lexicographically smallest; −1 where no entry is positive. z₀ leaves
  // first where it may, which ends the method.
  long ratio_test(long enter) const {
    const long m = T_.rows();
    const double threshold = kPivot * std::max(1.0, T_.col(enter).cwiseAbs().maxCoeff());
    long best = -1;
    for (long i = 0; i < m; ++i) {
      if (T_(i, enter) > threshold && (best < 0 || smaller(i, best, enter))) best = i;
    }
    return best;
  }

  bool smaller(long i, long j, long enter) const {
    const long m = T_.rows();
    const double a = T_(i, enter), b = T_(j, enter);
    const double x = T_(i, 2 * m + 1) / a, y = T_(j, 2 * m + 1) / b;
    if (std::abs(x - y) > kZero + kRounding * (std::abs(x) + std::abs(y))) return x < y;
    if (basis_[static_cast<std::size_t>(i)] == 2 * m || basis_[static_cast<std::size_t>(j)] == 2 * m) {
      return basis_[static_cast<std::size_t>(i)] == 2 * m;
    }
    for (long k = 0; k < m; ++k) {
      const double p = T_(i, k) / a, q = T_(j, k) / b;
      if (std::abs(p - q) > kRounding * (std::abs(p) + std::abs(q))) return p < q;
    }
    return false;
  }

  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> T_;
  MatrixXd start_;
  std::vector<long> basis_;
  long enter_ = 0;
};

// Per contact: normal, and with friction β⁺, β⁻, λ.
void write_lcp(const DenseContact& dense, MatrixXd& M, VectorXd& b, std::vector<long>& first) {
  const long rows = dense.q.size();
  long m = 0;
  first.clear();
  for (const auto& c : dense.contact) {
    first.push_back(m);
    m += c.tangent < 0 ? 1 : 4;
  }
  // S: impulses on the rows of W from z.
  MatrixXd S = MatrixXd::Zero(rows, m);
  for (std::size_t i = 0; i < dense.contact.size(); ++i) {
    const auto& c = dense.contact[i];
    S(c.normal, first[i]) = 1;
    if (c.tangent < 0) continue;
    S(c.tangent, first[i] + 1) = 1;
    S(c.tangent, first[i] + 2) = -1;
  }
  M = S.transpose() * dense.W * S;
  b = S.transpose() * dense.q;
  for (std::size_t i = 0; i < dense.contact.size(); ++i) {
    if (dense.contact[i].tangent < 0) continue;
    const long k = first[i];
    M(k + 1, k + 3) = M(k + 2, k + 3) = 1;
    M(k + 3, k) = dense.contact[i].mu;
    M(k + 3, k + 1) = M(k + 3, k + 2) = -1;
  }
}

VectorXd impulse(const DenseContact& dense, const std::vector<long>& first, const VectorXd& z) {
  VectorXd r = VectorXd::Zero(dense.q.size());
  for (std::size_t i = 0; i < dense.contact.size(); ++i) {
    const auto& c = dense.contact[i];
    r[c.normal] = std::max(0.0, z[first[i]]);
    if (c.tangent >= 0) r[c.tangent] = z[first[i] + 1] - z[first[i] + 2];
  }
  return r;
}

template <int Rows>
struct LemkeSolver {
  static constexpr bool rolling = true;  // where its coefficients are zero

  void run(ContactRun<Rows>& run) {
    if (!write_out(run, kMostContacts, dense)) return;
    write_lcp(dense, M, b, first);
    const Lemke::End end = lemke.run(M, b, [&run] { return run.next(); });
    if (end == Lemke::End::budget) return run.note_progress();
    if (end == Lemke::End::ray) {
      run.give_up();
      if (!dense.friction) dense.spread<Rows>(impulse(dense, first, lemke.ray()), run.witness);
      return;
    }
    dense.spread<Rows>(impulse(dense, first, lemke.solution()), point);
    run.judge(point, "lemke");
    if (!run.solved()) run.give_up();
  }

  Lemke lemke;
  DenseContact dense;
  MatrixXd M;
  VectorXd b;
  std::vector<long> first;
  std::vector<double> point;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_lemke() { return std::make_unique<FramedSolver<LemkeSolver>>(); }

}  // namespace vinculum::solvers
