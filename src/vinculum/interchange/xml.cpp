// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/interchange/xml.hpp"

#include "vinculum/model/toml_tree.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace vinculum::interchange {

namespace {

std::string quote(std::string_view text) { return fmt::format("\"{}\"", model::reader::one_line(text)); }

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream || stream.bad()) throw base::InputError({file}, "file", "no file that can be read", "an XML file");
  return text.str();
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

Source::Source(const std::string& file) : file_(file), text_(read_text(file)), buffer_(text_.begin(), text_.end()) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
  if (std::all_of(text_.begin(), text_.end(), blank))
    throw base::InputError({file}, "file", "an empty file", "an XML file");
  const pugi::xml_parse_result result =
      document_.load_buffer_inplace(buffer_.data(), buffer_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) throw base::InputError(place_at(result.offset), "syntax", result.description(), "well-formed XML");
  if (!root()) throw base::InputError({file}, "syntax", "no element", "well-formed XML");
}

base::Place Source::place_at(std::ptrdiff_t offset) const {
  const auto at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_)));
  const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), at) - line_starts_.begin();
  return {file_, static_cast<int>(line), static_cast<int>(at - line_starts_[static_cast<std::size_t>(line - 1)]) + 1};
}

base::Place Source::place_of(pugi::xml_node node) const { return place_at(node.offset_debug()); }

base::Place Source::place_of(pugi::xml_attribute attribute) const {
  const char* value = attribute.value();
  const bool inside = value >= buffer_.data() && value <= buffer_.data() + buffer_.size();
  return inside ? place_at(value - buffer_.data()) : base::Place{file_};
}

void Attribute::fail(std::string_view expected) const { throw base::InputError(place, path, quote(value), expected); }

std::vector<double> Attribute::numbers(std::size_t low, std::size_t high) const {
  const std::string expected = low == 1 && high == 1 ? std::string("a finite number")
                               : low == high         ? fmt::format("{} finite numbers", low)
                                                     : fmt::format("{} to {} finite numbers", low, high);
  std::vector<double> list;
  const char* at = value.data();
  const char* end = at + value.size();
  while (true) {
    while (at != end && blank(*at)) ++at;
    if (at == end) break;
    if (*at == '+') ++at;
    double x = 0;
    const auto [next, error] = std::from_chars(at, end, x);
    if (error != std::errc() || !std::isfinite(x) || (next != end && !blank(*next))) fail(expected);
    list.push_back(x);
    at = next;
  }
  if (list.size() < low || list.size() > high) fail(expected);
  return list;
}

double Attribute::number() const { return numbers(1, 1)[0]; }

Vec3 Attribute::vector() const {
  const std::vector<double> x = numbers(3, 3);
  return {x[0], x[1], x[2]};
}

int Attribute::integer() const {
  const double x = number();
  if (x != std::floor(x) || std::abs(x) > 2e9) fail("an integer");
  return static_cast<int>(x);
}

bool Attribute::boolean() const {
  if (value == "true") return true;
  if (value == "false") return false;
  fail("true or false");
}

void Notices::add(const std::string& what, const std::string& reason, const base::Place& place) {
  const auto [it, inserted] = index_.emplace(what + "\n" + reason, list_.size());
  if (inserted)
    list_.push_back({what, reason, place, 1});
  else
    ++list_[it->second].count;
}

std::optional<Attribute> Element::own(std::string_view name) const {
  const pugi::xml_attribute found = node_.attribute(std::string(name).c_str());
  if (!found) return std::nullopt;
  return Attribute{found.value(), source_->place_of(found), fmt::format("{}.{}", node_.name(), name)};
}

std::optional<Attribute> Element::find(std::string_view name) const {
  if (std::optional<Attribute> found = own(name)) return found;
  if (!defaults_) return std::nullopt;
  const auto it = defaults_->find(name);
  return it == defaults_->end() ? std::nullopt : std::optional(it->second);
}

Attribute Element::need(std::string_view name, std::string_view expected) const {
  std::optional<Attribute> found = find(name);
  if (!found) throw base::InputError(place(), fmt::format("{}.{}", node_.name(), name), "nothing", expected);
  return *found;
}

std::string Element::text(std::string_view name) const {
  const std::optional<Attribute> found = find(name);
  return found ? found->value : std::string();
}

double Element::number(std::string_view name, double otherwise) const {
  const std::optional<Attribute> found = find(name);
  return found ? found->number() : otherwise;
}

bool Element::boolean(std::string_view name, bool otherwise) const {
  const std::optional<Attribute> found = find(name);
  return found ? found->boolean() : otherwise;
}

std::optional<Vec3> Element::vector(std::string_view name) const {
  const std::optional<Attribute> found = find(name);
  return found ? std::optional(found->vector()) : std::nullopt;
}

std::string Element::word(std::string_view name, std::string_view otherwise,
                          std::vector<std::string_view> words) const {
  const std::optional<Attribute> found = find(name);
  if (!found) return std::string(otherwise);
  if (std::find(words.begin(), words.end(), found->value) != words.end()) return found->value;
  std::string expected = "one of";
  for (const std::string_view word : words) expected += fmt::format("{} {}", expected == "one of" ? "" : ",", word);
  found->fail(expected);
}

void Element::fail(std::string_view found, std::string_view expected) const {
  const std::string name = node_.attribute("name").value();
  throw base::InputError(place(), name.empty() ? tag() : fmt::format("{} {}", tag(), quote(name)), found, expected);
}

std::vector<std::pair<std::string, base::Place>> Element::attributes() const {
  std::vector<std::pair<std::string, base::Place>> list;
  for (const pugi::xml_attribute attribute : node_.attributes())
    list.emplace_back(attribute.name(), source_->place_of(attribute));
  if (!defaults_) return list;
  for (const auto& [name, attribute] : *defaults_) {
    if (!node_.attribute(name.c_str())) list.emplace_back(name, attribute.place);
  }
  return list;
}

std::vector<Element> Element::children() const {
  std::vector<Element> list;
  for (const pugi::xml_node child : node_.children()) {
    if (child.type() == pugi::node_element) list.emplace_back(child, *source_);
  }
  return list;
}

}  // namespace vinculum::interchange
