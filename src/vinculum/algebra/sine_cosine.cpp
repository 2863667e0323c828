// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/sine_cosine.hpp"

#include "vinculum/algebra/clones.hpp"

#include <cmath>

namespace vinculum::algebra {
namespace {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long Bits __attribute__((vector_size(32), aligned(8), may_alias));

constexpr double most = 1e5;
constexpr double two_over_pi = 6.36619772367581382433e-01;
constexpr double half_pi_head = 1.57079632673412561417e+00;  // 33 bits
constexpr double half_pi_tail = 6.07710050650619224932e-11;
constexpr double to_integer = 6755399441055744.0;  // 1.5 · 2⁵²: what is added to it is rounded to an integer

constexpr double P[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,  -1.98412698298579493134e-04,
                        2.75573137070700676789e-06,  -2.50507602534068634195e-08, 1.58969099521155010221e-10};
constexpr double Q[] = {4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                        -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};

}  // namespace

VINCULUM_CLONES void sine_cosine(const double* x, int n, double* sine, double* cosine) {
  for (int i = 0; i < n; i += 4) {
    const Four at = *reinterpret_cast<const Four*>(x + i);
    const Four shifted = at * two_over_pi + to_integer, k = shifted - to_integer;
    const Four r = (at - k * half_pi_head) - k * half_pi_tail, z = r * r, zz = z * z;
    const Four p = (P[0] + z * P[1]) + zz * ((P[2] + z * P[3]) + zz * (P[4] + z * P[5]));
    const Four q = (Q[0] + z * Q[1]) + zz * ((Q[2] + z * Q[3]) + zz * (Q[4] + z * Q[5]));
    const Four s = r + (r * z) * p, c = 1.0 - (0.5 * z - zz * q);
    const Bits quadrant = reinterpret_cast<const Bits&>(shifted);  // in its last two bits
    const Bits odd = -(quadrant & 1), sign = (quadrant & 2) << 62, turned = ((quadrant + 1) & 2) << 62;
    const Bits S = reinterpret_cast<const Bits&>(s), C = reinterpret_cast<const Bits&>(c);
    *reinterpret_cast<Bits*>(sine + i) = ((S & ~odd) | (C & odd)) ^ sign;
    *reinterpret_cast<Bits*>(cosine + i) = ((C & ~odd) | (S & odd)) ^ turned;
  }
  for (int i = 0; i < n; ++i) {
    if (std::abs(x[i]) <= most) continue;
    sine[i] = std::sin(x[i]);
    cosine[i] = std::cos(x[i]);
  }
}

}  // namespace vinculum::algebra
