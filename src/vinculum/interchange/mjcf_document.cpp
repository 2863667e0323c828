// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One MJCF file with its includes: compiler settings, default classes, assets.
//
// Defaults: a class starts as a copy of the class around it and changes what its own elements say; the outermost is
// "main". All kinds of actuators share one set of defaults, kept as gainprm and biasprm of the general one.
#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>

namespace vinculum::interchange::mjcf {

namespace fs = std::filesystem;

namespace {
constexpr int deepest = 30;  // of models that attach others
}

std::vector<Element> Document::children(const Element& element) {
  std::vector<Element> list;
  for (const Element& child : element.children()) {
    if (child.tag() != "include") {
      list.push_back(child);
      continue;
    }
    const Attribute name = child.need("file", "the file to include");
    fs::path path = fs::path(file).parent_path() / name.value;
    if (!fs::exists(path)) path = fs::path(child.source().file()).parent_path() / name.value;
    if (!fs::exists(path)) name.fail("a file that exists");
    // A file may be included once, as MuJoCo has it; so no file includes itself. The same element may ask again.
    const std::string key = fs::weakly_canonical(path).string();
    const auto known = included.find(key);
    if (key == fs::weakly_canonical(file).string() || (known != included.end() && known->second.second != child.node()))
      name.fail("a file that is not there already");
    if (known == included.end()) included[key] = {&sources.emplace_back(path.string()), child.node()};
    const Source& source = *included[key].first;
    const std::vector<Element> inner = children(Element(source.root(), source));
    list.insert(list.end(), inner.begin(), inner.end());
  }
  return list;
}

std::vector<Element> Document::sections(std::string_view tag) {
  std::vector<Element> list;
  for (const Element& section : children(Element(sources.front().root(), sources.front()))) {
    if (section.tag() == tag) list.push_back(section);
  }
  return list;
}

Element Document::resolved(const Element& element, const std::string& otherwise, std::string_view tag) const {
  const std::optional<Attribute> own = element.own("class");
  const std::string name = own ? own->value : otherwise.empty() ? "main" : otherwise;
  const auto it = classes.find(name);
  if (it == classes.end()) {
    if (own) own->fail("the name of a default class");
    return element;
  }
  const auto defaults = it->second.find(tag.empty() ? element.tag() : tag);
  return defaults == it->second.end() ? element : element.with(&defaults->second);
}

namespace {

bool is_actuator(std::string_view tag) {
  constexpr std::string_view tags[] = {"general",  "motor",  "position", "velocity", "intvelocity", "damper",
                                       "cylinder", "muscle", "adhesion", "plugin",   "dcmotor"};
  return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

void set(Attributes& attributes, std::string_view name, const std::string& value, const Attribute& from) {
  attributes.insert_or_assign(std::string(name), Attribute{value, from.place, from.path});
}

// kp and kv of the short forms, as what they stand for.
void translate_gains(const std::string& tag, Attributes& attributes) {
  const auto take = [&](std::string_view name) {
    const auto it = attributes.find(name);
    std::optional<Attribute> found;
    if (it != attributes.end()) {
      found = it->second;
      attributes.erase(it);
    }
    return found;
  };
  if (tag != "position" && tag != "velocity" && tag != "damper") return;
  const std::optional<Attribute> kp = take("kp"), kv = take("kv");
  if (tag == "damper") {
    if (kv) set(attributes, "gainprm", fmt::format("0 0 {}", -kv->number()), *kv);
    if (kv) set(attributes, "gaintype", "affine", *kv);
    return;
  }
  if (tag == "velocity" && kv) {
    set(attributes, "gainprm", fmt::format("{}", kv->number()), *kv);
    set(attributes, "biasprm", fmt::format("0 0 {}", -kv->number()), *kv);
  }
  if (tag == "position" && (kp || kv)) {
    const Attribute& from = kp ? *kp : *kv;
    const double p = kp ? kp->number() : 1;
    set(attributes, "gainprm", fmt::format("{}", p), from);
    set(attributes, "biasprm", fmt::format("0 {} {}", -p, kv ? -kv->number() : 0.0), from);
  }
  if (kp || kv) set(attributes, "biastype", "affine", kp ? *kp : *kv);
}

void read_default(Document& document, const Element& element, const std::string& parent) {
  const std::optional<Attribute> given = element.own("class");
  const std::string name = given ? given->value : parent.empty() ? "main" : std::string();
  if (name.empty()) element.fail("no class", "a class on a nested default");
  auto& own = document.classes[name];
  if (!parent.empty()) own = document.classes[parent];
  for (const Element& child : document.children(element)) {
    if (child.tag() == "default") continue;
    const std::string tag = is_actuator(child.tag()) ? "actuator" : child.tag();
    Attributes& attributes = own[tag];
    for (const auto& [key, place] : child.attributes()) attributes.insert_or_assign(key, *child.own(key));
    if (tag == "actuator") translate_gains(child.tag(), attributes);
  }
  for (const Element& child : document.children(element)) {
    if (child.tag() == "default") read_default(document, child, name);
  }
}

void read_compiler(Document& document, const Element& element, Notices& notices) {
  Compiler& c = document.compiler;
  if (element.find("angle")) c.degrees = element.word("angle", "degree", {"degree", "radian"}) == "degree";
  element.word("coordinate", "local", {"local"});
  c.autolimits = element.boolean("autolimits", c.autolimits);
  if (const auto assetdir = element.find("assetdir")) c.meshdir = assetdir->value;
  if (const auto meshdir = element.find("meshdir")) c.meshdir = meshdir->value;
  if (const auto seq = element.find("eulerseq")) {
    const bool good = seq->value.size() == 3 && seq->value.find_first_not_of("xyzXYZ") == std::string::npos;
    if (!good) seq->fail("three letters out of xyzXYZ");
    c.eulerseq = seq->value;
  }
  const std::string from = element.word("inertiafromgeom", "", {"false", "true", "auto", ""});
  if (from == "true") c.inertia_from_geoms = Compiler::FromGeoms::yes;
  if (from == "false") c.inertia_from_geoms = Compiler::FromGeoms::no;
  if (from == "auto") c.inertia_from_geoms = Compiler::FromGeoms::where_missing;
  if (const auto range = element.find("inertiagrouprange")) {
    const std::vector<double> x = range->numbers(2, 2);
    c.inertia_groups = {static_cast<int>(x[0]), static_cast<int>(x[1])};
  }
  c.boundmass = element.number("boundmass", c.boundmass);
  c.boundinertia = element.number("boundinertia", c.boundinertia);
  c.settotalmass = element.number("settotalmass", c.settotalmass);
  c.balanceinertia = element.boolean("balanceinertia", c.balanceinertia);
  notice_unused(element,
                {"angle", "coordinate", "autolimits", "assetdir", "meshdir", "texturedir", "eulerseq",
                 "inertiafromgeom", "inertiagrouprange", "boundmass", "boundinertia", "settotalmass", "balanceinertia",
                 "discardvisual", "usethread", "convexhull"},
                notices);
}

std::string name_of(const Element& element) {
  const std::string name = element.text("name");
  return name.empty() ? fs::path(element.text("file")).stem().string() : name;
}

void read_assets(Document& document, const Element& section, Notices& notices, int depth) {
  for (const Element& child : document.children(section)) {
    const std::string tag = child.tag();
    if (tag == "mesh") {
      document.mesh_elements.insert_or_assign(name_of(child), document.resolved(child, ""));
    } else if (tag == "model") {
      const Attribute file = child.need("file", "an MJCF file");
      const fs::path path = fs::path(document.file).parent_path() / file.value;
      if (!fs::exists(path)) file.fail("a file that exists");
      if (depth > deepest) file.fail("models that do not attach each other");
      const std::shared_ptr<Document> model = read_document(path.string(), notices, depth + 1);
      const std::string own = model->sources.front().root().attribute("model").value();
      document.models[child.text("name").empty() && !own.empty() ? own : name_of(child)] = model;
    } else if (tag == "hfield") {
      document.hfields.insert_or_assign(name_of(child), document.resolved(child, ""));
    } else if (tag != "texture" && tag != "material") {  // pictures
      notice_element(child, "not supported", notices);
    }
  }
}

}  // namespace

std::shared_ptr<Document> read_document(const std::string& file, Notices& notices, int depth) {
  auto document = std::make_shared<Document>();
  document->file = file;
  const Source& source = document->sources.emplace_back(file);
  const Element root(source.root(), source);
  if (root.tag() != "mujoco") root.fail(fmt::format("<{}>", root.tag()), "<mujoco>");
  for (const Element& section : document->sections("compiler")) read_compiler(*document, section, notices);
  document->classes["main"];
  for (const Element& section : document->sections("default")) read_default(*document, section, "");
  for (const Element& section : document->sections("asset")) read_assets(*document, section, notices, depth);
  for (const Element& section : document->sections("contact")) {
    for (const Element& child : document->children(section)) {
      if (child.tag() == "pair") document->paired_geoms.insert({child.text("geom1"), child.text("geom2")});
    }
  }
  return document;
}

const MeshAsset& Document::mesh(const Attribute& name) {
  const auto found = meshes.find(name.value);
  if (found != meshes.end()) return *found->second;
  const auto it = mesh_elements.find(name.value);
  if (it == mesh_elements.end()) name.fail("the name of a mesh");
  auto asset = std::make_shared<MeshAsset>(MeshAsset{it->second, {}, {}});
  const Element& element = asset->element;
  if (const auto vertex = element.find("vertex")) {
    const std::vector<double> x = vertex->numbers(12, 3'000'000);
    if (x.size() % 3 != 0) vertex->fail("three numbers for each point");
    for (std::size_t i = 0; i < x.size(); i += 3) asset->mesh.points.emplace_back(x[i], x[i + 1], x[i + 2]);
    if (const auto face = element.find("face")) {
      const std::vector<double> f = face->numbers(3, 9'000'000);
      if (*std::max_element(f.begin(), f.end()) >= static_cast<double>(asset->mesh.points.size()) ||
          *std::min_element(f.begin(), f.end()) < 0)
        face->fail("indices of points");
      for (std::size_t i = 0; i + 2 < f.size(); i += 3)
        asset->mesh.triangles.push_back(
            {static_cast<int>(f[i]), static_cast<int>(f[i + 1]), static_cast<int>(f[i + 2])});
    }
  } else {
    const Attribute path = element.need("file", "a mesh file, or points (vertex)");
    asset->mesh =
        load_mesh((fs::path(file).parent_path() / compiler.meshdir / path.value).string(), path.place, path.path);
  }
  const Vec3 scale = element.vector("scale").value_or(Vec3::Ones());
  const Vec3 refpos = element.vector("refpos").value_or(Vec3::Zero());
  Quat refquat = Quat::Identity();
  if (const auto q = element.find("refquat")) {
    const std::vector<double> x = q->numbers(4, 4);
    refquat = Quat(x[0], x[1], x[2], x[3]).normalized();
  }
  for (Vec3& x : asset->mesh.points) x = refquat.conjugate() * (x.cwiseProduct(scale) - refpos);
  // Without faces, or where the file asks for it, the solid is the hull.
  const std::string inertia = element.word("inertia", "legacy", {"legacy", "exact", "convex", "shell"});
  if (asset->mesh.triangles.empty() || inertia == "convex") {
    const shapes::Shape hull = hull_of(asset->mesh.points, element.place(), "mesh");
    asset->moments = shapes::type_of(hull.kind).moments(hull);
  } else {
    const Filling filling = inertia == "exact" ? Filling::exact : inertia == "shell" ? Filling::shell : Filling::legacy;
    asset->moments = mesh_moments(asset->mesh, filling);
  }
  return *(meshes[name.value] = asset);
}

}  // namespace vinculum::interchange::mjcf
