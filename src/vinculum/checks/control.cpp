// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The recorded controls of the actuators are those that the scene gives at the middle of the step: of its table, its
// keyframe, or constant. Tables are interpolated here and there in another order of operations: 1e-12 of their size.
//
// Where a program gave the controls the scene says nothing of them: the check does not apply and says so, and `balance`
// holds the motion to the controls as recorded.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

namespace {

class Control final : public Check {
 public:
  Control() {
    outcome.unit = "relative";
    outcome.why_not = "no actuator";
  }
  void look(const Replay& step) override {
    if (step.driven) {
      outcome.why_not = "the controls came from a program: balance takes them as recorded";
      return;
    }
    for (std::size_t a = 0; a < step.controls.size(); ++a) {
      const double wanted = step.controls[a], found = step.record.ctrl[a];
      note(std::abs(found - wanted), 1e-12 * (1 + std::abs(wanted)), step.t, step.model.actuators[a].name);
    }
  }
};

}  // namespace

std::unique_ptr<Check> make_control() { return std::make_unique<Control>(); }

}  // namespace vinculum::checks
