// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Resting contacts live at gap 0 ± rounding. Their patches must be whole there, and stay the same under any small
// motion.
#include "collide/support.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using namespace vinculum::test;

namespace {

std::vector<Contact> contacts_of(const Shape& a, const Pose& X_A, const Shape& b, const Pose& X_B, double margin) {
  std::vector<Contact> contacts;
  collide::collide_pair(a, X_A, b, X_B, margin, contacts);
  return contacts;
}

Pose at(double x, double y, double z) { return {Vec3(x, y, z), Quat::Identity()}; }
Pose turned(double x, double y, double z, double angle, const Vec3& axis) {
  return {Vec3(x, y, z), Quat(Eigen::AngleAxisd(angle, axis.normalized()))};
}
const double quarter = std::numbers::pi / 2;

/// All points at gap g with normal n, and their mean over the given place.
void expect_patch(const std::vector<Contact>& contacts, std::size_t count, double gap, const Vec3& n,
                  const Vec3& middle) {
  ASSERT_EQ(contacts.size(), count);
  Vec3 mean = Vec3::Zero();
  for (const Contact& contact : contacts) {
    EXPECT_NEAR(contact.at.gap, gap, 2e-15);
    EXPECT_LE((contact.at.n - n).norm(), 1e-14);
    mean += contact.at.p_b / static_cast<double>(count);
  }
  EXPECT_LE((mean - middle).norm(), 1e-9);
}

struct Rest {
  const char* name;
  Shape a, b;
  Pose X_A, X_B;
  std::size_t count;
};

std::vector<Rest> rests() {
  std::vector<Vec3> prism;
  for (int k = 0; k < 5; ++k) {
    const double phi = 2 * std::numbers::pi * k / 5;
    for (double z : {-0.3, 0.3}) prism.emplace_back(0.4 * std::cos(phi), 0.4 * std::sin(phi), z);
  }
  const Vec3 y = Vec3::UnitY();
  return {
      {"box on plane", plane(), box(1, 0.6, 0.4), at(0, 0, 0), at(0.3, 0.1, 0.2), 4},
      {"box on larger box", box(3, 3, 1), box(1, 0.6, 0.4), at(0, 0, 0), at(0.3, 0.1, 0.7), 4},
      {"box under larger box", box(1, 0.6, 0.4), box(3, 3, 1), at(0, 0, 0), at(0.3, 0.1, 0.7), 4},
      {"box on equal box", box(1, 1, 1), box(1, 1, 1), at(0, 0, 0), at(0, 0, 1), 4},
      {"box on equal box, a brick's half aside", box(1, 1, 1), box(1, 1, 1), at(0, 0, 0), at(0.5, 0, 1), 4},
      {"box on box turned by 45 degrees", box(1, 1, 1), box(1, 1, 1), at(0, 0, 0),
       turned(0, 0, 1, quarter / 2, Vec3::UnitZ()), 8},
      {"hull on plane", plane(), hull(prism), at(0, 0, 0), at(0, 0, 0.3), 5},
      {"hull on box", box(2, 2, 1), hull(prism), at(0, 0, 0), at(0, 0, 0.8), 5},
      {"hull on hull", hull(prism), hull(prism), at(0, 0, 0), at(0, 0, 0.6), 5},
      {"capsule lying on plane", plane(), capsule(0.2, 1), at(0, 0, 0), turned(0, 0, 0.2, quarter, y), 2},
      {"capsule lying on box", box(3, 3, 1), capsule(0.2, 1), at(0, 0, 0), turned(0, 0, 0.7, quarter, y), 2},
      {"capsule lying across a narrow box", box(0.4, 3, 1), capsule(0.2, 1), at(0, 0, 0), turned(0, 0, 0.7, quarter, y),
       2},
      {"capsule along capsule", capsule(0.2, 1), capsule(0.2, 1), at(0, 0, 0), at(0.4, 0, 0.3), 2},
      {"capsule along equal capsule", capsule(0.2, 1), capsule(0.2, 1), at(0, 0, 0), at(0.4, 0, 0), 2},
      {"capsule along cylinder", cylinder(0.2, 1), capsule(0.2, 1), at(0, 0, 0), at(0.4, 0, 0.3), 2},
      {"capsule lying on a cap", cylinder(1, 1), capsule(0.2, 1), at(0, 0, 0), turned(0, 0, 0.7, quarter, y), 2},
      {"cylinder standing on plane", plane(), cylinder(0.5, 1), at(0, 0, 0), at(0, 0, 0.5), 5},
      {"cylinder standing on box", box(3, 3, 1), cylinder(0.5, 1), at(0, 0, 0), at(0, 0, 1), 5},
      {"cylinder lying on plane", plane(), cylinder(0.5, 1), at(0, 0, 0), turned(0, 0, 0.5, quarter, y), 2},
      {"cylinder lying on box", box(3, 3, 1), cylinder(0.5, 1), at(0, 0, 0), turned(0, 0, 1, quarter, y), 2},
      {"cylinder lying across a narrow box", box(0.4, 3, 1), cylinder(0.5, 1), at(0, 0, 0), turned(0, 0, 1, quarter, y),
       2},
      {"box standing on a cap", cylinder(1, 1), box(0.5, 0.6, 0.4), at(0, 0, 0), at(0.1, 0, 0.7), 4},
      {"small cylinder on large cylinder", cylinder(1, 1), cylinder(0.3, 1), at(0, 0, 0), at(0.1, 0, 1), 5},
      {"large cylinder on small cylinder", cylinder(0.3, 1), cylinder(1, 1), at(0, 0, 0), at(0.1, 0, 1), 5},
      {"cylinder on equal cylinder", cylinder(0.5, 1), cylinder(0.5, 1), at(0, 0, 0), at(0, 0, 1), 5},
      {"cylinder along cylinder", cylinder(0.5, 1), cylinder(0.3, 1), at(0, 0, 0), at(0.8, 0, 0.2), 2},
      {"cylinder lying on a cap", cylinder(1, 1), cylinder(0.5, 1), at(0, 0, 0), turned(0, 0, 1, quarter, y), 2},
      {"sphere on plane", plane(), sphere(0.5), at(0, 0, 0), at(0, 0, 0.5), 1},
      {"sphere on box", box(1, 1, 1), sphere(0.5), at(0, 0, 0), at(0.1, 0.2, 1), 1},
      {"sphere on sphere", sphere(0.5), sphere(0.5), at(0, 0, 0), at(0, 0, 1), 1},
  };
}

}  // namespace

TEST(Resting, a_box_on_a_plane_touches_with_its_four_corners) {
  const auto contacts = contacts_of(plane(), at(0, 0, 0), box(1, 0.6, 0.4), at(0.3, 0.1, 0.2), 0.01);
  expect_patch(contacts, 4, 0, Vec3::UnitZ(), Vec3(0.3, 0.1, 0));
}

TEST(Resting, a_box_turned_by_45_degrees_on_its_equal_touches_at_eight_points) {
  const auto contacts =
      contacts_of(box(1, 1, 1), at(0, 0, 0), box(1, 1, 1), turned(0, 0, 1, quarter / 2, Vec3::UnitZ()), 0.01);
  expect_patch(contacts, 8, 0, Vec3::UnitZ(), Vec3(0, 0, 0.5));
  for (const Contact& contact : contacts) {
    // a regular octagon of inradius 1/2: corners at 0.5 / cos(π/8)
    EXPECT_NEAR(contact.at.p_b.head<2>().norm(), 0.5 / std::cos(std::numbers::pi / 8), 1e-14);
  }
}

TEST(Resting, an_edge_across_an_edge_touches_at_one_point) {
  const Quat on_edge(Eigen::AngleAxisd(quarter / 2, Vec3::UnitX()));
  const Quat across(Eigen::AngleAxisd(quarter / 2, Vec3::UnitY()));
  const double height = std::numbers::sqrt2;  // 2 · √2/2
  const auto contacts =
      contacts_of(box(1, 1, 1), {Vec3::Zero(), on_edge}, box(1, 1, 1), {Vec3(0, 0, height), across}, 0.01);
  expect_patch(contacts, 1, 0, Vec3::UnitZ(), Vec3(0, 0, height / 2));
  EXPECT_EQ(contacts[0].feature.kind, collide::FeatureKind::edge_edge);
}

TEST(Resting, patches_have_the_points_one_expects) {
  for (const Rest& rest : rests()) {
    SCOPED_TRACE(rest.name);
    const auto contacts = contacts_of(rest.a, rest.X_A, rest.b, rest.X_B, 0.01);
    EXPECT_EQ(contacts.size(), rest.count);
    for (const Contact& contact : contacts) EXPECT_NEAR(contact.at.gap, 0, 4e-16 * 4);
  }
}

TEST(Resting, a_small_motion_changes_neither_the_points_nor_the_normal) {
  Random random;
  for (const Rest& rest : rests()) {
    SCOPED_TRACE(rest.name);
    const auto before = contacts_of(rest.a, rest.X_A, rest.b, rest.X_B, 0.01);
    ASSERT_FALSE(before.empty());
    const Vec3 n = before[0].at.n;
    int failures = 0;
    for (int trial = 0; trial < 4000 && failures < 3; ++trial) {
      const double size = std::pow(10.0, random.uniform(-16, -6));
      Pose X_A = rest.X_A, X_B = rest.X_B;
      X_B.p += size * random.vector(1);
      X_B.R = (Quat(Eigen::AngleAxisd(size, random.direction())) * X_B.R).normalized();
      X_A.R = (Quat(Eigen::AngleAxisd(size * random.uniform(0, 1), random.direction())) * X_A.R).normalized();
      const auto after = contacts_of(rest.a, X_A, rest.b, X_B, 0.01);
      EXPECT_EQ(after.size(), before.size()) << "motion " << size << " trial " << trial;
      failures += after.size() != before.size();
      for (const Contact& contact : after) {
        EXPECT_LE((contact.at.n - n).norm(), 10 * size + 1e-14);
        EXPECT_LE(std::abs(contact.at.gap), 10 * size + 4e-15);  // places are about 1
      }
      if (after.size() != before.size()) continue;
      for (std::size_t k = 0; k < after.size(); ++k) EXPECT_EQ(after[k].feature_id, before[k].feature_id) << size;
    }
  }
}

// Tilted a little, with a corner near an edge of the other: the lines of two edges may cross just beyond a corner
// there.
TEST(Resting, points_of_boxes_that_lie_almost_flat_belong_to_both_boxes) {
  Random random;
  const Shape a = box(1, 1, 1), b = box(1, 1, 1);
  auto outside = [](const Pose& X, const Vec3& p) {
    const Vec3 local = X.inverse() * p;
    return (local.cwiseAbs() - Vec3::Constant(0.5)).maxCoeff();
  };
  for (int k = 0; k < 20000; ++k) {
    // Hinged about an edge that lies in the other's face, up to a little.
    const double tilt = std::pow(10, random.uniform(-3, -1.5)), wobble = std::pow(10, random.uniform(-11, -5));
    const Quat R = Quat(Eigen::AngleAxisd(wobble, random.direction())) *
                   Quat(Eigen::AngleAxisd(random.uniform(-3, 3), Vec3::UnitZ())) *
                   Quat(Eigen::AngleAxisd(tilt, Vec3::UnitX()));
    const Pose X_A = at(0, 0, 0);
    Pose X_B{Vec3(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), 1.03), R};
    for (int round = 0; round < 3; ++round) {  // down to a gap of the order of a resting contact
      double gap = 1;
      for (const Contact& contact : contacts_of(a, X_A, b, X_B, 0.2)) gap = std::min(gap, contact.at.gap);
      if (gap < 0.2) X_B.p.z() -= gap - random.uniform(-1e-9, 1e-9);
    }
    for (const Contact& contact : contacts_of(a, X_A, b, X_B, 1e-4)) {
      EXPECT_LE(outside(X_A, contact.at.p_a), 1e-4) << "case " << k;
      EXPECT_LE(outside(X_B, contact.at.p_b), 1e-4) << "case " << k;
    }
  }
}

TEST(Resting, a_large_cylinder_on_a_plane_at_any_tilt_touches_with_its_lowest_point) {
  Random random;
  const Shape can = cylinder(0.5, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Quat R = random.rotation();
    const double low = (R * shapes::support(can, R.conjugate() * -Vec3::UnitZ())).z();
    const auto contacts = contacts_of(plane(), {}, can, {Vec3(0, 0, -low), R}, 1e-3);
    ASSERT_FALSE(contacts.empty());
    EXPECT_NEAR(lowest_gap(contacts), 0, 4e-15);  // a sum of about ten terms of size 1
  }
}

TEST(Resting, a_cap_half_over_another_touches_around_the_lens_they_share) {
  const auto contacts = contacts_of(cylinder(0.5, 1), at(0, 0, 0), cylinder(0.5, 1), at(0.5, 0, 1), 0.01);
  EXPECT_GE(contacts.size(), 4u);
  Vec3 low = Vec3::Constant(1), high = -low;
  for (const Contact& contact : contacts) {
    EXPECT_NEAR(contact.at.gap, 0, 1e-15);
    low = low.cwiseMin(contact.at.p_b);
    high = high.cwiseMax(contact.at.p_b);
  }
  // The corners of the lens are at (1/4, ± √3/4); it reaches from 0 to 1/2, and the four cap points are 45° off the
  // tips.
  EXPECT_NEAR(high.y(), std::sqrt(3.0) / 4, 1e-12);
  EXPECT_NEAR(low.y(), -std::sqrt(3.0) / 4, 1e-12);
  EXPECT_LE(low.x(), 0.5 - 0.5 / std::numbers::sqrt2 + 1e-12);
  EXPECT_GE(high.x(), 0.5 / std::numbers::sqrt2 - 1e-12);
}

TEST(Resting, far_from_the_origin_gaps_keep_their_digits) {
  const Vec3 far(1000, -2000, 512);
  const auto contacts = contacts_of(box(1, 1, 1), {far, Quat::Identity()}, box(1, 1, 1),
                                    {far + Vec3(0.25, 0, 1), Quat::Identity()}, 0.01);
  expect_patch(contacts, 4, 0, Vec3::UnitZ(), far + Vec3(0.125, 0, 0.5));
}

TEST(Resting, boxes_side_by_side_within_the_margin_report_their_patch_and_corner_to_corner_their_nearest_points) {
  const auto faces = contacts_of(box(1, 1, 1), at(0, 0, 0), box(1, 1, 1), at(1.02, 0, 0), 0.05);
  expect_patch(faces, 4, 0.02, Vec3::UnitX(), Vec3(0.52, 0, 0));
  const auto edges = contacts_of(box(1, 1, 1), at(0, 0, 0), box(1, 1, 1), at(1.03, 0, 1.04), 0.1);
  expect_patch(edges, 2, 0.05, Vec3(0.6, 0, 0.8), Vec3(0.53, 0, 0.54));
  const auto corners = contacts_of(box(1, 1, 1), at(0, 0, 0), box(1, 1, 1), at(1.01, 1.02, 1.02), 0.1);
  expect_patch(corners, 1, 0.03, Vec3(1, 2, 2) / 3, Vec3(0.51, 0.52, 0.52));
  EXPECT_TRUE(contacts_of(box(1, 1, 1), at(0, 0, 0), box(1, 1, 1), at(1.01, 1.02, 1.02), 0.02).empty());
}
