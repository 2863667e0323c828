// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One pass over the text before toml++ sees it, for two things that it does not survive:
//   a character beyond ASCII outside strings and comments   runs into unreachable code (é, ß, ideographs) instead of an
//   error a key of very many parts, a.a.a.a....                   is nested without limit and taken apart recursively
// The pass knows comments and the four kinds of strings. It stops where a string does not end: toml++ reports that.
#include "vinculum/model/toml_scan.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <string_view>

namespace vinculum::model::reader {

namespace {

constexpr int most_parts = 256;  // of a key

// Index after the string that begins at i, or npos if it does not end. A string of several lines closes with three
// quotes, and up to two more just before them belong to it.
std::size_t skip_string(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const bool basic = quote == '"';
  const std::string fence(3, quote);
  const bool several_lines = text.substr(i, 3) == fence;
  for (std::size_t k = i + (several_lines ? 3 : 1); k < text.size(); ++k) {
    if (basic && text[k] == '\\') {
      ++k;
    } else if (!several_lines && text[k] == '\n') {
      return std::string_view::npos;
    } else if (!several_lines && text[k] == quote) {
      return k + 1;
    } else if (several_lines && text.substr(k, 3) == fence) {
      k += 3;
      for (int more = 0; more < 2 && k < text.size() && text[k] == quote; ++more) ++k;
      return k;
    }
  }
  return std::string_view::npos;
}

base::Place place_of(const std::string& text, std::size_t i, const std::string& file) {
  const auto at = text.begin() + static_cast<std::ptrdiff_t>(i);
  const auto line = std::count(text.begin(), at, '\n') + 1;
  const std::size_t begin = i == 0 ? 0 : text.rfind('\n', i - 1) + 1;  // npos + 1 = 0
  // Columns count characters: bytes that do not continue one.
  const auto column = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(begin), at,
                                    [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return {file, static_cast<int>(line), static_cast<int>(column) + 1};
}

}  // namespace

void check_scannable(const std::string& text, const std::string& file) {
  std::size_t i = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // byte order mark
  int dots = 0;                                              // in what could be one key
  while (i < text.size()) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '"' || c == '\'') {
      i = skip_string(text, i);
      if (i == std::string::npos) return;
      continue;
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      throw base::InputError(place_of(text, i, file), "syntax", "a character that is not ASCII",
                             "such characters only in strings (quoted keys included) and comments");
    }
    if (c == '\n' || c == ',' || c == '=') dots = 0;
    if (c == '.' && ++dots == most_parts) {
      throw base::InputError(place_of(text, i, file), "syntax", "a key of very many parts",
                             fmt::format("at most {} parts", most_parts));
    }
    ++i;
  }
}

}  // namespace vinculum::model::reader
