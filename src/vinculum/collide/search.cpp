// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One search: place the shapes, bound them, find the pairs of boxes that overlap (kept_pairs.hpp), work out each pair.
// Boxes are fattened by the margins of their bodies, so a pair within margin_a + margin_b always has overlapping boxes.
// Pairs are cut into chunks of fixed size that write to their own lists; the lists are joined in order.
#include "vinculum/base/parallel.hpp"
#include "vinculum/collide/search_buffers.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <limits>
#include <tuple>

namespace vinculum::collide {
namespace {

using shapes::Kind;

constexpr std::size_t shape_grain = 2048, pair_grain = 1024;
constexpr double slack = 1e-12;  // of size and place: more than rounding in a bound, less than anything that matters

Block block_of(const shapes::Shape& shape) {
  const double r = shape.radius, l = shape.half_length;
  switch (shape.kind) {
    case Kind::sphere:
      return {Vec3::Zero(), Vec3::Constant(r), r};
    case Kind::capsule:
      return {Vec3::Zero(), Vec3(r, r, l + r), l + r};
    case Kind::cylinder:
      return {Vec3::Zero(), Vec3(r, r, l), std::hypot(r, l)};
    case Kind::plane:
      return {Vec3::Zero(), Vec3::Zero(), std::numeric_limits<double>::infinity()};
    case Kind::box:
    case Kind::hull:
    case Kind::mesh:
    case Kind::height_field:
      break;
  }
  const std::vector<Vec3>& vertices = shape.mesh ? shape.mesh->vertices : shape.polytope->vertices;
  Vec3 low = vertices[0], high = low;
  for (const Vec3& x : vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const Vec3 centre = 0.5 * (low + high);
  double square = 0;
  for (const Vec3& x : vertices) square = std::max(square, (x - centre).squaredNorm());
  return {centre, 0.5 * (high - low), std::sqrt(square)};
}

/// Half lengths of the world-aligned box around a placed shape.
Vec3 world_half(const shapes::Shape& shape, const Block& block, const algebra::Quat& R) {
  if (shape.kind == Kind::sphere) return block.half;
  if (shape.kind == Kind::capsule || shape.kind == Kind::cylinder) {
    const Vec3 u(2 * (R.x() * R.z() + R.w() * R.y()), 2 * (R.y() * R.z() - R.w() * R.x()),
                 1 - 2 * (R.x() * R.x() + R.y() * R.y()));  // R e_z
    const Vec3 across = shape.kind == Kind::capsule ? Vec3(Vec3::Ones()) : Vec3((1 - u.array().square()).max(0).sqrt());
    return shape.half_length * u.cwiseAbs() + shape.radius * across;
  }
  return R.toRotationMatrix().cwiseAbs() * block.half;
}

void prefetch(const system::Collider* collider, const Pose* pose) {
  __builtin_prefetch(collider);
  __builtin_prefetch(reinterpret_cast<const char*>(collider) + 64);
  __builtin_prefetch(pose);
}

bool is_before(const Contact& c, const Contact& d) {
  return std::tie(c.shape_a, c.shape_b, c.feature_id) < std::tie(d.shape_a, d.shape_b, d.feature_id);
}

bool is_identity(const Pose& X) { return X.p.isZero(0) && X.R.vec().isZero(0); }

}  // namespace

Search::Search(const system::System& system) : system_(system), buffers_(std::make_unique<Buffers>()) {
  Buffers& w = *buffers_;
  for (std::size_t s = 0; s < system.shapes.size(); ++s) {
    const system::Collider& collider = system.shapes[s];
    w.blocks.push_back(block_of(collider.geometry));
    w.thickness.push_back(half_thickness(collider.geometry));
    if (w.thickness.back() > 0) w.thinnest = std::min(w.thinnest, w.thickness.back());
    const bool solid = collider.geometry.mesh && collider.geometry.mesh->closed;
    if (solid) w.thinnest = std::min(w.thinnest, 0.25 * collider.geometry.mesh->thickness);  // thickness_of two of them
    w.centred.push_back(is_identity(collider.X_BS) ? 1 : 0);
    w.body_of.push_back(collider.body);
    w.place.push_back(-1);
    if (collider.geometry.kind == Kind::plane) {
      w.planes.push_back(static_cast<int>(s));
    } else {
      w.place.back() = static_cast<int>(w.bounded.size());
      w.bounded.push_back(static_cast<int>(s));
      w.groups.push_back(collider.body);
    }
  }
  w.poses.resize(system.shapes.size());
  w.bounds.resize(w.bounded.size());
  w.speed.resize(w.bounded.size());
  w.half_spaces.resize(w.planes.size());
}

Search::~Search() = default;

void Search::find(const system::Configuration& q, const std::vector<double>& margin, ContactSet& out,
                  const Marks* skipped, const std::vector<double>* room) {
  Buffers& w = *buffers_;
  w.skipped = skipped;
  w.q = &q;
  w.margin = &margin;
  w.room = room ? room : &margin;
  w.out = &out;
  w.last_q.x = q.x;
  w.last_q.R = q.R;
  w.last_margin = margin;
  w.last_room = *w.room;
  w.last_skipped.clear();
  if (skipped) w.last_skipped = *skipped;
  w.stands = true;
  base::parallel_chunks(w.poses.size(), shape_grain, [this](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const Pose X_WB = buffers_->q->pose(system_.shapes[s].body);
      buffers_->poses[s] = buffers_->centred[s] ? X_WB : X_WB * system_.shapes[s].X_BS;
    }
  });
  base::parallel_chunks(w.bounded.size(), shape_grain,
                        [this](std::size_t, std::size_t begin, std::size_t end) { bound(begin, end); });
  for (std::size_t k = 0; k < w.planes.size(); ++k) {
    const int s = w.planes[k], body = system_.shapes[s].body;
    const Vec3 n = w.poses[s].R * Vec3::UnitZ();
    const double place = n.dot(w.poses[s].p);
    w.half_spaces[k] = {s, body, n, place + w.room_of(body) + slack * std::abs(place)};
  }
  // A wide skin lasts longer; around many boxes it would hold too many pairs.
  const bool few = w.speed.size() <= KeptPairs::few_boxes;
  for (std::size_t k = 0; k < w.speed.size(); ++k) {
    w.speed[k] = few ? w.room_of(w.groups[k]) : w.margin_of(w.groups[k]);
  }
  const auto may_touch = [this](int i, int j) { return system_.may_touch(i, j); };
  w.broad.find(w.bounds, w.bounded, w.groups, w.half_spaces, w.speed, may_touch, w.pairs);

  const std::size_t chunks = (w.pairs.size() + pair_grain - 1) / pair_grain;
  if (chunks <= 1 || base::thread_count() == 1) return narrow(0, w.pairs.size(), out);  // the same, no lists to join
  if (w.found.size() < chunks) w.found.resize(chunks);
  base::parallel_chunks(w.pairs.size(), pair_grain, [this](std::size_t chunk, std::size_t begin, std::size_t end) {
    narrow(begin, end, buffers_->found[chunk]);
  });
  w.starts.assign(chunks + 1, 0);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) w.starts[chunk + 1] = w.starts[chunk] + w.found[chunk].size();
  out.resize(w.starts[chunks]);
  base::parallel_chunks(chunks, 8, [this](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      std::copy(buffers_->found[chunk].begin(), buffers_->found[chunk].end(),
                buffers_->out->begin() + static_cast<std::ptrdiff_t>(buffers_->starts[chunk]));
    }
  });
}

/// Boxes around the shapes and the room of their bodies.
void Search::bound(std::size_t begin, std::size_t end) {
  Buffers& w = *buffers_;
  for (std::size_t k = begin; k < end; ++k) {
    const int s = w.bounded[k];
    const Pose& X = w.poses[s];
    const Vec3 centre = w.blocks[s].centre.isZero(0) ? X.p : X * w.blocks[s].centre;
    const Vec3 half = world_half(system_.shapes[s].geometry, w.blocks[s], X.R);
    const double fat = w.room_of(w.groups[k]) + slack * (half.maxCoeff() + centre.cwiseAbs().maxCoeff());
    const Vec3 reach = half + Vec3::Constant(fat);
    w.bounds[k] = {centre - reach, centre + reach, w.blocks[s].radius + fat};
  }
}

bool Search::holds(const system::Configuration& q, const std::vector<double>& margin, const ContactSet& out,
                   const Marks* skipped, const std::vector<double>* room) const {
  const Buffers& w = *buffers_;
  if (!w.stands || w.out != &out || w.last_margin != margin || w.last_q.x != q.x) return false;
  if (w.last_room != (room ? *room : margin)) return false;
  if (skipped ? w.last_skipped != *skipped : !w.last_skipped.empty()) return false;
  for (std::size_t b = 0; b < q.R.size(); ++b) {
    if (w.last_q.R[b].coeffs() != q.R[b].coeffs()) return false;
  }
  return true;
}

void Search::narrow(std::size_t begin, std::size_t end, ContactSet& list) {
  Buffers& w = *buffers_;
  list.clear();
  for (std::size_t k = begin; k < end; ++k) {
    // The second shapes are scattered over memory; ask for them some pairs ahead.
    if (k + 8 < end) prefetch(&system_.shapes[w.pairs[k + 8][1]], &w.poses[w.pairs[k + 8][1]]);
    collide(w.pairs[k][0], w.pairs[k][1], list);
  }
}

/// Appends the contacts of one pair.
void Search::collide(int i, int j, ContactSet& list) {
  Buffers& w = *buffers_;
  const system::Collider &a = system_.shapes[i], &b = system_.shapes[j];
  if (w.skipped && w.skips(a.body) && w.skips(b.body)) return;
  if (!w.near(i, j, a.body, b.body) || !(w.broad.has_filtered() || system_.may_touch(i, j))) return;
  const std::size_t first = list.size();
  collide_pair(a.geometry, w.poses[i], b.geometry, w.poses[j], w.margin_of(a.body) + w.margin_of(b.body), list);
  for (std::size_t c = first; c < list.size(); ++c) {
    set_pair(i, j, a, b, list[c]);
    if (w.centred[i] && w.centred[j]) continue;
    move_to_body(a, b, w.centred[i] != 0, w.centred[j] != 0, list[c]);
    list[c].at = evaluate(list[c].feature, w.q->pose(a.body), w.q->pose(b.body));
  }
}

void Search::look_again(const std::vector<double>& margin, const Marks& grown, const ContactSet& known,
                        ContactSet& late) {
  Buffers& w = *buffers_;
  w.margin = &margin;
  late.clear();
  for (const auto& [i, j] : w.pairs) {
    if (w.is_marked(grown, i) || w.is_marked(grown, j)) collide(i, j, late);
  }
  std::size_t next = 0;
  std::erase_if(late, [&](const Contact& contact) {
    while (next < known.size() && is_before(known[next], contact)) ++next;
    return next < known.size() && !is_before(contact, known[next]);
  });
}

void Search::look_at(const system::Configuration& q, const Marks& marked, ContactSet& out) const {
  const Buffers& w = *buffers_;
  out.clear();
  for (const auto& [i, j] : w.pairs) {
    if (!w.is_marked(marked, i) && !w.is_marked(marked, j)) continue;
    if (system_.may_touch(i, j)) find_pair(system_, i, j, q, 0, out);
  }
}

void Search::join(const ContactSet& late, ContactSet& contacts) {
  std::size_t i = contacts.size(), j = late.size();
  contacts.resize(i + j);
  while (j > 0) {
    if (i > 0 && is_before(late[j - 1], contacts[i - 1])) {
      contacts[i + j - 1] = contacts[i - 1];
      --i;
    } else {
      contacts[i + j - 1] = late[j - 1];
      --j;
    }
  }
  buffers_->stands = false;
}

}  // namespace vinculum::collide
