// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Springs, cut joints of all types, limits of balls, redundant loops: honest runs are certified, what was changed is
// refuted, and the auditor finds by its own route what forces stay undetermined.
#include "audit/forge.hpp"

#include <map>

namespace vinculum::audit {
namespace {

const std::string free_bodies = R"([run]
dt = 1e-3
[[body]]
name = "a"
position = [0, 0, 0]
mass = 1
inertia = [0.02, 0.03, 0.04]
angular_velocity = [1, -2, 0.5]
[[body]]
name = "b"
position = [1, 0.2, 0]
mass = 3
inertia = [0.2, 0.1, 0.15]
)";

const std::string tied = free_bodies + R"([[spring]]
name = "tie"
a = "a"
b = "b"
point_a = [0.1, 0.2, 0]
point_b = [-0.3, 0.1, 0.2]
stiffness = 400
damping = 3
rest = 0.3
)";

/// A free body on a cut joint, and another that hangs on a ball from it.
std::string cut(const std::string& type, const std::string& keys) {
  return free_bodies +
         fmt::format(
             "[[joint]]\nname = \"cut\"\ntype = \"{}\"\nchild = \"a\"\npoint = [0.2, 0.1, -0.1]\nloop = true\n{}", type,
             keys);
}

const std::string ball = "[[connect]]\nname = \"ball\"\na = \"a\"\nb = \"b\"\npoint_a = [0.5, 0.1, 0]\n";

const std::string axis = "axis = [0.4, 0.2, 1]\n";

const std::string limited_ball = R"([run]
dt = 1e-3
[[body]]
name = "arm"
mass = 1
inertia = [0.1, 0.12, 0.02]
com = [0.1, 0, -0.5]
[[joint]]
name = "shoulder"
type = "spherical"
child = "arm"
upper = 0.7
e_N = 0.3
v = [3, 4, 1]
)";

Forge run_of(const std::string& text, int steps = 300) { return Forge::run(text, steps); }

void expect_certified(const Forge& forge) {
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

void expect_refuted(const Result& result, std::string_view check, const std::string& where) {
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, check).status, Status::fail) << check << ": " << failures(result);
  EXPECT_NE(outcome(result, check).where.find(where), std::string::npos) << outcome(result, check).where;
}

/// The last record of a law; it must have an impulse.
ContactRecord& last(Forge& forge, checks::JointLaw::Kind kind) {
  for (std::size_t i = forge.steps.size(); i-- > 0;) {
    for (ContactRecord& c : forge.steps[i].record.contacts) {
      if (c.shape_a == static_cast<int>(kind) && c.Lambda.norm() > 0) return c;
    }
  }
  throw std::logic_error("no such record");
}

using Kind = checks::JointLaw::Kind;

TEST(AuditOfLoops, certifies_springs_between_free_bodies_and_on_links) {
  expect_certified(run_of(tied));
  expect_certified(Forge::run(test::scene_text("governor"), 300));
  expect_certified(Forge::run(test::scene_text("andrews"), 300));
}

TEST(AuditOfLoops, refutes_a_spring_that_pulls_a_little_more) {
  Forge forge = run_of(tied);
  last(forge, Kind::spring).Lambda.x() *= 1 + 1e-5;
  const Result result = forge.audit();
  expect_refuted(result, "natural_map", "spring tie");
  expect_refuted(result, "balance", "");
}

TEST(AuditOfLoops, refutes_a_spring_that_is_left_out) {
  Forge forge = run_of(tied);
  forge.steps.back().record.contacts.clear();
  expect_refuted(forge.audit(), "mode", "spring tie");
}

TEST(AuditOfLoops, certifies_cut_joints_of_all_types) {
  for (const auto& [type, keys] : {std::pair<std::string, std::string>("revolute", axis),
                                   {"continuous", axis},
                                   {"prismatic", axis},
                                   {"cylindrical", axis},
                                   {"screw", axis + "pitch = 0.2\n"},
                                   {"universal", axis + "axis_2 = [1, 0.1, 0]\n"},
                                   {"planar", axis},
                                   {"spherical", ""}}) {
    SCOPED_TRACE(type);
    // A free body that turns and is held to turn about one axis starts with an impact; that is lawful.
    expect_certified(run_of(cut(type, keys) + ball));
  }
}

TEST(AuditOfLoops, refutes_cut_joints_whose_impulse_was_changed) {
  for (const auto& [type, kind] : {std::pair<std::string, Kind>("prismatic", Kind::turning),
                                   {"cylindrical", Kind::points},
                                   {"screw", Kind::points},
                                   {"universal", Kind::turning},
                                   {"planar", Kind::points}}) {
    SCOPED_TRACE(type);
    Forge forge = run_of(cut(type, axis + (type == "screw" ? "pitch = 0.2\n" : "")), 50);
    ContactRecord& record = last(forge, kind);
    record.Lambda[type == "screw" ? 2 : 0] += 1e-4 * record.Lambda.norm();
    expect_refuted(forge.audit(), "balance", "");
  }
}

TEST(AuditOfLoops, refutes_a_body_moved_off_its_cut_joint) {
  for (const std::string type : {"prismatic", "cylindrical", "screw", "planar"}) {
    SCOPED_TRACE(type);
    Forge forge = run_of(cut(type, axis + (type == "screw" ? "pitch = 0.2\n" : "")), 50);
    const Vec3 off = 1e-6 * (type == "planar" ? Vec3(0.4, 0.2, 1) : Vec3(1, -2, 0));
    forge.change_row_after(49, [&](Row& row) { row.x[0] += off; });
    expect_refuted(forge.audit(), "gap", "loop cut");
  }
}

TEST(AuditOfLoops, certifies_the_limit_of_a_ball_and_refutes_one_that_pulls) {
  Forge forge = run_of(limited_ball, 600);
  expect_certified(forge);
  ContactRecord& record = last(forge, Kind::angle);
  record.Lambda.x() = -record.Lambda.x();
  expect_refuted(forge.audit(), "admissibility", "shoulder (angle)");
}

TEST(AuditOfLoops, finds_the_forces_that_redundant_loops_leave_open_where_the_run_does) {
  // Bricard's linkage: five rows of the closing hinge, of which the motion needs four. A planar loop closed by balls:
  // the force across the plane. The same closed by a hinge: two moments as well.
  Simulation sim(test::scene_text("bricard"));
  sim.step();
  const integrators::Undetermined run = sim.integrator->undetermined();
  const Result result = Forge::run(test::scene_text("bricard"), 20).audit();
  EXPECT_EQ(run.directions, 1);
  EXPECT_EQ(run.links, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(result.undetermined.directions, 1);
  EXPECT_EQ(result.undetermined.loops, std::vector<std::string>{"loop hinge 5"});
  EXPECT_EQ(result.undetermined.joints,
            (std::vector<std::string>{"hinge 0", "hinge 1", "hinge 2", "hinge 3", "hinge 4"}));
  EXPECT_EQ(result.undetermined_steps, 20);
}

/// N four-bars in a row (IFToMM A02), a pendulum on the first coupler, closed as said.
std::string four_bars(int N, bool by_hinges) {
  std::string text = "[run]\ndt = 1e-3\n";
  auto body = [&](const std::string& name, const Vec3& x) {
    text += fmt::format("[[body]]\nname = \"{}\"\nposition = {}\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n", name,
                        test::vec(x));
  };
  auto hinge = [&](const std::string& parent, const std::string& child, const Vec3& point, const std::string& more) {
    text += fmt::format(
        "[[joint]]\nname = \"{0}-{1}\"\ntype = \"revolute\"\nparent = \"{0}\"\nchild = \"{1}\"\npoint = {2}\naxis = "
        "[0, "
        "1, 0]\n{3}",
        parent, child, test::vec(point), more);
  };
  for (int i = 0; i <= N; ++i) body(fmt::format("u{}", i), {1.0 * i, 0, 0.5});
  for (int i = 0; i < N; ++i) body(fmt::format("t{}", i), {i + 0.5, 0, 1});
  body("bob", {0.5, 0, 0.5});
  hinge("world", "u0", {0, 0, -0.5}, "v = 1\n");
  for (int i = 0; i < N; ++i) {
    hinge(fmt::format("u{}", i), fmt::format("t{}", i), {-0.5, 0, 0}, "v = -1\n");
    hinge(fmt::format("t{}", i), fmt::format("u{}", i + 1), {0, 0, 0.5}, "v = 1\n");
    if (by_hinges) {
      hinge("world", fmt::format("u{}", i + 1), {0, 0, -0.5}, "loop = true\n");
    } else {
      text += fmt::format("[[connect]]\nname = \"c{0}\"\nb = \"u{1}\"\npoint_a = [{1}, 0, 0]\npoint_b = [0, 0, -0.5]\n",
                          i, i + 1);
    }
  }
  hinge("t0", "bob", {0, 0, 0.5}, "");
  return text;
}

TEST(AuditOfLoops, counts_what_planar_loops_leave_open_and_leaves_out_what_hangs_beside) {
  for (const bool by_hinges : {false, true}) {
    const int N = 3;
    const Result result = Forge::run(four_bars(N, by_hinges), 10).audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
    EXPECT_EQ(result.undetermined.directions, by_hinges ? 3 * N : N);
    ASSERT_EQ(std::ssize(result.undetermined.loops), N);
    EXPECT_EQ(result.undetermined.loops[1], by_hinges ? "loop world-u2" : "connect c1");
    EXPECT_EQ(std::ssize(result.undetermined.joints), 1 + 2 * N);  // all but the pendulum's
    Simulation sim(four_bars(N, by_hinges));
    sim.step();
    const integrators::Undetermined run = sim.integrator->undetermined();
    EXPECT_EQ(sim.record.undetermined, result.undetermined.directions);
    EXPECT_EQ(run.directions, result.undetermined.directions);
    EXPECT_EQ(run.closures, (std::vector<int>{0, 1, 2}));
    for (const int link : run.links)
      EXPECT_NE(
          sim.model.bodies[static_cast<std::size_t>(sim.system.forest->body_of_link[static_cast<std::size_t>(link)])]
              .name,
          "bob");
    EXPECT_EQ(std::ssize(run.links), 1 + 2 * N);
  }
}

TEST(AuditOfLoops, certifies_limits_and_friction_of_cut_joints_and_refutes_what_was_changed) {
  const std::string keys = "lower = -0.3\nupper = 0.05\nfriction = 0.2\n";
  for (const std::string type : {"revolute", "prismatic", "cylindrical"}) {
    SCOPED_TRACE(type);
    const Forge honest = Forge::run(cut(type, axis + keys) + ball, 300);
    const Result result = honest.audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
    std::map<int, std::pair<std::size_t, std::size_t>> largest;  // by code: step and record
    for (std::size_t i = 0; i < honest.steps.size(); ++i) {
      const auto& contacts = honest.steps[i].record.contacts;
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts[k].mode != Mode::projected && std::abs(contacts[k].Lambda.x()) > 1e-6)
          largest[contacts[k].shape_a] = {i, k};
      }
    }
    ASSERT_TRUE(largest.contains(-13));
    ASSERT_TRUE(largest.contains(-11) || largest.contains(-12));
    for (const int code : {-11, -12, -13}) {
      if (!largest.contains(code)) continue;
      Forge forge = honest;
      const auto [i, k] = largest[code];
      forge.steps[i].record.contacts[k].Lambda.x() *= 1.01;
      EXPECT_EQ(forge.audit().verdict, Verdict::refuted) << code;
      forge = honest;
      auto& contacts = forge.steps[i].record.contacts;
      contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(k));
      EXPECT_EQ(forge.audit().verdict, Verdict::refuted) << code;
    }
  }
}

}  // namespace
}  // namespace vinculum::audit
