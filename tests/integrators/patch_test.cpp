// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/patch.hpp"

#include <gtest/gtest.h>
#include <Eigen/SVD>
#include <random>

namespace vinculum::integrators {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// Rows d at x, their offsets, and A row by row.
struct Rows {
  std::vector<Vec3> d, x;
  std::vector<double> offset;

  void add(const Vec3& direction, const Vec3& at, double o) {
    d.push_back(direction), x.push_back(at), offset.push_back(o);
  }
  MatrixXd A() const {
    MatrixXd A(d.size(), 6);
    for (std::size_t i = 0; i < d.size(); ++i) {
      A.row(static_cast<Eigen::Index>(i)) << d[i].transpose(), x[i].cross(d[i]).transpose();
    }
    return A;
  }
  VectorXd remainder() const {
    Patch patch;
    for (std::size_t i = 0; i < d.size(); ++i) patch.add(d[i], x[i], offset[i]);
    const auto rest = patch.remainder();
    return Eigen::Map<const VectorXd>(rest.data(), static_cast<Eigen::Index>(rest.size()));
  }
};

/// Points of a foot, far from the origin, with three rows each.
Rows foot(int points) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(-1, 1);
  Rows rows;
  for (int i = 0; i < points; ++i) {
    const double x = number(generator), y = number(generator), z = number(generator);
    const Vec3 at = Vec3(7, -3, 0) + 0.1 * Vec3(x, y, z);
    for (int k = 0; k < 3; ++k) rows.add(Vec3::Unit(k), at, number(generator));
  }
  return rows;
}

TEST(Patch, what_is_left_is_what_no_motion_gives) {
  for (const int points : {2, 3, 4, 9}) {
    const Rows rows = foot(points);
    const VectorXd rest = rows.remainder();
    const MatrixXd A = rows.A();
    const VectorXd o = Eigen::Map<const VectorXd>(rows.offset.data(), A.rows());
    EXPECT_LT((A.transpose() * rest).norm(), 1e-12) << points;
    // By singular values: o − U Uᵀ o over those that are not zero.
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU);
    const Eigen::Index rank = (svd.singularValues().array() > 1e-9).count();
    EXPECT_EQ(rank, points == 2 ? 5 : 6);  // of two points their distance is no motion, their line an axis
    const MatrixXd U = svd.matrixU().leftCols(rank);
    EXPECT_LT((rest - (o - U * (U.transpose() * o))).norm(), 1e-12) << points;
    EXPECT_GT(rest.norm(), 0.01) << points;
  }
}

TEST(Patch, a_common_motion_is_left_as_it_is) {
  Rows rows = foot(4);
  const Vec3 v(0.3, -1, 2), w(5, 1, -2);
  for (std::size_t i = 0; i < rows.d.size(); ++i) rows.offset[i] = rows.d[i].dot(v + w.cross(rows.x[i]));
  EXPECT_LT(rows.remainder().norm(), 1e-12);
}

TEST(Patch, normals_of_a_plane_agree_on_a_plane) {
  Rows rows;  // four corners of a square, one of which is higher by h: ±h/4 of it is in no plane
  const double h = 0.01;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) rows.add(Vec3::UnitZ(), Vec3(x, y, 0), x > 0 && y > 0 ? h : 0);
  }
  const VectorXd rest = rows.remainder();
  EXPECT_LT((rest - Eigen::Vector4d(h / 4, -h / 4, -h / 4, h / 4)).norm(), 1e-16);
}

TEST(Patch, points_that_coincide_agree_on_their_mean) {
  Rows rows;
  for (const double o : {1.0, 2.0, 6.0}) rows.add(Vec3::UnitX(), Vec3(1, 2, 3), o);
  EXPECT_LT((rows.remainder() - Eigen::Vector3d(-2, -1, 3)).norm(), 1e-14);
}

}  // namespace
}  // namespace vinculum::integrators
