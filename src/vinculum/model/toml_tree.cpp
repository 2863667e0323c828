// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/toml_tree.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/model/toml_scan.hpp"

#include <fmt/core.h>
#include <algorithm>

// The parser is compiled into this file: no shared library to find at run time.
#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
// Some of its assertions fail for damaged text that the code behind them reports properly; with NDEBUG they even become
// assumptions for the optimiser. Neither is wanted for input from outside.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

namespace vinculum::model::reader {

namespace {

Node convert(const toml::node& source);

void convert_table(const toml::table& table, Node& node) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, value] : table) entries.emplace_back(&key, &value);
  // toml++ sorts by key; errors are reported in the order of the file.
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
  for (const auto& [key, value] : entries) {
    const auto begin = key->source().begin;
    node.keys.push_back({std::string(key->str()), static_cast<int>(begin.line), static_cast<int>(begin.column)});
    node.items.push_back(convert(*value));
  }
}

Node convert(const toml::node& source) {
  Node node;
  node.line = static_cast<int>(source.source().begin.line);
  node.column = static_cast<int>(source.source().begin.column);
  if (const auto* boolean = source.as_boolean()) {
    node.kind = Node::Kind::boolean;
    node.boolean = boolean->get();
  } else if (const auto* integer = source.as_integer()) {
    node.kind = Node::Kind::integer;
    node.integer = integer->get();
    node.number = static_cast<double>(node.integer);
  } else if (const auto* number = source.as_floating_point()) {
    node.kind = Node::Kind::number;
    node.number = number->get();
  } else if (const auto* string = source.as_string()) {
    node.kind = Node::Kind::string;
    node.string = string->get();
  } else if (const auto* array = source.as_array()) {
    node.kind = Node::Kind::array;
    node.items.reserve(array->size());
    for (const toml::node& item : *array) node.items.push_back(convert(item));
  } else if (const auto* table = source.as_table()) {
    node.kind = Node::Kind::table;
    convert_table(*table, node);
  } else {
    node.kind = Node::Kind::time;
  }
  return node;
}

/// Where each line of a text begins.
std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

/// Strings begin behind one quote or three; a line break directly behind three does not belong to them.
void place_texts(std::string_view text, const std::vector<std::size_t>& starts, Node& node) {
  for (Node& item : node.items) place_texts(text, starts, item);
  if (node.kind != Node::Kind::string) return;
  node.text_line = node.line;
  node.text_column = node.column + 1;
  if (node.line < 1 || static_cast<std::size_t>(node.line) > starts.size()) return;
  std::size_t at = starts[static_cast<std::size_t>(node.line - 1)];
  for (int column = 1; column < node.column && at < text.size(); ++column) {
    do ++at;
    while (at < text.size() && (text[at] & 0xc0) == 0x80);
  }
  const std::string_view rest = text.substr(std::min(at, text.size()));
  if (!rest.starts_with("\"\"\"") && !rest.starts_with("'''")) return;
  node.text_column = node.column + 3;
  const std::string_view behind = rest.substr(3);
  if (behind.starts_with("\n") || behind.starts_with("\r\n")) ++node.text_line, node.text_column = 1;
}

// toml++ says "Error while parsing A: expected B, saw C", or "Error while parsing A: B", or just "B".
[[noreturn]] void fail_syntax(const toml::parse_error& error, const std::string& file) {
  const auto begin = error.source().begin;
  const base::Place place{file, static_cast<int>(begin.line), static_cast<int>(begin.column)};
  const std::string text(error.description());
  const auto expected = text.rfind(": expected ");
  const auto saw = text.rfind(", saw ");
  if (expected != std::string::npos && saw != std::string::npos && expected < saw) {
    const auto wanted = expected + std::string_view(": expected ").size();
    throw base::InputError(place, "syntax", one_line(text.substr(saw + std::string_view(", saw ").size())),
                           one_line(text.substr(wanted, saw - wanted)));
  }
  const std::string_view prefix = "Error while parsing ";
  throw base::InputError(place, "syntax", one_line(text.starts_with(prefix) ? text.substr(prefix.size()) : text),
                         "valid TOML");
}

}  // namespace

Node parse_toml(const std::string& text, const std::string& file) {
  check_scannable(text, file);
  try {
    Node root = convert(toml::parse(std::string_view(text)));
    place_texts(text, line_starts(text), root);
    return root;
  } catch (const toml::parse_error& error) {
    fail_syntax(error, file);
  }
}

std::string one_line(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 120);
  while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) --end;  // do not cut a UTF-8 character
  std::string line;
  for (const char c : text.substr(0, end)) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line += c;
    }
  }
  if (end < text.size()) line += "...";
  return line;
}

}  // namespace vinculum::model::reader
