// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Does a solver solve only the published problems, or also what lies around them? Each is tried with other friction,
// with noise on q, pressed harder, with contacts taken out, in another order, with a part added to W that is not
// symmetric; beside them problems drawn at random: few bodies with many contacts, mass ratios up to 10⁸, μ from 0
// to 10. Unsolved ones are listed with their errors; nothing is pasted from a run.
#include "problem_files.hpp"
#include "report.hpp"
#include "vinculum/contact/explicit_problem.hpp"
#include "vinculum/fclib/fclib.hpp"
#include "vinculum/solvers/solver.hpp"

#include <fmt/core.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <numeric>
#include <random>

using namespace vinculum;
using namespace vinculum::bench;
using contact::ExplicitProblem;

namespace {

constexpr double kTol = 1e-8;

double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Variant {
  std::string name;
  std::function<ExplicitProblem(const ExplicitProblem&, std::mt19937&)> make;
};

double norm(const std::vector<double>& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

// The contacts `order`, in that order: rows and columns alike.
ExplicitProblem choose(const ExplicitProblem& p, const std::vector<int>& order) {
  const auto d = static_cast<std::size_t>(p.dimension);
  std::vector<int> place(p.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  ExplicitProblem out;
  out.dimension = p.dimension;
  out.row = {0};
  for (const int i : order) {
    const auto at = static_cast<std::size_t>(i);
    std::vector<std::pair<int, int>> entries;  // column, entry
    for (int e = p.row[at]; e < p.row[at + 1]; ++e) {
      const int j = place[static_cast<std::size_t>(p.column[static_cast<std::size_t>(e)])];
      if (j >= 0) entries.emplace_back(j, e);
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [j, e] : entries) {
      out.column.push_back(j);
      out.value.insert(out.value.end(), p.block(e), p.block(e) + d * d);
    }
    out.row.push_back(static_cast<int>(out.column.size()));
    for (std::size_t k = 0; k < d; ++k) out.q.push_back(p.q[d * at + k]);
    out.mu.push_back(p.mu[at]);
    if (d == 5) out.mu_r.push_back(p.mu_r[at]);
  }
  return out;
}

std::vector<Variant> variants() {
  std::vector<Variant> list;
  list.push_back({"as given", [](const ExplicitProblem& p, std::mt19937&) { return p; }});
  for (const double f : {0.0, 1e-4, .1, .5, 2.0, 5.0}) {
    list.push_back({fmt::format("mu times {}", f), [f](ExplicitProblem p, std::mt19937&) {
                      for (double& x : p.mu) x *= f;
                      for (double& x : p.mu_r) x *= f;
                      return p;
                    }});
  }
  list.push_back({"mu 0 to 1.5, one by one", [](ExplicitProblem p, std::mt19937& random) {
                    std::uniform_real_distribution<double> mu(0, 1.5);
                    for (double& x : p.mu) x = std::max(0.0, mu(random) - .1);
                    return p;
                  }});
  for (const double f : {1e-3, .1}) {
    list.push_back({fmt::format("noise {} on q", f), [f](ExplicitProblem p, std::mt19937& random) {
                      std::normal_distribution<double> normal(0, f * norm(p.q) / std::sqrt(p.q.size()));
                      for (double& x : p.q) x += normal(random);
                      return p;
                    }});
  }
  list.push_back({"pressed", [](ExplicitProblem p, std::mt19937&) {
                    const double more = .3 * norm(p.q) / std::sqrt(p.size());
                    for (std::size_t i = 0; i < p.size(); ++i) p.q[i * static_cast<std::size_t>(p.dimension)] -= more;
                    return p;
                  }});
  for (const double part : {.8, .4}) {
    list.push_back({fmt::format("{} of the contacts", part), [part](const ExplicitProblem& p, std::mt19937& random) {
                      std::uniform_real_distribution<double> chance(0, 1);
                      std::vector<int> order;
                      for (int i = 0; i < static_cast<int>(p.size()); ++i) {
                        if (chance(random) < part) order.push_back(i);
                      }
                      if (order.empty()) order.push_back(0);
                      return choose(p, order);
                    }});
  }
  list.push_back({"another order", [](const ExplicitProblem& p, std::mt19937& random) {
                    std::vector<int> order(p.size());
                    std::iota(order.begin(), order.end(), 0);
                    std::shuffle(order.begin(), order.end(), random);
                    return choose(p, order);
                  }});
  list.push_back({"W not symmetric by 1e-3", [](ExplicitProblem p, std::mt19937& random) {
                    std::normal_distribution<double> normal(0, 1e-3);
                    for (double& x : p.value) x *= 1 + normal(random);
                    return p;
                  }});
  return list;
}

// `contacts` points on `bodies` bodies of masses spread over `decades`, W = H M⁻¹ Hᵀ of low rank: hyperstatic. The free
// velocity presses: bodies fall onto the ground and each other with normals that lie in a half space.
ExplicitProblem random_heap(int d, int bodies, int contacts, double decades, double mu, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const int dof = d == 2 ? 3 : 6, n = d * contacts;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n, dof * bodies);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(dof * bodies), inverse = v;
  for (int b = 0; b < bodies; ++b) {
    inverse.segment(dof * b, dof).setConstant(std::pow(10.0, decades * (uniform(random) - .5)));
    for (int k = 0; k < dof; ++k) v[dof * b + k] = .2 * normal(random);
    v[dof * b] -= 1;  // down
  }
  for (int i = 0; i < contacts; ++i) {
    const int b = i % bodies, a = i < bodies || uniform(random) < .3 ? -1 : static_cast<int>(uniform(random) * bodies);
    Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(d, dof, [&] { return .5 * normal(random); });
    J(0, 0) = std::abs(J(0, 0)) + 1;
    H.block(d * i, dof * b, d, dof) += J;
    if (a >= 0 && a != b) H.block(d * i, dof * a, d, dof) -= J * (0.5 + uniform(random));
  }
  contact::FrictionProblem p;
  p.dimension = d;
  p.W = Eigen::MatrixXd(H * inverse.asDiagonal() * H.transpose()).sparseView();
  p.q = H * v;
  p.mu.setConstant(contacts, mu);
  if (d == 5) p.mu_r.setConstant(contacts, .2 * mu);
  return contact::condense(p, "");
}

struct Tally {
  int solved = 0, infeasible = 0, open = 0;
  double cpu = 0, longest = 0;
};

class Trial {
 public:
  explicit Trial(const solvers::SolverType& type) : solver_(type.make_explicit()) {}

  void run(const std::string& problem_name, const ExplicitProblem& problem, Tally& tally) {
    solvers::ExplicitSolution solution;
    solution.r.assign(problem.q.size(), 0.0);
    const double begin = cpu_s();
    solver_->solve(problem, {.tol = kTol, .certify = true}, solution);
    const double took = cpu_s() - begin;
    const solvers::Report& report = solution.report;
    tally.cpu += took;
    tally.longest = std::max(tally.longest, took);
    if (report.status == solvers::Status::solved) {
      ++tally.solved;
    } else if (report.status == solvers::Status::infeasible) {
      ++tally.infeasible;
    } else {
      ++tally.open;
      unsolved_.push_back(
          fmt::format("{}: {} contacts, {}, judged {:.1e}, scaled {:.1e}, over q {:.1e}, {} steps, {:.2f} s",
                      problem_name, problem.size(), solvers::to_string(report.status), report.errors.judged,
                      report.errors.scaled, report.errors.over_c, report.iterations, took));
    }
  }
  void print_unsolved() const {
    for (const std::string& line : unsolved_) fmt::print("unsolved: {}\n", line);
  }

 private:
  std::unique_ptr<solvers::ExplicitSolver> solver_;
  std::vector<std::string> unsolved_;
};

void add(Table& table, const std::string& name, const Tally& t) {
  table.add({cell(name), cell(static_cast<std::size_t>(t.solved)), cell(static_cast<std::size_t>(t.infeasible)),
             cell(static_cast<std::size_t>(t.open)), cell(1e3 * t.cpu), cell(1e3 * t.longest)});
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  const solvers::SolverType* type = solvers::find_solver_type(arguments.solver.empty() ? "auto" : arguments.solver);
  if (!type) return 2;
  print_machine();
  Table table("Variants of published problems and random heaps, to 1e-8 in both errors; CPU ms",
              {{"variant", "variant", 34},
               {"solved", "solved"},
               {"infeasible", "no solution"},
               {"open", "unsolved"},
               {"total_ms", "total ms"},
               {"longest_ms", "longest ms"}});
  Trial trial(*type);
  std::vector<std::pair<std::string, ExplicitProblem>> published;
  for (const std::string& file : find_problem_files(arguments.data, arguments.scene)) {
    published.emplace_back(std::filesystem::path(file).stem(), contact::condense(fclib::read_problem(file), file));
  }
  for (const Variant& variant : variants()) {
    Tally tally;
    for (int seed = 0; seed < arguments.repeat; ++seed) {
      std::mt19937 random(static_cast<unsigned>(seed) + 1);
      for (const auto& [name, problem] : published) {
        trial.run(fmt::format("{}, {}, seed {}", name, variant.name, seed + 1), variant.make(problem, random), tally);
      }
    }
    add(table, variant.name, tally);
  }
  for (const int d : {2, 3, 5}) {
    for (const double mu : {0.0, .3, 1.0, 10.0}) {
      for (const double decades : {0.0, 8.0}) {
        Tally tally;
        std::mt19937 random(1);
        for (int k = 0; k < 20 * arguments.repeat; ++k) {
          const int bodies = 1 + k % 7, contacts = bodies * (2 + k % 5);
          trial.run(fmt::format("heap {}, d {}, mu {}, masses over {} decades", k, d, mu, decades),
                    random_heap(d, bodies, contacts, decades, mu, random), tally);
        }
        add(table, fmt::format("heaps, d {}, mu {}, decades {}", d, mu, decades), tally);
      }
    }
  }
  trial.print_unsolved();
  write_json(arguments, "fclib_variants", {&table});
}
