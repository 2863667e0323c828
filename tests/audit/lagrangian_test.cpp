// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces of Lagrangian scenes: certified as they are, refuted when one stored number is another.
#include "audit/forge.hpp"

#include <map>

namespace vinculum::audit {
namespace {

using test::scene_text;

Row row_of(const Simulation& sim) {
  Row row = sim.row();
  row.lagrangian_q = sim.state.lagrangian_q;
  row.lagrangian_u = sim.state.lagrangian_u;
  return row;
}

struct Scene {
  const char* name;
  int steps;  // so that its laws have acted
  int at;     // the step that is forged: every law of the scene acts in it
};

// Bounce: impact in the step that begins at t = 1. Cylinder: in contact until 0.7 s. Pendulum: see `wall_step`.
constexpr Scene all_scenes[] = {
    {"bead_on_ring", 40, 20},      {"bounce", 1010, 1000},       {"clutch", 1300, 1250},
    {"double_pendulum", 1500, -1}, {"knife_edge", 40, 20},       {"off_the_cylinder", 900, 20},
    {"oscillator", 40, 20},        {"planar_friction", 520, 20}, {"play_spring", 1200, 1000},
    {"redundant_floor", 40, 20},   {"rolling_cylinder", 40, 20}, {"sliding_block", 1010, 20},
    {"spinning_disc", 40, 20},     {"stribeck", 40, 20},
};

/// The first steps of a scene; kept, since several tests begin with them.
const Forge& recorded(const Scene& scene) {
  static std::map<std::string, Forge> all;
  const auto found = all.find(scene.name);
  if (found != all.end()) return found->second;
  Simulation sim(scene_text(std::string("glocker/") + scene.name));
  Forge forge;
  forge.header = sim.header();
  forge.header.coordinates = sim.model.lagrangian->coordinates;
  for (int i = 0; i < scene.steps; ++i) {
    Row before = row_of(sim);
    sim.step();
    forge.steps.push_back({before, sim.record, row_of(sim)});
  }
  return all.emplace(scene.name, std::move(forge)).first->second;
}

std::vector<std::string> law_names(const Forge& forge) {
  std::vector<std::string> names;
  for (const auto& law : model::parse_scene(forge.header.scene_text, "t.toml").laws) names.push_back(law.name);
  return names;
}

/// The forged step: the given one, or the first with an impulse.
std::size_t step_of(const Scene& scene, const Forge& forge) {
  if (scene.at >= 0) return static_cast<std::size_t>(scene.at);
  for (std::size_t i = 0; i < forge.steps.size(); ++i) {
    const auto& contacts = forge.steps[i].record.contacts;
    if (!contacts.empty() && contacts[0].Lambda.norm() > 0) return i;
  }
  throw std::logic_error(std::string(scene.name) + " has no step with an impulse");
}

/// The steps up to the forged one and two more.
Forge short_copy(const Forge& forge, std::size_t at) {
  Forge copy = forge;
  copy.steps.resize(std::min(copy.steps.size(), at + 3));
  return copy;
}

bool is_bond(const ContactRecord& contact) { return contact.mode == Mode::bond; }

/// One of the checks fails there and then.
void expect_one_of(const Result& result, const std::vector<std::string>& checks, double first, double last,
                   const std::string& where, const std::string& what) {
  EXPECT_EQ(result.verdict, Verdict::refuted) << what << ": " << failures(result);
  bool found = false;
  for (const std::string& name : checks) {
    const checks::Outcome& o = outcome(result, name);
    found = found || (o.status == Status::fail && o.time >= first - 1e-12 && o.time <= last + 1e-12 &&
                      o.where.find(where) != std::string::npos);
  }
  EXPECT_TRUE(found) << what << " at t = " << first << ", expected " << where << ": " << failures(result);
}

/// Calls `change` with a fresh copy for every law that acts in the forged step.
template <class Change>
void for_each_law(Change change) {
  for (const Scene& scene : all_scenes) {
    const Forge& whole = recorded(scene);
    const std::size_t at = step_of(scene, whole);
    const auto names = law_names(whole);
    ASSERT_LT(at, whole.steps.size()) << scene.name;
    const auto& acting = whole.steps[at].record.contacts;  // those of the projection come last
    const auto count = static_cast<std::size_t>(
        std::count_if(acting.begin(), acting.end(), [](const ContactRecord& c) { return c.mode != Mode::projected; }));
    EXPECT_GE(count, 1u) << scene.name;
    for (std::size_t i = 0; i < count; ++i) {
      Forge forge = short_copy(whole, at);
      StepRecord& record = forge.steps[at].record;
      const std::string& law = names.at(static_cast<std::size_t>(record.contacts[i].shape_b));
      change(forge, at, i, law, fmt::format("{}, law {}", scene.name, law));
    }
  }
}

TEST(LagrangianAudit, certifies_every_scene_of_the_digest) {
  for (const Scene& scene : all_scenes) {
    const Result result = recorded(scene).audit();
    EXPECT_EQ(result.verdict, Verdict::certified) << scene.name << ": " << failures(result);
    EXPECT_NE(outcome(result, "balance").status, Status::fail) << scene.name;
  }
}

TEST(LagrangianAudit, the_principles_that_apply_are_looked_at) {
  const Result bead = recorded({"bead_on_ring", 40, 20}).audit();
  for (const char* name : {"dalembert", "jourdain", "gauss", "least_constraint"}) {
    EXPECT_EQ(outcome(bead, name).status, Status::pass) << name;
  }
  const Result puck = recorded({"planar_friction", 520, 20}).audit();
  EXPECT_EQ(outcome(puck, "dalembert").status, Status::not_applicable);  // friction lives on velocity level
  EXPECT_EQ(outcome(puck, "jourdain").status, Status::pass);
  const Result cylinder = recorded({"rolling_cylinder", 40, 20}).audit();
  EXPECT_EQ(outcome(cylinder, "least_constraint").status, Status::not_applicable);  // no potential
}

TEST(LagrangianAudit, refutes_the_sign_of_an_impulse) {
  for_each_law([](Forge& forge, std::size_t at, std::size_t i, const std::string& law, const std::string& what) {
    ContactRecord& contact = forge.steps[at].record.contacts[i];
    if (contact.Lambda.norm() == 0) return;
    contact.Lambda *= -1;
    const double t = forge.steps[at].record.t;
    const Result result = forge.audit();
    SCOPED_TRACE(what);
    expect_failure(result, "balance", t, "lagrangian");
    // A bond may pull and push, and so may friction that sticks: there is nothing wrong with the law.
    const bool sticks = what == "stribeck, law ground";
    if (!is_bond(contact) && !sticks)
      expect_one_of(result, {"admissibility", "natural_map", "jourdain"}, t, t, law, what);
  });
}

TEST(LagrangianAudit, refutes_one_percent_of_an_impulse) {
  for_each_law([](Forge& forge, std::size_t at, std::size_t i, const std::string&, const std::string& what) {
    ContactRecord& contact = forge.steps[at].record.contacts[i];
    if (contact.Lambda.norm() == 0) return;
    contact.Lambda *= 1.01;
    SCOPED_TRACE(what);
    expect_failure(forge.audit(), "balance", forge.steps[at].record.t, "lagrangian");
  });
}

TEST(LagrangianAudit, refutes_a_millionth_of_a_coordinate) {
  for (const Scene& scene : all_scenes) {
    const Forge& whole = recorded(scene);
    const std::size_t at = step_of(scene, whole);
    for (Eigen::Index k = 0; k < whole.steps[at].after.lagrangian_q.size(); ++k) {
      for (const double sign : {-1.0, 1.0}) {
        Forge forge = short_copy(whole, at);
        double size = forge.steps[at].after.lagrangian_q.lpNorm<Eigen::Infinity>();
        if (size == 0) size = 1;
        forge.change_row_after(at, [&](Row& row) { row.lagrangian_q[k] += sign * 1e-6 * size; });
        const double t = forge.steps[at].record.t, dt = forge.header.dt;
        const std::string what = fmt::format("{}, coordinate {}, sign {}", scene.name, k, sign);
        const Result result = forge.audit();
        EXPECT_EQ(result.verdict, Verdict::refuted) << what;
        expect_one_of(result, {"flight", "gap"}, t, t + dt, "", what);
      }
    }
  }
}

TEST(LagrangianAudit, refutes_a_millionth_of_a_velocity) {
  for (const Scene& scene : all_scenes) {
    const Forge& whole = recorded(scene);
    const std::size_t at = step_of(scene, whole);
    for (Eigen::Index k = 0; k < whole.steps[at].after.lagrangian_u.size(); ++k) {
      Forge forge = short_copy(whole, at);
      double size = forge.steps[at].after.lagrangian_u.lpNorm<Eigen::Infinity>();
      if (size == 0) size = 1;
      forge.change_row_after(at, [&](Row& row) { row.lagrangian_u[k] += 1e-6 * size; });
      const double t = forge.steps[at].record.t, dt = forge.header.dt;
      expect_one_of(forge.audit(), {"balance"}, t, t + dt, "lagrangian", fmt::format("{}, velocity {}", scene.name, k));
    }
  }
}

TEST(LagrangianAudit, refutes_a_mode) {
  for_each_law([](Forge& forge, std::size_t at, std::size_t i, const std::string& law, const std::string& what) {
    ContactRecord& contact = forge.steps[at].record.contacts[i];
    const Mode right = contact.mode;
    for (const Mode mode : {Mode::impact, Mode::held, Mode::landing, Mode::bond, Mode::acting, Mode::projected}) {
      if (mode == right) continue;
      contact.mode = mode;
      SCOPED_TRACE(what + " as " + std::string(to_string(mode)));
      expect_failure(forge.audit(), "mode", forge.steps[at].record.t, law);
    }
  });
}

TEST(LagrangianAudit, refutes_a_law_that_was_left_out) {
  for_each_law([](Forge& forge, std::size_t at, std::size_t i, const std::string& law, const std::string& what) {
    StepRecord& record = forge.steps[at].record;
    const bool acted = record.contacts[i].Lambda.norm() > 0, contact = record.contacts[i].mode == Mode::impact ||
                                                                       record.contacts[i].mode == Mode::held ||
                                                                       record.contacts[i].mode == Mode::landing;
    record.contacts.erase(record.contacts.begin() + static_cast<std::ptrdiff_t>(i));
    SCOPED_TRACE(what);
    const Result result = forge.audit();
    if (acted) expect_failure(result, "balance", record.t, "lagrangian");
    if (!contact || record.t > 0) expect_failure(result, "mode", record.t, law);
  });
}

TEST(LagrangianAudit, refutes_a_law_that_is_listed_twice_or_not_in_the_scene) {
  for_each_law([](Forge& forge, std::size_t at, std::size_t i, const std::string& law, const std::string& what) {
    Forge other = forge;
    StepRecord& record = forge.steps[at].record;
    record.contacts.push_back(record.contacts[i]);
    SCOPED_TRACE(what);
    expect_failure(forge.audit(), "mode", record.t, law);
    for (const int index : {-1, 17}) {
      other.steps[at].record.contacts[i].shape_b = index;
      try {
        EXPECT_EQ(other.audit().verdict, Verdict::refuted);
      } catch (const base::InputError&) {
      }
    }
  });
}

TEST(LagrangianAudit, refutes_a_recorded_gap) {
  for_each_law([](Forge& forge, std::size_t at, std::size_t i, const std::string& law, const std::string& what) {
    ContactRecord& contact = forge.steps[at].record.contacts[i];
    contact.gap += 1e-6;
    SCOPED_TRACE(what);
    expect_failure(forge.audit(), "geometry", forge.steps[at].record.t, law);
  });
}

TEST(LagrangianAudit, refutes_a_kink_that_is_not_there) {
  for (const Scene& scene : {Scene{"oscillator", 40, 20}, Scene{"play_spring", 1200, 1000}}) {
    Forge forge = short_copy(recorded(scene), static_cast<std::size_t>(scene.at));
    StepRecord& record = forge.steps[static_cast<std::size_t>(scene.at)].record;
    ASSERT_EQ(record.contacts.at(0).feature_id, 0u);
    record.contacts.at(0).feature_id = 1;
    expect_failure(forge.audit(), "mode", record.t, "spring");
  }
}

TEST(LagrangianAudit, refutes_what_is_no_number) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for_each_law([&](Forge& forge, std::size_t at, std::size_t i, const std::string&, const std::string& what) {
    Forge q = forge, u = forge;
    forge.steps[at].record.contacts[i].Lambda.x() = nan;
    q.change_row_after(at, [&](Row& row) { row.lagrangian_q[0] = nan; });
    u.change_row_after(at, [&](Row& row) { row.lagrangian_u[0] = nan; });
    EXPECT_EQ(forge.audit().verdict, Verdict::refuted) << what << ", impulse";
    EXPECT_EQ(q.audit().verdict, Verdict::refuted) << what << ", coordinate";
    EXPECT_EQ(u.audit().verdict, Verdict::refuted) << what << ", velocity";
  });
}

TEST(LagrangianAudit, refutes_every_entry_of_the_ledger) {
  const Forge& whole = recorded({"rolling_cylinder", 40, 20});
  for (double integrators::Ledger::*entry :
       {&integrators::Ledger::kinetic, &integrators::Ledger::potential, &integrators::Ledger::work_forces,
        &integrators::Ledger::work_impact, &integrators::Ledger::work_friction, &integrators::Ledger::work_bonds,
        &integrators::Ledger::scheme}) {
    Forge forge = short_copy(whole, 20);
    forge.steps[20].record.ledger.*entry += 1e-6;
    expect_failure(forge.audit(), "energy", forge.steps[20].record.t, "lagrangian");
  }
}

TEST(LagrangianAudit, refutes_another_start) {
  Forge forge = short_copy(recorded({"knife_edge", 40, 20}), 3);
  forge.steps[0].before.lagrangian_u[2] += 1e-9;
  expect_failure(forge.audit(), "start", 0, "phi");
}

// A motion that is wrong but consistent: a spring whose force is taken at the beginning of the step (explicit Euler).
// Balance, kinematics and ledger agree with it; only the law can tell.
TEST(LagrangianAudit, refutes_a_force_that_its_law_does_not_give) {
  Forge forge = short_copy(recorded({"oscillator", 40, 20}), 20);
  const double dt = forge.header.dt, m = 2, k = 4;
  Eigen::VectorXd q = forge.steps[0].before.lagrangian_q, u = forge.steps[0].before.lagrangian_u;
  for (Forge::Step& step : forge.steps) {
    step.before.lagrangian_q = q, step.before.lagrangian_u = u;
    ContactRecord& spring = step.record.contacts.at(0);
    const double E_0 = 0.5 * m * u[0] * u[0] + 0.5 * k * q[0] * q[0];
    spring.Lambda.x() = -dt * k * q[0];
    spring.gap = q[0] + 0.5 * dt * u[0];
    const double u_1 = u[0] + spring.Lambda.x() / m;
    q[0] += 0.5 * dt * (u[0] + u_1);
    u[0] = u_1;
    step.record.ledger.kinetic = 0.5 * m * u[0] * u[0];
    step.record.ledger.potential = 0.5 * k * q[0] * q[0];
    step.record.ledger.scheme = step.record.ledger.kinetic + step.record.ledger.potential - E_0;
    step.after.lagrangian_q = q, step.after.lagrangian_u = u;
  }
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::refuted) << failures(result);
  EXPECT_EQ(outcome(result, "natural_map").status, Status::fail) << failures(result);
  EXPECT_EQ(outcome(result, "natural_map").where, "spring");
}

}  // namespace
}  // namespace vinculum::audit
