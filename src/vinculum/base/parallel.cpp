// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <algorithm>

namespace vinculum::base {

struct ThreadLimit::Control {
  explicit Control(std::size_t threads) : limit(tbb::global_control::max_allowed_parallelism, threads) {}
  tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) {
  if (threads > 0) control_ = std::make_unique<Control>(static_cast<std::size_t>(threads));
}

ThreadLimit::~ThreadLimit() = default;

int thread_count() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void run_chunks(std::size_t n, std::size_t grain, void (*body)(void*, std::size_t, std::size_t, std::size_t),
                void* context) {
  const std::size_t chunks = (n + grain - 1) / grain;
  auto run = [&](std::size_t chunk) { body(context, chunk, chunk * grain, std::min(n, (chunk + 1) * grain)); };
  if (chunks <= 1) {
    if (chunks == 1) run(0);
    return;
  }
  tbb::parallel_for(std::size_t{0}, chunks, run, tbb::simple_partitioner{});
}

}  // namespace vinculum::base
