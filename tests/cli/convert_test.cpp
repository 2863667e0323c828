// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots on the command line: converted, checked, and what cannot be stepped yet is said in one line.
#include "cli/run_program.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

using test::Ended;
using test::run_program;

class Convert : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("vinculum_convert_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    std::ofstream(path("arm.xml")) << "<mujoco model='arm'><worldbody><body name='link'><joint name='hinge'/>"
                                      "<geom name='ball' size='.1' solref='.1 1'/></body></worldbody></mujoco>";
    std::ofstream(path("drop.xml")) << "<mujoco model='drop'><worldbody><geom type='plane' size='1 1 1'/>"
                                       "<body name='ball' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"
                                       "</mujoco>";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(Convert, writes_a_scene_that_check_reads) {
  const Ended convert = run_program("convert " + path("arm.xml") + " " + path("arm.toml") + " --json");
  ASSERT_EQ(convert.status, 0) << convert.out;
  const nlohmann::json json = nlohmann::json::parse(convert.out);
  EXPECT_EQ(json["joints"], 1);
  EXPECT_EQ(json["notices"][0]["what"], "geom.solref");
  const Ended check = run_program("check " + path("arm.toml") + " --json");
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_EQ(nlohmann::json::parse(check.out)["nq"], 1);
}

TEST_F(Convert, refuses_a_place_it_cannot_write) {
  const Ended outcome = run_program("convert " + path("arm.xml") + " " + path("none/arm.toml"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, path("none/arm.toml") +
                             ": file: found a place that cannot be written, expected a file to write the scene to\n");
}

TEST_F(Convert, free_bodies_of_an_mjcf_file_fall_and_are_certified) {
  const Ended outcome = run_program("run " + path("drop.xml") + " --until 0.1 --json --out " + path("drop.h5"));
  ASSERT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["verdict"], "certified");
  EXPECT_EQ(run_program("audit " + path("drop.h5")).status, 0);  // the trace carries the scene that the file amounts to
}

}  // namespace
}  // namespace vinculum::cli
