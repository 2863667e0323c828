// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All modes of a small problem, one after the other: every contact open, closed (without friction), or in the plane
// open, sticking, slipping forward, slipping backward. A mode is a linear system
//   open  r = 0;   closed  u_N = 0;   stick  u = 0;   slip ±  u_N = 0, r_T = ∓ μ r_N
// solved by least squares of least norm, since it may be singular; it counts where its equations hold and its
// inequalities do. The number of different impulses found is reported (Report::solutions): more than one where the
// impulse (hyperstatic) or even the velocity is not unique, none where there is no solution. The first is the answer,
// smallest norm first. Solutions that fill a face are counted by the point of least norm of each mode.
#include "vinculum/solvers/dense_contact.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMostContacts = 16;
constexpr double kSlack = 1e-10;  // of |q| = 1 and |r|: inequalities hold to this

enum class Mode : unsigned char { open, closed, forward, backward };  // closed sticks where there is friction

class Enumeration {
 public:
  /// The impulse of a mode; false where there is none.
  bool solve(const DenseContact& dense, const std::vector<Mode>& mode, VectorXd& r) {
    const long n = dense.q.size();
    A_.setZero(n, n);
    b_.setZero(n);
    for (std::size_t i = 0; i < dense.contact.size(); ++i) {
      const auto& c = dense.contact[i];
      velocity_or_impulse(dense, c.normal, mode[i] != Mode::open);
      if (c.tangent < 0) continue;
      velocity_or_impulse(dense, c.tangent, mode[i] == Mode::closed);
      if (mode[i] == Mode::forward) A_(c.tangent, c.normal) = c.mu;
      if (mode[i] == Mode::backward) A_(c.tangent, c.normal) = -c.mu;
    }
    r = A_.completeOrthogonalDecomposition().solve(b_);
    const double size = std::max(1.0, r.norm());
    return (A_ * r - b_).norm() <= kSlack * size && admissible(dense, mode, r, kSlack * size);
  }

 private:
  void velocity_or_impulse(const DenseContact& dense, long row, bool velocity) {
    if (velocity) {
      A_.row(row) = dense.W.row(row);
      b_[row] = -dense.q[row];
    } else {
      A_(row, row) = 1;
    }
  }

  static bool admissible(const DenseContact& dense, const std::vector<Mode>& mode, const VectorXd& r, double slack) {
    const VectorXd u = dense.W * r + dense.q;
    for (std::size_t i = 0; i < dense.contact.size(); ++i) {
      const auto& c = dense.contact[i];
      if (u[c.normal] < -slack || r[c.normal] < -slack) return false;
      if (c.tangent < 0 || mode[i] == Mode::open) continue;
      if (mode[i] == Mode::closed && std::abs(r[c.tangent]) > c.mu * r[c.normal] + slack) return false;
      if (mode[i] == Mode::forward && u[c.tangent] < -slack) return false;
      if (mode[i] == Mode::backward && u[c.tangent] > slack) return false;
    }
    return true;
  }

  MatrixXd A_;
  VectorXd b_;
};

template <int Rows>
struct EnumerationSolver {
  static constexpr bool rolling = true;  // where its coefficients are zero

  void run(ContactRun<Rows>& run);
  // The next mode in counting order, the first contact fastest; false after the last.
  bool advance() {
    for (std::size_t i = 0; i < mode.size(); ++i) {
      const Mode last = dense.contact[i].tangent < 0 ? Mode::closed : Mode::backward;
      if (mode[i] != last) {
        mode[i] = static_cast<Mode>(static_cast<int>(mode[i]) + 1);
        return true;
      }
      mode[i] = Mode::open;
    }
    return false;
  }

  DenseContact dense;
  Enumeration enumeration;
  std::vector<Mode> mode;
  std::vector<VectorXd> found;
  std::vector<double> point;
};

template <int Rows>
void EnumerationSolver<Rows>::run(ContactRun<Rows>& run) {
  if (!write_out(run, kMostContacts, dense)) return;
  mode.assign(dense.contact.size(), Mode::open);
  found.clear();
  VectorXd r;
  bool more = true, all = true;
  for (; more; more = advance()) {
    if (!run.next()) {
      all = false;
      break;
    }
    run.note_progress();
    if (!enumeration.solve(dense, mode, r)) continue;
    bool known = false;
    for (const VectorXd& other : found) known = known || (other - r).norm() <= 1e3 * kSlack * std::max(1.0, r.norm());
    if (!known) found.push_back(r);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const VectorXd& a, const VectorXd& b) { return a.norm() < b.norm(); });
  run.solutions = static_cast<int>(found.size());
  for (const VectorXd& candidate : found) {
    dense.spread<Rows>(candidate, point);
    run.judge(point, "enumeration");
    if (run.solved()) break;
  }
  if (all && !run.solved()) run.give_up();
}

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_enumeration() {
  return std::make_unique<FramedSolver<EnumerationSolver>>();
}

}  // namespace vinculum::solvers
