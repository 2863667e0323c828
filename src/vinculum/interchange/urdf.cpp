// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// URDF (wiki.ros.org/urdf/XML): links and joints by name. A joint's frame is its child's link frame, so that X_PC is
// its origin and the axis passes through the child's origin. rpy turns about fixed x, y, z: R = R_z(y) R_y(p) R_x(r).
#include "vinculum/interchange/fuse.hpp"
#include "vinculum/interchange/interchange.hpp"
#include "vinculum/interchange/matter.hpp"
#include "vinculum/interchange/mesh.hpp"
#include "vinculum/interchange/xml.hpp"
#include "vinculum/model/write.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <functional>

namespace vinculum::interchange {

namespace {

namespace fs = std::filesystem;
using model::JointType;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Quat turn(const Vec3& axis, double phi) { return Quat(Eigen::AngleAxisd(phi, axis)); }

std::optional<Element> child_of(const Element& element, std::string_view tag) {
  for (const Element& child : element.children()) {
    if (child.tag() == tag) return child;
  }
  return std::nullopt;
}

Pose read_origin(const Element& element) {
  const std::optional<Element> origin = child_of(element, "origin");
  if (!origin) return {};
  const Vec3 rpy = origin->vector("rpy").value_or(Vec3::Zero());
  const Quat R = turn(Vec3::UnitZ(), rpy.z()) * turn(Vec3::UnitY(), rpy.y()) * turn(Vec3::UnitX(), rpy.x());
  return {origin->vector("xyz").value_or(Vec3::Zero()), R.normalized()};
}

class Urdf {
 public:
  Urdf(const std::string& file, const UrdfOptions& options) : source_(file), root_(source_.root(), source_) {
    floating_ = options.floating;
    self_collision_ = options.self_collision;
    model_.file = file;
    model_.materials = {{"default"}};
    model_.pairs = {{.a = 0, .b = 0, .mu = 1}};
    model_.allow_penetration = true;  // the format has no word for it
  }

  model::Model read() {
    if (root_.tag() != "robot") root_.fail(fmt::format("<{}>", root_.tag()), "<robot>");
    model_.name = root_.text("name").empty() ? fs::path(model_.file).stem().string() : root_.text("name");
    collect();
    const std::string root = root_link();
    add_link(root, nullptr, model::world, {}, 0);
    if (model_.bodies.empty() && !floating_) {
      start_again();
      add_link(root, nullptr, model::world, {}, 0);
      notices_.add("root link", "nothing moves against it: it is free", links_.at(root).place());
    }
    for (const auto& [name, element] : links_) {
      if (!placed_.contains(name))
        element.fail(fmt::format("a link that does not hang on the root \"{}\"", root), "one tree");
    }
    const Fused fused = fuse_parts(model_, true, notices_);
    for (auto& [name, joint] : names_) joint = fused.joints[at(joint)];
    if (model_.bodies.empty()) root_.fail("no link with mass that moves", "at least one");
    mend_inertias(model_, notices_);
    check_matter(model_, "link", "an inertial with mass (kg)");
    for (const Element& joint : joints_) add_mimic(joint);
    if (!self_collision_) leave_each_other_alone();
    notices_.add("friction", "URDF does not say it: mu = 1 for every contact", root_.place());
    std::stable_sort(model_.shapes.begin(), model_.shapes.end(), [](const model::Shape& a, const model::Shape& b) {
      return static_cast<unsigned>(a.body) < static_cast<unsigned>(b.body);
    });
    model_.notices = notices_.list();
    model::place_bodies(model_);
    model_.text = model::write_scene(model_);
    return std::move(model_);
  }

 private:
  void collect() {
    for (const Element& element : root_.children()) {
      if (element.tag() == "link") {
        const Attribute name = element.need("name", "the name of the link");
        if (!links_.emplace(name.value, element).second) name.fail("a name that no other link has");
      } else if (element.tag() == "joint") {
        joints_.push_back(element);
      } else if (element.tag() != "material") {  // pictures
        notices_.add(fmt::format("<{}>", element.tag()), "not used", element.place());
      }
    }
    for (const Element& joint : joints_) {
      const std::string parent = link_name(joint, "parent"), child = link_name(joint, "child");
      if (!parents_.emplace(child, parent).second)
        joint.fail(fmt::format("a second parent for link \"{}\"", child), "one joint for each child");
      below_[parent].push_back(joint);
    }
  }

  std::string link_name(const Element& joint, std::string_view tag) {
    const std::optional<Element> end = child_of(joint, tag);
    if (!end) joint.fail(fmt::format("no <{}>", tag), "parent and child links");
    const Attribute link = end->need("link", "the name of a link");
    if (!links_.contains(link.value)) link.fail("the name of a link");
    return link.value;
  }

  std::string root_link() {
    std::optional<std::string> root;
    for (const auto& [name, element] : links_) {
      if (parents_.contains(name)) continue;
      if (root) element.fail(fmt::format("two links without a parent, \"{}\" and \"{}\"", *root, name), "one tree");
      root = name;
    }
    if (!root) root_.fail("no link without a parent", "a tree of links");
    return *root;
  }

  /// The format has no word for links that overlap as drawn, and most robots have some.
  void leave_each_other_alone() {
    for (model::Shape& shape : model_.shapes) shape.contype = 2, shape.conaffinity = 1;  // others have 1 and 1
    if (model_.shapes.size() > 1)
      notices_.add("self-collision", "links of the robot do not touch each other (--self-collision: they do)",
                   root_.place());
  }

  /// With the root free.
  void start_again() {
    floating_ = true;
    placed_.clear();
    model_.shapes.clear();
  }

  MassPart read_mass(const Element& link) {
    MassPart result;
    const std::optional<Element> inertial = child_of(link, "inertial");
    if (!inertial) return result;
    const std::optional<Element> mass = child_of(*inertial, "mass"), inertia = child_of(*inertial, "inertia");
    if (!mass) inertial->fail("no <mass>", "a mass (kg)");
    const Attribute value = mass->need("value", "a mass (kg)");
    result.mass = value.number();
    if (result.mass < 0) value.fail("a number >= 0 (kg)");
    if (result.mass == 0) {
      if (inertia && inertia->number("ixx", 0) + inertia->number("iyy", 0) + inertia->number("izz", 0) != 0)
        notices_.add("inertia of a link without mass", "not used: no body has it", inertia->place());
      return {};
    }
    if (!inertia) inertial->fail("no <inertia>", "moments of inertia (kg m^2)");
    const auto entry = [&](std::string_view name) { return inertia->number(name, 0); };
    Mat3 I;
    I << entry("ixx"), entry("ixy"), entry("ixz"), entry("ixy"), entry("iyy"), entry("iyz"), entry("ixz"), entry("iyz"),
        entry("izz");
    const Pose X = read_origin(*inertial);
    result.com = X.p;
    const Mat3 R = X.R.toRotationMatrix();
    result.inertia = R * I * R.transpose();
    result.inertia = (0.5 * (result.inertia + result.inertia.transpose())).eval();
    return result;
  }

  /// Adds the link, its shapes and what hangs on it. A link that cannot move against its parent and has no mass, or
  /// stands on the world, is part of its parent.
  void add_link(const std::string& name, const Element* joint, int parent, const Pose& X_PC, int depth) {
    const Element& link = links_.at(name);
    placed_.insert(name);
    if (depth > 1000) link.fail("a chain of more than 1000 links", "at most 1000");
    const MassPart mass = read_mass(link);
    const bool held = joint ? joint->text("type") == "fixed" : !floating_;
    int body = parent;
    Pose X = X_PC;  // of the link in the body
    if (!held || (parent != model::world && mass.mass > 0)) {
      body = static_cast<int>(model_.bodies.size());
      model_.bodies.push_back({});
      model::Body& b = model_.bodies.back();
      b.name = name == "world" ? "world_" : name;
      b.place = link.place();
      b.mass = mass.mass;
      b.com = mass.com;
      b.inertia = mass.inertia;
      add_joint(joint, name, parent, body, X_PC);
      X = {};
    }
    add_shapes(link, name, body, X);
    for (const Element& below : below_[name]) {
      const std::string child = link_name(below, "child");
      add_link(child, &below, body, X * read_origin(below), depth + 1);
    }
  }

  void add_joint(const Element* element, const std::string& link, int parent, int child, const Pose& X_PC) {
    model::Joint joint;
    joint.path = fmt::format("joint[{}]", model_.joints.size());
    joint.parent = parent;
    joint.child = child;
    joint.X_PC = {X_PC.p, X_PC.R.normalized()};
    if (!element) {  // the floating base
      joint.name = link + " floating";
      joint.place = links_.at(link).place();
      joint.type = JointType::free;
    } else {
      read_joint(*element, joint);
    }
    const model::JointForm& form = model::form_of(joint.type);
    joint.q.assign(static_cast<std::size_t>(form.nq), 0);
    joint.v.assign(static_cast<std::size_t>(form.nv), 0);
    if (joint.type == JointType::free) joint.q[3] = 1;
    if (joint.type == JointType::spherical) joint.q[0] = 1;
    joint.axes.resize(static_cast<std::size_t>(form.nv));
    if (element) read_axes(*element, joint);
    names_[joint.name] = static_cast<int>(model_.joints.size());
    model_.joints.push_back(std::move(joint));
  }

  void read_joint(const Element& element, model::Joint& joint) {
    const Attribute name = element.need("name", "the name of the joint");
    if (names_.contains(name.value)) name.fail("a name that no other joint has");
    joint.name = name.value;
    joint.place = element.place();
    const std::string type =
        element.word("type", "", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"});
    joint.type = type == "revolute"     ? JointType::revolute
                 : type == "spherical"  ? JointType::spherical  // Bullet's word
                 : type == "continuous" ? JointType::continuous
                 : type == "prismatic"  ? JointType::prismatic
                 : type == "planar"     ? JointType::planar
                 : type == "floating"   ? JointType::free
                                        : JointType::fixed;
    const bool along = model::form_of(joint.type).axis;
    const std::optional<Element> axis = along ? child_of(element, "axis") : std::nullopt;
    const Vec3 a = axis ? axis->need("xyz", "a direction").vector() : Vec3(Vec3::UnitX());
    if (!(a.stableNorm() > 0)) axis->need("xyz", "").fail("a direction that is not zero");
    joint.axis = a.stableNormalized();
    joint.axis_2 = algebra::orthogonal_to(joint.axis);
    for (const Element& child : element.children()) {
      const std::string tag = child.tag();
      if (tag == "safety_controller" || tag == "calibration")
        notices_.add(fmt::format("<{}>", tag), "not used", child.place());
    }
  }

  void read_axes(const Element& element, model::Joint& joint) {
    if (const std::optional<Element> limit = child_of(element, "limit")) {
      const std::string type = element.text("type");
      if (type == "revolute" || type == "prismatic") {
        model::JointAxis& axis = joint.axes[0];
        axis.lower = limit->number("lower", 0);
        axis.upper = limit->number("upper", 0);
        if (axis.lower > axis.upper)
          limit->fail(fmt::format("lower {} above upper {}", axis.lower, axis.upper), "lower <= upper");
      }
      for (model::JointAxis& axis : joint.axes) {
        const double effort = limit->number("effort", 0);
        if (effort > 0) axis.effort = effort;
      }
      if (limit->find("velocity")) notices_.add("limit.velocity", "speeds are not limited", limit->place());
    } else if (joint.type == JointType::revolute || joint.type == JointType::prismatic) {
      element.fail("no <limit>", "limits of a revolute or prismatic joint");
    }
    if (const std::optional<Element> dynamics = child_of(element, "dynamics")) {
      for (model::JointAxis& axis : joint.axes) {
        axis.damping = dynamics->number("damping", 0);
        axis.friction = dynamics->number("friction", 0);
        if (axis.damping < 0 || axis.friction < 0) dynamics->fail("a negative number", "damping and friction >= 0");
      }
    }
  }

  /// q = multiplier q_other + offset.
  void add_mimic(const Element& element) {
    const std::optional<Element> mimic = child_of(element, "mimic");
    if (!mimic) return;
    const auto moves = [&](const std::string& name) {
      const auto it = names_.find(name);
      if (it != names_.end()) return it->second >= 0 && model_.joints[at(it->second)].type != JointType::fixed;
      return std::none_of(joints_.begin(), joints_.end(), [&](const Element& j) { return j.text("name") == name; });
    };
    if (element.text("type") == "fixed" || !moves(element.text("name")) || !moves(mimic->text("joint"))) {
      notices_.add("<mimic>", "of a joint that does not move: not used", mimic->place());
      return;
    }
    const auto find = [&](const Attribute& name) {
      const auto it = names_.find(name.value);
      if (it == names_.end() || model_.joints[static_cast<std::size_t>(it->second)].axes.size() != 1)
        name.fail("the name of a revolute, continuous or prismatic joint");
      return it->second;
    };
    model::Coupling coupling;
    coupling.name = element.text("name") + " mimic";
    coupling.place = mimic->place();
    coupling.a.joint = find(element.need("name", "a name"));
    coupling.b = model::Quantity{};
    coupling.b->joint = find(mimic->need("joint", "the name of a joint"));
    coupling.coefficients = {mimic->number("offset", 0), mimic->number("multiplier", 1)};
    model_.couplings.push_back(std::move(coupling));
  }

  std::string mesh_file(const Attribute& name) {
    std::string path = name.value;
    const bool package = path.starts_with("package://"), scheme = path.starts_with("file://");
    if (package || scheme) path = path.substr(package ? 10 : 7);
    if (fs::path(path).is_absolute()) return path;
    // package://NAME/rest: NAME is a folder at or above the file, or the folder of the file stands for it.
    const std::string rest = path.find('/') == std::string::npos ? path : path.substr(path.find('/') + 1);
    for (fs::path folder = fs::absolute(model_.file).parent_path();; folder = folder.parent_path()) {
      for (const std::string& candidate : {path, rest}) {
        if (fs::is_regular_file(folder / candidate)) return (folder / candidate).string();
      }
      if (folder == folder.parent_path()) break;
    }
    name.fail("a mesh that is found in or above the folder of this file");
  }

  std::optional<shapes::Shape> read_geometry(const Element& geometry) {
    for (const Element& e : geometry.children()) {
      const auto length = [&](std::string_view key) {
        const Attribute x = e.need(key, "a length (m)");
        if (!(x.number() > 0)) x.fail("a positive number (m)");
        return x.number();
      };
      const std::string tag = e.tag();
      if (tag == "sphere") return shapes::find_shape_type(tag)->make({{length("radius")}, {}, {}});
      if (tag == "cylinder" || tag == "capsule")
        return shapes::find_shape_type(tag)->make({{length("radius"), length("length")}, {}, {}});
      if (tag == "box") {
        const Attribute size = e.need("size", "three lengths (m)");
        if (!(size.vector().minCoeff() > 0)) size.fail("positive numbers (m)");
        return shapes::find_shape_type(tag)->make({{}, {size.vector()}, {}});
      }
      if (tag == "mesh") {
        const Attribute name = e.need("filename", "a mesh file");
        Mesh mesh = load_mesh(mesh_file(name), name.place, name.path);
        const Vec3 scale = e.vector("scale").value_or(Vec3::Ones());
        for (Vec3& x : mesh.points) x = x.cwiseProduct(scale);
        return hull_of(mesh.points, name.place, name.path);
      }
      notices_.add(fmt::format("geometry <{}>", tag), "not supported: it touches nothing", e.place());
    }
    return std::nullopt;
  }

  void add_shapes(const Element& link, const std::string& name, int body, const Pose& X) {
    int count = 0;
    for (const Element& collision : link.children()) {
      if (collision.tag() != "collision") continue;
      const std::optional<Element> geometry = child_of(collision, "geometry");
      if (!geometry) collision.fail("no <geometry>", "a shape");
      const std::optional<shapes::Shape> shape = read_geometry(*geometry);
      if (!shape) continue;
      model::Shape s;
      s.name = fmt::format("{} collision {}", name, count++);
      s.place = collision.place();
      s.body = body;
      s.X_BS = X * read_origin(collision);
      s.X_BS.R.normalize();
      s.geometry = *shape;
      model_.shapes.push_back(std::move(s));
    }
  }

  Source source_;
  Element root_;
  bool floating_ = false, self_collision_ = false;
  model::Model model_;
  Notices notices_;
  std::map<std::string, Element> links_;
  std::vector<Element> joints_;
  std::map<std::string, std::string> parents_;
  std::set<std::string> placed_;
  std::map<std::string, std::vector<Element>> below_;
  std::map<std::string, int> names_;
};

}  // namespace

model::Model read_urdf(const std::string& file, const UrdfOptions& options) { return Urdf(file, options).read(); }

}  // namespace vinculum::interchange
