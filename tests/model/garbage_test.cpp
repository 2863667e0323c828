// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged scenes: the reader either reads them or throws one line. Run under the address sanitizer as well.
#include "model/support.hpp"

#include <cstdint>
#include <string>

namespace vinculum::model {
namespace {

const std::string fixture = R"(# a bit of everything
[scene]
name = "all"
gravity = [0, 0, -9.81]
[run]
dt = 1e-3
until = 2
solver = "auto"
[[material]]
name = "steel"
density = 7800
[[contact]]
materials = ["steel", "default"]
mu = 0.3
e_N = 0.5
[[contact]]
mu = 0.1
[[body]]
name = "ball"
position = [0, 1, 2.5]
rotation = { axis = [0, 0, 1], degrees = 30 }
shape = { type = "sphere", radius = 0.1, material = "steel" }
copies = { grid = [2, 2, 1], spacing = [0.3, 0.3, 0.3], jitter = 0.01, seed = 7 }
[[body]]
name = "block"
quaternion = [1, 0, 0, 0]
mass = 2
inertia = [1, 1, 2, 0, 0, 0]
[[shape]]
name = "wedge"
body = "block"
type = "hull"
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
[[shape]]
type = "plane"
[[force]]
body = "block"
force = [1, 0, 0]
to = 3
[[rod]]
a = "block"
b = "ball[2]"
point_a = [0, 0, 1]
[[spring]]
a = "block"
point_b = [0, 0, 3]
stiffness = 10
damping = 0.1
rest = 2
[[no_contact]]
bodies = ["block", "ball[1]"]
)";

std::uint64_t next(std::uint64_t& state) {  // SplitMix64
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// True if it was read; an InputError must be one line that begins with the file.
bool survives(const std::string& text) {
  const std::string message = error_of(text);
  if (message == "no error") return true;
  EXPECT_TRUE(message.starts_with("t.toml:")) << message;
  EXPECT_EQ(message.find_first_of("\n\r"), std::string::npos) << message;
  EXPECT_NE(message.find(": found "), std::string::npos) << message;
  EXPECT_NE(message.find(", expected "), std::string::npos) << message;
  return false;
}

TEST(Garbage, the_fixture_itself_is_a_scene) { EXPECT_EQ(error_of(fixture), "no error"); }

TEST(Garbage, truncated_scenes_are_read_or_refused_in_one_line) {
  for (std::size_t n = 0; n < fixture.size(); ++n) survives(fixture.substr(0, n));
}

TEST(Garbage, scenes_with_flipped_bytes_are_read_or_refused_in_one_line) {
  std::uint64_t state = 1;
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = fixture;
    const std::uint64_t flips = 1 + next(state) % 3;
    for (std::uint64_t k = 0; k < flips; ++k) {
      char& c = text[next(state) % text.size()];
      // half of the time any byte, otherwise a single bit, which often leaves legal TOML
      c = static_cast<char>(next(state) % 2 ? next(state) : static_cast<std::uint64_t>(c) ^ (1u << next(state) % 7));
    }
    read += survives(text);
  }
  EXPECT_GT(read, 20);    // the mutations are mild enough to reach past the parser
  EXPECT_LT(read, 1900);  // and strong enough to be refused
}

TEST(Garbage, scenes_with_lines_lost_doubled_or_swapped_are_read_or_refused_in_one_line) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < fixture.size();) {
    const std::size_t end = fixture.find('\n', begin) + 1;
    lines.push_back(fixture.substr(begin, end - begin));
    begin = end;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string lost, doubled, swapped;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (k != i) lost += lines[k];
      doubled += k == i ? lines[k] + lines[k] : lines[k];
      swapped += k == i && k + 1 < lines.size() ? lines[k + 1] : k == i + 1 ? lines[i] : lines[k];
    }
    survives(lost);
    survives(doubled);
    survives(swapped);
  }
}

TEST(Garbage, deep_nesting_does_not_exhaust_the_stack) {
  std::string keys = "a", arrays = "a = ";
  for (int i = 0; i < 1'000'000; ++i) keys += ".a";
  EXPECT_FALSE(survives(keys + " = 1\n"));
  EXPECT_FALSE(survives("[" + keys + "]\n"));
  EXPECT_FALSE(survives(arrays + std::string(1'000'000, '[')));
  std::string quoted = "\"a\"";
  for (int i = 0; i < 1'000'000; ++i) quoted += ".\"a\"";
  EXPECT_FALSE(survives(quoted + " = 1\n"));
}

TEST(Garbage, a_large_scene_is_read) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1\nshape = { type = \"sphere\", radius = 0.1 }\n";
  }
  EXPECT_EQ(parse_scene(text, "t.toml").bodies.size(), 20'000u);
}

}  // namespace
}  // namespace vinculum::model
