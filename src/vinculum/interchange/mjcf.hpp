// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF, the model format of MuJoCo (documentation: XML reference), in the parts that the files of this folder share.
//
//   Document     one model file with its includes: compiler settings, default classes, assets
//   Instance     a document, or the part of it that <attach> or one copy of <replicate> put into the tree, with the
//                prefix and suffix that its names carry
//   Builder      the Model under construction and the names of its things
#pragma once

#include "vinculum/interchange/matter.hpp"
#include "vinculum/interchange/mesh.hpp"
#include "vinculum/interchange/xml.hpp"
#include "vinculum/model/model.hpp"

#include <deque>
#include <functional>
#include <unordered_map>

namespace vinculum::interchange::mjcf {

struct Compiler {
  bool degrees = true;
  bool autolimits = true;
  std::string eulerseq = "xyz";
  std::string meshdir;
  enum class FromGeoms { no, yes, where_missing } inertia_from_geoms = FromGeoms::where_missing;
  std::array<int, 2> inertia_groups{0, 5};
  double boundmass = 0, boundinertia = 0, settotalmass = -1;
  bool balanceinertia = false;
};

struct MeshAsset {
  Element element;
  Mesh mesh;
  shapes::VolumeMoments moments;
};

/// One model file with its includes.
struct Document {
  std::string file;
  std::deque<Source> sources;  // the file, then what it includes
  std::map<std::string, std::pair<const Source*, pugi::xml_node>, std::less<>> included;  // by path: whole file, where
  Compiler compiler;
  std::map<std::string, std::map<std::string, Attributes, std::less<>>, std::less<>> classes;  // class, tag
  std::map<std::string, Element, std::less<>> mesh_elements;
  std::map<std::string, Element, std::less<>> hfields;
  std::map<std::string, std::shared_ptr<MeshAsset>, std::less<>> meshes;  // loaded when first asked for
  std::map<std::string, std::shared_ptr<Document>, std::less<>> models;   // <asset><model>
  std::set<std::string> paired_geoms;                                     // of <contact><pair>

  /// Children, with what <include> stands for in its place.
  std::vector<Element> children(const Element& element);
  std::vector<Element> sections(std::string_view tag);
  /// The element with the defaults of its class, or of `otherwise` when it names none.
  Element resolved(const Element& element, const std::string& otherwise, std::string_view tag = {}) const;
  const MeshAsset& mesh(const Attribute& name);
};

std::shared_ptr<Document> read_document(const std::string& file, Notices& notices, int depth = 0);

/// A body of the file: a body of the model, or a part of one that is rigidly fixed in it (massless, or in the world).
struct BodyRecord {
  int body = model::world;
  Pose X;     // its frame in the frame of the model's body
  Pose X_W0;  // its frame in the world at the start of the file (qpos0)
};

struct SiteRecord {
  BodyRecord body;
  Pose X;  // in the frame of the file's body
};

struct Instance {
  std::shared_ptr<Document> document;
  std::string prefix, suffix;
  int outer = -1;  // the instance it stands in
};

/// What friction needs to know about a geom.
struct Friction {
  double mu = 1;
  bool none = false;  // condim 1
  int priority = 0;
  auto operator<=>(const Friction&) const = default;
};

struct Builder {
  model::Model model;
  Notices notices;
  std::deque<Instance> instances;
  std::unordered_map<std::string, BodyRecord> bodies;
  std::unordered_map<std::string, SiteRecord> sites;
  std::unordered_map<std::string, int> joints, shapes, tendons, actuators;
  std::unordered_map<std::string, std::set<std::string>> taken;  // names of the model, by kind
  std::vector<double> ref;                                       // per joint: q at the start of the file
  std::vector<Friction> frictions{{}};                           // per material; the first is "default"

  /// The name, or `fallback` when it is empty, made unique among things of the kind.
  std::string unique(const std::string& kind, const std::string& name, const std::string& fallback);
  int material(const Friction& friction);
};

/// position and orientation (quat, axisangle, euler, xyaxes, zaxis) of an element.
Pose read_pose(const Element& element, const Compiler& compiler);
Quat read_orientation(const Element& element, const Compiler& compiler, bool& given);
/// Radians of an angle of the file.
double angle(double x, const Compiler& compiler);
/// Whether a range holds: limited = true, or auto (with autolimits) and a range given.
bool is_limited(const Element& element, std::string_view limited, std::string_view range, const Compiler& compiler);

/// A geom in the frame of its body.
struct Geom {
  std::string name;  // as in the file
  base::Place place;
  Pose X;
  std::optional<shapes::Shape> shape;  // none: no contact
  MassPart part;
  int group = 0;
  Friction friction;
  std::uint32_t contype = 1, conaffinity = 1;
};
/// What contacts of this condim have and ours do not, each once.
void notice_friction(const std::string& tag, int condim, const Element& element, Notices& notices);
Geom read_geom(const Element& element, Document& document, const Pose& frame, Notices& notices);
/// None where its data cannot be read; then there is a notice.
std::optional<shapes::Shape> read_height_field(const Attribute& name, const Document& document, Notices& notices);
std::optional<MassPart> read_inertial(const Element& element, const Compiler& compiler, Notices& notices);

/// A joint of the file before its reference is folded in.
struct FileJoint {
  model::Joint joint;
  double ref = 0;
};
/// `frame`: where the joint's frame stands in that of its body.
FileJoint read_joint(const Element& element, const Compiler& compiler, const Pose& frame, Notices& notices);

/// Adds the bodies of a <worldbody>.
void read_worldbody(Builder& builder, int instance);
/// Actuators, tendons, equalities, contacts, keyframes of every instance, when all bodies are there.
void read_references(Builder& builder);

/// Notices what no one reads: every attribute not in `used`, unless it only concerns pictures.
void notice_unused(const Element& element, std::initializer_list<std::string_view> used, Notices& notices);
void notice_element(const Element& element, std::string_view reason, Notices& notices);

}  // namespace vinculum::interchange::mjcf
