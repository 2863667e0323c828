// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Lagrangian scenes as a user meets them: `derive`, and the other commands on such scenes.
#include "cli/run_program.hpp"
#include "cli/svg_check.hpp"
#include "vinculum/trace/trace.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vinculum {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using test::Ended;
using test::run_program;

class Derive : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  /// A ball of mass 1 under g = 10 over the floor y = 0.
  std::string ball(const std::string& name, const std::string& q, const std::string& u) const {
    return write(name, "[lagrangian]\ncoordinates = [\"y\"]\nT = \"y'^2/2\"\nU = \"10*y\"\nq = [" + q + "]\nu = [" + u +
                           "]\n[[law]]\nname = \"floor\"\ntype = \"unilateral\"\ngap = \"y\"\n");
  }

  const std::string folder = fs::temp_directory_path() / ("vinculum-derive-" + std::to_string(getpid()));
  const std::string scenes = std::string(VINCULUM_SOURCE_DIR) + "/scenes/glocker/";
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Derive, prints_the_equations_and_what_the_laws_do) {
  const Ended ended = run_program("derive " + scenes + "double_pendulum.toml");
  EXPECT_EQ(ended.status, 0) << ended.out;
  for (const char* line : {"M a = h + f + W lambda\n", "  M[1,1] = ", "  M[2,1] = ", "  M[2,2] = ", "  h[1] = ",
                           "  f[2] = ", "law wall (unilateral): open, -lambda in {0}\n", "  gap   = ", "  rate  = ",
                           "  drift = ", "at t = 0, q = (-1.2, -1.5), u = (0, 0):\n", "  closed (I0): none",
                           "  certificate: ", "  A: pass\n", "  J: pass\n", "  G: pass\n", "  Z: pass\n"}) {
    EXPECT_TRUE(has(ended.out, line)) << line << " in\n" << ended.out;
  }
  EXPECT_FALSE(has(ended.out, "\\")) << "LaTeX without being asked";
}

TEST_F(Derive, prints_latex_when_asked) {
  const Ended ended = run_program("derive " + scenes + "double_pendulum.toml --latex");
  EXPECT_EQ(ended.status, 0) << ended.out;
  for (const char* part : {"\\dot{a}", "\\cos\\left(a - b\\right)", "m_{2}", "\\frac{"}) {
    EXPECT_TRUE(has(ended.out, part)) << part << " in\n" << ended.out;
  }
  EXPECT_FALSE(has(ended.out, "a'")) << ended.out;
}

// The cylinder at the angle a = 0.1 from the top, at rest: λ = m g cos a, acceleration g sin a along the tangent.
TEST_F(Derive, json_has_formulas_and_numbers) {
  const Ended ended = run_program("derive " + scenes + "off_the_cylinder.toml --json");
  ASSERT_EQ(ended.status, 0) << ended.out;
  const json o = json::parse(ended.out);
  EXPECT_EQ(o["coordinates"], json({"x", "y"}));
  for (const char* field : {"T", "U", "M", "h", "f", "laws", "state"}) EXPECT_TRUE(o.contains(field)) << field;
  EXPECT_EQ(o["M"], json({"m", "0", "0", "m"}));
  EXPECT_EQ(o["f"], json({"0", "-m*g"}));
  const json& law = o["laws"].at(0);
  EXPECT_EQ(law["name"], "cylinder");
  EXPECT_EQ(law["type"], "unilateral");
  EXPECT_EQ(law["state"], "active");
  EXPECT_EQ(law["rows"].size(), 1u);
  for (const char* field : {"gap", "rate", "drift", "direction"}) EXPECT_TRUE(law["rows"][0].contains(field)) << field;
  const json& state = o["state"];
  EXPECT_EQ(state["I0"], json({"cylinder"}));
  EXPECT_EQ(state["I1"], json({"cylinder"}));
  const json& a = state["accelerations"];
  EXPECT_TRUE(a["solved"].get<bool>());
  EXPECT_TRUE(a["convex"].get<bool>());
  EXPECT_NEAR(a["lambda"][0].get<double>(), 10 * std::cos(0.1), 1e-12);
  EXPECT_NEAR(a["a"][0].get<double>(), 10 * std::sin(0.1) * std::cos(0.1), 1e-12);
  EXPECT_NEAR(a["a"][1].get<double>(), -10 * std::sin(0.1) * std::sin(0.1), 1e-12);
  for (const char* field : {"balance", "feasibility", "domain", "gap"}) {
    EXPECT_LE(std::abs(a["certificate"][field].get<double>()), 1e-12) << field;
  }
  ASSERT_EQ(state["principles"].size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(state["principles"][i]["name"], std::string(1, "AJGZ"[i]));
    EXPECT_EQ(state["principles"][i]["status"], "pass");
  }
  EXPECT_FALSE(state.contains("refused"));
}

TEST_F(Derive, forces_that_are_not_determined_are_shown_as_such) {
  const Ended ended = run_program("derive " + scenes + "redundant_floor.toml --json");
  ASSERT_EQ(ended.status, 0) << ended.out;
  const json a = json::parse(ended.out)["state"]["accelerations"];
  EXPECT_NEAR(a["lambda"][0].get<double>() + a["lambda"][1].get<double>(), 10, 1e-12);
  ASSERT_EQ(a["undetermined"].size(), 1u);
  EXPECT_NEAR(a["undetermined"][0][0].get<double>() + a["undetermined"][0][1].get<double>(), 0, 1e-14);
  EXPECT_TRUE(has(run_program("derive " + scenes + "redundant_floor.toml").out, "lambda may change along"));
}

TEST_F(Derive, works_on_every_scene_of_the_folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(scenes)) {
    const std::string scene = entry.path().string();
    const Ended ended = run_program("derive " + scene + " --json");
    EXPECT_EQ(ended.status, 0) << scene << ": " << ended.out;
    if (ended.status == 0) {
      const json state = json::parse(ended.out)["state"];
      EXPECT_TRUE(state.contains("accelerations")) << scene;
      for (const json& p : state["principles"]) EXPECT_NE(p["status"], "fail") << scene << " " << p.dump();
    }
    ++count;
  }
  EXPECT_GE(count, 14);
}

// Friction that is coupled to its normal force has no potential: accelerations yes, least constraint no.
TEST_F(Derive, coupled_friction_has_accelerations_but_no_least_constraint) {
  const Ended ended = run_program("derive " + scenes + "rolling_cylinder.toml --json");
  ASSERT_EQ(ended.status, 0) << ended.out;
  const json state = json::parse(ended.out)["state"];
  EXPECT_NEAR(state["accelerations"]["a"][0].get<double>(), 8 / std::sqrt(5.0), 1e-9);  // g (sin α − 0.1 cos α)
  EXPECT_FALSE(state["accelerations"]["convex"].get<bool>());
  EXPECT_NE(state["principles"][3]["status"], "pass");
  EXPECT_NE(state["principles"][3]["why"], "");
}

TEST_F(Derive, a_state_that_needs_an_impact_or_penetrates_is_refused) {
  EXPECT_EQ(run_program("derive " + ball("rest.toml", "0", "0")).status, 0);
  EXPECT_EQ(run_program("derive " + ball("leaves.toml", "0", "1")).status, 0);
  const Ended impact = run_program("derive " + ball("impact.toml", "0", "-3"));
  EXPECT_EQ(impact.status, 1) << impact.out;
  EXPECT_TRUE(has(impact.out, "no acceleration: law \"floor\": found a gap rate of -3")) << impact.out;
  EXPECT_TRUE(has(impact.out, "an impact is needed first")) << impact.out;
  const Ended inside = run_program("derive " + ball("inside.toml", "-0.25", "0") + " --json");
  EXPECT_EQ(inside.status, 1) << inside.out;
  const json state = json::parse(inside.out)["state"];
  EXPECT_TRUE(has(state["refused"].get<std::string>(), "law \"floor\": found a gap of -0.25")) << inside.out;
  EXPECT_FALSE(state.contains("accelerations"));
}

TEST_F(Derive, a_scene_of_bodies_has_nothing_to_derive) {
  const std::string scene = std::string(VINCULUM_SOURCE_DIR) + "/scenes/slope_stick.toml";
  const Ended ended = run_program("derive " + scene);
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.out, scene + ": lagrangian: found nothing, expected a table [lagrangian] to derive\n");
  EXPECT_EQ(run_program("derive no-such-scene.toml").status, 2);
  EXPECT_EQ(run_program("derive").status, 2);
  const Ended wrong =
      run_program("derive " + write("wrong.toml", "[lagrangian]\ncoordinates = [\"y\"]\nT = \"y'^2/\"\n"));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.out, folder + "/wrong.toml:3:11: lagrangian.T: found the end, expected a number, a name or '('\n");
}

TEST_F(Derive, a_mass_matrix_that_is_not_definite_is_bad_input) {
  const std::string scene = write("flat.toml", "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x' + y')^2\"\n");
  for (const char* command : {"derive ", "run "}) {
    const Ended ended = run_program(command + scene);
    EXPECT_EQ(ended.status, 2) << command << ended.out;
    EXPECT_TRUE(has(ended.out, "positive definite")) << ended.out;
    EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 1) << ended.out;
  }
}

TEST_F(Derive, has_help_with_an_example) {
  const Ended ended = run_program("derive --help");
  EXPECT_EQ(ended.status, 0);
  const auto at = ended.out.find("Example: vinculum derive ");
  ASSERT_NE(at, std::string::npos) << ended.out;
  std::istringstream words(ended.out.substr(at + 25));
  std::string scene;
  words >> scene;
  EXPECT_TRUE(fs::exists(std::string(VINCULUM_SOURCE_DIR) + "/" + scene)) << scene << " is not in the tree";
}

/// All that a trace says, as text.
std::string contents(const std::string& path) {
  const trace::Reader reader(path);
  std::string all;
  for (const char* table :
       {"/state/lagrangian_q", "/state/lagrangian_u", "/contact/Lambda", "/step/ledger", "/step/residual_scaled"}) {
    const trace::Reader::Table t = reader.table(table);
    all.append(reinterpret_cast<const char*>(t.values.data()), t.values.size() * sizeof(double));
  }
  return all;
}

TEST_F(Derive, an_interrupted_run_of_such_a_scene_resumes_to_the_same_bits) {
  for (const std::string name : {"rolling_cylinder", "play_spring", "redundant_floor"}) {
    const std::string scene = scenes + name + ".toml", whole = folder + "/whole.h5", parts = folder + "/parts.h5";
    ASSERT_EQ(run_program("run " + scene + " --until 0.9 --out " + whole).status, 0) << name;
    ASSERT_EQ(run_program("run " + scene + " --until 0.35 --out " + parts).status, 0) << name;
    const Ended resumed = run_program("run " + scene + " --until 0.9 --resume --out " + parts);
    ASSERT_EQ(resumed.status, 0) << name << resumed.out;
    EXPECT_GT(contents(whole).size(), 1000u) << name;
    EXPECT_TRUE(contents(whole) == contents(parts)) << name;
    const Ended audited = run_program("audit " + parts);
    EXPECT_EQ(audited.status, 0) << name << audited.out;
  }
}

TEST_F(Derive, run_reports_coordinates_and_audits) {
  const Ended ended = run_program("run " + scenes + "bounce.toml --until 1.2 --json --audit --out " + folder + "/b.h5");
  ASSERT_EQ(ended.status, 0) << ended.out;
  const json o = json::parse(ended.out);
  EXPECT_EQ(o["verdict"], "certified");
  EXPECT_EQ(o["steps"], 1200);
  EXPECT_EQ(o["audit"]["verdict"], "certified");
  EXPECT_TRUE(has(run_program("run " + scenes + "bounce.toml --until 0.1").out, "1 coordinate,"));
}

TEST_F(Derive, check_says_what_such_a_scene_has) {
  const std::string scene = scenes + "rolling_cylinder.toml";
  const Ended ended = run_program("check " + scene);
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_TRUE(has(ended.out, "good: 3 coordinates, 2 laws")) << ended.out;
  const json o = json::parse(run_program("check " + scene + " --json").out);
  EXPECT_EQ(o["verdict"], "good");
  EXPECT_EQ(o["coordinates"], 3);
  EXPECT_EQ(o["laws"], 2);
  const Ended wrong =
      run_program("check " + write("wrong.toml", "[lagrangian]\ncoordinates = [\"y\"]\nT = \"z'^2\"\n"));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.out, ":3:6: lagrangian.T: found z'")) << wrong.out;
}

// As for overlapping bodies: the first step would mend such a start by a leap, with energy from nowhere.
TEST_F(Derive, a_start_that_violates_its_gaps_is_refused) {
  const std::string inside = ball("inside.toml", "-0.25", "0");
  for (const std::string& command : {"check " + inside, "run " + inside + " --out " + folder + "/x.h5"}) {
    const Ended ended = run_program(command);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_EQ(ended.out, inside +
                             ":10:8: law[0].gap: found a gap of -0.25 at the start, expected a gap >= 0 (or "
                             "allow_penetration = true in [scene])\n");
  }
  const std::string bond = write("bond.toml",
                                 "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\nq = [0, 1e-3]\n"
                                 "[[law]]\ntype = \"bilateral\"\ngap = [\"x\", \"y\"]\n");
  EXPECT_EQ(run_program("check " + bond).out,
            bond +
                ":7:14: law[0].gap[1]: found a gap of 0.001 at the start, expected a gap = 0 "
                "(or allow_penetration = true in [scene])\n");
}

TEST_F(Derive, list_laws_shows_every_law_in_two_columns) {
  const Ended ended = run_program("list laws");
  EXPECT_EQ(ended.status, 0);
  for (const char* name : {"unilateral", "bilateral", "coulomb", "dry_friction", "disc_friction", "ellipse_friction",
                           "contensou", "stribeck", "play_spring", "clutch", "nonholonomic", "disc_container"}) {
    EXPECT_TRUE(has(ended.out, std::string(name) + " ")) << name;
  }
  const json laws = json::parse(run_program("list laws --json").out)["laws"];
  EXPECT_GE(laws.size(), 21u);
}

TEST_F(Derive, plots_show_coordinates_and_their_velocities) {
  const std::string trace = folder + "/b.h5";
  ASSERT_EQ(run_program("run " + scenes + "double_pendulum.toml --until 0.5 --quiet --out " + trace).status, 0);
  for (const std::string words : {"a b", "\"a'\" \"b'\"", "energy"}) {
    const std::string picture = folder + "/p.svg";
    const Ended ended = run_program("plot " + trace + " " + words + " --out " + picture);
    EXPECT_EQ(ended.status, 0) << words << ended.out;
    std::ifstream in(picture);
    std::stringstream svg;
    svg << in.rdbuf();
    EXPECT_TRUE(cli::well_formed(svg.str())) << words;
    EXPECT_FALSE(cli::has_bad_number(svg.str())) << words;
    fs::remove(picture);
  }
  const Ended wrong = run_program("plot " + trace + " c --out " + folder + "/no.svg");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.out, "or a coordinate")) << wrong.out;
  EXPECT_EQ(run_program("plot " + trace + " a \"a'\" --out " + folder + "/no.svg").status, 2);  // two units
}

}  // namespace
}  // namespace vinculum
