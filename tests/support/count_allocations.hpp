// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts every allocation of the program. Every route to the heap ends in malloc and its kin, operator new and Eigen's
// own alike. Include it in one file of a test program: it defines malloc. Sanitizers have their own; there nothing is
// counted, and `counts_allocations` says so.
#pragma once

#include <atomic>
#include <cstddef>

namespace vinculum::test {
inline std::atomic<long> allocation_count{0};
inline long allocations() { return allocation_count.load(std::memory_order_relaxed); }
}  // namespace vinculum::test

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace vinculum::test {
inline constexpr bool counts_allocations = true;
inline void note_allocation() noexcept { allocation_count.fetch_add(1, std::memory_order_relaxed); }
}  // namespace vinculum::test

extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t n, std::size_t size);            // NOLINT
void* __libc_realloc(void* p, std::size_t size);                 // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT

void* malloc(std::size_t size) noexcept {
  vinculum::test::note_allocation();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  vinculum::test::note_allocation();
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) noexcept {
  vinculum::test::note_allocation();
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  vinculum::test::note_allocation();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  vinculum::test::note_allocation();
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;
}
}
#else
namespace vinculum::test {
inline constexpr bool counts_allocations = false;
}
#endif
