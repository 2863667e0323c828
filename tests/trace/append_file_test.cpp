// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The promise of append_file.hpp: killed at any moment, the file is what its last flush made it. And its counterpart: a
// run that was interrupted and goes on yields the datasets of one that was not.
#include "trace/sample.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <filesystem>

namespace vinculum::trace {
namespace {

namespace fs = std::filesystem;

constexpr SampleRun run{6, 30};

// Adds and flushes as fast as it can, and after each flush says to the pipe how many steps it has flushed. Tiny traces
// in turn (a new file every 400 steps) so that the first flush and the growing of chunks are hit as well.
[[noreturn]] void write_for_ever(const std::string& path, int pipe) {
  for (;;) {
    Writer writer(path, make_header(run.bodies));
    for (std::int64_t i = 0; i < 400; ++i) {
      run.add(writer, i);
      if (i % 3 != 0) continue;
      writer.flush();
      const std::int64_t flushed = i + 1;
      if (::write(pipe, &flushed, sizeof flushed) != sizeof flushed) ::_exit(1);
    }
  }
}

// Kills such a child after the given time. Gives the last number it said.
std::int64_t run_and_kill(const std::string& path, long microseconds) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_for_ever(path, ends[1]);
  }
  ::close(ends[1]);
  const timespec wait{0, microseconds * 1000};
  std::int64_t said = 0, last = 0;
  EXPECT_EQ(::read(ends[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
  ::nanosleep(&wait, nullptr);
  ::kill(child, SIGKILL);
  while (::read(ends[0], &said, sizeof said) == sizeof said) last = said;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return last;
}

TEST(AppendFile, a_run_killed_at_any_moment_leaves_all_it_flushed) {
  const Folder folder;
  const bool dump = have_h5dump();
  if (!dump) GTEST_LOG_(INFO) << "h5dump is not installed: not tried";
  const char* wanted = std::getenv("VINCULUM_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 60;
  std::mt19937 random(7);
  for (int i = 0; i < kills; ++i) {
    const std::string path = folder.file("killed.h5");
    fs::remove(path);
    const auto flushed = run_and_kill(path, static_cast<long>(random() % 60000));
    const Reader reader(path);
    const auto steps = reader.steps();
    // Killed between a flush and its message, the child has flushed 3 steps more than it said, or the first of a new
    // file.
    const auto next = flushed == 400 ? 1 : flushed + 3;
    ASSERT_TRUE(static_cast<std::int64_t>(steps) == flushed || static_cast<std::int64_t>(steps) == next)
        << "flushed " << flushed << ", found " << steps;
    ASSERT_EQ(count_right_steps(reader, run, 0, steps), steps);
    if (dump) {
      ASSERT_TRUE(h5dump_reads(path)) << "kill " << i;
    }
  }
}

// Stops a child before one of its system calls, by a limit on the size of files: every write beyond it fails, as on a
// full disk. The file must be that of the last flush that worked.
TEST(AppendFile, a_full_disk_is_one_line_and_leaves_the_last_flush) {
  const Folder folder;
  for (const rlim_t limit : {rlim_t{20000}, rlim_t{120000}, rlim_t{200001}, rlim_t{300000}, rlim_t{654321}}) {
    const std::string path = folder.file("full.h5");
    fs::remove(path);
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{limit, old.rlim_max};
    std::int64_t flushed = 0;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto message = error_of([&] {
      Writer writer(path, make_header(run.bodies));
      for (std::int64_t i = 0; i < 1000; ++i) {
        run.add(writer, i);
        writer.flush();
        flushed = i + 1;
      }
    });
    ::setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_EQ(message, path + ": cannot write: File too large");
    EXPECT_FALSE(fs::exists(path + ".partial"));
    if (flushed == 0) {
      EXPECT_FALSE(fs::exists(path));
      continue;
    }
    const Reader reader(path);
    EXPECT_EQ(reader.steps(), static_cast<std::size_t>(flushed));
    EXPECT_EQ(count_right_steps(reader, run, 0, reader.steps()), reader.steps());
  }
}

struct Counts {
  std::size_t rows, steps, contacts;
};

Counts counts_of(const Writer& writer) { return {writer.rows(), writer.steps(), writer.contacts()}; }

// Bit for bit the same in all datasets, through the eyes of the reader.
void expect_same_trace(const std::string& a, const std::string& b, std::size_t steps, const SampleRun& source) {
  const Reader x(a), y(b);
  EXPECT_EQ(x.rows(), y.rows());
  EXPECT_EQ(x.contacts(), y.contacts());
  ASSERT_EQ(x.steps(), steps);
  ASSERT_EQ(y.steps(), steps);
  EXPECT_EQ(count_right_steps(x, source, 0, steps), steps);
  EXPECT_EQ(count_right_steps(y, source, 0, steps), steps);
  for (const char* name : {"/step/row_before", "/step/row_after", "/step/contacts_begin", "/step/contacts_count"}) {
    EXPECT_EQ(x.table(name).values, y.table(name).values) << name;
  }
  if (have_h5dump() && std::system("h5diff --version > /dev/null 2>&1") == 0) {
    EXPECT_EQ(std::system(("h5diff '" + a + "' '" + b + "' > /dev/null").c_str()), 0);
  }
}

TEST(AppendFile, an_interrupted_and_resumed_run_equals_an_uninterrupted_one) {
  const Folder folder;
  // Few and many rows per chunk; stops inside the first chunk and far behind it.
  for (const auto& [source, stop, steps] :
       {std::tuple{SampleRun{3, 10}, 40, 100}, std::tuple{SampleRun{900, 200}, 210, 330},
        std::tuple{SampleRun{1, 0}, 1, 5}}) {
    const auto whole = folder.file("whole.h5"), broken = folder.file("broken.h5");
    {
      Writer writer(whole, make_header(source.bodies));
      for (int i = 0; i < steps; ++i) source.add(writer, i);
    }
    Counts counts{};
    {
      Writer writer(broken, make_header(source.bodies));
      for (int i = 0; i < stop; ++i) source.add(writer, i);
      writer.flush();
      counts = counts_of(writer);
      for (int i = stop; i < stop + 17; ++i) source.add(writer, i + 1000);  // beyond the checkpoint, to be cut off
    }
    for (int resumed = 0; resumed < 2; ++resumed) {  // twice, from the same checkpoint
      Writer writer = Writer::reopen(broken, counts.rows, counts.steps, counts.contacts);
      EXPECT_EQ(writer.steps(), static_cast<std::size_t>(stop));
      for (int i = stop; i < steps; ++i) {
        source.add(writer, i);
        if (i % 50 == 0) writer.flush();
      }
    }
    expect_same_trace(whole, broken, static_cast<std::size_t>(steps), source);
  }
}

TEST(AppendFile, a_resumed_run_killed_at_any_moment_leaves_the_old_trace_or_the_new_one) {
  const Folder folder;
  const auto path = folder.file("a.h5"), copy = folder.file("b.h5");
  Counts counts{};
  {
    Writer writer(copy, make_header(run.bodies));
    for (int i = 0; i < 100; ++i) run.add(writer, i);
    counts = counts_of(writer);
    for (int i = 100; i < 150; ++i) run.add(writer, i);
  }
  std::mt19937 random(11);
  for (int kill = 0; kill < 20; ++kill) {
    fs::copy_file(copy, path, fs::copy_options::overwrite_existing);
    const pid_t child = ::fork();
    if (child == 0) {
      Writer writer = Writer::reopen(path, counts.rows, counts.steps, counts.contacts);
      for (std::int64_t i = 100;; ++i) {
        run.add(writer, i);
        writer.flush();
      }
    }
    ::usleep(static_cast<unsigned>(random() % 15000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const Reader reader(path);
    EXPECT_GT(reader.steps(), 100u);
    EXPECT_EQ(count_right_steps(reader, run, 0, reader.steps()), reader.steps());
  }
}

TEST(AppendFile, reopening_changes_nothing_before_the_next_flush) {
  const Folder folder;
  const auto path = folder.file("a.h5");
  Counts counts{};
  {
    Writer writer(path, make_header(run.bodies));
    for (int i = 0; i < 50; ++i) run.add(writer, i);
    counts = counts_of(writer);
    for (int i = 50; i < 90; ++i) run.add(writer, i);
  }
  Writer writer = Writer::reopen(path, counts.rows, counts.steps, counts.contacts);
  EXPECT_EQ(Reader(path).steps(), 90u);
  for (int i = 0; i < 30; ++i) run.add(writer, 500 + i);
  EXPECT_EQ(count_right_steps(Reader(path), run, 0, 90), 90u);
  writer.flush();
  EXPECT_EQ(Reader(path).steps(), 80u);
}

TEST(AppendFile, a_trace_that_ends_before_its_checkpoint_is_one_line) {
  const Folder folder;
  const auto path = folder.file("a.h5");
  {
    Writer writer(path, make_header(run.bodies));
    for (int i = 0; i < 5; ++i) run.add(writer, i);
  }
  EXPECT_EQ(error_of([&] { Writer::reopen(path, 100, 99, 0); }),
            path + ": found a trace that ends before its checkpoint, expected at least as much");
  EXPECT_EQ(Reader(path).steps(), 5u);
}

TEST(AppendFile, a_trace_rewritten_by_another_program_is_not_continued) {
  if (!have_h5dump()) GTEST_SKIP() << "h5repack is not installed (Debian: hdf5-tools)";
  const Folder folder;
  const auto path = folder.file("a.h5"), packed = folder.file("b.h5");
  {
    Writer writer(path, make_header(run.bodies));
    for (int i = 0; i < 5; ++i) run.add(writer, i);
  }
  ASSERT_EQ(std::system(("h5repack '" + path + "' '" + packed + "'").c_str()), 0);
  EXPECT_EQ(count_right_steps(Reader(packed), run, 0, 5), 5u);  // to read it is fine
  EXPECT_EQ(error_of([&] { Writer::reopen(packed, 6, 5, 0); }),
            packed + ": found a file changed by another program, expected a trace to go on with");
}

}  // namespace
}  // namespace vinculum::trace
