// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What robot files cut that a rigid body has: parts without an inertia of their own, links without mass, points, rods.
// The motion that is left is compared with that of the links as the file has them, link by link.
#include "vinculum/interchange/fuse.hpp"
#include "interchange/urdf_text.hpp"
#include "vinculum/interchange/matter.hpp"
#include "vinculum/interchange/mesh.hpp"

#include <Eigen/Eigenvalues>
#include <cstdint>

namespace vinculum::interchange {
namespace {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;
using model::JointType;

std::string mass(double m, const std::string& xyz, const std::string& inertia) {
  return "<inertial><origin xyz='" + xyz + "'/><mass value='" + std::to_string(m) + "'/><inertia " + inertia +
         "/></inertial>";
}
const std::string ball = "<collision><geometry><sphere radius='.1'/></geometry></collision>";

Pose motion(const model::Joint& joint, double q) {
  const double values[] = {q};
  return model::joint_motion(joint, values);
}
Pose turn(const Vec3& axis, double angle) { return {Vec3::Zero(), Quat(Eigen::AngleAxisd(angle, axis.normalized()))}; }
Pose origin(const Vec3& p, double roll, double pitch, double yaw) {
  return {p, turn(Vec3::UnitZ(), yaw).R * turn(Vec3::UnitY(), pitch).R * turn(Vec3::UnitX(), roll).R};
}
double distance(const Pose& a, const Pose& b) {
  return (a.p - b.p).norm() + (a.R.toRotationMatrix() - b.R.toRotationMatrix()).norm();
}

TEST(Fuse, a_part_that_can_be_no_body_is_part_of_what_holds_it_with_all_that_hangs_on_it) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.urdf", robot(link("base", "") + link("a") + link("imu", mass(.5, "0 .1 0", "ixx='0' iyy='0' izz='0'") + ball) +
                      link("tool") + joint("continuous", "base", "a") +
                      joint("fixed", "a", "imu", "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>") +
                      joint("continuous", "imu", "tool", "<origin xyz='0 0 2'/><axis xyz='0 1 0'/>")));
  ASSERT_EQ(m.bodies.size(), 2u);
  // The sensor is a point of 0.5 kg at (1, 0, 0) + R_z(90°) (0, 0.1, 0) = (0.9, 0, 0).
  const Vec3 c = (2 * Vec3(0, 0, .5) + .5 * Vec3(.9, 0, 0)) / 2.5, d = Vec3(.9, 0, 0) - Vec3(0, 0, .5);
  EXPECT_NEAR(m.bodies[0].mass, 2.5, 1e-15);
  EXPECT_LT((m.bodies[0].com - c).norm(), 1e-15);
  const Mat3 expected = .1 * Mat3::Identity() + 2 * .5 / 2.5 * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  EXPECT_LT((m.bodies[0].inertia - expected).norm(), 1e-14);
  ASSERT_EQ(m.shapes.size(), 1u);
  EXPECT_EQ(m.shapes[0].body, 0);
  EXPECT_LT((m.shapes[0].X_BS.p - Vec3(1, 0, 0)).norm(), 1e-15);
  const model::Joint& tool = joint_named(m, "imu_tool");
  EXPECT_EQ(tool.parent, 0);
  EXPECT_LT(distance(tool.X_PC, {Vec3(1, 0, 2), turn(Vec3::UnitZ(), std::acos(-1.) / 2).R}), 1e-14);
  EXPECT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(m.joints[1].path, "joint[1]");
  EXPECT_EQ(count_of(m, "fixed part"), 1);
}

TEST(Fuse, links_without_mass_leave_their_joints_to_what_they_carry) {
  const Folder folder;
  const auto place = [](const std::string& xyz, const std::string& rpy, const std::string& axis) {
    return "<origin xyz='" + xyz + "' rpy='" + rpy + "'/><axis xyz='" + axis + "'/>";
  };
  const model::Model m = folder.read(
      "a.urdf",
      robot(link("base", "") + link("u", "") + link("v", "") + link("arm") + link("hand") +
            joint("continuous", "base", "u", place(".1 .2 .3", ".1 .2 .3", "0 0 1")) +
            joint("prismatic", "u", "v",
                  place("0 .5 0", "-.4 0 .2", "1 0 0") + "<limit lower='-9' upper='9' effort='1' velocity='1'/>") +
            joint("continuous", "v", "arm", place(".3 0 -.1", "0 .7 0", "1 2 3")) +
            joint("continuous", "arm", "hand", place("0 0 1", "0 0 0", "0 1 0"))));
  ASSERT_EQ(m.bodies.size(), 2u);
  ASSERT_EQ(m.joints.size(), 4u);
  const double q[] = {.9, -.4, 1.3, .2};
  const Pose by_links = origin({.1, .2, .3}, .1, .2, .3) * turn(Vec3::UnitZ(), q[0]) * origin({0, .5, 0}, -.4, 0, .2) *
                        Pose{Vec3(q[1], 0, 0), Quat::Identity()} * origin({.3, 0, -.1}, 0, .7, 0) *
                        turn({1, 2, 3}, q[2]);
  Pose fused = m.joints[0].X_PC;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(m.joints[k].child, 0);
    EXPECT_EQ(m.joints[k].parent, model::world);
    fused = fused * motion(m.joints[k], q[k]);
  }
  EXPECT_LT(distance(by_links, fused), 1e-14);
  EXPECT_EQ(joint_named(m, "arm_hand").parent, 0);
  EXPECT_EQ(joint_named(m, "u_v").type, JointType::prismatic);
}

TEST(Fuse, what_moves_no_mass_is_held_and_what_would_follow_it_is_noticed) {
  const Folder folder;
  const model::Model m = folder.read(
      "a.urdf",
      robot(link("base", "") + link("a") + link("finger", mass(0, "0 0 0", "ixx='1' iyy='1' izz='1'") + ball) +
            link("b") + joint("continuous", "base", "a") + joint("continuous", "a", "finger", "<origin xyz='0 0 3'/>") +
            joint("continuous", "a", "b", "<mimic joint='a_finger'/>")));
  ASSERT_EQ(m.bodies.size(), 2u);
  EXPECT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(m.shapes.at(0).body, 0);
  EXPECT_EQ(m.shapes[0].X_BS.p, Vec3(0, 0, 3));
  EXPECT_TRUE(m.couplings.empty());
  EXPECT_EQ(count_of(m, "joint"), 1);
  EXPECT_EQ(count_of(m, "<mimic>"), 1);
  EXPECT_EQ(count_of(m, "inertia of a link without mass"), 1);
}

// The second moments of mass are (1.5, 1.5, −0.5) for the moments (1, 1, 3): the nearest are (1.5, 1.5, 0).
TEST(Fuse, an_inertia_that_no_body_has_becomes_the_nearest_possible) {
  const Folder folder;
  const auto arm = [&](const std::string& inertia, const std::string& more = "") {
    return folder.read("a.urdf", robot(link("base", "") + link("a", mass(1, "0 0 0", inertia) + more) +
                                       joint("continuous", "base", "a")));
  };
  const model::Model plate = arm("ixx='1' iyy='1' izz='3'");
  EXPECT_LT((plate.bodies[0].inertia - Mat3(Vec3(1.5, 1.5, 3).asDiagonal())).norm(), 1e-14);
  EXPECT_EQ(count_of(plate, "inertia"), 1);
  const model::Model rod = arm("ixx='2' iyy='2' izz='0'");  // some body has it: taken as it is
  EXPECT_LT((rod.bodies[0].inertia - Mat3(Vec3(2, 2, 0).asDiagonal())).norm(), 1e-14);
  EXPECT_EQ(count_of(rod, "inertia"), 0);
  const model::Model point = arm("ixx='0' iyy='0' izz='0'");  // and this
  EXPECT_EQ(point.bodies[0].inertia, Mat3(Mat3::Zero()));
  EXPECT_EQ(count_of(point, "inertia"), 0);
  const model::Model filled = arm("ixx='0' iyy='0' izz='0'", ball);  // 2/5 m r²
  EXPECT_LT((filled.bodies[0].inertia - 0.4 * 0.01 * Mat3::Identity()).norm(), 1e-16);
  EXPECT_EQ(count_of(filled, "inertia"), 1);
  const model::Model rolling_pin = folder.read(
      "a.urdf", robot(link("a", mass(1, "0 0 0", "ixx='1' iyy='1' izz='0'") + ball)));  // a rod that is free
  EXPECT_LT((rolling_pin.bodies[0].inertia - 0.4 * 0.01 * Mat3::Identity()).norm(), 1e-16);
  EXPECT_EQ(count_of(rolling_pin, "inertia"), 1);
  std::srand(5);
  for (int k = 0; k < 200; ++k) {
    const Mat3 A = Mat3::Random(), I = A + A.transpose();
    const Mat3 nearest = nearest_possible(I);
    EXPECT_TRUE(is_semidefinite(nearest + 1e-13 * Mat3::Identity()));
    const Mat3 S = .5 * I.trace() * Mat3::Identity() - I, T = .5 * nearest.trace() * Mat3::Identity() - nearest;
    // A projection on the cone: what is taken away is orthogonal to what is left, and nothing negative is left.
    EXPECT_NEAR((S - T).cwiseProduct(T).sum(), 0, 1e-13);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat3>(T - S).eigenvalues()[0], -1e-13);
  }
}

TEST(Fuse, a_thing_that_nothing_moves_against_is_free) {
  const Folder folder;
  const model::Model m = folder.read("a.urdf", robot(link("cup", inertial + ball) + link("handle") +
                                                     joint("fixed", "cup", "handle", "<axis xyz='0 0 0'/>")));
  ASSERT_EQ(m.bodies.size(), 2u);
  EXPECT_EQ(m.joints[0].type, JointType::free);
  EXPECT_EQ(count_of(m, "root link"), 1);
  EXPECT_EQ(m.shapes.size(), 1u);
}

TEST(Fuse, in_mjcf_parts_bring_the_mass_and_what_names_them_follows) {
  const Folder folder;
  const model::Model m =
      folder.read("a.xml",
                  "<mujoco><worldbody><body name='nut' pos='0 0 1'><freejoint/><site name='s'/>"
                  "<body name='ring' pos='0 0 .5' euler='0 0 90'><inertial mass='2' pos='.1 0 0' diaginertia='1 1 1'/>"
                  "<geom size='.1' mass='0'/><site name='t' pos='1 0 0'/>"
                  "<body name='tag' pos='0 0 1'><inertial mass='1' pos='0 0 0' diaginertia='0 0 0'/>"
                  "<body name='flap' pos='0 0 1'><joint name='j'/><geom size='.2'/></body></body></body></body>"
                  "<body name='other'><freejoint/><geom size='.1'/><site name='o'/></body></worldbody>"
                  "<equality><connect site1='t' site2='o'/><joint joint1='j'/></equality></mujoco>");
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.bodies[0].name, "nut");
  EXPECT_NEAR(m.bodies[0].mass, 3, 1e-15);
  // ring: R_z(90°) (0.1, 0, 0) = (0, 0.1, 0) above (0, 0, 0.5); tag: a point at (0, 0, 1.5).
  const Vec3 ring(0, .1, .5), tag(0, 0, 1.5), c = (2 * ring + tag) / 3, d = tag - ring;
  EXPECT_LT((m.bodies[0].com - c).norm(), 1e-15);
  const Mat3 expected = Mat3::Identity() + 2. / 3 * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  EXPECT_LT((m.bodies[0].inertia - expected).norm(), 1e-14);
  EXPECT_LT((m.shapes.at(0).X_BS.p - Vec3(0, 0, .5)).norm(), 1e-15);
  const model::Joint& flap = joint_named(m, "j");
  EXPECT_EQ(flap.parent, 0);
  EXPECT_LT((flap.X_PC.p - Vec3(0, 0, 2.5)).norm(), 1e-14);
  ASSERT_EQ(m.connects.size(), 1u);  // the site at (1, 0, 0) of the ring
  EXPECT_EQ(m.connects[0].a, 0);
  EXPECT_LT((m.connects[0].point_a - Vec3(0, 1, .5)).norm(), 1e-14);
  ASSERT_EQ(m.couplings.size(), 1u);
  EXPECT_EQ(m.joints[static_cast<std::size_t>(m.couplings[0].a.joint)].name, "j");
}

std::string msh(const std::vector<std::int32_t>& counts, const std::vector<float>& numbers,
                const std::vector<std::int32_t>& corners) {
  std::string bytes(reinterpret_cast<const char*>(counts.data()), 4 * counts.size());
  bytes.append(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
  return bytes.append(reinterpret_cast<const char*>(corners.data()), 4 * corners.size());
}

TEST(Mesh, msh_files_have_points_normals_places_and_triangles) {
  const Folder folder;
  const std::vector<std::int32_t> corners{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  std::vector<float> numbers{0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
  numbers.resize(numbers.size() + 3 + 2, 9);  // one normal and one place that nobody reads
  const auto error_of = [&](const std::string& bytes) {
    const std::string file = folder.write("m.msh", bytes);
    try {
      load_mesh(file, {"a.xml", 1, 1}, "mesh.file");
    } catch (const base::InputError& error) {
      const std::string line = error.what();
      return line.substr(line.find(" (") + 2);
    }
    return std::string();
  };
  const Mesh mesh = load_mesh(folder.write("m.msh", msh({4, 1, 1, 4}, numbers, corners)), {}, "");
  EXPECT_EQ(mesh.points.size(), 4u);
  EXPECT_NEAR(mesh_moments(mesh, Filling::exact).volume, 2 * 3 * 4 / 6., 1e-14);
  EXPECT_EQ(error_of("short"), "no header), expected a mesh that can be read");
  EXPECT_EQ(error_of(msh({4, 1, 1, 5}, numbers, corners)),
            "132 bytes instead of the 144 that its header asks for), expected a mesh that can be read");
  EXPECT_EQ(error_of(msh({4, 1, -1, 4}, numbers, corners)), "a negative count), expected a mesh that can be read");
  EXPECT_EQ(error_of(msh({4, 1, 1, 4}, numbers, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4})),
            "a corner at point 4 of 4), expected a mesh that can be read");
}

}  // namespace
}  // namespace vinculum::interchange
