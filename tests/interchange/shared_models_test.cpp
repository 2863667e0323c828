// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots as they come: every model of shared/data/mjcf is read, and the scene that is written of it says the same.
#include "interchange/support.hpp"
#include "vinculum/model/write.hpp"

#include <fstream>
#include <sstream>

namespace vinculum::interchange {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> models() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(shared_data() / "mjcf")) {
    const std::string extension = entry.path().extension();
    if (extension == ".xml" || extension == ".urdf") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

#define NEED_SHARED_DATA() \
  if (shared_data().empty()) GTEST_SKIP() << "no folder shared/data above the checkout"

TEST(SharedModels, every_one_is_read_and_written_and_read_again) {
  NEED_SHARED_DATA();
  int count = 0;
  for (const fs::path& file : models()) {
    try {
      model::Model m = read_model(file);
      model::Model again = model::parse_scene(m.text, "again.toml");
      again.notices = m.notices;
      EXPECT_EQ(model::write_scene(again) == m.text, true) << file;
      ASSERT_EQ(m.bodies.size(), again.bodies.size());
      for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        EXPECT_EQ(m.bodies[i].X_WB.p, again.bodies[i].X_WB.p) << file << m.bodies[i].name;
        EXPECT_EQ(m.bodies[i].X_WB.R.coeffs(), again.bodies[i].X_WB.R.coeffs()) << file << m.bodies[i].name;
      }
      ++count;
    } catch (const base::InputError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(count, 26);
}

// Sizes as MuJoCo 4.0 prints them for these files (nq, nv, nu); bodies that move.
TEST(SharedModels, sizes_are_those_of_mujoco) {
  NEED_SHARED_DATA();
  struct Expected {
    const char* file;
    int nq, nv;
    std::size_t nu, bodies;
  };
  for (const Expected& e : {Expected{"mujoco/humanoid/humanoid.xml", 28, 27, 21, 16},
                            {"mujoco/humanoid/22_humanoids.xml", 616, 594, 462, 352},
                            {"mujoco/sleep/dominos.xml", 672, 576, 0, 96},
                            {"menagerie/agility_cassie/scene.xml", 35, 32, 10, 25},
                            {"menagerie/robotiq_2f85/2f85.xml", 8, 8, 1, 12},
                            {"menagerie/google_barkour_vb/scene.xml", 19, 18, 12, 13},
                            {"menagerie/wonik_allegro/right_hand.xml", 16, 16, 16, 20},
                            {"menagerie/kuka_iiwa_14/scene.xml", 7, 7, 7, 7}}) {
    const model::Model m = read_mjcf(shared_data() / "mjcf" / e.file);
    EXPECT_EQ(nq(m), e.nq) << e.file;
    EXPECT_EQ(nv(m), e.nv) << e.file;
    EXPECT_EQ(m.actuators.size(), e.nu) << e.file;
    EXPECT_EQ(m.bodies.size(), e.bodies) << e.file;
  }
}

TEST(SharedModels, the_loops_of_cassie_and_of_the_gripper_close_at_their_keyframes_or_starts) {
  NEED_SHARED_DATA();
  model::Model cassie = read_mjcf(shared_data() / "mjcf/menagerie/agility_cassie/scene.xml");
  ASSERT_EQ(cassie.connects.size(), 4u);
  ASSERT_GE(cassie.keyframes.size(), 1u);
  start_at(cassie, 0);
  for (const model::Connect& connect : cassie.connects) {
    const auto point = [&](int b, const algebra::Vec3& x) {
      return b == model::world ? x : algebra::Vec3(cassie.bodies[static_cast<std::size_t>(b)].X_WB * x);
    };
    // The keyframe is typed with six digits, and the connection points follow from the file's drawn configuration.
    EXPECT_LT((point(connect.a, connect.point_a) - point(connect.b, connect.point_b)).norm(), 5e-3) << connect.name;
  }
}

}  // namespace
}  // namespace vinculum::interchange
