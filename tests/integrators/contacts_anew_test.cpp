// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What touches at q_m is not what touches at q.
#include "vinculum/integrators/contacts_anew.hpp"
#include "support/simulate.hpp"
#include "vinculum/collide/search.hpp"

namespace vinculum::integrators {
namespace {

constexpr double half = .5, radius = .1;

/// Distance of a point from the box, less the radius.
double gap_at(const Vec3& x) { return (x.cwiseAbs() - Vec3::Constant(half)).cwiseMax(0.0).norm() - radius; }

/// A ball beside a box, at x: the contacts, after a search with the ball beyond a corner.
struct Moved {
  explicit Moved(const Vec3& x) {
    test::Simulation sim(R"([scene]
gravity = [0, 0, 0]
[[contact]]
mu = 0.5
[[body]]
name = "box"
mass = 1
shape = { type = "box", size = [1, 1, 1] }
[[body]]
name = "ball"
mass = 1
position = [0.57, 0.57, 0.57]
shape = { type = "sphere", radius = 0.1 }
)");
    const std::vector<double> margin(2, .2);
    collide::ContactSet found;
    collide::Search(sim.system).find(sim.state.q, margin, found);
    const system::Configuration q_m = sim.state.q;
    ContactsAnew anew(sim.system, 1e-8);
    anew.begin(q_m, found, margin, false);
    sim.state.q.x[1] = x;
    anew.find(sim.state.q, contacts);
  }
  collide::ContactSet contacts;
};

TEST(ContactsAnew, finds_the_edge_beside_the_corner) {
  for (const Vec3& x : {Vec3(.56, .56, .4), Vec3(.56, .3, .56), Vec3(.55, .4, .4)}) {
    ASSERT_LT(gap_at(x), 0);
    const Moved moved(x);
    ASSERT_EQ(moved.contacts.size(), 1u);
    EXPECT_NEAR(moved.contacts[0].at.gap, gap_at(x), 1e-14);
  }
}

/// A standing cylinder holds on to four points of its rim. Tilted by 5e-7 it stands on one between them.
TEST(ContactsAnew, finds_the_lowest_point_of_a_rim) {
  test::Simulation sim(R"([[shape]]
name = "floor"
type = "plane"
[[contact]]
mu = 0.5
[[body]]
name = "can"
mass = 1
position = [0, 0, 0.1]
shape = { type = "cylinder", radius = 0.1, length = 0.2 }
)");
  const std::vector<double> margin(1, .01);
  collide::ContactSet found, now;
  collide::Search(sim.system).find(sim.state.q, margin, found);
  const system::Configuration q_m = sim.state.q;
  ContactsAnew anew(sim.system, 1e-8);
  anew.begin(q_m, found, margin, false);
  const double angle = 5e-7, sunk = 1e-8;
  sim.state.q.R[0] = algebra::Quat(Eigen::AngleAxisd(angle, Vec3::UnitX()));
  sim.state.q.x[0].z() += .1 * angle - sunk;
  anew.find(sim.state.q, now);
  double lowest = 0;
  for (const collide::Contact& contact : now) lowest = std::min(lowest, contact.at.gap);
  EXPECT_NEAR(lowest, -sunk, 1e-12);
}

TEST(ContactsAnew, finds_nothing_where_nothing_overlaps) {
  EXPECT_TRUE(Moved(Vec3(.58, .58, .4)).contacts.empty());
  EXPECT_TRUE(Moved(Vec3(.61, .4, .4)).contacts.empty());
}

}  // namespace
}  // namespace vinculum::integrators
