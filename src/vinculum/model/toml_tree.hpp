// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A TOML document as a plain tree in which every key and value knows its line and column. The parser (toml++) is heavy
// to include, so that only toml_tree.cpp sees it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::model::reader {

struct Key {
  std::string name;
  int line = 0;
  int column = 0;
};

struct Node {
  enum class Kind : std::uint8_t { boolean, integer, number, string, time, array, table };
  Kind kind = Kind::table;
  bool boolean = false;
  int line = 0;  // of the value; of the header for a table with one
  int column = 0;
  int text_line = 0, text_column = 0;  // string: of the first character behind the quotes
  std::int64_t integer = 0;
  double number = 0;
  std::string string;
  std::vector<Node> items;  // elements of an array; values of a table, in the order of the file
  std::vector<Key> keys;    // table: keys[i] names items[i]
};

/// The root table. Throws base::InputError for anything that is not TOML.
Node parse_toml(const std::string& text, const std::string& file);

/// The text with control characters replaced by escapes and at most 120 bytes kept: safe inside a one-line message.
std::string one_line(std::string_view text);

}  // namespace vinculum::model::reader
