// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The line that shows how far a run has got. It is drawn on a terminal only, at most ten times a second, and leaves no
// trace when the run ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace vinculum::cli {

struct ProgressState {
  double t = 0, t_end = 0;   // simulated time and its end, s
  double speed = 0;          // simulated seconds per second; 0: not yet known
  double seconds_left = -1;  // negative: not yet known
  std::size_t contacts = 0;
};

/// The line itself, at most `columns` wide; parts are left out, from the right, where it would not fit.
std::string progress_line(const ProgressState& state, int columns, bool unicode);

/// "4 s", "3 min 20 s", "2 h 05 min".
std::string format_duration(double seconds);

class Progress {
 public:
  /// From simulated time t_begin (not 0 after a resumption) to t_end. Silent when `quiet` or when `fd` is no terminal.
  Progress(double t_begin, double t_end, bool quiet, int fd = 2);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap: call it after every step.
  void update(double t, std::size_t contacts);
  /// Wipes the line. Also to be called before anything else is printed; the next update draws it anew.
  void finish();
  bool active() const { return active_; }

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double t, std::size_t contacts, Clock::time_point now);

  double t_begin_, t_end_;
  int fd_;
  bool active_, unicode_, drawn_ = false;
  Clock::time_point begin_, next_;
};

}  // namespace vinculum::cli
