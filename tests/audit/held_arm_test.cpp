// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// An arm that stiff drives hold: motion dies out, weights and drives that cancel stay. What is left of the balance are
// their roundings, some u |terms| of each, however small the motion is: to be asked for less would refute honest runs,
// to be asked for more than the tolerance of the terms would let others pass.
#include "audit/forge.hpp"

#include <fmt/core.h>

namespace vinculum::audit {
namespace {

/// Three links on a base that stands aslant to all axes. Of the last, light one the effective mass M̂ = M + dt/2 A is
/// x = 120 times M: the midpoint rule lets it swing by −(x − 1)/(x + 1) in a step, e^−25 in 1500, the slowest motion.
std::string arm(const std::string& gravity, double q) {
  std::string text = "[scene]\ngravity = " + gravity + "\n[run]\ndt = 2e-3\n";
  const char* links[] = {"upper", "fore", "hand"};
  const double mass[] = {4, 2, 0.3}, inertia[] = {0.03, 0.01, 0.0002};
  for (int k = 0; k < 3; ++k) {
    text += fmt::format("[[body]]\nname = \"{}\"\nmass = {}\ninertia = [{}, {}, {}]\ncom = [0.01, 0.02, 0.15]\n",
                        links[k], mass[k], inertia[k], inertia[k], inertia[k]);
  }
  const char* axes[] = {"[0, 1, 0]", "[1, 0, 0]", "[0, 0, 1]"};
  for (int k = 0; k < 3; ++k) {
    text += fmt::format("[[joint]]\nname = \"j{}\"\ntype = \"revolute\"\nchild = \"{}\"\naxis = {}\nq = {}\n", k,
                        links[k], axes[k], q);
    text += k == 0 ? "rotation = { axis = [1, 2, 3], degrees = 37 }\n"
                   : fmt::format("parent = \"{}\"\nposition = [0, 0, 0.3]\n", links[k - 1]);
    text += fmt::format(
        "[[actuator]]\nname = \"a{}\"\ntype = \"position\"\njoint = \"j{}\"\nkp = 2000\nkd = 40\nctrl = 0.9\n", k, k);
  }
  return text;
}

struct Case {
  const char* name;
  std::string text;
};

const std::vector<Case> cases{{"against its weight", arm("[0, 0, -9.81]", 0.8)},
                              {"without weight", arm("[0, 0, 0]", 0.8)},
                              {"where it is", arm("[0, 0, 0]", 0.9)}};

TEST(HeldArm, comes_to_rest_solved_and_certified) {
  for (const Case& c : cases) {
    const Forge forge = Forge::run(c.text, 1500);
    int unsettled = 0;
    for (const Forge::Step& step : forge.steps) unsettled += step.record.solver.status != solvers::Status::solved;
    EXPECT_EQ(unsettled, 0) << c.name;
    EXPECT_LT(forge.steps.back().after.tree_v.norm(), 1e-9) << c.name;  // of 9.5 at first, or 0
    const Result result = forge.audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << c.name << ": " << failures(result);
    EXPECT_EQ(outcome(result, "balance").status, Status::pass) << c.name;
  }
}

/// What a thousandth of a micrometre per second of its hand changes is 1e-8 of no force here, and far above rounding.
TEST(HeldArm, that_moves_otherwise_at_rest_is_refuted) {
  for (const Case& c : cases) {
    Forge forge = Forge::run(c.text, 1500);
    for (int joint = 0; joint < 3; ++joint) {
      Forge other = forge;
      change_joints(other, 1400, [&](Row& row) { row.tree_v[joint] += 1e-9; });
      EXPECT_EQ(outcome(other.audit(), "balance").status, Status::fail) << c.name << ", joint " << joint;
    }
  }
}

/// A free body that two forces hold against its weight, one beside the other: momentum and spin are rounding.
TEST(HeldBody, that_hovers_is_certified) {
  const std::string text = R"(
[run]
dt = 2e-3
[[body]]
name = "drone"
mass = 0.7
inertia = [0.01, 0.02, 0.013]
rotation = { axis = [1, 2, 3], degrees = 37 }
[[force]]
body = "drone"
force = [0, 0, 3.867]
point = [0.1, 0.03, 0]
[[force]]
body = "drone"
force = [0, 0, 3]
point = [-0.1289, -0.03867, 0]
)";
  Forge forge = Forge::run(text, 200);
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  forge.change_row_after(100, [](Row& row) { row.w[0].x() += 1e-9; });
  EXPECT_EQ(outcome(forge.audit(), "balance").status, Status::fail);
}

}  // namespace
}  // namespace vinculum::audit
