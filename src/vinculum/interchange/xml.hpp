// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// XML in which every element and attribute knows its line and column, attributes may come from defaults, and what
// nobody read is noticed.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/model/multibody.hpp"

#include <map>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::interchange {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;

/// A parsed file.
class Source {
 public:
  /// Throws base::InputError when the file cannot be read or is no XML.
  explicit Source(const std::string& file);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  pugi::xml_node root() const { return document_.document_element(); }
  base::Place place_of(pugi::xml_node node) const;
  base::Place place_of(pugi::xml_attribute attribute) const;  // of its value

 private:
  base::Place place_at(std::ptrdiff_t offset) const;

  std::string file_, text_;
  std::vector<char> buffer_;  // parsed in place, so that names and values point into it
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
};

/// The text of an attribute and where it stands.
struct Attribute {
  std::string value;
  base::Place place;
  std::string path;  // geom.size

  [[noreturn]] void fail(std::string_view expected) const;
  double number() const;
  std::vector<double> numbers(std::size_t low, std::size_t high) const;  // how many there may be
  Vec3 vector() const;
  int integer() const;
  bool boolean() const;
};

/// Attributes by name, as a default class gives them.
using Attributes = std::map<std::string, Attribute, std::less<>>;

/// What an imported file says and the model does not, each once with a count.
class Notices {
 public:
  void add(const std::string& what, const std::string& reason, const base::Place& place);
  std::vector<model::Notice> list() const { return list_; }

 private:
  std::vector<model::Notice> list_;
  std::map<std::string, std::size_t, std::less<>> index_;  // by what and reason
};

/// An element, with the defaults of its class behind its own attributes.
class Element {
 public:
  Element(pugi::xml_node node, const Source& source, const Attributes* defaults = nullptr)
      : node_(node), source_(&source), defaults_(defaults) {}

  std::string tag() const { return node_.name(); }
  base::Place place() const { return source_->place_of(node_); }
  pugi::xml_node node() const { return node_; }
  const Source& source() const { return *source_; }
  Element with(const Attributes* defaults) const { return {node_, *source_, defaults}; }

  std::optional<Attribute> own(std::string_view name) const;  // without defaults
  std::optional<Attribute> find(std::string_view name) const;
  Attribute need(std::string_view name, std::string_view expected) const;
  std::string text(std::string_view name) const;  // empty when absent
  double number(std::string_view name, double otherwise) const;
  bool boolean(std::string_view name, bool otherwise) const;
  std::optional<Vec3> vector(std::string_view name) const;
  /// One of the words; fails for any other.
  std::string word(std::string_view name, std::string_view otherwise, std::vector<std::string_view> words) const;

  [[noreturn]] void fail(std::string_view found, std::string_view expected) const;

  /// Every attribute by name, own before defaults.
  std::vector<std::pair<std::string, base::Place>> attributes() const;
  std::vector<Element> children() const;  // elements only

 private:
  pugi::xml_node node_;
  const Source* source_;
  const Attributes* defaults_;
};

}  // namespace vinculum::interchange
