// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Settling before the first step: replayed from the scene's own configuration, refuted where it was changed.
#include "audit/forge.hpp"

#include <algorithm>

namespace vinculum::audit {
namespace {

constexpr double dt = 1e-3;

/// A jointed leg with its foot in the floor and its knee beyond its limit, and a free ball in the floor.
std::string buried() {
  return R"([scene]
allow_penetration = true
[run]
dt = 1e-3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "trunk"
mass = 2
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "leg"
mass = 1
inertia = [0.02, 0.02, 0.02]
com = [0, 0, -0.2]
[[shape]]
name = "foot"
body = "leg"
type = "sphere"
radius = 0.1
position = [0, 0, -0.4]
[[joint]]
name = "root"
type = "free"
child = "trunk"
q = [0, 0, 0.4, 1, 0, 0, 0]
[[joint]]
name = "knee"
type = "revolute"
parent = "trunk"
child = "leg"
axis = [0, 1, 0]
lower = 0.3
[[body]]
name = "ball"
mass = 1
position = [2, 0, 0.1]
angular_velocity = [1, 2, 3]
[[shape]]
body = "ball"
type = "sphere"
radius = 0.2
)";
}

const Forge& run() {
  static const Forge forge = Forge::run(buried(), 20);
  return forge;
}

std::vector<ContactRecord*> settled(Forge& forge, std::int32_t code) {
  std::vector<ContactRecord*> found;
  for (ContactRecord& c : forge.steps[0].record.contacts) {
    if (c.mode == Mode::settled && (code >= 0 ? c.shape_a >= 0 : c.shape_a == code)) found.push_back(&c);
  }
  if (found.empty()) throw std::logic_error("nothing settled");
  return found;
}

TEST(AuditOfSettling, finds_the_start_again_from_the_scene) {
  Forge forge = run();
  EXPECT_FALSE(settled(forge, -3).empty());
  EXPECT_FALSE(settled(forge, 0).empty());
  EXPECT_GT(forge.steps[0].before.x[2].z(), 0.2 - 1e-8);
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfSettling, finds_a_turn_again_whose_quaternion_has_the_other_sign) {
  const Result result = Forge::run(R"([scene]
allow_penetration = true
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "bob"
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
com = [0.2, 0, 0]
shape = { type = "sphere", radius = 0.1, position = [0.2, 0, 0] }
[[joint]]
name = "socket"
type = "spherical"
child = "bob"
q = [-0.96, 0, -0.28, 0]
)",
                                   1)
                            .audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfSettling, refutes_a_changed_position_impulse_and_one_left_out) {
  for (const std::int32_t code : {-3, 0}) {
    Forge forge = run();
    settled(forge, code).front()->Pi *= 1.0001;
    expect_failure(forge.audit(), "start", 0, "");
    forge = run();
    auto& contacts = forge.steps[0].record.contacts;
    contacts.erase(contacts.begin() + (settled(forge, code).front() - contacts.data()));
    expect_failure(forge.audit(), "start", 0, "");
  }
}

TEST(AuditOfSettling, refutes_a_start_that_was_moved_in_silence) {
  Forge forge = run();
  auto& contacts = forge.steps[0].record.contacts;
  std::erase_if(contacts, [](const ContactRecord& c) { return c.mode == Mode::settled; });
  expect_failure(forge.audit(), "start", 0, "");
}

TEST(AuditOfSettling, refutes_lifting_further_than_to_the_constraint_although_the_state_goes_along) {
  // The ball alone, in air: the forged run starts higher, with the position impulse that takes it there.
  const std::string text = R"([[shape]]
name = "floor"
type = "plane"
[[body]]
name = "ball"
mass = 2
position = [0, 0, 0.5]
[[shape]]
body = "ball"
type = "sphere"
radius = 0.2
)";
  Forge forge = Forge::run(text, 1, {.dt = dt});
  ASSERT_EQ(forge.audit().verdict, Verdict::certified);
  ContactRecord lift;
  lift.shape_a = 0, lift.shape_b = 1, lift.mode = Mode::settled, lift.round = 1;
  lift.feature.kind = collide::FeatureKind::face_b;  // a: the ball, b: the floor
  lift.feature.dir_b = -Vec3::UnitZ();
  lift.feature.rounding_a = 0.2;
  lift.n = -Vec3::UnitZ(), lift.t1 = Vec3::UnitX(), lift.gap = 0.3;
  lift.point = Vec3(0, 0, 0.15);
  lift.Pi = Vec3(2 * 0.1, 0, 0);
  forge.steps[0].record.contacts.push_back(lift);
  forge.steps[0].before.x[0].z() += 0.1;
  forge.steps[0].after.x[0].z() += 0.1;
  expect_failure(forge.audit(), "flight", 0, "lifted too far");
}

TEST(AuditOfSettling, refutes_settling_after_the_start) {
  Forge forge = run();
  ContactRecord late = *settled(forge, -3).front();
  forge.steps[5].record.contacts.push_back(late);
  expect_failure(forge.audit(), "flight", 5 * dt, "order");
}

}  // namespace
}  // namespace vinculum::audit
