// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "interchange/urdf_text.hpp"
#include "vinculum/system/system.hpp"

#include <numbers>

namespace vinculum::interchange {
namespace {

using algebra::Vec3;
using model::JointType;

TEST(Urdf, links_hang_where_their_origins_say) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.urdf",
      robot(link("base") + link("a") + link("b") +
            joint("continuous", "base", "a", "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>") +
            joint("prismatic", "a", "b",
                  "<origin xyz='1 0 0' rpy='0.1 0.2 0.3'/><limit lower='-1' upper='2' effort='7'/>"
                  "<dynamics damping='.3' friction='.4'/>")));
  ASSERT_EQ(m.bodies.size(), 2u);  // the base is part of the world
  EXPECT_LT((m.bodies[1].X_WB.p - Vec3(1, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(m.joints[0].axis, Vec3::UnitZ());
  EXPECT_EQ(m.joints[1].axis, Vec3::UnitX());
  EXPECT_EQ(m.joints[1].axes[0].upper, 2);
  EXPECT_EQ(m.joints[1].axes[0].effort, 7);
  EXPECT_EQ(m.joints[1].axes[0].friction, .4);
  // Fixed axes: first about x, then y, then z.
  const algebra::Mat3 R = m.joints[1].X_PC.R.toRotationMatrix();
  const algebra::Mat3 expected = (Eigen::AngleAxisd(.3, Vec3::UnitZ()) * Eigen::AngleAxisd(.2, Vec3::UnitY()) *
                                  Eigen::AngleAxisd(.1, Vec3::UnitX()))
                                     .toRotationMatrix();
  EXPECT_LT((R - expected).norm(), 1e-15);
}

TEST(Urdf, the_root_floats_when_asked) {
  const Folder folder;
  const std::string text = robot(link("base") + link("a") + joint("revolute", "base", "a"));
  const model::Model m = folder.read("a.urdf", text, {.floating = true});
  ASSERT_EQ(m.bodies.size(), 2u);
  EXPECT_EQ(m.joints[0].type, JointType::free);
  EXPECT_EQ(nq(m), 8);
}

TEST(Urdf, fixed_links_with_mass_stay_bodies_and_massless_ones_join_their_parent) {
  const Folder folder;
  const model::Model m =
      folder.read("a.urdf", robot(link("base", "") + link("a") + link("sensor") +
                                  link("mount", "<collision><geometry><sphere radius='.1'/></geometry></collision>") +
                                  link("tool") + joint("revolute", "base", "a") + joint("fixed", "a", "sensor", "") +
                                  joint("fixed", "a", "mount", "<origin xyz='0 0 1'/>") +
                                  joint("continuous", "mount", "tool", "<origin xyz='0 0 1'/>")));
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.shapes.at(0).body, 0);
  EXPECT_EQ(m.shapes[0].X_BS.p, Vec3(0, 0, 1));
  EXPECT_EQ(joint_named(m, "mount_tool").parent, 0);
  EXPECT_EQ(joint_named(m, "mount_tool").X_PC.p, Vec3(0, 0, 2));
  EXPECT_EQ(joint_named(m, "a_sensor").type, JointType::fixed);
}

TEST(Urdf, links_of_a_robot_touch_each_other_when_asked_and_others_always) {
  const Folder folder;
  const std::string ball = "<collision><geometry><sphere radius='.1'/></geometry></collision>";
  const std::string text = robot(link("base", "") + link("a", inertial + ball) + link("b", inertial + ball) +
                                 link("c", inertial + ball) + joint("continuous", "base", "a", "") +
                                 joint("continuous", "a", "b", "") + joint("continuous", "b", "c", ""));
  model::Model m = folder.read("a.urdf", text);
  EXPECT_EQ(count_of(m, "self-collision"), 1);
  m.shapes.push_back({"floor", {}, model::world, {}, shapes::find_shape_type("plane")->make({{}, {}, {}}), 0});
  const system::System alone(m);
  EXPECT_FALSE(alone.may_touch(0, 2));  // a and c, which no joint joins
  EXPECT_TRUE(alone.may_touch(0, 3));
  const model::Model all = folder.read("a.urdf", text, {.self_collision = true});
  EXPECT_TRUE(system::System(all).may_touch(0, 2));
  EXPECT_EQ(count_of(all, "self-collision"), 0);
}

TEST(Urdf, a_mimic_joint_is_a_coupling) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.urdf", robot(link("base", "") + link("a") + link("b") + joint("continuous", "base", "a", "") +
                      joint("continuous", "base", "b", "<mimic joint='base_a' multiplier='-2' offset='.5'/>")));
  ASSERT_EQ(m.couplings.size(), 1u);
  EXPECT_EQ(m.couplings[0].coefficients, (std::vector<double>{.5, -2}));
  EXPECT_EQ(m.joints[m.couplings[0].b->joint].name, "base_a");
}

TEST(Urdf, meshes_are_found_through_package_names_and_scaled) {
  const Folder folder;
  folder.write("my_robot/meshes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const model::Model m = folder.read(
      "my_robot/urdf/a.urdf",
      robot(link("base", "") +
            link("a", inertial + "<collision><geometry><mesh filename='package://my_robot/meshes/t.obj' scale='2 3 4'/>"
                                 "</geometry></collision>") +
            joint("continuous", "base", "a", "")));
  const shapes::Shape& shape = m.shapes.at(0).geometry;
  EXPECT_EQ(shape.kind, shapes::Kind::hull);
  EXPECT_NEAR(shapes::type_of(shape.kind).moments(shape).volume, 2 * 3 * 4 / 6., 1e-14);
}

TEST(Urdf, what_it_does_not_use_is_noticed) {
  const Folder folder;
  const model::Model m = folder.read("a.urdf", robot(link("base", "") + link("a") + joint("revolute", "base", "a") +
                                                     "<transmission name='t'/><gazebo/><gazebo/>"));
  EXPECT_EQ(count_of(m, "<transmission>"), 1);
  EXPECT_EQ(count_of(m, "<gazebo>"), 2);
  EXPECT_EQ(count_of(m, "limit.velocity"), 1);
}

TEST(Urdf, what_is_wrong_is_one_line) {
  const Folder folder;
  const auto expect = [&](const std::string& text, const std::string& line) {
    EXPECT_EQ(folder.error_of("a.urdf", robot(text)), line);
  };
  expect(link("base") + joint("revolute", "base", "a"),
         "a.urdf:3:72: child.link: found \"a\", expected the name of a link");
  expect(link("base") + link("a") + joint("hinge", "base", "a"),
         "a.urdf:4:28: joint.type: found \"hinge\", expected one of revolute, continuous, prismatic, fixed, floating, "
         "planar, spherical");
  expect(link("base") + link("a") + joint("revolute", "base", "a", ""),
         "a.urdf:4:2: joint \"base_a\": found no <limit>, expected limits of a revolute or prismatic joint");
  expect(link("base") + link("a", "") + joint("continuous", "base", "a"),
         "a.urdf:1:2: robot \"r\": found no link with mass that moves, expected at least one");
  expect(link("base") + link("a", "<collision><geometry><sphere radius='1'/></geometry></collision>") + link("b") +
             joint("continuous", "base", "a") + joint("continuous", "a", "b"),
         "a.urdf:3:2: link \"a\": found a moving link without mass, expected an inertial with mass (kg)");
  expect(link("base") + link("a"),
         "a.urdf:2:2: link \"base\": found two links without a parent, \"a\" and \"base\", expected one tree");
  expect(link("root") + link("a") + link("b") + joint("continuous", "a", "b", "") + joint("continuous", "b", "a", ""),
         "a.urdf:3:2: link \"a\": found a link that does not hang on the root \"root\", expected one tree");
  expect(link("a") + link("b") + joint("continuous", "a", "b", "") + joint("continuous", "b", "a", ""),
         "a.urdf:1:2: robot \"r\": found no link without a parent, expected a tree of links");
}

}  // namespace
}  // namespace vinculum::interchange
