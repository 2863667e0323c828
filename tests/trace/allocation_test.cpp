// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The library does not allocate after the first step; this program counts.
#include "support/count_allocations.hpp"
#include "trace/sample.hpp"

namespace vinculum::trace {
namespace {

TEST(Allocation, adding_and_flushing_steps_needs_no_memory_after_warm_up) {
  const Folder folder;
  constexpr SampleRun run{20, 0};
  Numbers r(1);
  Row before = run.row(0), after = run.row(1);
  const auto record = make_step(r, 0, 100);
  Writer writer(folder.file("a.h5"), make_header(20));
  const auto add = [&] {
    writer.add(before, record, after);
    std::swap(before, after);
  };
  for (int i = 0; i < 10; ++i) add();
  writer.flush();
  const long warm = test::allocations();
  for (int i = 0; i < 50; ++i) add();  // no chunk of 256 KiB fills up here
  writer.flush();
  EXPECT_EQ(test::allocations() - warm, 0);
  for (int i = 0; i < 2000; ++i) add();  // lists of full chunks grow now and then
  EXPECT_LT(test::allocations() - warm, 400);
}

}  // namespace
}  // namespace vinculum::trace
