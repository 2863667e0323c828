// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A Model as a scene. Numbers are the shortest that read back to the same bits; masses, inertias, placements and tables
// are spelled out, so that the scene needs no other file.
#include "vinculum/model/write.hpp"

#include "vinculum/shapes/mesh.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

namespace vinculum::model {

namespace {

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", int(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string number(double x) {
  if (x == unbounded) return "inf";
  if (x == -unbounded) return "-inf";
  if (x == 0 && std::signbit(x)) return "-0.0";  // "-0" is the integer 0
  return fmt::format("{}", x);
}

std::string list(std::span<const double> x) {
  std::string out = "[";
  for (std::size_t i = 0; i < x.size(); ++i) out += (i ? ", " : "") + number(x[i]);
  return out + "]";
}

std::string vec(const Vec3& x) { return list({x.data(), 3}); }

/// Collects the lines; keys with their default value are left out.
class Text {
 public:
  void table(std::string_view head) { out += fmt::format("\n{}\n", head); }
  void line(std::string_view key, std::string_view value) { out += fmt::format("{} = {}\n", key, value); }
  void text(std::string_view key, std::string_view value) { line(key, quote(value)); }
  void value(std::string_view key, double x, double otherwise) {
    if (x != otherwise) line(key, number(x));
  }
  void vector(std::string_view key, const Vec3& x, const Vec3& otherwise = Vec3::Zero()) {
    if (x != otherwise) line(key, vec(x));
  }
  void pose(const Pose& X) {
    vector("position", X.p);
    rotation(X.R);
  }
  // A placement that is there even if it is the default.
  void whole_pose(const Pose& X) {
    line("position", vec(X.p));
    rotation(X.R);
  }

  std::string out;

 private:
  void rotation(const Quat& R) {
    if (R.coeffs() == Quat::Identity().coeffs()) return;
    const double x[] = {R.w(), R.x(), R.y(), R.z()};
    line("quaternion", list(x));
  }
};

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), first_joint_(model.bodies.size(), -1) {
    for (std::size_t j = model.joints.size(); j-- > 0;)
      first_joint_[static_cast<std::size_t>(model.joints[j].child)] = static_cast<int>(j);
  }

  std::string write() {
    for (const Notice& notice : model_.notices) {
      std::string line = fmt::format("# {} ({}x): {}", notice.what, notice.count, notice.reason);
      std::replace(line.begin(), line.end(), '\n', ' ');
      text_.out += line + "\n";
    }
    write_head();
    write_materials();
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) write_body(model_.bodies[b], jointed(static_cast<int>(b)));
    for (const Shape& shape : model_.shapes) write_shape(shape);
    for (const ShapePair& pair : model_.shape_pairs) write_pair(pair);
    for (std::size_t j = 0; j < model_.joints.size(); ++j) write_joint(model_.joints[j], first(j), false);
    for (const Joint& joint : model_.loops) write_joint(joint, true, true);
    write_closures();
    for (const Tendon& tendon : model_.tendons) write_tendon(tendon);
    for (const Actuator& actuator : model_.actuators) write_actuator(actuator);
    for (const Keyframe& key : model_.keyframes) {
      text_.table("[[keyframe]]");
      text_.text("name", key.name);
      text_.line("q", list(key.q));
      text_.line("v", list(key.v));
      text_.line("ctrl", list(key.ctrl));
    }
    write_control();
    write_loads();
    return std::move(text_.out);
  }

 private:
  bool jointed(int body) const { return first_joint_[static_cast<std::size_t>(body)] >= 0; }
  bool first(std::size_t j) const {
    return first_joint_[static_cast<std::size_t>(model_.joints[j].child)] == static_cast<int>(j);
  }
  std::string body_name(int b) const { return b == world ? "world" : model_.bodies[static_cast<std::size_t>(b)].name; }
  std::string_view joint_name(int j) const { return model_.joints[static_cast<std::size_t>(j)].name; }
  std::string_view tendon_name(int t) const { return model_.tendons[static_cast<std::size_t>(t)].name; }

  void write_head() {
    text_.table("[scene]");
    text_.text("name", model_.name);
    if (!model_.description.empty()) text_.text("description", model_.description);
    text_.line("gravity", vec(model_.gravity));
    if (model_.allow_penetration) text_.line("allow_penetration", "true");
    if (model_.joint_contact) text_.line("joint_contact", "true");
    const Run& run = model_.run;
    text_.table("[run]");
    text_.line("dt", number(run.dt));
    text_.line("until", number(run.until));
    text_.line("tol", number(run.tol));
    text_.text("integrator", run.integrator);
    text_.text("solver", run.solver);
    text_.line("threads", fmt::format("{}", run.threads));
    text_.line("record_every", fmt::format("{}", run.record_every));
  }

  void write_materials() {
    for (std::size_t m = 1; m < model_.materials.size(); ++m) {
      text_.table("[[material]]");
      text_.text("name", model_.materials[m].name);
    }
    for (const Pair& pair : model_.pairs) {
      if (pair.mu == 0 && pair.e_N == 0 && pair.e_T == 0) continue;
      text_.table("[[contact]]");
      text_.line("materials", fmt::format("[{}, {}]", quote(model_.materials[static_cast<std::size_t>(pair.a)].name),
                                          quote(model_.materials[static_cast<std::size_t>(pair.b)].name)));
      write_law(pair.mu, pair.e_N, pair.e_T);
    }
  }
  void write_law(double mu, double e_N, double e_T) {
    text_.value("mu", mu, 0);
    text_.value("e_N", e_N, 0);
    text_.value("e_T", e_T, 0);
  }
  void write_pair(const ShapePair& pair) {
    text_.table("[[contact]]");
    text_.line("shapes", fmt::format("[{}, {}]", quote(model_.shapes[static_cast<std::size_t>(pair.a)].name),
                                     quote(model_.shapes[static_cast<std::size_t>(pair.b)].name)));
    write_law(pair.mu, pair.e_N, pair.e_T);
  }

  void write_body(const Body& body, bool moved_by_joints) {
    text_.table("[[body]]");
    text_.text("name", body.name);
    if (!moved_by_joints) {
      text_.pose(body.X_WB);
      text_.vector("velocity", body.v_WB);
      text_.vector("angular_velocity", body.w_WB);
    }
    text_.line("mass", number(body.mass));
    if (body.particle) return text_.line("particle", "true");
    text_.line("com", vec(body.com));
    const Mat3& I = body.inertia;
    const double x[] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    const bool diagonal = I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0;
    text_.line("inertia", list({x, diagonal ? 3u : 6u}));
  }

  void write_shape(const Shape& shape) {
    text_.table("[[shape]]");
    text_.text("name", shape.name);
    text_.text("body", body_name(shape.body));
    const shapes::Shape& g = shape.geometry;
    text_.text("type", g.mesh ? "mesh" : shapes::type_of(g.kind).name);  // a height field is an open mesh
    switch (g.kind) {
      case shapes::Kind::sphere:
        text_.line("radius", number(g.radius));
        break;
      case shapes::Kind::box:
        text_.line("size", vec(2 * g.half_extents));
        break;
      case shapes::Kind::capsule:
      case shapes::Kind::cylinder:
        text_.line("radius", number(g.radius));
        text_.line("length", number(2 * g.half_length));
        break;
      case shapes::Kind::plane:
        break;
      case shapes::Kind::hull: {
        std::string points;
        for (const Vec3& x : g.polytope->vertices) points += (points.empty() ? "" : ", ") + vec(x);
        text_.line("points", "[" + points + "]");
        break;
      }
      case shapes::Kind::mesh:
      case shapes::Kind::height_field: {
        std::string points, triangles;
        for (const Vec3& x : g.mesh->vertices) points += (points.empty() ? "" : ", ") + vec(x);
        for (const auto& [i, j, k] : g.mesh->triangles) {
          triangles += fmt::format("{}[{}, {}, {}]", triangles.empty() ? "" : ", ", i, j, k);
        }
        text_.line("points", "[" + points + "]");
        text_.line("triangles", "[" + triangles + "]");
        break;
      }
    }
    text_.pose(shape.X_BS);
    if (shape.material != 0) text_.text("material", model_.materials[static_cast<std::size_t>(shape.material)].name);
    if (shape.contype != 1) text_.line("contype", fmt::format("{}", shape.contype));
    if (shape.conaffinity != 1) text_.line("conaffinity", fmt::format("{}", shape.conaffinity));
  }

  // One number for a joint of one coordinate, otherwise one for each.
  void each(std::string_view key, const Joint& joint, double JointAxis::*member, double otherwise) {
    std::vector<double> x;
    for (const JointAxis& axis : joint.axes) x.push_back(axis.*member);
    if (std::all_of(x.begin(), x.end(), [&](double y) { return y == otherwise; })) return;
    text_.line(key, x.size() == 1 ? number(x[0]) : list(x));
  }

  void write_joint(const Joint& joint, bool places, bool loop) {
    const JointForm& form = form_of(joint.type);
    text_.table("[[joint]]");
    text_.text("name", joint.name);
    text_.text("type", form.name);
    text_.text("parent", body_name(joint.parent));
    text_.text("child", body_name(joint.child));
    if (loop) text_.line("loop", "true");
    if (places) text_.whole_pose(joint.X_PC);
    if (form.nv > 0 && joint.type != JointType::free) text_.vector("point", joint.point);
    if (form.axis) text_.line("axis", vec(joint.axis));
    if (form.axis_2) text_.line("axis_2", vec(joint.axis_2));
    if (joint.type == JointType::screw) text_.line("pitch", number(joint.pitch));
    if (joint.type == JointType::spherical) {
      text_.value("upper", joint.axes[0].upper, unbounded);
    } else {
      each("lower", joint, &JointAxis::lower, -unbounded);
      each("upper", joint, &JointAxis::upper, unbounded);
    }
    each("e_N", joint, &JointAxis::e_N, 0);
    each("friction", joint, &JointAxis::friction, 0);
    each("damping", joint, &JointAxis::damping, 0);
    each("armature", joint, &JointAxis::armature, 0);
    each("stiffness", joint, &JointAxis::stiffness, 0);
    each("rest", joint, &JointAxis::rest, 0);
    if (std::any_of(joint.axes.begin(), joint.axes.end(), [](const JointAxis& a) { return a.effort < unbounded; }))
      each("effort", joint, &JointAxis::effort, unbounded);
    if (loop || form.nq == 0) return;
    text_.line("q", list(joint.q));
    if (std::any_of(joint.v.begin(), joint.v.end(), [](double x) { return x != 0; })) text_.line("v", list(joint.v));
  }

  void two_bodies(std::string_view head, std::string_view name, int a, int b) {
    text_.table(head);
    text_.text("name", name);
    text_.text("a", body_name(a));
    text_.text("b", body_name(b));
  }

  void quantity(const Quantity& x, std::string_view suffix) {
    if (x.joint < 0) return text_.text(fmt::format("tendon{}", suffix), tendon_name(x.tendon));
    text_.text(fmt::format("joint{}", suffix), joint_name(x.joint));
    if (x.coordinate != 0) text_.line(fmt::format("coordinate{}", suffix), fmt::format("{}", x.coordinate));
  }

  void write_closures() {
    for (const Connect& connect : model_.connects) {
      two_bodies("[[connect]]", connect.name, connect.a, connect.b);
      text_.line("point_a", vec(connect.point_a));
      text_.line("point_b", vec(connect.point_b));
    }
    for (const Weld& weld : model_.welds) {
      two_bodies("[[weld]]", weld.name, weld.a, weld.b);
      text_.whole_pose(weld.X_AB);
    }
    for (const Coupling& coupling : model_.couplings) {
      text_.table("[[coupling]]");
      text_.text("name", coupling.name);
      quantity(coupling.a, "_a");
      if (coupling.b) quantity(*coupling.b, "_b");
      text_.line("coefficients", list(coupling.coefficients));
    }
  }

  void write_tendon(const Tendon& tendon) {
    text_.table("[[tendon]]");
    text_.text("name", tendon.name);
    std::string joints, coordinates;
    std::vector<double> coefficients;
    bool first_only = true;
    for (const Tendon::Term& term : tendon.terms) {
      joints += (joints.empty() ? "" : ", ") + quote(joint_name(term.joint));
      coordinates += fmt::format("{}{}", coordinates.empty() ? "" : ", ", term.coordinate);
      coefficients.push_back(term.coefficient);
      first_only = first_only && term.coordinate == 0;
    }
    text_.line("joints", "[" + joints + "]");
    if (!first_only) text_.line("coordinates", "[" + coordinates + "]");
    text_.line("coefficients", list(coefficients));
    text_.value("lower", tendon.lower, -unbounded);
    text_.value("upper", tendon.upper, unbounded);
    text_.value("stiffness", tendon.stiffness, 0);
    text_.value("damping", tendon.damping, 0);
    text_.value("friction", tendon.friction, 0);
    const double rest[] = {tendon.rest_lower, tendon.rest_upper};
    if (rest[0] != 0 || rest[1] != 0) text_.line("rest", list(rest));
  }

  void write_actuator(const Actuator& actuator) {
    using Kind = Actuator::Kind;
    text_.table("[[actuator]]");
    text_.text("name", actuator.name);
    constexpr std::string_view kinds[] = {"torque", "position", "velocity", "general"};
    text_.text("type", kinds[static_cast<std::size_t>(actuator.kind)]);
    if (actuator.tendon >= 0)
      text_.text("tendon", tendon_name(actuator.tendon));
    else
      text_.text("joint", joint_name(actuator.joint));
    text_.line("gear", actuator.gear.size() == 1 ? number(actuator.gear[0]) : list(actuator.gear));
    if (actuator.kind == Kind::position) {
      text_.line("kp", number(actuator.gain[0]));
      if (actuator.bias[2] != 0) text_.line("kd", number(-actuator.bias[2]));
    } else if (actuator.kind == Kind::velocity) {
      text_.line("kd", number(actuator.gain[0]));
    } else if (actuator.kind == Kind::general) {
      const bool affine = actuator.gain[1] != 0 || actuator.gain[2] != 0;
      text_.line("gain", affine ? list(actuator.gain) : number(actuator.gain[0]));
      text_.line("bias", list(actuator.bias));
    }
    const double ctrl[] = {actuator.ctrl_lower, actuator.ctrl_upper};
    const double force[] = {actuator.force_lower, actuator.force_upper};
    if (ctrl[1] < unbounded) text_.line("ctrl_range", list(ctrl));
    if (force[1] < unbounded) text_.line("force_range", list(force));
    text_.value("ctrl", actuator.ctrl, 0);
  }

  void write_control() {
    if (!model_.control) return;
    const Control& control = *model_.control;
    text_.table("[control]");
    if (control.key >= 0) {
      text_.text("key", model_.keyframes[static_cast<std::size_t>(control.key)].name);
      text_.value("kp", control.kp, 0);
      text_.value("kd", control.kd, 0);
    }
    if (control.times.empty()) return;
    std::string rows;
    for (std::size_t i = 0; i < control.times.size(); ++i) {
      std::vector<double> row{control.times[i]};
      row.insert(row.end(), control.values[i].begin(), control.values[i].end());
      rows += "  " + list(row) + ",\n";
    }
    text_.line("table", "[\n" + rows + "]");
  }

  void write_loads() {
    for (const Force& force : model_.forces) {
      text_.table("[[force]]");
      text_.text("name", force.name);
      text_.text("body", body_name(force.body));
      text_.line("force", vec(force.force));
      text_.vector("torque", force.torque);
      text_.line("point", vec(force.point));
      if (force.body_axes) text_.text("axes", "body");
      text_.value("from", force.from, 0);
      text_.value("to", force.to, unbounded);
    }
    for (const Rod& rod : model_.rods) {
      two_bodies("[[rod]]", rod.name, rod.a, rod.b);
      text_.vector("point_a", rod.point_a);
      text_.vector("point_b", rod.point_b);
      text_.line("length", number(rod.length));
    }
    for (const Spring& spring : model_.springs) {
      two_bodies("[[spring]]", spring.name, spring.a, spring.b);
      text_.vector("point_a", spring.point_a);
      text_.vector("point_b", spring.point_b);
      text_.value("stiffness", spring.stiffness, 0);
      text_.value("damping", spring.damping, 0);
      text_.line("rest", number(spring.rest));
    }
    for (const auto& [a, b] : model_.no_contact) {
      text_.table("[[no_contact]]");
      text_.line("bodies", fmt::format("[{}, {}]", quote(body_name(a)), quote(body_name(b))));
    }
  }

  const Model& model_;
  std::vector<int> first_joint_;  // of each body; −1: none
  Text text_;
};

}  // namespace

std::string write_scene(const Model& model) {
  if (model.lagrangian) {
    throw base::InputError(model.lagrangian->place, "lagrangian", "a Lagrangian scene", "bodies, which can be written");
  }
  return Writer(model).write();
}

}  // namespace vinculum::model
