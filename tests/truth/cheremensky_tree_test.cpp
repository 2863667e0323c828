// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of theory/cheremensky.md, section 4: screws and trees (tests 1-8, 16, 17, 20). Tests 4 and 7 of the
// engine's own flow are in cheremensky_test.cpp.
#include "support/dense_tree.hpp"
#include "support/random_tree.hpp"
#include "support/tree_flow.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/screw/gravitation.hpp"
#include "vinculum/screw/rotation.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace vinculum::test {
namespace {

using namespace screw;
using parts::TreeLink;
const double pi = std::acos(-1);

TEST(Cheremensky, test_1_frame_changes_are_a_group) {
  Random random(1);
  for (int k = 0; k < 50; ++k) {
    const Pose X_0p = random.pose(2), X_pk = random.pose(2);
    EXPECT_LT((wrench_matrix(X_0p) * wrench_matrix(X_pk) - wrench_matrix(X_0p * X_pk)).norm(), 1e-12);
    EXPECT_LT((wrench_matrix(X_0p) * wrench_matrix(X_0p.inverse()) - Mat6::Identity()).norm(), 1e-12);
    EXPECT_LT((twist_matrix(X_0p) * wrench_matrix(X_0p).transpose() - Mat6::Identity()).norm(), 1e-12);
    // L' = L Φ, along X(t) = X exp(V t).
    const Twist V{random.vector(), random.vector()};
    const double t = 1e-5;
    const Pose plus = X_0p * exponential(t * V), minus = X_0p * exponential(-t * V);
    const Mat6 wr = (wrench_matrix(plus) - wrench_matrix(minus)) / (2 * t);
    const Mat6 tw = (twist_matrix(plus) - twist_matrix(minus)) / (2 * t);
    EXPECT_LT((wr - wrench_matrix(X_0p) * wrench_bracket(V)).norm(), 1e-8);  // t² and ε/t of entries below ten
    EXPECT_LT((tw - twist_matrix(X_0p) * twist_bracket(V)).norm(), 1e-8);
  }
}

TEST(Cheremensky, test_2_rank_and_determinant_of_inertia) {
  const std::vector<Atom> atoms{{1, {1, 2, 3}}, {2, {-1, 0, 1}}, {1.5, {0, 1, -1}}, {0.5, {2, 2, 2}}};
  const auto first = [&](std::size_t n) { return inertia_of_atoms(std::span(atoms).first(n)); };
  EXPECT_EQ(Inertia{}.rank(), 0);
  EXPECT_EQ(first(1).rank(), 3);
  EXPECT_EQ(first(2).rank(), 5);
  EXPECT_EQ(first(3).rank(), 6);
  const std::vector<Atom> line{{1, {0, 0, 0}}, {1, {1, 1, 1}}, {3, {2, 2, 2}}};
  EXPECT_EQ(inertia_of_atoms(line).rank(), 5);
  const Inertia body = first(4);
  const double exact = std::pow(body.mass, 3) * body.J_c.determinant();
  EXPECT_NEAR(body.matrix().determinant(), exact, 1e-12 * std::abs(exact) * 10);
  // Θ_k = L Θ_p Lᵀ against direct summation ∫ρ [1 −r^; r^ −(r^)²].
  Random random(2);
  const Pose X = random.pose(3);
  Mat6 direct = Mat6::Zero();
  for (const Atom& atom : atoms) {
    const Mat3 r = skew(X * atom.x);
    Mat6 point;
    point << Mat3::Identity(), -r, r, -r * r;
    direct += atom.mass * point;
  }
  const Mat6 moved = wrench_matrix(X) * body.matrix() * wrench_matrix(X).transpose();
  EXPECT_LT((moved - direct).norm(), 1e-12 * direct.norm());
  EXPECT_LT((outward(X, body).matrix() - direct).norm(), 1e-12 * direct.norm());
}

TEST(Cheremensky, test_3_newton_euler_at_an_off_centre_point_sums_the_atoms) {
  Random random(3);
  std::vector<Atom> atoms;
  for (int k = 0; k < 6; ++k) atoms.push_back({random.uniform(0.1, 1), Vec3(2, -1, 1) + random.vector()});
  const Inertia body = inertia_of_atoms(atoms);
  const Twist V{random.vector(), random.vector()}, V_rate{random.vector(), random.vector()};
  Wrench sum;
  for (const Atom& atom : atoms) {  // absolute acceleration in the axes of the body
    const Vec3 u = V.v + V.w.cross(atom.x);
    const Vec3 a = V_rate.v + V_rate.w.cross(atom.x) + V.w.cross(u);
    sum += {atom.mass * a, atom.mass * atom.x.cross(a)};
  }
  EXPECT_LT((body * V_rate + cross(V, body * V) - sum).vector().norm(), 1e-12 * sum.vector().norm());
}

TreeLink free_link(const Vec3& J) {
  TreeLink link;
  link.joints = {joints::Joint(joints::Kind::free, {})};
  link.inertia = {1, Vec3::Zero(), J.asDiagonal()};
  return link;
}

TEST(Cheremensky, test_4_free_tops_of_a_tree) {
  const Tree top(std::vector{free_link({2, 2, 1})});
  TreeFlow flow(top, Vec3::Zero());
  flow.v << 0, 0, 0, 0.8, 0.6, 3;
  const double dt = 1e-3;
  for (int k = 0; k < 1000; ++k) flow.step(dt);
  EXPECT_NEAR(flow.v[5], 3, 1e-12);
  const double angle = -1.5;  // (C − A) w_3/A per second, after one second
  EXPECT_NEAR(flow.v[3], 0.8 * std::cos(angle) - 0.6 * std::sin(angle), 1e-11);  // RK4: (1.5 dt)⁵/120 per step
  EXPECT_NEAR(flow.v[4], 0.8 * std::sin(angle) + 0.6 * std::cos(angle), 1e-11);

  const Tree body(std::vector{free_link({1, 2, 3})});
  TreeFlow tumble(body, Vec3::Zero());
  const double W = 1.3, small = 1e-6, rate = W / std::sqrt(3.);
  // Linearised: w_1' = −W w_3, w_3' = −(W/3) w_1; growing along w_1 = −√3 w_3.
  tumble.v << 0, 0, 0, -std::sqrt(3.) * small, W, small;
  for (int k = 0; k < 3000; ++k) tumble.step(dt);
  EXPECT_NEAR(std::log(tumble.v[5] / small) / 3, rate, 1e-9);  // nonlinear terms: (1e-6 · 10)²
  EXPECT_NEAR(rate / W, 0.57735, 5e-6);
}

// Planar pendulum: an atom at the end of a massless rod, hinge about y; q = 0 hangs along −z.
TreeLink rod(int parent, double mass, double length, double parent_length) {
  TreeLink link;
  link.parent = parent;
  link.X_PC.p = {0, 0, -parent_length};
  joints::Geometry geometry;
  geometry.axis = Vec3::UnitY();
  link.joints = {joints::Joint(joints::Kind::revolute, geometry)};
  const Atom atom{mass, {0, 0, -length}};
  link.inertia = inertia_of_atoms({&atom, 1});
  return link;
}

TEST(Cheremensky, test_5_double_pendulum) {
  const std::vector<TreeLink> links{rod(-1, 1, 1, 0), rod(0, 2, 0.5, 1)};
  const Tree tree(links);
  motion::TreeWorkspace ws(tree);
  const Eigen::VectorXd q = Eigen::Vector2d(0.4, pi / 3), v = Eigen::Vector2d(0.7, -1.1);
  motion::place(tree, q.data(), ws);
  motion::mass_matrix(tree, ws);
  Eigen::Matrix2d M;
  M << 4.5, 1, 1, 0.5;
  EXPECT_LT((motion::dense_mass_matrix(tree, ws) - M).norm(), 1e-14);
  Eigen::VectorXd h(2);
  motion::smooth_forces(tree, v.data(), Vec3::Zero(), {}, ws, h.data());
  const double k = 2 * 1 * 0.5 * std::sin(pi / 3);
  const Eigen::Vector2d bias = k * Eigen::Vector2d(-(2 * 0.7 * -1.1 + 1.1 * 1.1), 0.7 * 0.7);
  EXPECT_LT((-h - bias).norm(), 1e-14);
  EXPECT_LT((bias - Eigen::Vector2d(0.2857884, 0.4243524)).norm(), 1e-7);
  // (21) as printed, B in the place of B L, must fail.
  const DenseTree dense(links, q, v, Vec3::Zero(), {});
  EXPECT_LT((-dense.h - bias).norm(), 1e-14);
  const Eigen::VectorXd printed = (dense.L * dense.S).transpose() * (dense.A * dense.L_rate + dense.B) * dense.S * v;
  EXPECT_LT((printed - Eigen::Vector2d(-0.38105, 0)).norm(), 1e-5);
}

TEST(Cheremensky, test_6_the_tree_of_figure_1A) {
  const int parents[12] = {0, 1, 2, 3, 4, 4, 6, 6, 3, 2, 10, 10};  // from 1; 0 is the world
  Random random(6);
  std::vector<TreeLink> links = random_links(random, 12, 1);
  for (int b = 0; b < 12; ++b) links[b].parent = parents[b] - 1;
  const Tree tree(links);
  const Eigen::VectorXd q = random_configuration(random, tree), v = random.values(tree.nv());
  const DenseTree dense(links, q, v, Vec3::Zero(), {});
  int blocks = 0;
  for (int p = 0; p < 12; ++p) {
    for (int k = 0; k < 12; ++k) blocks += dense.L.block<6, 6>(6 * p, 6 * k).norm() > 0;
  }
  EXPECT_EQ(blocks, 47);
  EXPECT_NEAR(dense.L.determinant(), 1, 1e-12);
  motion::TreeWorkspace ws(tree);
  motion::place(tree, q.data(), ws);
  motion::move(tree, v.data(), ws);
  for (int b = 0; b < 12; ++b) {  // L V_r is the recursion, link by link
    const Twist V = inward({Vec3::Zero(), motion::link_pose(tree, ws, b).R}, motion::link_twist(tree, ws, b));
    EXPECT_LT((V.vector() - dense.V_a.segment<6>(6 * b)).norm(), 1e-12 * (1 + V.vector().norm()));
  }
}

TEST(Cheremensky, test_7_fedorov_vector_of_120_degrees) {
  const Mat3 C = Eigen::AngleAxisd(2 * pi / 3, Vec3::Ones().normalized()).toRotationMatrix();
  EXPECT_LT((fedorov_from_rotation(C) - Vec3::Ones()).norm(), 1e-14);
  const Mat3 cayley = (C - Mat3::Identity()) * (C + Mat3::Identity()).inverse();
  EXPECT_LT((cayley - skew(Vec3::Ones())).norm(), 1e-14);
}

TEST(Cheremensky, test_8_pendulum) {
  const double g = 9.81, l = 0.7, m = 1.3, a = 0.3;
  const Tree tree(std::vector{rod(-1, m, l, 0)});
  TreeFlow flow(tree, {0, 0, -g});
  flow.q[0] = a;
  const double dt = 1e-4;
  std::vector<double> zeros;
  for (int k = 0; zeros.size() < 2; ++k) {
    const double q = flow.q[0], v = flow.v[0];
    flow.step(dt);
    // Near q = 0 the acceleration vanishes: within the step q moves with the mean of its speeds, to third order in dt.
    if (q * flow.q[0] <= 0) zeros.push_back(k * dt - q / (0.5 * (v + flow.v[0])));
  }
  const double period = 2 * pi * std::sqrt(l / g) * (1 + a * a / 16 + 11 * std::pow(a, 4) / 3072);
  EXPECT_NEAR(2 * (zeros[1] - zeros[0]), period, 1e-6 * period);  // next term 173 a⁶/737280 = 1.7e-7

  // From rest at 90°: tension 3 m g at the bottom, and the reaction works on nothing on the way.
  const double speed = std::sqrt(2 * g / l);
  for (const double q : {0., 0.4, 1.1}) {
    motion::TreeWorkspace ws(tree);
    const double v = std::sqrt(2 * g / l * std::cos(q)), none = 0;
    double vdot, tau;
    motion::place(tree, &q, ws);
    motion::move(tree, &v, ws);
    motion::forward_dynamics(tree, &v, &none, {0, 0, -g}, {}, ws, &vdot);
    EXPECT_NEAR(vdot, -g / l * std::sin(q), 1e-13 * g / l);
    motion::inverse_dynamics(tree, &v, &vdot, {0, 0, -g}, {}, ws, &tau);
    const Vec3 reaction = ws.force[1].f;  // on the pendulum, by its hinge
    const Vec3 x = motion::link_pose(tree, ws, 0) * Vec3(0, 0, -l);
    EXPECT_NEAR(reaction.norm(), m * l * v * v + m * g * std::cos(q), 1e-12 * m * g);
    EXPECT_NEAR(reaction.dot(motion::link_twist(tree, ws, 0).w.cross(x)), 0, 1e-12 * m * g * speed);
    if (q == 0) {
      EXPECT_NEAR(reaction.z(), 3 * m * g, 1e-12 * m * g);
    }
  }
}

TEST(Cheremensky, test_16_particle_limit_of_attraction) {
  // A radial rod as Gauss points on 40 cells; the integrand is smooth, the quadrature exact to round-off.
  const auto rod_atoms = [](double mass, double centre, double e) {
    std::vector<Atom> atoms;
    const double node[3] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weight[3] = {5. / 18, 8. / 18, 5. / 18};
    for (int c = 0; c < 40; ++c) {
      for (int k = 0; k < 3; ++k)
        atoms.push_back({mass * weight[k] / 40, {centre + e * ((2 * c + 1 + node[k]) / 40. - 1), 0, 0}});
    }
    return atoms;
  };
  const std::vector<Atom> sun{{5, Vec3::Zero()}};
  const double R = 2, m = 3;
  double error[2];
  for (const int level : {0, 1}) {
    const double e = level ? 0.1 : 0.2;
    const std::vector<Atom> rod = rod_atoms(m, R, e);
    const Wrench F = attraction(rod, sun, 1), back = attraction(sun, rod, 1);
    const double exact = 5 * m / (R * R - e * e);
    EXPECT_NEAR(F.f.x(), -exact, 1e-12 * exact);   // towards the sun (E3)
    EXPECT_LT((F + back).vector().norm(), 1e-12);  // skew, force and moment
    error[level] = exact / (5 * m / (R * R)) - 1;
    EXPECT_NEAR(error[level], e * e / (R * R), 2 * std::pow(e / R, 4));
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.04);
  // A ball of radius 1: Gauss points in r and cos θ, equal steps in φ. At distance R harmonics of order n fade as R^−n:
  // 2^-48 is below 1e-14.
  std::vector<Atom> ball;
  const double node[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)}, weight[3] = {5. / 18, 8. / 18, 5. / 18};
  const int cells = 40, turns = 48;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3 * cells; ++c) {
      const double z = 2 * (c / 3 + node[c % 3]) / cells - 1, s = std::sqrt(1 - z * z);
      for (int p = 0; p < turns; ++p) {
        const double share = 3 * node[r] * node[r] * weight[r] * weight[c % 3] / cells / turns,
                     phi = 2 * pi * p / turns;
        ball.push_back({4 * share, node[r] * Vec3(s * std::cos(phi), s * std::sin(phi), z)});
      }
    }
  }
  double mass = 0;
  for (const Atom& atom : ball) mass += atom.mass;
  EXPECT_NEAR(mass, 4, 1e-12);  // 17280 roundings
  const Vec3 x(1.2, -1.6, 0.5);
  const Vec3 point = -4 * x / std::pow(x.norm(), 3);
  EXPECT_LT((attraction_field(ball, x, 1) - point).norm(), 1e-9 * point.norm());  // Gauss in cos θ: cell⁶
}

TEST(Cheremensky, test_17_galilean_invariance) {
  Random random(17);
  std::vector<TreeLink> links = random_links(random, 6, 2);
  for (std::size_t b = 0; b < links.size(); ++b) {
    if (b > 0) links[b].parent = std::max(links[b].parent, 0);
    links[b].armature.clear();
  }
  links[0].joints = {joints::Joint(joints::Kind::six_dof, {})};  // q̇ = v: a boost adds a constant
  links[0].X_PC = {};
  const Vec3 gravity(0.3, 0.1, -2);
  const Tree tree(links);
  const Eigen::VectorXd q = random_configuration(random, tree), v = random.values(tree.nv(), 0.5);
  const double dt = 1e-2;
  const int steps = 50;
  const auto run = [&](const Tree& t, const Vec3& g, const Eigen::VectorXd& q_0, const Eigen::VectorXd& v_0) {
    TreeFlow flow(t, g);
    flow.q = q_0;
    flow.v = v_0;
    for (int k = 0; k < steps; ++k) flow.step(dt);
    return flow;
  };
  const TreeFlow plain = run(tree, gravity, q, v);
  // Boost and shift.
  const Vec3 boost(3, -2, 1), shift(0.7, 5, -2);
  Eigen::VectorXd q_1 = q, v_1 = v;
  q_1.head<3>() += shift;
  v_1.head<3>() += boost;
  TreeFlow moved = run(tree, gravity, q_1, v_1);
  moved.q.head<3>() -= shift + steps * dt * boost;
  moved.v.head<3>() -= boost;
  EXPECT_LT((moved.q - plain.q).norm(), 1e-12);
  EXPECT_LT((moved.v - plain.v).norm(), 1e-11);
  // A fixed rotation of the frame and of gravity.
  const Quat G = random.rotation();
  links[0].X_PC.R = G;
  const Tree turned(links);
  const TreeFlow rotated = run(turned, G * gravity, q, v);
  EXPECT_LT((rotated.q - plain.q).norm(), 1e-11);
  EXPECT_LT((rotated.v - plain.v).norm(), 1e-10);
  // Variable mass: m v' = thrust, m = m_0 − β t, thrust u β: Δv = u ln(m_0/m_1).
  const double m_0 = 5, beta = 0.8, u = 3, end = 4;
  double speed = 0;
  const auto rate = [&](double t) {
    TreeLink rocket;
    joints::Geometry geometry;
    rocket.joints = {joints::Joint(joints::Kind::prismatic, geometry)};
    rocket.inertia = {m_0 - beta * t, Vec3::Zero(), Mat3::Zero()};
    const Tree one(std::vector{rocket});
    motion::TreeWorkspace ws(one);
    const double zero = 0, thrust = u * beta;
    double vdot;
    motion::place(one, &zero, ws);
    motion::forward_dynamics(one, &speed, &thrust, Vec3::Zero(), {}, ws, &vdot);
    return vdot;
  };
  const int n = 200;
  for (int k = 0; k < n; ++k) {
    const double t = end * k / n, d = end / n;
    speed += d / 6 * (rate(t) + 4 * rate(t + d / 2) + rate(t + d));  // Simpson: the rate does not depend on v
  }
  EXPECT_NEAR(speed, u * std::log(m_0 / (m_0 - beta * end)), 1e-10);
}

TEST(Cheremensky, test_20_bad_input_has_one_diagnosis_each) {
  const auto message_of = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto expect = [&](const char* part, const auto& action) {
    EXPECT_NE(message_of(action).find(part), std::string::npos) << message_of(action);
  };
  // Rotations, meshes and structure have theirs in tests/screw and tests/parts.
  const std::vector<Atom> pair{{1, {0, 0, 1}}, {2, {0, 0, 3}}};
  expect("singular inertia of rank 5", [&] { check_inertia(inertia_of_atoms(pair), "body", true); });
  expect("atom.mass: found -1", [&] { inertia_of_atoms(std::vector<Atom>{{-1, Vec3::Zero()}}); });
  expect("atom.mass: found nan", [&] { inertia_of_atoms(std::vector<Atom>{{std::nan(""), Vec3::Zero()}}); });
  expect("coincident atoms", [&] { attraction_field(pair, pair[1].x, 1); });
  EXPECT_EQ(message_of([&] { check_inertia(inertia_of_atoms(pair), "body", false); }), "accepted");
}

}  // namespace
}  // namespace vinculum::test
