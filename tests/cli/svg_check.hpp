// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A picture must be well formed: every element closed in order, no "nan" or "inf" among the numbers.
#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace vinculum::cli {

inline bool well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
  }
  return open.empty();
}

inline bool has_bad_number(const std::string& svg) {
  for (const char* word : {"nan", "inf"}) {
    for (std::size_t at = svg.find(word); at != std::string::npos; at = svg.find(word, at + 1)) {
      const char before = at > 0 ? svg[at - 1] : ' ';
      if (std::isalpha(static_cast<unsigned char>(before)) == 0) return true;
    }
  }
  return false;
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace vinculum::cli
