// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of bodies. <frame> places what is in it, <replicate> repeats it, <attach> puts a body of another model
// there. A body without joints hangs on its parent by a fixed joint; without mass, or on the world, it is part of its
// parent.
//
// The file's coordinates are kept: a joint with reference ref moves by q − ref. With J(q) = exp(S q),
//   X_PC Π exp(S_i (q_i − ref_i)) = X'_PC Π exp(S'_i q_i)
// where each exp(−S_i ref_i) moves to the left past the joints before it: S_j ← Ad(exp(S_i ref_i)) S_j for j < i.
#include "vinculum/interchange/fuse.hpp"
#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>
#include <Eigen/Eigenvalues>
#include <algorithm>

namespace vinculum::interchange::mjcf {

std::string Builder::unique(const std::string& kind, const std::string& name, const std::string& fallback) {
  std::set<std::string>& names = taken[kind];
  const std::string wanted = name.empty() ? fallback : name == "world" ? "world_" : name;
  std::string result = wanted;
  for (int i = 1; !names.insert(result).second; ++i) result = fmt::format("{}#{}", wanted, i);
  return result;
}

int Builder::material(const Friction& friction) {
  for (std::size_t i = 1; i < frictions.size(); ++i) {
    if (frictions[i] == friction) return static_cast<int>(i);
  }
  frictions.push_back(friction);
  model.materials.push_back({fmt::format("friction {}{}{}", friction.mu, friction.none ? ", alone smooth" : "",
                                         friction.priority ? fmt::format(", priority {}", friction.priority) : "")});
  return static_cast<int>(frictions.size()) - 1;
}

namespace {

/// What stands inside a body, with frames and copies resolved.
struct Contents {
  struct Item {
    Element element;
    Pose frame;
    std::string childclass;
    int instance;
  };
  std::vector<Item> geoms, joints, sites, inertials, bodies;
};

/// Counts how deep the reading is inside bodies and frames, which are read by recursion.
class Nesting {
 public:
  Nesting(int& depth, const Element& element) : depth_(depth) {
    if (++depth_ > 1000 + 1)  // the world is the first
      element.fail(fmt::format("bodies and frames nested {} deep", depth_ - 1), "at most 1000");
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& depth_;
};

class Tree {
 public:
  Tree(Builder& builder, Document& document) : b_(builder), document_(document) {}

  void read_world(int instance) {
    Contents contents;
    for (const Element& world : document_.sections("worldbody")) collect(world, {}, "", instance, contents);
    const BodyRecord record;
    b_.bodies[affixed("world", instance)] = record;
    read_contents(contents, record, "world");
  }

  void read_body(const Contents::Item& item, const BodyRecord& parent);

 private:
  Document& document_of(int instance) { return *b_.instances[static_cast<std::size_t>(instance)].document; }
  std::string affixed(const std::string& name, int instance) const {
    const Instance& i = b_.instances[static_cast<std::size_t>(instance)];
    return name.empty() ? name : i.prefix + name + i.suffix;
  }

  void collect(const Element& element, const Pose& frame, const std::string& childclass, int instance,
               Contents& contents);
  void replicate(const Element& element, const Pose& frame, const std::string& childclass, int instance,
                 Contents& contents);
  void attach(const Element& element, const Pose& frame, int instance, Contents& contents);

  void read_contents(const Contents& contents, const BodyRecord& record, const std::string& name);
  MassPart read_mass(const Contents& contents, const std::vector<Geom>& geoms, const Element& body, int instance);
  void add_shapes(const std::vector<Geom>& geoms, const Contents& contents, const BodyRecord& record,
                  const std::string& body_name);
  void add_joints(const Contents& contents, const Pose& X_PC, int parent, int child, const std::string& body_name,
                  const Pose& X_W);
  void add_fixed(const Element& element, const Pose& X_PC, int parent, int child, const std::string& name);

  Builder& b_;
  Document& document_;
  int depth_ = 0;
};

void Tree::collect(const Element& element, const Pose& frame, const std::string& childclass, int instance,
                   Contents& contents) {
  Document& document = document_of(instance);
  const Nesting nesting(depth_, element);
  for (const Element& child : document.children(element)) {
    const std::string tag = child.tag();
    const Contents::Item item{child, frame, childclass, instance};
    if (tag == "geom")
      contents.geoms.push_back(item);
    else if (tag == "joint" || tag == "freejoint")
      contents.joints.push_back(item);
    else if (tag == "site")
      contents.sites.push_back(item);
    else if (tag == "inertial")
      contents.inertials.push_back(item);
    else if (tag == "body")
      contents.bodies.push_back(item);
    else if (tag == "frame") {
      const std::string inner = child.text("childclass");
      collect(child, frame * read_pose(child, document.compiler), inner.empty() ? childclass : inner, instance,
              contents);
    } else if (tag == "replicate") {
      replicate(child, frame, childclass, instance, contents);
    } else if (tag == "attach") {
      attach(child, frame, instance, contents);
    } else if (tag != "camera" && tag != "light") {  // pictures
      notice_element(child, "not supported", b_.notices);
    }
  }
}

// Copy k stands at (offset, euler) applied k times; its names end in sep and k.
void Tree::replicate(const Element& element, const Pose& frame, const std::string& childclass, int instance,
                     Contents& contents) {
  const Compiler& compiler = document_of(instance).compiler;
  const Attribute count_value = element.need("count", "how many copies");
  const int count = count_value.integer();
  if (count < 0 || count > 1'000'000) count_value.fail("a number from 0 to 1000000");
  bool given = false;
  const Pose step{element.vector("offset").value_or(Vec3::Zero()), read_orientation(element, compiler, given)};
  const std::string sep = element.text("sep");
  const std::size_t digits = std::to_string(std::max(count - 1, 0)).size();
  Pose X;
  for (int k = 0; k < count; ++k) {
    Instance copy = b_.instances[static_cast<std::size_t>(instance)];
    copy.suffix = sep + fmt::format("{:0{}}", k, digits) + copy.suffix;
    copy.outer = instance;
    b_.instances.push_back(copy);
    if (b_.instances.size() > 1'000'000) count_value.fail("at most 1000000 copies in all");
    // Rotation about the origin of the frame, then the offset, as copies are asked to stand in a row or on a circle.
    collect(element, frame * X, childclass, static_cast<int>(b_.instances.size()) - 1, contents);
    X = Pose{X.p + X.R * step.p, (X.R * step.R).normalized()};
  }
}

void Tree::attach(const Element& element, const Pose& frame, int instance, Contents& contents) {
  Document& outer = document_of(instance);
  const Attribute name = element.need("model", "the name of a model asset");
  const auto it = outer.models.find(name.value);
  if (it == outer.models.end()) name.fail("the name of a model asset");
  const Attribute body = element.need("body", "the body to attach");
  std::optional<Element> found;
  const std::function<void(const Element&)> look = [&](const Element& parent) {
    for (const Element& child : it->second->children(parent)) {
      if (child.tag() == "body" && child.text("name") == body.value) found = child;
      if (!found && (child.tag() == "body" || child.tag() == "frame")) look(child);
    }
  };
  for (const Element& world : it->second->sections("worldbody")) look(world);
  if (!found) body.fail("the name of a body of that model");
  const Instance& around = b_.instances[static_cast<std::size_t>(instance)];
  b_.instances.push_back({it->second, around.prefix + element.text("prefix"), around.suffix, instance});
  contents.bodies.push_back({*found, frame, "", static_cast<int>(b_.instances.size()) - 1});
}

MassPart Tree::read_mass(const Contents& contents, const std::vector<Geom>& geoms, const Element& body, int instance) {
  const Compiler& c = document_of(instance).compiler;
  using FromGeoms = Compiler::FromGeoms;
  MassPart mass;
  const bool inertial = !contents.inertials.empty() && c.inertia_from_geoms != FromGeoms::yes;
  if (contents.inertials.size() > 1) contents.inertials[1].element.fail("a second inertial", "one");
  if (inertial) mass = *read_inertial(contents.inertials.front().element, c, b_.notices);
  if (!inertial && c.inertia_from_geoms != FromGeoms::no) {
    std::vector<MassPart> parts;
    for (const Geom& geom : geoms) {
      if (geom.group >= c.inertia_groups[0] && geom.group <= c.inertia_groups[1]) parts.push_back(geom.part);
    }
    mass = sum_of(parts);
  }
  mass.mass = std::max(mass.mass, c.boundmass);
  if (mass.mass == 0) return mass;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(mass.inertia);
  Vec3 A = eigen.eigenvalues();  // ascending
  const bool triangle = A[2] <= (A[0] + A[1]) * (1 + 1e-6);
  if (!triangle && c.balanceinertia) A.setConstant(A.mean());
  if (c.boundinertia > 0) A = A.cwiseMax(c.boundinertia);
  if (A != Vec3(eigen.eigenvalues()))
    mass.inertia = eigen.eigenvectors() * A.asDiagonal() * eigen.eigenvectors().transpose();
  mass.inertia = (0.5 * (mass.inertia + mass.inertia.transpose())).eval();
  const Objection objection = objection_to(mass.inertia);  // of what hangs on a fixed joint: fuse.hpp
  if (!objection.empty() && !contents.joints.empty()) body.fail(objection.found, objection.expected);
  return mass;
}

void Tree::add_shapes(const std::vector<Geom>& geoms, const Contents& contents, const BodyRecord& record,
                      const std::string& body_name) {
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    const Geom& geom = geoms[i];
    if (!geom.shape) continue;
    const bool plane = geom.shape->kind == shapes::Kind::plane;
    if (plane && record.body != model::world)
      contents.geoms[i].element.fail("a plane on a moving body", "planes on what does not move");
    if (geom.shape->kind == shapes::Kind::height_field && record.body != model::world) {
      b_.notices.add("geom type hfield on a moving body", "touches nothing: height fields belong to the world",
                     geom.place);
      continue;
    }
    const std::string file_name = affixed(geom.name, contents.geoms[i].instance);
    model::Shape shape;
    shape.name = b_.unique("shape", file_name, fmt::format("{} geom {}", body_name, i));
    shape.place = geom.place;
    shape.body = record.body;
    shape.X_BS = record.X * geom.X;
    shape.X_BS.R.normalize();
    shape.geometry = *geom.shape;
    shape.material = b_.material(geom.friction);
    shape.contype = geom.contype;
    shape.conaffinity = geom.conaffinity;
    if (!file_name.empty()) b_.shapes[file_name] = static_cast<int>(b_.model.shapes.size());
    b_.model.shapes.push_back(std::move(shape));
  }
}

void Tree::read_contents(const Contents& contents, const BodyRecord& record, const std::string& name) {
  for (const Contents::Item& item : contents.sites) {
    Document& document = document_of(item.instance);
    const Element site = document.resolved(item.element, item.childclass);
    const std::string site_name = affixed(site.text("name"), item.instance);
    if (!site_name.empty()) b_.sites[site_name] = {record, item.frame * read_pose(site, document.compiler)};
  }
  if (record.body == model::world && name == "world") {  // otherwise read_body has seen them
    std::vector<Geom> geoms;
    for (const Contents::Item& item : contents.geoms) {
      Document& document = document_of(item.instance);
      geoms.push_back(read_geom(document.resolved(item.element, item.childclass), document, item.frame, b_.notices));
    }
    add_shapes(geoms, contents, record, name);
  }
  for (const Contents::Item& item : contents.bodies) read_body(item, record);
}

void Tree::read_body(const Contents::Item& item, const BodyRecord& parent) {
  const Element& element = item.element;
  Document& document = document_of(item.instance);
  const Nesting nesting(depth_, element);
  const Pose X_PB = item.frame * read_pose(element, document.compiler);
  const std::string childclass = element.text("childclass");
  Contents contents;
  collect(element, {}, childclass.empty() ? item.childclass : childclass, item.instance, contents);
  std::vector<Geom> geoms;
  for (const Contents::Item& geom : contents.geoms) {
    Document& owner = document_of(geom.instance);
    geoms.push_back(read_geom(owner.resolved(geom.element, geom.childclass), owner, geom.frame, b_.notices));
  }
  const MassPart mass = read_mass(contents, geoms, element, item.instance);
  if (element.boolean("mocap", false)) b_.notices.add("body.mocap", "stays where it is", element.place());
  notice_unused(element, {"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "childclass", "mocap"}, b_.notices);

  BodyRecord record;
  record.X_W0 = parent.X_W0 * X_PB;
  const std::string file_name = affixed(element.text("name"), item.instance);
  const bool part_of_parent = contents.joints.empty() && (parent.body == model::world || mass.mass == 0);
  std::string name = file_name;
  if (part_of_parent) {
    record.body = parent.body;
    record.X = parent.X * X_PB;
    if (name.empty()) name = parent.body == model::world ? "fixed" : "part";
  } else {
    record.body = static_cast<int>(b_.model.bodies.size());
    model::Body body;
    body.name = name = b_.unique("body", file_name, fmt::format("body[{}]", record.body));
    body.place = element.place();
    body.mass = mass.mass;
    body.com = mass.com;
    body.inertia = mass.inertia;
    b_.model.bodies.push_back(std::move(body));
    const Pose X_PC = parent.X * X_PB;
    if (contents.joints.empty())
      add_fixed(element, X_PC, parent.body, record.body, name);
    else
      add_joints(contents, X_PC, parent.body, record.body, name, record.X_W0);
  }
  if (!file_name.empty() && !b_.bodies.emplace(file_name, record).second)
    element.fail(fmt::format("the name {} a second time", file_name), "names used once");
  add_shapes(geoms, contents, record, name);
  read_contents(contents, record, name);
}

void Tree::add_fixed(const Element& element, const Pose& X_PC, int parent, int child, const std::string& name) {
  model::Joint joint;
  joint.name = b_.unique("joint", "", name + " fixed");
  joint.place = element.place();
  joint.path = fmt::format("joint[{}]", b_.model.joints.size());
  joint.type = model::JointType::fixed;
  joint.parent = parent;
  joint.child = child;
  joint.X_PC = X_PC;
  joint.X_PC.R.normalize();
  b_.model.joints.push_back(std::move(joint));
  b_.ref.push_back(0);
}

// exp(S x) of a hinge or slide.
Pose exponential(const model::Joint& joint, double x) {
  const double q[] = {x};
  return model::joint_motion(joint, q);
}

void Tree::add_joints(const Contents& contents, const Pose& X_PC, int parent, int child, const std::string& body_name,
                      const Pose& X_W) {
  std::vector<FileJoint> list;
  std::vector<std::string> names;
  for (const Contents::Item& item : contents.joints) {
    Document& document = document_of(item.instance);
    const Element element =
        item.element.tag() == "freejoint" ? item.element : document.resolved(item.element, item.childclass);
    list.push_back(read_joint(element, document.compiler, item.frame, b_.notices));
    names.push_back(affixed(item.element.text("name"), item.instance));
    if (list.back().joint.type == model::JointType::free && (parent != model::world || contents.joints.size() > 1))
      element.fail("a free joint beside others or below a moving body", "it alone, on the world");
  }
  Pose X = X_PC;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].ref == 0) continue;
    const Pose forward = exponential(list[i].joint, list[i].ref), back = exponential(list[i].joint, -list[i].ref);
    X = X * back;
    for (std::size_t j = 0; j < i; ++j) {
      list[j].joint.axis = (forward.R * list[j].joint.axis).normalized();
      list[j].joint.point = forward * list[j].joint.point;
    }
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    model::Joint& joint = list[i].joint;
    joint.name = b_.unique("joint", names[i], body_name + " joint");
    joint.path = fmt::format("joint[{}]", b_.model.joints.size());
    joint.parent = parent;
    joint.child = child;
    if (joint.type == model::JointType::free) {  // the file's coordinates are those of the body in the world
      const Quat R = X_W.R.normalized();
      joint.q = {X_W.p.x(), X_W.p.y(), X_W.p.z(), R.w(), R.x(), R.y(), R.z()};
    } else if (i == 0) {
      joint.X_PC = {X.p, X.R.normalized()};
    }
    if (!names[i].empty()) b_.joints[names[i]] = static_cast<int>(b_.model.joints.size());
    b_.ref.push_back(list[i].ref);
    b_.model.joints.push_back(std::move(joint));
  }
}

/// What refers to bodies and joints follows.
void fuse(Builder& b) {
  const Fused fused = fuse_parts(b.model, false, b.notices);
  const auto follow = [&](BodyRecord& record) {
    if (record.body == model::world) return;
    const Fused::Place& place = fused.bodies[static_cast<std::size_t>(record.body)];
    record.body = place.body;
    record.X = place.X * record.X;
  };
  for (auto& [name, record] : b.bodies) follow(record);
  for (auto& [name, site] : b.sites) follow(site.body);
  for (auto& [name, joint] : b.joints) joint = fused.joints[static_cast<std::size_t>(joint)];
  std::vector<double> ref;
  for (std::size_t j = 0; j < fused.joints.size(); ++j) {
    if (fused.joints[j] >= 0) ref.push_back(b.ref[j]);
  }
  b.ref = std::move(ref);
}

}  // namespace

void read_worldbody(Builder& builder, int instance) {
  Tree(builder, *builder.instances[static_cast<std::size_t>(instance)].document).read_world(instance);
  fuse(builder);
  check_matter(builder.model, "body", "geoms with mass, or an inertial (kg)");
}

}  // namespace vinculum::interchange::mjcf
