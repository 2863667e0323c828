// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The program as a user meets it: what it prints, what it leaves behind, how it ends.
#include "cli/run_program.hpp"
#include "vinculum/trace/trace.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace vinculum {
namespace {

namespace fs = std::filesystem;

using test::Ended;
using test::run_program;

class Commands : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  const std::string folder = fs::temp_directory_path() / ("vinculum-cli-" + std::to_string(getpid()));
  const std::string scenes = std::string(VINCULUM_SOURCE_DIR) + "/scenes/";
};

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Commands, wrong_words_and_numbers_are_answered_with_what_was_expected) {
  const Ended word = run_program("rnu demo.toml");
  EXPECT_EQ(word.status, 2);
  EXPECT_NE(word.out.find("found rnu, expected a command: run, audit"), std::string::npos) << word.out;
  for (const char* number : {"--until -1", "--until nan", "--until 1s", "--tol 0", "--dt 0", "--dt inf"}) {
    const Ended ended = run_program("run " + scenes + "demo.toml " + number);
    EXPECT_EQ(ended.status, 2) << number;
    EXPECT_NE(ended.out.find(", expected a number >"), std::string::npos) << ended.out;
    EXPECT_EQ(lines(ended.out), 1u) << ended.out;
  }
}

TEST_F(Commands, every_command_has_help_with_an_example) {
  for (const char* command : {"", "run", "audit", "solve", "derive", "check", "list", "plot", "demo", "test"}) {
    const Ended ended = run_program(std::string(command) + " --help");
    EXPECT_EQ(ended.status, 0) << command;
    EXPECT_NE(ended.out.find("Example"), std::string::npos) << command;
  }
}

TEST_F(Commands, the_demo_is_certified_by_the_auditor) {
  const Ended ended = run_program("run " + scenes + "demo.toml --quiet --audit --out " + folder + "/demo.h5");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_NE(ended.out.find("verdict: certified\n"), std::string::npos) << ended.out;
}

TEST_F(Commands, wrong_words_are_one_line_and_status_two) {
  for (const char* words :
       {"", "rum", "run", "run no-such-scene.toml", "list lawz", "audit no-such-trace.h5", "run --dt"}) {
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.status, 2) << words << ": " << ended.out;
    EXPECT_EQ(lines(ended.out), 1u) << ended.out;
  }
  const std::string slope = scenes + "slope_stick.toml";
  for (const std::string words : {" --dt -1", " --tol 0", " --solver nsg", " --integrator euler", " --until nan"}) {
    EXPECT_EQ(run_program("run " + slope + words).status, 2) << words;
  }
  EXPECT_NE(run_program("run " + slope + " --solver nsg").out.find("auto, nsgs, prox_newton"), std::string::npos);
}

TEST_F(Commands, overlap_at_the_start_is_refused_with_pair_and_depth) {
  const std::string scene =
      write("overlap.toml",
            "[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\nmass = 1\nposition = [0, 0, 0.09]\n"
            "shape = { type = 'sphere', radius = 0.1 }\n");
  const Ended ended = run_program("check " + scene);
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.out, scene +
                           ":4:1: body.ball: found overlap of ball and floor by 0.01 m, expected shapes that do not "
                           "overlap at the start (or allow_penetration = true in [scene])\n");
  EXPECT_EQ(run_program("run " + scene + " --out " + folder + "/x.h5").status, 2);
  EXPECT_FALSE(fs::exists(folder + "/x.h5"));
}

TEST_F(Commands, forces_of_redundant_loops_are_reported_as_undetermined) {
  const std::string trace = folder + "/bricard.h5";
  const auto ran =
      nlohmann::json::parse(run_program("run " + scenes + "bricard.toml --until 0.1 --json --out " + trace).out);
  const auto audited = nlohmann::json::parse(run_program("audit " + trace + " --json").out);
  for (const auto& said : {ran["undetermined"], audited["undetermined"]}) {
    EXPECT_EQ(said["directions"], 1);
    EXPECT_EQ(said["loops"], nlohmann::json({"loop hinge 5"}));
    EXPECT_EQ(said["joints"], nlohmann::json({"hinge 0", "hinge 1", "hinge 2", "hinge 3", "hinge 4"}));
  }
  EXPECT_EQ(ran["undetermined"]["steps"], 100);
  EXPECT_NE(run_program("audit " + trace).out.find("forces of loop hinge 5 are not determined in 1 direction"),
            std::string::npos);
  const auto plain = nlohmann::json::parse(run_program("run " + scenes + "slope_slide.toml --until 0.01 --json").out);
  EXPECT_EQ(plain["undetermined"]["directions"], 0);
}

TEST_F(Commands, json_has_the_promised_fields) {
  const std::string trace = folder + "/slide.h5";
  const auto ran =
      nlohmann::json::parse(run_program("run " + scenes + "slope_slide.toml --until 0.1 --json --out " + trace).out);
  for (const char* field : {"verdict", "steps", "t", "wall_s", "contacts_max", "residual_max", "penetration_max",
                            "energy_added", "trace"}) {
    EXPECT_TRUE(ran.contains(field)) << field;
  }
  EXPECT_EQ(ran["verdict"], "certified");
  EXPECT_EQ(ran["steps"], 100);
  EXPECT_EQ(ran["contacts_max"], 4);
  const auto audited = nlohmann::json::parse(run_program("audit " + trace + " --json").out);
  EXPECT_EQ(audited["verdict"], "certified");
  for (const auto& check : audited["checks"]) {
    for (const char* field : {"name", "status", "residual", "tolerance", "time", "where"}) {
      EXPECT_TRUE(check.contains(field)) << field;
    }
  }
  EXPECT_TRUE(nlohmann::json::parse(run_program("list --json").out).contains("solvers"));
  EXPECT_EQ(nlohmann::json::parse(run_program("check " + scenes + "card_house.toml --json").out)["bodies"], 7);
}

TEST_F(Commands, plots_are_written_and_wrong_quantities_are_explained) {
  const std::string trace = folder + "/bounce.h5";
  ASSERT_EQ(run_program("run " + scenes + "bounce_zeno.toml --until 1 --quiet --out " + trace).status, 0);
  EXPECT_EQ(run_program("plot " + trace + " energy --out " + folder + "/energy.svg").status, 0);
  EXPECT_EQ(run_program("plot " + trace + " ball.z --out " + folder + "/height.svg").status, 0);
  EXPECT_EQ(run_program("plot " + trace + " snapshot --at 0.5 --forces --out " + folder + "/picture.svg").status, 0);
  for (const char* name : {"energy", "height", "picture"})
    EXPECT_GT(fs::file_size(folder + "/" + name + ".svg"), 1000u);
  const Ended wrong = run_program("plot " + trace + " ball.q --out " + folder + "/no.svg");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(lines(wrong.out), 1u) << wrong.out;
  EXPECT_EQ(run_program("plot " + trace + " energy ball.z --out " + folder + "/no.svg").status, 2);  // two units
}

/// All that a trace says, as text.
std::string contents(const std::string& path) {
  const trace::Reader reader(path);
  std::string all;
  for (const char* table : {"/state/q", "/state/v", "/contact/Lambda", "/step/ledger", "/step/residual_scaled"}) {
    const trace::Reader::Table t = reader.table(table);
    all.append(reinterpret_cast<const char*>(t.values.data()), t.values.size() * sizeof(double));
  }
  return all;
}

TEST_F(Commands, an_interrupted_run_resumes_to_the_same_bits) {
  const std::string scene = scenes + "billiard.toml", whole = folder + "/whole.h5", parts = folder + "/parts.h5";
  ASSERT_EQ(run_program("run " + scene + " --until 0.4 --out " + whole).status, 0);
  ASSERT_EQ(run_program("run " + scene + " --until 0.15 --out " + parts).status, 0);
  ASSERT_EQ(run_program("run " + scene + " --until 0.4 --resume --out " + parts).status, 0);
  EXPECT_EQ(contents(whole), contents(parts));
  EXPECT_EQ(run_program("run " + scene + " --until 0.5 --dt 1e-4 --resume --out " + parts).status, 2);  // another step
}

TEST_F(Commands, a_killed_run_leaves_a_trace_that_audits_and_resumes) {
  const std::string scene = scenes + "newtons_cradle.toml", trace = folder + "/killed.h5";
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stdout);
    execl(VINCULUM_PROGRAM, VINCULUM_PROGRAM, "run", scene.c_str(), "--until", "1000", "--out", trace.c_str(), nullptr);
    _exit(127);
  }
  for (int k = 0; k < 300 && !fs::exists(trace + ".checkpoint"); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ASSERT_TRUE(fs::exists(trace + ".checkpoint"));
  std::this_thread::sleep_for(std::chrono::milliseconds(130));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const Ended audited = run_program("audit " + trace);
  EXPECT_EQ(audited.status, 0) << audited.out;
  EXPECT_EQ(run_program("plot " + trace + " energy --out " + folder + "/energy.svg").status, 0);
  const double reached = trace::read_checkpoint(trace + ".checkpoint").state.t;
  const Ended resumed =
      run_program("run " + scene + " --resume --until " + std::to_string(reached + 0.05) + " --out " + trace);
  EXPECT_EQ(resumed.status, 0) << resumed.out;
}

TEST_F(Commands, the_number_of_threads_does_not_change_a_bit) {
  std::string bits[2];
  for (int threads : {1, 2}) {
    const std::string trace = folder + "/t" + std::to_string(threads) + ".h5";
    run_program("run " + scenes + "pour_1000.toml --until 0.225 --tol 1e-3 --record-every 25 --threads " +
                std::to_string(threads) + " --out " + trace);
    bits[threads - 1] = contents(trace);
  }
  EXPECT_GT(bits[0].size(), 1000u);
  EXPECT_EQ(bits[0], bits[1]);
}

TEST_F(Commands, an_installation_can_test_itself) { EXPECT_EQ(run_program("test").status, 0); }

}  // namespace
}  // namespace vinculum
