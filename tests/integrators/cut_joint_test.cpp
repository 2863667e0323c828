// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints that close a loop. The loop: world –T– A –ball– B –ball– C –hinge– world, falling from rest, with T of each
// type in turn. Cut at the ball between B and C, T is a joint of the tree; cut at T, it is a bond. Both are the same
// machine.
#include "support/simulate.hpp"

#include <Eigen/QR>

namespace vinculum::integrators {
namespace {

using algebra::Pose;
using algebra::Vec3;
using model::JointType;
using test::Simulation;

struct Type {
  std::string name, keys;
};
const std::vector<Type> types{
    {"prismatic", ""},   {"revolute", ""},
    {"cylindrical", ""}, {"screw", "pitch = 0.3\n"},
    {"spherical", ""},   {"universal", "axis_2 = [0.3, 1, -0.2]\n"},
    {"planar", ""},
};

std::string bodies() {
  return R"([[body]]
name = "A"
position = [0, 0, 0]
mass = 1
inertia = [0.02, 0.03, 0.04]
com = [0.1, 0.05, 0]
[[body]]
name = "B"
position = [0.3, 0.1, 0.1]
mass = 0.5
inertia = [0.01, 0.02, 0.025]
com = [0.1, -0.2, 0.1]
[[body]]
name = "C"
position = [0.5, -0.4, 0.6]
mass = 2
inertia = [0.05, 0.06, 0.04]
com = [0.1, 0, 0.1]
)";
}

/// `point` in the child's frame; B ends at (0.2, −0.3, 0.3) of its own frame, which is (0, 0.2, −0.2) of C's.
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more) {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nparent = \"{}\"\nchild = \"{}\"\n{}", name, type, parent,
                     child, more);
}

std::string cut_at_ball(const Type& type) {
  return bodies() +
         joint("T", type.name, "world", "A",
               "point = [0.05, 0, 0.02]\n" + (type.name == "spherical" ? "" : "axis = [1, 0.2, 0.6]\n" + type.keys)) +
         joint("AB", "spherical", "A", "B", "") + joint("C", "revolute", "world", "C", "axis = [0.3, 1, 0.2]\n") +
         "[[connect]]\na = \"B\"\nb = \"C\"\npoint_a = [0.2, -0.3, 0.3]\npoint_b = [0, 0.2, -0.2]\n";
}

std::string cut_at_joint(const Type& type) {
  return bodies() + joint("C", "revolute", "world", "C", "axis = [0.3, 1, 0.2]\n") +
         joint("BC", "spherical", "C", "B", "point = [0.2, -0.3, 0.3]\n") +
         joint("AB", "spherical", "B", "A", "point = [0.3, 0.1, 0.1]\n") +
         joint("T", type.name, "world", "A",
               "loop = true\npoint = [0.05, 0, 0.02]\n" +
                   (type.name == "spherical" ? "" : "axis = [1, 0.2, 0.6]\n" + type.keys));
}

/// Distance of a relative placement from those that the joint can make: Gauss–Newton in its coordinates.
double distance(const model::Joint& joint, const Pose& X, std::vector<double>& q) {
  auto off = [&](const std::vector<double>& at) {
    const Pose D = model::joint_motion(joint, at).inverse() * (joint.X_PC.inverse() * X);
    Eigen::Matrix<double, 6, 1> r;
    r << D.p, (D.R.w() < 0 ? -2 : 2) * D.R.vec();
    return r;
  };
  for (int k = 0; k < 6; ++k) {
    Eigen::MatrixXd J(6, std::ssize(q));
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::vector<double> there = q, back = q;
      there[i] += 1e-5, back[i] -= 1e-5;
      J.col(static_cast<Eigen::Index>(i)) = (off(there) - off(back)) / 2e-5;
    }
    const Eigen::VectorXd step = J.colPivHouseholderQr().solve(off(q));
    for (std::size_t i = 0; i < q.size(); ++i) q[i] -= step[static_cast<Eigen::Index>(i)];
  }
  return off(q).norm();
}

/// Where the machine is after a quarter of a second.
Eigen::Matrix<double, 9, 1> place_of(const Simulation& sim) {
  Eigen::Matrix<double, 9, 1> x;
  x << sim.x(sim.body("A")), sim.x(sim.body("B")), sim.x(sim.body("C"));
  return x;
}

TEST(CutJoint, the_machine_moves_alike_wherever_it_is_cut) {
  for (const Type& type : types) {
    SCOPED_TRACE(type.name);
    double apart[2], moved = 0;
    for (int i = 0; i < 2; ++i) {
      const test::SimulationSettings settings{.dt = 2e-3 / (1 << i), .tol = 1e-10};
      Simulation tree(cut_at_ball(type), settings), bond(cut_at_joint(type), settings);
      const Eigen::Matrix<double, 9, 1> start = place_of(bond);
      tree.run_until(0.25);
      bond.run_until(0.25);
      apart[i] = (place_of(tree) - place_of(bond)).norm();
      moved = (place_of(bond) - start).norm();
    }
    EXPECT_GT(moved, 5e-3);
    EXPECT_LT(apart[1], 1e-3 * moved);
    if (apart[1] > 1e-9) {
      EXPECT_NEAR(test::order(apart[0], apart[1]), 2, 0.4);  // of the scheme
    }
  }
}

TEST(CutJoint, nothing_drifts_off_what_the_joint_allows) {
  for (const Type& type : types) {
    if (type.name == "spherical") continue;  // its coordinates are no vector; [[connect]] has its own tests
    SCOPED_TRACE(type.name);
    Simulation sim(cut_at_joint(type), {.dt = 1e-3});
    const model::Joint& cut = sim.model.loops.front();
    std::vector<double> q(static_cast<std::size_t>(model::form_of(cut.type).nv), 0.0);
    const std::size_t A = sim.body("A");
    sim.run(2000, [&] {
      const Pose X{sim.x(A) - sim.R(A) * sim.model.bodies[A].com, sim.R(A)};
      ASSERT_LT(distance(cut, X, q), 1e-8);  // the projection's tolerance: a tenth of tol, in metres and radians
    });
  }
}

TEST(CutJoint, a_nut_turns_many_times_on_its_thread) {
  // A free nut on a fixed thread, closed by a cut screw: m z̈ = −m g m h²/(m h² + I) with h the pitch.
  Simulation sim(R"([run]
dt = 2e-4
[[body]]
name = "nut"
mass = 2
inertia = [0.01, 0.01, 0.02]
[[joint]]
name = "thread"
type = "screw"
child = "nut"
pitch = 0.05
loop = true
)");
  sim.run_until(2);
  const double h = 0.05, a = -9.81 * 2 * h * h / (2 * h * h + 0.02), z = 0.5 * a * 4, turn = 2 * a / h * 2e-4;
  EXPECT_NEAR(sim.x().z(), z, std::abs(z) * turn * turn / 12);  // a step turns free bodies by 2 atan(w dt/2)
  EXPECT_GT(std::abs(sim.x().z()), 5 * 2 * test::pi * h);       // several turns
}

/// A free body on a cut joint of the world.
std::string alone(const std::string& type, const std::string& keys, const std::string& start) {
  return "[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.25, 0.25, 0.4]\n" + start +
         "[[joint]]\nname = \"cut\"\nchild = \"b\"\nloop = true\nposition = [0, 0, 0]\ntype = \"" + type + "\"\n" +
         keys;
}

TEST(CutJoint, a_slide_rubs_with_its_friction_and_ends_at_its_limit) {
  // a = −g + F/m down to −0.5 m, where it arrives with v = √(2 a s) and leaves with e v.
  const double a = 9.81 - 5.0 / 2, s = 0.5, dt = 1e-4, arrival = std::sqrt(2 * s / a);
  Simulation sim(alone("prismatic", "lower = -0.5\nupper = 0.5\ne_N = 0.5\nfriction = 5\n", ""), {.dt = dt});
  sim.run_until(0.2);
  EXPECT_NEAR(sim.x().z(), -0.5 * a * 0.04, 1e-9);
  sim.run_until(std::floor(arrival / dt) * dt + 3 * dt);
  EXPECT_NEAR(sim.v().z(), 0.5 * a * arrival, 4 * dt * (9.81 + 2.5));
  sim.run_until(4);
  EXPECT_NEAR(sim.x().z(), -0.5, 1e-9);
  EXPECT_LT(std::abs(sim.v().z()), 1e-9);
  Simulation held(alone("prismatic", "friction = 20\n", ""), {.dt = 1e-3});  // above its weight of 19.62 N
  held.run_until(1);
  EXPECT_LT(std::abs(held.x().z()), 1e-12);
}

TEST(CutJoint, a_hinge_is_braked_by_its_friction_and_thrown_back_by_its_limit) {
  // φ̈ = −τ/I = −1 from 3 rad/s: at the limit of 2.5 rad the rate is √(9 − 5) = 2, and 1 back with e = 1/2; then φ̈ = 1,
  // and rest after 1 s at 2.5 − 1/2. A free body turns by 2 atan(w dt/2) a step: the angle to (w dt)²/12.
  const double dt = 1e-3;
  Simulation sim(alone("revolute", "upper = 2.5\ne_N = 0.5\nfriction = 0.4\n", "angular_velocity = [0, 0, 3]\n"),
                 {.dt = dt});
  sim.run_until(0.5);
  EXPECT_NEAR(sim.w().z(), 2.5, 1e-9);
  sim.run_until(3);
  EXPECT_LT(sim.w().norm(), 1e-9);
  const double angle = 2 * std::atan2(sim.R().z(), sim.R().w());
  EXPECT_NEAR(angle, 2, 2 * dt * 3);  // the impact is somewhere in its step
}

TEST(CutJoint, limits_and_friction_act_alike_wherever_the_machine_is_cut) {
  const std::string keys = "lower = -0.005\nupper = 0.005\nfriction = 0.02\n";
  for (const std::string name : {"prismatic", "revolute", "cylindrical"}) {
    SCOPED_TRACE(name);
    const Type type{name, keys};
    Simulation tree(cut_at_ball(type), {.dt = 5e-4, .tol = 1e-10}),
        bond(cut_at_joint(type), {.dt = 5e-4, .tol = 1e-10});
    const Eigen::Matrix<double, 9, 1> start = place_of(bond);
    double widest = 0;
    for (int i = 0; i < 1000; ++i) {
      tree.step();
      bond.step();
      widest = std::max(widest, tree.state.q.tree.head(1).cwiseAbs()[0]);
    }
    const double moved = (place_of(bond) - start).norm();
    EXPECT_GT(widest, 0.00499);                                         // a limit was reached
    EXPECT_LT((place_of(tree) - place_of(bond)).norm(), 1e-2 * moved);  // impacts fall at other times within a step
  }
}

TEST(CutJoint, one_that_holds_nothing_and_keys_that_could_do_nothing_are_refused) {
  auto message = [](const std::string& more) {
    try {
      Simulation sim("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nchild = \"b\"\nloop = true\n" +
                     more);
    } catch (const base::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(
      message("type = \"free\"\n").find("found \"free\", expected a cut joint that leaves less than six freedoms"),
      std::string::npos);
  EXPECT_NE(message("type = \"revolute\"\ndamping = 1\n").find("joint[0].damping"), std::string::npos);
  EXPECT_NE(message("type = \"universal\"\nupper = 1\n").find("joint[0].upper"), std::string::npos);
  EXPECT_NE(message("type = \"cylindrical\"\nupper = [5, 4]\n")
                .find("found 4 rad on a cut joint, expected an angle between -pi and pi"),
            std::string::npos);
  EXPECT_EQ(message("type = \"cylindrical\"\nupper = [5, 3]\nfriction = 1\n"), "");
}

}  // namespace
}  // namespace vinculum::integrators
