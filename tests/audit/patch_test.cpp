// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of one patch agree on what is added to their velocities; run and auditor find it in two ways. Without that
// the natural map of this scene would be off by 1e-5.
#include "audit/forge.hpp"
#include "support/swaying_foot.hpp"

#include <algorithm>

namespace vinculum::audit {
namespace {

TEST(Patch, of_a_foot_that_rests_is_certified) {
  const Forge forge = Forge::run(test::swaying_foot, 200);
  const auto stays = [](const ContactRecord& contact) {
    return (contact.mode == Mode::held || contact.mode == Mode::landing) && contact.Lambda.x() > 0;
  };
  std::ptrdiff_t patches = 0;
  for (const Forge::Step& step : forge.steps) {
    EXPECT_EQ(step.record.solver.status, solvers::Status::solved) << step.record.t;
    const auto& contacts = step.record.contacts;
    patches += std::count_if(contacts.begin(), contacts.end(), stays) > 2 ? 1 : 0;
  }
  EXPECT_GT(patches, 50) << "the foot does not rest: the test shows nothing";
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

}  // namespace
}  // namespace vinculum::audit
