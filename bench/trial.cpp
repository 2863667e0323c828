// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace vinculum::bench {

namespace {

double read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double cpu_now() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
double wall_now() { return read_clock(CLOCK_MONOTONIC); }

Trial run_trial(const PeerType& type, const model::Model& model, const TrialOptions& options) {
  Trial trial;
  Referee referee(model);
  Motion motion;
  auto look = [&](const Peer& peer) {
    peer.read(motion);
    trial.end = referee.judge(motion);
    trial.overlap_max = std::max(trial.overlap_max, trial.end.overlap);
  };

  const auto peer = type.make();
  peer->load(model);
  const double dt = model.run.dt;
  const auto steps = static_cast<std::int64_t>(std::llround(options.until / dt));
  double spent = 0;
  std::int64_t n = 0;
  for (; n < steps && spent < options.budget; ++n) {
    if (options.watch) {
      peer->read(motion);
      if (!options.watch(static_cast<double>(n) * dt, motion)) break;
    }
    const double wall = wall_now(), cpu = cpu_now();
    peer->step(dt);
    trial.cpu.push_back(cpu_now() - cpu);
    trial.wall.push_back(wall_now() - wall);
    spent += trial.cpu.back();
    trial.contacts.push_back(peer->contacts());
    trial.residual_end = peer->residual();
    if (!(trial.residual_end <= trial.residual_max)) trial.residual_max = trial.residual_end;
    if (!peer->solved()) ++trial.unsolved;
    if (options.look_every > 0 && n % options.look_every == 0) look(*peer);
    if (!trial.end.finite) break;
  }
  look(*peer);
  trial.t = static_cast<double>(n) * dt;
  trial.whole = n == steps;
  return trial;
}

Quartiles quartiles(const std::vector<double>& values, std::size_t begin) {
  if (begin >= values.size()) begin = 0;
  std::vector<double> sorted(values.begin() + static_cast<std::ptrdiff_t>(begin), values.end());
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  auto at = [&](double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto i = static_cast<std::size_t>(place);
    const double rest = place - static_cast<double>(i);
    return i + 1 < sorted.size() ? (1 - rest) * sorted[i] + rest * sorted[i + 1] : sorted[i];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

}  // namespace vinculum::bench
