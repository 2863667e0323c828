// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The position impulses Π of joint limits, couplings and closures: recorded, replayed to rounding, refuted where
// changed.
#include "audit/forge.hpp"
#include "support/bending_leg.hpp"
#include "support/rocking_plate.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace vinculum::audit {
namespace {

constexpr double dt = 1e-3;
enum Code : std::int32_t { lower_limit = -3, coupling = -6, points = -7 };

// An arm strikes its limit; a weight geared to it, and a strut on two slides pinned to its end, go along.
std::string struck() {
  const double q = 0.25, v = -3;
  return fmt::format(R"(
[run]
dt = 1e-3
[[body]]
name = "arm"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.5]
[[body]]
name = "strut"
mass = 0.3
inertia = [0.004, 0.004, 0.002]
[[body]]
name = "weight"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
position = [0, 1, 0]
[[joint]]
name = "shoulder"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
q = {0}
v = {1}
lower = 0.2
[[joint]]
name = "x"
type = "prismatic"
child = "strut"
axis = [1, 0, 0]
q = {2}
v = {3}
[[joint]]
name = "z"
type = "prismatic"
child = "strut"
axis = [0, 0, 1]
q = {4}
v = {5}
[[joint]]
name = "lift"
type = "prismatic"
child = "weight"
axis = [0, 0, 1]
v = {6}
[[coupling]]
name = "gear"
joint_a = "lift"
joint_b = "shoulder"
coefficients = [-0.03125, 0, 0.5]
[[connect]]
name = "pin"
a = "arm"
b = "strut"
point_a = [0, 0, -1]
)",
                     test::num(q), test::num(v), test::num(-std::sin(q)), test::num(-std::cos(q) * v),
                     test::num(-std::cos(q)), test::num(std::sin(q) * v), test::num(q * v));
}

const Forge& run() {
  static const Forge forge = Forge::run(struck(), 60);
  return forge;
}

/// The largest Π of such a law, and its step.
std::pair<std::size_t, ContactRecord*> largest_of(Forge& forge, Code code) {
  std::pair<std::size_t, ContactRecord*> found{0, nullptr};
  for (std::size_t i = 0; i < forge.steps.size(); ++i) {
    for (ContactRecord& c : forge.steps[i].record.contacts) {
      if (c.mode != Mode::projected || c.shape_a != code) continue;
      if (!found.second || c.Pi.norm() > found.second->Pi.norm()) found = {i, &c};
    }
  }
  if (!found.second) throw std::logic_error("nothing projected");
  return found;
}

/// Two bodies that slide along x.
std::string carriages() {
  std::string text;
  for (const int i : {0, 1}) {
    text += fmt::format(
        "[[body]]\nname = 'carriage {0}'\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, {1}, 3]\n"
        "[[joint]]\nname = 'rail {0}'\ntype = 'prismatic'\nchild = 'carriage {0}'\naxis = [1, 0, 0]\n",
        i, 3 + i);
  }
  return text;
}

TEST(AuditOfProjection, finds_every_displacement_again_to_rounding) {
  Forge forge = run();
  for (const Code code : {lower_limit, coupling, points}) EXPECT_GT(largest_of(forge, code).second->Pi.norm(), 1e-7);
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfProjection, refutes_and_locates_a_changed_position_impulse) {
  for (const auto& [code, names] : {std::pair(lower_limit, std::vector<std::string>{"shoulder"}),
                                    std::pair(coupling, std::vector<std::string>{"shoulder", "lift"}),
                                    std::pair(points, std::vector<std::string>{"shoulder", "x", "z"})}) {
    Forge forge = run();
    const auto [i, record] = largest_of(forge, code);
    record->Pi *= 1.001;
    const Result result = forge.audit();
    expect_failure(result, "flight", static_cast<double>(i) * dt, "");
    const std::string where = outcome(result, "flight").where;
    EXPECT_TRUE(
        std::any_of(names.begin(), names.end(), [&](const std::string& name) { return where.starts_with(name); }))
        << code << " names " << where;
  }
}

TEST(AuditOfProjection, refutes_a_limit_that_pulls_its_joint_although_the_state_goes_along) {
  // A slide that rests at its lower limit is moved by a forged Π: up, which leaves the limit, or down, which pulls.
  for (const double Pi : {1e-3, -1e-3}) {
    Forge forge = Forge::run(
        "[[body]]\nname = 'b'\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = 's'\ntype = 'prismatic'\nchild = 'b'\n"
        "axis = [0, 0, 1]\nlower = 0\n",
        5, {.dt = dt});
    ASSERT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
    Forge::Step& last = forge.steps.back();
    ContactRecord lift = last.record.contacts.at(0);
    lift.mode = Mode::projected;
    lift.Lambda.setZero();
    lift.Pi = Vec3(Pi, 0, 0);
    lift.round = 1;
    last.record.contacts.push_back(lift);
    last.after.tree_q[0] += Pi / 2;
    last.after.x[0].z() += Pi / 2;
    expect_failure(forge.audit(), "flight", last.record.t, Pi > 0 ? "lifted too far" : "position impulse");
  }
}

TEST(AuditOfProjection, lets_a_contact_hold_what_it_carries_and_nothing_else) {
  Forge forge = Forge::run(test::rocking_plate, 60);
  EXPECT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
  Forge::Step* held = nullptr;
  const ContactRecord* pull = nullptr;
  for (Forge::Step& step : forge.steps) {
    for (const ContactRecord& c : step.record.contacts) {
      if (c.Pi.x() < 0 && (!pull || c.Pi.x() < pull->Pi.x())) held = &step, pull = &c;
    }
  }
  ASSERT_TRUE(pull);
  for (ContactRecord& c : held->record.contacts) {
    if (c.feature_id == pull->feature_id && c.mode != Mode::projected) c.Lambda.setZero();
  }
  expect_failure(forge.audit(), "flight", held->record.t, "position impulse");
}

TEST(AuditOfProjection, lets_no_contact_pull_where_trees_close_loops) {
  // The same plate, and two carriages on level rails: nothing moves them. Steps that hold an edge by Π < 0 are lawful
  // there. The forger then says that the carriages are geared, which is true of all states with Λ = 0 and changes
  // nothing else; but with a loop in the scene contacts only push.
  Forge forge = Forge::run(std::string(test::rocking_plate) + carriages(), 60);
  ASSERT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
  const auto first = std::find_if(forge.steps.begin(), forge.steps.end(), [](const Forge::Step& step) {
    const auto& contacts = step.record.contacts;
    return std::any_of(contacts.begin(), contacts.end(), [](const ContactRecord& c) { return c.Pi.x() < 0; });
  });
  ASSERT_NE(first, forge.steps.end());
  forge.steps.erase(first + 1, forge.steps.end());
  forge.header.scene_text +=
      "[[coupling]]\nname = 'gear'\njoint_a = 'rail 0'\njoint_b = 'rail 1'\n"
      "coefficients = [0, 1]\n";
  for (Forge::Step& step : forge.steps) {
    ContactRecord gear;
    gear.shape_a = coupling, gear.shape_b = 0;
    gear.mode = Mode::bond;
    step.record.contacts.insert(step.record.contacts.begin(), gear);
  }
  const Result result = forge.audit();
  expect_failure(result, "flight", forge.steps.back().record.t, "position impulse");
  // `geometry`: nor are there nudges.
  EXPECT_EQ(failing(result), (std::vector<std::string>{"flight", "geometry"})) << failures(result);
}

TEST(AuditOfProjection, refutes_a_position_impulse_left_out_and_repetitions_out_of_order) {
  Forge forge = run();
  const auto [i, record] = largest_of(forge, lower_limit);
  auto& contacts = forge.steps[i].record.contacts;
  contacts.erase(contacts.begin() + (record - contacts.data()));
  expect_failure(forge.audit(), "flight", static_cast<double>(i) * dt, "");

  forge = run();
  const auto [k, other] = largest_of(forge, points);
  other->round += 7;
  expect_failure(forge.audit(), "flight", static_cast<double>(k) * dt, "");
}

TEST(AuditOfProjection, refutes_a_law_that_the_scene_does_not_have_and_a_gap_that_was_not_there) {
  Forge forge = run();
  const auto [i, record] = largest_of(forge, coupling);
  record->shape_b = 5;
  expect_failure(forge.audit(), "geometry", static_cast<double>(i) * dt, "(-6, 5)");
  forge = run();
  const auto [k, other] = largest_of(forge, lower_limit);
  other->gap *= 1.001;
  expect_failure(forge.audit(), "geometry", static_cast<double>(k) * dt, "shoulder");
}

/// Free bodies that are pushed may overlap within their tolerance where a lift ends; a joint that holds nothing changes
/// nothing. To a rough tolerance a column that lands has both: what overlaps by more than it, and what that meets.
TEST(AuditOfProjection, knows_what_free_bodies_may_overlap_with_and_without_joints_that_hold_nothing) {
  for (const bool jointed : {false, true}) {
    std::string text =
        "[run]\ndt = 1e-3\ntol = 1e-2\n[[contact]]\nmu = 0.3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n";
    for (int k = 0; k < 6; ++k) {
      text += fmt::format(
          "[[body]]\nname = 'b{0}'\nmass = 1\nshape = {{ type = 'sphere', radius = 0.1 }}\nposition = [{1}, 0, {2}]\n",
          k, .002 * (k % 2), .11 + .201 * k);
      if (jointed) text += fmt::format("[[joint]]\nname = 'f{0}'\ntype = 'free'\nchild = 'b{0}'\n", k);
    }
    const Forge forge = Forge::run(text, 150);
    int deep = 0, pushed = 0;
    for (const auto& step : forge.steps) {
      for (const ContactRecord& contact : step.record.contacts) {
        if (contact.mode != Mode::projected || contact.round != 1) continue;
        ++(contact.gap < -.1 * 1e-2 * .1 ? deep : pushed);
      }
    }
    EXPECT_GT(deep, 0) << "no lift: the test shows nothing";
    EXPECT_GT(pushed, 0) << "none that is pushed: the test shows nothing";
    const Result result = forge.audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  }
}

/// The deepest contact of that mode, and its step.
std::pair<Forge::Step*, ContactRecord*> deepest_of(Forge& forge, Mode mode) {
  std::pair<Forge::Step*, ContactRecord*> found{nullptr, nullptr};
  for (Forge::Step& step : forge.steps) {
    for (ContactRecord& c : step.record.contacts) {
      if (c.mode == mode && (!found.second || c.gap < found.second->gap)) found = {&step, &c};
    }
  }
  if (!found.second) throw std::logic_error("no such lift");
  return found;
}

TEST(AuditOfProjection, finds_nudges_again_and_refutes_changed_ones) {
  // The dampers are some hundredths of M̂: with M alone the joints would turn by 1e-10 rad more.
  Forge forge = Forge::run(test::bending_leg, 50);
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  const auto [step, nudge] = deepest_of(forge, Mode::nudged);
  nudge->Pi *= 1.001;
  expect_failure(forge.audit(), "flight", step->record.t, "");
  nudge->Pi *= -1 / 1.001;
  expect_failure(forge.audit(), "flight", step->record.t, "");
}

TEST(AuditOfProjection, lets_nothing_be_nudged_that_is_far_or_does_not_act_in_the_step) {
  Forge forge = Forge::run(test::rocking_plate, 60);
  const auto [step, lift] = deepest_of(forge, Mode::projected);
  for (ContactRecord& c : step->record.contacts) {
    if (c.mode == Mode::projected && c.round == lift->round) c.mode = Mode::nudged;
  }
  expect_failure(forge.audit(), "geometry", step->record.t, "too far for a nudge");

  forge = Forge::run(test::bending_leg, 50);
  const auto [at, nudge] = deepest_of(forge, Mode::nudged);
  auto& contacts = at->record.contacts;
  std::erase_if(contacts, [](const ContactRecord& c) { return c.mode != Mode::nudged; });
  expect_failure(forge.audit(), "geometry", at->record.t, "not of the step");
}

TEST(AuditOfProjection, lets_nothing_be_nudged_beside_free_bodies) {
  // A ball far away changes nothing, but its scene is not one of trees alone: the run projects, and the forger nudges.
  Forge forge = Forge::run(test::bending_leg, 50);
  const auto [step, nudge] = deepest_of(forge, Mode::nudged);
  const double t = step->record.t;
  forge = Forge::run(
      std::string(test::bending_leg) + "[[body]]\nname = 'ball'\nmass = 1\nparticle = true\nposition = [9, 0, 9]\n",
      50);
  const auto small = std::find_if(forge.steps.begin(), forge.steps.end(),
                                  [t](const Forge::Step& s) { return s.record.t >= t && s.record.shift > 0; });
  ASSERT_NE(small, forge.steps.end());
  ASSERT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
  for (ContactRecord& c : small->record.contacts) {
    EXPECT_NE(c.mode, Mode::nudged);
    if (c.mode == Mode::projected) c.mode = Mode::nudged;
  }
  expect_failure(forge.audit(), "geometry", small->record.t, "more than trees");
}

}  // namespace
}  // namespace vinculum::audit
