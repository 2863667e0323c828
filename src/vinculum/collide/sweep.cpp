// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Fast bodies: what happened between two configurations.
//
// A search at one configuration tells which side of a body another one is on as long as it sank in by less than half of
// what is there: the sum of the two half thicknesses, t_a + t_b. Where the motion from q0 to q1 could exceed a quarter
// of that, the pair is followed along the way (straight line, constant rotation) by conservative advancement: at a gap
// g no point of the pair can close it before the part g/motion of the way is done (Mirtich 1996). At the first touch
// the features are those that meet. They are kept as they are if their normal is fixed in a body, and otherwise their
// normal is fixed in body a as it is then, so that the gap at q1 is negative by what was passed through, on the right
// side. Such contacts replace those found at q1 if they are deep there; else the ordinary ones are right. What is as
// deep at q0 already has no first touch on this way, and of the features there the deepest are the longest way out.
#include "vinculum/collide/search_buffers.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::collide {

double half_thickness(const shapes::Shape& shape) {
  using shapes::Kind;
  switch (shape.kind) {
    case Kind::sphere:
    case Kind::capsule:
      return shape.radius;
    case Kind::cylinder:
      return std::min(shape.radius, shape.half_length);
    case Kind::box:
      return shape.half_extents.minCoeff();
    case Kind::plane:
      return std::numeric_limits<double>::infinity();
    case Kind::mesh:
    case Kind::height_field:
      return 0;  // it is met triangle by triangle: what sank in is before them or not
    case Kind::hull:
      break;
  }
  double thinnest = std::numeric_limits<double>::infinity();
  for (const auto& face : shape.polytope->faces) {
    double low = face.offset;
    for (const Vec3& x : shape.polytope->vertices) low = std::min(low, face.normal.dot(x));
    thinnest = std::min(thinnest, 0.5 * (face.offset - low));
  }
  return thinnest;
}

namespace {

/// What may sink in unnoticed is a part of this. Two closed meshes know their insides (mesh_sunken.hpp), each as long
/// as the nearest way out is the one that led in.
double thickness_of(const shapes::Shape& a, double half_a, const shapes::Shape& b, double half_b) {
  if (a.mesh && b.mesh) return 0.5 * std::min(a.mesh->thickness, b.mesh->thickness);
  return half_a + half_b;
}

constexpr double safe_part = 0.25;  // of t_a + t_b, up to which a body may sink in unnoticed
constexpr double touch = 1e-6;      // gap over the size that ends the advancement
constexpr double together = 1e-3;   // gap over the size up to which others touch at the same instant
constexpr int advances = 200;

/// From q0 to q1: straight line and constant rotation.
struct Way {
  Pose from, to;
  double angle = 0;
  Way(const Pose& q0, const Pose& q1) : from(q0), to(q1), angle(2 * (q0.R.conjugate() * q1.R).vec().norm()) {}
  Pose at(double s) const { return {from.p + s * (to.p - from.p), from.R.slerp(s, to.R)}; }
};

/// Whether no point of a body moved by more than `limit`, seen from squares alone: half of it for the way, half for the
/// turn, whose angle is at most twice the distance of the quaternions.
bool all_slow(const system::System& system, const system::Configuration& q0, const system::Configuration& q1,
              double limit) {
  const double part = 0.25 * limit * limit;
  for (std::size_t b = 0; b < q0.x.size(); ++b) {
    const double size = system.bodies.size[b];
    const bool slow = (q1.x[b] - q0.x[b]).squaredNorm() <= part &&
                      4 * (q1.R[b].coeffs() - q0.R[b].coeffs()).squaredNorm() * size * size <= part;
    if (!slow) return false;
  }
  return true;
}

/// The normal as it is now, fixed in body a, unless it is fixed in a body already.
void fix_normal(const Pose& X_a, const Kinematics& at, Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::face_a:
    case FeatureKind::face_b:
    case FeatureKind::face_a_rim_b:
    case FeatureKind::face_b_rim_a:
      return;
    default:
      feature.kind = FeatureKind::face_a;
      feature.dir_a = X_a.R.conjugate() * at.n;
  }
}

}  // namespace

bool Search::sweep(const system::Configuration& q0, const system::Configuration& q1, ContactSet& contacts) {
  Buffers& w = *buffers_;
  if (all_slow(system_, q0, q1, safe_part * w.thinnest)) return false;  // the usual case
  w.motion.resize(system_.body_count());
  double fastest = 0;
  for (std::size_t b = 0; b < w.motion.size(); ++b) {
    const Way way(q0.pose(static_cast<int>(b)), q1.pose(static_cast<int>(b)));
    w.motion[b] = (way.to.p - way.from.p).norm() + way.angle * system_.bodies.size[b];
    fastest = std::max(fastest, w.motion[b]);
  }
  if (fastest <= safe_part * w.thinnest) return false;  // two bodies count 2 fastest against 2 thinnest
  w.swept.clear();
  w.replaced.clear();
  const auto motion_of = [&](int body) { return body == system::world ? 0 : w.motion[static_cast<std::size_t>(body)]; };
  for (const auto& [i, j] : w.pairs) {
    const system::Collider &a = system_.shapes[i], &b = system_.shapes[j];
    const double motion = motion_of(a.body) + motion_of(b.body);
    const double safe = safe_part * thickness_of(a.geometry, w.thickness[i], b.geometry, w.thickness[j]);
    if (!(motion > safe) || !system_.may_touch(i, j)) continue;
    follow(i, j, q0, q1, motion, safe);
  }
  if (w.replaced.empty()) return false;
  const auto is_replaced = [&](const Contact& contact) {
    return std::binary_search(w.replaced.begin(), w.replaced.end(),
                              std::array<int, 2>{contact.shape_a, contact.shape_b});
  };
  const auto keep = [&](const std::array<int, 2>& pair) {  // what was swept before stays
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
      return contact.shape_a == pair[0] && contact.shape_b == pair[1] && is_swept(contact.feature_id);
    });
  };
  std::erase_if(w.replaced, keep);
  std::erase_if(w.swept, [&](const Contact& contact) { return !is_replaced(contact); });
  std::erase_if(contacts, is_replaced);
  w.stands = false;
  contacts.insert(contacts.end(), w.swept.begin(), w.swept.end());
  std::stable_sort(contacts.begin(), contacts.end(), [](const Contact& c, const Contact& d) {
    if (c.shape_a != d.shape_a) return c.shape_a < d.shape_a;
    return c.shape_b != d.shape_b ? c.shape_b < d.shape_b : c.feature_id < d.feature_id;
  });
  return true;
}

void Search::follow(int i, int j, const system::Configuration& q0, const system::Configuration& q1, double motion,
                    double safe) {
  Buffers& w = *buffers_;
  const system::Collider &a = system_.shapes[i], &b = system_.shapes[j];
  const Way way_a(q0.pose(a.body), q1.pose(a.body)), way_b(q0.pose(b.body), q1.pose(b.body));
  const double size = std::min(w.blocks[i].radius, w.blocks[j].radius);
  double s = 0;
  for (int k = 0; k < advances; ++k) {
    const Pose X_a = way_a.at(s), X_b = way_b.at(s);
    w.met.clear();
    collide_pair(a.geometry, X_a * a.X_BS, b.geometry, X_b * b.X_BS, motion * (1 - s) + together * size, w.met);
    if (w.met.empty()) return;
    double gap = std::numeric_limits<double>::infinity();
    for (const Contact& contact : w.met) gap = std::min(gap, contact.at.gap);
    if (gap > touch * size && k + 1 < advances) {
      s += gap / motion;
      if (s > 1) return;
      continue;
    }
    if (k == 0 && gap < -std::max(safe, together * size)) return;  // no first touch: it lies before q0
    double deepest = 0;
    const std::size_t first = w.swept.size();
    for (Contact& contact : w.met) {
      if (contact.at.gap > gap + together * size) continue;
      set_pair(i, j, a, b, contact);
      move_to_body(a, b, contact);
      fix_normal(X_a, contact.at, contact.feature);
      contact.at = evaluate(contact.feature, way_a.to, way_b.to);
      contact.feature_id = swept_id(contact.feature_id);
      deepest = std::min(deepest, contact.at.gap);
      w.swept.push_back(contact);
    }
    if (deepest < -safe) {
      w.replaced.push_back({i, j});
    } else {
      w.swept.resize(first);
    }
    return;
  }
}

}  // namespace vinculum::collide
