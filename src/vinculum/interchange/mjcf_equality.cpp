// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Equalities as cut joints and couplings:
//   joint equality    q_1 − q_1⁰ = Σ c_k (q_2 − q_2⁰)^k, here expanded to q_1 = Σ c'_k q_2^k
#include "vinculum/interchange/mjcf_references.hpp"

#include <algorithm>

namespace vinculum::interchange::mjcf {

namespace {

// Coefficients of a_0 + Σ c_k (x − x_0)^k in powers of x, by Horner's rule on polynomials.
std::vector<double> shifted(const std::vector<double>& c, double a_0, double x_0) {
  std::vector<double> p{0};
  for (std::size_t k = c.size(); k-- > 0;) {
    std::vector<double> next(p.size() + 1, 0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      next[i + 1] += p[i];
      next[i] -= x_0 * p[i];
    }
    next[0] += c[k];
    p = next;
  }
  p[0] += a_0;
  while (p.size() > 1 && p.back() == 0) p.pop_back();
  return p;
}

}  // namespace

bool References::read_equality(const Element& element, Document& document, Scope& scope) {
  const std::string tag = element.tag();
  if (!element.boolean("active", true)) {
    b_.notices.add("equality.active = false", "left out", element.place());
    return true;
  }
  const std::string name = scope.affixed(element.text("name"));
  bool good = false;
  if (tag == "connect" || tag == "weld")
    good = read_connection(element, name, document, scope);
  else if (tag == "joint" || tag == "tendon")
    good = read_coupling(element, name, scope);
  else {
    b_.notices.add(fmt::format("<{}> equality", tag), "not supported: it has no effect", element.place());
    return true;
  }
  if (good)
    notice_unused(element,
                  {"active", "body1", "body2", "anchor", "relpose", "site1", "site2", "joint1", "joint2", "tendon1",
                   "tendon2", "polycoef"},
                  b_.notices);
  return good;
}

// Both ends as frames in the world at the start: by sites, or by bodies and an anchor in the first one's frame.
bool References::read_connection(const Element& element, const std::string& name, Document&, Scope& scope) {
  const bool by_sites = element.find("site1").has_value();
  BodyRecord a, b;
  Pose X_A, X_B;  // the two frames that coincide, in the frames of the model's bodies
  if (by_sites) {
    const SiteRecord* s = scope.find(b_.sites, element, "site1", "site");
    const SiteRecord* t = scope.find(b_.sites, element, "site2", "site");
    if (!scope.complete()) return false;
    a = s->body, b = t->body;
    X_A = a.X * s->X, X_B = b.X * t->X;
  } else {
    const BodyRecord* s = scope.find(b_.bodies, element, "body1", "body");
    const BodyRecord* t = element.find("body2") ? scope.find(b_.bodies, element, "body2", "body") : &b;
    if (!scope.complete()) return false;
    a = *s, b = *t;
    Vec3 anchor = Vec3::Zero();
    if (element.tag() == "connect") anchor = element.need("anchor", "a point of body1 (m)").vector();
    const Pose X_AB = a.X_W0.inverse() * b.X_W0;
    X_A = a.X * Pose{anchor, Quat::Identity()};
    X_B = b.X * (X_AB.inverse() * Pose{anchor, Quat::Identity()});
    const std::optional<Attribute> relpose = element.find("relpose");
    const std::vector<double> r = relpose ? relpose->numbers(7, 7) : std::vector<double>(7, 0);
    const Quat R(r[3], r[4], r[5], r[6]);
    if (element.tag() == "weld" && R.norm() > 0) X_A = a.X * Pose{{r[0], r[1], r[2]}, R.normalized()}, X_B = b.X;
  }
  if (a.body == b.body) {
    b_.notices.add(fmt::format("<{}> equality", element.tag()), "left out: both ends belong to one body",
                   element.place());
    return true;
  }
  const auto fallback = [&](std::size_t i) { return fmt::format("{}[{}]", element.tag(), i); };
  if (element.tag() == "connect") {
    b_.model.connects.push_back({b_.unique("connect", name, fallback(b_.model.connects.size())), element.place(),
                                 a.body, b.body, X_A.p, X_B.p});
  } else {
    Pose X_AB = X_A * X_B.inverse();
    X_AB.R.normalize();
    b_.model.welds.push_back(
        {b_.unique("weld", name, fallback(b_.model.welds.size())), element.place(), a.body, b.body, X_AB});
  }
  return true;
}

double References::start_of(const model::Quantity& quantity) const {
  if (quantity.joint >= 0) return b_.ref[static_cast<std::size_t>(quantity.joint)];
  double length = 0;
  for (const model::Tendon::Term& term : b_.model.tendons[static_cast<std::size_t>(quantity.tendon)].terms)
    length += term.coefficient * b_.ref[static_cast<std::size_t>(term.joint)];
  return length;
}

bool References::read_coupling(const Element& element, const std::string& name, Scope& scope) {
  const bool joints = element.tag() == "joint";
  const Map<int>& map = joints ? b_.joints : b_.tendons;
  const std::string key = joints ? "joint" : "tendon";
  model::Coupling coupling;
  const auto quantity = [&](const int* index) {
    model::Quantity x;
    (joints ? x.joint : x.tendon) = *index;
    if (joints && b_.model.joints[static_cast<std::size_t>(*index)].axes.size() != 1)
      element.fail("a ball or free joint", "a hinge or slide");
    return x;
  };
  const int* a = scope.find(map, element, key + "1", key);
  const int* b = element.find(key + "2") ? scope.find(map, element, key + "2", key) : nullptr;
  if (!scope.complete()) return false;
  coupling.a = quantity(a);
  if (b) coupling.b = quantity(b);
  const std::optional<Attribute> given = element.find("polycoef");
  std::vector<double> c = given ? given->numbers(1, 5) : std::vector<double>{0, 1};
  if (!b) c.resize(1);
  coupling.coefficients = shifted(c, start_of(coupling.a), b ? start_of(*coupling.b) : 0);
  if (!b) coupling.coefficients.resize(1);
  coupling.place = element.place();
  coupling.name = b_.unique("coupling", name, fmt::format("coupling[{}]", b_.model.couplings.size()));
  b_.model.couplings.push_back(std::move(coupling));
  return true;
}

}  // namespace vinculum::interchange::mjcf
