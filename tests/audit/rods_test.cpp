// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rods that hold what other bonds hold already: the motion is that without them, the forces are said to be
// undetermined.
#include "audit/forge.hpp"

#include <cmath>

namespace vinculum::audit {
namespace {

/// Particles at the points, a rod between any two, turning rigidly about the origin.
std::string cluster(const std::vector<Vec3>& points) {
  const Vec3 w(1, 2, 3);
  std::string text = "[scene]\ngravity = [0, 0, 0]\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    text += fmt::format("[[body]]\nname = \"p{}\"\nmass = {}\nparticle = true\nposition = {}\nvelocity = {}\n", i,
                        1 + 0.3 * static_cast<double>(i), test::vec(points[i]), test::vec(w.cross(points[i])));
  }
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      text += fmt::format("[[rod]]\nname = \"r{0}{1}\"\na = \"p{0}\"\nb = \"p{1}\"\n", a, b);
    }
  }
  return text;
}

const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const std::vector<Vec3> tetrahedron{{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.3, 0.3, 0.8}};
const std::vector<Vec3> five{{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.3, 0.3, 0.8}, {0.6, 0.5, -0.7}};

TEST(AuditOfRods, a_braced_square_turns_as_a_rigid_body_does_and_its_stress_is_undetermined) {
  // Rods minus freedoms: 4 points in space have 12 − 6 distances to hold; a plane square holds only five of its six
  // distances, and five points nine of ten (Maxwell). A rigid body keeps its energy; before redundant rods were reduced
  // the square gained a third of it in 2 s.
  struct Case {
    const std::vector<Vec3>* points;
    int directions;
  };
  for (const Case& c : {Case{&tetrahedron, 0}, Case{&square, 1}, Case{&five, 1}}) {
    Simulation sim(cluster(*c.points), {.dt = 1e-3});
    const double start = sim.energy();
    Forge forge;
    forge.header = sim.header();
    for (int i = 0; i < 1000; ++i) {
      const Row before = sim.row();
      sim.step();
      forge.steps.push_back({before, sim.record, sim.row()});
      ASSERT_EQ(sim.record.undetermined, c.directions);
    }
    EXPECT_NEAR(sim.energy(), start, 1e-6 * start);  // bonds of a midpoint off the constraint work by O(dt²)
    EXPECT_EQ(sim.integrator->undetermined().closures.empty(), c.directions == 0);
    const Result result = forge.audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
    EXPECT_EQ(result.undetermined.directions, c.directions);
    EXPECT_EQ(result.undetermined.loops.size(), c.directions == 0 ? 0u : sim.system.rods.size());
  }
}

TEST(AuditOfRods, a_rod_beside_a_joint_or_a_pin_that_does_the_same_changes_no_motion) {
  const std::string pendulum = R"([[body]]
name = "link"
mass = 1
inertia = [0.02, 0.02, 0.01]
com = [0.3, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
child = "link"
axis = [0, 1, 0]
[[body]]
name = "bob"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
position = [0.7, 0, 0]
[[connect]]
name = "pin"
a = "link"
b = "bob"
point_a = [0.6, 0, 0]
point_b = [-0.1, 0, 0]
)";
  // From the hinge to a point of the link; and beside the pin, from the same hinge to the same point of the bob.
  const std::string rods =
      "[[rod]]\nname = \"one\"\na = \"world\"\nb = \"link\"\npoint_b = [0.5, 0, 0]\n"
      "[[rod]]\nname = \"two\"\na = \"world\"\nb = \"bob\"\npoint_b = [-0.1, 0, 0]\n";
  Simulation bare(pendulum, {.dt = 1e-3}), held(pendulum + rods, {.dt = 1e-3});
  Forge forge;
  forge.header = held.header();
  for (int i = 0; i < 500; ++i) {
    bare.step();
    const Row before = held.row();
    held.step();
    forge.steps.push_back({before, held.record, held.row()});
  }
  // At the midpoint each bond is off by an O(dt²) of its own, of which the least squares take the mean.
  EXPECT_NEAR(held.state.q.tree[0], bare.state.q.tree[0], 1e-6);
  EXPECT_EQ(held.record.undetermined, 2);
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  EXPECT_EQ(result.undetermined.directions, 2);
}

}  // namespace
}  // namespace vinculum::audit
