// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The whole search against all pairs one by one; the same bits for every number of threads.
#include "vinculum/collide/search.hpp"
#include "collide/support.hpp"
#include "vinculum/base/parallel.hpp"
#include "vinculum/system/system.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using namespace vinculum::test;

namespace {

model::Model random_model(int bodies, Random& random) {
  model::Model model;
  model.materials.push_back({"default"});
  model.pairs.push_back({});
  const auto shapes = bounded_shapes();
  const auto add_shape = [&](int body, const Shape& geometry, const Pose& X_BS) {
    model::Shape shape;
    shape.body = body;
    shape.geometry = geometry;
    shape.X_BS = X_BS;
    model.shapes.push_back(shape);
  };
  add_shape(model::world, plane(), {Vec3(0, 0, -2), Quat::Identity()});
  add_shape(model::world, box(40, 1, 1), {Vec3(0, 0, 0), random.rotation()});
  for (int b = 0; b < bodies; ++b) {
    model::Body body;
    body.mass = 1;
    body.inertia.setIdentity();
    model.bodies.push_back(body);
    add_shape(b, shapes[static_cast<std::size_t>(b) % shapes.size()], {});
    if (b % 3 == 0) add_shape(b, sphere(0.3), {random.vector(0.5), random.rotation()});
  }
  return model;
}

system::Configuration random_configuration(std::size_t bodies, double spread, Random& random) {
  system::Configuration q;
  for (std::size_t b = 0; b < bodies; ++b) {
    q.x.push_back(random.vector(spread));
    q.R.push_back(random.rotation());
  }
  return q;
}

bool same(const Contact& c, const Contact& d) {
  return c.shape_a == d.shape_a && c.shape_b == d.shape_b && c.feature_id == d.feature_id && c.at.gap == d.at.gap &&
         c.at.n == d.at.n && c.at.p_a == d.at.p_a && c.at.p_b == d.at.p_b && c.feature.P_a == d.feature.P_a;
}

}  // namespace

TEST(Search, finds_what_all_pairs_one_by_one_give) {
  Random random;
  const system::System system(random_model(150, random));
  const system::Configuration q = random_configuration(150, 3, random);
  std::vector<double> margin;
  for (int b = 0; b < 150; ++b) margin.push_back(random.uniform(0, 0.1));
  collide::ContactSet found, expected;
  collide::Search search(system);
  search.find(q, margin, found);
  const auto margin_of = [&](int body) { return body == system::world ? 0 : margin[static_cast<std::size_t>(body)]; };
  for (std::size_t i = 0; i < system.shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < system.shapes.size(); ++j) {
      const auto &a = system.shapes[i], &b = system.shapes[j];
      if (a.body == b.body) continue;
      collide::collide_pair(a.geometry, q.pose(a.body) * a.X_BS, b.geometry, q.pose(b.body) * b.X_BS,
                            margin_of(a.body) + margin_of(b.body), expected);
    }
  }
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_GT(found.size(), 400u);
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].feature_id, expected[k].feature_id);
    EXPECT_NEAR(found[k].at.gap, expected[k].at.gap, 1e-14);
    EXPECT_LE(found[k].at.gap, margin_of(found[k].body_a) + margin_of(found[k].body_b) + 1e-14);
    // Features are in the frames of the bodies.
    const auto again = collide::evaluate(found[k].feature, q.pose(found[k].body_a), q.pose(found[k].body_b));
    EXPECT_EQ(again.gap, found[k].at.gap);
    EXPECT_EQ(again.n, found[k].at.n);
  }
}

TEST(Search, looks_again_around_bodies_whose_margins_grew) {
  Random random;
  const system::System system(random_model(150, random));
  const system::Configuration q = random_configuration(150, 3, random);
  std::vector<double> margin(150, 0.02), grown_margin = margin, room(150, 0.15);
  collide::Marks grown(150, 0);
  for (std::size_t b = 0; b < 150; b += 3) {
    grown[b] = 1;
    grown_margin[b] = random.uniform(0.02, 0.15);
  }
  collide::ContactSet contacts, late, whole;
  collide::Search search(system), plain(system);
  search.find(q, margin, contacts, nullptr, &room);
  search.look_again(grown_margin, grown, contacts, late);
  const std::size_t before = contacts.size();
  search.join(late, contacts);
  plain.find(q, grown_margin, whole);
  ASSERT_EQ(contacts.size(), whole.size());
  EXPECT_EQ(before + late.size(), whole.size());
  EXPECT_GT(late.size(), 20u);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    EXPECT_EQ(contacts[k].shape_a, whole[k].shape_a);
    EXPECT_EQ(contacts[k].shape_b, whole[k].shape_b);
    EXPECT_EQ(contacts[k].feature_id, whole[k].feature_id);
    EXPECT_EQ(contacts[k].at.gap, whole[k].at.gap);
  }
  EXPECT_FALSE(search.holds(q, margin, contacts, nullptr, &room));
}

TEST(Search, looks_at_what_marked_bodies_overlap_elsewhere) {
  Random random;
  const system::System system(random_model(150, random));
  const system::Configuration q = random_configuration(150, 3, random);
  system::Configuration moved = q;
  collide::Marks marked(150, 0), others(150, 1);
  for (std::size_t b = 0; b < 150; b += 5) {
    marked[b] = 1;
    others[b] = 0;
    moved.x[b] += random.vector(0.08);
  }
  const std::vector<double> none(150, 0), room(150, 0.15);
  collide::ContactSet contacts, overlaps, whole;
  collide::Search search(system), plain(system);
  search.find(q, none, contacts, nullptr, &room);
  search.look_at(moved, marked, overlaps);
  plain.find(moved, none, whole, &others);
  ASSERT_EQ(overlaps.size(), whole.size());
  EXPECT_GT(whole.size(), 50u);
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(overlaps[k].at.gap, whole[k].at.gap, 1e-14);
}

TEST(Search, ids_are_unique_in_a_pair_and_contacts_are_in_order) {
  Random random;
  const system::System system(random_model(300, random));
  collide::Search search(system);
  collide::ContactSet found;
  for (int trial = 0; trial < 10; ++trial) {
    search.find(random_configuration(300, 3, random), std::vector<double>(300, 0.2), found);
    for (std::size_t k = 1; k < found.size(); ++k) {
      const auto key = [](const Contact& c) { return std::tuple(c.shape_a, c.shape_b, c.feature_id); };
      EXPECT_LT(key(found[k - 1]), key(found[k]));
      EXPECT_LT(found[k].shape_a, found[k].shape_b);
    }
  }
}

TEST(Search, gives_the_same_bits_for_every_number_of_threads) {
  Random random;
  const system::System system(random_model(3000, random));
  const system::Configuration q = random_configuration(3000, 8, random);
  const std::vector<double> margin(3000, 0.02);
  collide::ContactSet expected;
  for (int threads : {1, 2, 5}) {
    base::ThreadLimit limit(threads);
    collide::ContactSet found;
    collide::Search(system).find(q, margin, found);
    if (threads == 1) expected = found;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_TRUE(same(found[k], expected[k])) << k;
  }
}

TEST(Search, of_a_configuration_that_is_not_a_number_ends) {
  Random random;
  const system::System system(random_model(60, random));
  system::Configuration q = random_configuration(60, 3, random);
  for (int b = 0; b < 60; b += 7) q.x[static_cast<std::size_t>(b)] = Vec3::Constant(NAN);
  collide::ContactSet found;
  collide::Search(system).find(q, std::vector<double>(60, 0.1), found);
  for (const Contact& contact : found) EXPECT_TRUE(std::isfinite(contact.at.gap));
}

TEST(Search, holds_what_it_found_until_anything_changes) {
  Random random;
  const system::System system(random_model(40, random));
  system::Configuration q = random_configuration(40, 2, random);
  std::vector<double> margin(40, .05);
  std::vector<std::uint8_t> skipped(40, 0);
  collide::ContactSet found, other;
  collide::Search search(system);
  EXPECT_FALSE(search.holds(q, margin, found));
  search.find(q, margin, found);
  EXPECT_TRUE(search.holds(q, margin, found));
  EXPECT_FALSE(search.holds(q, margin, other));
  EXPECT_FALSE(search.holds(q, margin, found, &skipped));
  system::Configuration moved = q;
  moved.x[17].y() = std::nextafter(moved.x[17].y(), 10);
  EXPECT_FALSE(search.holds(moved, margin, found));
  moved = q;
  moved.R[31].w() = std::nextafter(moved.R[31].w(), 10);
  EXPECT_FALSE(search.holds(moved, margin, found));
  margin[5] = .06;
  EXPECT_FALSE(search.holds(q, margin, found));
  margin[5] = .05;
  EXPECT_TRUE(search.holds(q, margin, found));
  search.find(q, margin, other, &skipped);
  EXPECT_FALSE(search.holds(q, margin, found));
  EXPECT_TRUE(search.holds(q, margin, other, &skipped));
  skipped[3] = 1;
  EXPECT_FALSE(search.holds(q, margin, other, &skipped));
}

TEST(Search, what_is_deep_at_the_start_has_no_first_touch_on_the_way) {
  // two unit cubes that overlap by 0.6 and pass on by 0.3: the shallowest way out at q1 stands, none is made of the
  // features at q0
  model::Model model;
  model.materials.push_back({"default"});
  model.pairs.push_back({});
  for (int b = 0; b < 2; ++b) {
    model::Body body;
    body.mass = 1;
    body.inertia.setIdentity();
    model.bodies.push_back(body);
    model::Shape shape;
    shape.body = b;
    shape.geometry = box(1, 1, 1);
    model.shapes.push_back(shape);
  }
  const system::System system(model);
  system::Configuration q0;
  q0.x = {Vec3(0, 0, 0), Vec3(0.05, 0.02, 0.4)};
  q0.R = {Quat::Identity(), Quat::Identity()};
  system::Configuration q1 = q0;
  q1.x[1] += Vec3(0.6, 0, 0);
  collide::Search search(system);
  collide::ContactSet contacts;
  search.find(q1, std::vector<double>(2, 0.1), contacts);
  const collide::ContactSet found = contacts;
  EXPECT_FALSE(search.sweep(q0, q1, contacts));
  ASSERT_EQ(contacts.size(), found.size());
  for (std::size_t c = 0; c < found.size(); ++c) EXPECT_TRUE(same(contacts[c], found[c])) << c;
}
