// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Driven machines: honest runs are certified, what was changed is refuted and located.
#include "audit/forge.hpp"

namespace vinculum::audit {
namespace {

constexpr double dt = 1e-3;
constexpr std::size_t at = 60;
constexpr double t_at = at * dt;

/// A slide and an arm on it.
const std::string machine = R"(
[run]
dt = 1e-3
[[body]]
name = "cart"
mass = 2
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "arm"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, 0.4]
[[joint]]
name = "slide"
type = "prismatic"
child = "cart"
axis = [1, 0, 0]
v = 0.2
[[joint]]
name = "hinge"
type = "revolute"
parent = "cart"
child = "arm"
axis = [0, 1, 0]
q = 0.1
)";
const std::string motor = R"(
[[actuator]]
name = "motor"
type = "torque"
joint = "slide"
)";
const std::string pd = machine + motor + R"(
[[keyframe]]
name = "up"
q = [0.1, 0]
ctrl = [0.5]
[control]
key = "up"
kp = 40
kd = 3
)";
const std::string table = machine + motor + R"(
[control]
table = [[0.02, 1], [0.05, -2], [0.1, 3]]
)";
const std::string tendon = machine + R"(
[[tendon]]
name = "cord"
joints = ["slide", "hinge"]
coefficients = [2, -0.5]
stiffness = 30
damping = 2
rest = [-0.1, 0.05]
friction = 0.1
upper = 0.3
[[actuator]]
name = "winch"
type = "position"
tendon = "cord"
gear = 1.5
kp = 20
kd = 1
ctrl = 0.3
)";
const std::string variable = machine + R"(
[[actuator]]
name = "muscle"
type = "general"
joint = "hinge"
gain = [2, -30, -1.5]
bias = [0.5, 1, -0.2]
[control]
table = [[0.02, 1], [0.05, 2], [0.1, 0]]
)";
const std::string planar = R"(
[run]
dt = 1e-3
[[body]]
name = "puck"
mass = 2
inertia = [0.1, 0.2, 0.3]
com = [0.3, 0, 0.1]
[[joint]]
name = "table"
type = "planar"
child = "puck"
axis = [0, 1, 0]
axis_2 = [1, 0, 0]
q = [0.1, 0.2, 0.3]
v = [1, 2, 4]
damping = 0.1
)";
const std::string six = R"(
[run]
dt = 1e-3
[[body]]
name = "brick"
mass = 2
inertia = [0.1, 0.2, 0.25]
com = [0.1, 0.2, 0.3]
[[joint]]
name = "all"
type = "six_dof"
child = "brick"
q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
v = [1, 2, 3, -4, 5, 2]
)";

Forge driven() {
  auto controller = [](const system::Sight& sight, std::span<double> ctrl) {
    ctrl[0] = 30 * sight.state.q.tree[1] + 5 * sight.state.tree_v[1] - 2 * sight.state.tree_v[0];
  };
  return Forge::run(machine + motor, 120, {.controller = controller});
}

void expect_certified(const Forge& forge) {
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

/// The same run under a scene in which `old` reads `now`.
Result with_changed_scene(Forge forge, const std::string& old, const std::string& now) {
  const std::size_t place = forge.header.scene_text.find(old);
  if (place == std::string::npos) throw std::logic_error("no " + old);
  forge.header.scene_text.replace(place, old.size(), now);
  return forge.audit();
}

TEST(AuditOfControl, certifies_pd_tables_tendons_planar_and_six_dof_joints) {
  for (const std::string& text : {pd, table, tendon, variable, planar, six}) expect_certified(Forge::run(text, 120));
}

TEST(AuditOfControl, refutes_other_gains_than_the_run_had) {
  const Forge forge = Forge::run(pd, 120);
  for (const auto& [old, now] : {std::pair("kp = 40", "kp = 40.001"), std::pair("kd = 3", "kd = 3.001")}) {
    EXPECT_EQ(failing(with_changed_scene(forge, old, now)).front(), "balance") << now;
  }
  // A held control is compared and weighed.
  EXPECT_EQ(failing(with_changed_scene(forge, "ctrl = [0.5]", "ctrl = [0.501]")),
            (std::vector<std::string>{"control", "balance", "energy"}));
}

TEST(AuditOfControl, refutes_other_affine_gains) {
  const Forge forge = Forge::run(variable, 120);
  for (const char* now : {"gain = [2.001, -30, -1.5]", "gain = [2, -30.001, -1.5]", "gain = [2, -30, -1.501]"}) {
    const Result result = with_changed_scene(forge, "gain = [2, -30, -1.5]", now);
    EXPECT_EQ(outcome(result, "balance").status, Status::fail) << now << failures(result);
  }
}

TEST(AuditOfControl, refutes_a_recorded_control_that_the_table_does_not_give) {
  Forge forge = Forge::run(table, 120);
  forge.steps[at].record.ctrl[0] += 1e-9;
  const Result result = forge.audit();
  expect_failure(result, "control", t_at, "motor");
  EXPECT_EQ(failing(result), std::vector<std::string>{"control"});  // the motion is still that of the table
}

TEST(AuditOfControl, refutes_another_table_from_the_first_row_that_differs) {
  const Result result = with_changed_scene(Forge::run(table, 120), "[0.05, -2]", "[0.05, -2.01]");
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "control").status, Status::fail);
  EXPECT_EQ(outcome(result, "balance").where, "slide");
}

TEST(AuditOfControl, refutes_another_tendon) {
  const Forge forge = Forge::run(tendon, 120);
  for (const auto& [old, now] :
       {std::pair("stiffness = 30", "stiffness = 30.001"), std::pair("damping = 2", "damping = 2.001"),
        std::pair("rest = [-0.1, 0.05]", "rest = [-0.1, 0.051]"), std::pair("gear = 1.5", "gear = 1.501")}) {
    const Result result = with_changed_scene(forge, old, now);
    EXPECT_EQ(outcome(result, "balance").status, Status::fail) << now << failures(result);
  }
}

TEST(AuditOfControl, refutes_and_locates_a_planar_and_a_six_dof_joint_that_was_moved) {
  for (const auto& [text, k, name] : {std::tuple(planar, 2, "table[2]"), std::tuple(six, 4, "all[4]")}) {
    const std::size_t last = 119;
    Forge forge = Forge::run(text, 120);
    change_joints(forge, last, [k](Row& row) { row.tree_q[k] += 1e-9; });
    expect_failure(forge.audit(), "flight", forge.steps.back().record.t, name);
    forge = Forge::run(text, 120);
    change_joints(forge, last, [k](Row& row) { row.tree_v[k] += 1e-6; });
    expect_failure(forge.audit(), "balance", forge.steps.back().record.t, name);
  }
}

TEST(AuditOfControl, certifies_a_run_driven_by_a_program_and_says_whose_controls_it_took) {
  const Result result = driven().audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  EXPECT_EQ(outcome(result, "control").status, Status::not_applicable);
  EXPECT_NE(outcome(result, "control").why_not.find("program"), std::string::npos);
}

TEST(AuditOfControl, refutes_and_locates_a_control_of_a_program_that_was_not_applied) {
  Forge forge = driven();
  forge.steps[at].record.ctrl[0] += 1e-4;
  expect_failure(forge.audit(), "balance", t_at, "slide");
  // The same trace as if the scene had moved the motor: it did not.
  forge = driven();
  forge.header.driven = false;
  EXPECT_EQ(outcome(forge.audit(), "control").status, Status::fail);
}

TEST(AuditOfControl, actuators_that_the_scene_does_not_have_are_one_line) {
  Forge forge = driven();
  forge.header.actuators[0] = "other";
  EXPECT_THROW(forge.audit(), base::InputError);
}

}  // namespace
}  // namespace vinculum::audit
