// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts every allocation of the program.
#include "solvers/corpus.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>
#include <cstdlib>
#include <new>

namespace {
long allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

using namespace vinculum;

TEST(Allocation, does_not_happen_once_a_problem_of_that_size_was_solved) {
  const std::vector<corpus::Case> cases = corpus::cases();
  for (const solvers::SolverType& type : solvers::solver_types()) {
    const auto solver = type.make();
    for (const corpus::Case& c : cases) {
      solvers::Solution solution;
      solution.Lambda.assign(c.problem.size(), corpus::Vec3::Zero());
      const solvers::Settings settings{.max_iterations = 2000};
      solver->solve(c.problem, settings, solution);
      std::fill(solution.Lambda.begin(), solution.Lambda.end(), corpus::Vec3::Zero());
      const long before = allocations;
      solver->solve(c.problem, settings, solution);
      EXPECT_EQ(allocations - before, 0) << type.name << " on " << c.name;
    }
  }
}
