// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What MJCF says, by small files whose answers are known in closed form. Real robots: shared_models_test.cpp, and
// bench/import_against_mujoco.py, which compares with MuJoCo itself.
#include "interchange/support.hpp"
#include "vinculum/shapes/mesh.hpp"
#include "vinculum/system/system.hpp"

#include <cmath>
#include <numbers>

namespace vinculum::interchange {
namespace {

using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;
using model::JointType;
constexpr double pi = std::numbers::pi;

std::string mjcf(const std::string& world, const std::string& before = "", const std::string& after = "") {
  return "<mujoco>\n" + before + "<worldbody>\n" + world + "</worldbody>\n" + after + "</mujoco>\n";
}
const std::string ball = "<geom size='.1'/>";

TEST(Mjcf, flags_switch_off_what_they_name) {
  const Folder folder;
  const auto read = [&](const std::string& flag) {
    return folder.read("a.xml",
                       mjcf("<body name='a'><joint name='j' range='-1 1' stiffness='2' damping='3' frictionloss='4'/>" +
                                ball + "</body><body name='b'><freejoint/>" + ball + "</body>",
                            "<option>" + flag + "</option>", "<equality><weld body1='a' body2='b'/></equality>"));
  };
  const model::Model all = read("<flag contact='enable'/>");
  EXPECT_EQ(all.shapes.at(0).contype, 1u);
  EXPECT_EQ(all.joints.at(0).axes[0].stiffness, 2);
  EXPECT_EQ(all.joints[0].axes[0].friction, 4);
  EXPECT_LT(all.joints[0].axes[0].upper, 2);
  EXPECT_EQ(all.welds.size(), 1u);
  const model::Model apart = read("<flag contact='disable' passive='disable'/>");
  EXPECT_EQ(apart.shapes.at(0).contype | apart.shapes[0].conaffinity, 0u);
  EXPECT_EQ(apart.joints.at(0).axes[0].stiffness, 0);
  EXPECT_EQ(apart.joints[0].axes[0].damping, 0);
  EXPECT_EQ(apart.welds.size(), 1u);
  const model::Model loose = read("<flag constraint='disable'/>");
  EXPECT_EQ(loose.shapes.at(0).contype, 0u);
  EXPECT_EQ(loose.joints.at(0).axes[0].friction, 0);
  EXPECT_EQ(loose.joints[0].axes[0].upper, model::unbounded);
  EXPECT_EQ(loose.joints[0].axes[0].damping, 3);
  EXPECT_TRUE(loose.welds.empty());
  EXPECT_EQ(folder.error_of("a.xml", mjcf("", "<option><flag contact='off'/></option>")),
            "a.xml:2:24: flag.contact: found \"off\", expected one of enable, disable");
}

TEST(Mjcf, a_pair_of_geoms_has_one_law) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.xml",
      mjcf("<body><freejoint/><geom name='x' size='.1'/></body><geom name='y' size='.1'/>", "",
           "<contact><pair geom1='x' geom2='y' friction='.5'/><pair geom1='y' geom2='x' friction='.7'/></contact>"));
  ASSERT_EQ(m.shape_pairs.size(), 1u);
  EXPECT_EQ(m.shape_pairs[0].mu, .5);
  EXPECT_EQ(count_of(m, "<pair> of two geoms that have one"), 1);
}

TEST(Mjcf, masses_come_from_geoms_or_from_inertial) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.xml", mjcf("<body><freejoint/><geom type='box' size='1 2 3' density='2'/><geom type='box' size='1 2 3' "
                    "density='2' pos='0 0 10'/></body>"
                    "<body><freejoint/><inertial mass='3' pos='1 2 3' fullinertia='1 2 2.5 .1 .2 .3'/><geom size='1'/>"
                    "</body><body><freejoint/><geom size='.1 .2 .3' type='ellipsoid' mass='5'/></body>"
                    "<body><freejoint/><geom size='.2' fromto='0 0 0 3 4 0' type='cylinder' mass='2'/></body>"));
  ASSERT_EQ(m.bodies.size(), 4u);
  EXPECT_NEAR(m.bodies[0].mass, 192, 1e-10);
  EXPECT_LT((m.bodies[0].com - Vec3(0, 0, 5)).norm(), 1e-12);
  EXPECT_NEAR(m.bodies[0].inertia(0, 0), 2 * (96 * (4. + 9.) / 3 + 96 * 25.), 1e-9);  // box about x, Steiner 5 m
  EXPECT_EQ(m.bodies[1].mass, 3);
  EXPECT_EQ(m.bodies[1].inertia(0, 2), 0.2);
  EXPECT_EQ(m.bodies[1].inertia(1, 2), 0.3);
  EXPECT_NEAR(m.bodies[2].inertia(0, 0), 5. / 5 * (.04 + .09), 1e-15);
  EXPECT_LT((m.bodies[3].com - Vec3(1.5, 2, 0)).norm(), 1e-15);
  const Vec3 along = Vec3(3, 4, 0) / 5;
  EXPECT_NEAR(along.dot(m.bodies[3].inertia * along), 0.5 * 2 * 0.04, 1e-15);
}

TEST(Mjcf, angles_are_degrees_unless_the_compiler_says_radians) {
  const Folder folder;
  const std::string body = "<body euler='90 0 0'><joint range='-90 45'/>" + ball + "</body>";
  const model::Model degrees = folder.read("a.xml", mjcf(body));
  EXPECT_NEAR(degrees.joints[0].axes[0].lower, -pi / 2, 1e-15);
  EXPECT_LT((degrees.joints[0].X_PC.R * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-15);
  const model::Model radians = folder.read("b.xml", mjcf(body, "<compiler angle='radian'/>"));
  EXPECT_EQ(radians.joints[0].axes[0].upper, 45);
}

TEST(Mjcf, the_range_of_a_ball_bounds_its_angle) {
  const Folder folder;
  const model::Model model = folder.read("a.xml", mjcf("<body><joint type='ball' range='0 40'/>" + ball + "</body>"));
  const system::System system(model);
  ASSERT_EQ(system.forest->ball_limits.size(), 1);
  EXPECT_NEAR(system.forest->ball_limits[0].upper, 40 * pi / 180, 1e-15);
  EXPECT_TRUE(system.forest->limits.empty());
}

TEST(Mjcf, every_way_to_say_an_orientation_says_the_same) {
  const Folder folder;
  // 90 degrees about z, then 90 about the turned x.
  const char* ways[] = {"quat='.5 .5 .5 .5'",   "quat='1 1 1 1'",  "axisangle='1 1 1 120'",
                        "xyaxes='0 1 0 0 0 1'", "euler='90 90 0'", "euler='0 90 90'"};
  const char* sequences[] = {"xyz", "xyz", "xyz", "xyz", "zxy", "YXZ"};
  for (int i = 0; i < 6; ++i) {
    const std::string compiler = std::string("<compiler eulerseq='") + sequences[i] + "'/>";
    const model::Model m =
        folder.read("a.xml", mjcf(std::string("<body ") + ways[i] + "><joint/>" + ball + "</body>", compiler));
    const Quat R = m.joints[0].X_PC.R;
    EXPECT_LT((R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15) << ways[i] << " " << sequences[i];
    EXPECT_LT((R * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-15) << ways[i] << " " << sequences[i];
  }
}

TEST(Mjcf, defaults_pass_from_class_to_class_and_childclass_reaches_down) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.xml",
      mjcf("<body childclass='leg'><joint name='a'/>" + ball + "<body><joint name='b'/><joint name='c' class='main'/>" +
               ball + "<body childclass='foot'><joint name='d' damping='9'/>" + ball + "</body></body></body>",
           "<default><joint damping='1' armature='.1'/><default class='leg'><joint damping='2' axis='1 0 0'/>"
           "<default class='foot'><joint armature='.7' axis='0 2 0'/></default></default></default>"));
  const auto damping = [&](const char* name) { return joint_named(m, name).axes[0].damping; };
  EXPECT_EQ(damping("a"), 2);
  EXPECT_EQ(damping("b"), 2);
  EXPECT_EQ(damping("c"), 1);
  EXPECT_EQ(damping("d"), 9);
  EXPECT_EQ(joint_named(m, "b").axis, Vec3::UnitX());
  EXPECT_EQ(joint_named(m, "c").axis, Vec3::UnitZ());
  EXPECT_EQ(joint_named(m, "d").axis, Vec3::UnitY());
  EXPECT_EQ(joint_named(m, "d").axes[0].armature, .7);
}

TEST(Mjcf, coordinates_keep_the_reference_of_the_file) {
  const Folder folder;
  // Two hinges and a slide with references: at q = ref the body is where the file puts it, and from there it moves as
  // the product of the three displaced joints.
  const model::Model m = folder.read(
      "a.xml", mjcf("<body pos='1 2 3' euler='10 20 30'><joint name='a' axis='1 1 0' ref='20' pos='.1 0 0'/>"
                    "<joint name='s' type='slide' axis='0 1 1' ref='.3'/>"
                    "<joint name='b' axis='0 0 1' ref='-50' pos='0 .2 0' range='-90 0'/>" +
                    ball + "</body>"));
  EXPECT_NEAR(m.joints[0].q[0], pi / 9, 1e-15);
  EXPECT_LT((m.bodies[0].X_WB.p - Vec3(1, 2, 3)).norm(), 1e-14);
  const double d[] = {0.4, 0.2, -0.6};  // displacements from the reference
  Pose X{Vec3(1, 2, 3), m.bodies[0].X_WB.R};
  const auto about = [](const Vec3& c, const Quat& R) { return Pose{c - R * c, R}; };
  X = X * about(Vec3(.1, 0, 0), Quat(Eigen::AngleAxisd(d[0], Vec3(1, 1, 0).normalized())));
  X = X * Pose{d[1] * Vec3(0, 1, 1).normalized(), Quat::Identity()};
  X = X * about(Vec3(0, .2, 0), Quat(Eigen::AngleAxisd(d[2], Vec3::UnitZ())));
  model::Model moved = m;
  for (int i = 0; i < 3; ++i) moved.joints[i].q[0] += d[i];
  model::place_bodies(moved);
  EXPECT_LT((moved.bodies[0].X_WB.p - X.p).norm(), 1e-14);
  EXPECT_LT(moved.bodies[0].X_WB.R.angularDistance(X.R), 1e-7);
  EXPECT_NEAR(joint_named(m, "b").axes[0].lower, -pi / 2, 1e-15);  // limits in the file's coordinate
}

TEST(Mjcf, a_joint_equality_is_about_displacements_from_the_references) {
  const Folder folder;
  const model::Model m =
      folder.read("a.xml", mjcf("<body><joint name='a' type='slide' ref='2'/>" + ball +
                                    "<body><joint name='b' type='slide' ref='3'/>" + ball + "</body></body>",
                                "", "<equality><joint joint1='a' joint2='b' polycoef='.1 .2 .3 .4'/></equality>"));
  ASSERT_EQ(m.couplings.size(), 1u);
  const double x = 1.7, y = x - 3;
  double value = 0;
  for (std::size_t k = m.couplings[0].coefficients.size(); k-- > 0;) value = value * x + m.couplings[0].coefficients[k];
  EXPECT_NEAR(value, 2 + .1 + .2 * y + .3 * y * y + .4 * y * y * y, 1e-13);
}

TEST(Mjcf, friction_is_the_larger_one_unless_priority_or_condim_says_otherwise) {
  const Folder folder;
  const model::Model m =
      folder.read("a.xml", mjcf("<geom name='floor' type='plane' size='1 1 1' friction='.3'/>"
                                "<body><freejoint/><geom name='a' size='.1' friction='.7' condim='1'/></body>"
                                "<body><freejoint/><geom name='b' size='.1' friction='.9' condim='1'/></body>"
                                "<body><freejoint/><geom name='c' size='.1' friction='.2' priority='1'/></body>"));
  const auto mu = [&](const char* a, const char* b) {
    int x = -1, y = -1;
    for (const model::Shape& s : m.shapes) {
      if (s.name == a) x = s.material;
      if (s.name == b) y = s.material;
    }
    return m.pair(x, y).mu;
  };
  EXPECT_EQ(mu("floor", "a"), .7);
  EXPECT_EQ(mu("a", "b"), 0);
  EXPECT_EQ(mu("a", "c"), .2);
}

TEST(Mjcf, bodies_without_joints_are_fixed_or_part_of_their_parent) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.xml",
      mjcf("<body name='wall' pos='1 0 0'><geom name='w' type='box' size='1 1 1'/><body name='arm' pos='0 1 0'>"
           "<joint/>" +
               ball +
               "<body name='head' pos='0 0 1'><geom size='.1' name='h'/></body>"
               "<body name='frame' pos='0 0 2'><body name='tip' pos='0 0 1'><joint/>" +
               ball +
               "</body></body>"
               "</body></body>",
           "", "<contact><exclude body1='frame' body2='tip'/></contact>"));
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.bodies[1].name, "head");
  EXPECT_EQ(m.joints[1].type, JointType::fixed);
  EXPECT_EQ(m.bodies[2].X_WB.p, Vec3(1, 1, 3));
  EXPECT_EQ(m.joints[2].parent, 0);
  EXPECT_EQ(m.shapes.back().name, "w");
  EXPECT_EQ(m.shapes.back().body, model::world);
  EXPECT_EQ(m.no_contact, (std::vector<std::array<int, 2>>{{0, 2}}));
}

TEST(Mjcf, frames_copies_and_attached_models_are_put_in_place) {
  const Folder folder;
  folder.write("part.xml",
               mjcf("<body name='hub'><joint name='spin'/><geom name='g' size='.1'/></body>", "",
                    "<actuator><motor name='m' joint='spin' gear='3'/><motor name='n' joint='spin'/></actuator>"));
  const model::Model m =
      folder.read("a.xml", mjcf("<replicate count='3' offset='1 0 0' euler='0 0 90' sep='-'><frame pos='0 0 5'>"
                                "<attach model='part' body='hub' prefix='p_'/></frame></replicate>",
                                "<asset><model name='part' file='part.xml'/></asset>"));
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.bodies[2].name, "p_hub-2");
  EXPECT_LT((m.bodies[2].X_WB.p - Vec3(1, 1, 5)).norm(), 1e-15);  // one along x, turned, one along y
  ASSERT_EQ(m.actuators.size(), 6u);
  EXPECT_EQ(m.actuators[2].name, "p_m-1");  // copy by copy
  EXPECT_EQ(m.actuators[2].joint, 1);
  EXPECT_EQ(m.actuators[2].gear, std::vector<double>{3});
}

TEST(Mjcf, actuators_are_affine) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.xml", mjcf("<body><joint name='j'/>" + ball + "</body>",
                    "<default><position kp='30' ctrlrange='-1 1'/><default class='g'><general gainprm='5' "
                    "biastype='affine' biasprm='1 2 3'/></default></default>",
                    "<actuator><position joint='j'/><position joint='j' kp='7' kv='2'/><velocity joint='j' kv='4'/>"
                    "<motor joint='j' forcerange='-2 3'/><general class='g' joint='j'/><muscle joint='j'/>"
                    "<general joint='j' gaintype='affine' gainprm='4 5 6'/><damper joint='j' kv='8' ctrlrange='0 1'/>"
                    "</actuator><keyframe><key name='k' qpos='.5' ctrl='1 2 3 4 5 6 7 8'/></keyframe>"));
  ASSERT_EQ(m.actuators.size(), 7u);
  using Gain = std::array<double, 3>;
  using Bias = std::array<double, 3>;
  EXPECT_EQ(m.actuators[0].gain, (Gain{30, 0, 0}));
  EXPECT_EQ(m.actuators[0].bias, (Bias{0, -30, 0}));
  EXPECT_EQ(m.actuators[0].ctrl_upper, 1);
  EXPECT_EQ(m.actuators[1].bias, (Bias{0, -7, -2}));
  EXPECT_EQ(m.actuators[2].bias, (Bias{0, 0, -4}));
  EXPECT_EQ(m.actuators[3].gain, (Gain{1, 0, 0}));
  EXPECT_EQ(m.actuators[3].force_upper, 3);
  EXPECT_EQ(m.actuators[4].gain, (Gain{5, 0, 0}));
  EXPECT_EQ(m.actuators[4].bias, (Bias{1, 2, 3}));
  EXPECT_EQ(m.actuators[5].gain, (Gain{4, 5, 6}));
  EXPECT_EQ(m.actuators[5].bias, (Bias{0, -30, 0}));  // of the default: all actuators share one
  EXPECT_EQ(m.actuators[6].gain, (Gain{0, 0, -8}));
  EXPECT_EQ(count_of(m, "<muscle> actuator"), 1);
  EXPECT_EQ(m.keyframes.at(0).ctrl, (std::vector<double>{1, 2, 3, 4, 5, 7, 8}));  // the muscle's is left out
  EXPECT_EQ(m.keyframes[0].q, std::vector<double>{.5});
}

TEST(Mjcf, loops_close_where_the_bodies_are_at_the_start) {
  const Folder folder;
  const model::Model m =
      folder.read("a.xml", mjcf("<body name='a' pos='1 0 0'><joint/>" + ball +
                                    "</body><body name='b' pos='0 2 0' euler='0 0 90'>"
                                    "<joint/>" +
                                    ball + "</body>",
                                "",
                                "<equality><connect body1='a' body2='b' anchor='0 0 1'/><weld body1='a' body2='b'/>"
                                "<connect body1='a' anchor='0 0 1'/></equality>"));
  ASSERT_EQ(m.connects.size(), 2u);
  EXPECT_LT((m.bodies[1].X_WB * m.connects[0].point_b - Vec3(1, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(m.connects[1].b, model::world);
  EXPECT_LT((m.connects[1].point_b - Vec3(1, 0, 1)).norm(), 1e-15);
  EXPECT_LT(((m.bodies[0].X_WB * m.welds.at(0).X_AB).p - Vec3(0, 2, 0)).norm(), 1e-15);
}

TEST(Mjcf, nothing_unsupported_is_dropped_in_silence) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.xml",
      mjcf("<body><freejoint/><geom size='.1' solref='.1 1' margin='.2' fluidshape='ellipsoid' rgba='1 0 0 1'/>"
           "<geom size='.1' solref='.1 1'/><flexcomp name='x'/><camera/></body>",
           "<option wind='1 0 0' cone='elliptic'/><custom/><visual/>",
           "<sensor><gyro site='s'/><gyro site='t'/></sensor>"));
  EXPECT_EQ(count_of(m, "geom.solref"), 2);
  EXPECT_EQ(count_of(m, "geom.margin"), 1);
  EXPECT_EQ(count_of(m, "geom.fluidshape"), 1);
  EXPECT_EQ(count_of(m, "<flexcomp>"), 1);
  EXPECT_EQ(count_of(m, "option.wind"), 1);
  EXPECT_EQ(count_of(m, "option.cone"), 1);
  EXPECT_EQ(count_of(m, "<custom>"), 1);
  EXPECT_EQ(count_of(m, "sensor <gyro>"), 2);
  EXPECT_EQ(m.notices.size(), 8u);
}

TEST(Mjcf, what_is_wrong_is_one_line_that_points_at_the_value) {
  const Folder folder;
  const auto expect = [&](const std::string& world, const std::string& line) {
    EXPECT_EQ(folder.error_of("a.xml", mjcf(world)), line);
  };
  expect("<body><joint axis='0 x 1'/><geom size='1'/></body>",
         "a.xml:3:20: joint.axis: found \"0 x 1\", expected 3 finite numbers");
  expect("<body><joint axis='0 0'/><geom size='1'/></body>",
         "a.xml:3:20: joint.axis: found \"0 0\", expected 3 finite numbers");
  expect("<body><joint axis='0 0 0'/><geom size='1'/></body>",
         "a.xml:3:20: joint.axis: found \"0 0 0\", expected a direction that is not zero");
  expect("<body><joint type='hing'/><geom size='1'/></body>",
         "a.xml:3:20: joint.type: found \"hing\", expected one of hinge, slide, ball, free");
  expect("<body><joint range='3 1'/><geom size='1'/></body>",
         "a.xml:3:21: joint.range: found \"3 1\", expected the lower limit first");
  expect("<body name='b'><joint/></body>",
         "a.xml:3:2: body \"b\": found a moving body without mass, expected geoms with mass, or an inertial (kg)");
  expect("<body><joint/><geom type='box' size='1 -1 1'/></body>",
         "a.xml:3:38: geom.size: found \"1 -1 1\", expected positive numbers (m)");
  expect("<body><joint/><geom class='none' size='1'/></body>",
         "a.xml:3:28: geom.class: found \"none\", expected the name of a default class");
  expect("<body><joint/><geom type='mesh' mesh='none'/></body>",
         "a.xml:3:39: geom.mesh: found \"none\", expected the name of a mesh");
  expect(
      "<body><joint/><inertial mass='1' diaginertia='1 1 3'/></body>",
      "a.xml:3:2: body: found principal moments 1, 1, 3, expected none larger than the sum of the other two (kg m^2)");
  expect("<geom size='1'/>", "a.xml:1:2: mujoco: found no moving body, expected at least one body with a joint");
  EXPECT_EQ(folder.error_of("a.xml", "<mujoco>\n<worldbody>\n</mujoco>\n"),
            "a.xml:3:3: syntax: found Start-end tags mismatch, expected well-formed XML");
  EXPECT_EQ(folder.error_of("a.xml", ""), "a.xml: file: found an empty file, expected an XML file");
  EXPECT_EQ(folder.error_of("a.xml", mjcf("<body><joint name='j'/>" + ball + "</body>", "",
                                          "<actuator><motor joint='k'/></actuator>")),
            "a.xml:4:25: motor.joint: found \"k\", expected the name of a joint");
  EXPECT_EQ(folder.error_of("a.xml", "<mujoco><include file='a.xml'/></mujoco>"),
            "a.xml:1:24: include.file: found \"a.xml\", expected a file that is not there already");
  folder.write("b.xml", "<mujoco><include file='a.xml'/></mujoco>");
  EXPECT_EQ(folder.error_of("a.xml", "<mujoco><include file='b.xml'/></mujoco>"),
            "b.xml:1:24: include.file: found \"a.xml\", expected a file that is not there already");
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<body>";
  for (int i = 0; i < 5000; ++i) deep += "</body>";
  EXPECT_EQ(folder.error_of("a.xml", mjcf(deep)),
            "a.xml:3:6002: body: found bodies and frames nested 1001 deep, expected at most 1000");
  expect("<replicate count='100000'><replicate count='100000'><geom size='1'/></replicate></replicate>",
         "a.xml:3:45: replicate.count: found \"100000\", expected at most 1000000 copies in all");
}

TEST(Mjcf, friction_that_contacts_do_not_have_is_listed_once_each) {
  const Folder folder;
  const model::Model m = folder.read("m.xml", R"(<mujoco><worldbody>
    <geom name='floor' type='plane' size='1 1 1' condim='4' friction='0.7 0.1 0.01'/>
    <body><freejoint/><geom name='a' size='.1' condim='6'/><geom name='b' size='.1' condim='3' friction='1 2 3'/></body>
    </worldbody><contact><pair geom1='floor' geom2='a' condim='6' friction='0.5 0.4 0.1 0 0'/>
    <pair geom1='floor' geom2='b' friction='0.5 0.5'/></contact></mujoco>)");
  EXPECT_EQ(count_of(m, "geom.friction, torsional (condim 4 and 6)"), 2);
  EXPECT_EQ(count_of(m, "geom.friction, rolling (condim 6)"), 1);
  EXPECT_EQ(count_of(m, "pair.friction, torsional (condim 4 and 6)"), 1);
  EXPECT_EQ(count_of(m, "pair.friction, rolling (condim 6)"), 1);
  EXPECT_EQ(count_of(m, "pair.friction, different along two tangents"), 1);
  EXPECT_EQ(m.notices.size(), 5u);
}

TEST(Mjcf, sensors_are_listed_once_each) {
  const Folder folder;
  const model::Model m = folder.read("m.xml", R"(<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/>
    </body></worldbody><sensor><jointpos joint='j'/><jointpos joint='j'/><framequat objtype='body' objname='b'/></sensor>
    </mujoco>)");
  EXPECT_EQ(count_of(m, "sensor <jointpos>"), 2);
  EXPECT_EQ(count_of(m, "sensor <framequat>"), 1);
}

const model::Shape& field_of(const model::Model& m) {
  for (const model::Shape& shape : m.shapes) {
    if (shape.geometry.kind == shapes::Kind::height_field) return shape;
  }
  throw std::logic_error("no height field");
}

/// h at each corner of the grid, rows from the smallest y on. The corners of the bottom come last.
std::vector<double> heights_of(const model::Model& m) {
  std::vector<double> heights;
  for (const Vec3& x : field_of(m).geometry.mesh->vertices) heights.push_back(x.z());
  heights.resize(heights.size() - 4);
  return heights;
}

TEST(Mjcf, height_fields_are_scaled_to_their_height_and_written_from_the_far_edge_on) {
  const Folder folder;
  const std::string body = "<body><freejoint/><geom size='.1'/></body>";
  const auto scene = [&](const std::string& field) {
    return "<mujoco><asset><hfield name='hills' size='3 2 0.5 0.1' " + field +
           "/></asset><worldbody><geom type='hfield' hfield='hills' pos='1 0 0'/>" + body + "</worldbody></mujoco>";
  };
  const model::Model m = folder.read("m.xml", scene("nrow='2' ncol='3' elevation='1 2 3  5 4 1'"));
  ASSERT_EQ(m.shapes.size(), 2u);
  EXPECT_EQ(field_of(m).body, model::world);
  EXPECT_EQ(field_of(m).X_BS.p, Vec3(1, 0, 0));
  const auto& corners = field_of(m).geometry.mesh->vertices;
  EXPECT_EQ(corners.front(), Vec3(-3, -2, 0.5));  // the second row is at −y; e = 5 of [1, 5]
  EXPECT_EQ(corners[5], Vec3(3, 2, 0.25));        // the last of the grid
  EXPECT_EQ(heights_of(m), (std::vector<double>{0.5, 0.375, 0, 0, 0.125, 0.25}));
  EXPECT_TRUE(m.notices.empty());

  EXPECT_EQ(heights_of(folder.read("flat.xml", scene("nrow='2' ncol='2' elevation='7 7 7 7'"))),
            (std::vector<double>{0, 0, 0, 0}));

  std::string bytes;
  for (const std::int32_t n : {2, 2}) bytes.append(reinterpret_cast<const char*>(&n), 4);
  for (const float e : {0.f, 1.f, 2.f, 4.f}) bytes.append(reinterpret_cast<const char*>(&e), 4);
  folder.write("hills.bin", bytes);
  EXPECT_EQ(heights_of(folder.read("file.xml", scene("file='hills.bin'"))), (std::vector<double>{0, 0.125, 0.25, 0.5}));

  const model::Model picture = folder.read("picture.xml", scene("file='hills.png'"));
  EXPECT_EQ(picture.shapes.size(), 1u);
  EXPECT_EQ(count_of(picture, "hfield.file (a picture)"), 1);

  const std::string moving =
      "<mujoco><asset><hfield name='h' size='1 1 1 1' nrow='2' ncol='2'/></asset><worldbody>"
      "<body><freejoint/><geom size='.1'/><geom type='hfield' hfield='h'/></body></worldbody></mujoco>";
  EXPECT_EQ(count_of(folder.read("moving.xml", moving), "geom type hfield on a moving body"), 1);
}

TEST(Mjcf, height_fields_that_are_wrong_are_one_line) {
  const Folder folder;
  const auto error = [&](const std::string& field, const std::string& name = "h") {
    return folder.error_of("m.xml", "<mujoco><asset><hfield name='h' " + field +
                                        "/></asset><worldbody><geom type='hfield' hfield='" + name +
                                        "'/></worldbody></mujoco>");
  };
  EXPECT_NE(error("size='1 1 1 1' nrow='2' ncol='2'", "g").find("expected the name of an hfield"), std::string::npos);
  EXPECT_NE(error("size='1 1 1 1' nrow='1' ncol='2'").find("hfield.nrow"), std::string::npos);
  EXPECT_NE(error("size='1 0 1 1' nrow='2' ncol='2'").find("hfield.size"), std::string::npos);
  EXPECT_NE(error("size='1 1 1 1' nrow='2' ncol='2' elevation='1 2 3'").find("hfield.elevation"), std::string::npos);
  EXPECT_NE(error("size='1 1 1 1' file='none.bin'").find("a file that exists"), std::string::npos);
  folder.write("short.bin", "abc");
  EXPECT_NE(error("size='1 1 1 1' file='short.bin'").find("binary height field"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::interchange
