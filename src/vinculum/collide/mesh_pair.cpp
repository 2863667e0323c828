// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Triangle by triangle: a convex body and a triangle are two convex sets with one nearest place. It is a contact of the
// mesh if its normal is a normal of the mesh there (mesh_cell.hpp); otherwise a neighbour holds the nearer place. The
// patch over the triangle is taken whenever nothing nearer was found: its points are material points of the body over
// the facet, and must stay above it.
//
// In front: a facet is touched by bodies whose middle is before its plane.
// Cleared:  a body that sinks into a fine mesh overlaps triangles that it would leave by a much longer way than the
//           shortest. If moving along another triangle's normal by that triangle's (smaller) depth also clears this
//           triangle, then its own face contact is not the way out, and is dropped.
#include "vinculum/collide/mesh_pair.hpp"

#include "vinculum/collide/core_pair.hpp"
#include "vinculum/collide/cylinder.hpp"
#include "vinculum/collide/cylinder_core.hpp"
#include "vinculum/collide/cylinder_face.hpp"
#include "vinculum/collide/mesh_cell.hpp"
#include "vinculum/collide/mesh_foot.hpp"
#include "vinculum/collide/mesh_patch.hpp"
#include "vinculum/collide/mesh_sunken.hpp"
#include "vinculum/shapes/polytope.hpp"

#include <bit>
#include <optional>

namespace vinculum::collide {
namespace {

using shapes::Kind;
using shapes::Mesh;
using shapes::Shape;
using Spot = MeshCell::Spot;

constexpr double band = 1e-5;         // as in core_pair.cpp
constexpr double nearly_flat = 0.05;  // as in core_pair.cpp
constexpr double sunken = 1e-7;       // overlap over the size from which a shorter way out is looked for

struct RawId {
  Meeting meeting;
  int i, j;
  explicit RawId(std::uint32_t id)
      : meeting(static_cast<Meeting>(id >> 28)),
        i(static_cast<int>(id >> 14 & 0x3fff)),
        j(static_cast<int>(id & 0x3fff)) {}
  /// What of the second body touches.
  int of_b() const {
    switch (meeting) {
      case Meeting::vertex_on_face_a:
      case Meeting::crossing_a:
      case Meeting::corner:
      case Meeting::end_on_edge_a:
        return i;
      default:
        return j;
    }
  }
};

/// The box of a placed shape in the frame of the pair.
struct Box {
  Vec3 low, high;
};

/// The other body of the pair: a core, a cylinder, or one triangle of another mesh, in the frame of the mesh.
struct Opponent {
  const Shape* cylinder = nullptr;
  const Core* core = nullptr;      // without a cylinder
  const MeshCell* cell = nullptr;  // when it is a triangle: core is that of the cell
  Pose X_AB;

  /// min and max of n·x.
  std::array<double, 2> span(const Vec3& n) const {
    if (cylinder != nullptr) {
      const double middle = n.dot(X_AB.p), reach = Cylinder(*cylinder).reach(X_AB.R.conjugate() * n);
      return {middle - reach, middle + reach};
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& x : core->vertices) {
      low = std::min(low, n.dot(x));
      high = std::max(high, n.dot(x));
    }
    return {low, high};
  }
  double rounding() const { return cylinder != nullptr ? 0 : core->rounding; }
  double size() const {
    return cylinder != nullptr ? cylinder->radius + cylinder->half_length : core->size + rounding();
  }
  Vec3 middle() const {
    if (cylinder != nullptr) return X_AB.p;
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : core->vertices) sum += x;
    return sum / static_cast<double>(core->vertex_count());
  }
  /// Is x, in the frame of the mesh, in the body but for `slack`? Asked of points on the plane of one of its faces.
  bool holds(const Vec3& x, double slack) const {
    if (cylinder != nullptr) {
      const Vec3 own = X_AB.inverse() * x;
      return std::hypot(own.x(), own.y()) <= cylinder->radius + slack;
    }
    for (std::size_t f = 0; f < core->face_count(); ++f)
      if (core->normals[f].dot(x) > core->offsets[f] + slack) return false;
    return true;
  }
  Box box() const {
    Box box;
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = span(Vec3::Unit(k));
      box.low[k] = low - rounding();
      box.high[k] = high + rounding();
    }
    return box;
  }
};

/// Scratch of the thread.
struct Workspace {
  MeshCell cell, other_cell;
  Core core;
  std::vector<int> triangles, other_triangles;
  std::vector<Contact> raw;
  std::vector<MeshContact> found;
  static Workspace& scratch() {
    thread_local Workspace workspace;
    return workspace;
  }
};

class MeshPair {
 public:
  MeshPair(const Mesh& mesh, const Opponent& opponent, Emitter& out, Workspace& w)
      : mesh_(mesh), opponent_(opponent), out_(out), w_(w) {}

  void add_triangle(int triangle) {
    const auto& facet = mesh_.facet(triangle);
    const auto [low, high] = opponent_.span(facet.normal);
    if (low + high <= 2 * facet.offset) reaches_behind_ = true;
    if (high <= facet.offset || low - facet.offset > out_.margin() + opponent_.rounding()) return;
    in_front_ = low + high > 2 * facet.offset;
    w_.cell.place(mesh_, triangle, Pose{});
    w_.raw.clear();
    Emitter raw(out_.X_a(), out_.X_b(), out_.margin(), false, w_.raw);
    if (opponent_.cylinder != nullptr) {
      Emitter turned = raw.turned();
      place_for_cylinder(triangle);
      collide_cylinder_core(*opponent_.cylinder, cylinder_cell().core(), turned);
    } else {
      collide_cores(w_.cell.core(), *opponent_.core, opponent_.X_AB, raw);
    }
    double lowest = std::numeric_limits<double>::infinity();
    for (const Contact& contact : w_.raw) lowest = std::min(lowest, contact.at.gap);
    if (take() > 0 || !in_front_ || w_.raw.empty()) return;
    w_.raw.clear();
    if (opponent_.cylinder != nullptr) {
      add_cylinder_patch(raw);
    } else {
      add_face_patch(w_.cell.core(), MeshCell::front, *opponent_.core, opponent_.X_AB, raw);
    }
    // A body that does not overlap the triangle may still reach behind it, beside it: then points that are above its
    // lowest by more than a lean are none that the facet could carry, since a convex body is above what it touches.
    const double deepest = -sunken * opponent_.size(), bottom = low - opponent_.rounding() - facet.offset;
    const auto is_beside = [&](const Contact& c) {
      return c.at.gap < deepest || (bottom < deepest && c.at.gap - bottom > nearly_flat * opponent_.size());
    };
    if (lowest >= deepest) std::erase_if(w_.raw, is_beside);
    take();
  }

  /// A thin body that was fast may be behind the triangles that it passed, where none of them is a way out. Inside a
  /// solid its vertices, or the rims of a cylinder, leave through the facets nearest to them.
  void add_sunken_body() {
    if (!mesh_.closed || !(reaches_behind_ || w_.triangles.empty()) ||
        find_foot(mesh_, opponent_.middle()).distance >= 0)
      return;
    if (opponent_.cylinder != nullptr) {
      const double half = opponent_.cylinder->half_length;
      for (const int end : {-1, 1}) {
        Feature feature{.kind = FeatureKind::face_a_rim_b, .P_b = Vec3(0, 0, end * half), .dir_b = Vec3::UnitZ()};
        feature.rim = opponent_.cylinder->radius;
        add_way_out(opponent_.X_AB * feature.P_b, end < 0 ? 0 : 1, feature);
      }
      return;
    }
    const Core& core = *opponent_.core;
    for (std::size_t v = 0; v < core.vertex_count(); ++v) {
      Feature feature{.kind = FeatureKind::face_a, .P_b = core.solid->vertices[v], .rounding_b = core.rounding};
      add_way_out(core.vertices[v], static_cast<int>(v), feature);
    }
  }

 private:
  /// Completes the feature of x, a point of the other body.
  void add_way_out(const Vec3& x, int index, Feature& feature) {
    const Foot foot = find_foot(mesh_, x);
    if (foot.distance >= 0) return;
    const int facet = mesh_.facet_of[foot.triangle];
    feature.dir_a = mesh_.facets[facet].normal;
    feature.P_a = onto_facet(mesh_, facet, x);
    const Kinematics at = evaluate(feature, out_.X_a(), out_.X_b());
    // The lowest point of a rim may be elsewhere.
    if (feature.rim > 0 && mesh_.facet_of[find_foot(mesh_, out_.X_a().inverse() * at.p_b).triangle] != facet) return;
    w_.found.push_back({make_key(Meeting::vertex_on_face_a, facet, index), facet, feature, at});
  }

  // A cylinder works in its own frame.
  MeshCell& cylinder_cell() { return w_.other_cell; }
  void place_for_cylinder(int triangle) { w_.other_cell.place(mesh_, triangle, opponent_.X_AB.inverse()); }

  void add_cylinder_patch(Emitter& raw) {
    const Core& core = cylinder_cell().core();
    FlatRegion region;
    region.m = core.normals[MeshCell::front];
    region.offset = core.offsets[MeshCell::front];
    region.own_normal = w_.cell.normal();
    region.core = &core;
    region.face = MeshCell::front;
    Emitter turned = raw.turned();
    collide_cylinder_region(*opponent_.cylinder, region, band * (opponent_.size() + core.size), turned);
  }

  /// Moves the contacts that count to the list; returns how many.
  int take() {
    int count = 0;
    for (const Contact& contact : w_.raw) {
      const Feature& f = contact.feature;
      const bool by_a = f.kind == FeatureKind::face_a || f.kind == FeatureKind::face_a_rim_b;
      const bool by_b = f.kind == FeatureKind::face_b;
      if (by_a && f.dir_a == w_.cell.normal()) {
        if (!in_front_ || !w_.cell.is_over(f.P_a, reach()) || !allowed_b(contact)) continue;
        w_.found.push_back({face_key(RawId(contact.feature_id)), w_.cell.facet(), f, contact.at});
      } else if (opponent_.cell != nullptr && by_b && f.dir_b == -opponent_.cell->normal()) {
        if (!allowed_a(contact)) continue;
        w_.found.push_back({feature_key(contact), -1, f, contact.at});
      } else {
        if (!allowed_a(contact) || !allowed_b(contact)) continue;
        if (by_b && !opponent_.holds(out_.X_a().inverse() * contact.at.p_b, reach())) continue;
        w_.found.push_back({feature_key(contact), -1, f, contact.at});
      }
      ++count;
    }
    return count;
  }

  /// By how much a point of a patch may be beside its face.
  double reach() const { return 2 * band * (opponent_.size() + w_.cell.core().size); }

  /// A vertex or ridge of the mesh over a face, or along the side of a cylinder, must stay above it, also while that
  /// leans over by a little: so a body that rocks on a ridge sees both ends of what it will land on.
  bool allowed_a(const Contact& contact) const {
    const bool stretch = opponent_.cylinder != nullptr && is_stretch_end(contact.feature_id);
    const double lean = contact.feature.kind == FeatureKind::face_b ? nearly_flat
                        : stretch                                   ? stretch_lean
                                                                    : MeshCell::slack;
    return w_.cell.supports(w_.cell.spot(contact.feature.P_a), out_.X_a().R.conjugate() * contact.at.n, lean);
  }
  bool allowed_b(const Contact& contact) const {
    if (opponent_.cell == nullptr) return true;
    const Spot spot = opponent_.cell->spot(contact.feature.P_b);
    if (spot.on == Spot::On::facet || (contact.feature.kind == FeatureKind::face_a && spot.on != Spot::On::nothing))
      return true;  // a point of the patch
    return opponent_.cell->supports(spot, out_.X_b().R.conjugate() * -contact.at.n, MeshCell::slack);
  }

  int of_other(const Contact& contact) const {
    const RawId raw(contact.feature_id);
    if (opponent_.cell != nullptr) {
      const Spot spot = opponent_.cell->spot(contact.feature.P_b);
      return static_cast<int>(spot.on) + 4 * std::max(0, spot.index);
    }
    return opponent_.cylinder != nullptr ? raw.i : raw.of_b();
  }

  /// A point over the facet: named by the vertex of the other body, the edges that cross, or the corner of the mesh.
  std::uint64_t face_key(const RawId& raw) const {
    const Meeting meeting = raw.meeting;
    const int facet = w_.cell.facet();
    if (opponent_.cell != nullptr) {
      return make_key(meeting, w_.cell.triangle(), 32 * opponent_.cell->triangle() + 6 * raw.i % 32 + raw.j % 6);
    }
    if (opponent_.cylinder != nullptr) {
      if (raw.meeting == Meeting::corner) return make_key(meeting, w_.cell.mesh_vertex(raw.i), 0);
      if (raw.meeting == Meeting::crossing_b) return make_key(meeting, w_.cell.mesh_edge(raw.i), raw.j);
      const bool sliced = raw.i == 2 || raw.i == 3;  // where the border of the triangle cuts the lowest generator
      return make_key(meeting, sliced ? w_.cell.triangle() : facet, raw.i);
    }
    switch (raw.meeting) {
      case Meeting::crossing_a:
        return make_key(meeting, w_.cell.mesh_edge(raw.j), raw.i);
      case Meeting::corner:
        return make_key(meeting, w_.cell.mesh_vertex(raw.i), 0);
      default:
        return make_key(meeting, facet, raw.of_b());
    }
  }

  std::uint64_t feature_key(const Contact& contact) const {
    const Spot spot = w_.cell.spot(contact.feature.P_a);
    return make_key(RawId(contact.feature_id).meeting, spot.index, of_other(contact));
  }

  const Mesh& mesh_;
  const Opponent& opponent_;
  Emitter& out_;
  Workspace& w_;
  bool in_front_ = true;
  bool reaches_behind_ = false;  // some triangle's plane, with its middle
};

/// Drops the face contacts of facets that a shorter way out clears.
void drop_cleared(const Mesh& mesh, const Opponent& opponent, const Pose& X_WA, double size,
                  std::vector<MeshContact>& found) {
  double deepest = 0;
  for (const MeshContact& c : found) deepest = std::min(deepest, c.at.gap);
  if (deepest >= -sunken * size) return;
  thread_local std::vector<std::array<double, 4>> ways;  // n in the frame of the mesh, and the depth along it
  ways.clear();
  for (const MeshContact& c : found) {
    const Vec3 n = X_WA.R.conjugate() * c.at.n;
    bool known = false;
    for (auto& way : ways) {
      if ((Vec3(way[0], way[1], way[2]) - n).norm() > 1e-9) continue;
      way[3] = std::max(way[3], -c.at.gap);
      known = true;
    }
    if (!known) ways.push_back({n.x(), n.y(), n.z(), -c.at.gap});
  }
  const auto cleared = [&](const MeshContact& c) {
    if (c.facet < 0 || c.at.gap >= -sunken * size) return false;
    const Vec3 own = mesh.facets[c.facet].normal;
    double depth = 0;
    for (const auto& way : ways) {
      if ((Vec3(way[0], way[1], way[2]) - own).norm() <= 1e-9) depth = way[3];
    }
    const Vec3 x = X_WA.inverse() * c.at.p_a;
    for (const auto& way : ways) {
      const Vec3 n(way[0], way[1], way[2]);
      if (way[3] >= 0.5 * depth || way[3] < 0) continue;
      // Does the place itself come clear? The facet may be large; what counts is where the body is over it.
      if (opponent.span(n)[0] - opponent.rounding() + way[3] >= n.dot(x) - 1e-9 * size) return true;
    }
    return false;
  };
  std::erase_if(found, cleared);
}

/// 4 bits of the meeting and 28 that name the features: unique as long as those of the mesh and of the other body fit,
/// folded otherwise.
std::uint32_t short_id(std::uint64_t key, int other_bits) {
  const auto of_mesh = static_cast<std::uint32_t>(key >> 30 & 0x3fffffffu);
  const auto of_other = static_cast<std::uint32_t>(key & 0x3fffffffu);
  const auto meeting = static_cast<std::uint32_t>(key >> 60);
  const std::uint32_t rest = other_bits < 28 ? of_mesh << other_bits ^ of_other : of_mesh * 2654435761u ^ of_other;
  return meeting << 28 | (rest & 0x0fffffffu);
}

void emit(const std::vector<MeshContact>& found, int other_bits, Emitter& out) {
  for (const MeshContact& c : found) out.add(short_id(c.key, other_bits), c.feature);
}

void collide_mesh_plane(const Mesh& mesh, Emitter& out) {
  const Pose X_BA = relative_pose(out.X_b(), out.X_a());
  const auto& vertices = mesh.hull ? mesh.hull->vertices : mesh.vertices;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vec3 x = X_BA * vertices[k];
    if (x.z() > out.margin() + 1e-9 * (1 + std::abs(x.z()))) continue;
    const auto id = make_key(Meeting::vertex_on_face_b, static_cast<int>(k), 0);
    out.face_b(short_id(id, 0), -Vec3::UnitZ(), Vec3(x.x(), x.y(), 0), vertices[k]);
  }
}

void collide_with(const Mesh& mesh, const Opponent& opponent, Emitter& out, Workspace& w) {
  Box box = opponent.box();
  const Vec3 fat = Vec3::Constant(out.margin() * (1 + 1e-9) + 1e-12 * opponent.size());
  mesh.query(box.low - fat, box.high + fat, w.triangles);
  MeshPair pair(mesh, opponent, out, w);
  for (const int triangle : w.triangles) pair.add_triangle(triangle);
  if (opponent.cell == nullptr) pair.add_sunken_body();
}

void collide_meshes(const Mesh& a, const Mesh& b, const Pose& X_AB, Emitter& out, Workspace& w) {
  const Pose X_BA = X_AB.inverse();
  const Vec3 middle = X_BA * (0.5 * (a.tree[0].low + a.tree[0].high));
  const Vec3 half =
      X_BA.R.toRotationMatrix().cwiseAbs() * (0.5 * (a.tree[0].high - a.tree[0].low)) + Vec3::Constant(out.margin());
  b.query(middle - half, middle + half, w.other_triangles);
  for (const int triangle : w.other_triangles) {
    w.other_cell.place(b, triangle, X_AB);
    const Opponent opponent{nullptr, &w.other_cell.core(), &w.other_cell, X_AB};
    collide_with(a, opponent, out, w);
  }
}

int bits_for(const Core& core) {
  const std::size_t most = std::max({core.vertex_count(), core.face_count(), core.edge_count(), std::size_t{1}});
  return static_cast<int>(std::bit_width(most - 1));
}

}  // namespace

void collide_mesh(const Shape& shape, const Shape& other, Emitter& out) {
  const Mesh& mesh = *shape.mesh;
  if (other.kind == Kind::plane) return collide_mesh_plane(mesh, out);
  Workspace& w = Workspace::scratch();
  w.found.clear();
  const Pose X_AB = relative_pose(out.X_a(), out.X_b());
  if (has_mesh(other.kind)) {
    collide_meshes(mesh, *other.mesh, X_AB, out, w);
    const auto extent = [](const Mesh& m) { return (m.tree[0].high - m.tree[0].low).norm(); };
    const double deep = sunken * std::min(extent(mesh), extent(*other.mesh));
    std::erase_if(w.found, [&](const MeshContact& c) { return c.at.gap < -deep; });
    add_sunken(mesh, *other.mesh, X_AB, out.X_a(), out.X_b(), deep, out.margin(), w.found);
    reduce_patches((mesh.tree[0].high - mesh.tree[0].low).norm(), w.found);
    return emit(w.found, 28, out);
  }
  Opponent opponent{nullptr, nullptr, nullptr, X_AB};
  if (other.kind == Kind::cylinder) {
    opponent.cylinder = &other;
  } else {
    w.core.place(other, X_AB);
    opponent.core = &w.core;
  }
  collide_with(mesh, opponent, out, w);
  drop_cleared(mesh, opponent, out.X_a(), opponent.size(), w.found);
  reduce_patches(opponent.size(), w.found);
  emit(w.found, opponent.cylinder != nullptr ? 6 : bits_for(w.core), out);
}

}  // namespace vinculum::collide
