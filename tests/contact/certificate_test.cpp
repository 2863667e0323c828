// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/certificate.hpp"

#include <gtest/gtest.h>
#include <cmath>

using namespace vinculum;
using contact::check_witness;

namespace {

// Two contacts of one particle of mass 1 in the plane of x and z, normals up and down: a ball between two walls.
//   J = (n; t): u_1 = (v_z, v_x), u_2 = (−v_z, −v_x)
contact::ExplicitProblem between_walls(double approach, double mu) {
  contact::ExplicitProblem p;
  p.dimension = 2;
  p.row = {0, 2, 4};
  p.column = {0, 1, 0, 1};
  p.value = {1, 0, 0, 1, -1, 0, 0, -1, -1, 0, 0, -1, 1, 0, 0, 1};
  p.q = {-approach, 0, -approach, 0};
  p.mu = {mu, mu};
  return p;
}

}  // namespace

TEST(Certificate, accepts_what_farkas_asks_for) {
  for (const double mu : {0.0, .5}) {
    // Both walls approach: y = (1, 0, 1, 0) gives Wᵀ y = 0 exactly, qᵀ y = −2.
    EXPECT_EQ(check_witness(between_walls(1, mu), std::vector<double>{1, 0, 1, 0}), INFINITY);
    // Both recede: there is a solution, and the same y proves nothing.
    EXPECT_EQ(check_witness(between_walls(-1, mu), std::vector<double>{1, 0, 1, 0}), 0);
  }
}

TEST(Certificate, refuses_signs_and_tangents_that_prove_nothing) {
  const contact::ExplicitProblem p = between_walls(1, .5);
  EXPECT_EQ(check_witness(p, std::vector<double>{-1, 0, -1, 0}), 0);
  EXPECT_EQ(check_witness(p, std::vector<double>{1, .1, 1, .1}), 0);
  EXPECT_EQ(check_witness(p, std::vector<double>{1, 0}), 0);
  EXPECT_EQ(check_witness(p, std::vector<double>{NAN, 0, 1, 0}), 0);
}

TEST(Certificate, bounds_the_impulse_where_the_walls_give_way) {
  // W + ε I on the normals: r_N = 1/ε solves it, by hand. Blocks have trace 2 + ε, so d = √(2/(2 + ε)), r' = r/d, and
  // |q'| = d √2: |r'|/|q'| = (√2/ε)/(d² √2) = (2 + ε)/(2 ε). The witness must not claim more, and in fact claims just
  // that: Wᵀ y = ε (1, 0, 1, 0), whose projection on the cone is itself.
  for (const double epsilon : {1e-3, 1e-8}) {
    contact::ExplicitProblem p = between_walls(1, .5);
    p.value[0] += epsilon;
    p.value[12] += epsilon;
    const double bound = check_witness(p, std::vector<double>{1, 0, 1, 0});
    const double needed = (2 + epsilon) / (2 * epsilon);
    EXPECT_NEAR(bound / needed, 1, 1e-6);  // 1 + ε − 1 keeps 8 digits of ε = 1e-8
  }
}

TEST(Certificate, says_nothing_about_a_lifted_contact_that_is_pulled) {
  // One contact: no y ≥ 0 can prove anything, since W y = y > 0 pushes it open.
  contact::ExplicitProblem p;
  p.dimension = 3;
  p.row = {0, 1};
  p.column = {0};
  p.value = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  p.q = {-1, 0, 0};
  p.mu = {.3};
  EXPECT_LT(check_witness(p, std::vector<double>{1, 0, 0}), 1.01);  // |r'| = |q'| is the solution
}
