// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine of many angles, four at a time.
//   x = k π/2 + r,  |r| ≤ π/4,  π/2 in two parts of which k times the first is exact (Cody and Waite 1980)
//   sin r = r + r³ P(r²),   cos r = 1 − r²/2 + r⁴ Q(r²)          coefficients of fdlibm (Sun Microsystems 1993)
// The error is below one unit in the last place of 1, |x| up to 1e5; beyond, the library's functions are taken. No
// contraction and one order of operations: the same bits on every machine, which libm does not promise.
#pragma once

namespace vinculum::algebra {

/// Of x[0 .. n), n a multiple of four.
void sine_cosine(const double* x, int n, double* sine, double* cosine);

}  // namespace vinculum::algebra
