// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace vinculum::cli {
namespace {

TEST(Progress, durations_are_short) {
  EXPECT_EQ(format_duration(0.4), "0 s");
  EXPECT_EQ(format_duration(59), "59 s");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(7500), "2 h 05 min");
}

TEST(Progress, the_line_says_how_far_how_fast_and_how_long) {
  const ProgressState state{2.5, 5, 0.821, 3, 1623};
  EXPECT_EQ(progress_line(state, 120, false),
            "[############............]   50 %  t = 2.500 s  3 s left  0.821x real time  1623 contacts");
  EXPECT_EQ(progress_line({5, 5, 1, 0, 1}, 50, false), "[########################]  100 %  t = 5.000 s");
  EXPECT_EQ(progress_line({4.999, 5, 0, -1, 0}, 40, false), "[#######################.]   99 %");
}

TEST(Progress, the_line_fits_any_terminal) {
  const ProgressState state{1.23456, 5, 0.821, 1000, 1623};
  for (int columns = 0; columns < 120; ++columns) {
    for (const bool unicode : {false, true}) {
      int width = 0;
      for (const char c : progress_line(state, columns, unicode)) width += (c & 0xC0) != 0x80;
      EXPECT_LE(width, columns);
    }
  }
}

TEST(Progress, nothing_is_drawn_when_it_is_no_terminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    Progress progress(0, 1, false, ends[1]);
    EXPECT_FALSE(progress.active());
    ::usleep(120000);
    progress.update(0.5, 3);
  }
  ::close(ends[1]);
  char byte;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

// A pseudo terminal sees what a user would see.
TEST(Progress, on_a_terminal_it_is_drawn_rarely_and_wiped_at_the_end) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) GTEST_SKIP() << "no pseudo terminals here";
  const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  {
    Progress quiet(0, 1, true, terminal);
    EXPECT_FALSE(quiet.active());
    Progress progress(0, 1, false, terminal);
    EXPECT_TRUE(progress.active());
    for (int i = 0; i < 50; ++i) {
      ::usleep(5000);
      progress.update(0.01 * i, 7);
    }
  }
  ::fcntl(master, F_SETFL, O_NONBLOCK);
  std::string seen;
  char buffer[4096];
  for (ssize_t n; (n = ::read(master, buffer, sizeof buffer)) > 0;) seen.append(buffer, static_cast<std::size_t>(n));
  ::close(terminal);
  ::close(master);
  std::size_t lines = 0;
  for (std::size_t at = seen.find("t = "); at != std::string::npos; at = seen.find("t = ", at + 1)) ++lines;
  EXPECT_GE(lines, 1u);
  EXPECT_LE(lines, 10u);  // 250 ms and more, on a busy machine
  EXPECT_TRUE(seen.ends_with("\r\033[K"));
}

}  // namespace
}  // namespace vinculum::cli
