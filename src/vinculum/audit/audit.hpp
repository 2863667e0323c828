// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// trace -> verdict. Reads a trace, rebuilds every recorded step from q, v, Λ and the scene it carries, and runs all
// registered checks. Shares no code with solvers, collision or integrators.
#pragma once

#include "vinculum/checks/check.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vinculum::audit {

enum class Verdict { certified, refuted, undecided };
std::string_view to_string(Verdict verdict);

struct Result {
  Verdict verdict = Verdict::undecided;
  std::vector<checks::Outcome> checks;
  std::size_t steps = 0;    // looked at
  double t_end = 0;         // s
  double energy_added = 0;  // by the scheme, over the recorded steps, J
  std::string why_undecided;
  checks::Undetermined undetermined;  // at the step where the bonds are most redundant
  std::size_t undetermined_steps = 0;
  double undetermined_time = 0;  // of that step
};

/// tol <= 0: the tolerance the run was made with. `progress` is called with the fraction done, if given.
/// Throws base::InputError when the file cannot be read.
Result audit(const std::string& path, double tol = 0, const std::function<void(double)>& progress = {});

}  // namespace vinculum::audit
