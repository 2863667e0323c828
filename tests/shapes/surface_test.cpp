// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Surfaces of triangles by themselves: their moments, facets and edges, and what is none.
#include "support/meshes.hpp"
#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using namespace vinculum::test;

namespace {

double sum_of_faces(const shapes::Mesh& surface, const Vec3& n) {
  double area = 0;
  for (const auto& t : surface.triangles) {
    const Vec3 a = surface.vertices[t[0]], b = surface.vertices[t[1]], c = surface.vertices[t[2]];
    area += 0.5 * (b - a).cross(c - a).dot(n);
  }
  return area;
}

}  // namespace

TEST(Surface, moments_of_an_l_beam_are_those_of_its_two_blocks) {
  const shapes::VolumeMoments all = shapes::mesh_moments(*l_beam().mesh);
  // blocks [0,2]×[0,1] and [0,1]×[1,2], both |z| <= 1: volumes 4 and 2, centroids (1, 0.5), (0.5, 1.5)
  EXPECT_NEAR(all.volume, 6, 1e-14);
  const Vec3 centroid(5.0 / 6, 5.0 / 6, 0);
  EXPECT_LE((all.centroid - centroid).norm(), 1e-14);
  const auto I_zz = [&](double V, double sx, double sy, const Vec3& c) {
    return V * (sx * sx + sy * sy) / 12 + V * (c - centroid).squaredNorm();
  };
  EXPECT_NEAR(all.inertia(2, 2), I_zz(4, 2, 1, {1, 0.5, 0}) + I_zz(2, 1, 1, {0.5, 1.5, 0}), 1e-13);
}

TEST(Surface, seams_ridges_and_valleys_are_told_apart) {
  const Shape solid = l_beam();
  const shapes::Mesh& beam = *solid.mesh;
  EXPECT_TRUE(beam.closed);
  EXPECT_EQ(beam.facets.size(), 8u);
  int convex = 0, concave = 0, flat = 0;
  for (const auto& edge : beam.edges) {
    convex += edge.bend == shapes::Mesh::Bend::convex;
    concave += edge.bend == shapes::Mesh::Bend::concave;
    flat += edge.bend == shapes::Mesh::Bend::flat;
  }
  EXPECT_EQ(concave, 1);       // the inner corner
  EXPECT_EQ(convex, 5 + 12);   // the other long edges, and the outlines of the two caps
  EXPECT_EQ(flat, 6 + 2 * 3);  // a diagonal on each side, three in each cap
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(sum_of_faces(beam, Vec3::Unit(k)), 0, 1e-14);
}

TEST(Surface, what_is_no_surface_is_refused) {
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_THROW(mesh(x, {{0, 1, 4}}), base::InputError);             // no such vertex
  EXPECT_THROW(mesh(x, {{0, 1, 1}}), base::InputError);             // no area
  EXPECT_THROW(mesh(x, {{0, 1, 2}, {0, 1, 3}}), base::InputError);  // both run from 0 to 1
  EXPECT_THROW(mesh(x, {}), base::InputError);
  EXPECT_THROW(height_field(1, 1, {{0, 1}}), base::InputError);
  EXPECT_THROW(height_field(1, 1, {{0, 1}, {0}}), base::InputError);
}
