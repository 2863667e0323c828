// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces made of random bits, and what the tests of this folder ask about them.
#pragma once

#include "vinculum/base/error.hpp"
#include "vinculum/trace/trace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>

namespace vinculum::trace {

/// A folder that disappears with the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vinculum_trace_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

/// Any double there is: random bits, but no NaN (whose bits need not survive arithmetic elsewhere), with zeros of both
/// signs, denormals and infinities in between.
struct Numbers {
  std::mt19937_64 engine;
  explicit Numbers(std::uint64_t seed) : engine(seed) {}
  double real() {
    switch (engine() % 8) {
      case 0:
        return -0.0;
      case 1:
        return std::numeric_limits<double>::denorm_min() * static_cast<double>(engine() % 1000);
      case 2:
        return std::numeric_limits<double>::infinity();
      default:
        break;
    }
    double x;
    do {
      const std::uint64_t bits = engine();
      std::memcpy(&x, &bits, sizeof x);
    } while (x != x);
    return x;
  }
  Vec3 vector() {
    const double x = real(), y = real(), z = real();
    return {x, y, z};
  }
  int below(int n) { return static_cast<int>(engine() % static_cast<std::uint64_t>(n)); }
};

inline Header make_header(std::size_t bodies) {
  Header h;
  h.scene_file = "scenes/stack.toml";
  h.scene_text = "# Stack – ein Stapel\n[[body]]\nname = 'one'\n";
  h.scene_name = "stack";
  h.integrator = "moreau";
  h.solver = "auto";
  h.dt = 1e-3;
  h.tol = 1e-8;
  h.record_every = 1;
  h.bodies = bodies;
  for (std::size_t b = 0; b < bodies; ++b) h.body_names.push_back("body " + std::to_string(b));
  return h;
}

inline Row make_row(Numbers& r, std::size_t bodies, std::int64_t step) {
  Row row;
  row.t = 1e-3 * static_cast<double>(step);
  row.step = step;
  for (std::size_t b = 0; b < bodies; ++b) {
    row.x.push_back(r.vector());
    const double w = r.real(), x = r.real(), y = r.real(), z = r.real();
    row.R.emplace_back(w, x, y, z);
    row.v.push_back(r.vector());
    row.w.push_back(r.vector());
  }
  return row;
}

inline integrators::ContactRecord make_contact(Numbers& r) {
  integrators::ContactRecord c;
  c.shape_a = r.below(100) - 1;
  c.shape_b = r.below(100);
  c.feature_id = static_cast<std::uint32_t>(r.engine());
  c.mode = static_cast<integrators::Mode>(r.below(5));
  c.feature.kind = static_cast<collide::FeatureKind>(r.below(8));
  for (auto* x :
       {&c.feature.P_a, &c.feature.P_b, &c.feature.dir_a, &c.feature.dir_b, &c.point, &c.n, &c.t1, &c.Lambda, &c.Pi}) {
    *x = r.vector();
  }
  for (auto* x : {&c.feature.rounding_a, &c.feature.rounding_b, &c.feature.rim, &c.feature.sign, &c.gap}) {
    *x = r.real();
  }
  c.round = r.below(4);
  return c;
}

inline integrators::StepRecord make_step(Numbers& r, std::int64_t index, int contacts) {
  integrators::StepRecord s;
  s.step = index;
  s.t = 1e-3 * static_cast<double>(index);
  s.dt = r.real();
  for (int i = 0; i < contacts; ++i) s.contacts.push_back(make_contact(r));
  s.solver.status = static_cast<solvers::Status>(r.below(3));
  s.solver.iterations = r.below(1000);
  s.solver.factorisations = r.below(10);
  s.solver.errors = {r.real(), r.real(), r.real()};
  s.solver.method = r.below(2) ? "warm start" : "nsgs";
  auto& l = s.ledger;
  for (auto* x : {&l.kinetic, &l.potential, &l.work_forces, &l.work_impact, &l.work_friction, &l.work_bonds, &l.scheme,
                  &s.penetration, &s.penetration_before, &s.shift, &s.violation}) {
    *x = r.real();
  }
  s.candidates = r.engine();
  return s;
}

/// A run whose step i is always the same, wherever one starts. Contacts per step vary, some steps have none.
struct SampleRun {
  std::size_t bodies;
  int most_contacts;
  Row row(std::int64_t i) const {
    Numbers r(static_cast<std::uint64_t>(2 * i));
    return make_row(r, bodies, i);
  }
  integrators::StepRecord step(std::int64_t i) const {
    Numbers r(static_cast<std::uint64_t>(2 * i + 1));
    return make_step(r, i, most_contacts > 0 ? r.below(most_contacts + 1) : 0);
  }
  void add(Writer& writer, std::int64_t i) const { writer.add(row(i), step(i), row(i + 1)); }
};

inline bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
inline bool same(const Vec3& a, const Vec3& b) { return std::memcmp(a.data(), b.data(), sizeof(double) * 3) == 0; }
inline bool same(const Quat& a, const Quat& b) {
  return std::memcmp(&a.coeffs(), &b.coeffs(), sizeof(double) * 4) == 0;
}
bool same(const integrators::ContactRecord& a, const integrators::ContactRecord& b);
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}
inline bool same(const Row& a, const Row& b) {
  return same(a.t, b.t) && a.step == b.step && same(a.x, b.x) && same(a.R, b.R) && same(a.v, b.v) && same(a.w, b.w);
}
inline bool same(const integrators::ContactRecord& a, const integrators::ContactRecord& b) {
  const auto &f = a.feature, &g = b.feature;
  return a.shape_a == b.shape_a && a.shape_b == b.shape_b && a.feature_id == b.feature_id && a.mode == b.mode &&
         f.kind == g.kind && same(f.P_a, g.P_a) && same(f.P_b, g.P_b) && same(f.dir_a, g.dir_a) &&
         same(f.dir_b, g.dir_b) && same(f.rounding_a, g.rounding_a) && same(f.rounding_b, g.rounding_b) &&
         same(f.rim, g.rim) && same(f.sign, g.sign) && same(a.point, b.point) && same(a.n, b.n) && same(a.t1, b.t1) &&
         same(a.gap, b.gap) && same(a.Lambda, b.Lambda) && same(a.Pi, b.Pi) && a.round == b.round;
}
inline bool same(const integrators::StepRecord& a, const integrators::StepRecord& b) {
  const auto &k = a.ledger, &l = b.ledger;
  const auto &d = a.solver.errors, &e = b.solver.errors;
  return a.step == b.step && same(a.t, b.t) && same(a.dt, b.dt) && same(a.contacts, b.contacts) &&
         a.solver.status == b.solver.status && a.solver.iterations == b.solver.iterations &&
         a.solver.factorisations == b.solver.factorisations && a.solver.method == b.solver.method &&
         same(d.judged, e.judged) && same(d.scaled, e.scaled) && same(d.over_c, e.over_c) &&
         same(k.kinetic, l.kinetic) && same(k.potential, l.potential) && same(k.work_forces, l.work_forces) &&
         same(k.work_impact, l.work_impact) && same(k.work_friction, l.work_friction) &&
         same(k.work_bonds, l.work_bonds) && same(k.scheme, l.scheme) && same(a.penetration, b.penetration) &&
         same(a.penetration_before, b.penetration_before) && same(a.shift, b.shift) && same(a.violation, b.violation) &&
         a.candidates == b.candidates;
}

/// Steps [from, to) of the file are those of the run; gives the first that is not, or `to`.
inline std::size_t count_right_steps(const Reader& reader, const SampleRun& run, std::size_t from, std::size_t to) {
  Row before, after;
  integrators::StepRecord record;
  for (std::size_t i = from; i < to; ++i) {
    reader.read(i, before, record, after);
    const auto n = static_cast<std::int64_t>(i);
    if (!same(before, run.row(n)) || !same(record, run.step(n)) || !same(after, run.row(n + 1))) return i;
  }
  return to;
}

inline bool have_h5dump() { return std::system("h5dump --version > /dev/null 2>&1") == 0; }

/// Everything in the file as h5dump prints it, whose exit status must be 0.
inline bool h5dump_reads(const std::string& file) {
  return std::system(("h5dump '" + file + "' > /dev/null 2>&1").c_str()) == 0;
}

inline std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// The message of the InputError that `action` throws; empty when it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace vinculum::trace
