// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/scene.md describes exactly the keys that the reader knows, and its snippets are scenes.
#include "model/support.hpp"
#include "vinculum/model/keys.hpp"

#include <algorithm>
#include <fstream>
#include <set>

namespace vinculum::model {
namespace {

std::vector<std::string> lines_of_documentation() {
  std::ifstream stream(VINCULUM_SOURCE_DIR "/docs/scene.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What stands between the first pair of backticks, without brackets.
std::string name_in(const std::string& line) {
  const std::size_t begin = line.find('`') + 1;
  std::string name = line.substr(begin, line.find('`', begin) - begin);
  std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
  return name;
}

// Rows "| `key` | type | unit | default | meaning |" (six bars) under a heading "## `[[table]]`", as table.key.
std::set<std::string> documented_keys() {
  std::set<std::string> keys;
  std::string table;
  for (const std::string& line : lines_of_documentation()) {
    if (line.starts_with("## `") || line.starts_with("### `")) table = name_in(line);
    if (line.starts_with("| `") && std::count(line.begin(), line.end(), '|') == 6)
      keys.insert(table + "." + name_in(line));
  }
  return keys;
}

TEST(SceneDocumentation, describes_every_key_the_reader_knows_and_no_other) {
  const std::vector<std::string> known = known_keys();
  EXPECT_EQ(documented_keys(), std::set<std::string>(known.begin(), known.end()));
}

TEST(SceneDocumentation, lists_every_shape) {
  const std::vector<std::string> lines = lines_of_documentation();
  for (const shapes::ShapeType& type : shapes::shape_types()) {
    const std::string row = "| `" + std::string(type.name) + "` |";
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(row); }))
        << row;
  }
}

TEST(SceneDocumentation, every_snippet_is_a_scene) {
  std::string snippet;
  bool inside = false;
  int count = 0;
  for (const std::string& line : lines_of_documentation()) {
    if (line == "```toml") {
      inside = true;
      snippet.clear();
    } else if (inside && line == "```") {
      inside = false;
      ++count;
      EXPECT_EQ(error_of(snippet), "no error") << snippet;
    } else if (inside) {
      snippet += line + "\n";
    }
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace vinculum::model
