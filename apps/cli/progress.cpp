// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include "cli/counted.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace vinculum::cli {

namespace {

constexpr auto period = std::chrono::milliseconds(100);
constexpr int bar_cells = 24;

bool speaks_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos || text.find("UTF8") != text.npos;
  }
  return false;
}

int columns_of(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string repeat(std::string_view cell, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += cell;
  return out;
}

std::string make_bar(double fraction, bool unicode) {
  if (!unicode) {
    const int full = static_cast<int>(fraction * bar_cells);
    return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", bar_cells - full);
  }
  static constexpr std::string_view eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int parts = static_cast<int>(fraction * bar_cells * 8);
  const auto part = eighths[parts % 8];
  return fmt::format("▕{}{}{:{}}▏", repeat("█", parts / 8), part, "", bar_cells - parts / 8 - (part.empty() ? 0 : 1));
}

int width_of(std::string_view text) {  // characters of a UTF-8 text
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto done = ::write(fd, text.data(), text.size());
    if (done <= 0) return;  // a line of progress is not worth an error
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace

std::string format_duration(double seconds) {
  const long s = std::lround(std::max(0.0, std::min(seconds, 3.6e8)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string progress_line(const ProgressState& state, int columns, bool unicode) {
  const double fraction = state.t_end > 0 ? std::clamp(state.t / state.t_end, 0.0, 1.0) : 0;
  std::vector<std::string> parts;
  // Rounded down: 100 % means done.
  parts.push_back(fmt::format("{:3} %", static_cast<int>(100 * fraction)));
  parts.push_back(fmt::format("t = {:.3f} s", state.t));
  if (state.seconds_left >= 0) parts.push_back(format_duration(state.seconds_left) + " left");
  if (state.speed > 0) parts.push_back(fmt::format("{:.3g}{} real time", state.speed, unicode ? "×" : "x"));
  parts.push_back(counted(state.contacts, "contact"));

  std::string line = make_bar(fraction, unicode);
  if (width_of(line) + 7 > columns) line.clear();
  for (const auto& part : parts) {
    const std::string_view gap = line.empty() ? "" : "  ";
    if (width_of(line) + static_cast<int>(gap.size()) + width_of(part) > columns) break;
    line += gap;
    line += part;
  }
  return line;
}

Progress::Progress(double t_begin, double t_end, bool quiet, int fd)
    : t_begin_(t_begin),
      t_end_(t_end),
      fd_(fd),
      active_(!quiet && ::isatty(fd) == 1),
      unicode_(speaks_unicode()),
      begin_(Clock::now()),
      next_(begin_ + period) {}

void Progress::update(double t, std::size_t contacts) {
  if (!active_) return;
  const auto now = Clock::now();
  if (now >= next_) draw(t, contacts, now);
}

void Progress::draw(double t, std::size_t contacts, Clock::time_point now) {
  next_ = now + period;
  ProgressState state{t, t_end_, 0, -1, contacts};
  const double wall = std::chrono::duration<double>(now - begin_).count();
  if (t > t_begin_ && wall > 0) {
    state.speed = (t - t_begin_) / wall;
    state.seconds_left = std::max(0.0, t_end_ - t) / state.speed;
  }
  // One column stays free: some terminals wrap a line that fills the last one.
  write_all(fd_, fmt::format("\r{}\033[K", progress_line(state, columns_of(fd_) - 1, unicode_)));
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) write_all(fd_, "\r\033[K");
  drawn_ = false;
}

}  // namespace vinculum::cli
