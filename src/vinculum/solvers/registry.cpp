// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The table behind solver_types(): one entry per line of registry.inc. `auto` is a keyword of C++, so its file and
// factory are called automatic; users see "auto".
#include "vinculum/solvers/finished.hpp"
#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {

#define EXPLICIT_SOLVER(name, text) std::unique_ptr<ExplicitSolver> make_explicit_##name();
#define SOLVER(name, text)               \
  std::unique_ptr<Solver> make_##name(); \
  EXPLICIT_SOLVER(name, text)
#include "vinculum/solvers/registry.inc"
#undef SOLVER
#undef EXPLICIT_SOLVER

namespace {
constexpr std::string_view shown_name(std::string_view name) { return name == "automatic" ? "auto" : name; }

template <auto make>
auto make_finished() {
  return finish(make());
}
template <std::unique_ptr<ExplicitSolver> (*make)()>
std::unique_ptr<Solver> make_adapted() {
  return adapt(make());
}
}  // namespace

std::span<const SolverType> solver_types() {
  static constexpr SolverType types[] = {
#define SOLVER(name, text) \
  {shown_name(#name), text, &make_finished<&make_##name>, &make_finished<&make_explicit_##name>, true},
#define EXPLICIT_SOLVER(name, text) \
  {#name, text, &make_finished<&make_adapted<&make_explicit_##name>>, &make_finished<&make_explicit_##name>, false},
#include "vinculum/solvers/registry.inc"
#undef SOLVER
#undef EXPLICIT_SOLVER
  };
  return types;
}

const SolverType* find_solver_type(std::string_view name) {
  for (const SolverType& type : solver_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::stalled:
      return "stalled";
    case Status::exhausted:
      return "exhausted";
    case Status::infeasible:
      return "infeasible";
    case Status::inapplicable:
      return "inapplicable";
  }
  return "unknown";
}

}  // namespace vinculum::solvers
