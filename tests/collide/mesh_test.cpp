// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes and height fields. Second routes: the same solid as a hull, a plane, and the auditor's distance (the
// algorithm of Gilbert, Johnson and Keerthi) to every triangle.
#include "vinculum/shapes/mesh.hpp"
#include "collide/support.hpp"
#include "support/meshes.hpp"
#include "vinculum/checks/solids.hpp"
#include "vinculum/collide/mesh_patch.hpp"

#include <gtest/gtest.h>
#include <numbers>
#include <set>

using namespace vinculum;
using namespace vinculum::test;

namespace {

/// A polytope as a mesh: each face a fan.
Shape as_mesh(const Shape& solid) {
  Triangles triangles;
  for (const auto& face : solid.polytope->faces)
    for (std::size_t k = 1; k + 1 < face.loop.size(); ++k)
      triangles.push_back({face.loop[0], face.loop[k], face.loop[k + 1]});
  return mesh(solid.polytope->vertices, triangles);
}

/// The square |x|, |y| <= side/2 at z = 0 in n × n cells.
Shape flat_grid(double side, int n) {
  return height_field(side, side, std::vector<std::vector<double>>(n + 1, std::vector<double>(n + 1, 0.0)));
}

/// Ridges and valleys along y, sharp enough for every kind of feature.
Shape rough_ground() {
  Random random;
  std::vector<std::vector<double>> heights(9, std::vector<double>(9));
  for (auto& row : heights)
    for (double& h : row) h = random.uniform(-0.25, 0.25);
  return height_field(4, 4, heights);
}

std::vector<Contact> contacts_of(const Shape& a, const Pose& X_A, const Shape& b, const Pose& X_B, double margin) {
  std::vector<Contact> contacts;
  collide::collide_pair(a, X_A, b, X_B, margin, contacts);
  return contacts;
}

/// Distance of a triangle and a placed convex shape by the auditor's geometry, which shares no code with collide.
double triangle_distance(const std::array<Vec3, 3>& T, const Shape& b, const Pose& X_B) {
  auto polytope = std::make_shared<shapes::Polytope>();
  polytope->vertices.assign(T.begin(), T.end());
  const Vec3 n = (T[1] - T[0]).cross(T[2] - T[0]).normalized();
  polytope->faces = {{n, n.dot(T[0]), {0, 1, 2}, {}}, {-n, -n.dot(T[0]), {2, 1, 0}, {}}};
  polytope->edges = {{0, 1}, {1, 2}, {0, 2}};
  Shape flat;
  flat.kind = Kind::hull;
  flat.polytope = polytope;
  return checks::separate({&flat, Vec3::Zero(), algebra::Mat3::Identity()}, {&b, X_B.p, X_B.R.toRotationMatrix()})
      .value;
}

double mesh_distance(const shapes::Mesh& surface, const Shape& b, const Pose& X_B) {
  double least = 1e300;
  const double reach = shapes::type_of(b.kind).radius_bound(b);
  for (const auto& corners : surface.triangles) {
    const std::array<Vec3, 3> T{surface.vertices[corners[0]], surface.vertices[corners[1]],
                                surface.vertices[corners[2]]};
    double near = 1e300;  // a cheap lower bound: the ball around b and the box of T
    const Vec3 low = T[0].cwiseMin(T[1]).cwiseMin(T[2]), high = T[0].cwiseMax(T[1]).cwiseMax(T[2]);
    near = (X_B.p.cwiseMax(low).cwiseMin(high) - X_B.p).norm() - reach;
    if (near > 0.2 || near > least) continue;
    least = std::min(least, triangle_distance(T, b, X_B));
  }
  return least;
}

}  // namespace

TEST(Mesh, a_flat_mesh_gives_a_ball_the_contact_of_a_plane_wherever_it_is) {
  const Shape ground = flat_grid(4, 16), ball = sphere(0.3);
  Random random;
  for (int k = 0; k < 2000; ++k) {
    // also exactly on seams and on vertices
    Vec3 p(random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), 0.3 + random.uniform(-0.01, 0.05));
    if (k % 4 == 1) p.x() = 0.25 * std::floor(4 * p.x());
    if (k % 4 == 2) p.y() = p.x();
    if (k % 8 == 3) p.y() = 0.25 * std::floor(4 * p.y()), p.x() = 0.25 * std::floor(4 * p.x());
    const auto contacts = contacts_of(ground, {}, ball, {p, Quat::Identity()}, 0.1);
    ASSERT_EQ(contacts.size(), 1u) << p.transpose();
    EXPECT_EQ(contacts[0].at.n, Vec3::UnitZ());
    EXPECT_NEAR(contacts[0].at.gap, p.z() - 0.3, 1e-16);
    EXPECT_LE((contacts[0].at.p_a - Vec3(p.x(), p.y(), 0)).norm(), 1e-15);
  }
}

TEST(Mesh, a_block_on_a_fine_flat_mesh_rests_on_its_own_corners) {
  const Shape block = box(0.9, 0.7, 0.5);
  Random random;
  for (const int cells : {1, 3, 10, 40}) {
    const Shape ground = flat_grid(4, cells);
    for (int k = 0; k < 40; ++k) {
      const Quat R(Eigen::AngleAxisd(random.uniform(0, 6), Vec3::UnitZ()));
      const Pose X{Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.25 + (k % 2 ? 1e-4 : -1e-8)), R};
      const auto contacts = contacts_of(ground, {}, block, X, 0.01);
      ASSERT_EQ(contacts.size(), 4u) << cells;
      for (const Contact& contact : contacts) {
        EXPECT_LE((contact.at.n - Vec3::UnitZ()).norm(), 1e-15);
        EXPECT_NEAR(contact.at.gap, X.p.z() - 0.25, 1e-15);
        const Vec3 own = R.conjugate() * (contact.at.p_b - X.p);
        EXPECT_NEAR(std::abs(own.x()), 0.45, 1e-14);
        EXPECT_NEAR(std::abs(own.y()), 0.35, 1e-14);
      }
    }
  }
}

TEST(Mesh, ids_of_a_sliding_block_do_not_change_at_seams) {
  const Shape ground = flat_grid(4, 20), block = box(0.31, 0.23, 0.2);
  std::set<std::uint32_t> ids;
  for (int k = 0; k < 200; ++k) {
    const Pose X{Vec3(-1 + 0.01 * k, 0.3 - 0.003 * k, 0.1), Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ()))};
    for (const Contact& contact : contacts_of(ground, {}, block, X, 0.01)) ids.insert(contact.feature_id);
  }
  EXPECT_EQ(ids.size(), 4u);
}

TEST(Mesh, a_convex_solid_as_a_mesh_has_the_gaps_of_the_hull) {
  Random random;
  std::vector<Vec3> cloud;
  for (int k = 0; k < 12; ++k) cloud.push_back(0.6 * random.direction());
  for (const Shape& solid : {box(0.9, 0.7, 0.5), hull(octahedron(0.5)), hull(cloud)}) {
    const Shape surface = as_mesh(solid);
    ASSERT_TRUE(surface.mesh->closed);
    for (const Shape& other : bounded_shapes()) {
      for (int trial = 0; trial < 60; ++trial) {
        const Pose X_A{random.vector(1), random.rotation()}, X{Vec3::Zero(), random.rotation()};
        const double target = trial % 4 == 0   ? random.uniform(1e-6, 0.06)
                              : trial % 4 == 1 ? 0
                              : trial % 4 == 2 ? -1e-7
                                               : -1e-3;
        const Vec3 ray = random.direction();
        double near = 0, far = 3;
        for (int k = 0; k < 60; ++k) {
          const double mid = 0.5 * (near + far);
          const auto found = contacts_of(solid, X_A, other, {X_A.p + mid * ray, X.R}, 10);
          (lowest_gap(found) < target ? near : far) = mid;
        }
        const Pose X_B{X_A.p + far * ray, X.R};
        const double expected = lowest_gap(contacts_of(solid, X_A, other, X_B, 0.1));
        const auto found = contacts_of(surface, X_A, other, X_B, 0.1);
        // the choice between features of nearly equal gap costs up to 1e-9 of the size (core_pair.cpp)
        EXPECT_NEAR(lowest_gap(found), expected, 2e-9)
            << shapes::type_of(other.kind).name << " trial " << trial << " target " << target;
        const auto turned = contacts_of(other, X_B, surface, X_A, 0.1);
        EXPECT_EQ(turned.size(), found.size());
        EXPECT_EQ(lowest_gap(turned), lowest_gap(found));
      }
    }
  }
}

// Second route: the auditor's, every triangle against every other. Up by `rise` the two are apart, so that along no
// normal the way out is longer. True of these draws; of 3000 nine fail, all deeper than a hundredth of the beam: five
// ridges are told to be deeper than the way out, by 4 to 80 %, and four depths are told too small, by 4 to 42 %. What
// passes out of a concave solid cannot be told from one place, and lifts repeat themselves.
TEST(Mesh, a_beam_that_sank_into_rough_ground_is_told_so_and_no_more) {
  const Shape ground = rough_ground(), beam = l_beam();
  Random random;
  int sunk = 0;
  for (int k = 0; k < 300; ++k) {
    Pose X;
    for (const int axis : {1, 0}) X.p[axis] = random.uniform(-1, 1);
    X.R = random.rotation();
    double low = 0;
    for (const Vec3& x : beam.mesh->vertices) low = std::min(low, (X.R * x).z());
    X.p.z() = -low + random.uniform(-0.1, 0.1);
    const auto depth = [&](double up) {
      return -checks::separate({&ground, Vec3::Zero(), algebra::Mat3::Identity()},
                               {&beam, X.p + Vec3(0, 0, up), X.R.toRotationMatrix()})
                  .value;
    };
    if (depth(0) < 1e-3 || depth(0) > 0.05) continue;
    ++sunk;
    double rise = 0;
    while (depth(rise) > 0) rise += 2e-3;
    const auto found = contacts_of(ground, {}, beam, X, 0);
    ASSERT_FALSE(found.empty()) << k;
    EXPECT_LE(lowest_gap(found), -0.99 * depth(0)) << k;
    EXPECT_GE(lowest_gap(found), -rise) << k;
  }
  EXPECT_GT(sunk, 30);
}

// The lower edge of a bar along x, square and turned by 45°, sinks by d into the ridge of a roof along y: n = z, g =
// −d.
TEST(Mesh, a_bar_across_a_ridge_is_held_where_the_edges_cross) {
  const Shape
      roof = height_field(4, 4, {{0, 1, 0}, {0, 1, 0}}),
      bar = as_mesh(hull(
          {{-1, -.3, 0}, {1, -.3, 0}, {-1, .3, 0}, {1, .3, 0}, {-1, 0, -.3}, {1, 0, -.3}, {-1, 0, .3}, {1, 0, .3}}));
  for (const double depth : {1e-6, 1e-3, 0.05}) {
    const auto found = contacts_of(roof, {}, bar, {Vec3(0.3, 0.2, 1.3 - depth), Quat::Identity()}, 0);
    ASSERT_EQ(found.size(), 1u) << depth;
    EXPECT_NEAR(found[0].at.gap, -depth, 1e-15);
    EXPECT_NEAR((found[0].at.n - Vec3::UnitZ()).norm(), 0, 1e-15);
    EXPECT_NEAR((found[0].at.p_a - Vec3(0, 0.2, 1)).norm(), 0, 1e-15);
  }
}

// The ridge of a roof is at y = ±0.35 under the sides of the block, which leans by 1e-3: gaps ± 0.35e-3 about the mean.
TEST(Mesh, a_block_that_leans_across_a_ridge_sees_both_ends) {
  const Shape roof = height_field(4, 4, {{0, 1, 0}, {0, 1, 0}}), block = box(0.9, 0.7, 0.5);
  const Quat lean(Eigen::AngleAxisd(1e-3, Vec3::UnitX()));
  for (const double sunk : {0.0, 5e-4}) {
    const auto found = contacts_of(roof, {}, block, {Vec3(0.1, 0, 1.25 - sunk), lean}, 0.01);
    double low = 1, high = -1;
    for (const Contact& contact : found) {
      if (std::abs(contact.at.p_a.x()) > 1e-9) continue;
      low = std::min(low, contact.at.gap);
      high = std::max(high, contact.at.gap);
    }
    EXPECT_NEAR(low, -0.35e-3 - sunk, 1e-6);  // second order in the angle
    EXPECT_NEAR(high, 0.35e-3 - sunk, 1e-6);
  }
}

// Its side runs along the ridge, leaning by up to what counts as side by side, and ends half way: what is nearest is
// its rim.
TEST(Mesh, a_cylinder_that_leans_along_a_ridge_is_never_lost) {
  const Shape roof = height_field(4, 4, {{0, 1, 0}, {0, 1, 0}}), rod = cylinder(0.3, 1.2);
  for (const double lean : {-0.06, -0.0499, -0.02, -1.4e-3, -1e-5, 1e-6, 3e-4, 0.01, 0.0499, 0.06}) {
    for (const double turn : {0.0, 1e-3, 0.03}) {
      const Quat along(Eigen::AngleAxisd(turn, Vec3::UnitZ()) *
                       Eigen::AngleAxisd(0.5 * std::numbers::pi + lean, Vec3::UnitX()));
      const Pose X_B{Vec3(0.01, 0.9, 1.3 + 0.6 * std::abs(std::sin(lean)) + 1e-3), along};
      const auto found = contacts_of(roof, {}, rod, X_B, 0.05);
      ASSERT_FALSE(found.empty()) << lean << ' ' << turn;
      double gap = 1;
      for (const Contact& contact : found) gap = std::min(gap, contact.at.gap);
      EXPECT_NEAR(gap, mesh_distance(*roof.mesh, rod, X_B), 1e-6) << lean << ' ' << turn;
    }
  }
}

TEST(Mesh, a_plate_that_is_wholly_below_the_ground_leaves_it_upwards) {
  const Shape ground = flat_grid(4, 3);
  for (const Shape& plate : {box(0.6, 0.5, 0.01), cylinder(0.3, 0.01)}) {
    const auto found = contacts_of(ground, {}, plate, {Vec3(0.2, 0.1, -0.05), Quat::Identity()}, 0);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(lowest_gap(found), -0.055, 1e-15);
    for (const Contact& contact : found) EXPECT_EQ(contact.at.n, Vec3::UnitZ());
  }
}

// Ground is solid: a ball that fell past the border touches its upright side, and nothing below its bottom.
TEST(Mesh, the_ground_of_a_height_field_has_sides_and_a_bottom) {
  const Shape ground = flat_grid(4, 3), ball = sphere(0.3);  // from z = 0 to −4
  const auto beside = contacts_of(ground, {}, ball, {Vec3(2.31, 0.3, -1), Quat::Identity()}, 0.1);
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].at.n, Vec3::UnitX());
  EXPECT_NEAR(beside[0].at.gap, 0.01, 1e-15);
  EXPECT_TRUE(contacts_of(ground, {}, ball, {Vec3(0, 0, -4.5), Quat::Identity()}, 0.1).empty());
}

TEST(Mesh, the_gap_to_a_concave_surface_is_the_distance_of_the_nearest_triangle) {
  Random random;
  for (const Shape& surface : {l_beam(), rough_ground()}) {
    const bool ground = surface.kind == Kind::height_field;
    for (const Shape& other : bounded_shapes()) {
      int tried = 0;
      for (int trial = 0; tried < 12 && trial < 200; ++trial) {
        const Quat R = random.rotation();
        // from far outside towards the surface until the gap is as wanted
        const Vec3 ray = ground ? Vec3(Vec3::UnitZ()) : random.direction();
        const Vec3 base = ground ? Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0)
                                 : Vec3(random.uniform(0, 2), random.uniform(0, 2), random.uniform(-1, 1));
        const double target = random.uniform(1e-5, 0.05);
        double far = 6;
        const auto gap_at = [&](double s) {
          return lowest_gap(contacts_of(surface, {}, other, {base + s * ray, R}, 0.1));
        };
        while (far > -3 && gap_at(far) >= target) far -= 0.03;
        double near = far;
        far += 0.03;
        for (int k = 0; k < 40; ++k) {
          const double mid = 0.5 * (near + far);
          const auto found = contacts_of(surface, {}, other, {base + mid * ray, R}, 0.1);
          (found.empty() || lowest_gap(found) >= target ? far : near) = mid;
        }
        const Pose X{base + far * ray, R};
        const auto found = contacts_of(surface, {}, other, X, 0.1);
        if (found.empty()) continue;
        ++tried;
        const double expected = mesh_distance(*surface.mesh, other, X);
        EXPECT_NEAR(lowest_gap(found), expected, 1e-7)
            << shapes::type_of(other.kind).name << (ground ? " ground " : " beam ") << trial;
        for (const Contact& contact : found) {
          EXPECT_GE(contact.at.gap, expected - 1e-7);
          EXPECT_LE((collide::evaluate(contact.feature, {}, X).p_b - contact.at.p_b).norm(), 1e-15);
        }
      }
      EXPECT_GE(tried, 5) << shapes::type_of(other.kind).name;
    }
  }
}

TEST(Mesh, a_ball_in_a_groove_touches_both_sides_and_not_the_bottom_edge) {
  const double s = std::sqrt(0.5);
  const Shape groove = mesh({{-1, -1, 1}, {-1, 0, 0}, {-1, 1, 1}, {1, -1, 1}, {1, 0, 0}, {1, 1, 1}},
                            {{0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}});
  const auto contacts = contacts_of(groove, {}, sphere(0.3), {Vec3(0.1, 0, 0.3 / s), Quat::Identity()}, 0.2);
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& contact : contacts) {
    EXPECT_NEAR(contact.at.gap, 0, 1e-15);
    EXPECT_NEAR(contact.at.n.z(), s, 1e-15);
    EXPECT_NEAR(std::abs(contact.at.n.y()), s, 1e-15);
  }
}

TEST(Mesh, a_mesh_rests_on_a_plane_with_the_corners_of_its_hull) {
  const auto contacts = contacts_of(l_beam(), {Vec3(0, 0, 1), Quat::Identity()}, plane(), {}, 0.01);
  EXPECT_EQ(contacts.size(), 5u);  // six corners below, of which the inner one carries nothing of its own
  for (const Contact& contact : contacts) EXPECT_NEAR(contact.at.gap, 0, 1e-15);
}

TEST(Mesh, two_meshes_meet_like_their_hulls) {
  const Shape a = as_mesh(box(0.9, 0.7, 0.5)), b = as_mesh(box(0.4, 0.4, 0.4));
  const auto contacts = contacts_of(a, {}, b, {Vec3(0.1, 0.05, 0.45 + 1e-5), Quat::Identity()}, 1e-3);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts) {
    EXPECT_NEAR(contact.at.gap, 1e-5, 1e-15);
    EXPECT_LE((contact.at.n - Vec3::UnitZ()).norm(), 1e-15);
  }
}

// The wrenches that a patch can carry are those of the hull of its points (mesh_patch.hpp), and a hull is known by its
// support function.
TEST(Mesh, reducing_a_patch_keeps_the_hull_of_its_points) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<collide::MeshContact> patch;
    const double slope = trial % 2 ? 0 : 1e-3;
    for (int k = 0; k < 40; ++k) {
      collide::MeshContact contact;
      contact.key = static_cast<std::uint64_t>(k);
      contact.facet = 3;
      // on a grid, so that many points lie on the sides of the hull
      const Vec3 x(std::round(random.uniform(-4, 4)), std::round(random.uniform(-4, 4)), 0);
      contact.at = {Vec3::UnitZ(), x, x + slope * x.x() * Vec3::UnitZ(), slope * x.x()};
      patch.push_back(contact);
    }
    const auto all = patch;
    collide::reduce_patches(10, patch);
    EXPECT_LT(patch.size(), 20u);
    for (int k = 0; k < 500; ++k) {
      const double angle = random.uniform(0, 2 * std::numbers::pi);
      const Vec3 d(std::cos(angle), std::sin(angle), 0);
      double before = -1e300, after = -1e300;
      for (const auto& contact : all) before = std::max(before, d.dot(contact.at.p_a));
      for (const auto& contact : patch) after = std::max(after, d.dot(contact.at.p_a));
      EXPECT_NEAR(after, before, 1e-8);  // points nearer than 1e-9 of the size to a side are on it
    }
  }
  // a point below the others is no combination of them
  std::vector<collide::MeshContact> pit(5);
  for (int k = 0; k < 5; ++k) {
    const Vec3 x = k < 4 ? Vec3(k % 2 ? 1 : -1, k / 2 ? 1 : -1, 0) : Vec3(0, 0, 0);
    pit[k].key = static_cast<std::uint64_t>(k);
    pit[k].facet = 0;
    pit[k].at = {Vec3::UnitZ(), x, x, k < 4 ? 0 : -0.1};
  }
  collide::reduce_patches(1, pit);
  EXPECT_EQ(pit.size(), 5u);
}
