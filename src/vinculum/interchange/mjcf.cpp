// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From an MJCF file to a Model: the document, the tree, what refers to it, and the world's settings.
//
// Friction of a contact (MuJoCo documentation, Contact parameters): the geom of higher priority decides; at equal
// priority μ is the larger of the two, and there is none if both geoms have condim 1.
#include "vinculum/interchange/mjcf.hpp"

#include "vinculum/interchange/interchange.hpp"
#include "vinculum/model/write.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>

namespace vinculum::interchange {

namespace mjcf {
namespace {

/// What the flags of the file switch off.
struct Off {
  bool contact = false, equality = false, friction = false, limit = false, spring = false, damper = false;
};

void read_flags(const Element& option, Document& document, Builder& builder, Off& off) {
  for (const Element& flag : document.children(option)) {
    const auto set = [&](std::string_view name, std::initializer_list<bool*> what) {
      const std::string value = flag.word(name, "", {"enable", "disable"});
      for (bool* one : what) {
        if (!value.empty()) *one = value == "disable";
      }
    };
    bool no_gravity = false;
    set("gravity", {&no_gravity});
    if (no_gravity) builder.model.gravity.setZero();
    set("constraint", {&off.contact, &off.equality, &off.friction, &off.limit});
    set("contact", {&off.contact});
    set("equality", {&off.equality});
    set("frictionloss", {&off.friction});
    set("limit", {&off.limit});
    set("passive", {&off.spring, &off.damper});
    set("spring", {&off.spring});
    set("damper", {&off.damper});
    notice_unused(
        flag, {"gravity", "constraint", "contact", "equality", "frictionloss", "limit", "passive", "spring", "damper"},
        builder.notices);
  }
}

/// Shapes stay for their looks and sizes.
void switch_off(const Off& off, model::Model& model) {
  if (off.contact) {
    for (model::Shape& shape : model.shapes) shape.contype = shape.conaffinity = 0;
    model.shape_pairs.clear();
  }
  if (off.equality) {
    model.connects.clear();
    model.welds.clear();
    model.couplings.clear();
  }
  const auto ease = [&](auto& thing) {
    if (off.limit) thing.lower = -model::unbounded, thing.upper = model::unbounded;
    if (off.friction) thing.friction = 0;
    if (off.spring) thing.stiffness = 0;
    if (off.damper) thing.damping = 0;
  };
  for (model::Joint& joint : model.joints) {
    for (model::JointAxis& axis : joint.axes) ease(axis);
  }
  for (model::Tendon& tendon : model.tendons) ease(tendon);
}

Off read_options(Document& document, Builder& builder) {
  Off off;
  model::Model& model = builder.model;
  model.run.dt = 0.002;  // MuJoCo's default
  for (const Element& option : document.sections("option")) {
    if (const auto dt = option.find("timestep")) {
      model.run.dt = dt->number();
      if (!(model.run.dt > 0)) dt->fail("a positive number (s)");
    }
    model.gravity = option.vector("gravity").value_or(model.gravity);
    read_flags(option, document, builder, off);
    notice_unused(option, {"timestep", "gravity"}, builder.notices);
  }
  return off;
}

void notice_sections(Document& document, Builder& builder) {
  const Source& source = document.sources.front();
  for (const Element& section : document.children(Element(source.root(), source))) {
    const std::string tag = section.tag();
    constexpr std::string_view known[] = {"compiler", "option",    "default",  "asset",    "worldbody",
                                          "contact",  "tendon",    "equality", "actuator", "keyframe",
                                          "visual",   "statistic", "size"};
    if (std::find(std::begin(known), std::end(known), tag) != std::end(known)) continue;
    if (tag == "sensor") {
      for (const Element& sensor : document.children(section))
        builder.notices.add(fmt::format("sensor <{}>", sensor.tag()), "sensors are not read", sensor.place());
    } else {
      notice_element(section, "not supported", builder.notices);
    }
  }
}

void set_pairs(Builder& builder) {
  model::Model& model = builder.model;
  const int n = static_cast<int>(builder.frictions.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      const Friction &f = builder.frictions[static_cast<std::size_t>(a)],
                     &g = builder.frictions[static_cast<std::size_t>(b)];
      double mu = 0;
      if (a == 0)
        mu = 0;  // nobody has the material "default"
      else if (f.priority != g.priority) {
        const Friction& h = f.priority > g.priority ? f : g;
        mu = h.none ? 0 : h.mu;
      } else if (!(f.none && g.none)) {
        mu = std::max(f.mu, g.mu);
      }
      model.pairs.push_back({.a = a, .b = b, .mu = mu});
    }
  }
}

void scale_mass(Builder& builder, double total) {
  double mass = 0;
  for (const model::Body& body : builder.model.bodies) mass += body.mass;
  if (!(total > 0) || mass == 0) return;
  for (model::Body& body : builder.model.bodies) {
    body.mass *= total / mass;
    body.inertia *= total / mass;
  }
}

// Body by body, those of the world last, as a scene has them.
void sort_shapes(model::Model& model) {
  std::vector<int> order(model.shapes.size()), place(model.shapes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto body = [&](int i) {
    return static_cast<unsigned>(model.shapes[static_cast<std::size_t>(i)].body);  // −1 is the largest
  };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return body(i) < body(j); });
  std::vector<model::Shape> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    sorted.push_back(std::move(model.shapes[static_cast<std::size_t>(order[i])]));
  }
  model.shapes = std::move(sorted);
  for (model::ShapePair& pair : model.shape_pairs) {
    const int a = place[static_cast<std::size_t>(pair.a)], b = place[static_cast<std::size_t>(pair.b)];
    pair.a = std::min(a, b), pair.b = std::max(a, b);
  }
}

}  // namespace
}  // namespace mjcf

model::Model read_mjcf(const std::string& file) {
  using namespace mjcf;
  Builder builder;
  model::Model& model = builder.model;
  model.file = file;
  model.materials = {{"default"}};
  model.allow_penetration = true;  // the format has no word for it, and its own engine lets shapes start inside others
  const std::shared_ptr<Document> document = read_document(file, builder.notices);
  const Element root(document->sources.front().root(), document->sources.front());
  model.name = root.text("model").empty() ? std::filesystem::path(file).stem().string() : root.text("model");
  builder.instances.push_back({document, "", "", -1});
  const Off off = read_options(*document, builder);
  read_worldbody(builder, 0);
  if (model.bodies.empty()) root.fail("no moving body", "at least one body with a joint");
  read_references(builder);
  notice_sections(*document, builder);
  switch_off(off, model);
  scale_mass(builder, document->compiler.settotalmass);
  set_pairs(builder);
  sort_shapes(model);
  std::sort(model.no_contact.begin(), model.no_contact.end());
  model.no_contact.erase(std::unique(model.no_contact.begin(), model.no_contact.end()), model.no_contact.end());
  model.notices = builder.notices.list();
  model::place_bodies(model);
  model.text = model::write_scene(model);
  return std::move(model);
}

}  // namespace vinculum::interchange
