// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/sample.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum::trace {
namespace {

TEST(Writer, what_is_written_is_read_back_bit_for_bit) {
  const Folder folder;
  const SampleRun run{5, 40};
  {
    Writer writer(folder.file("a.h5"), make_header(5));
    for (int i = 0; i < 300; ++i) run.add(writer, i);
    writer.flush();
    EXPECT_EQ(writer.rows(), 301u);  // consecutive steps share their states
    EXPECT_EQ(writer.steps(), 300u);
  }
  const Reader reader(folder.file("a.h5"));
  ASSERT_EQ(reader.steps(), 300u);
  EXPECT_EQ(count_right_steps(reader, run, 0, 300), 300u);
  const Header want = make_header(5), &got = reader.header();
  EXPECT_EQ(got.scene_text, want.scene_text);
  EXPECT_EQ(got.scene_file, want.scene_file);
  EXPECT_EQ(got.scene_name, want.scene_name);
  EXPECT_EQ(got.integrator, want.integrator);
  EXPECT_EQ(got.solver, want.solver);
  EXPECT_EQ(got.dt, want.dt);
  EXPECT_EQ(got.tol, want.tol);
  EXPECT_EQ(got.record_every, 1);
  EXPECT_EQ(got.body_names, want.body_names);
}

TEST(Writer, many_chunks_are_found_again_at_every_depth_of_the_index) {
  // 2000 bodies: one row of q per two chunks' worth of bytes, so 5000 rows need an index of four levels.
  const Folder folder;
  const std::size_t bodies = 4000;
  Numbers r(1);
  Row base = make_row(r, bodies, 0);
  integrators::StepRecord record;
  const auto row = [&](std::int64_t i) {
    base.step = i;
    base.x[0].x() = static_cast<double>(i);
    return base;
  };
  const std::size_t steps = 700;
  {
    Writer writer(folder.file("a.h5"), make_header(bodies));
    for (std::size_t i = 0; i < steps; ++i) {
      record.step = static_cast<std::int64_t>(i);
      writer.add(row(record.step), record, row(record.step + 1));
      if (i % 7 == 0) writer.flush();
    }
  }
  const Reader reader(folder.file("a.h5"));
  ASSERT_EQ(reader.rows(), steps + 1);
  Row got;
  for (std::size_t i = 0; i <= steps; ++i) {
    const std::size_t j = (i * 389) % (steps + 1);  // in no order
    reader.read_row(j, got);
    ASSERT_TRUE(same(got, row(static_cast<std::int64_t>(j)))) << "row " << j;
  }
}

TEST(Writer, steps_that_do_not_follow_each_other_bring_both_states) {
  const Folder folder;
  const SampleRun run{2, 3};
  {
    Writer writer(folder.file("a.h5"), make_header(2));
    for (int i = 0; i < 50; i += 10) run.add(writer, i);
    EXPECT_EQ(writer.rows(), 10u);
  }
  const Reader reader(folder.file("a.h5"));
  Row before, after;
  integrators::StepRecord record;
  for (std::size_t i = 0; i < 5; ++i) {
    reader.read(i, before, record, after);
    const auto n = static_cast<std::int64_t>(10 * i);
    EXPECT_TRUE(same(before, run.row(n)) && same(record, run.step(n)) && same(after, run.row(n + 1)));
  }
}

TEST(Writer, a_trace_without_bodies_or_contacts_is_a_trace) {
  const Folder folder;
  const SampleRun run{0, 0};
  {
    Writer writer(folder.file("a.h5"), make_header(0));
    for (int i = 0; i < 3; ++i) run.add(writer, i);
  }
  const Reader reader(folder.file("a.h5"));
  EXPECT_EQ(reader.steps(), 3u);
  EXPECT_EQ(count_right_steps(reader, run, 0, 3), 3u);
  if (have_h5dump()) {
    EXPECT_TRUE(h5dump_reads(folder.file("a.h5")));
  }
}

TEST(Writer, a_short_trace_is_a_small_file) {
  const Folder folder;
  const SampleRun run{1, 1};
  {
    Writer writer(folder.file("a.h5"), make_header(1));
    for (int i = 0; i < 20; ++i) run.add(writer, i);
  }
  EXPECT_LT(std::filesystem::file_size(folder.file("a.h5")), 200u * 1024u);
}

TEST(Writer, an_old_trace_stays_until_a_new_one_has_something_in_it) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  const SampleRun run{2, 3};
  {
    Writer writer(path, make_header(2));
    for (int i = 0; i < 5; ++i) run.add(writer, i);
  }
  const auto old = read_bytes(path);
  { Writer writer(path, make_header(3)); }  // a run that failed before its first step
  EXPECT_EQ(read_bytes(path), old);
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  {
    Writer writer(path, make_header(2));
    run.add(writer, 0);
    EXPECT_EQ(read_bytes(path), old);
    writer.flush();
    EXPECT_EQ(Reader(path).steps(), 1u);
  }
}

TEST(Writer, a_place_that_cannot_be_written_is_one_line) {
  const Folder folder;
  const auto open = [](const std::string& path) { return error_of([&] { Writer(path, make_header(1)); }); };
  EXPECT_EQ(open(folder.file("none/a.h5")), folder.file("none/a.h5") + ": cannot write: No such file or directory");
  EXPECT_EQ(open(folder.path.string()),
            folder.path.string() + ": cannot write: found a folder, expected a place for a file");
  EXPECT_EQ(open("/dev/null"), "/dev/null: cannot write: found a device, expected a place for a file");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Writer, two_runs_cannot_write_to_one_file) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  const SampleRun run{1, 1};
  Writer first(path, make_header(1));
  const std::string busy = path + ": cannot write: another run is writing to it";
  EXPECT_EQ(error_of([&] { Writer(path, make_header(1)); }), busy);
  run.add(first, 0);
  first.flush();
  EXPECT_EQ(error_of([&] { Writer(path, make_header(1)); }), busy);
  EXPECT_EQ(error_of([&] { Writer::reopen(path, 2, 1, 0); }), busy);
  EXPECT_EQ(Reader(path).steps(), 1u);  // but anyone may read
}

}  // namespace
}  // namespace vinculum::trace
