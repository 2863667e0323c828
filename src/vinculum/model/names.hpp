// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of one kind of thing (bodies, materials, ...): each used once, found again by reference.
#pragma once

#include "vinculum/model/toml_reader.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace vinculum::model {

class Names {
 public:
  explicit Names(std::string_view kind) : kind_(kind) {}

  /// Fails at `where` if the name is taken or reserved ("world").
  void add(const std::string& name, int index, const reader::Value& where);
  /// `name` stands for the copies name[0] ... name[count - 1] and cannot be referred to itself.
  void add_copied(const std::string& name, int count, const reader::Value& where);

  /// Index of the thing that the value names; fails with the nearest name if there is none.
  int find(const reader::Value& reference) const;

 private:
  struct Entry {
    int index = 0;
    int copies = 0;  // > 0: the name of a family of copies
    int line = 0;
  };
  void insert(const std::string& name, Entry entry, const reader::Value& where);

  std::string_view kind_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace vinculum::model
