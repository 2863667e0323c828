// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex hull of points by qhull (Barber, Dobkin, Huhdanpaa 1996), which merges facets that rounding makes nonconvex.
// qhull is asked to merge up to `flatness`; the planes are then recomputed here:
//   normal    Newell's sum Σ x_k × x_{k+1} over the loop, which uses every corner of the face
//   offset    max over all vertices, so that the plane supports the solid
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/polytope.hpp"

#include <fmt/core.h>
#include <cmath>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace vinculum::shapes {

namespace {

constexpr std::size_t max_vertices = 5000;  // feature ids keep 14 bits for an edge, and edges <= 3 vertices − 6

[[noreturn]] void reject(const std::string& found) {
  throw base::InputError("found " + found + ", expected points that span a solid");
}

/// Extent of the points; rejects what qhull cannot be asked about. Solid enough: thicker than `flatness` in every
/// direction.
double check_points(std::span<const Vec3> points) {
  if (points.size() < 4) reject(fmt::format("{} point{}", points.size(), points.size() == 1 ? "" : "s"));
  Vec3 low = points[0], high = points[0];
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!points[k].allFinite()) reject(fmt::format("point {} that is not finite", k));
    low = low.cwiseMin(points[k]);
    high = high.cwiseMax(points[k]);
  }
  const double extent = (high - low).maxCoeff(), thin = 10 * flatness * extent;
  if (!(extent > 0)) reject("points that coincide");
  if (!std::isfinite(extent)) reject("points too far apart");
  const auto farthest = [&](auto distance) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k) best = distance(points[k]) > distance(points[best]) ? k : best;
    return points[best];
  };
  const Vec3 p0 = farthest([&](const Vec3& x) { return (x - points[0]).norm(); });
  const Vec3 p1 = farthest([&](const Vec3& x) { return (x - p0).norm(); });
  const Vec3 u = (p1 - p0).normalized();
  const auto off_line = [&](const Vec3& x) { return (x - p0).cross(u).norm(); };
  const Vec3 p2 = farthest(off_line);
  if (off_line(p2) <= thin) reject("points on one line");
  const Vec3 n = (p2 - p0).cross(u).normalized();
  const auto off_plane = [&](const Vec3& x) { return std::abs(n.dot(x - p0)); };
  if (off_plane(farthest(off_plane)) <= thin) reject("points in one plane");
  return extent;
}

/// Owns a run of qhull.
class Qhull {
 public:
  Qhull(std::span<const Vec3> points, double extent) {
    for (const Vec3& x : points) coordinates_.insert(coordinates_.end(), x.data(), x.data() + 3);
    qh_zero(&run_, nullptr);
    std::string options = fmt::format("qhull C{:.17g} Pp", flatness * extent);
    code_ = qh_new_qhull(&run_, 3, static_cast<int>(points.size()), coordinates_.data(), False, options.data(), nullptr,
                         nullptr);
  }
  ~Qhull() {
    int kept = 0, total = 0;
    qh_freeqhull(&run_, !qh_ALL);
    qh_memfreeshort(&run_, &kept, &total);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
  bool failed() const { return code_ != 0; }

  /// Loops of point indices, counter-clockwise seen from outside.
  std::vector<std::vector<int>> loops() {
    std::vector<std::vector<int>> result;
    for (facetT* facet = run_.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
      setT* vertices = qh_facet3vertex(&run_, facet);
      std::vector<int> loop;
      for (int k = 0; k < qh_setsize(&run_, vertices); ++k) {
        const auto* vertex = static_cast<const vertexT*>(vertices->e[k].p);
        loop.push_back(qh_pointid(&run_, vertex->point));
      }
      qh_settempfree(&run_, &vertices);
      result.push_back(std::move(loop));
    }
    return result;
  }

 private:
  std::vector<double> coordinates_;
  qhT run_;
  int code_ = 0;
};

Polytope::Face make_face(std::span<const Vec3> vertices, std::vector<int> loop, const Vec3& inside) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& origin = vertices[loop[0]];
    sum += (vertices[loop[k]] - origin).cross(vertices[loop[(k + 1) % loop.size()]] - origin);
  }
  if (sum.dot(vertices[loop[0]] - inside) < 0) {
    sum = -sum;
    std::reverse(loop.begin() + 1, loop.end());
  }
  const Vec3 normal = sum.normalized();
  return {normal, normal.dot(vertices[support_vertex(vertices, normal)]), std::move(loop), {}};
}

}  // namespace

std::shared_ptr<const Polytope> make_hull(std::span<const Vec3> points) {
  const double extent = check_points(points);
  Qhull run(points, extent);
  if (run.failed()) reject("points of which no hull could be made");
  auto loops = run.loops();

  // Vertices in the order of the points, so that ids do not depend on qhull's bookkeeping.
  std::vector<int> new_index(points.size(), -1);
  for (const auto& loop : loops)
    for (int k : loop) new_index[k] = 0;
  auto hull = std::make_shared<Polytope>();
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (new_index[k] < 0) continue;
    new_index[k] = static_cast<int>(hull->vertices.size());
    hull->vertices.push_back(points[k]);
  }
  if (hull->vertices.size() > max_vertices)
    reject(fmt::format("a hull of {} corners (at most {})", hull->vertices.size(), max_vertices));
  Vec3 inside = Vec3::Zero();
  for (const Vec3& x : hull->vertices) inside += x / static_cast<double>(hull->vertices.size());
  for (auto& loop : loops) {
    for (int& k : loop) k = new_index[k];
    hull->faces.push_back(make_face(hull->vertices, std::move(loop), inside));
  }
  const auto first = [](const Polytope::Face& face) { return *std::min_element(face.loop.begin(), face.loop.end()); };
  for (auto& face : hull->faces)
    std::rotate(face.loop.begin(), std::min_element(face.loop.begin(), face.loop.end()), face.loop.end());
  std::sort(hull->faces.begin(), hull->faces.end(),
            [&](const auto& f, const auto& g) { return first(f) != first(g) ? first(f) < first(g) : f.loop < g.loop; });
  list_edges(*hull);
  for (const auto& faces : hull->edge_faces) {
    if (faces[0] < 0 || faces[1] < 0) reject("points of which no closed hull could be made");
  }
  return hull;
}

}  // namespace vinculum::shapes
