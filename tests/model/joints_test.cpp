// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints as a user writes them: where they put bodies, how fast, and what is refused.
#include "model/support.hpp"
#include "vinculum/model/control_table.hpp"
#include "vinculum/model/write.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

namespace vinculum::model {
namespace {

std::string body(const std::string& name, const std::string& more = "") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 2\ninertia = [0.3, 0.4, 0.5]\ncom = [0.1, 0.2, 0.3]\n" + more;
}

// Pendulum of two links; `body` has five lines, so that the first joint's head is line 11.
const std::string two = body("upper") + body("lower");
const std::string hinge = "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nchild = \"upper\"\n";
const std::string elbow = "[[joint]]\nname = \"elbow\"\ntype = \"revolute\"\nparent = \"upper\"\nchild = \"lower\"\n";

TEST(Joints, a_double_pendulum_hangs_where_its_angles_say) {
  const std::string text = two + hinge + "axis = [0, -1, 0]\nq = 0.3\nv = 2\n" + elbow +
                           "axis = [0, -1, 0]\nposition = [1, 0, 0]\nq = 0.4\nv = -5\n";
  const Model model = parse_scene(text, "t.toml");
  // In the x-z plane with angles counted towards +z: elbow at (cos 0.3, sin 0.3), lower link turned by 0.7.
  const Vec3 elbow_at(std::cos(0.3), 0, std::sin(0.3));
  EXPECT_LT((model.bodies[1].X_WB.p - elbow_at).norm(), 1e-15);
  EXPECT_LT((model.bodies[1].X_WB.R * Vec3::UnitX() - Vec3(std::cos(0.7), 0, std::sin(0.7))).norm(), 1e-15);
  EXPECT_LT((model.bodies[1].w_WB - Vec3(0, 3, 0)).norm(), 1e-14);  // −(2 − 5)
  const Vec3 v_elbow = Vec3(0, -2, 0).cross(elbow_at);
  const Vec3 com = model.bodies[1].X_WB.R * Vec3(0.1, 0.2, 0.3);
  EXPECT_LT((model.bodies[1].v_WB - (v_elbow + Vec3(0, 3, 0).cross(com))).norm(), 1e-14);
}

TEST(Joints, a_body_placed_in_the_world_stands_there_at_q_0_and_a_placed_joint_says_the_same) {
  const std::string rotation = "rotation = { axis = [1, 2, 3], degrees = 50 }\n";
  const Model in_world =
      parse_scene(body("upper", "position = [0, 0, 2]\n" + rotation) +
                      body("lower", "position = [1, 2, 3]\n" + rotation) + hinge + elbow + "q = 0.5\n",
                  "t.toml");
  const Pose X_PC = in_world.joints[1].X_PC;
  const Pose X_WC = Pose{Vec3(0, 0, 2), in_world.joints[0].X_PC.R} * X_PC;
  EXPECT_LT((X_WC.p - Vec3(1, 2, 3)).norm(), 1e-15);
  EXPECT_LT(X_PC.R.angularDistance(Quat::Identity()), 1e-7);  // the arc cosine of 1 − eps
  EXPECT_NEAR(in_world.bodies[1].X_WB.R.angularDistance(X_WC.R), 0.5, 1e-8);
}

TEST(Joints, velocities_are_the_differences_of_placements_for_every_type) {
  for (const JointForm& form : joint_forms()) {
    Joint joint;
    joint.type = form.type;
    joint.point = Vec3(0.3, -0.2, 0.5);
    joint.axis = Vec3(1, 2, -1).normalized();
    joint.axis_2 = Vec3(0.5, -1, 1).normalized();
    joint.pitch = 0.7;
    std::vector<double> q, v;
    for (int i = 0; i < form.nq; ++i) q.push_back(0.3 + 0.2 * i);
    for (int i = 0; i < form.nv; ++i) v.push_back(0.9 - 0.4 * i);
    const int w = form.type == JointType::free ? 3 : 0;
    const bool quaternion = form.type == JointType::free || form.type == JointType::spherical;
    if (quaternion) {
      const Quat R = Quat(q[w], q[w + 1], q[w + 2], q[w + 3]).normalized();
      q[w] = R.w(), q[w + 1] = R.x(), q[w + 2] = R.y(), q[w + 3] = R.z();
    }
    // q at ±h by the kinematic equation of the type: q̇ = v, or R(q) exp(ω h).
    const auto moved = [&](double h) {
      std::vector<double> x = q;
      if (!quaternion) {
        for (int i = 0; i < form.nq; ++i) x[i] += h * v[i];
        return joint_motion(joint, x);
      }
      for (int i = 0; i < w; ++i) x[i] += h * v[i];
      const Vec3 omega(v[w], v[w + 1], v[w + 2]);
      const Quat R =
          Quat(q[w], q[w + 1], q[w + 2], q[w + 3]) * Quat(Eigen::AngleAxisd(h * omega.norm(), omega.normalized()));
      x[w] = R.w(), x[w + 1] = R.x(), x[w + 2] = R.y(), x[w + 3] = R.z();
      return joint_motion(joint, x);
    };
    const double h = 1e-5;
    const Pose a = moved(-h), b = moved(h), X = joint_motion(joint, q);
    const JointVelocity velocity = joint_velocity(joint, q, v);
    const Vec3 v_difference = X.R.conjugate() * ((b.p - a.p) / (2 * h));
    const Mat3 W = X.R.toRotationMatrix().transpose() * (b.R.toRotationMatrix() - a.R.toRotationMatrix()) / (2 * h);
    const Vec3 w_difference(W(2, 1), W(0, 2), W(1, 0));
    // Central differences: h² ≈ 1e-10 times third derivatives of order 1.
    EXPECT_LT((velocity.v - v_difference).norm(), 1e-9) << form.name;
    EXPECT_LT((velocity.w - w_difference).norm(), 1e-9) << form.name;
  }
}

TEST(Joints, what_each_type_leaves_in_place) {
  Joint joint;
  joint.point = Vec3(1, 2, 3);
  joint.axis = Vec3(0, 0, 1);
  joint.axis_2 = Vec3(1, 0, 1).normalized();  // planar: only its part normal to the axis counts
  joint.pitch = 0.5;
  const auto at = [&](JointType type, std::vector<double> q) {
    joint.type = type;
    return joint_motion(joint, q);
  };
  const Vec3 c = joint.point, z = joint.axis;
  EXPECT_LT((at(JointType::revolute, {0.8}) * c - c).norm(), 1e-15);
  EXPECT_LT((at(JointType::prismatic, {0.8}) * c - (c + 0.8 * z)).norm(), 1e-15);
  EXPECT_LT((at(JointType::screw, {2}) * c - (c + z)).norm(), 1e-15);
  EXPECT_LT((at(JointType::cylindrical, {0.3, 2}) * c - (c + 0.3 * z)).norm(), 1e-15);
  EXPECT_LT((at(JointType::planar, {2, 3, 0.1}) * c - (c + Vec3(2, 3, 0))).norm(), 1e-14);
  EXPECT_LT((at(JointType::universal, {0.4, 0.9}) * c - c).norm(), 1e-15);
}

TEST(Joints, joints_of_one_child_act_in_the_order_of_the_file) {
  const std::string second =
      "[[joint]]\nname = \"second\"\ntype = \"prismatic\"\nchild = \"upper\"\naxis = [1, 0, 0]\nq = 2\n";
  const Model model =
      parse_scene(body("upper") + hinge + "axis = [0, 0, 1]\nq = 1.5707963267948966\n" + second, "t.toml");
  EXPECT_LT((model.bodies[0].X_WB.p - Vec3(0, 2, 0)).norm(), 1e-15);  // turned first, then moved along the turned x
}

TEST(Joints, what_is_wrong_is_one_line) {
  const auto expect = [](const std::string& text, const std::string& line) { EXPECT_EQ(error_of(text), line); };
  expect(
      two + "[[joint]]\ntype = \"revolut\"\nchild = \"upper\"\n",
      "t.toml:12:8: joint[0].type: found \"revolut\", expected one of fixed, revolute, continuous, prismatic, screw, "
      "cylindrical, universal, spherical, planar, free, six_dof; did you mean \"revolute\"?");
  expect(two + "[[joint]]\ntype = \"fixed\"\nchild = \"uper\"\n",
         "t.toml:13:9: joint[0].child: found \"uper\", expected the name of a body; did you mean \"upper\"?");
  expect(two + "[[joint]]\ntype = \"fixed\"\nparent = \"upper\"\nchild = \"upper\"\n",
         "t.toml:14:9: joint[0].child: found \"upper\", expected another body than the parent");
  expect(two + hinge + "axes = [0, 0, 1]\n",
         "t.toml:15:1: joint[0].axes: found an unknown key, expected a key of [[joint]]; did you mean axis?");
  expect(two + hinge + "axis = [0, 0, 0]\n", "t.toml:15:8: joint[0].axis: found a zero axis, expected a direction");
  expect(two + hinge + "lower = 1\nupper = 0.5\n",
         "t.toml:15:9: joint[0].lower: found 1 above upper = 0.5, expected lower <= upper");
  expect(two + hinge + "q = [1, 2]\n", "t.toml:15:5: joint[0].q: found an array of 2, expected an array of 1 numbers");
  expect(two + hinge + "q = \"up\"\n", "t.toml:15:5: joint[0].q: found \"up\", expected a finite number");
  expect(two + hinge + "pitch = 1\n",
         "t.toml:15:1: joint[0].pitch: found 1, expected no such key on a joint of type revolute");
  expect(two + hinge + elbow + "[[joint]]\ntype = \"fixed\"\nparent = \"lower\"\nchild = \"upper\"\n",
         "t.toml:23:9: joint[2].child: found \"upper\" with another parent, expected the parent of its first joint "
         "(line 11), or loop = true for a joint that closes a loop");
  expect(
      two + elbow + "[[joint]]\ntype = \"fixed\"\nparent = \"lower\"\nchild = \"upper\"\n",
      "t.toml:18:10: joint[1].parent: found \"lower\", which hangs on the child itself, expected a tree; loop = true "
      "for a joint that closes a loop");
  expect(body("upper", "position = [0, 0, 1]\n") + hinge + "position = [0, 0, 1]\n",
         "t.toml:6:12: body[0].position: found a placement of a body that its joint places as well, expected one of "
         "the two (joint \"hinge\")");
  expect(body("upper", "velocity = [0, 0, 1]\n") + hinge,
         "t.toml:6:12: body[0].velocity: found a velocity of a body that joints move, expected v of its joint "
         "\"hinge\"");
  expect(body("upper") + "[[joint]]\ntype = \"spherical\"\nchild = \"upper\"\nq = [1, 1, 0, 0]\n",
         "t.toml:9:5: joint[0].q: found a quaternion of norm 1.4142135623730951, expected norm 1 (w, x, y, z)");
}

TEST(Joints, wrong_company_is_one_line) {
  const auto expect = [](const std::string& text, const std::string& line) {
    EXPECT_EQ(error_of(two + hinge + text), line);
  };
  expect("[[connect]]\na = \"upper\"\nb = \"upper\"\n",
         "t.toml:17:5: connect[0].b: found \"upper\", expected another body than a");
  expect("[[coupling]]\njoint_a = \"hing\"\ncoefficients = [0, 1]\n",
         "t.toml:16:11: coupling[0].joint_a: found \"hing\", expected the name of a joint; did you mean \"hinge\"?");
  expect(
      "[[coupling]]\njoint_a = \"hinge\"\ncoefficients = [0, 1]\n",
      "t.toml:17:16: coupling[0].coefficients: found an array of 2, expected one number, the value of a, as there is "
      "no b");
  expect("[[tendon]]\njoints = [\"hinge\"]\ncoefficients = [1, 2]\n",
         "t.toml:17:16: tendon[0].coefficients: found an array of 2, expected an array of 1 numbers");
  expect("[[actuator]]\ntype = \"torque\"\n",
         "t.toml:15:1: actuator[0].joint: found nothing, expected the name of a joint, or tendon");
  expect("[[actuator]]\ntype = \"torque\"\njoint = \"hinge\"\nkp = 3\n",
         "t.toml:18:1: actuator[0].kp: found 3, expected no such key on an actuator of this type");
  expect("[[actuator]]\ntype = \"torque\"\njoint = \"hinge\"\nctrl_range = [1, -1]\n",
         "t.toml:18:14: actuator[0].ctrl_range: found 1 above -1, expected the lower end first");
  expect("[[keyframe]]\nname = \"home\"\nq = [1, 2]\n",
         "t.toml:17:5: keyframe[0].q: found an array of 2, expected an array of 1 numbers (coordinates of all joints)");
  expect("[control]\nkp = 3\n", "t.toml:15:1: control.key: found nothing, expected the name of a keyframe, or a table");
  expect("[control]\ntable = [[0], [0]]\n",
         "t.toml:16:15: control.table[1]: found t = 0 after t = 0, expected ascending times (s)");
  expect("[control]\ntable = \"none.csv\"\n",
         "t.toml:16:9: control.table: found \"none.csv\", expected a CSV file that can be read");
}

TEST(Joints, a_scene_can_start_at_a_keyframe) {
  const Model model =
      parse_scene("[scene]\nstart = \"up\"\n" + body("upper") + hinge + "axis = [0, -1, 0]\npoint = [-1, 0, 0]\n" +
                      "[[keyframe]]\nname = \"up\"\nq = [1.5707963267948966]\nv = [1]\n",
                  "t.toml");
  EXPECT_LT((model.bodies[0].X_WB.p - Vec3(-1, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(model.joints[0].v[0], 1);
}

TEST(Joints, connections_take_what_is_not_said_from_the_start) {
  const Model model = parse_scene(
      two + hinge + "q = 0.5\n" +
          "[[joint]]\ntype = \"free\"\nchild = \"lower\"\nq = [1, 2, 3, 1, 0, 0, 0]\n"
          "[[connect]]\na = \"upper\"\nb = \"lower\"\npoint_a = [1, 0, 0]\n[[weld]]\na = \"upper\"\n"
          "b = \"lower\"\n[[joint]]\nname = \"cut\"\ntype = \"universal\"\nloop = true\nparent = \"upper\"\n"
          "child = \"lower\"\n",
      "t.toml");
  const Vec3 x = model.bodies[0].X_WB * Vec3(1, 0, 0);
  EXPECT_LT((model.bodies[1].X_WB * model.connects[0].point_b - x).norm(), 1e-15);
  EXPECT_LT(((model.bodies[0].X_WB * model.welds[0].X_AB).p - Vec3(1, 2, 3)).norm(), 1e-15);
  ASSERT_EQ(model.loops.size(), 1u);
  EXPECT_LT(((model.bodies[0].X_WB * model.loops[0].X_PC).p - Vec3(1, 2, 3)).norm(), 1e-15);
}

TEST(Joints, filters_keep_neighbours_apart_and_follow_masks_and_pairs) {
  const std::string ball_on = "[[shape]]\ntype = \"sphere\"\nradius = 1\n";
  std::string text = body("a") + body("b") + body("c") + body("d");
  text += "[[joint]]\ntype = \"revolute\"\nchild = \"a\"\n";
  text += "[[joint]]\ntype = \"fixed\"\nparent = \"a\"\nchild = \"b\"\n";
  text += "[[joint]]\ntype = \"revolute\"\nparent = \"b\"\nchild = \"c\"\n";
  text += "[[joint]]\ntype = \"revolute\"\nparent = \"c\"\nchild = \"d\"\n";
  for (const char* name : {"a", "b", "c", "d"}) text += ball_on + "body = \"" + name + "\"\nname = \"" + name + "\"\n";
  text += ball_on + "name = \"ground\"\n" + ball_on + "name = \"ghost\"\ncontype = 0\nconaffinity = 2\n";
  const std::string extra =
      "[[no_contact]]\nbodies = [\"b\", \"d\"]\n[[contact]]\nshapes = [\"ghost\", \"d\"]\nmu = 0.5\n";
  const Model model = parse_scene(text + extra, "t.toml");
  const ContactFilter filter(model);
  const int a = 0, b = 1, c = 2, d = 3, ground = 4, ghost = 5;
  EXPECT_FALSE(filter.may_touch(a, b));      // one group
  EXPECT_FALSE(filter.may_touch(a, c));      // c hangs on the group of a and b
  EXPECT_FALSE(filter.may_touch(c, d));      // neighbours
  EXPECT_TRUE(filter.may_touch(d, a));       // no neighbours
  EXPECT_FALSE(filter.may_touch(b, d));      // no_contact
  EXPECT_TRUE(filter.may_touch(a, ground));  // hanging on the world does not count
  EXPECT_FALSE(filter.may_touch(a, ghost));  // masks
  EXPECT_TRUE(filter.may_touch(ghost, d));   // said so
  EXPECT_FALSE(filter.may_touch(ground, ghost));
  const Model close = parse_scene("[scene]\njoint_contact = true\n" + text, "t.toml");
  EXPECT_TRUE(ContactFilter(close).may_touch(c, d));
  EXPECT_FALSE(ContactFilter(close).may_touch(a, b));
}

TEST(Joints, a_control_table_is_read_by_column_names_and_linear_in_between) {
  const auto folder = std::filesystem::temp_directory_path() / "vinculum_control_table";
  std::filesystem::create_directories(folder);
  const std::string scene_file = (folder / "t.toml").string();
  const std::string scene = two + hinge + elbow +
                            "[[actuator]]\nname = \"one\"\ntype = \"torque\"\njoint = \"hinge\"\n"
                            "[[actuator]]\nname = \"two\"\ntype = \"torque\"\njoint = \"elbow\"\n"
                            "[[actuator]]\nname = \"idle\"\ntype = \"velocity\"\nkd = 1\njoint = \"elbow\"\nctrl = 7\n"
                            "[control]\ntable = \"u.csv\"\n";
  const auto write = [&](const std::string& text) { std::ofstream(folder / "u.csv") << text; };
  write("t, two, one\n0, 1, 10\n2, 5, 30\r\n");
  const Model model = parse_scene(scene, scene_file);
  EXPECT_DOUBLE_EQ(control_value(*model.control, 0, 0.5), 15);
  EXPECT_DOUBLE_EQ(control_value(*model.control, 1, 0.5), 2);
  EXPECT_DOUBLE_EQ(control_value(*model.control, 1, -1), 1);
  EXPECT_DOUBLE_EQ(control_value(*model.control, 1, 9), 5);
  EXPECT_DOUBLE_EQ(control_value(*model.control, 2, 9), 7);
  const auto error = [&]() -> std::string {
    try {
      parse_scene(scene, scene_file);
    } catch (const base::InputError& e) {
      return std::string(e.what()).substr(folder.string().size() + 1);
    }
    return "no error";
  };
  write("t, tow\n0, 1\n");
  EXPECT_EQ(error(), "u.csv:1:4: tow: found \"tow\", expected the name of an actuator; did you mean \"two\"?");
  write("t, two\n0, 1\n0.1, x\n");
  EXPECT_EQ(error(), "u.csv:3:6: two: found \"x\", expected a finite number");
  write("t, two\n1, 1\n0.1, 2\n");
  EXPECT_EQ(error(), "u.csv:3:1: t: found 0.1 after 1, expected ascending times (s)");
  write("t, two\n1\n");
  EXPECT_EQ(error(), "u.csv:2:1: row: found 1 columns, expected 2 as in the head");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vinculum::model
