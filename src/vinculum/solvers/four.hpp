// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Four doubles, for one processor of Highway's list at a time: included once for each by the files that use it, hence
// no #pragma once but Highway's own guard.
//   times_add a b + c,  times_subtract c − a b,  sum and sums of the four numbers of each
#if defined(VINCULUM_SOLVERS_FOUR) == defined(HWY_TARGET_TOGGLE)
#ifdef VINCULUM_SOLVERS_FOUR
#undef VINCULUM_SOLVERS_FOUR
#else
#define VINCULUM_SOLVERS_FOUR
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vinculum::solvers::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_CAP_GE256

using Wide = hn::FixedTag<double, 4>;
using Half = hn::FixedTag<double, 2>;

struct Four {
  hn::Vec<Wide> x;
};
HWY_INLINE Four load(const double* p) { return {hn::LoadU(Wide(), p)}; }
HWY_INLINE void store(Four a, double* p) { hn::StoreU(a.x, Wide(), p); }
HWY_INLINE Four all(double a) { return {hn::Set(Wide(), a)}; }
HWY_INLINE Four first_three(double a) { return {hn::IfThenElseZero(hn::FirstN(Wide(), 3), hn::Set(Wide(), a))}; }
HWY_INLINE Four times(Four a, Four b) { return {hn::Mul(a.x, b.x)}; }
HWY_INLINE Four times_add(Four a, Four b, Four c) { return {hn::MulAdd(a.x, b.x, c.x)}; }
HWY_INLINE Four times_subtract(Four a, Four b, Four c) { return {hn::NegMulAdd(a.x, b.x, c.x)}; }
HWY_INLINE hn::Vec<Half> halves(Four a) { return hn::Add(hn::LowerHalf(Half(), a.x), hn::UpperHalf(Half(), a.x)); }
HWY_INLINE double sum(Four a) { return hn::GetLane(hn::SumOfLanes(Half(), halves(a))); }
HWY_INLINE void sums(Four a, Four b, Four c, double* s) {
  const hn::Vec<Half> a2 = halves(a), b2 = halves(b);
  hn::StoreU(hn::Add(hn::InterleaveLower(Half(), a2, b2), hn::InterleaveUpper(Half(), a2, b2)), Half(), s);
  s[2] = sum(c);
}

#else  // narrower: the compiler's business

struct Four {
  double x[4];
};
template <class Make>
HWY_INLINE Four each(Make&& make) {
  return {{make(0), make(1), make(2), make(3)}};
}
HWY_INLINE Four load(const double* p) { return {{p[0], p[1], p[2], p[3]}}; }
HWY_INLINE void store(Four a, double* p) {
  for (int k = 0; k < 4; ++k) p[k] = a.x[k];
}
HWY_INLINE Four all(double a) { return {{a, a, a, a}}; }
HWY_INLINE Four first_three(double a) { return {{a, a, a, 0}}; }
HWY_INLINE Four times(Four a, Four b) {
  return each([&](int k) { return a.x[k] * b.x[k]; });
}
HWY_INLINE Four times_add(Four a, Four b, Four c) {
  return each([&](int k) { return a.x[k] * b.x[k] + c.x[k]; });
}
HWY_INLINE Four times_subtract(Four a, Four b, Four c) {
  return each([&](int k) { return c.x[k] - a.x[k] * b.x[k]; });
}
HWY_INLINE double sum(Four a) { return (a.x[0] + a.x[2]) + (a.x[1] + a.x[3]); }
HWY_INLINE void sums(Four a, Four b, Four c, double* s) {
  s[0] = sum(a);
  s[1] = sum(b);
  s[2] = sum(c);
}

#endif

}  // namespace vinculum::solvers::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
