// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/sample.hpp"

#include <signal.h>
#include <sys/wait.h>

namespace vinculum::trace {
namespace {

Checkpoint make_checkpoint(std::uint64_t seed) {
  Numbers r(seed);
  Checkpoint c;
  c.scene_text = "[[body]]\n" + std::string(static_cast<std::size_t>(r.below(5000)), 'x');
  c.dt = r.real();
  c.tol = r.real();
  c.integrator = "moreau";
  c.solver = "auto";
  c.state.t = r.real();
  c.state.step = static_cast<std::int64_t>(seed);
  for (int b = 0; b < 50; ++b) {
    c.state.q.x.push_back(r.vector());
    const double w = r.real(), x = r.real(), y = r.real(), z = r.real();
    c.state.q.R.emplace_back(w, x, y, z);
    c.state.p.push_back(r.vector());
    c.state.l.push_back(r.vector());
  }
  for (int i = r.below(5000); i > 0; --i) c.memory.push_back(r.real());
  c.rows = r.engine();
  c.steps = r.engine();
  c.contacts = r.engine();
  return c;
}

bool same(const Checkpoint& a, const Checkpoint& b) {
  return a.scene_text == b.scene_text && trace::same(a.dt, b.dt) && trace::same(a.tol, b.tol) &&
         a.integrator == b.integrator && a.solver == b.solver && trace::same(a.state.t, b.state.t) &&
         a.state.step == b.state.step && trace::same(a.state.q.x, b.state.q.x) &&
         trace::same(a.state.q.R, b.state.q.R) && trace::same(a.state.p, b.state.p) &&
         trace::same(a.state.l, b.state.l) && trace::same(a.memory, b.memory) && a.rows == b.rows &&
         a.steps == b.steps && a.contacts == b.contacts;
}

TEST(Checkpoint, comes_back_bit_for_bit) {
  const Folder folder;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    write_checkpoint(folder.file("c"), make_checkpoint(seed));
    EXPECT_TRUE(same(read_checkpoint(folder.file("c")), make_checkpoint(seed)));
  }
  write_checkpoint(folder.file("c"), Checkpoint{});
  EXPECT_TRUE(same(read_checkpoint(folder.file("c")), Checkpoint{}));
}

TEST(Checkpoint, is_whole_whenever_its_writer_is_killed) {
  const Folder folder;
  const auto path = folder.file("c");
  std::mt19937 random(3);
  write_checkpoint(path, make_checkpoint(0));
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (std::uint64_t seed = 0;; ++seed) write_checkpoint(path, make_checkpoint(seed % 5));
    }
    ::usleep(static_cast<unsigned>(random() % 10000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto found = read_checkpoint(path);
    EXPECT_TRUE(same(found, make_checkpoint(static_cast<std::uint64_t>(found.state.step))));
  }
}

TEST(Checkpoint, every_damage_is_one_line) {
  const Folder folder;
  const auto path = folder.file("c");
  EXPECT_EQ(error_of([&] { read_checkpoint(path); }), path + ": cannot read: No such file or directory");
  write_checkpoint(path, make_checkpoint(1));
  const auto whole = read_bytes(path);
  const auto damaged = path + ": damaged: found a checkpoint that is not whole";
  for (const double part : {0.05, 0.3, 0.5, 0.9, 0.9999}) {
    write_bytes(path, whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
    EXPECT_EQ(error_of([&] { read_checkpoint(path); }), damaged);
  }
  for (std::size_t at = 30; at < whole.size(); at += 997) {
    auto bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    write_bytes(path, bytes);
    EXPECT_EQ(error_of([&] { read_checkpoint(path); }), damaged);
  }
  write_bytes(path, "something else");
  EXPECT_EQ(error_of([&] { read_checkpoint(path); }), path + ": found a file of another kind, expected a checkpoint");
  EXPECT_EQ(error_of([&] { write_checkpoint(folder.file("no/c"), {}); }),
            folder.file("no/c") + ": cannot write: No such file or directory");
}

}  // namespace
}  // namespace vinculum::trace
