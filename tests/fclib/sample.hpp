// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Small friction-contact problems for the tests of files, and where the published samples lie.
#pragma once

#include "vinculum/fclib/fclib.hpp"

#include <unistd.h>
#include <Eigen/Dense>
#include <algorithm>
#include <filesystem>
#include <random>

namespace vinculum::sample {

using contact::FrictionProblem;
using contact::Sparse;
using contact::Vector;

/// A folder that goes away with the test.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("vinculum-fclib-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return path / name; }
};

inline Sparse random_matrix(int m, int n, double filled, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1), chance(0, 1);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      if (chance(random) < filled) A(i, j) = value(random);
    }
  }
  return A.sparseView();
}

inline Vector random_vector(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  return Vector::NullaryExpr(n, [&] { return value(random); });
}

inline Sparse regular_matrix(int n, std::mt19937& random) {
  const Sparse B = random_matrix(n, n, .3, random);
  Sparse I(n, n);
  I.setIdentity();
  return Sparse(B * Sparse(B.transpose())) + I;
}

/// Three contacts, 12 coordinates; solvable: W is positive definite.
inline FrictionProblem global_problem(int dimension, bool bonds, unsigned seed = 1) {
  std::mt19937 random(seed);
  FrictionProblem p;
  p.form = FrictionProblem::Form::global;
  p.dimension = dimension;
  p.title = "three contacts";
  p.description = "made by a test";
  p.math_info = "global";
  p.M = regular_matrix(18, random);
  p.H = random_matrix(18, 3 * dimension, .6, random);
  p.f = random_vector(18, random);
  p.w = random_vector(3 * dimension, random);
  p.mu = Vector::Constant(3, .4);
  if (dimension == 5) p.mu_r = Vector::Constant(3, .1);
  if (bonds) {
    p.G = random_matrix(18, 2, .7, random);
    p.b = random_vector(2, random);
  }
  return p;
}

/// The same reduced to contact space by dense algebra.
inline FrictionProblem local_problem(int dimension, bool bonds, unsigned seed = 1) {
  const FrictionProblem g = global_problem(dimension, bonds, seed);
  const Eigen::MatrixXd K = Eigen::MatrixXd(g.M).inverse(), H = g.H;
  FrictionProblem p;
  p.dimension = dimension;
  p.title = g.title;
  p.description = g.description;
  p.math_info = "local";
  p.W = Eigen::MatrixXd(H.transpose() * K * H).sparseView();
  p.q = H.transpose() * K * g.f + g.w;
  p.mu = g.mu;
  p.mu_r = g.mu_r;
  if (bonds) {
    const Eigen::MatrixXd G = g.G;
    p.V = Eigen::MatrixXd(H.transpose() * K * G).sparseView();
    p.R = Eigen::MatrixXd(G.transpose() * K * G).sparseView();
    p.s = G.transpose() * K * g.f + g.b;
  }
  return p;
}

/// The published problems, beside or above the source tree; empty where they are not.
inline std::vector<std::string> published() {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (fs::path at = fs::path(VINCULUM_SOURCE_DIR); at.has_relative_path(); at = at.parent_path()) {
    const fs::path folder = at / "shared/data/fclib";
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".hdf5" || entry.path().extension() == ".dat") files.push_back(entry.path());
    }
    break;
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace vinculum::sample
