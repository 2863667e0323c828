// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A stone in a corner, μ = 2: it wedges itself between wall and floor (integrators/wedge.hpp). Without the mode
// `wedged` its impulses grew to 1e8 N s in some steps, for a stone of half a kilogram.
#include "audit/forge.hpp"

namespace vinculum::audit {
namespace {

std::string stone(const std::string& state) {
  return R"(
[run]
dt = 2e-3
[[contact]]
mu = 2
[[shape]]
name = 'floor'
type = 'plane'
[[shape]]
name = 'wall'
type = 'box'
size = [0.1, 1, 1]
position = [-0.05, 0, 0.5]
[[body]]
name = 'stone'
position = [0.1, 0, 0.12]
density = 1000
shape = { type = 'box', size = [0.1, 0.08, 0.06] }
)" + state;
}

const Forge& slow_stone() {
  static const Forge forge = Forge::run(stone(R"(
quaternion = [0.229729, -0.289912, -0.095633, -0.924137]
velocity = [-1,-0.001,0]
angular_velocity = [-2.70,-2.65,2.18]
)"),
                                        300);
  return forge;
}

const Forge& fast_stone() {
  static const Forge forge = Forge::run(stone(R"(
quaternion = [0.194397, 0.397650, -0.075137, 0.893554]
velocity = [-1,-0.006,0]
angular_velocity = [-3.89,-2.80,-0.58]
)"),
                                        300);
  return forge;
}

bool is_wedged(const ContactRecord& contact) { return contact.mode == Mode::wedged; }

std::size_t first_wedge(const Forge& forge) {
  for (std::size_t i = 0; i < forge.steps.size(); ++i) {
    const auto& contacts = forge.steps[i].record.contacts;
    if (std::any_of(contacts.begin(), contacts.end(), is_wedged)) return i;
  }
  return forge.steps.size();
}

TEST(Wedge, a_wedged_stone_is_held_by_impulses_of_its_own_size_and_certified) {
  for (const Forge* forge : {&slow_stone(), &fast_stone()}) {
    EXPECT_LT(first_wedge(*forge), forge->steps.size()) << "no wedge: the test shows nothing";
    double largest = 0;
    for (const auto& step : forge->steps) {
      EXPECT_EQ(step.record.solver.status, solvers::Status::solved) << "t = " << step.record.t;
      for (const ContactRecord& contact : step.record.contacts) largest = std::max(largest, contact.Lambda.norm());
    }
    EXPECT_LT(largest, 2);  // N s: 0.48 kg at 1 m/s and 5 rad/s have 0.5, and wedging doubles it at most
    const Result result = forge->audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  }
}

TEST(Wedge, a_witness_that_proves_nothing_is_refuted) {
  const std::size_t at = first_wedge(slow_stone());
  ASSERT_LT(at, slow_stone().steps.size());
  const auto with = [&](auto change) {
    Forge forge = slow_stone();
    for (ContactRecord& contact : forge.steps[at].record.contacts) {
      if (is_wedged(contact)) change(contact.Pi);
    }
    return outcome(forge.audit(), "mode").status;
  };
  EXPECT_EQ(with([](Vec3& s) { s *= 3; }), Status::pass) << "its length says nothing";
  EXPECT_EQ(with([](Vec3& s) { s *= -1; }), Status::fail) << "contacts do not pull";
  EXPECT_EQ(with([](Vec3& s) { s.tail<2>() *= 1.01; }), Status::fail) << "it would move the stone";
  EXPECT_EQ(with([](Vec3& s) { s.setZero(); }), Status::fail) << "there is none";
}

TEST(Wedge, a_contact_that_is_called_wedged_without_a_witness_is_refuted) {
  Forge forge = Forge::run(test::scene_text("slope_slide"), 5);
  forge.steps[3].record.contacts.front().mode = Mode::wedged;
  expect_failure(forge.audit(), "mode", forge.steps[3].record.t, "block");
}

}  // namespace
}  // namespace vinculum::audit
