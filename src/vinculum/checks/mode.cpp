// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The mode of each contact follows from gap and local velocity at the node before the step (integrators/modes.hpp).
// The residual counts contacts with a wrong mode.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

class ModeCheck final : public Check {
 public:
  ModeCheck() { outcome.unit = "contacts"; }
  void look(const Replay& step) override {
    if (step.coordinates) {
      const std::string& amiss = step.coordinates->amiss;
      note(amiss.empty() ? 0 : 1, 0, step.t, amiss.empty() ? "laws that must act" : amiss + " (must act, and once)");
      for (const LawView& law : step.coordinates->laws) note(law.mode_agrees ? 0 : 1, 0, step.t, law.name);
    }
    if (step.trees) {
      const std::string& amiss = step.trees->amiss;
      note(amiss.empty() ? 0 : 1, 0, step.t, amiss.empty() ? "laws that must act" : amiss + " (must act, and once)");
      for (const JointLawView& view : step.trees->views) note(view.mode_agrees ? 0 : 1, 0, step.t, view.law->name);
    }
    for (const ContactView& contact : step.contacts) {
      note(contact.mode_agrees ? 0 : 1, 0, step.t, contact.name);
    }
  }
};

}  // namespace

std::unique_ptr<Check> make_mode() { return std::make_unique<ModeCheck>(); }

}  // namespace vinculum::checks
