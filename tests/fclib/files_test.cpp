// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written is read again, in every layout; what is wrong is one line that names file and dataset.
#include "fclib/sample.hpp"
#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <fstream>
#include <functional>

using namespace vinculum;
using contact::FrictionProblem;
using contact::Sparse;
using contact::Vector;

namespace {

double difference(const Sparse& a, const Sparse& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  return a.size() > 0 ? (Eigen::MatrixXd(a) - Eigen::MatrixXd(b)).cwiseAbs().maxCoeff() : 0.0;
}

double difference(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return INFINITY;
  return a.size() > 0 ? (a - b).cwiseAbs().maxCoeff() : 0.0;
}

void expect_same(const FrictionProblem& a, const FrictionProblem& b) {
  EXPECT_EQ(a.form, b.form);
  EXPECT_EQ(a.dimension, b.dimension);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.math_info, b.math_info);
  for (Sparse FrictionProblem::*m : {&FrictionProblem::W, &FrictionProblem::V, &FrictionProblem::R, &FrictionProblem::M,
                                     &FrictionProblem::H, &FrictionProblem::G}) {
    EXPECT_EQ(difference(a.*m, b.*m), 0);
  }
  for (Vector FrictionProblem::*v : {&FrictionProblem::q, &FrictionProblem::s, &FrictionProblem::f, &FrictionProblem::w,
                                     &FrictionProblem::b, &FrictionProblem::mu, &FrictionProblem::mu_r}) {
    EXPECT_EQ(difference(a.*v, b.*v), 0);
  }
  EXPECT_EQ(a.guesses.size(), b.guesses.size());
  EXPECT_EQ(difference(a.solution.r, b.solution.r), 0);
  EXPECT_EQ(difference(a.solution.u, b.solution.u), 0);
  EXPECT_EQ(difference(a.solution.v, b.solution.v), 0);
  EXPECT_EQ(difference(a.solution.l, b.solution.l), 0);
}

std::string error_of_reading(const std::string& path) {
  try {
    fclib::read_problem(path);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Changes a file through the HDF5 library alone.
struct Editor {
  hid_t file;
  explicit Editor(const std::string& path) : file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  ~Editor() { H5Fclose(file); }
  void remove(const char* name) { H5Ldelete(file, name, H5P_DEFAULT); }
  template <class T>
  void replace(const char* name, const std::vector<T>& x) {
    remove(name);
    const hsize_t n = x.size();
    const hid_t type = std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    const hid_t space = H5Screate_simple(1, &n, nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x.data());
    H5Dclose(set);
    H5Sclose(space);
  }
};

const auto kStorages = {fclib::Storage::columns, fclib::Storage::rows, fclib::Storage::triplets};

}  // namespace

TEST(Files, every_layout_comes_back_bit_for_bit) {
  const sample::Folder folder;
  const std::string path = folder / "problem.hdf5";
  for (const int dimension : {2, 3, 5}) {
    for (const bool bonds : {false, true}) {
      for (const fclib::Storage storage : kStorages) {
        for (FrictionProblem p : {sample::local_problem(dimension, bonds), sample::global_problem(dimension, bonds)}) {
          p.solution.r = p.solution.u = Vector::LinSpaced(3 * dimension, 0, 1);
          if (bonds) p.solution.l = Vector::Ones(2);
          if (p.form == FrictionProblem::Form::global) p.solution.v = Vector::LinSpaced(18, 1, 2);
          p.guesses = {p.solution, p.solution};
          fclib::write_problem(path, p, storage);
          expect_same(p, fclib::read_problem(path));
        }
      }
    }
  }
}

TEST(Files, a_problem_without_contacts_is_a_problem) {
  const sample::Folder folder;
  FrictionProblem none;
  none.W.resize(0, 0);
  fclib::write_problem(folder / "none.hdf5", none);
  EXPECT_EQ(fclib::read_problem(folder / "none.hdf5").contacts(), 0u);
}

TEST(Files, wrong_content_is_one_line_that_names_file_and_dataset) {
  const sample::Folder folder;
  const std::string path = folder / "bad.hdf5";
  struct Case {
    const char* names;  // what the line must contain
    std::function<void(Editor&)> spoil;
    fclib::Storage storage = fclib::Storage::triplets;
  };
  using S = fclib::Storage;
  const std::vector<Case> cases = {
      {"/fclib_local/spacedim: found 4", [](Editor& e) { e.replace<int>("/fclib_local/spacedim", {4}); }},
      {"/fclib_local/spacedim: found 2 numbers",
       [](Editor& e) {
         e.replace<int>("/fclib_local/spacedim", {3, 3});
       }},
      {"/fclib_local/spacedim: found real", [](Editor& e) { e.replace<double>("/fclib_local/spacedim", {3}); }},
      {"/fclib_local/spacedim: found none", [](Editor& e) { e.remove("/fclib_local/spacedim"); }},
      {"/fclib_local/vectors/mu: found none", [](Editor& e) { e.remove("/fclib_local/vectors/mu"); }},
      {"mu[1]: found -0.1",
       [](Editor& e) {
         e.replace<double>("/fclib_local/vectors/mu", {.1, -.1, .1});
       }},
      {"mu: found nan",
       [](Editor& e) {
         e.replace<double>("/fclib_local/vectors/mu", {.1, NAN, .1});
       }},
      {"W: found 9 x 9, expected 12 x 12",
       [](Editor& e) {
         e.replace<double>("/fclib_local/vectors/mu", {0, 0, 0, 0});
       }},
      {"q: found 2 numbers, expected 9",
       [](Editor& e) {
         e.replace<double>("/fclib_local/vectors/q", {1, 2});
       }},
      {"q: found inf",
       [](Editor& e) {
         e.replace<double>("/fclib_local/vectors/q", {1, 1, 1, 1, 1, 1, 1, 1, INFINITY});
       }},
      {"/fclib_local/W/nz: found -3", [](Editor& e) { e.replace<int>("/fclib_local/W/nz", {-3}); }},
      {"/fclib_local/W/i: found 81 numbers, expected 1000",
       [](Editor& e) { e.replace<int>("/fclib_local/W/nz", {1000}); }},
      {"/fclib_local/W/m: found -9", [](Editor& e) { e.replace<int>("/fclib_local/W/m", {-9}); }},
      {"/fclib_local/W/i[", [](Editor& e) { e.replace<int>("/fclib_local/W/i", std::vector<int>(81, 9)); }},
      {"/fclib_local/W/p[", [](Editor& e) { e.replace<int>("/fclib_local/W/p", std::vector<int>(81, -1)); }},
      {"/fclib_local/W/x: found none", [](Editor& e) { e.remove("/fclib_local/W/x"); }},
      {"W: found nan at entry", [](Editor& e) { e.replace("/fclib_local/W/x", std::vector<double>(81, NAN)); }},
      {"/fclib_local/W/p: found 3 pointers, expected 10",
       [](Editor& e) {
         e.replace<int>("/fclib_local/W/p", {0, 1, 2});
       },
       S::rows},
      {"/fclib_local/W/p[2]: found 0",
       [](Editor& e) {
         e.replace<int>("/fclib_local/W/p", {0, 1, 0, 3, 4, 5, 6, 7, 8, 9});
       },
       S::columns},
      {"/fclib_local/W/x: found 1 numbers", [](Editor& e) { e.replace<double>("/fclib_local/W/x", {1}); }, S::columns},
      {"/: found none, expected one of the groups", [](Editor& e) { e.remove("/fclib_local"); }},
  };
  for (const Case& c : cases) {
    fclib::write_problem(path, sample::local_problem(3, false), c.storage);
    {
      Editor editor(path);
      c.spoil(editor);
    }
    const std::string line = error_of_reading(path);
    EXPECT_EQ(line.find(path + ": "), 0u) << line;
    EXPECT_NE(line.find(c.names), std::string::npos) << c.names << " | " << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
}

TEST(Files, foreign_and_truncated_files_are_one_line) {
  const sample::Folder folder;
  const std::string whole = folder / "whole.hdf5", cut = folder / "cut.hdf5";
  fclib::write_problem(whole, sample::local_problem(3, true));
  const auto size = std::filesystem::file_size(whole);
  for (const std::uintmax_t part : {std::uintmax_t{100}, size / 3, size / 2, size - 10}) {
    std::filesystem::copy_file(whole, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, part);
    const std::string line = error_of_reading(cut);
    EXPECT_EQ(line.find(cut), 0u) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  EXPECT_NE(error_of_reading(folder / "no-such-file").find("cannot read"), std::string::npos);
  EXPECT_NE(error_of_reading(folder.path).find("found a folder"), std::string::npos);
  std::ofstream(folder / "empty.hdf5").close();
  EXPECT_NE(error_of_reading(folder / "empty.hdf5"), "no error");
  std::ofstream(folder / "text.hdf5") << "not a problem\n";
  EXPECT_NE(error_of_reading(folder / "text.hdf5").find("text.hdf5:1:1: dimension"), std::string::npos);
}

TEST(Files, ascii_forms_are_read) {
  const sample::Folder folder;
  const std::string local = folder / "local.dat", listed = folder / "listed.dat", global = folder / "global.dat";
  // One contact with rolling friction, by hand: W = diag(1..5) and a coupling, dense and as a listing by columns.
  const std::string tail = "-1 .5 0 0 -2\n.6\n.5\n";
  std::ofstream(local) << "5\n1\n0\n5\n5\n5\t5\n1 0 0 0 0\n0 2 0 0 -.1\n0 0 3 0 0\n0 0 0 4 0\n0 -.1 0 0 5\n" << tail;
  std::ofstream(listed) << "5\n1\n2\n5\n5\n2\nCSparse Version 3\n5-by-5, nzmax: 7 nnz: 7, 1-norm: 5\n"
                           "    col 0 : locations 0 to 0\n      0 : 1\n    col 1 : locations 1 to 2\n      1 : 2\n"
                           "      4 : -.1\n    col 2 : locations 3 to 3\n      2 : 3\n    col 3 : locations 4 to 4\n"
                           "      3 : 4\n    col 4 : locations 5 to 6\n      1 : -.1\n      4 : 5\n"
                        << tail;
  const FrictionProblem a = fclib::read_problem(local);
  expect_same(a, fclib::read_problem(listed));
  EXPECT_EQ(a.dimension, 5);
  EXPECT_EQ(a.W.coeff(1, 4), -.1);
  EXPECT_EQ(a.q[4], -2);
  EXPECT_EQ(a.mu[0], .6);
  EXPECT_EQ(a.mu_r[0], .5);
  std::ofstream(global) << "3\n1\n2\n2\n2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n 0 0 : 2\n 1 1 : 4\n"
                           "2\n2\n3\n1\nCSparse\ntriplet: 2-by-3, nzmax: 2 nnz: 2\n 0 0 : 1\n 1 1 : -1\n"
                           "1 2\n3 4 5\n.3\n";
  const FrictionProblem g = fclib::read_problem(global);
  EXPECT_EQ(g.form, FrictionProblem::Form::global);
  EXPECT_EQ(g.M.coeff(1, 1), 4);
  EXPECT_EQ(g.H.coeff(1, 1), -1);
  EXPECT_EQ(g.f[1], 2);
  EXPECT_EQ(g.w[2], 5);
  for (const char* bad :
       {"3\n", "3\n1\n7\n3\n3\n", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1\n", "3\n1\n2\n3\n3\n1\nCSparse\nnnz: 1\n 0 7 : 1\n",
        "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 2 3\n-.5\n", "3\n-1\n",
        "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 nan\n1 2 3\n.5\n"}) {
    std::ofstream(local) << bad;
    const std::string line = error_of_reading(local);
    EXPECT_EQ(line.find(local), 0u) << line;
    EXPECT_NE(line.find("expected"), std::string::npos) << line;
  }
}

TEST(Files, nothing_is_left_behind_where_writing_fails) {
  const sample::Folder folder;
  EXPECT_THROW(fclib::write_problem(folder / "no/such/folder.hdf5", sample::local_problem(3, false)), base::InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}
