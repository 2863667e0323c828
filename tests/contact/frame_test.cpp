// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Force directions against differences of gaps, reactions against each other, J Jᵀ against W M⁻¹ Wᵀ.
#include "vinculum/contact/frame.hpp"
#include "support/simulate.hpp"

#include <Eigen/Dense>
#include <random>

namespace vinculum::contact {
namespace {

using algebra::Pose;
using algebra::Quat;
using collide::Feature;
using collide::FeatureKind;
using test::Simulation;

struct Random {
  std::mt19937_64 engine;
  explicit Random(std::uint64_t seed) : engine(seed) {}
  double real(double low = -1, double high = 1) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector(double size = 1) {
    const double x = real(), y = real(), z = real();
    return size * Vec3(x, y, z);
  }
  Vec3 unit() {
    Vec3 v = vector();
    while (v.norm() < 0.1 || v.norm() > 1) v = vector();
    return v.normalized();
  }
  Quat rotation() { return Quat(Eigen::AngleAxisd(real(-3, 3), unit())); }
};

// The bodies moved by V for the time t: straight line and constant angular velocity.
system::Configuration moved(const system::Configuration& q, const motion::Velocity& V, double t) {
  system::Configuration out = q;
  for (std::size_t b = 0; b < q.x.size(); ++b) {
    out.x[b] += t * V.v[b];
    const double angle = t * V.w[b].norm();
    if (angle != 0) out.R[b] = Quat(Eigen::AngleAxisd(angle, V.w[b] / V.w[b].norm())) * q.R[b];
  }
  return out;
}

// dg/dt by central differences of fourth order: with t = 1e-3 and rates of size one the error is t⁴ = 1e-12 times a
// fifth derivative, and ε/t = 2e-13 from round-off; features near a singularity have larger derivatives.
double gap_rate(const Feature& feature, int a, int b, const system::Configuration& q, const motion::Velocity& V) {
  auto gap = [&](double t) {
    const system::Configuration at = moved(q, V, t);
    return evaluate(feature, at.pose(a), at.pose(b)).gap;
  };
  const double t = 1e-3;
  return (8 * (gap(t) - gap(-t)) - (gap(2 * t) - gap(-2 * t))) / (12 * t);
}

struct TwoBodies {
  system::Configuration q;
  motion::Velocity V;
  explicit TwoBodies(Random& r) {
    for (int b = 0; b < 2; ++b) {
      q.x.push_back(r.vector());
      q.R.push_back(r.rotation());
      V.v.push_back(r.vector());
      V.w.push_back(r.vector());
    }
  }
};

std::vector<Mat3> turns(const system::System& system, const system::Configuration& q) {
  std::vector<Mat3> turn;
  make_turns(system, q, turn);
  return turn;
}

TEST(Frame, normal_velocity_is_the_rate_of_the_gap_for_every_kind_of_feature) {
  Random r(1);
  int looked = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const TwoBodies bodies(r);
    Feature f;
    f.kind = static_cast<FeatureKind>(trial % 8);
    f.P_a = r.vector(0.5);
    f.P_b = r.vector(0.5);
    f.dir_a = r.unit();
    f.dir_b = r.unit();
    f.rounding_a = r.real(0, 0.2);
    f.rounding_b = r.real(0, 0.2);
    f.rim = r.real(0.1, 0.5);
    f.sign = trial % 16 < 8 ? 1 : -1;
    const int a = trial % 5 == 0 ? system::world : 0, b = trial % 7 == 0 && a == 0 ? system::world : 1;
    const auto at = evaluate(f, bodies.q.pose(a), bodies.q.pose(b));
    // Away from coinciding points, parallel edges and rims flat on a face, where the normal or the point is not smooth.
    const Vec3 u_a = bodies.q.pose(a).R * f.dir_a, u_b = bodies.q.pose(b).R * f.dir_b;
    if (at.gap + f.rounding_a + f.rounding_b < 0.3 && f.kind >= FeatureKind::point_point) continue;
    if (u_a.cross(u_b).norm() < 0.3) continue;
    ++looked;
    const Vec3 along = r.vector();
    const Frame frame = make_frame(at, a, b, bodies.q, along);
    const double rate = gap_rate(f, a, b, bodies.q, bodies.V);
    EXPECT_NEAR(local_velocity(frame, bodies.V).x(), rate, 1e-8) << static_cast<int>(f.kind);
    // The part of `along` across n is a difference: its direction is as good as ε over the sine.
    const double round = 32 * test::epsilon * along.norm() / along.cross(at.n).norm();
    EXPECT_LT((frame.F.transpose() * frame.F - Mat3::Identity()).norm(), round);
    EXPECT_NEAR(frame.F.determinant(), 1, round);
    EXPECT_EQ(frame.F.col(0), at.n);
  }
  EXPECT_GT(looked, 2000);
}

const char* const shape_texts[] = {
    "{ type = 'sphere', radius = 0.3 }",
    "{ type = 'box', size = [0.5, 0.6, 0.7] }",
    "{ type = 'capsule', radius = 0.2, length = 0.5 }",
    "{ type = 'cylinder', radius = 0.3, length = 0.5 }",
    R"({ type = 'hull', points = [[-0.3, -0.3, -0.3], [0.4, -0.3, -0.2], [-0.3, 0.5, -0.3],
                                 [-0.2, -0.3, 0.4], [0.3, 0.3, 0.3]] })",
};

// A scene of two bodies off their centres of mass, or of one body and the floor (second < 0).
std::string pair_scene(int first, int second) {
  std::string text =
      "[[body]]\nname = 'a'\nmass = 1\ncom = [0.05, -0.02, 0.03]\nshape = " + std::string(shape_texts[first]) + "\n";
  if (second >= 0) {
    text += "[[body]]\nname = 'b'\nmass = 2\nposition = [5, 0, 0]\nshape = " + std::string(shape_texts[second]) + "\n";
  } else {
    text +=
        "[[body]]\nname = 'b'\nmass = 2\nposition = [5, 0, 0]\n inertia = [1, 2, 2.5]\n[[shape]]\nname = 'floor'\ntype "
        "= 'plane'\n";
  }
  return text;
}

TEST(Frame, normal_velocity_is_the_rate_of_the_gap_for_every_pair_of_shapes) {
  Random r(2);
  for (int first = 0; first < 5; ++first) {
    for (int second = -1; second < 5; ++second) {
      const Simulation sim(pair_scene(first, second));
      int found = 0;
      for (int trial = 0; trial < 40; ++trial) {
        TwoBodies bodies(r);
        // Near each other: centres 0.6 to 0.9 m apart, or 0.4 m above the floor.
        const double distance = r.real(0.6, 0.9);
        bodies.q.x[1] = bodies.q.x[0] + distance * r.unit();
        if (second < 0) bodies.q.x[0].z() = 0.4;
        collide::ContactSet contacts;
        find_pair(sim.system, 0, 1, bodies.q, 0.4, contacts);
        for (const collide::Contact& c : contacts) {
          if (c.feature.kind == FeatureKind::edge_edge) {
            const Vec3 u_a = bodies.q.pose(c.body_a).R * c.feature.dir_a,
                       u_b = bodies.q.pose(c.body_b).R * c.feature.dir_b;
            if (u_a.cross(u_b).norm() < 0.3) continue;  // nearly parallel: large derivatives
          }
          const bool rim_a = c.feature.kind == FeatureKind::face_b_rim_a,
                     rim_b = c.feature.kind == FeatureKind::face_a_rim_b;
          if (rim_a || rim_b) {
            const Vec3 u = bodies.q.pose(rim_a ? c.body_a : c.body_b).R * (rim_a ? c.feature.dir_a : c.feature.dir_b);
            if (u.cross(c.at.n).norm() < 0.2) continue;  // a rim nearly flat on a face: its lowest point runs fast
          }
          if (c.feature.kind >= FeatureKind::point_point &&
              c.at.gap + c.feature.rounding_a + c.feature.rounding_b < 0.05) {
            continue;  // the direction between nearly coinciding points
          }
          ++found;
          const Frame frame = make_frame(c.at, c.body_a, c.body_b, bodies.q);
          const double rate = gap_rate(c.feature, c.body_a, c.body_b, bodies.q, bodies.V);
          EXPECT_NEAR(local_velocity(frame, bodies.V).x(), rate, 1e-6)
              << first << ' ' << second;  // derivatives up to 1/0.05⁴
        }
      }
      EXPECT_GT(found, 0) << first << ' ' << second;
    }
  }
}

TEST(Frame, takes_the_tangent_it_is_given_or_a_fixed_one) {
  collide::Kinematics at{Vec3::UnitZ(), Vec3(1, 2, 3), Vec3(1, 2, 3.5), 0.5};
  const system::Configuration q{{Vec3(0, 0, 1)}, {Quat::Identity()}, {}};
  const Frame given = make_frame(at, system::world, 0, q, Vec3(3, 0, 7));
  EXPECT_EQ(given.F.col(1), Vec3::UnitX());
  EXPECT_EQ(given.point, Vec3(1, 2, 3.25));
  EXPECT_EQ(given.r_b, Vec3(1, 2, 2.25));
  const Frame parallel = make_frame(at, system::world, 0, q, Vec3(0, 0, 7)), none = make_frame(at, system::world, 0, q);
  EXPECT_EQ(parallel.F, none.F);
}

TEST(Impulse, and_its_reaction_cancel_in_momentum_and_in_moment) {
  Random r(3);
  for (int trial = 0; trial < 100; ++trial) {
    const TwoBodies bodies(r);
    const double gap = r.real(-0.1, 0.1);  // also across a gap
    const Vec3 n = r.unit(), p = r.vector();
    const Frame frame = make_frame({n, p, p + gap * n, gap}, 0, 1, bodies.q, r.vector());
    std::vector<Vec3> P(2, Vec3::Zero()), l(2, Vec3::Zero());
    add_impulse(frame, r.vector(3), P, l);
    EXPECT_LT((P[0] + P[1]).norm(), 1e-15);
    const Vec3 moment = bodies.q.x[0].cross(P[0]) + l[0] + bodies.q.x[1].cross(P[1]) + l[1];
    EXPECT_LT(moment.norm(), 1e-14);  // arms and impulses of size 3, a few roundings
  }
}

TEST(Impulse, has_the_power_of_the_local_velocity) {
  Random r(4);
  for (int trial = 0; trial < 100; ++trial) {
    const TwoBodies bodies(r);
    const int a = trial % 3 == 0 ? system::world : 0;
    const Vec3 n = r.unit(), p = r.vector(), Lambda = r.vector(3);
    const Frame frame = make_frame({n, p, p, 0}, a, 1, bodies.q);
    std::vector<Vec3> P(2, Vec3::Zero()), l(2, Vec3::Zero());
    add_impulse(frame, Lambda, P, l);
    double power = 0;
    for (std::size_t b = 0; b < 2; ++b) power += P[b].dot(bodies.V.v[b]) + l[b].dot(bodies.V.w[b]);
    EXPECT_NEAR(Lambda.dot(local_velocity(frame, bodies.V)), power, 1e-14);
  }
}

// Wᵀ as a dense matrix, column by column from unit velocities.
Eigen::MatrixXd dense_W_transposed(const std::vector<Frame>& frames, std::size_t bodies) {
  Eigen::MatrixXd Wt(3 * frames.size(), 6 * bodies);
  for (std::size_t j = 0; j < 6 * bodies; ++j) {
    motion::Velocity V{std::vector<Vec3>(bodies, Vec3::Zero()), std::vector<Vec3>(bodies, Vec3::Zero())};
    (j % 6 < 3 ? V.v : V.w)[j / 6][static_cast<Eigen::Index>(j % 3)] = 1;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      Wt.block<3, 1>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(j)) = local_velocity(frames[i], V);
    }
  }
  return Wt;
}

TEST(Problem, has_the_delassus_matrix_of_its_force_directions_and_masses) {
  Random r(5);
  const Simulation sim(
      "[[body]]\nname = 'a'\nmass = 0.5\ninertia = [1, 2, 2.5, 0.1, -0.2, 0.3]\n[[body]]\nname = 'b'\nmass = 3\n"
      "inertia = [0.01, 2, 2.005]\n[[body]]\nname = 'c'\nmass = 7\nparticle = true\n");
  system::Configuration q;
  Eigen::MatrixXd M_inverse = Eigen::MatrixXd::Zero(18, 18);
  for (std::size_t b = 0; b < 3; ++b) {
    q.x.push_back(r.vector());
    q.R.push_back(r.rotation());
    const auto k = static_cast<Eigen::Index>(6 * b);
    M_inverse.block<3, 3>(k, k) = Mat3::Identity() / sim.system.bodies.mass[b];
    const Mat3 R = q.R[b].toRotationMatrix();
    if (b < 2) M_inverse.block<3, 3>(k + 3, k + 3) = R * sim.model.bodies[b].inertia.inverse() * R.transpose();
  }
  ContactProblem problem;
  problem.nodes = 3;
  std::vector<Frame> frames;
  const int ends[][2] = {{0, 1}, {1, 0}, {2, 1}, {system::world, 0}, {2, system::world}, {0, 2}, {1, system::world}};
  for (const auto& [a, b] : ends) {
    const Vec3 n = r.unit(), p = r.vector();
    frames.push_back(make_frame({n, p, p, 0}, a, b, q));
    add_block(sim.system, turns(sim.system, q), frames.back(), laws::Kind::coulomb, 3, 0.5, r.vector(), nullptr,
              problem);
  }
  const Eigen::MatrixXd Wt = dense_W_transposed(frames, 3), G = Wt * M_inverse * Wt.transpose();
  const auto rows = static_cast<Eigen::Index>(3 * frames.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, 18);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      J.block<3, 6>(static_cast<Eigen::Index>(3 * i), 6 * problem.node[e]) = problem.J[e];
      if (e > problem.row[i]) {
        EXPECT_LT(problem.node[e - 1], problem.node[e]);
      }
    }
  }
  EXPECT_LT((J * J.transpose() - G).norm(), 1e-13 * G.norm());  // inertia of condition 200
  // apply() is the same product.
  std::vector<Vec3> Lambda, xi;
  Eigen::VectorXd x(rows), c(rows);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    Lambda.push_back(r.vector());
    x.segment<3>(static_cast<Eigen::Index>(3 * i)) = Lambda.back();
    c.segment<3>(static_cast<Eigen::Index>(3 * i)) = problem.c[i];
  }
  std::vector<double> z;
  apply(problem, Lambda, z, xi);
  const Eigen::VectorXd expected = G * x + c;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    EXPECT_LT((xi[i] - expected.segment<3>(static_cast<Eigen::Index>(3 * i))).norm(), 1e-13 * expected.norm());
  }
}

TEST(Problem, uses_the_normal_row_alone_without_friction) {
  const Simulation sim("[[body]]\nname = 'a'\nmass = 0.5\ninertia = [1, 2, 2.5]\n");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const laws::Kind law : {laws::Kind::unilateral, laws::Kind::bilateral}) {
    ContactProblem problem;
    problem.nodes = 1;
    const Frame frame = make_frame({Vec3::UnitX(), Vec3(1, 2, 3), Vec3(1, 2, 3), 0}, system::world, 0, sim.state.q);
    add_block(sim.system, turns(sim.system, sim.state.q), frame, law, 1, 0, Vec3(5, nan, nan), nullptr,
              problem);  // tangential c must not matter
    ASSERT_EQ(problem.size(), 1u);
    EXPECT_EQ(problem.c[0], Vec3(5, 0, 0));
    EXPECT_EQ(problem.J[0].row(1).norm() + problem.J[0].row(2).norm(), 0);
    EXPECT_GT(problem.J[0].row(0).norm(), 0);
  }
}

}  // namespace
}  // namespace vinculum::contact
