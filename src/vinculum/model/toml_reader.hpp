// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed access to a TOML tree. Whatever is wrong is reported as one line with the place of the offending value:
//   slope.toml:14:8: body[2].mass: found -1, expected a positive number (kg)
//
// A Table is opened with the keys it may have: an unknown key fails at once. It also records which keys were read, so
// that `finish` can report a key that is legal somewhere but has no effect here.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/model/toml_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::model::reader {

using algebra::Vec3;

/// What a number must satisfy; nan and inf never do.
enum class Bound { finite, positive, nonnegative, fraction };

/// A value with its path (`body[2].mass`).
class Value {
 public:
  Value(const Node& node, const std::string& file, std::string path)
      : node_(&node), file_(&file), path_(std::move(path)) {}

  const Node& node() const { return *node_; }
  const std::string& file() const { return *file_; }
  const std::string& path() const { return path_; }
  base::Place place() const { return {*file_, node_->line, node_->column}; }

  double number(Bound bound, std::string_view unit) const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  bool boolean() const;
  std::string string() const;
  std::string name() const;  // a string that is not empty and has no control characters
  std::vector<double> numbers(std::size_t count, Bound bound, std::string_view unit) const;
  Vec3 vector(std::string_view unit, Bound bound = Bound::finite) const;

  /// Elements of an array; `expected` says what the array should be when this is none.
  std::size_t size(std::string_view expected) const;
  Value item(std::size_t i) const;

  std::string describe() const;  // for "found ..."
  [[noreturn]] void fail(std::string_view expected) const { fail(describe(), expected); }
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const;

 private:
  const Node* node_;
  const std::string* file_;  // outlives the reader
  std::string path_;
};

/// A table with a known set of keys. `title` names it in messages: `[[body]]`, `rotation`.
class Table {
 public:
  Table(const Value& value, std::string_view title, std::vector<std::string_view> keys);

  const Value& self() const { return self_; }
  base::Place place() const { return self_.place(); }
  std::string path_of(std::string_view key) const;

  bool has(std::string_view key) const;             // without reading it
  std::optional<Value> find(std::string_view key);  // reads
  Value need(std::string_view key, std::string_view expected);

  std::optional<double> number(std::string_view key, Bound bound, std::string_view unit);
  std::optional<Vec3> vector(std::string_view key, std::string_view unit);
  std::optional<std::string> string(std::string_view key);
  bool boolean(std::string_view key, bool otherwise);
  int integer(std::string_view key, int otherwise, int low, int high);

  /// Place of the table, path of the key.
  [[noreturn]] void fail_missing(std::string_view key, std::string_view expected) const;

  /// Fails for the first key that nobody read: "found ..., expected no such key {where}".
  void finish(std::string_view where) const;

 private:
  void check_unknown(std::string_view title) const;

  Value self_;
  std::vector<std::string_view> keys_;
  std::vector<bool> read_;
};

/// `"text"`, safe inside a one-line message.
std::string quote(std::string_view text);

/// `a, b, c`
std::string join(const std::vector<std::string_view>& words);

}  // namespace vinculum::model::reader
