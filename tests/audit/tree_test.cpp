// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes with joints: honest runs are certified, what was changed is refuted by the right check.
#include "audit/forge.hpp"
#include "audit/tree_scenes.hpp"

namespace vinculum::audit {
namespace {

using checks::JointLaw;
using namespace tree_scenes;

constexpr double dt = 1e-3;

const Forge& run_of(const std::string& text) {
  static std::vector<std::pair<std::string, Forge>> done;
  for (const auto& [name, forge] : done) {
    if (name == text) return forge;
  }
  done.emplace_back(text, Forge::run(text, 300));
  return done.back().second;
}

bool is(const ContactRecord& c, JointLaw::Kind kind) { return c.shape_a == static_cast<int>(kind); }
bool pushes(const ContactRecord& c) { return c.Lambda.norm() > 1e-3; }

/// The last step in which a record passes the test, and the record.
template <class Test>
std::pair<std::size_t, ContactRecord*> find(Forge& forge, Test test) {
  for (std::size_t i = forge.steps.size(); i-- > 0;) {
    for (ContactRecord& c : forge.steps[i].record.contacts) {
      if (test(c)) return {i, &c};
    }
  }
  throw std::logic_error("no such record");
}

/// Refuted by the check, in step i or the one after it.
void expect_refuted(const Result& result, std::string_view check, std::size_t i, const std::string& where) {
  EXPECT_EQ(result.verdict, Verdict::refuted);
  const checks::Outcome& o = outcome(result, check);
  EXPECT_EQ(o.status, Status::fail) << check << ": " << failures(result);
  EXPECT_GE(o.time, static_cast<double>(i) * dt - 1e-9) << check;
  EXPECT_LE(o.time, static_cast<double>(i + 1) * dt + 1e-9) << check;
  EXPECT_NE(o.where.find(where), std::string::npos) << check << " names " << o.where;
}

void expect_certified(const std::string& text) {
  const Result result = run_of(text).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
  for (const char* check : {"start", "chain", "balance", "flight", "gap", "energy"}) {
    if (std::string_view(check) == "gap" && text == double_pendulum) continue;  // nothing that could be violated
    EXPECT_EQ(outcome(result, check).status, Status::pass) << check << " looked at nothing";
  }
}

// Joints that rub and do not move in free fall: velocities and impulses are rounding of the fall.
TEST(AuditOfTrees, certifies_rubbing_joints_in_free_fall) {
  std::string text = "[run]\ndt = 1e-3\n";
  for (int k = 0; k < 4; ++k) {
    text += fmt::format("[[body]]\nname = 'b{}'\nmass = {}\ninertia = [{}, {}, {}]\ncom = [{}, {}, {}]\n", k,
                        1.37 - 0.21 * k, 0.013 + 0.001 * k, 0.017 - 0.002 * k, 0.011 + 0.0007 * k, 0.03 * k,
                        0.07 - 0.01 * k, 0.05 + 0.013 * k);
  }
  text += "[[joint]]\nname = 'root'\ntype = 'free'\nchild = 'b0'\n";
  for (int k = 1; k < 4; ++k) {
    text += fmt::format(
        "[[joint]]\nname = 'j{}'\ntype = 'revolute'\nparent = 'b0'\nchild = 'b{}'\naxis = [{}, 1, {}]\nq = {}\n"
        "position = [{}, 0.1, 0.2]\nfriction = 0.13\narmature = 0.011\n",
        k, k, 0.3 * k, 0.7 - 0.2 * k, 0.4 * k, 0.1 * k);
  }
  const Result result = Forge::run(text, 100).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfTrees, certifies_a_double_pendulum) { expect_certified(double_pendulum); }
TEST(AuditOfTrees, certifies_limits_and_dry_friction) { expect_certified(limited); }
TEST(AuditOfTrees, certifies_an_arm_that_strikes_a_block) { expect_certified(striking); }
TEST(AuditOfTrees, certifies_a_four_bar_linkage) { expect_certified(four_bar); }
TEST(AuditOfTrees, certifies_a_floating_body_that_falls) { expect_certified(floating); }

TEST(AuditOfTrees, certifies_a_machine_with_everything) { expect_certified(machine); }

TEST(AuditOfTrees, looks_at_impacts_limits_and_friction_in_these_runs) {
  Forge limits = run_of(limited), strike = run_of(striking), loop = run_of(four_bar), fall = run_of(floating);
  EXPECT_NO_THROW(find(limits, [](const ContactRecord& c) { return c.shape_a >= -4 && c.mode == Mode::impact; }));
  EXPECT_NO_THROW(
      find(limits, [](const ContactRecord& c) { return is(c, JointLaw::Kind::friction) && c.Lambda.x() != 0; }));
  EXPECT_NO_THROW(find(strike, [](const ContactRecord& c) { return c.shape_a > 0 && pushes(c); }));
  EXPECT_NO_THROW(find(loop, [](const ContactRecord& c) { return is(c, JointLaw::Kind::points) && pushes(c); }));
  EXPECT_NO_THROW(find(fall, [](const ContactRecord& c) { return c.mode == Mode::impact && pushes(c); }));
}

bool is_limit_that_pushes(const ContactRecord& c) { return (c.shape_a == -3 || c.shape_a == -4) && pushes(c); }

TEST(AuditOfTrees, refutes_the_sign_of_a_limit_impulse) {
  Forge forge = run_of(limited);
  const auto [i, c] = find(forge, is_limit_that_pushes);
  c->Lambda *= -1;
  const Result result = forge.audit();
  expect_refuted(result, "balance", i, "");
  expect_refuted(result, "admissibility", i, "limit");
}

TEST(AuditOfTrees, refutes_one_percent_of_an_impulse) {
  for (const std::string& text : {limited, striking, four_bar, floating}) {
    Forge forge = run_of(text);
    const bool joints = text == limited || text == four_bar;
    const auto [i, c] =
        find(forge, [&](const ContactRecord& r) { return pushes(r) && (joints ? r.shape_a < -2 : r.shape_a >= 0); });
    c->Lambda *= 1.01;
    expect_refuted(forge.audit(), "balance", i, "");
  }
}

TEST(AuditOfTrees, refutes_dry_friction_beyond_its_bound_and_along_the_motion) {
  Forge forge = run_of(limited);
  const auto [i, c] = find(forge, [](const ContactRecord& r) {
    return is(r, JointLaw::Kind::friction) && r.shape_b == 0 && std::abs(r.Lambda.x()) > 1.9e-4;
  });
  c->Lambda *= -1.5;
  const Result result = forge.audit();
  expect_refuted(result, "admissibility", i, "shoulder (friction)");
  expect_refuted(result, "dissipation", i, "shoulder (friction)");
}

TEST(AuditOfTrees, refutes_a_joint_moved_by_a_microradian) {
  for (const std::string& text : {double_pendulum, limited, striking, four_bar, floating}) {
    Forge forge = run_of(text);
    change_joints(forge, 50, [](Row& row) { row.tree_q[row.tree_q.size() - 1] += 1e-6; });
    // In a loop part of the displacement may be the projection's, and the rest shows in other joints.
    expect_refuted(forge.audit(), "flight", 50, text == four_bar ? "" : forge.header.tree_v.back());
  }
}

TEST(AuditOfTrees, refutes_a_floating_base_moved_by_a_micrometre) {
  Forge forge = run_of(floating);
  change_joints(forge, 20, [](Row& row) { row.tree_q[1] += 1e-6; });
  expect_refuted(forge.audit(), "flight", 20, "root");
}

TEST(AuditOfTrees, refutes_a_four_bar_moved_along_its_own_motion) {
  Forge forge = run_of(four_bar);
  change_joints(forge, 50, [](Row& row) { row.tree_q += 1e-6 * row.tree_v; });
  expect_refuted(forge.audit(), "flight", 50, "");
}

TEST(AuditOfTrees, refutes_a_changed_velocity) {
  for (const std::string& text : {double_pendulum, limited, striking, four_bar, floating}) {
    Forge forge = run_of(text);
    change_joints(forge, 50, [](Row& row) { row.tree_v[row.tree_v.size() - 1] += 1e-6; });
    expect_refuted(forge.audit(), "balance", 50, "");
  }
}

TEST(AuditOfTrees, refutes_bodies_that_do_not_follow_their_joints) {
  Forge forge = run_of(double_pendulum);
  forge.change_row_after(50, [](Row& row) { row.x[1].y() += 1e-6; });
  expect_refuted(forge.audit(), "flight", 50, "lower (row of the body)");
  forge = run_of(double_pendulum);
  forge.change_row_after(50, [](Row& row) { row.w[0].z() += 1e-6; });
  expect_refuted(forge.audit(), "balance", 50, "upper (row of the body)");
}

TEST(AuditOfTrees, refutes_a_limit_impulse_moved_to_another_joint) {
  Forge forge = run_of(limited);
  const auto [i, c] = find(forge, is_limit_that_pushes);
  c->shape_b = 1 - c->shape_b;
  const Result result = forge.audit();
  expect_refuted(result, "balance", i, "");
  expect_refuted(result, "geometry", i, "limit");
}

TEST(AuditOfTrees, refutes_a_dropped_record) {
  for (const auto& [text, kind] :
       {std::pair(limited, JointLaw::Kind::friction), std::pair(four_bar, JointLaw::Kind::points)}) {
    Forge forge = run_of(text);
    const auto [i, c] = find(forge, [kind](const ContactRecord& r) { return is(r, kind) && r.Lambda.norm() > 0; });
    auto& records = forge.steps[i].record.contacts;
    records.erase(records.begin() + (c - records.data()));
    const Result result = forge.audit();
    expect_refuted(result, "balance", i, "");
    expect_refuted(result, "mode", i, "must act");
  }
}

TEST(AuditOfTrees, refutes_a_law_that_does_not_exist) {
  Forge forge = run_of(four_bar);
  const auto [i, c] = find(forge, [](const ContactRecord& r) { return is(r, JointLaw::Kind::points); });
  c->shape_b = 7;
  expect_refuted(forge.audit(), "mode", i, "");
}

TEST(AuditOfTrees, refutes_a_wrong_start_and_a_wrong_ledger) {
  Forge forge = run_of(double_pendulum);
  forge.steps[0].before.tree_v[0] += 1e-6;
  EXPECT_EQ(outcome(forge.audit(), "start").status, Status::fail);
  forge = run_of(double_pendulum);
  forge.steps[9].record.ledger.kinetic *= 1.001;
  expect_refuted(forge.audit(), "energy", 9, "ledger");
}

}  // namespace
}  // namespace vinculum::audit
