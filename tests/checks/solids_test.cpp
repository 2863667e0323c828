// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The auditor's geometry against brute force: many points, many directions.
#include "vinculum/checks/solids.hpp"
#include "support/simulate.hpp"

#include <random>

namespace vinculum::checks {
namespace {

using shapes::Kind;
using test::Simulation;

const std::string scene =
    "[[body]]\nname = 'b'\nmass = 1\nparticle = true\n[[shape]]\nname = 'sphere'\ntype = 'sphere'\nradius = 0.3\n"
    "[[shape]]\nname = 'box'\ntype = 'box'\nsize = [0.5, 0.6, 0.7]\n"
    "[[shape]]\nname = 'capsule'\ntype = 'capsule'\nradius = 0.2\nlength = 0.5\n"
    "[[shape]]\nname = 'cylinder'\ntype = 'cylinder'\nradius = 0.3\nlength = 0.5\n"
    "[[shape]]\nname = 'hull'\ntype = 'hull'\n"
    "points = [[-0.3, -0.3, -0.3], [0.4, -0.3, -0.2], [-0.3, 0.5, -0.3], [-0.2, -0.3, 0.4], [0.3, 0.3, 0.3]]\n"
    "[[shape]]\nname = 'plane'\ntype = 'plane'\n";

struct Solids : testing::Test {
  model::Model model = model::parse_scene(scene, "shapes.toml");
  std::mt19937_64 engine{7};

  double real(double low = -1, double high = 1) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector() {
    const double x = real(), y = real(), z = real();
    return {x, y, z};
  }
  Vec3 unit() {
    Vec3 v = vector();
    while (v.norm() < 0.1 || v.norm() > 1) v = vector();
    return v.normalized();
  }
  Mat3 rotation() { return Eigen::AngleAxisd(real(-3, 3), unit()).toRotationMatrix(); }
  Solid place(std::size_t shape, const Vec3& p) { return {&model.shapes[shape].geometry, p, rotation()}; }

  // Membership by the definition of each shape, x in its own frame.
  static bool inside(const shapes::Shape& s, const Vec3& x) {
    switch (s.kind) {
      case Kind::sphere:
        return x.norm() <= s.radius;
      case Kind::box:
        return (x.cwiseAbs() - s.half_extents).maxCoeff() <= 0;
      case Kind::capsule:
        return (x - Vec3(0, 0, std::clamp(x.z(), -s.half_length, s.half_length))).norm() <= s.radius;
      case Kind::cylinder:
        return std::hypot(x.x(), x.y()) <= s.radius && std::abs(x.z()) <= s.half_length;
      case Kind::mesh:
      case Kind::height_field:
        return false;  // surfaces have tests of their own (collide/mesh_test.cpp)
      case Kind::plane:
        return x.z() <= 0;
      case Kind::hull:
        for (const auto& face : s.polytope->faces) {
          if (face.normal.dot(x) > face.offset) return false;
        }
        return true;
    }
    return false;
  }

  // max { d·x } over random points of the solid.
  double brute_support(const Solid& solid, const Vec3& d, int points) {
    double best = -1e300;
    for (int i = 0; i < points; ++i) {
      const Vec3 x = 0.6 * vector();
      if (inside(*solid.shape, x)) best = std::max(best, d.dot(solid.p + solid.R * x));
    }
    return best;
  }

  // max over directions of sep(n) is the signed distance of convex sets. Random directions, then random steps that
  // improve, ever smaller.
  double brute_separation(const Solid& a, const Solid& b) {
    double best = -1e300;
    Vec3 n = Vec3::UnitZ();
    for (int i = 0; i < 300; ++i) {
      const Vec3 trial = unit();
      if (const double s = separation(a, b, trial); s > best) best = s, n = trial;
    }
    for (double size = 0.5; size > 1e-9; size *= 0.7) {
      for (int i = 0; i < 30; ++i) {
        const Vec3 trial = (n + size * vector()).normalized();
        if (const double s = separation(a, b, trial); s > best) best = s, n = trial;
      }
    }
    return best;
  }
};

TEST_F(Solids, support_bounds_every_point_and_is_reached) {
  for (std::size_t s = 0; s < 5; ++s) {
    for (int trial = 0; trial < 5; ++trial) {
      const Solid solid = place(s, vector());
      const Vec3 d = unit();
      const double h = support_value(solid, d), brute = brute_support(solid, d, 20000);
      EXPECT_LE(brute, h + 1e-12) << s;
      EXPECT_GT(brute, h - 0.15) << s;  // 20000 points in a cube of 1.2 m lie 0.04 m apart; a vertex is found less well
      const Vec3 x = support_point(solid, d);
      EXPECT_NEAR(d.dot(x), h, 1e-14) << s;
      EXPECT_NEAR(depth(solid, x), 0, 1e-14) << s;  // on the surface
      EXPECT_NEAR(support_value(solid, 3 * d), 3 * h, 1e-14) << s;
    }
  }
}

TEST_F(Solids, support_of_a_plane_is_finite_along_its_normal_alone) {
  const Solid floor = place(5, Vec3(1, 2, 3));
  const Vec3 n = floor.R.col(2);
  EXPECT_NEAR(support_value(floor, n), n.dot(floor.p), 1e-15);
  EXPECT_EQ(support_value(floor, -n), std::numeric_limits<double>::infinity());
  EXPECT_EQ(support_value(floor, (n + 1e-6 * floor.R.col(0)).normalized()), std::numeric_limits<double>::infinity());
}

TEST_F(Solids, depth_has_the_sign_of_membership_and_unit_slope_at_the_surface) {
  for (std::size_t s = 0; s < 6; ++s) {
    const Solid solid = place(s, vector());
    for (int i = 0; i < 2000; ++i) {
      const Vec3 x = 0.8 * vector();
      const double d = depth(solid, solid.p + solid.R * x);
      if (std::abs(d) > 1e-12) {
        EXPECT_EQ(d > 0, inside(*solid.shape, x)) << s;
      }
    }
    if (s == 5) continue;
    for (int i = 0; i < 50; ++i) {
      const Vec3 n = unit(), x = support_point(solid, n);
      EXPECT_LE(depth(solid, x + 1e-6 * n), 1e-15) << s;     // along a normal one leaves the set
      EXPECT_GE(depth(solid, x + 1e-6 * n), -1e-6 - 1e-15);  // no faster than one walks
    }
  }
}

TEST_F(Solids, separation_never_exceeds_the_distance_of_any_two_points) {
  for (int trial = 0; trial < 200; ++trial) {
    const Solid a = place(static_cast<std::size_t>(trial % 5), vector());
    const Solid b = place(static_cast<std::size_t>((trial / 5) % 5), vector() + Vec3(0.8, 0, 0));
    const Separation found = separate(a, b);
    EXPECT_NEAR(found.n.norm(), 1, 1e-12);
    EXPECT_NEAR(found.value, separation(a, b, found.n), 1e-15);  // it is its own certificate
    if (found.value <= 0) continue;
    for (int i = 0; i < 100; ++i) {
      const double distance = (support_point(a, unit()) - support_point(b, unit())).norm();
      EXPECT_GE(distance, found.value - 1e-14);
    }
  }
}

TEST_F(Solids, separation_of_disjoint_shapes_is_their_distance) {
  int apart = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const Solid a = place(static_cast<std::size_t>(trial % 5), 0.3 * vector());
    const Solid b = place(static_cast<std::size_t>((trial / 5) % 5), 0.3 * vector() + 0.9 * unit());
    const double brute = brute_separation(a, b);
    if (brute < 1e-3) continue;
    ++apart;
    const double found = separate(a, b).value;
    EXPECT_GE(found, brute - 1e-9) << trial % 5 << ' ' << (trial / 5) % 5;  // the directions tried by brute force
  }
  EXPECT_GT(apart, 50);
}

TEST_F(Solids, separation_of_shapes_that_just_overlap_is_not_too_pessimistic) {
  // Pushed together along the nearest direction until they overlap by 1e-6: what the auditor calls their overlap must
  // be that, not a larger number, or it would refute a good trace. Cylinders have no finite list of normals: hints.
  const double overlap = 1e-6;
  for (int trial = 0; trial < 250; ++trial) {
    const auto i = static_cast<std::size_t>(trial % 5), j = static_cast<std::size_t>((trial / 5) % 5);
    Solid a = place(i, Vec3::Zero()), b = place(j, 1.5 * unit());
    const Separation apart = separate(a, b);
    ASSERT_GT(apart.value, 0);
    b.p -= (apart.value + overlap) * apart.n;
    const std::vector<Vec3> hints{apart.n};
    const double hinted = separate(a, b, hints).value;
    EXPECT_GE(hinted, -overlap - 1e-12) << i << ' ' << j;  // another direction may prove less overlap
    EXPECT_LE(hinted, 1e-12) << i << ' ' << j;             // but they do touch
    if (i != 3 && j != 3) {
      EXPECT_GE(separate(a, b).value, -overlap - 1e-9) << i << ' ' << j;
    }
  }
}

TEST_F(Solids, wrong_hints_do_no_harm) {
  for (int trial = 0; trial < 50; ++trial) {
    const Solid a = place(static_cast<std::size_t>(trial % 5), Vec3::Zero());
    const Solid b = place(static_cast<std::size_t>((trial / 5) % 5), Vec3(0.1, 0.05, 0));  // deep overlap
    const std::vector<Vec3> hints{unit(), unit(), unit()};
    EXPECT_LT(separate(a, b, hints).value, 0);
  }
}

/// With the extreme points of a along n and of b along −n in one place, n is a proof that they only touch. An n normal
/// to an edge of the box leaves few others: rims of cylinders have no list of them.
TEST_F(Solids, a_proof_is_found_for_what_just_touches) {
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t i = 1 + engine() % 4, j = 1 + engine() % 4;
    const Solid a = place(i, vector());
    Solid b = place(j, vector());
    Vec3 n = unit();
    if (i == 1) n = n.cross(a.R.col(0)).normalized();
    b.p += support_point(a, n) - support_point(b, -n);
    EXPECT_GE(separate(a, b).value, -1e-8) << model.shapes[i].name << ' ' << model.shapes[j].name;
  }
}

TEST_F(Solids, plane_is_separated_along_its_normal_in_either_order) {
  const Solid floor{&model.shapes[5].geometry, Vec3(0, 0, 1), Mat3::Identity()};
  const Solid ball = place(0, Vec3(3, 4, 1.5));
  EXPECT_NEAR(separate(floor, ball).value, 0.2, 1e-15);
  EXPECT_NEAR(separate(ball, floor).value, 0.2, 1e-15);
  EXPECT_EQ(separate(floor, ball).n, Vec3::UnitZ());
  EXPECT_EQ(separate(ball, floor).n, Vec3(-Vec3::UnitZ()));
}

TEST_F(Solids, reach_holds_the_shape) {
  for (std::size_t s = 0; s < 5; ++s) {
    const Solid solid{&model.shapes[s].geometry, Vec3::Zero(), Mat3::Identity()};
    double farthest = 0;
    for (int i = 0; i < 5000; ++i) farthest = std::max(farthest, support_point(solid, unit()).norm());
    EXPECT_LE(farthest, reach(*solid.shape) + 1e-15) << s;
    EXPECT_GT(farthest, 0.97 * reach(*solid.shape)) << s;
  }
  EXPECT_EQ(reach(model.shapes[5].geometry), std::numeric_limits<double>::infinity());
}

const std::string dust = "[[body]]\nname = 'b'\nmass = 1\nparticle = true\n";  // a scene has a body

// Ground from z = 0 down to −4 under |x|, |y| <= 2.
TEST(Surfaces, a_body_in_the_ground_is_found_and_one_beside_or_on_it_is_not) {
  const model::Model m =
      model::parse_scene(dust +
                             "[[shape]]\ntype = 'height_field'\nsize = [4, 4]\nheights = [[0, 0], [0, 0]]\n"
                             "[[shape]]\ntype = 'sphere'\nradius = 0.1\n[[shape]]\ntype = 'hull'\n"
                             "points = [[-1, -1, 0], [1, -1, 0], [0, 1, 0], [0, 0, 1]]\n",
                         "ground.toml");
  auto place = [&](std::size_t shape, const Vec3& p) { return Solid{&m.shapes[shape].geometry, p, Mat3::Identity()}; };
  const Solid ground = place(0, Vec3::Zero());
  EXPECT_NEAR(separate(ground, place(1, Vec3(0.3, 0.2, -1))).value, -1, 1e-15);  // its centre is 1 below
  EXPECT_GE(separate(ground, place(1, Vec3(2.1, 0.2, -1))).value, -1e-15);       // at the side
  EXPECT_GT(separate(ground, place(1, Vec3(0, 0, -4.2))).value, 0);
  EXPECT_NEAR(separate(ground, place(2, Vec3(0, 0, -1e-13))).value, 0, 2e-13);
}

// Faces that slope by 0.1 towards +x and −x: a point of the first, 1e-5 beyond the ridge, is nearer to the second.
TEST(Surfaces, the_normal_of_a_face_may_be_used_a_band_beyond_its_border) {
  const model::Model m = model::parse_scene(
      dust + "[[shape]]\ntype = 'height_field'\nsize = [4, 4]\nheights = [[0, 0.2, 0], [0, 0.2, 0]]\n", "roof.toml");
  const Solid roof{&m.shapes[0].geometry, Vec3::Zero(), Mat3::Identity()};
  const Vec3 n = Vec3(0.1, 0, 1).normalized(), p(-1e-5, 0.3, 0.2 + 1e-6);
  EXPECT_NEAR(lift(roof, n, p, true, 1e-4), 0, 1e-14);
  EXPECT_GT(lift(roof, n, p, true, 0), 0.1);
}

}  // namespace
}  // namespace vinculum::checks
