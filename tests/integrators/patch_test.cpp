// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/patch.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <random>
#include <vector>

namespace vinculum::integrators {
namespace {

using contact::Mat3;
using Eigen::MatrixXd, Eigen::VectorXd;

/// Contacts, and A row by row.
struct Contacts {
  struct Contact {
    Mat3 F;
    Vec3 x, offset;
    bool sticks;
  };
  std::vector<Contact> all;

  VectorXd gather(std::span<const Vec3> rows) const {
    VectorXd out(3 * static_cast<Eigen::Index>(all.size()));
    Eigen::Index n = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (int k = 0; k < (all[i].sticks ? 3 : 1); ++k) out[n++] = rows[i][k];
    }
    return out.head(n);
  }
  VectorXd offsets() const {
    std::vector<Vec3> o;
    for (const Contact& contact : all) o.push_back(contact.offset);
    return gather(o);
  }
  MatrixXd A() const {
    MatrixXd A(offsets().size(), 6);
    Eigen::Index n = 0;
    for (const Contact& contact : all) {
      for (int k = 0; k < (contact.sticks ? 3 : 1); ++k) {
        const Vec3 d = contact.F.col(k);
        A.row(n++) << d.transpose(), contact.x.cross(d).transpose();
      }
    }
    return A;
  }
  VectorXd remainder() const {
    Patch patch;
    for (const Contact& contact : all) patch.add(contact.F, contact.x, contact.offset, contact.sticks);
    return gather(patch.remainder());
  }
};

/// Of a foot far from the origin; every `sliding`-th slides.
Contacts foot(int points, int sliding) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto random = [&] {
    const double x = number(generator), y = number(generator), z = number(generator);
    return Vec3(x, y, z);
  };
  Contacts contacts;
  for (int i = 0; i < points; ++i) {
    const Vec3 at = Vec3(7, -3, 0) + 0.1 * random(), axis = random(), offset = random();
    const Mat3 F = Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
    contacts.all.push_back({F, at, offset, sliding == 0 || i % sliding != 0});
  }
  return contacts;
}

TEST(Patch, what_is_left_is_what_no_motion_gives) {
  struct Case {
    int points, sliding, rank;
  };
  // Of two points that stick their distance is no motion, their line an axis.
  for (const Case& c : {Case{2, 0, 5}, {3, 0, 6}, {4, 0, 6}, {9, 0, 6}, {4, 2, 6}, {9, 3, 6}, {8, 1, 6}, {3, 1, 3}}) {
    const Contacts contacts = foot(c.points, c.sliding);
    const VectorXd rest = contacts.remainder(), o = contacts.offsets();
    const MatrixXd A = contacts.A();
    EXPECT_LT((A.transpose() * rest).norm(), 1e-11) << c.points << ", " << c.sliding;
    // By singular values: o − U Uᵀ o over those that are not zero.
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU);
    const Eigen::Index rank = (svd.singularValues().array() > 1e-9).count();
    EXPECT_EQ(rank, c.rank);
    const MatrixXd U = svd.matrixU().leftCols(rank);
    EXPECT_LT((rest - (o - U * (U.transpose() * o))).norm(), 1e-11) << c.points << ", " << c.sliding;
    if (A.rows() > rank) {
      EXPECT_GT(rest.norm(), 0.01) << c.points << ", " << c.sliding;
    }
  }
}

TEST(Patch, a_common_motion_is_left_as_it_is) {
  const Vec3 v(0.3, -1, 2), w(5, 1, -2);
  for (const int sliding : {0, 2}) {
    Contacts contacts = foot(4, sliding);
    for (auto& contact : contacts.all) contact.offset = contact.F.transpose() * (v + w.cross(contact.x));
    EXPECT_LT(contacts.remainder().norm(), 1e-12);
  }
}

TEST(Patch, normals_of_a_plane_agree_on_a_plane) {
  Contacts contacts;  // four corners of a square, one of which is higher by h: ±h/4 of it is in no plane
  const double h = 0.01;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      contacts.all.push_back({Mat3::Identity(), Vec3(0, x, y), Vec3(x > 0 && y > 0 ? h : 0, 7, 7), false});
    }
  }
  EXPECT_LT((contacts.remainder() - Eigen::Vector4d(h / 4, -h / 4, -h / 4, h / 4)).norm(), 1e-16);
}

TEST(Patch, points_that_coincide_agree_on_their_mean) {
  for (const bool sticks : {true, false}) {
    Contacts contacts;
    for (const double o : {1.0, 2.0, 6.0}) {
      contacts.all.push_back({Mat3::Identity(), Vec3(1, 2, 3), Vec3(o, 0, 0), sticks});
    }
    const VectorXd rest = contacts.remainder();
    const Eigen::Index step = sticks ? 3 : 1;
    EXPECT_LT((Eigen::Vector3d(rest[0], rest[step], rest[2 * step]) - Eigen::Vector3d(-2, -1, 3)).norm(), 1e-14);
  }
}

TEST(Patch, points_on_a_line_do_not_turn_about_it) {
  Contacts contacts;
  for (int i = 0; i < 4; ++i) {
    const Vec3 offset(0.1 * i * i, i % 2, 0.3);
    contacts.all.push_back({Mat3::Identity(), Vec3(5, 5, 5) + 0.02 * i * Vec3(1, 1, 0), offset, true});
  }
  const VectorXd rest = contacts.remainder();
  EXPECT_LT((contacts.A().transpose() * rest).norm(), 1e-12);
  EXPECT_LT(rest.norm(), contacts.offsets().norm());
}

}  // namespace
}  // namespace vinculum::integrators
