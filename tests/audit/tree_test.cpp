// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes with joints: honest runs are certified, what was changed is refuted by the right check.
#include "audit/forge.hpp"

namespace vinculum::audit {
namespace {

constexpr double dt = 1e-3;

const std::string double_pendulum = R"(
[scene]
name = "double pendulum"
[run]
dt = 1e-3
[[body]]
name = "upper"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.5]
[[body]]
name = "lower"
mass = 0.7
inertia = [0.03, 0.02, 0.02]
com = [0.1, 0, -0.4]
[[joint]]
name = "shoulder"
type = "revolute"
child = "upper"
axis = [0, 1, 0]
q = 1.2
v = 0.5
damping = 0.02
armature = 0.01
[[joint]]
name = "elbow"
type = "universal"
parent = "upper"
child = "lower"
position = [0, 0, -1]
axis = [0, 1, 0]
axis_2 = [1, 0, 0]
q = [-0.7, 0.3]
v = [1, -2]
stiffness = 0.4
rest = 0.1
)";

const std::string limited = R"(
[scene]
name = "pendulum between limits"
[run]
dt = 1e-3
[[body]]
name = "arm"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.5]
[[body]]
name = "hand"
mass = 0.3
inertia = [0.004, 0.004, 0.002]
com = [0, 0, -0.1]
[[joint]]
name = "shoulder"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
q = 0.3
v = 1
lower = -0.05
upper = 0.31
e_N = 0.4
friction = 0.2
[[joint]]
name = "wrist"
type = "revolute"
parent = "arm"
child = "hand"
position = [0, 0, -1]
axis = [0, 1, 0]
upper = 0.02
lower = -0.5
v = 0.5
friction = 0.05
)";

const std::string striking = R"(
[scene]
name = "an arm strikes a block"
[run]
dt = 1e-3
[[material]]
name = "wood"
[[pair]]
materials = ["wood", "wood"]
mu = 0.3
e_N = 0.2
[[shape]]
name = "floor"
type = "plane"
material = "wood"
[[body]]
name = "arm"
position = [0, 0, 0.5]
mass = 2
inertia = [0.1, 0.1, 0.02]
com = [0, 0, -0.2]
[[shape]]
name = "fist"
body = "arm"
type = "sphere"
radius = 0.05
position = [0, 0, -0.4]
material = "wood"
[[body]]
name = "block"
position = [0.16, 0, 0.1]
shape = { type = "box", size = [0.2, 0.2, 0.2], material = "wood", density = 100 }
[[joint]]
name = "pivot"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
v = -3
)";

const std::string four_bar = R"(
[scene]
name = "four-bar"
[run]
dt = 1e-3
[[body]]
name = "crank"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
com = [0, 0, 0.1]
[[body]]
name = "coupler"
mass = 1
inertia = [0.03, 0.03, 0.03]
com = [0.25, 0, 0]
[[body]]
name = "rocker"
mass = 0.8
inertia = [0.02, 0.02, 0.02]
com = [0, 0, 0.1]
[[joint]]
name = "drive"
type = "revolute"
child = "crank"
axis = [0, 1, 0]
v = 4
[[joint]]
name = "pin"
type = "revolute"
parent = "crank"
child = "coupler"
position = [0, 0, 0.2]
axis = [0, 1, 0]
v = -4
[[joint]]
name = "pivot"
type = "revolute"
child = "rocker"
position = [0.5, 0, 0]
axis = [0, 1, 0]
v = 4
[[connect]]
name = "closure"
a = "coupler"
b = "rocker"
point_a = [0.5, 0, 0]
point_b = [0, 0, 0.2]
)";

const std::string floating = R"(
[scene]
name = "two links fall on a plane"
[run]
dt = 1e-3
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
mu = 0.5
e_N = 0.1
[[shape]]
name = "floor"
type = "plane"
material = "rubber"
[[body]]
name = "trunk"
position = [0, 0, 0.16]
shape = { type = "box", size = [0.4, 0.2, 0.2], material = "rubber", density = 200 }
[[body]]
name = "leg"
shape = { type = "capsule", radius = 0.05, length = 0.3, material = "rubber", density = 300 }
[[joint]]
name = "root"
type = "free"
child = "trunk"
v = [0.3, 0.1, -1, 0.5, 1, -0.5]
[[joint]]
name = "hip"
type = "revolute"
parent = "trunk"
child = "leg"
position = [0.35, 0, 0.2]
rotation = { axis = [0, 1, 0], angle = 1.0 }
axis = [0, 1, 0]
v = 1
damping = 0.05
)";

const Forge& run_of(const std::string& text) {
  static std::vector<std::pair<std::string, Forge>> done;
  for (const auto& [name, forge] : done) {
    if (name == text) return forge;
  }
  done.emplace_back(text, Forge::run(text, 300));
  return done.back().second;
}

/// The last step in which a record passes the test, and the record.
template <class Test>
std::pair<std::size_t, ContactRecord*> find(Forge& forge, Test test) {
  for (std::size_t i = forge.steps.size(); i-- > 0;) {
    for (ContactRecord& c : forge.steps[i].record.contacts) {
      if (test(c)) return {i, &c};
    }
  }
  ADD_FAILURE() << "no such record";
  return {0, &forge.steps[0].record.contacts.front()};
}

void expect_certified(const std::string& text) {
  const Result result = run_of(text).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  for (const checks::Outcome& o : result.checks) {
    if (o.status == Status::pass && o.tolerance > 0) {
      std::printf("  %-16s %9.2e of %8.1e  t=%.3f %s\n", std::string(o.name).c_str(), o.residual, o.tolerance, o.time,
                  o.where.c_str());
    }
  }
}

TEST(AuditOfTrees, certifies_a_double_pendulum) { expect_certified(double_pendulum); }
TEST(AuditOfTrees, certifies_limits_and_dry_friction) { expect_certified(limited); }
TEST(AuditOfTrees, certifies_an_arm_that_strikes_a_block) { expect_certified(striking); }
TEST(AuditOfTrees, certifies_a_four_bar_linkage) { expect_certified(four_bar); }
TEST(AuditOfTrees, certifies_a_floating_body_that_falls) { expect_certified(floating); }

}  // namespace
}  // namespace vinculum::audit
