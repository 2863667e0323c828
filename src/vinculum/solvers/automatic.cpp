// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// "auto": the default. Checks the warm start as a whole, else cuts the problem into islands and gives each to the
// portfolio in the order of their first blocks; the errors reported are those of the whole.
//   Each island is solved to a share s of tol of its own scale:
//     Σ|map|² ≤ s² tol² Σ max(|c|², |ξ|², |Λ|²)
//   Where the same of the three is the largest everywhere, as |Λ| is in heaps, s < 1 will do, and the last digits are
//   the dear ones; else the islands are solved once more with s = 1/2, for Σ max(...) ≤ 3 max(Σ..., ...).
// Islands whose warm start is at rest to rounding keep it, whatever the others do.
// Blocks that touch no node take no impulse: nothing they do could move anything.
// A heap with little beside it, to a rough tolerance, is not cut: that and the errors of the parts would cost as much
// as the sweeps. What is small enough, the whole or an island, is first put to a dense Newton method, which mostly
// solves it to rounding, islands that are alike eight at a time; what the portfolio leaves unsolved goes to contact
// space (last_resort.hpp).
#include "vinculum/solvers/alike.hpp"
#include "vinculum/solvers/dense_newton.hpp"
#include "vinculum/solvers/islands.hpp"
#include "vinculum/solvers/last_resort.hpp"
#include "vinculum/solvers/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vinculum::solvers {
namespace {

constexpr double kShares[] = {0.9, 0.5};
constexpr std::size_t kDense = 64;  // islands whose matrices are kept from one call to the next
constexpr int kLongestPause = 64;   // problems in which no batches are tried after islands went ways of their own
constexpr double kLoose =
    1e-7;  // heaps are solved to a tolerance above it, and their impulses should stay near the last ones

constexpr double kHeap = 0.9;  // of the blocks

class Automatic final : public Solver {
 public:
  void solve(const ContactProblem& problem, const Settings& settings, Solution& solution) override;

 private:
  void solve_lone(const ContactProblem& problem, std::size_t i, Solution& solution);
  bool solve_dense(std::size_t island, const ContactProblem& problem, const DenseNewton::Part& part,
                   const Settings& settings, Solution& solution);
  void begin_batches();
  void make_room(std::span<const int> islands, int rows);
  void solve_batches(const ContactProblem& problem, const Settings& settings, Solution& solution);
  bool solve_whole(const ContactProblem& problem, const Settings& settings, Solution& solution);
  void solve_island(const ContactProblem& problem, std::size_t island, const Settings& settings, Solution& solution);
  bool is_heap(std::size_t blocks) const;
  bool is_resting(std::size_t island) const { return !resting_.empty() && resting_[island] != 0; }
  bool solve_islands(const ContactProblem& problem, const Settings& settings, Solution& solution);

  Islands islands_;
  Portfolio portfolio_;
  LastResort last_resort_;
  std::vector<DenseNewton> dense_;  // of each island, as far as they go
  std::vector<char> lost_;          // of each, for the matrix at hand: it did not converge, and is not asked again
  Alike alike_;
  std::vector<DenseNewtons> batches_;                       // the first for islands whose matrices are not kept
  enum class Batched : char { no, asked, solved, failed };  // no: to be solved alone
  std::vector<Batched> batched_;                            // of each island
  bool others_ = true;                                      // islands are not those among which batches were found
  // Problems without batches where the last ones went apart: counted at this problem, yet to come, after the next such.
  int pause_ = 0, due_ = 0, next_pause_ = 0;
  std::vector<Report> reports_;  // of each island that is solved in a batch
  std::vector<int> all_;         // 0, 1, 2, ...
  ContactProblem part_;
  Solution part_solution_;
  std::vector<double> z_;
  double hardest_ = 0;         // error of the island that named the method
  std::vector<char> resting_;  // islands whose warm start is left as it is
  bool looked_ = false;        // ξ of the warm start is at hand
  bool in_parts_ = false;      // the matrix at hand was cut into islands
};

/// Impulses of the last step, turned into the frames of this one, leave their cones a little. Those that are within to
/// rounding stay, for a step at rest repeats itself to the bit.
void make_admissible(const ContactProblem& problem, std::vector<contact::Vec3>& Lambda) {
  constexpr double rounding = 1e-13;
  for (std::size_t i = 0; i < Lambda.size(); ++i) {
    if (problem.law[i] != laws::Kind::coulomb) continue;
    const double radius = problem.mu[i] * Lambda[i][0];
    const bool inside = Lambda[i][0] >= 0 && Lambda[i].tail<2>().squaredNorm() <= (1 + rounding) * radius * radius;
    if (!inside) Lambda[i] = laws::law_of(laws::Kind::coulomb).project(Lambda[i], problem.mu[i]);
  }
}

/// Whether the start of an island is at rest to rounding, |map|² ≤ kRest² |c|² in unit-free variables, where the ξ of
/// all blocks are at hand: what one island needs must not move the others.
bool rests(const ContactProblem& problem, std::span<const int> blocks, const Solution& solution) {
  double map = 0, size = 0;
  for (const int i : blocks) {
    const laws::ForceLaw& law = laws::law_of(problem.law[i]);
    double trace = 0;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) trace += problem.J[e].squaredNorm();
    if (!(trace > 0)) return false;
    const double d = std::sqrt(law.rows() / trace), mu = law.is_cone() ? problem.mu[i] : problem.mu[i] / d;
    map += law.natural_map(d * solution.xi[i], solution.Lambda[i] / d, mu).squaredNorm();
    size += d * d * problem.c[i].squaredNorm();
  }
  return map <= kRest * kRest * size;
}

/// The dense method is made for the part.
bool is_dense(const ContactProblem& problem, const DenseNewton::Part& part, double tol) {
  if (part.blocks.size() < 2 || !DenseNewton::fits(problem, part)) return false;
  const auto has_friction = [&](int i) { return problem.law[i] == laws::Kind::coulomb; };
  return tol <= kLoose || std::none_of(part.blocks.begin(), part.blocks.end(), has_friction);
}

/// Its matrix is kept from one call to the next.
constexpr bool is_kept(std::size_t island) { return island < kDense - 1; }

/// False where the method is not made for the part or did not converge; Lambda is untouched then.
bool Automatic::solve_dense(std::size_t island, const ContactProblem& problem, const DenseNewton::Part& part,
                            const Settings& settings, Solution& solution) {
  if (!is_dense(problem, part, settings.tol)) return false;
  island = std::min(island, kDense - 1);
  if (dense_.size() <= island) dense_.resize(island + 1);
  Settings own = settings;
  own.same_matrix = settings.same_matrix && is_kept(island);
  lost_.resize(dense_.size(), 0);
  if (own.same_matrix && lost_[island]) return false;
  lost_[island] = dense_[island].solve(problem, part, own, solution) ? 0 : 1;
  return !lost_[island];
}

DenseNewton::Part part_of(const Islands& islands, std::size_t k) {
  return {islands.blocks(k), islands.local(), islands.nodes(k)};
}

/// Which islands are solved side by side is a matter of time alone, so that the past may have a say in it.
void Automatic::begin_batches() {
  batched_.assign(islands_.count(), Batched::no);
  reports_.resize(islands_.count());
  if (pause_ > 0) return;
  for (std::size_t k = 0; k < alike_.count(); ++k) {
    for (const int island : alike_.batch(k)) {
      if (!is_resting(static_cast<std::size_t>(island))) batched_[island] = Batched::asked;
    }
  }
}

/// For the case that these islands are solved alone another time: nothing is allocated then.
void Automatic::make_room(std::span<const int> islands, int rows) {
  for (const int i : islands) {
    const auto island = static_cast<std::size_t>(i), place = std::min(island, kDense - 1);
    if (dense_.size() <= place) dense_.resize(place + 1);
    dense_[place].make_room(rows, islands_.blocks(island).size(), islands_.nodes(island));
  }
}

/// What is alike, eight islands at a time.
void Automatic::solve_batches(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  if (pause_ > 0) return;
  int all = 0, apart = 0;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < alike_.count(); ++k) {
    const std::span<const int> islands = alike_.batch(k);
    const bool keeps = is_kept(static_cast<std::size_t>(islands[0]));  // as do the others
    const std::size_t place = keeps ? 1 + kept++ : 0;
    DensePart parts[Alike::most];
    Report reports[Alike::most];
    unsigned asked = 0;
    for (std::size_t t = 0; t < islands.size(); ++t) {
      parts[t] = part_of(islands_, static_cast<std::size_t>(islands[t]));
      if (batched_[islands[t]] != Batched::no) asked |= 1u << t;
    }
    if (asked != 0 && !is_dense(problem, parts[0], settings.tol)) asked = 0;
    unsigned solved = 0, alone = ~asked;
    if (asked != 0) {
      if (batches_.size() <= place) batches_.resize(place + 1);
      Settings own = settings;
      own.same_matrix = settings.same_matrix && keeps;
      solved = batches_[place].solve(problem, {parts, islands.size()}, asked, own, solution, reports);
      alone |= batches_[place].apart();
      if (!settings.same_matrix) make_room(islands, batches_[place].rows());
    }
    for (std::size_t t = 0; t < islands.size(); ++t) {
      Batched& own = batched_[islands[t]];
      own = alone >> t & 1 ? Batched::no : solved >> t & 1 ? Batched::solved : Batched::failed;
      reports_[islands[t]] = reports[t];
      all += asked >> t & 1;
      apart += (asked & alone) >> t & 1;
    }
  }
  if (4 * apart <= all) {
    next_pause_ /= 2;
  } else {
    due_ = next_pause_ = std::clamp(2 * next_pause_, 2, kLongestPause);
  }
}

/// The same for all blocks at once.
bool Automatic::solve_whole(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  const int most = static_cast<int>(std::max(problem.size(), problem.nodes));
  for (int k = static_cast<int>(all_.size()); k < most; ++k) all_.push_back(k);
  const DenseNewton::Part whole{std::span(all_).first(problem.size()), std::span(all_).first(problem.nodes),
                                problem.nodes};
  if (!solve_dense(0, problem, whole, settings, solution)) return false;
  looked_ = false;
  if (settings.passing) return true;
  solution.report.errors = contact::measure(problem, solution.Lambda, z_, solution.xi);
  return meets(solution.report.errors, settings.tol, settings.over_c);
}

void Automatic::solve_lone(const ContactProblem& problem, std::size_t i, Solution& solution) {
  solution.Lambda[i] = solve_alone(problem, i, solution.Lambda[i]);
  solution.report.iterations += 1;
  if (hardest_ < 1) {
    hardest_ = 1;
    solution.report.method = "local";
  }
}

void Automatic::solve_island(const ContactProblem& problem, std::size_t island, const Settings& settings,
                             Solution& solution) {
  const std::span<const int> blocks = islands_.blocks(island);
  if (blocks.size() == 1) return solve_lone(problem, static_cast<std::size_t>(blocks[0]), solution);
  Report& whole = solution.report;
  const Report before = whole;
  Report part;
  if (batched_[island] == Batched::solved) {
    part = reports_[island];
  } else if (batched_[island] == Batched::no &&
             solve_dense(island, problem, part_of(islands_, island), settings, solution)) {
    part = whole;
  } else {
    islands_.extract(problem, island, part_);
    part_solution_.Lambda.resize(blocks.size());
    for (std::size_t k = 0; k < blocks.size(); ++k) part_solution_.Lambda[k] = solution.Lambda[blocks[k]];
    portfolio_.solve(part_, settings, part_solution_);
    last_resort_.improve(part_, settings, part_solution_);
    for (std::size_t k = 0; k < blocks.size(); ++k) solution.Lambda[blocks[k]] = part_solution_.Lambda[k];
    part = part_solution_.report;
  }
  whole = before;
  whole.iterations += part.iterations;
  whole.factorisations += part.factorisations;
  whole.status = std::max(whole.status, part.status);
  if (part.iterations > hardest_) {
    hardest_ = part.iterations;
    whole.method = part.method;
  }
}

/// One island has nearly all blocks.
bool Automatic::is_heap(std::size_t blocks) const {
  if (!islands_.loose_blocks().empty()) return false;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < islands_.count(); ++k) largest = std::max(largest, islands_.blocks(k).size());
  return static_cast<double>(largest) >= kHeap * static_cast<double>(blocks);
}

/// All islands, one after the other. False where the whole is to be solved at once.
bool Automatic::solve_islands(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  const bool anew = !settings.same_matrix || !in_parts_;
  if (anew) {
    others_ = islands_.find(problem) || others_;
    pause_ = due_ > 0 ? due_-- : 0;
    if (pause_ == 0) {
      alike_.find(problem, solution.Lambda, islands_, others_,
                  [&](std::size_t k) { return is_dense(problem, part_of(islands_, k), 0) ? is_kept(k) : -1; });
      others_ = false;
    }
  }
  in_parts_ = islands_.count() > 1 || !islands_.loose_blocks().empty();
  if (in_parts_ && settings.tol > kRough && is_heap(problem.size())) in_parts_ = false;
  if (!in_parts_) return false;
  Report& report = solution.report;
  hardest_ = 0;
  Settings part = settings;
  part.moving = false;  // others may; what rests is to stay as it is
  resting_.clear();
  for (std::size_t island = 0; looked_ && island < islands_.count(); ++island) {
    resting_.push_back(rests(problem, islands_.blocks(island), solution) ? 1 : 0);
  }
  for (int i : islands_.loose_blocks()) solution.Lambda[i].setZero();
  for (const double share : kShares) {
    part.tol = share * settings.tol;
    report.status = Status::solved;
    if (anew) begin_batches();
    solve_batches(problem, part, solution);
    for (std::size_t island = 0; island < islands_.count(); ++island) {
      if (!is_resting(island)) solve_island(problem, island, part, solution);
    }
    if (settings.passing) return true;
    report.errors = contact::measure(problem, solution.Lambda, z_, solution.xi);
    if (report.errors.scaled <= settings.tol || report.status != Status::solved) break;
  }
  if (meets(report.errors, settings.tol, settings.over_c)) {
    report.status = Status::solved;
  } else if (report.status == Status::solved) {
    report.status = Status::stalled;  // a block without nodes contradicts its law
  }
  return true;
}

void Automatic::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  Report& report = solution.report;
  std::optional<contact::Errors> start;
  const auto accept_warm_start = [&] {
    report = {};
    report.method = "warm start";
    start = report.errors = contact::measure(problem, solution.Lambda, z_, solution.xi);
    return meets(report.errors, settings.tol, settings.over_c) && (!settings.polish || report.errors.over_c <= kRest);
  };
  if (!settings.same_matrix) {
    in_parts_ = false;
    for (DenseNewton& dense : dense_) dense.forget();
    for (DenseNewtons& batch : batches_) batch.forget();
  }
  // What rests is accepted as it is; the dense method looks for itself.
  const bool swept = settings.moving && settings.tol > kRough;  // whatever its error is
  const bool looked = settings.polish && !settings.same_matrix && !swept;
  looked_ = looked;
  if (looked) make_admissible(problem, solution.Lambda);
  if (looked && accept_warm_start()) return;
  if (!in_parts_ && solve_whole(problem, settings, solution)) return;
  if (!looked && !swept && !settings.same_matrix && !settings.passing && accept_warm_start()) return;
  report = {};
  report.method = "warm start";
  if (solve_islands(problem, settings, solution)) return;
  portfolio_.solve(problem, settings, solution, start ? &*start : nullptr);
  last_resort_.improve(problem, settings, solution);
}

}  // namespace

std::unique_ptr<Solver> make_automatic() { return std::make_unique<Automatic>(); }

}  // namespace vinculum::solvers
