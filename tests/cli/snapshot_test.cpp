// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/snapshot.hpp"

#include "cli/depth_order.hpp"
#include "cli/svg_check.hpp"

#include <gtest/gtest.h>

#include <random>

namespace vinculum::cli {
namespace {

using shapes::Kind;
using shapes::Shape;

Shape make_shape(Kind kind, double radius, double half_length = 0, const Vec3& half = Vec3::Zero()) {
  Shape s;
  s.kind = kind;
  s.radius = radius;
  s.half_length = half_length;
  s.half_extents = half;
  return s;
}

Pose at(double x, double y, double z) { return {Vec3(x, y, z), algebra::Quat::Identity()}; }

Shape box(double x, double y, double z) { return make_shape(Kind::box, 0, 0, Vec3(x, y, z)); }

TEST(Solids, faces_are_closed_and_look_outward) {
  for (const Shape& shape : {box(1, 2, 3), make_shape(Kind::capsule, 0.5, 1), make_shape(Kind::cylinder, 0.5, 1)}) {
    const Solid s = make_solid(shape, at(4, 5, 6));
    Vec3 area = Vec3::Zero();
    for (const auto& face : s.faces) {
      Vec3 sum = Vec3::Zero();  // area vector of the polygon
      const Vec3& origin = s.vertices[static_cast<std::size_t>(face.loop[0])];
      for (std::size_t k = 1; k + 1 < face.loop.size(); ++k) {
        sum += 0.5 * (s.vertices[static_cast<std::size_t>(face.loop[k])] - origin)
                         .cross(s.vertices[static_cast<std::size_t>(face.loop[k + 1])] - origin);
      }
      EXPECT_GT(sum.dot(face.normal), 0.9 * sum.norm());
      EXPECT_GT(face.normal.dot(origin - s.centre), 0);
      area += sum;
    }
    EXPECT_LT(area.norm(), 1e-12);  // the area vectors of a closed surface cancel
  }
}

TEST(DepthOrder, what_lies_on_a_table_is_drawn_after_it_from_wherever_one_looks) {
  // The centre of the long table may be nearer to the eye than that of the box: depth of centres alone is wrong.
  const std::vector<Solid> solids{make_solid(box(0.2, 0.2, 0.2), at(-4, 0, 0.3)),
                                  make_solid(box(5, 1, 0.1), at(0, 0, 0))};
  for (double angle = 0; angle < 6.28; angle += 0.1) {
    const View view(Camera{Vec3(12 * std::cos(angle), 12 * std::sin(angle), 3), Vec3::Zero()}, 800, 600);
    EXPECT_EQ(depth_order(solids, view), (std::vector<std::size_t>{1, 0})) << angle;
  }
}

// Painting is right when along every line of sight the solids are met in the reverse of their order: balls at random.
TEST(DepthOrder, a_heap_of_balls_is_painted_from_back_to_front) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Solid> solids;
  while (solids.size() < 120) {
    const Vec3 x(u(random), u(random), u(random));
    const double r = 0.05 + 0.1 * std::abs(u(random));
    bool free = true;
    for (const auto& s : solids) free = free && (s.centre - x).norm() > r + s.radius;
    if (free) solids.push_back(make_solid(make_shape(Kind::sphere, r), at(x.x(), x.y(), x.z())));
  }
  const Vec3 eye(3, -4, 2);
  const View view(Camera{eye, Vec3::Zero()}, 800, 800);
  const auto order = depth_order(solids, view);
  ASSERT_EQ(order.size(), solids.size());
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (int ray = 0; ray < 20000; ++ray) {
    const Vec3 d = (Vec3(u(random), u(random), u(random)) - eye).normalized();
    std::vector<std::pair<double, std::size_t>> hits;
    for (std::size_t i = 0; i < solids.size(); ++i) {
      const double along = d.dot(solids[i].centre - eye);
      if ((solids[i].centre - eye - along * d).norm() < solids[i].radius) hits.emplace_back(along, i);
    }
    std::sort(hits.begin(), hits.end());
    for (std::size_t k = 0; k + 1 < hits.size(); ++k) ASSERT_GT(place[hits[k].second], place[hits[k + 1].second]);
  }
}

TEST(Snapshot, every_kind_of_shape_appears) {
  Scene scene;
  scene.title = "one & all";
  scene.shapes = {{make_shape(Kind::plane, 0), at(0, 0, 0), -1},
                  {box(0.5, 0.5, 0.1), at(0, 0, 0.1), -1},
                  {make_shape(Kind::sphere, 0.2), at(0, 0, 0.4), 1},
                  {make_shape(Kind::capsule, 0.1, 0.2), at(1, 0, 0.3), 2},
                  {make_shape(Kind::cylinder, 0.1, 0.2), at(-1, 0, 0.2), 3}};
  auto tetrahedron = std::make_shared<shapes::Polytope>();
  tetrahedron->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& loop : {std::vector{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}) {
    const auto& v = tetrahedron->vertices;
    const auto vertex = [&](std::size_t k) { return v[static_cast<std::size_t>(loop[k])]; };
    const Vec3 normal = (vertex(1) - vertex(0)).cross(vertex(2) - vertex(0)).normalized();
    auto& face = tetrahedron->faces.emplace_back();
    face.normal = normal;
    face.offset = normal.dot(vertex(0));
    face.loop = loop;
  }
  Shape hull = make_shape(Kind::hull, 0);
  hull.polytope = tetrahedron;
  scene.shapes.push_back({hull, at(0, 1, 0), 4});
  scene.arrows = {{Vec3(0, 0, 0.2), Vec3(0, 0, 10)}, {Vec3(1, 0, 0), Vec3::Zero()}};
  for (const bool orthographic : {false, true}) {
    scene.camera = make_camera(scene, -1, 0.4, orthographic);
    const auto svg = scene_svg(scene);
    EXPECT_TRUE(well_formed(svg));
    EXPECT_FALSE(has_bad_number(svg));
    EXPECT_EQ(count(svg, "<circle"), 1u);
    EXPECT_EQ(count(svg, "stroke=\"none\""), 1u);  // heads of arrows that have a length
    EXPECT_NE(svg.find("one &amp; all"), std::string::npos);
  }
}

TEST(Snapshot, an_empty_scene_or_an_eye_inside_a_box_does_no_harm) {
  EXPECT_TRUE(well_formed(scene_svg(Scene{})));
  Scene scene;
  scene.shapes = {{make_shape(Kind::plane, 0), at(0, 0, 0), -1}};
  EXPECT_FALSE(has_bad_number(scene_svg(scene)));
  scene.shapes.push_back({box(1, 1, 1), at(0, 0, 1), 0});
  scene.camera = Camera{Vec3(0, 0, 1), Vec3(1, 0, 1)};
  const auto svg = scene_svg(scene);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_FALSE(has_bad_number(svg));
}

TEST(Snapshot, the_automatic_camera_sees_everything_that_moves) {
  Scene scene;
  scene.shapes = {{box(100, 100, 1), at(0, 0, -1), -1},
                  {box(1, 2, 3), at(5, 6, 7), 0},
                  {make_shape(Kind::sphere, 2), at(-5, 0, 2), 1}};
  for (const double azimuth : {-2.0, 0.0, 1.0}) {
    for (const bool orthographic : {false, true}) {
      const View view(make_camera(scene, azimuth, 0.3, orthographic), scene.width, scene.height);
      for (const auto& shape : {scene.shapes[1], scene.shapes[2]}) {
        const Solid s = make_solid(shape.shape, shape.X_WS);
        for (const auto& x : s.vertices) {
          const Vec2 p = view.at(x);
          const double r = s.radius * view.scale(x);
          EXPECT_TRUE(p.x() - r > 0 && p.x() + r < scene.width && p.y() - r > 0 && p.y() + r < scene.height);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::cli
