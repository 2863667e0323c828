// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes that start in violation, as a user meets them: robots as they come, and what cannot be mended.
#include "cli/run_program.hpp"
#include "interchange/support.hpp"

#include <nlohmann/json.hpp>

namespace vinculum::test {
namespace {

TEST(Start, robots_outside_their_limits_and_inside_the_floor_run_as_they_come_and_are_certified) {
  const std::filesystem::path data = interchange::shared_data();
  if (data.empty()) GTEST_SKIP() << "no folder shared/data above the checkout";
  const interchange::Folder folder;
  const std::string trace = folder.write("trace.h5", "");
  struct Expected {
    const char *file, *worst;
    double violation;
  };
  // Cassie's cranks are drawn at 0 with an upper limit of -30 degrees; the quadruped's floor lies at its trunk.
  for (const Expected& e : {Expected{"agility_cassie/scene.xml", "left-foot-crank (upper limit)", 0.5235987755982988},
                            Expected{"google_barkour_vb/scene_mjx.xml", "floor", 0}}) {
    const Ended ended = run_program("run " + (data / "mjcf/menagerie" / e.file).string() +
                                    " --until 0.1 --audit --json --out " + trace);
    EXPECT_EQ(ended.status, 0) << ended.out;
    const auto json = nlohmann::json::parse(ended.out);
    EXPECT_EQ(json["audit"]["verdict"], "certified");
    EXPECT_EQ(json["steps_violated"], 0);
    const auto& settled = json["settled"];
    EXPECT_GE(settled["rounds"], 1);
    EXPECT_LE(settled["violation"], 1e-9);
    EXPECT_NE(settled["worst"].get<std::string>().find(e.worst), std::string::npos) << settled;
    EXPECT_GE(settled["violation_before"].get<double>(), e.violation);  // angles: rad, over at most 1 m
  }
}

TEST(Start, what_cannot_be_mended_is_said_and_leaves_the_verdict_open) {
  const interchange::Folder folder;
  const std::string scene = folder.write("slot.toml", R"([scene]
allow_penetration = true
[[shape]]
name = "floor"
type = "plane"
[[shape]]
name = "ceiling"
type = "plane"
position = [0, 0, 0.9]
quaternion = [0, 1, 0, 0]
[[body]]
name = "box"
mass = 1
position = [0, 0, 0.45]
[[shape]]
body = "box"
type = "box"
size = [1, 1, 1]
)");
  const Ended ended = run_program("run " + scene + " --until 0.01 --quiet");
  EXPECT_EQ(ended.status, 3) << ended.out;
  EXPECT_NE(ended.out.find("the projection stalled"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("verdict: undecided"), std::string::npos) << ended.out;
}

}  // namespace
}  // namespace vinculum::test
