// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections of references offered to the instances of their document; contacts and fixed tendons.
#include "vinculum/interchange/mjcf_references.hpp"

#include <algorithm>

namespace vinculum::interchange::mjcf {

void References::read() {
  for (const char* section : {"contact", "tendon", "equality", "actuator"}) each_element(section);
  read_keyframes();
}

/// Offers every element of a section to every instance of its document: instance by instance, as MuJoCo orders them.
void References::each_element(const std::string& section) {
  std::map<const Document*, std::vector<Entry>> entries;
  for (std::size_t i = 0; i < b_.instances.size(); ++i) {
    Document& document = *b_.instances[i].document;
    const auto [it, is_new] = entries.try_emplace(&document);
    if (is_new) {
      for (const Element& root : document.sections(section)) {
        for (const Element& child : document.children(root)) it->second.push_back({child, false, false, {}});
      }
    }
    for (Entry& entry : it->second) {
      if (!entry.settled) offer(section, entry, document, i);
    }
  }
  // Parts of an attached model that were left behind take their references with them.
  for (const Entry& entry : entries[b_.instances.front().document.get()]) {
    if (!entry.used && !entry.missing.empty())
      entry.missing.front().first.fail(fmt::format("the name of a {}", entry.missing.front().second));
  }
}

void References::offer(const std::string& section, Entry& entry, Document& document, std::size_t instance) {
  Scope scope(b_, static_cast<int>(instance), instance == 0);
  if (read_element(section, entry.element, document, scope))
    entry.used = true;
  else if (entry.missing.empty())
    entry.missing = scope.missing();
  entry.settled = !scope.asked();  // it refers to nothing: once is enough
}

bool References::read_element(const std::string& section, const Element& element, Document& document, Scope& scope) {
  if (section == "contact") return read_contact(element, document, scope);
  if (section == "tendon") return read_tendon(document.resolved(element, "", "tendon"), document, scope);
  if (section == "equality") return read_equality(document.resolved(element, "", "equality"), document, scope);
  return read_actuator(document.resolved(element, "", "actuator"), document, scope);
}

bool References::read_contact(const Element& given, Document& document, Scope& scope) {
  const Element element = document.resolved(given, "");
  if (element.tag() == "exclude") {
    const BodyRecord* a = scope.find(b_.bodies, element, "body1", "body");
    const BodyRecord* b = scope.find(b_.bodies, element, "body2", "body");
    if (!scope.complete()) return false;
    if (a->body != b->body) b_.model.no_contact.push_back({std::min(a->body, b->body), std::max(a->body, b->body)});
    return true;
  }
  if (element.tag() != "pair") {
    notice_element(element, "not supported", b_.notices);
    return true;
  }
  const int* a = scope.find(b_.shapes, element, "geom1", "geom that can touch");
  const int* b = scope.find(b_.shapes, element, "geom2", "geom that can touch");
  if (!scope.complete()) return false;
  model::ShapePair pair;
  pair.place = element.place();
  pair.a = std::min(*a, *b);
  pair.b = std::max(*a, *b);
  const auto same = [&](const model::ShapePair& other) { return other.a == pair.a && other.b == pair.b; };
  if (std::any_of(b_.model.shape_pairs.begin(), b_.model.shape_pairs.end(), same)) {
    b_.notices.add("<pair> of two geoms that have one", "not used: the first holds", pair.place);
    return true;
  }
  const auto& shapes = b_.model.shapes;
  const auto friction = [&](int s) {
    return b_.frictions[static_cast<std::size_t>(shapes[static_cast<std::size_t>(s)].material)];
  };
  pair.mu = std::max(friction(*a).mu, friction(*b).mu);
  if (const auto mu = element.find("friction")) {
    const std::vector<double> all = mu->numbers(1, 5);
    pair.mu = all[0];
    if (all.size() > 1 && all[1] != all[0])
      b_.notices.add("pair.friction, different along two tangents", "not used: the first holds for both", mu->place);
  }
  const int condim = static_cast<int>(element.number("condim", 3));
  if (condim == 1) pair.mu = 0;
  notice_friction("pair", condim, element, b_.notices);
  notice_unused(element, {"geom1", "geom2", "condim", "friction"}, b_.notices);
  b_.model.shape_pairs.push_back(pair);
  return true;
}

bool References::read_tendon(const Element& element, Document& document, Scope& scope) {
  if (element.tag() != "fixed") {
    b_.notices.add(fmt::format("<{}> tendon", element.tag()), "not supported: it has no effect", element.place());
    return true;
  }
  model::Tendon tendon;
  double rest = 0;
  for (const Element& term : document.children(element)) {
    const int* joint = scope.find(b_.joints, term, "joint", "joint");
    if (!joint) return false;
    tendon.terms.push_back({*joint, 0, term.need("coef", "a number").number()});
    const model::Joint& j = b_.model.joints[static_cast<std::size_t>(*joint)];
    if (j.axes.size() != 1) term.fail("a ball or free joint", "a hinge or slide");
    rest += tendon.terms.back().coefficient * j.axes[0].rest;
  }
  if (!scope.complete()) return false;
  tendon.place = element.place();
  const std::string file_name = scope.affixed(element.text("name"));
  tendon.name = b_.unique("tendon", file_name, fmt::format("tendon[{}]", b_.model.tendons.size()));
  if (is_limited(element, "limited", "range", document.compiler)) {
    const std::vector<double> x = element.find("range")->numbers(2, 2);
    if (!(x[0] < x[1])) element.find("range")->fail("the lower limit first");
    tendon.lower = x[0], tendon.upper = x[1];
  }
  tendon.stiffness = element.number("stiffness", 0);
  tendon.damping = element.number("damping", 0);
  tendon.friction = element.number("frictionloss", 0);
  const std::optional<Attribute> spring = element.find("springlength");
  const std::vector<double> length = spring ? spring->numbers(1, 2) : std::vector<double>{-1};
  if (length[0] == -1) {  // the length at the joints' own rest; no matter without a spring
    tendon.rest_lower = tendon.rest_upper = tendon.stiffness > 0 ? rest : 0;
  } else {
    tendon.rest_lower = length.front(), tendon.rest_upper = length.back();
  }
  notice_unused(element, {"limited", "range", "stiffness", "damping", "frictionloss", "springlength"}, b_.notices);
  if (!file_name.empty()) b_.tendons[file_name] = static_cast<int>(b_.model.tendons.size());
  b_.model.tendons.push_back(std::move(tendon));
  return true;
}

void read_references(Builder& builder) { References(builder).read(); }

}  // namespace vinculum::interchange::mjcf
