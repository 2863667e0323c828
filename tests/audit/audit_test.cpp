// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs is certified.
#include "audit/forge.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum::audit {
namespace {

using test::scene_text;

void expect_certified(const std::string& text, double until, const test::SimulationSettings& settings = {}) {
  Simulation probe(text, settings);
  const int steps = static_cast<int>(std::llround(until / probe.dt));
  const Result result = Forge::run(text, steps, settings).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << probe.model.name << ": " << failures(result);
  EXPECT_EQ(result.steps, static_cast<std::size_t>(steps));
  EXPECT_NEAR(result.t_end, until, 1e-9);
}

TEST(Audit, certifies_slopes) {
  expect_certified(scene_text("slope_stick"), 0.3);
  expect_certified(scene_text("slope_slide"), 0.3);
}

TEST(Audit, certifies_bounces) {
  expect_certified(scene_text("bounce_elastic"), 2);
  expect_certified(scene_text("bounce_zeno"), 2);
}

TEST(Audit, certifies_the_cradle) { expect_certified(scene_text("newtons_cradle"), 0.2); }

TEST(Audit, certifies_the_cradle_through_its_impact) { expect_certified(scene_text("newtons_cradle"), 0.3); }

// A block that falls on a capsule on the floor within one step: the projection turns the capsule by more than the
// search had looked around it, so that its other end must be found too.
TEST(Audit, certifies_what_is_lifted_far) {
  expect_certified(R"(
[run]
dt = 1e-2
[[contact]]
mu = 1.2
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "capsule"
density = 781.6
position = [0.34117, -0.53011, 12.045]
quaternion = [0.683116535, 0.360010559, -0.426992681, -0.470554404]
velocity = [0.345341, 0.0222166, -0.0599877]
angular_velocity = [-1.58724, -1.16101, -0.370799]
shape = { type = "capsule", radius = 0.051754, length = 0.074472 }
[[body]]
name = "block"
density = 5427
position = [0.37919, -0.49738, 14.313]
quaternion = [-0.655018164, 0.136813257, -0.038598526, 0.742120941]
velocity = [0.328837, 0.0570623, 0.233042]
shape = { type = "box", size = [0.29807, 0.20346, 0.42117] }
)",
                   1.75);
}

// The lowest point of a rim that is nearly flat: its height must not be a difference of large numbers.
TEST(Audit, certifies_a_disc_that_comes_to_lie_flat) {
  expect_certified(R"(
[run]
dt = 1e-2
[[contact]]
mu = 1.2
e_N = 0.3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "disc"
density = 8125
position = [-0.63247, 0.27461, 1.0757]
quaternion = [-0.332927328, 0.545059125, 0.756613862, 0.140019315]
velocity = [0.11938, 0.0817983, 0.0105675]
angular_velocity = [1.51734, -0.206242, -0.219314]
shape = { type = "cylinder", radius = 0.14856, length = 0.045128 }
)",
                   1.5);
}

// What counts as closed depends on the fastest body. A ball that hovers by less than that while another falls must not
// sleep on when the other has come to rest: then it lands.
TEST(Audit, certifies_what_rests_beside_something_fast) {
  expect_certified(R"(
[run]
dt = 1e-3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "still"
mass = 1
position = [0, 0, 0.100000000002]
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "fast"
mass = 1
position = [3, 0, 0.2]
velocity = [0, 0, -3]
shape = { type = "sphere", radius = 0.1 }
)",
                   0.1);
}

TEST(Audit, certifies_a_break_of_billiard) { expect_certified(scene_text("billiard"), 1); }

TEST(Audit, certifies_a_house_of_cards) { expect_certified(scene_text("card_house"), 0.2); }

// They meet at an edge, and in the same step turn about it so fast that their far edges pass each other by four times
// the thickness: what is nearest there is the wrong way out.
TEST(Audit, certifies_cards_that_turn_through_each_other_about_their_touch) {
  const std::string card = "density = 600\nshape = { type = 'box', size = [0.094, 0.064, 0.0007] }\n";
  const std::string text =
      "[scene]\ngravity = [0, 0, 0]\n[run]\ndt = 1e-3\n[[body]]\nname = 'a'\n" + card +
      "position = [0.2291935, -0.0257414, -0.2292492]\n"
      "quaternion = [0.001403012, 0.000394112, -0.492650002, -0.870226322]\n"
      "velocity = [-0.8121, -1.5651, 0.8337]\nangular_velocity = [-33.962, -0.040, 3.792]\n[[body]]\nname = 'b'\n" +
      card +
      "position = [0.2337575, -0.0245040, -0.2345865]\n"
      "quaternion = [-0.000078007, 0.001812932, -0.499064425, -0.866562985]\n"
      "velocity = [-1.2369, 1.3197, 0.3209]\nangular_velocity = [38.185, -3.091, 1.968]\n";
  expect_certified(text, 0.005);
}

TEST(Audit, certifies_dominoes) { expect_certified(scene_text("dominoes"), 0.3); }

TEST(Audit, certifies_a_stack) { expect_certified(scene_text("box_stack"), 0.2); }

TEST(Audit, certifies_a_million_kilograms_on_one) { expect_certified(scene_text("heavy_on_light"), 0.1); }

TEST(Audit, certifies_a_hundred_poured_balls) { expect_certified(scene_text("pour_100"), 0.24); }

// Its projection is as rough as its laws.
TEST(Audit, certifies_a_hundred_poured_balls_at_a_loose_tolerance) {
  expect_certified(scene_text("pour_100"), 0.3, {.tol = 1e-2});
}

TEST(Audit, certifies_every_pair_of_shapes_thrown_together) {
  const std::string text =
      "[scene]\ngravity = [0, 0, -9.81]\n[[contact]]\nmu = 0.4\ne_N = 0.3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n"
      "[[body]]\nname = 'ball'\nmass = 1\nposition = [0, 0, 1.4]\nshape = { type = 'sphere', radius = 0.2 }\n"
      "[[body]]\nname = 'box'\nmass = 2\nposition = [0.1, 0, 0.9]\nrotation = { axis = [1, 2, 3], degrees = 40 }\n"
      "shape = { type = 'box', size = [0.4, 0.5, 0.3] }\n"
      "[[body]]\nname = 'pill'\nmass = 0.7\nposition = [0, 0.1, 0.4]\nrotation = { axis = [1, 0, 0], degrees = 80 }\n"
      "shape = { type = 'capsule', radius = 0.1, length = 0.5 }\n"
      "[[body]]\nname = 'wedge'\nmass = 1.3\nposition = [0.05, 0.05, 1.9]\nangular_velocity = [0, 1, 0]\n"
      "shape = { type = 'hull', points = [[-0.2, -0.2, -0.2], [0.3, -0.2, -0.2], [-0.2, 0.3, -0.2], [-0.2, -0.2, 0.3]] "
      "}\n";
  expect_certified(text, 1, {.dt = 1e-3});
}

TEST(Audit, certifies_a_rolling_cylinder) {
  expect_certified(
      "[[contact]]\nmu = 0.4\ne_N = 0.3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'can'\nmass = 1\n"
      "position = [0, 0, 0.3]\nvelocity = [0.5, 0, 0]\nrotation = { axis = [1, 0, 0], degrees = 90 }\n"
      "shape = { type = 'cylinder', radius = 0.2, length = 0.3 }\n",
      1, {.dt = 1e-3});
}

TEST(Audit, standing_cylinders_are_certified) {
  for (const double degrees : {0.0, 1e-3}) {
    expect_certified(
        "[[contact]]\nmu = 0.4\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'can'\nmass = 1\n"
        "position = [0.1, 0, 0.35]\nrotation = { axis = [1, 0, 0], degrees = " +
            test::num(degrees) +
            " }\n"
            "shape = { type = 'cylinder', radius = 0.2, length = 0.3 }\n",
        1, {.dt = 1e-3});
  }
}

// Known limit: when a can wobbles flat, the lowest point of its rim runs around it faster than the step resolves, and
// single steps are refuted (mode, laws). Here the cans have not got there yet.
TEST(Audit, cylinders_thrown_together_are_certified_until_they_wobble) {
  const std::string text =
      "[[contact]]\nmu = 0.4\ne_N = 0.3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n"
      "[[body]]\nname = 'can'\nmass = 1\nposition = [0, 0, 0.8]\nrotation = { axis = [1, 2, 0], degrees = 50 }\n"
      "shape = { type = 'cylinder', radius = 0.2, length = 0.3 }\n"
      "[[body]]\nname = 'tin'\nmass = 1\nposition = [0.1, 0, 0.3]\nrotation = { axis = [1, 0, 1], degrees = 20 }\n"
      "shape = { type = 'cylinder', radius = 0.2, length = 0.3 }\n"
      "[[body]]\nname = 'box'\nmass = 1\nposition = [0.05, 0.1, 1.3]\nrotation = { axis = [1, 2, 3], degrees = 50 }\n"
      "shape = { type = 'box', size = [0.2, 0.3, 0.25] }\n";
  expect_certified(text, 0.25, {.dt = 1e-3});
}

TEST(Audit, certifies_forces_rods_and_particles) {
  const std::string text =
      "[[body]]\nname = 'upper'\nmass = 1\nposition = [1, 0, 0]\nshape = { type = 'box', size = [0.1, 0.2, 0.3] }\n"
      "[[body]]\nname = 'lower'\nparticle = true\nmass = 1\nposition = [2, 0, 0]\n[[rod]]\na = 'upper'\npoint_a = "
      "[0.05, 0, 0]\n"
      "[[rod]]\na = 'upper'\nb = 'lower'\n[[force]]\nbody = 'upper'\nforce = [0, 0, 15]\npoint = [0, 0.1, 0]\naxes = "
      "'body'\n"
      "from = 0.1\nto = 0.3\n[[force]]\nbody = 'upper'\ntorque = [0.1, 0.2, 0.3]\n";
  expect_certified(text, 0.6, {.dt = 1e-3});
}

TEST(Audit, of_every_tenth_step_certifies_those) {
  Simulation sim(scene_text("slope_slide"));
  Forge forge;
  forge.header = sim.header();
  forge.header.record_every = 10;
  for (int i = 0; i < 100; ++i) {
    Row before = sim.row();
    sim.step();
    if (i % 10 == 0) forge.steps.push_back({before, sim.record, sim.row()});
  }
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  EXPECT_EQ(result.steps, 10u);
}

TEST(Audit, with_a_tighter_tolerance_than_the_run_may_refuse) {
  // A solve to 1e-2 does not hold to 1e-12, and the check that says so is one of the laws.
  const Forge forge = Forge::run(scene_text("pour_100"), 230, {.tol = 1e-2});
  const Result result = forge.audit(1e-13);
  EXPECT_EQ(result.verdict, Verdict::refuted);
}

TEST(Audit, adds_up_what_the_scheme_gained) {
  const Forge forge = Forge::run(scene_text("bounce_zeno"), 1000);
  double sum = 0;
  for (const Forge::Step& step : forge.steps) sum += step.record.ledger.scheme;
  EXPECT_EQ(forge.audit().energy_added, sum);
}

TEST(Audit, reports_checks_that_do_not_apply_with_the_reason) {
  const Result result = Forge::run("[[body]]\nname = 'p'\nparticle = true\nmass = 1\n", 3).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  for (const char* name : {"mode", "admissibility", "complementarity", "dissipation", "natural_map"}) {
    EXPECT_EQ(outcome(result, name).status, Status::not_applicable) << name;
    EXPECT_FALSE(outcome(result, name).why_not.empty()) << name;
  }
}

TEST(Audit, of_something_that_is_not_a_trace_is_an_input_error) {
  const Folder folder;
  std::ofstream(folder.file("x.h5")) << "no trace";
  EXPECT_THROW(vinculum::audit::audit(folder.file("x.h5")), base::InputError);
  EXPECT_THROW(vinculum::audit::audit(folder.file("missing.h5")), base::InputError);
}

TEST(Audit, calls_the_progress_function_to_the_end) {
  const Folder folder;
  const Forge forge = Forge::run(scene_text("slope_stick"), 5);
  {
    trace::Writer writer(folder.file("t.h5"), forge.header);
    for (const Forge::Step& step : forge.steps) writer.add(step.before, step.record, step.after);
  }
  std::vector<double> seen;
  vinculum::audit::audit(folder.file("t.h5"), 0, [&](double part) { seen.push_back(part); });
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen.back(), 1);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

}  // namespace
}  // namespace vinculum::audit
