// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What refers to bodies and joints: contacts, equalities, fixed tendons, actuators, keyframes. An element belongs to
// every instance in which one of its names is found with that instance's prefix and suffix; its other names may come
// from around it.
#pragma once

#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>

namespace vinculum::interchange::mjcf {

template <class T>
using Map = std::unordered_map<std::string, T>;

/// The names that one element may use, seen from one instance.
class Scope {
 public:
  Scope(Builder& builder, int instance, bool strict) : b_(builder), instance_(instance), strict_(strict) {}

  /// The thing of that name; null when it is not in this instance (noted), an error when it is nowhere.
  template <class T>
  const T* find(const Map<T>& map, const Element& element, std::string_view key, std::string_view kind) {
    const Attribute name = element.need(key, fmt::format("the name of a {}", kind));
    asked_ = true;
    for (int i = instance_; i >= 0; i = b_.instances[static_cast<std::size_t>(i)].outer) {
      const Instance& instance = b_.instances[static_cast<std::size_t>(i)];
      const auto it = map.find(instance.prefix + name.value + instance.suffix);
      if (it == map.end()) continue;
      if (i == instance_) own_ = true;
      return &it->second;
    }
    missing_.push_back({name, std::string(kind)});
    return nullptr;
  }

  bool asked() const { return asked_; }  // whether the element refers to anything
  bool complete() const { return missing_.empty() && (own_ || strict_); }
  const std::vector<std::pair<Attribute, std::string>>& missing() const { return missing_; }
  std::string affixed(const std::string& name) const {
    const Instance& i = b_.instances[static_cast<std::size_t>(instance_)];
    return name.empty() ? name : i.prefix + name + i.suffix;
  }

 private:
  Builder& b_;
  int instance_;
  bool strict_;  // the outermost instance: names need not be its own
  bool asked_ = false, own_ = false;
  std::vector<std::pair<Attribute, std::string>> missing_;
};

class References {
 public:
  explicit References(Builder& builder) : b_(builder) {}

  void read();

 private:
  /// An element of a section and what became of it.
  struct Entry {
    Element element;
    bool used = false, settled = false;
    std::vector<std::pair<Attribute, std::string>> missing;  // in the first instance that was asked
  };

  void each_element(const std::string& section);
  void offer(const std::string& section, Entry& entry, Document& document, std::size_t instance);
  /// Whether the element found what it refers to (or needs nothing more to be said).
  bool read_element(const std::string& section, const Element& element, Document& document, Scope& scope);
  bool read_contact(const Element& element, Document& document, Scope& scope);
  bool read_tendon(const Element& element, Document& document, Scope& scope);
  bool read_equality(const Element& element, Document& document, Scope& scope);
  bool read_connection(const Element& element, const std::string& name, Document& document, Scope& scope);
  bool read_coupling(const Element& element, const std::string& name, Scope& scope);
  bool read_actuator(const Element& element, Document& document, Scope& scope);
  bool read_force(const Element& element, model::Actuator& actuator);
  void read_keyframes();

  double start_of(const model::Quantity& quantity) const;

  Builder& b_;
  std::vector<bool> kept_;  // per actuator of the outermost file: whether the model has it
};

}  // namespace vinculum::interchange::mjcf
