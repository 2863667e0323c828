// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Siconos' ASCII form, as its own tools print it:
//   dimension, contacts, matrix, [matrix,] vectors       one item per line, vectors on one line
//   local:  W, q, μ [, μ_r]         global:  M, H, f, w, μ [, μ_r]          μ_r where the dimension is 5
//   matrix: storage, rows, columns; storage 0: "rows columns" again, then rows of numbers;
//           storage 2: origin (1 triplets, 2 columns), a line naming CSparse, a line of sizes, then
//           "row column : value", or "col j : locations a to b" with lines "row : value".
// Text after the sizes of CSparse listings carries six digits only: such files are as exact as that.
#include "vinculum/base/error.hpp"
#include "vinculum/fclib/fclib.hpp"

#include <fmt/format.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

namespace vinculum::fclib {
namespace {

using contact::FrictionProblem;
using contact::Sparse;
using contact::Vector;

class AsciiReader {
 public:
  explicit AsciiReader(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw base::InputError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    advance();
  }

  FrictionProblem read() {
    FrictionProblem p;
    p.dimension = static_cast<int>(integer("dimension", "2, 3, or 5 for rolling friction"));
    if (p.dimension != 2 && p.dimension != 3 && p.dimension != 5) {
      fail("dimension", fmt::format("{}", p.dimension), "2, 3, or 5 for rolling friction");
    }
    const long n = integer("contacts", "a number of contacts");
    if (n < 0 || n > std::numeric_limits<int>::max() / 5) fail("contacts", fmt::format("{}", n), "a number >= 0");
    const long rows = n * p.dimension;
    Sparse first = matrix("matrix");
    if (words() == 1 && rows > 1) {
      p.form = FrictionProblem::Form::global;
      p.M = std::move(first);
      p.H = matrix("H");
      p.f = vector("f", p.M.rows());
      p.w = vector("w", rows);
    } else {
      p.W = std::move(first);
      p.q = vector("q", rows);
    }
    p.mu = vector("mu", n);
    if (p.dimension == 5) p.mu_r = vector("mu_r", n);
    check_problem(path_, p);
    return p;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& found, const std::string& expected) const {
    throw base::InputError({path_, line_number_, 1}, what, found, expected);
  }
  bool advance() {
    while (std::getline(file_, line_)) {
      ++line_number_;
      if (line_.find_first_not_of(" \t\r") != std::string::npos) return there_ = true;
    }
    ++line_number_;
    return there_ = false;
  }
  std::string shown() const { return there_ ? fmt::format("\"{}\"", line_.substr(0, 40)) : "the end of the file"; }
  std::size_t words() const {
    std::istringstream in(line_);
    std::size_t count = 0;
    for (std::string word; in >> word;) ++count;
    return there_ ? count : 0;
  }

  long integer(const char* what, const char* expected) {
    std::istringstream in(line_);
    long x = 0;
    std::string rest;
    if (!there_ || !(in >> x) || (in >> rest)) fail(what, shown(), expected);
    advance();
    return x;
  }

  // strtod takes nan and inf, which the check of the whole problem then names.
  Vector vector(const std::string& what, long n) {
    Vector x(n);
    long k = 0;
    const char* at = line_.c_str();
    while (there_ && k < n) {
      char* end = nullptr;
      x[k] = std::strtod(at, &end);
      if (end == at) break;
      at = end;
      ++k;
    }
    if (n == 0) return x;
    if (k < n || std::string(at).find_first_not_of(" \t\r") != std::string::npos) {
      fail(what, k < n ? fmt::format("{} numbers", k) : "more", fmt::format("{} numbers", n));
    }
    advance();
    return x;
  }

  Sparse matrix(const char* what) {
    const long storage = integer(what, "a storage: 0 (dense) or 2 (sparse)");
    const long m = integer(what, "a number of rows"), n = integer(what, "a number of columns");
    constexpr long most = std::numeric_limits<int>::max();
    if (m < 0 || n < 0 || m > most || n > most) fail(what, fmt::format("{} x {}", m, n), "a number of rows, columns");
    Sparse A(m, n);
    std::vector<Eigen::Triplet<double>> entries;
    if (storage == 0) {
      advance();  // the sizes once more
      for (long i = 0; i < m; ++i) {
        const Vector row = vector(what, n);
        for (long j = 0; j < n; ++j) {
          if (row[j] != 0) entries.emplace_back(i, j, row[j]);
        }
      }
    } else if (storage == 2) {
      read_listing(what, m, n, entries);
    } else {
      fail(what, fmt::format("storage {}", storage), "0 (dense) or 2 (sparse)");
    }
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  void read_listing(const char* what, long m, long n, std::vector<Eigen::Triplet<double>>& entries) {
    const long origin = integer(what, "an origin: 1 (triplets) or 2 (columns)");
    if (origin != 1 && origin != 2) fail(what, fmt::format("origin {}", origin), "1 (triplets) or 2 (columns)");
    if (line_.find("CSparse") == std::string::npos) fail(what, shown(), "a listing by CSparse");
    advance();
    const std::size_t at = line_.find("nnz: ");
    if (!there_ || at == std::string::npos) fail(what, shown(), "a line with nnz");
    const long count = std::strtol(line_.c_str() + at + 5, nullptr, 10);
    advance();
    long column = -1;
    for (long k = 0; k < count;) {
      long i = 0, j = 0;
      double x = 0;
      if (origin == 2 && std::sscanf(line_.c_str(), " col %ld : locations", &j) == 1 && there_) {
        column = j;
        advance();
        continue;
      }
      const bool good = there_ && (origin == 1 ? std::sscanf(line_.c_str(), " %ld %ld : %lf", &i, &j, &x) == 3
                                               : std::sscanf(line_.c_str(), " %ld : %lf", &i, &x) == 2);
      if (!good) fail(what, shown(), fmt::format("entry {} of {}", k + 1, count));
      if (origin == 2) j = column;
      if (i < 0 || i >= m || j < 0 || j >= n) {
        fail(what, fmt::format("entry ({}, {})", i, j), fmt::format("indices below {}, {}", m, n));
      }
      entries.emplace_back(i, j, x);
      ++k;
      advance();
    }
    while (there_ && line_.find("locations") != std::string::npos) advance();  // empty columns at the end
  }

  std::string path_;
  std::ifstream file_;
  std::string line_;
  int line_number_ = 0;
  bool there_ = false;
};

}  // namespace

FrictionProblem read_ascii(const std::string& path) { return AsciiReader(path).read(); }

}  // namespace vinculum::fclib
