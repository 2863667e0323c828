// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint is a small binary file: a line that names it, then the fields in order, numbers as their own bytes
// (little-endian), lists and texts with their length in front, and at the end a 64-bit FNV-1a sum of all that.
#include "vinculum/base/error.hpp"
#include "vinculum/trace/file_handle.hpp"
#include "vinculum/trace/trace.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace vinculum::trace {

namespace {

static_assert(std::endian::native == std::endian::little, "traces and checkpoints are little-endian");

constexpr std::string_view magic = "vinculum checkpoint 3\n";

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return sum;
}

// Out and In meet the same fields in the same order (describe below).
struct Out {
  std::string bytes;
  void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
  template <class Number>
  void number(Number x) {
    raw(&x, sizeof x);
  }
  void list(const std::string& s) {
    number(std::uint64_t{s.size()});
    raw(s.data(), s.size());
  }
  void list(const std::vector<double>& x) {
    number(std::uint64_t{x.size()});
    raw(x.data(), x.size() * sizeof(double));
  }
  void list(const Eigen::VectorXd& x) {
    number(static_cast<std::uint64_t>(x.size()));
    raw(x.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
  }
  void list(const std::vector<Vec3>& x) {
    number(std::uint64_t{x.size()});
    for (const auto& y : x) raw(y.data(), 3 * sizeof(double));
  }
  void list(const std::vector<Quat>& x) {
    number(std::uint64_t{x.size()});
    for (const auto& y : x) raw(y.coeffs().data(), 4 * sizeof(double));
  }
};

struct In {
  std::string_view bytes;
  bool good = true;
  void raw(void* data, std::size_t size) {
    if (size > bytes.size()) {
      good = false;
      bytes = {};
      return;
    }
    if (size > 0) std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  template <class Number>
  void number(Number& x) {
    raw(&x, sizeof x);
  }
  std::size_t length(std::size_t element) {
    std::uint64_t n = 0;
    number(n);
    if (n > bytes.size() / element) good = false;
    return good ? n : 0;
  }
  void list(std::string& s) {
    s.resize(length(1));
    raw(s.data(), s.size());
  }
  void list(std::vector<double>& x) {
    x.resize(length(sizeof(double)));
    raw(x.data(), x.size() * sizeof(double));
  }
  void list(Eigen::VectorXd& x) {
    x.resize(static_cast<Eigen::Index>(length(sizeof(double))));
    raw(x.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
  }
  void list(std::vector<Vec3>& x) {
    x.resize(length(3 * sizeof(double)));
    for (auto& y : x) raw(y.data(), 3 * sizeof(double));
  }
  void list(std::vector<Quat>& x) {
    x.resize(length(4 * sizeof(double)));
    for (auto& y : x) raw(y.coeffs().data(), 4 * sizeof(double));
  }
};

template <class Stream, class Any>
void describe(Stream& stream, Any& c) {
  stream.list(c.scene_text);
  stream.number(c.dt);
  stream.number(c.tol);
  stream.list(c.integrator);
  stream.list(c.solver);
  stream.number(c.state.t);
  stream.number(c.state.step);
  stream.list(c.state.q.x);
  stream.list(c.state.q.R);
  stream.list(c.state.p);
  stream.list(c.state.l);
  stream.list(c.state.lagrangian_q);
  stream.list(c.state.lagrangian_u);
  stream.list(c.state.q.tree);
  stream.list(c.state.tree_v);
  stream.list(c.memory);
  stream.number(c.rows);
  stream.number(c.steps);
  stream.number(c.contacts);
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  Out out;
  out.bytes = magic;
  describe(out, checkpoint);
  out.number(fnv1a(out.bytes));
  auto file = FileHandle::create_beside(path);
  file.write_at(0, out.bytes.data(), out.bytes.size());
  file.sync_all();
  file.commit_name();
}

Checkpoint read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw base::InputError(path + ": cannot read: " + std::strerror(errno));
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!bytes.starts_with(magic)) throw base::InputError(path + ": found a file of another kind, expected a checkpoint");
  Checkpoint out;
  std::uint64_t sum = 0;
  In in{std::string_view(bytes).substr(magic.size())};
  describe(in, out);
  const std::size_t body = bytes.size() - in.bytes.size();
  in.number(sum);
  if (!in.good || !in.bytes.empty() || sum != fnv1a(std::string_view(bytes).substr(0, body))) {
    throw base::InputError(path + ": damaged: found a checkpoint that is not whole");
  }
  return out;
}

}  // namespace vinculum::trace
