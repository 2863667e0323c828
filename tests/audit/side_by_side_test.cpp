// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One trace and one audit for free bodies, a tree and a Lagrangian part: certified, and refuted whichever of them was
// changed.
#include "audit/forge.hpp"

namespace vinculum::audit {
namespace {

constexpr double dt = 1e-3;

const std::string world = R"scene(
[[contact]]
mu = 0.4
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "ball"
position = [0, 0, 0.12]
velocity = [0.5, 0, 0]
shape = { type = "sphere", radius = 0.1, density = 500 }
[[body]]
name = "arm"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.3]
[[joint]]
name = "pivot"
type = "revolute"
child = "arm"
position = [0.6, 0, 0.6]
axis = [0, 1, 0]
q = 0.1
v = -2
lower = 0
[lagrangian]
coordinates = ["x", "phi"]
parameters = { m = 1, M = 2, L = 0.5, g = 9.81 }
T = "1/2*(M + m)*x'^2 + 1/2*m*L^2*phi'^2 + m*L*cos(phi)*x'*phi'"
U = "-m*g*L*cos(phi)"
q = [0, 1]
u = [1, 0]
[[law]]
name = "stop"
type = "unilateral"
gap = "0.05 - x"
[[law]]
name = "wire"
type = "dry_friction"
rate = "x'"
load = 2
)scene";

const Forge& run() {
  static const Forge forge = Forge::run(world, 150, {.dt = dt});
  return forge;
}

/// The largest record of a kind, by Λ or by Π, and its step.
template <class Size>
std::pair<std::size_t, ContactRecord*> largest_of(Forge& forge, Size size) {
  std::pair<std::size_t, ContactRecord*> found{0, nullptr};
  for (std::size_t i = 0; i < forge.steps.size(); ++i) {
    for (ContactRecord& c : forge.steps[i].record.contacts) {
      if (size(c) > (found.second ? size(*found.second) : 0)) found = {i, &c};
    }
  }
  if (!found.second) throw std::logic_error("no such record");
  return found;
}

TEST(AuditSideBySide, certifies_bodies_trees_and_coordinates_in_one_trace) {
  const Result result = run().audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  for (const char* check :
       {"start", "balance", "flight", "geometry", "mode", "natural_map", "gap", "energy", "gauss"}) {
    EXPECT_EQ(outcome(result, check).status, Status::pass) << check;
  }
}

TEST(AuditSideBySide, refutes_an_impulse_of_each_part) {
  for (const auto& [low, high, where] : {std::tuple(0, 99, "ball"), {-4, -3, "pivot"}, {-2, -2, "lagrangian"}}) {
    Forge forge = run();
    const auto [i, record] = largest_of(forge, [low, high](const ContactRecord& c) {
      return c.shape_a >= low && c.shape_a <= high ? c.Lambda.norm() : 0;
    });
    record->Lambda *= 1.001;
    expect_failure(forge.audit(), "balance", static_cast<double>(i) * dt, where);
  }
}

TEST(AuditSideBySide, refutes_a_position_impulse_of_each_part) {
  for (const auto& [low, high, where] : {std::tuple(0, 99, "ball"), {-4, -3, "pivot"}, {-2, -2, ""}}) {
    Forge forge = run();
    const auto [i, record] = largest_of(
        forge, [low, high](const ContactRecord& c) { return c.shape_a >= low && c.shape_a <= high ? c.Pi.norm() : 0; });
    record->Pi *= 1.001;
    expect_failure(forge.audit(), "flight", static_cast<double>(i) * dt, where);
  }
}

TEST(AuditSideBySide, refutes_a_ledger_that_forgets_a_part) {
  Forge forge = run();
  forge.steps[40].record.ledger.work_friction *= 0.99;
  expect_failure(forge.audit(), "energy", 40 * dt, "ledger");
}

}  // namespace
}  // namespace vinculum::audit
