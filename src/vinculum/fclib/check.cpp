// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every reader asks of a problem, whatever the file.
#include "vinculum/base/error.hpp"
#include "vinculum/fclib/fclib.hpp"

#include <fmt/format.h>
#include <fstream>

namespace vinculum::fclib {
namespace {

using contact::FrictionProblem;
using contact::Sparse;
using contact::Vector;

class Checker {
 public:
  explicit Checker(const std::string& path) : place_{path, 0, 0} {}

  void size(const char* name, const Vector& x, long expected, const char* why) const {
    if (x.size() != expected) fail(name, fmt::format("{} numbers", x.size()), fmt::format("{} ({})", expected, why));
  }
  void shape(const char* name, const Sparse& A, long rows, long cols, const char* why) const {
    if (A.rows() != rows || A.cols() != cols) {
      fail(name, fmt::format("{} x {}", A.rows(), A.cols()), fmt::format("{} x {} ({})", rows, cols, why));
    }
  }
  void finite(const char* name, const Vector& x) const { finite(name, x.data(), x.size()); }
  void finite(const char* name, const Sparse& A) const { finite(name, A.valuePtr(), A.nonZeros()); }
  void not_negative(const char* name, const Vector& x) const {
    for (long k = 0; k < x.size(); ++k) {
      if (!(x[k] >= 0)) fail(fmt::format("{}[{}]", name, k), fmt::format("{}", x[k]), "a number >= 0");
    }
  }

 private:
  void finite(const char* name, const double* x, long n) const {
    for (long k = 0; k < n; ++k) {
      if (!std::isfinite(x[k])) fail(name, fmt::format("{} at entry {}", x[k], k), "finite numbers");
    }
  }
  [[noreturn]] void fail(const std::string& name, const std::string& found, const std::string& expected) const {
    throw base::InputError(place_, name, found, expected);
  }
  base::Place place_;
};

}  // namespace

void check_problem(const std::string& path, const FrictionProblem& p) {
  const Checker check(path);
  const long n = p.mu.size(), rows = n * p.dimension;
  check.finite("mu", p.mu);
  check.not_negative("mu", p.mu);
  if (p.dimension == 5) {
    check.size("mu_r", p.mu_r, n, "one per contact, as mu");
    check.finite("mu_r", p.mu_r);
    check.not_negative("mu_r", p.mu_r);
  }
  if (p.form == FrictionProblem::Form::local) {
    check.shape("W", p.W, rows, rows, "dimension times the length of mu");
    check.size("q", p.q, rows, "dimension times the length of mu");
    check.shape("V", p.V, p.V.cols() > 0 ? rows : p.V.rows(), p.V.cols(), "as many rows as W");
    check.shape("R", p.R, p.V.cols(), p.V.cols(), "as many rows and columns as V has columns");
    check.size("s", p.s, p.V.cols(), "columns of V");
    for (const auto& [name, A] : {std::pair{"W", &p.W}, {"V", &p.V}, {"R", &p.R}}) check.finite(name, *A);
    check.finite("q", p.q);
    check.finite("s", p.s);
    return;
  }
  const long dof = p.f.size();
  check.shape("M", p.M, dof, dof, "length of f");
  check.shape("H", p.H, dof, rows, "length of f, dimension times the length of mu");
  check.size("w", p.w, rows, "dimension times the length of mu");
  check.shape("G", p.G, p.G.cols() > 0 ? dof : p.G.rows(), p.G.cols(), "as many rows as M");
  check.size("b", p.b, p.G.cols(), "columns of G");
  for (const auto& [name, A] : {std::pair{"M", &p.M}, {"H", &p.H}, {"G", &p.G}}) check.finite(name, *A);
  for (const auto& [name, x] : {std::pair{"f", &p.f}, {"w", &p.w}, {"b", &p.b}}) check.finite(name, *x);
}

// HDF5 files begin with \x89HDF; everything else is taken for text.
FrictionProblem read_problem(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[8] = {};
  file.read(head, 8);
  const bool text = file.gcount() > 0 && std::string_view(head, 4) != "\x89HDF" &&
                    std::string_view(head, static_cast<std::size_t>(file.gcount())).find('\0') == std::string::npos;
  return text ? read_ascii(path) : read_hdf5(path);
}

}  // namespace vinculum::fclib
