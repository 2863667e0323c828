// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Parallel loops whose result does not depend on the number of threads: the range is cut into chunks of fixed size,
// each chunk writes only to its own places, and nothing is summed across chunks in the order of completion.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

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

/// How many threads parallel_chunks may use. Results must not depend on it.
int thread_count();

/// What parallel_chunks calls: a plain function and its context, so that nothing is allocated.
void run_chunks(std::size_t n, std::size_t grain,
                void (*body)(void* context, std::size_t chunk, std::size_t begin, std::size_t end), void* context);

/// body(chunk, begin, end) for every chunk [begin, end) of at most `grain` indices of [0, n). A range of a single chunk
/// runs on the calling thread.
template <class Body>
void parallel_chunks(std::size_t n, std::size_t grain, Body&& body) {
  run_chunks(
      n, grain,
      [](void* b, std::size_t chunk, std::size_t begin, std::size_t end) {
        (*static_cast<std::remove_reference_t<Body>*>(b))(chunk, begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace vinculum::base
