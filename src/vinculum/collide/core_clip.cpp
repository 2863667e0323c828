// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Clipping of a polygon by the walls of a reference face (Sutherland and Hodgman 1974) with thick walls: a point within
// ±band of a wall is on it, stays as it is, and makes no crossing. So aligned stacks keep their corners whatever the
// rounding, and the patch is at most a band larger than the true one.
#include "vinculum/collide/core_pair.hpp"

namespace vinculum::collide {
namespace {

struct Wall {
  Vec3 normal;  // outward
  double offset;
  int index;  // side of the face
};

/// Id of the point where a side of the polygon meets a wall.
std::uint32_t crossing_id(const shapes::Polytope::Face& face, const Wall& wall, int side, Meeting crossing) {
  if (side >= 0) return feature_id(crossing, side, face.loop_edges[wall.index]);
  const int count = static_cast<int>(face.loop.size()), other = -1 - side;
  const int corner = (other + 1) % count == wall.index ? face.loop[wall.index] : face.loop[other];
  return feature_id(Meeting::corner, corner, 0);
}

bool lies_within(const Wall& wall, double band, const std::vector<ClipPoint>& polygon) {
  for (const ClipPoint& point : polygon) {
    if (wall.normal.dot(point.x) - wall.offset > band) return false;
  }
  return true;
}

void cut(const shapes::Polytope::Face& face, const Wall& wall, double band, Meeting crossing,
         const std::vector<ClipPoint>& in, std::vector<ClipPoint>& out) {
  out.clear();
  const std::size_t count = in.size(), sides = count == 2 ? 1 : count;  // a segment is not closed
  for (std::size_t k = 0; k < count; ++k) {
    const ClipPoint& here = in[k];
    const double d = wall.normal.dot(here.x) - wall.offset;
    if (d <= band) out.push_back(here);
    if (k >= sides || count == 1) continue;
    const ClipPoint& next = in[(k + 1) % count];
    const double d_next = wall.normal.dot(next.x) - wall.offset;
    const bool leaves = d < -band && d_next > band, enters = d > band && d_next < -band;
    if (d <= band && d >= -band && d_next > band) out.back().side = -1 - wall.index;
    if (leaves || enters) {
      ClipPoint point;
      point.x = here.x + d / (d - d_next) * (next.x - here.x);
      point.id = crossing_id(face, wall, here.side, crossing);
      point.side = leaves ? -1 - wall.index : here.side;
      out.push_back(point);
    }
  }
}

}  // namespace

void clip_to_face(const Core& reference, int face_index, double band, Meeting crossing,
                  std::vector<ClipPoint>& polygon) {
  thread_local std::vector<ClipPoint> scratch;
  const auto& face = reference.solid->faces[face_index];
  const Vec3& n = reference.normals[face_index];
  for (std::size_t k = 0; k < face.loop.size() && !polygon.empty(); ++k) {
    const Vec3& from = reference.vertices[face.loop[k]];
    const Vec3& to = reference.vertices[face.loop[(k + 1) % face.loop.size()]];
    const Vec3 normal = (to - from).cross(n).normalized();
    const Wall wall{normal, normal.dot(from), static_cast<int>(k)};
    if (lies_within(wall, band, polygon)) continue;
    cut(face, wall, band, crossing, polygon, scratch);
    polygon.swap(scratch);
  }
  for (ClipPoint& point : polygon) point.height = n.dot(point.x) - reference.offsets[face_index];
}

}  // namespace vinculum::collide
