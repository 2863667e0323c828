// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Path following (explicit_path.hpp) as a solver of its own.
#include "vinculum/solvers/explicit_path.hpp"

namespace vinculum::solvers {
namespace {

template <int Rows>
struct PathFollowing {
  static constexpr bool rolling = true;

  void run(ContactRun<Rows>& run) { path.follow(run, run.left() / 2); }

  ContactPath<Rows> path;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_path() { return std::make_unique<FramedSolver<PathFollowing>>(); }

}  // namespace vinculum::solvers
