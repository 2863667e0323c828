// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A function marked so is compiled for plain x86-64 and for AVX2, and chosen when the program starts; `WIDE` for
// AVX-512, too, where it works on registers of eight. None contracts a*b+c; where the order of operations is written
// out, as with vector types, the bits are the same.
#pragma once

// Sanitizers instrument the run-time choice before they are ready for it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define VINCULUM_CLONES __attribute__((target_clones("default", "avx2")))
#define VINCULUM_WIDE_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define VINCULUM_CLONES
#define VINCULUM_WIDE_CLONES
#endif
