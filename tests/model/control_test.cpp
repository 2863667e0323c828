// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of controls in a CSV file becomes part of the scene's text, so that a trace needs no other file.
#include "vinculum/model/model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace vinculum::model {
namespace {

const std::string head =
    "[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = 'j'\ntype = 'prismatic'\nchild = 'b'\n"
    "[[actuator]]\nname = 'one'\ntype = 'torque'\njoint = 'j'\nctrl = 0.25\n"
    "[[actuator]]\nname = 'two'\ntype = 'torque'\njoint = 'j'\n";

struct CsvFile {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("vinculum_control_" + std::to_string(getpid()));
  explicit CsvFile(const std::string& text) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "drive.csv") << text;
  }
  ~CsvFile() { std::filesystem::remove_all(folder); }
};

TEST(ControlTable, of_a_file_travels_with_the_text_of_the_scene) {
  for (const char quote : {'"', '\''}) {
    const std::string line = fmt::format("[control]\ntable = {0}drive.csv{0}  # how it goes\n", quote);
    std::string text;
    Control read;
    {
      const CsvFile file("t, two\n0, 1\n0.1, -2.5\n1e3, 0.30000000000000004\n");
      const Model model = parse_scene(head + line, (file.folder / "scene.toml").string());
      text = model.text;
      read = model.control.value();
    }
    EXPECT_EQ(read.times, (std::vector<double>{0, 0.1, 1e3}));
    EXPECT_EQ(read.values[2], (std::vector<double>{0.25, 0.30000000000000004}));  // `one` keeps its ctrl
    EXPECT_EQ(text.find("drive.csv"), std::string::npos);
    EXPECT_NE(text.find("# how it goes"), std::string::npos);
    const Model again = parse_scene(text, "elsewhere.toml");  // the file is gone
    EXPECT_EQ(again.control->times, read.times);
    EXPECT_EQ(again.control->values, read.values);
    EXPECT_EQ(again.text, text);
  }
}

TEST(ControlTable, is_linear_between_rows_and_constant_outside) {
  Control control;
  control.times = {1, 2, 4};
  control.values = {{0}, {1}, {-1}};
  for (const auto& [t, value] : {std::pair(0.0, 0.0), {1.0, 0.0}, {1.25, 0.25}, {2.0, 1.0}, {3.5, -0.5}, {9.0, -1.0}})
    EXPECT_EQ(control_value(control, 0, t), value) << t;
}

}  // namespace
}  // namespace vinculum::model
