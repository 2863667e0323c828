// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/base/error.hpp"
#include "vinculum/fclib/fclib.hpp"
#include "vinculum/trace/hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace vinculum::fclib {
namespace {

using contact::Candidate;
using contact::FrictionProblem;
using contact::Sparse;
using contact::Vector;
using trace::hdf5::Id;

template <herr_t (*close)(hid_t)>
Id own(hid_t id) {
  return {id, [](std::int64_t x) { return static_cast<int>(close(x)); }};
}

class Writer {
 public:
  Writer(const std::string& path, Storage storage)
      : path_(path), temporary_(fmt::format("{}.{}.tmp", path, ::getpid())), storage_(storage) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = own<H5Fclose>(H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    if (!file_) fail();
  }
  ~Writer() {
    file_ = {};
    if (!done_) std::remove(temporary_.c_str());
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void group(const std::string& name) {
    const Id id = own<H5Gclose>(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!id) fail();
  }
  void integers(const std::string& name, const std::vector<int>& x) {
    write(name, H5T_STD_I32LE, H5T_NATIVE_INT, x.size(), x.data());
  }
  void integer(const std::string& name, int x) { integers(name, {x}); }
  void reals(const std::string& name, const Vector& x) {
    write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, static_cast<std::size_t>(x.size()), x.data());
  }
  void text(const std::string& name, const std::string& x) {
    const Id type = own<H5Tclose>(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), x.size() + 1);
    const Id space = own<H5Sclose>(H5Screate(H5S_SCALAR));
    write(name, type.get(), type.get(), space, x.c_str());
  }
  void matrix(const std::string& name, const Sparse& A);
  void candidate(const std::string& name, const Candidate& c) {
    group(name);
    for (const auto& [part, x] : {std::pair{"/u", &c.u}, {"/r", &c.r}, {"/v", &c.v}, {"/l", &c.l}}) {
      if (x->size() > 0) reals(name + part, *x);
    }
  }
  void finish() {
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail();
    file_ = {};
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    done_ = true;
  }

 private:
  void write(const std::string& name, hid_t stored, hid_t memory, std::size_t n, const void* data) {
    const hsize_t size = n;
    const Id space = own<H5Sclose>(H5Screate_simple(1, &size, nullptr));
    write(name, stored, memory, space, n > 0 ? data : nullptr);
  }
  void write(const std::string& name, hid_t stored, hid_t memory, const Id& space, const void* data) {
    const Id set = own<H5Dclose>(
        H5Dcreate2(file_.get(), name.c_str(), stored, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!set || (data != nullptr && H5Dwrite(set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) fail();
  }
  [[noreturn]] void fail() const {
    throw base::InputError(fmt::format("{}: cannot write: {}", path_, errno ? std::strerror(errno) : "HDF5 error"));
  }

  std::string path_, temporary_;
  Storage storage_;
  Id file_;
  bool done_ = false;
};

void Writer::matrix(const std::string& name, const Sparse& A) {
  std::vector<int> i, p;
  std::vector<double> x;
  auto compress = [&](const auto& B) {
    using Matrix = std::decay_t<decltype(B)>;
    p.push_back(0);
    for (int line = 0; line < B.outerSize(); ++line) {
      for (typename Matrix::InnerIterator it(B, line); it; ++it) {
        i.push_back(static_cast<int>(it.index()));
        x.push_back(it.value());
      }
      p.push_back(static_cast<int>(i.size()));
    }
  };
  int nz = storage_ == Storage::columns ? -1 : -2;
  if (storage_ == Storage::columns) {
    compress(Eigen::SparseMatrix<double>(A));
  } else if (storage_ == Storage::rows) {
    compress(A);
  } else {
    for (int line = 0; line < A.outerSize(); ++line) {
      for (Sparse::InnerIterator it(A, line); it; ++it) {
        i.push_back(static_cast<int>(it.row()));
        p.push_back(static_cast<int>(it.col()));
        x.push_back(it.value());
      }
    }
    nz = static_cast<int>(x.size());
  }
  group(name);
  integer(name + "/m", static_cast<int>(A.rows()));
  integer(name + "/n", static_cast<int>(A.cols()));
  integer(name + "/nzmax", static_cast<int>(x.size()));
  integer(name + "/nz", nz);
  integers(name + "/p", p);
  integers(name + "/i", i);
  reals(name + "/x", Eigen::Map<const Vector>(x.data(), static_cast<long>(x.size())));
}

}  // namespace

void write_problem(const std::string& path, const FrictionProblem& p, Storage storage) {
  const bool local = p.form == FrictionProblem::Form::local;
  const std::string at = local ? "/fclib_local" : p.dimension == 5 ? "/fclib_global_rolling" : "/fclib_global";
  Writer file(path, storage);
  file.group(at);
  file.integer(at + "/spacedim", p.dimension);
  file.group(at + "/info");
  file.text(at + "/info/title", p.title);
  file.text(at + "/info/description", p.description);
  file.text(at + "/info/math_info", p.math_info);
  file.group(at + "/vectors");
  auto vector = [&](const char* name, const Vector& x) { file.reals(at + "/vectors/" + name, x); };
  vector("mu", p.mu);
  if (p.dimension == 5) vector("mu_r", p.mu_r);
  if (local) {
    file.matrix(at + "/W", p.W);
    vector("q", p.q);
  } else {
    file.matrix(at + "/M", p.M);
    file.matrix(at + "/H", p.H);
    vector("f", p.f);
    vector("w", p.w);
  }
  if (p.has_bonds()) {
    if (local) {
      file.matrix(at + "/V", p.V);
      file.matrix(at + "/R", p.R);
      vector("s", p.s);
    } else {
      file.matrix(at + "/G", p.G);
      vector("b", p.b);
    }
  }
  if (!p.guesses.empty()) {
    file.group("/guesses");
    file.integer("/guesses/number_of_guesses", static_cast<int>(p.guesses.size()));
    for (std::size_t k = 0; k < p.guesses.size(); ++k) {
      file.candidate(fmt::format("/guesses/{}", k + 1), p.guesses[k]);
    }
  }
  if (p.solution.r.size() > 0) file.candidate("/solution", p.solution);
  file.finish();
}

}  // namespace vinculum::fclib
