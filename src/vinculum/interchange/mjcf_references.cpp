// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What refers to bodies and joints: contacts, equalities, fixed tendons, actuators, keyframes. An element belongs to
// every instance in which one of its names is found with that instance's prefix and suffix; its other names may come
// from around it.
//
//   joint equality    q_1 − q_1⁰ = Σ c_k (q_2 − q_2⁰)^k, here expanded to q_1 = Σ c'_k q_2^k
//   position          kp (ctrl − x) − kv ẋ        velocity   kv (ctrl − ẋ)
//   general           gainprm_0 ctrl + biasprm_0 + biasprm_1 x + biasprm_2 ẋ
#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>
#include <algorithm>

namespace vinculum::interchange::mjcf {

namespace {

using model::unbounded;

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

  void read() {
    for (const char* section : {"contact", "tendon", "equality", "actuator"}) each_element(section);
    read_keyframes();
  }

 private:
  /// An element of a section and what became of it.
  struct Entry {
    Element element;
    bool used = false, settled = false;
    std::vector<std::pair<Attribute, std::string>> missing;  // in the first instance that was asked
  };

  /// Offers every element of a section to every instance of its document: instance by instance, as MuJoCo orders them.
  void each_element(const std::string& section) {
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

  void offer(const std::string& section, Entry& entry, Document& document, std::size_t instance) {
    Scope scope(b_, static_cast<int>(instance), instance == 0);
    if (read_element(section, entry.element, document, scope))
      entry.used = true;
    else if (entry.missing.empty())
      entry.missing = scope.missing();
    entry.settled = !scope.asked();  // it refers to nothing: once is enough
  }

  /// Whether the element found what it refers to (or needs nothing more to be said).
  bool read_element(const std::string& section, const Element& element, Document& document, Scope& scope) {
    if (section == "contact") return read_contact(element, document, scope);
    if (section == "tendon") return read_tendon(document.resolved(element, "", "tendon"), document, scope);
    if (section == "equality") return read_equality(document.resolved(element, "", "equality"), document, scope);
    return read_actuator(document.resolved(element, "", "actuator"), document, scope);
  }

  bool read_contact(const Element& element, Document& document, Scope& scope);
  bool read_tendon(const Element& element, Document& document, Scope& scope);
  bool read_equality(const Element& element, Document& document, Scope& scope);
  bool read_connection(const Element& element, const std::string& name, Document& document, Scope& scope);
  bool read_coupling(const Element& element, const std::string& name, Scope& scope);
  bool read_actuator(const Element& element, Document& document, Scope& scope);
  bool read_force(const Element& element, model::Actuator& actuator);
  void read_keyframes();

  double start_of(const model::Quantity& quantity) const {
    if (quantity.joint >= 0) return b_.ref[static_cast<std::size_t>(quantity.joint)];
    double length = 0;
    for (const model::Tendon::Term& term : b_.model.tendons[static_cast<std::size_t>(quantity.tendon)].terms)
      length += term.coefficient * b_.ref[static_cast<std::size_t>(term.joint)];
    return length;
  }

  Builder& b_;
  std::vector<bool> kept_;  // per actuator of the outermost file: whether the model has it
};

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

// gain and bias; false when the actuator does something else.
bool References::read_force(const Element& element, model::Actuator& actuator) {
  using Kind = model::Actuator::Kind;
  const std::string tag = element.tag();
  const auto parameters = [&](std::string_view key, double first) {
    std::vector<double> x{first, 0, 0};
    if (const auto given = element.find(key)) {
      const std::vector<double> y = given->numbers(1, 10);
      std::copy(y.begin(), y.begin() + std::min<std::ptrdiff_t>(3, std::ssize(y)), x.begin());
    }
    return x;
  };
  const std::vector<double> gain = parameters("gainprm", 1), bias = parameters("biasprm", 0);
  if (tag == "motor") {
    actuator.kind = Kind::torque;
  } else if (tag == "position") {
    actuator.kind = Kind::position;
    actuator.gain = element.number("kp", gain[0]);
    actuator.bias = {0, -actuator.gain, -element.number("kv", -bias[2])};
  } else if (tag == "velocity") {
    actuator.kind = Kind::velocity;
    actuator.gain = element.number("kv", gain[0]);
    actuator.bias = {0, 0, -actuator.gain};
  } else if (tag == "general") {
    const bool fixed = element.word("gaintype", "fixed", {"fixed", "affine", "muscle", "user"}) == "fixed";
    const std::string type = element.word("biastype", "none", {"none", "affine", "muscle", "user"});
    const bool still = element.text("dyntype").empty() || element.text("dyntype") == "none";
    if (!fixed || !still || (type != "none" && type != "affine")) return false;
    actuator.kind = Kind::general;
    actuator.gain = gain[0];
    if (type == "affine") actuator.bias = {bias[0], bias[1], bias[2]};
  } else {
    return false;
  }
  return true;
}

bool References::read_actuator(const Element& element, Document& document, Scope& scope) {
  model::Actuator actuator;
  const bool joint = element.find("joint") || element.find("jointinparent");
  const bool outermost = &document == b_.instances.front().document.get();
  if ((!joint && !element.find("tendon")) || !read_force(element, actuator)) {
    b_.notices.add(fmt::format("<{}> actuator", element.tag()),
                   "not supported in this form (joint or tendon, fixed gain, affine bias, no dynamics): left out",
                   element.place());
    if (outermost) kept_.push_back(false);
    return true;
  }
  const std::string_view key = element.find("joint") ? "joint" : "jointinparent";
  const int* target =
      joint ? scope.find(b_.joints, element, key, "joint") : scope.find(b_.tendons, element, "tendon", "tendon");
  if (!scope.complete()) return false;
  std::size_t count = 1;
  if (joint) {
    actuator.joint = *target;
    count = b_.model.joints[static_cast<std::size_t>(*target)].axes.size();
  } else {
    actuator.tendon = *target;
  }
  actuator.gear.assign(count, 0);
  actuator.gear[0] = 1;
  if (const auto gear = element.find("gear")) {
    const std::vector<double> x = gear->numbers(1, 6);
    std::copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(std::min(count, x.size())), actuator.gear.begin());
  }
  const auto range = [&](std::string_view limited, std::string_view name, double& lower, double& upper) {
    if (!is_limited(element, limited, name, document.compiler)) return;
    const std::vector<double> x = element.find(name)->numbers(2, 2);
    if (!(x[0] < x[1])) element.find(name)->fail("the lower end first");
    lower = x[0], upper = x[1];
  };
  range("ctrllimited", "ctrlrange", actuator.ctrl_lower, actuator.ctrl_upper);
  range("forcelimited", "forcerange", actuator.force_lower, actuator.force_upper);
  const double inherit = element.number("inheritrange", 0);
  if (inherit > 0 && joint) {
    const model::JointAxis& axis = b_.model.joints[static_cast<std::size_t>(*target)].axes[0];
    const double middle = (axis.upper + axis.lower) / 2, half = inherit * (axis.upper - axis.lower) / 2;
    if (!(half < unbounded)) element.fail("inheritrange on a joint without limits", "a joint with a range");
    actuator.ctrl_lower = middle - half, actuator.ctrl_upper = middle + half;
  }
  const std::string file_name = scope.affixed(element.text("name"));
  actuator.name = b_.unique("actuator", file_name, fmt::format("actuator[{}]", b_.model.actuators.size()));
  actuator.place = element.place();
  notice_unused(element,
                {"joint", "jointinparent", "tendon", "gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited",
                 "kp", "kv", "gainprm", "biasprm", "gaintype", "biastype", "dyntype", "inheritrange"},
                b_.notices);
  if (!file_name.empty()) b_.actuators[file_name] = static_cast<int>(b_.model.actuators.size());
  if (outermost) kept_.push_back(true);
  b_.model.actuators.push_back(std::move(actuator));
  return true;
}

// Quaternions of the file are normalised, as MuJoCo does.
void normalise(const model::Model& model, std::vector<double>& q) {
  std::size_t at = 0;
  for (const model::Joint& joint : model.joints) {
    const bool free = joint.type == model::JointType::free;
    if (free || joint.type == model::JointType::spherical) {
      Quat R(q[at + (free ? 3 : 0)], q[at + (free ? 4 : 1)], q[at + (free ? 5 : 2)], q[at + (free ? 6 : 3)]);
      R = R.norm() > 0 ? R.normalized() : Quat::Identity();
      const double x[] = {R.w(), R.x(), R.y(), R.z()};
      std::copy(x, x + 4, q.begin() + static_cast<std::ptrdiff_t>(at + (free ? 3 : 0)));
    }
    at += joint.q.size();
  }
}

void References::read_keyframes() {
  Document& document = *b_.instances.front().document;
  for (std::size_t i = 1; i < b_.instances.size(); ++i) {
    if (b_.instances[i].document.get() == &document) continue;
    for (const Element& section : b_.instances[i].document->sections("keyframe"))
      notice_element(section, "keyframes of an attached model are left out", b_.notices);
  }
  std::vector<double> q_0, v_0;
  for (const model::Joint& joint : b_.model.joints) {
    q_0.insert(q_0.end(), joint.q.begin(), joint.q.end());
    v_0.insert(v_0.end(), joint.v.begin(), joint.v.end());
  }
  for (const Element& section : document.sections("keyframe")) {
    for (const Element& element : document.children(section)) {
      model::Keyframe key;
      key.place = element.place();
      key.name = b_.unique("keyframe", element.text("name"), fmt::format("keyframe[{}]", b_.model.keyframes.size()));
      key.q = q_0, key.v = v_0;
      if (const auto q = element.find("qpos")) key.q = q->numbers(q_0.size(), q_0.size());
      if (const auto v = element.find("qvel")) key.v = v->numbers(v_0.size(), v_0.size());
      normalise(b_.model, key.q);
      key.ctrl.assign(b_.model.actuators.size(), 0);
      if (const auto ctrl = element.find("ctrl")) {
        const std::vector<double> x = ctrl->numbers(kept_.size(), kept_.size());
        std::size_t at = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          if (kept_[i]) key.ctrl[at++] = x[i];
        }
      }
      notice_unused(element, {"qpos", "qvel", "ctrl", "time"}, b_.notices);
      b_.model.keyframes.push_back(std::move(key));
    }
  }
}

}  // namespace

void read_references(Builder& builder) { References(builder).read(); }

}  // namespace vinculum::interchange::mjcf
