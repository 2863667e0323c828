// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What was changed is refuted, by the right check, with time and place.
#include "audit/forge.hpp"

namespace vinculum::audit {
namespace {

using test::scene_text;

constexpr std::size_t at = 7;  // the step that is forged
constexpr double dt = 1e-3, t_at = 7e-3;

// A block that slides down a slope: four contacts with friction, all sliding.
const Forge& sliding() {
  static const Forge forge = Forge::run(scene_text("slope_slide"), 20);
  return forge;
}

// The contact of the forged step with the largest impulse.
ContactRecord& strongest(Forge& forge) {
  auto& contacts = forge.steps[at].record.contacts;
  return *std::max_element(contacts.begin(), contacts.end(), [](const ContactRecord& a, const ContactRecord& b) {
    return a.Lambda.norm() < b.Lambda.norm();
  });
}

TEST(Tampering, starts_from_certified_traces) {
  EXPECT_EQ(sliding().audit().verdict, Verdict::certified) << failures(sliding().audit());
  ASSERT_GE(sliding().steps[at].record.contacts.size(), 4u);
}

TEST(Tampering, with_the_sign_of_an_impulse_breaks_balance_and_admissibility) {
  Forge forge = sliding();
  strongest(forge).Lambda *= -1;
  const Result result = forge.audit();
  expect_failure(result, "balance", t_at, "block");
  expect_failure(result, "admissibility", t_at, "block");
  expect_failure(result, "admissibility", t_at, "slope");
}

TEST(Tampering, with_one_percent_of_an_impulse_breaks_balance) {
  Forge forge = sliding();
  strongest(forge).Lambda *= 1.01;
  expect_failure(forge.audit(), "balance", t_at, "block");
}

TEST(Tampering, with_a_position_by_a_micrometre_breaks_flight) {
  for (const Vec3& shift : {Vec3(1e-6, 0, 0), Vec3(0, 1e-6, 0), Vec3(0, 0, 1e-6)}) {
    Forge forge = sliding();
    forge.change_row_after(at, [&](Row& row) { row.x[0] += shift; });
    const Result result = forge.audit();
    EXPECT_EQ(result.verdict, Verdict::refuted) << failures(result);
    const checks::Outcome& o = outcome(result, "flight");
    EXPECT_EQ(o.status, Status::fail) << failures(result);
    EXPECT_GE(o.time, t_at - 1e-12);  // it breaks the step before and the one after; the worse is named
    EXPECT_LE(o.time, t_at + dt + 1e-12);
    EXPECT_EQ(o.where, "block");
  }
}

TEST(Tampering, with_an_orientation_by_a_microradian_breaks_flight) {
  Forge forge = sliding();
  forge.change_row_after(at, [](Row& row) { row.R[0] = (row.R[0] * algebra::Quat(1, 0, 0.5e-6, 0)).normalized(); });
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "flight").status, Status::fail) << failures(result);
  EXPECT_EQ(outcome(result, "flight").where, "block");
}

TEST(Tampering, with_a_velocity_by_a_micrometre_per_second_breaks_balance) {
  for (int axis = 0; axis < 3; ++axis) {
    Forge forge = sliding();
    forge.change_row_after(at, [&](Row& row) { row.v[0][axis] += 1e-6; });
    const Result result = forge.audit();
    EXPECT_EQ(result.verdict, Verdict::refuted) << failures(result);
    const checks::Outcome& o = outcome(result, "balance");
    EXPECT_EQ(o.status, Status::fail) << failures(result);
    EXPECT_GE(o.time, t_at - 1e-12);
    EXPECT_LE(o.time, t_at + dt + 1e-12);
    EXPECT_EQ(o.where, "block");
  }
}

TEST(Tampering, with_an_angular_velocity_breaks_the_balance_of_spin) {
  Forge forge = sliding();
  forge.change_row_after(at, [](Row& row) { row.w[0].y() += 1e-6; });
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "balance").status, Status::fail) << failures(result);
  EXPECT_EQ(outcome(result, "balance").where, "block (spin)");
}

TEST(Tampering, with_a_mode_is_seen) {
  for (const Mode mode : {Mode::impact, Mode::landing}) {
    Forge forge = sliding();
    ContactRecord& c = strongest(forge);
    ASSERT_EQ(c.mode, Mode::held);
    c.mode = mode;
    expect_failure(forge.audit(), "mode", t_at, "block");
  }
}

TEST(Tampering, with_a_normal_breaks_geometry) {
  Forge forge = sliding();
  ContactRecord& c = strongest(forge);
  c.n = (c.n + 1e-6 * c.t1).normalized();
  expect_failure(forge.audit(), "geometry", t_at, "block");
}

TEST(Tampering, with_the_point_of_action_breaks_geometry) {
  Forge forge = sliding();
  strongest(forge).point.x() += 1e-6;
  expect_failure(forge.audit(), "geometry", t_at, "block");
}

TEST(Tampering, with_features_breaks_geometry) {
  Forge forge = sliding();
  ContactRecord& c = strongest(forge);
  (c.feature.P_a.isZero() ? c.feature.P_b : c.feature.P_a).y() += 0.05;  // another point of the block than a corner
  const Result result = forge.audit();
  expect_failure(result, "geometry", t_at, "block");
}

TEST(Tampered, leaning_normals_at_a_corner_break_geometry) {
  Forge forge = sliding();
  ContactRecord& c = strongest(forge);
  const algebra::Quat lean(Eigen::AngleAxisd(0.01, c.n.cross(c.t1)));
  c.n = lean * c.n;
  c.t1 = lean * c.t1;
  c.feature.dir_a = lean * c.feature.dir_a;
  c.feature.dir_b = lean * c.feature.dir_b;
  expect_failure(forge.audit(), "geometry", t_at, "block");
}

TEST(Tampering, by_dropping_a_contact_that_pushes_breaks_balance) {
  Forge forge = sliding();
  auto& contacts = forge.steps[at].record.contacts;
  contacts.erase(contacts.begin() + (&strongest(forge) - contacts.data()));
  expect_failure(forge.audit(), "balance", t_at, "block");
}

TEST(Tampering, with_the_ledger_is_seen) {
  using integrators::Ledger;
  for (double Ledger::*entry : {&Ledger::kinetic, &Ledger::potential, &Ledger::work_forces, &Ledger::work_impact,
                                &Ledger::work_friction, &Ledger::work_bonds, &Ledger::scheme}) {
    Forge forge = sliding();
    forge.steps[at].record.ledger.*entry += 1e-6;
    expect_failure(forge.audit(), "energy", t_at, "ledger");
  }
}

TEST(Tampering, by_turning_friction_breaks_dissipation) {
  Forge forge = sliding();
  for (ContactRecord& c : forge.steps[at].record.contacts) c.Lambda = {c.Lambda.x(), -c.Lambda.z(), c.Lambda.y()};
  const Result result = forge.audit();
  expect_failure(result, "dissipation", t_at, "block");
  expect_failure(result, "balance", t_at, "block");
}

TEST(Tampering, with_the_scenes_mass_breaks_balance) {
  Forge forge = sliding();
  std::string& text = forge.header.scene_text;
  text.replace(text.find("mass = 1\n"), 9, "mass = 1.001\n");
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "balance").status, Status::fail) << failures(result);
  EXPECT_EQ(outcome(result, "balance").where, "block");
}

TEST(Tampering, with_the_scenes_friction_breaks_the_laws) {
  Forge less = sliding(), more = sliding();
  std::string& text = less.header.scene_text;
  text.replace(text.find("\nmu = 0.2"), 9, "\nmu = 0.1");
  Result result = less.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "admissibility").status, Status::fail) << failures(result);
  std::string& other = more.header.scene_text;
  other.replace(other.find("\nmu = 0.2"), 9, "\nmu = 0.3");
  result = more.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "dissipation").status, Status::fail) << failures(result);
}

TEST(Tampering, with_the_scenes_start_is_seen) {
  Forge forge = sliding();
  std::string& text = forge.header.scene_text;
  text.replace(text.find("mass = 1\n"), 9, "mass = 1\nvelocity = [1e-6, 0, 0]\n");
  expect_failure(forge.audit(), "start", 0, "block");
}

TEST(Tampering, with_the_scenes_restitution_breaks_complementarity) {
  Forge forge = Forge::run(scene_text("bounce_elastic"), 460);
  ASSERT_EQ(forge.audit().verdict, Verdict::certified);
  std::string& text = forge.header.scene_text;
  text.replace(text.find("e_N = 1"), 7, "e_N = 0.9");
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "complementarity").status, Status::fail) << failures(result);
  EXPECT_NE(outcome(result, "complementarity").where.find("ball"), std::string::npos);
}

TEST(Tampering, with_nan_is_refuted_wherever_it_is) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int what = 0; what < 8; ++what) {
    Forge forge = sliding();
    auto change = [&](Row& row) {
      if (what == 0) row.x[0].x() = nan;
      if (what == 1) row.R[0].w() = nan;
      if (what == 2) row.v[0].z() = nan;
      if (what == 3) row.w[0].z() = nan;
    };
    forge.change_row_after(at, change);
    ContactRecord& c = strongest(forge);
    if (what == 4) c.Lambda.x() = nan;
    if (what == 5) c.n.x() = nan;
    if (what == 6) c.gap = nan;
    if (what == 7) c.feature.P_b.x() = nan;
    EXPECT_EQ(forge.audit().verdict, Verdict::refuted) << what;
  }
}

TEST(Tampered, nan_in_the_ledger_is_refuted) {
  using integrators::Ledger;
  for (double Ledger::*entry : {&Ledger::kinetic, &Ledger::potential, &Ledger::work_forces, &Ledger::work_impact,
                                &Ledger::work_friction, &Ledger::work_bonds, &Ledger::scheme}) {
    Forge forge = sliding();
    forge.steps[at].record.ledger.*entry = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(forge.audit().verdict, Verdict::refuted);
  }
}

TEST(Tampering, with_the_length_of_a_step_breaks_flight) {
  Forge forge = sliding();
  forge.steps[at].record.dt *= 1.0001;
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_FALSE(failing(result).empty());
}

TEST(Tampering, that_moves_a_body_into_another_is_caught_by_gap) {
  // Two balls at rest without gravity, 1 mm apart: nothing is recorded as a contact. One is put 0.1 mm into the other.
  Forge forge = Forge::run(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'left'\nmass = 1\nshape = { type = 'sphere', radius = 0.1 }\n"
      "[[body]]\nname = 'right'\nmass = 1\nposition = [0.201, 0, 0]\nshape = { type = 'sphere', radius = 0.1 }\n",
      20, {.dt = dt});
  ASSERT_EQ(forge.audit().verdict, Verdict::certified);
  forge.change_row_after(at, [](Row& row) { row.x[1].x() = 0.1999; });
  const Result result = forge.audit();
  expect_failure(result, "gap", t_at + dt, "left");  // at the end of the step
  expect_failure(result, "gap", t_at + dt, "right");
  EXPECT_NEAR(outcome(result, "gap").residual, 1e-4 / 0.1, 1e-9);  // depth over size
  EXPECT_EQ(outcome(result, "flight").status, Status::fail);
}

TEST(Tampering, that_sinks_everything_from_the_start_is_caught_by_gap_alone_or_start) {
  // The whole motion moved down by 1 mm: every step flies and balances; the block is inside the slope.
  Forge forge = sliding();
  for (Forge::Step& step : forge.steps) {
    step.before.x[0].z() -= 1e-3;
    step.after.x[0].z() -= 1e-3;
  }
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "gap").status, Status::fail) << failures(result);
  EXPECT_EQ(outcome(result, "start").status, Status::fail) << failures(result);
}

TEST(Tampering, with_a_rods_length_is_caught_by_gap) {
  Forge forge = Forge::run(
      "[[body]]\nname = 'bob'\nparticle = true\nmass = 1\nposition = [1, 0, 0]\n[[rod]]\nname = 'arm'\na = 'bob'\n", 20,
      {.dt = dt});
  ASSERT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
  forge.header.scene_text += "length = 1.00001\n";
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(outcome(result, "gap").status, Status::fail) << failures(result);
  EXPECT_NE(outcome(result, "gap").where.find("arm"), std::string::npos);
}

// theory/moreau-1989.md, test 15: a fixed wall turns −1 into +2. Momentum, positions, contact and ledger are all forged
// so that they agree: Λ = 3, T rises by 3/2. No balance can object; the law of impact must.
TEST(Moreau1989, test_15_energy_from_a_forged_impulse_is_refuted_by_the_law) {
  const std::string text =
      "[scene]\ngravity = [0, 0, 0]\n[[contact]]\ne_N = 1\n[[shape]]\nname = 'wall'\ntype = 'plane'\n[[body]]\nname = "
      "'point'\n"
      "particle = true\nmass = 1\nposition = [0, 0, 0.1075]\nvelocity = [0, 0, -1]\nshape = { type = 'sphere', radius "
      "= 0.1 }\n";
  Forge forge = Forge::run(text, 20, {.dt = dt});
  ASSERT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
  auto& step = forge.steps[at];
  ASSERT_EQ(step.record.contacts.size(), 1u);
  ASSERT_NEAR(step.record.contacts[0].Lambda.x(), 2, 1e-15);
  step.record.contacts[0].Lambda.x() = 3;
  const double z_m = step.before.x[0].z() - 0.5 * dt;
  for (std::size_t i = at; i < forge.steps.size(); ++i) {
    const double since = dt * (static_cast<double>(i - at) + 0.5);
    auto& s = forge.steps[i];
    if (i > at) s.before = forge.steps[i - 1].after;
    s.after.v[0] = {0, 0, 2};
    s.after.x[0].z() = z_m + 2 * since;
    s.record.ledger.kinetic = 2;
  }
  step.record.ledger.work_impact = 1.5;  // Λ (γ⁻ + γ⁺)/2 = 3 · ½
  const Result result = forge.audit();
  expect_failure(result, "complementarity", t_at, "wall");
  expect_failure(result, "natural_map", t_at, "point");
  // The blind spot: nothing that only balances sees it.
  for (const char* blind : {"start", "balance", "flight", "geometry", "gap", "energy", "mode", "admissibility"}) {
    EXPECT_NE(outcome(result, blind).status, Status::fail) << blind << ": " << failures(result);
  }
}

TEST(Tampering, with_an_impulse_of_a_block_at_rest_breaks_balance) {
  Forge forge = Forge::run(scene_text("slope_stick"), 20);
  ASSERT_EQ(forge.audit().verdict, Verdict::certified);
  auto& step = forge.steps[at];
  const double push = 1e-4;
  ContactRecord* chosen = nullptr;
  for (ContactRecord& c : step.record.contacts) {
    if (!chosen || c.Lambda.x() > chosen->Lambda.x()) chosen = &c;
  }
  chosen->Lambda.x() += push;
  expect_failure(forge.audit(), "balance", t_at, "block");
}

TEST(Tampered, lifting_a_body_into_the_air_by_a_forged_projection_is_refuted) {
  Forge forge = Forge::run(
      "[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\nmass = 2\nposition = [0, 0, 0.1]\n"
      "shape = { type = 'sphere', radius = 0.1 }\n",
      8, {.dt = dt});
  ASSERT_EQ(forge.audit().verdict, Verdict::certified) << failures(forge.audit());
  Forge::Step& last = forge.steps.back();
  ASSERT_EQ(last.record.contacts.size(), 1u);
  ContactRecord lift = last.record.contacts[0];
  const double sign = lift.n.z();  // from a to b
  ASSERT_EQ(std::abs(sign), 1);
  lift.mode = Mode::projected;
  lift.Lambda.setZero();
  lift.Pi = Vec3(2 * 0.1, 0, 0);
  lift.round = 1;
  last.record.contacts.push_back(lift);
  last.record.shift = 0.1;
  last.after.x[0].z() += 0.1;
  last.record.ledger.potential += 2 * 9.81 * 0.1;
  last.record.ledger.scheme += 2 * 9.81 * 0.1;
  const Result result = forge.audit();
  expect_failure(result, "flight", last.record.t, "lifted too far");
}

TEST(Tampered, contacts_of_shapes_the_scene_does_not_have_are_no_internal_error) {
  for (const auto& [a, b] : {std::pair{0, 99}, {-1, 0}, {-1, 7}}) {
    Forge forge = sliding();
    forge.steps[at].record.contacts[0].shape_a = a;
    forge.steps[at].record.contacts[0].shape_b = b;
    try {
      EXPECT_EQ(forge.audit().verdict, Verdict::refuted);
    } catch (const base::InputError&) {
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(Tampered, a_jump_between_two_recorded_steps_is_refuted) {
  Forge forge = sliding();
  const Vec3 jump(0, 0.1, 0);  // sideways along the slope: every later step is as good as before
  for (std::size_t i = at + 1; i < forge.steps.size(); ++i) {
    forge.steps[i].before.x[0] += jump;
    forge.steps[i].after.x[0] += jump;
    for (ContactRecord& c : forge.steps[i].record.contacts) c.point += jump;
  }
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted) << failures(result);
}

TEST(Tampered, steps_left_out_of_a_whole_trace_are_not_certified) {
  Forge forge = sliding();
  forge.steps.erase(forge.steps.begin() + 5, forge.steps.begin() + 12);
  EXPECT_NE(forge.audit().verdict, Verdict::certified);
}

TEST(Tampered, a_trace_that_does_not_begin_at_step_zero_is_not_certified) {
  Forge forge = sliding();
  forge.steps.erase(forge.steps.begin(), forge.steps.begin() + 5);
  EXPECT_NE(forge.audit().verdict, Verdict::certified);
}

TEST(Tampered, a_date_that_does_not_belong_to_its_step_is_refuted) {
  // The window of a force hangs on the date: a force that acts from 0.1 s on is made to act never.
  Forge forge = Forge::run(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'p'\nparticle = true\nmass = 1\n[[force]]\nbody = 'p'\nforce = "
      "[1, 0, 0]\nfrom = 0.01\n",
      5, {.dt = dt});
  Forge longer =
      Forge::run("[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'p'\nparticle = true\nmass = 1\n", 20, {.dt = dt});
  longer.header.scene_text = forge.header.scene_text;  // the force is in the scene, but was not in the run
  for (Forge::Step& step : longer.steps) step.record.t = 0;
  const Result result = longer.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted) << failures(result);
}

// A run promises De Saxcé's map of the whole law. Friction that is too small by ε, in slip, is ε/√(1 + μ²) of it: with
// μ = 1, 1.3 tolerances in that part of the law are within the promise, and 1.5 are not.
TEST(Tampered, parts_of_coulombs_law_are_asked_for_what_the_whole_promises) {
  const std::string ball =
      "[run]\ndt = 1e-3\n[[contact]]\nmu = 1\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\n"
      "density = 1000\nshape = { type = 'sphere', radius = 0.1 }\nposition = [0, 0, 0.1]\nvelocity = [5, 0, 0]\n";
  for (const double part : {1.3, 1.5}) {
    Forge forge = Forge::run(ball, 20);
    Vec3& Lambda = forge.steps[10].record.contacts.at(0).Lambda;
    const Vec3 slip(0, forge.steps[10].record.contacts[0].Lambda.y(), forge.steps[10].record.contacts[0].Lambda.z());
    ASSERT_NEAR(slip.norm(), Lambda.x(), 1e-12 * Lambda.x());
    const double whole = outcome(forge.audit(), "natural_map").residual;
    ASSERT_LT(whole, 1e-10);
    // How much that is of the step's scale shows a first try.
    Lambda -= 1e-6 * slip;
    const double found = outcome(forge.audit(), "dissipation").residual;
    Lambda += 1e-6 * slip;
    Lambda -= part * 1e-8 / found * 1e-6 * slip;
    const Result result = forge.audit();
    EXPECT_NEAR(outcome(result, "dissipation").residual, part * 1e-8, 1e-11);
    EXPECT_NEAR(outcome(result, "natural_map").residual, part * 1e-8 / std::sqrt(2.0), 1e-11);
    EXPECT_EQ(outcome(result, "dissipation").status, part < std::sqrt(2.0) ? Status::pass : Status::fail);
    EXPECT_EQ(outcome(result, "natural_map").status, part < std::sqrt(2.0) ? Status::pass : Status::fail);
  }
}

}  // namespace
}  // namespace vinculum::audit
