// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Parallel loops whose result does not depend on the number of threads: the range is cut into chunks of fixed size,
// each chunk writes only to its own places, and nothing is summed across chunks in the order of completion.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace vinculum::base {

/// Limits the number of threads used by parallel_chunks while it lives. 0 = as many as the machine has.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

/// body(chunk, begin, end) for every chunk [begin, end) of at most `grain` indices of [0, n). A range of a single chunk
/// runs on the calling thread.
void parallel_chunks(std::size_t n, std::size_t grain,
                     const std::function<void(std::size_t chunk, std::size_t begin, std::size_t end)>& body);

}  // namespace vinculum::base
