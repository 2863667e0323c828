// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/base/error.hpp"
#include "vinculum/fclib/fclib.hpp"
#include "vinculum/trace/hdf5.hpp"

#include <fmt/format.h>

namespace vinculum::fclib {
namespace {

using contact::Candidate;
using contact::FrictionProblem;
using contact::Sparse;
using contact::Vector;
using trace::hdf5::As;
using trace::hdf5::Dataset;
using Form = FrictionProblem::Form;

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, "a friction-contact problem") {}

  FrictionProblem read();

 private:
  struct Root {
    const char* name;
    Form form;
    bool rolling;
  };

  [[noreturn]] void fail(const std::string& name, const std::string& found, const std::string& expected) const {
    throw base::InputError({file_.path(), 0, 0}, name, found, expected);
  }
  Dataset numbers(const std::string& name, std::size_t& count) const;
  int integer(const std::string& name) const;
  std::vector<int> integers(const std::string& name) const;
  Vector reals(const std::string& name) const;
  std::string text(const std::string& name) const;
  Sparse matrix(const std::string& group) const;
  Sparse matrix_if_there(const std::string& group) const { return file_.has(group) ? matrix(group) : Sparse(); }
  Vector reals_if_there(const std::string& name) const { return file_.has(name) ? reals(name) : Vector(); }
  Candidate candidate(const std::string& group) const;
  Root find_root() const;

  trace::hdf5::File file_;
};

Dataset Reader::numbers(const std::string& name, std::size_t& count) const {
  Dataset data = file_.dataset(name);
  if (!data.is_number()) fail(name, "text", "numbers");
  if (data.dims().size() > 1) fail(name, fmt::format("{} dimensions", data.dims().size()), "a list");
  count = data.rows();
  return data;
}

int Reader::integer(const std::string& name) const {
  const std::vector<int> list = integers(name);
  if (list.size() != 1) fail(name, fmt::format("{} numbers", list.size()), "one integer");
  return list[0];
}

std::vector<int> Reader::integers(const std::string& name) const {
  std::size_t count = 0;
  const Dataset data = numbers(name, count);
  if (data.is_real()) fail(name, "real numbers", "integers");
  std::vector<int> out(count);
  data.read(As::i32, 0, count, out.data());
  return out;
}

Vector Reader::reals(const std::string& name) const {
  std::size_t count = 0;
  const Dataset data = numbers(name, count);
  Vector out(static_cast<long>(count));
  data.read(As::f64, 0, count, out.data());
  return out;
}

std::string Reader::text(const std::string& name) const {
  if (!file_.has(name)) return {};
  const std::vector<std::string> list = file_.texts(name);
  return list.empty() ? "" : std::string(list[0].c_str());
}

// Entries as triplets; duplicates add up. nz: −1 columns, −2 rows, ≥ 0 triplets (i row, p column).
Sparse Reader::matrix(const std::string& group) const {
  const int m = integer(group + "/m"), n = integer(group + "/n"), nz = integer(group + "/nz");
  if (m < 0) fail(group + "/m", fmt::format("{}", m), "a number of rows");
  if (n < 0) fail(group + "/n", fmt::format("{}", n), "a number of columns");
  if (nz < -2) fail(group + "/nz", fmt::format("{}", nz), "-1 (columns), -2 (rows) or a number of triplets");
  const std::vector<int> i = integers(group + "/i"), p = integers(group + "/p");
  const Vector x = reals(group + "/x");
  const std::size_t stored = static_cast<std::size_t>(x.size());
  std::vector<Eigen::Triplet<double>> entries;
  auto add = [&](int row, int column, std::size_t k, const char* row_name, const char* column_name) {
    if (row < 0 || row >= m) {
      fail(fmt::format("{}/{}[{}]", group, row_name, k), fmt::format("row {}", row), fmt::format("0 to {}", m - 1));
    }
    if (column < 0 || column >= n) {
      fail(fmt::format("{}/{}[{}]", group, column_name, k), fmt::format("column {}", column),
           fmt::format("0 to {}", n - 1));
    }
    entries.emplace_back(row, column, x[static_cast<long>(k)]);
  };
  auto long_enough = [&](const char* name, std::size_t size, std::size_t needed) {
    if (size < needed) fail(group + name, fmt::format("{} numbers", size), fmt::format("{}", needed));
  };
  if (nz >= 0) {
    const std::size_t count = static_cast<std::size_t>(nz);
    long_enough("/i", i.size(), count);
    long_enough("/p", p.size(), count);
    long_enough("/x", stored, count);
    for (std::size_t k = 0; k < count; ++k) add(i[k], p[k], k, "i", "p");
  } else {
    const std::size_t lines = static_cast<std::size_t>(nz == -1 ? n : m);
    if (p.size() != lines + 1) fail(group + "/p", fmt::format("{} pointers", p.size()), fmt::format("{}", lines + 1));
    if (p[0] != 0) fail(group + "/p[0]", fmt::format("{}", p[0]), "0");
    for (std::size_t line = 0; line < lines; ++line) {
      if (p[line + 1] < p[line]) {
        fail(fmt::format("{}/p[{}]", group, line + 1), fmt::format("{}", p[line + 1]), "pointers that do not fall");
      }
    }
    const std::size_t count = static_cast<std::size_t>(p[lines]);
    long_enough("/i", i.size(), count);
    long_enough("/x", stored, count);
    entries.reserve(count);
    for (std::size_t line = 0; line < lines; ++line) {
      for (std::size_t k = static_cast<std::size_t>(p[line]); k < static_cast<std::size_t>(p[line + 1]); ++k) {
        const int at = static_cast<int>(line);
        nz == -1 ? add(i[k], at, k, "i", "p") : add(at, i[k], k, "p", "i");
      }
    }
  }
  Sparse A(m, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

Candidate Reader::candidate(const std::string& group) const {
  return {reals_if_there(group + "/u"), reals_if_there(group + "/r"), reals_if_there(group + "/v"),
          reals_if_there(group + "/l")};
}

Reader::Root Reader::find_root() const {
  constexpr Root roots[] = {{"/fclib_local", Form::local, false},
                            {"/fclib_global", Form::global, false},
                            {"/fclib_global_rolling", Form::global, true}};
  const Root* found = nullptr;
  for (const Root& root : roots) {
    if (!file_.has(root.name)) continue;
    if (found) fail(root.name, fmt::format("{} as well", found->name), "one problem in a file");
    found = &root;
  }
  if (!found) fail("/", "none", "one of the groups fclib_local, fclib_global, fclib_global_rolling");
  return *found;
}

FrictionProblem Reader::read() {
  const Root root = find_root();
  const std::string at = root.name, vectors = at + "/vectors/";
  FrictionProblem p;
  p.form = root.form;
  p.dimension = integer(at + "/spacedim");
  if (root.rolling && p.dimension == 3) p.dimension = 5;
  if (p.dimension != 2 && p.dimension != 3 && p.dimension != 5) {
    fail(at + "/spacedim", fmt::format("{}", p.dimension), "2, 3, or 5 for rolling friction");
  }
  if (root.rolling && p.dimension != 5) fail(at + "/spacedim", "2", "3 or 5 for rolling friction");
  p.title = text(at + "/info/title");
  p.description = text(at + "/info/description");
  p.math_info = text(at + "/info/math_info");
  p.mu = reals(vectors + "mu");
  if (p.dimension == 5) p.mu_r = reals(vectors + "mu_r");
  if (p.form == Form::local) {
    p.W = matrix(at + "/W");
    p.q = reals(vectors + "q");
    p.V = matrix_if_there(at + "/V");
    p.R = matrix_if_there(at + "/R");
    p.s = reals_if_there(vectors + "s");
  } else {
    p.M = matrix(at + "/M");
    p.H = matrix(at + "/H");
    p.f = reals(vectors + "f");
    p.w = reals(vectors + "w");
    p.G = matrix_if_there(at + "/G");
    p.b = reals_if_there(vectors + "b");
    if (p.G.cols() == 0 && p.b.size() > 0 && p.b.isZero(0)) p.b.resize(0);  // b without bonds: written by some
  }
  p.solution = candidate("/solution");
  const int guesses = file_.has("/guesses/number_of_guesses") ? integer("/guesses/number_of_guesses") : 0;
  for (int k = 1; k <= guesses; ++k) p.guesses.push_back(candidate(fmt::format("/guesses/{}", k)));
  check_problem(file_.path(), p);
  return p;
}

}  // namespace

FrictionProblem read_hdf5(const std::string& path) { return Reader(path).read(); }

}  // namespace vinculum::fclib
