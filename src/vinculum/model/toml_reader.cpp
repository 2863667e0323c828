// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/toml_reader.hpp"

#include "vinculum/base/nearest.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

namespace vinculum::model::reader {

namespace {

std::string expected_number(Bound bound, std::string_view unit) {
  const std::string suffix = unit.empty() ? std::string() : fmt::format(" ({})", unit);
  switch (bound) {
    case Bound::positive:
      return "a positive number" + suffix;
    case Bound::nonnegative:
      return "a number >= 0" + suffix;
    case Bound::fraction:
      return "a number from 0 to 1" + suffix;
    case Bound::finite:
      break;
  }
  return "a finite number" + suffix;
}

bool satisfies(double x, Bound bound) {
  if (!std::isfinite(x)) return false;
  switch (bound) {
    case Bound::positive:
      return x > 0;
    case Bound::nonnegative:
      return x >= 0;
    case Bound::fraction:
      return x >= 0 && x <= 1;
    case Bound::finite:
      break;
  }
  return true;
}

}  // namespace

double Value::number(Bound bound, std::string_view unit) const {
  const bool is_number = node_->kind == Node::Kind::integer || node_->kind == Node::Kind::number;
  if (!is_number || !satisfies(node_->number, bound)) fail(expected_number(bound, unit));
  return node_->number;
}

std::int64_t Value::integer(std::int64_t low, std::int64_t high) const {
  if (node_->kind != Node::Kind::integer || node_->integer < low || node_->integer > high) {
    fail(fmt::format("an integer from {} to {}", low, high));
  }
  return node_->integer;
}

bool Value::boolean() const {
  if (node_->kind != Node::Kind::boolean) fail("true or false");
  return node_->boolean;
}

std::string Value::string() const {
  if (node_->kind != Node::Kind::string) fail("a string");
  return node_->string;
}

std::string Value::name() const {
  const bool plain = node_->kind == Node::Kind::string && !node_->string.empty() &&
                     std::none_of(node_->string.begin(), node_->string.end(),
                                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (!plain) fail("a name (a string that is not empty and has no control characters)");
  return node_->string;
}

std::vector<double> Value::numbers(std::size_t count, Bound bound, std::string_view unit) const {
  const std::string unit_text = unit.empty() ? std::string() : fmt::format(" ({})", unit);
  const std::string expected = fmt::format("an array of {} numbers{}", count, unit_text);
  if (size(expected) != count) fail(expected);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Node& node = node_->items[i];
    const bool is_number = node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
    if (!is_number || !satisfies(node.number, bound)) item(i).fail(expected_number(bound, unit));
    values[i] = node.number;
  }
  return values;
}

Vec3 Value::vector(std::string_view unit, Bound bound) const {
  const std::vector<double> x = numbers(3, bound, unit);
  return {x[0], x[1], x[2]};
}

std::size_t Value::size(std::string_view expected) const {
  if (node_->kind != Node::Kind::array) fail(expected);
  return node_->items.size();
}

Value Value::item(std::size_t i) const { return {node_->items[i], *file_, fmt::format("{}[{}]", path_, i)}; }

std::string Value::describe() const {
  switch (node_->kind) {
    case Node::Kind::boolean:
      return node_->boolean ? "true" : "false";
    case Node::Kind::integer:
      return fmt::format("{}", node_->integer);
    case Node::Kind::number:
      return fmt::format("{}", node_->number);
    case Node::Kind::string:
      return quote(node_->string);
    case Node::Kind::time:
      return "a date or time";
    case Node::Kind::array:
      return fmt::format("an array of {}", node_->items.size());
    case Node::Kind::table:
      break;
  }
  return "a table";
}

void Value::fail(std::string_view found, std::string_view expected) const {
  throw base::InputError(place(), path_, found, expected);
}

Table::Table(const Value& value, std::string_view title, std::vector<std::string_view> keys)
    : self_(value), keys_(std::move(keys)), read_(value.node().keys.size(), false) {
  if (value.node().kind != Node::Kind::table) value.fail(fmt::format("a table {}", title));
  check_unknown(title);
}

void Table::check_unknown(std::string_view title) const {
  for (const Key& key : self_.node().keys) {
    if (std::find(keys_.begin(), keys_.end(), key.name) != keys_.end()) continue;
    const std::string guess = base::nearest(key.name, keys_);
    throw base::InputError({self_.file(), key.line, key.column}, path_of(key.name), "an unknown key",
                           guess.empty() ? fmt::format("a key of {}: {}", title, join(keys_))
                                         : fmt::format("a key of {}; did you mean {}?", title, guess));
  }
}

std::string Table::path_of(std::string_view key) const {
  return self_.path().empty() ? one_line(key) : fmt::format("{}.{}", self_.path(), one_line(key));
}

bool Table::has(std::string_view key) const {
  const auto& keys = self_.node().keys;
  return std::any_of(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
}

std::optional<Value> Table::find(std::string_view key) {
  VINCULUM_DEMAND(std::find(keys_.begin(), keys_.end(), key) != keys_.end());
  const Node& node = self_.node();
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    if (node.keys[i].name != key) continue;
    read_[i] = true;
    return Value(node.items[i], self_.file(), path_of(key));
  }
  return std::nullopt;
}

Value Table::need(std::string_view key, std::string_view expected) {
  std::optional<Value> value = find(key);
  if (!value) fail_missing(key, expected);
  return *value;
}

std::optional<double> Table::number(std::string_view key, Bound bound, std::string_view unit) {
  const std::optional<Value> value = find(key);
  return value ? std::optional(value->number(bound, unit)) : std::nullopt;
}

std::optional<Vec3> Table::vector(std::string_view key, std::string_view unit) {
  const std::optional<Value> value = find(key);
  return value ? std::optional(value->vector(unit)) : std::nullopt;
}

std::optional<std::string> Table::string(std::string_view key) {
  const std::optional<Value> value = find(key);
  return value ? std::optional(value->string()) : std::nullopt;
}

bool Table::boolean(std::string_view key, bool otherwise) {
  const std::optional<Value> value = find(key);
  return value ? value->boolean() : otherwise;
}

int Table::integer(std::string_view key, int otherwise, int low, int high) {
  const std::optional<Value> value = find(key);
  return value ? static_cast<int>(value->integer(low, high)) : otherwise;
}

void Table::fail_missing(std::string_view key, std::string_view expected) const {
  throw base::InputError(place(), path_of(key), "nothing", expected);
}

void Table::finish(std::string_view where) const {
  const Node& node = self_.node();
  for (std::size_t i = 0; i < read_.size(); ++i) {
    if (read_[i]) continue;
    const Value value(node.items[i], self_.file(), path_of(node.keys[i].name));
    throw base::InputError({self_.file(), node.keys[i].line, node.keys[i].column}, value.path(), value.describe(),
                           fmt::format("no such key {}", where));
  }
}

std::string quote(std::string_view text) { return fmt::format("\"{}\"", one_line(text)); }

std::string join(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += fmt::format("{}{}", text.empty() ? "" : ", ", word);
  return text;
}

}  // namespace vinculum::model::reader
