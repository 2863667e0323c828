// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One model, three routes to its accelerations, on random convex systems with mixed laws, curved gaps and moving
// states:
//   Gauss         principles::least_constraint
//   Moreau        the limit of (u_{k+1} − u_k)/dt of one time step, dt -> 0, by Richardson extrapolation
//   enumeration   every combination of {low end, high end, between with γ̇ = 0} of every law, written here
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/principles/least_constraint.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

namespace vinculum {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Row {
  VectorXd w;        // direction at q = 0
  double drift;      // uᵀ B u
  double low, high;  // of −λ
};

struct Case {
  model::Model model;
  MatrixXd M;
  VectorXd f, u;
  std::vector<Row> rows;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Case make() {
    Case c;
    const int n = whole(1, 12), laws = whole(1, std::min(5, n));
    MatrixXd A = matrix(n, n);
    c.M = A * A.transpose() + MatrixXd::Identity(n, n);
    c.f = 5 * vector(n);
    c.u = VectorXd::Zero(n);
    // Rates that vanish at this state: u is made orthogonal to the directions of all laws but the sliding ones.
    std::vector<VectorXd> directions;
    for (int i = 0; i < laws; ++i) directions.push_back(vector(n));
    if (n > laws) c.u = tangent(directions, vector(n));
    auto& part = c.model.lagrangian.emplace();
    for (int i = 0; i < n; ++i) {
      part.coordinates.push_back(fmt::format("q{}", i));
      part.q.push_back(0);
      part.u.push_back(c.u[i]);
      part.forces.push_back({fmt::format("{:.17g}", c.f[i]), {}, "forces"});
      for (int j = 0; j < n; ++j) part.M.push_back({fmt::format("{:.17g}", c.M(i, j)), {}, "M"});
    }
    for (int i = 0; i < laws; ++i) add_law(c, directions[static_cast<std::size_t>(i)], i);
    return c;
  }

 private:
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double number() { return std::normal_distribution<double>()(random_); }
  VectorXd vector(int n) {
    VectorXd x(n);
    for (double& value : x) value = number();
    return x;
  }
  MatrixXd matrix(int n, int m) {
    MatrixXd x(n, m);
    for (int i = 0; i < n; ++i) x.row(i) = vector(m);
    return x;
  }
  static VectorXd tangent(const std::vector<VectorXd>& directions, VectorXd u) {
    MatrixXd W(u.size(), static_cast<Eigen::Index>(directions.size()));
    for (std::size_t i = 0; i < directions.size(); ++i) W.col(static_cast<Eigen::Index>(i)) = directions[i];
    return u - W * (W.transpose() * W).ldlt().solve(W.transpose() * u);
  }

  /// gap = w·q + ½ b (v·q)²: a curved row.
  void add_law(Case& c, const VectorXd& w, int i) {
    const VectorXd v = vector(static_cast<int>(w.size()));
    const double b = 0.3 * number();
    std::string linear, square;
    for (Eigen::Index k = 0; k < w.size(); ++k) {
      linear += fmt::format(" + ({:.17g})*q{}", w[k], k);
      square += fmt::format(" + ({:.17g})*q{}", v[k], k);
    }
    model::ForceLaw law;
    law.name = fmt::format("law{}", i);
    law.path = law.name;
    law.gap = {{fmt::format("0{} + ({:.17g})*(0{})^2/2", linear, b, square), {}, "gap"}};
    const double vu = v.dot(c.u);
    Row row{w, b * vu * vu, 0, 0};
    const double load = std::abs(5 * number());
    switch (whole(0, 5)) {
      case 0:
      case 1:
        law.type = "unilateral";
        row.low = -infinity;
        break;
      case 2:
        law.type = "bilateral";
        row.low = -infinity, row.high = infinity;
        break;
      case 3:
        law.type = "dry_friction";
        law.values["load"] = load;
        row.low = -load, row.high = load;
        break;
      case 4:
        law.type = "clutch";
        row.low = -infinity;
        break;
      default:
        law.type = "step";
        law.values["force"] = load;
        row.low = -load, row.high = load;
    }
    c.rows.push_back(row);
    c.model.laws.push_back(law);
  }

  std::mt19937 random_;
};

/// All combinations; the one that is right gives the acceleration.
VectorXd enumerate(const Case& c) {
  const auto m = c.rows.size();
  const Eigen::PartialPivLU<MatrixXd> lu(c.M);
  MatrixXd W(c.M.rows(), static_cast<Eigen::Index>(m));
  VectorXd drift(static_cast<Eigen::Index>(m));
  for (std::size_t i = 0; i < m; ++i) {
    W.col(static_cast<Eigen::Index>(i)) = c.rows[i].w;
    drift[static_cast<Eigen::Index>(i)] = c.rows[i].drift;
  }
  const MatrixXd G = W.transpose() * lu.solve(W);
  const VectorXd free = W.transpose() * lu.solve(c.f) + drift;
  int combinations = 1;
  for (std::size_t i = 0; i < m; ++i) combinations *= 3;
  VectorXd best;
  double least = infinity;
  for (int code = 0; code < combinations; ++code) {
    VectorXd y = VectorXd::Zero(static_cast<Eigen::Index>(m));
    std::vector<Eigen::Index> between;
    bool possible = true;
    for (std::size_t i = 0, rest = static_cast<std::size_t>(code); i < m; ++i, rest /= 3) {
      const auto k = static_cast<Eigen::Index>(i);
      if (rest % 3 == 2) {
        between.push_back(k);
      } else {
        y[k] = rest % 3 == 0 ? c.rows[i].low : c.rows[i].high;
        possible = possible && std::isfinite(y[k]);
      }
    }
    if (!possible) continue;
    const auto b = static_cast<Eigen::Index>(between.size());
    MatrixXd A(b, b);
    VectorXd r(b);
    const VectorXd now = free - G * y;
    for (Eigen::Index i = 0; i < b; ++i) {
      r[i] = now[between[static_cast<std::size_t>(i)]];
      for (Eigen::Index j = 0; j < b; ++j) {
        A(i, j) = G(between[static_cast<std::size_t>(i)], between[static_cast<std::size_t>(j)]);
      }
    }
    if (b > 0) {
      const VectorXd z = A.partialPivLu().solve(r);
      for (Eigen::Index i = 0; i < b; ++i) y[between[static_cast<std::size_t>(i)]] = z[i];
    }
    const VectorXd xi = free - G * y;
    double wrong = 0;
    for (std::size_t i = 0, rest = static_cast<std::size_t>(code); i < m; ++i, rest /= 3) {
      const auto k = static_cast<Eigen::Index>(i);
      if (rest % 3 == 0) wrong = std::max(wrong, xi[k]);
      if (rest % 3 == 1) wrong = std::max(wrong, -xi[k]);
      if (rest % 3 == 2) wrong = std::max({wrong, y[k] - c.rows[i].high, c.rows[i].low - y[k]});
    }
    if (wrong < least) least = wrong, best = lu.solve(c.f - W * y);
  }
  EXPECT_LE(least, 1e-9);
  return best;
}

VectorXd step_acceleration(const system::System& system, const system::State& start, double dt) {
  const auto* type = integrators::find_integrator_type("moreau");
  system::State state = start;
  integrators::StepRecord record;
  type->make(system, {.dt = dt, .tol = 1e-13, .solver = solvers::find_solver_type("auto")})->step(state, record);
  return (state.lagrangian_u - start.lagrangian_u) / dt;
}

struct Limit {
  VectorXd value;
  double error = infinity;  // by the last two orders
};

/// Limit of a function with an expansion in powers of dt.
Limit extrapolate(const system::System& system, const system::State& start, double dt) {
  constexpr int levels = 5;
  std::vector<VectorXd> table;
  for (int i = 0; i < levels; ++i, dt /= 2) table.push_back(step_acceleration(system, start, dt));
  for (int order = 1; order < levels; ++order) {
    for (int i = 0; i + order < levels; ++i) {
      const double factor = std::pow(2.0, order);
      const auto k = static_cast<std::size_t>(i);
      table[k] = (factor * table[k + 1] - table[k]) / (factor - 1);
    }
  }
  return {table[0], (table[0] - table[1]).norm()};
}

/// Where a law is about to change its mind, the expansion begins at smaller dt: the sequence that agrees best with
/// itself.
VectorXd limit(const system::System& system, const system::State& start) {
  Limit best;
  for (const double dt : {2e-3, 2e-4, 2e-5}) {
    const Limit next = extrapolate(system, start, dt);
    if (next.error < best.error) best = next;
    if (best.error < 1e-11) break;
  }
  return best.value;
}

TEST(ThreeRoutes, GaussMoreauAndEnumerationAgree) {
  constexpr int cases = 10000;
  double worst_gauss = 0, worst_moreau = 0, worst_gap = 0;
  Maker maker(20261115);
  for (int i = 0; i < cases; ++i) {
    const Case c = maker.make();
    const system::System system(c.model);
    const system::State start = make_initial_state(c.model, system);
    const auto gauss = principles::least_constraint(*system.lagrangian, 0, start.lagrangian_q, start.lagrangian_u);
    ASSERT_TRUE(gauss.report.solved) << "case " << i << ": residual " << gauss.report.residual << ", "
                                     << gauss.report.newton_steps << " Newton steps, " << gauss.report.sweeps
                                     << " sweeps, n = " << c.f.size() << ", laws " << c.rows.size();
    const VectorXd a = enumerate(c);
    // Directions that are nearly parallel give reactions much larger than the loads, which cancel in M a = f + W λ.
    const double size = std::max({1.0, a.norm(), c.f.norm(), gauss.lambda.norm()});
    const double off_gauss = (gauss.a - a).norm() / size;
    const double off_moreau = (limit(system, start) - a).norm() / size;
    worst_gauss = std::max(worst_gauss, off_gauss);
    worst_moreau = std::max(worst_moreau, off_moreau);
    worst_gap = std::max(worst_gap, std::abs(gauss.certificate.gap) / (size * size));
    ASSERT_LE(off_gauss, 1e-9) << "case " << i;
    std::string types;
    for (const auto& law : c.model.laws) types += law.type + " ";
    ASSERT_LE(off_moreau, 1e-9) << "case " << i << ": n = " << c.f.size() << ", " << types;
  }
  fmt::print("{} cases: Gauss - enumeration {:.1e}, Moreau - enumeration {:.1e}, duality gap {:.1e}\n", cases,
             worst_gauss, worst_moreau, worst_gap);
  EXPECT_LE(worst_gap, 1e-9);
}

}  // namespace
}  // namespace vinculum
