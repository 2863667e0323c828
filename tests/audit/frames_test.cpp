// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A Lagrangian part that carries frames, in contact with bodies and a tree: certified, and refuted whatever was
// changed.
#include "audit/forge.hpp"

namespace vinculum::audit {
namespace {

constexpr double dt = 1e-3;

/// A pendulum given by its energies carries a bob, which strikes a free ball on the floor; a jointed arm leans on the
/// bob's other side by a rod, and a weight hangs on it by a pin.
const std::string world = R"scene(
[[contact]]
mu = 0.4
e_N = 0.3
[[shape]]
name = "floor"
type = "plane"
[lagrangian]
coordinates = ["phi"]
parameters = { m = 1, l = 0.6, g = 9.81 }
T = "m/2*l^2*phi'^2"
U = "-m*g*l*cos(phi)"
forces = ["-0.1*phi' + 0.2*sin(30*t)"]
q = [0.6]
[[frame]]
name = "bob"
position = ["-l*sin(phi)", 0, "0.75 - l*cos(phi)"]
axis = [0, 1, 0]
angle = "phi"
[[shape]]
body = "bob"
type = "sphere"
radius = 0.1
[[body]]
name = "ball"
position = [-0.05, 0, 0.1]
shape = { type = "sphere", radius = 0.1, density = 500 }
[[body]]
name = "weight"
mass = 0.3
inertia = [0.001, 0.001, 0.001]
position = [-0.3387854840370212, 0, 0.304798631054193]
[[connect]]
name = "pin"
a = "bob"
b = "weight"
point_b = [0, 0, -0.05]
[[body]]
name = "arm"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
com = [0, 0, -0.1]
[[joint]]
name = "pivot"
type = "revolute"
child = "arm"
position = [-1, 0, 0.6]
axis = [0, 1, 0]
[[rod]]
name = "bar"
a = "arm"
b = "bob"
point_a = [0, 0, -0.2]
)scene";

const Forge& run() {
  static const Forge forge = Forge::run(world, 400, {.dt = dt});
  return forge;
}

std::size_t struck(const Forge& forge) {
  for (std::size_t i = 0; i < forge.steps.size(); ++i) {
    for (const ContactRecord& c : forge.steps[i].record.contacts) {
      if (c.shape_a >= 0 && c.mode == Mode::impact && c.Lambda.x() > 1e-3) return i;
    }
  }
  throw std::logic_error("no impact");
}

TEST(AuditOfFrames, certifies_a_part_that_touches_and_holds_bodies_and_trees) {
  EXPECT_GT(struck(run()), 10u);
  const Result result = run().audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfFrames, refutes_a_changed_impulse_of_a_contact_or_bond_with_a_frame) {
  Forge forge = run();
  const std::size_t i = struck(forge);
  for (ContactRecord& c : forge.steps[i].record.contacts) {
    if (c.shape_a >= 0 && c.mode == Mode::impact) c.Lambda.x() *= 1.001;
  }
  expect_failure(forge.audit(), "balance", static_cast<double>(i) * dt, "");
  for (const std::int32_t code : {-1, -7}) {
    forge = run();
    for (ContactRecord& c : forge.steps[50].record.contacts) {
      if (c.shape_a == code && c.mode == Mode::bond) c.Lambda *= 1.001;
    }
    expect_failure(forge.audit(), "balance", 50 * dt, "");
  }
}

TEST(AuditOfFrames, refutes_coordinates_velocities_and_places_that_were_changed) {
  Forge forge = run();
  forge.change_row_after(60, [](Row& row) { row.lagrangian_q[0] += 1e-7; });
  EXPECT_EQ(forge.audit().verdict, Verdict::refuted);
  EXPECT_EQ(outcome(forge.audit(), "flight").status, Status::fail);
  forge = run();
  forge.change_row_after(60, [](Row& row) { row.lagrangian_u[0] *= 1 + 1e-6; });
  EXPECT_EQ(outcome(forge.audit(), "balance").status, Status::fail);
  forge = run();
  forge.change_row_after(60, [](Row& row) { row.x[3].z() += 1e-7; });  // the frame comes after the three bodies
  expect_failure(forge.audit(), "flight", 60 * dt, "bob");
}

TEST(AuditOfFrames, refutes_a_bond_left_out) {
  Forge forge = run();
  auto& contacts = forge.steps[50].record.contacts;
  std::erase_if(contacts, [](const ContactRecord& c) { return c.shape_a == -7; });
  EXPECT_EQ(forge.audit().verdict, Verdict::refuted);
}

}  // namespace
}  // namespace vinculum::audit
