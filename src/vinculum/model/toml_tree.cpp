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
    return convert(toml::parse(std::string_view(text)));
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
