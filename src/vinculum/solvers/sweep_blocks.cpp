// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/sweep_blocks.hpp"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)  // no wider than the baseline
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vinculum/solvers/sweep_blocks.cpp"
#include <hwy/foreach_target.h>
// The next one must follow it.
#include "vinculum/solvers/four.hpp"

HWY_BEFORE_NAMESPACE();
namespace vinculum::solvers::HWY_NAMESPACE {

constexpr int kSlipSteps = 2;  // Newton steps on λ in one sweep, once it is known

// w = Σ a_k v_k, y = Σ b_k ω_k;  b = c + (n·w, t₁·w + t₂·y, t₂·w − t₁·y) − A r
HWY_INLINE double sweep_round_block(const RoundBlock& B, NodeImpulse* z, Vec3& r) {
  NodeImpulse& z0 = z[B.node[0]];
  NodeImpulse& z1 = z[B.node[1] < 0 ? B.node[0] : B.node[1]];
  const bool two = B.node[1] >= 0;
  const Four n = load(B.n), t1 = load(B.t1), t2 = load(B.t2);
  const Four a0 = all(B.a[0]), b0 = all(B.b[0]), a1 = all(B.a[1]), b1 = all(B.b[1]);
  const Four v0 = load(z0.linear), w0 = load(z0.angular), v1 = load(z1.linear), w1 = load(z1.angular);
  const Four w = times_add(a1, v1, times(a0, v0)), y = times_add(b1, w1, times(b0, w0));
  double u[3];
  sums(times(n, w), times_add(t2, y, times(t1, w)), times_subtract(t1, y, times(t2, w)), u);
  const double A_N = B.a[0] * B.a[0] + B.a[1] * B.a[1];
  const double A_T = A_N + (B.b[0] * B.b[0] + B.b[1] * B.b[1]);
  const Vec3 b(B.c[0] - A_N * r[0] + u[0], B.c[1] - A_T * r[1] + u[1], B.c[2] - A_T * r[2] + u[2]);
  const Vec3 next = laws::solve_round_block(B.inverse_N, B.inverse_T, b, B.mu);
  const double s0 = next[0] - r[0], s1 = next[1] - r[1], s2 = next[2] - r[2];
  if (s0 == 0 && s1 == 0 && s2 == 0) return 0;
  r = next;
  const Four S1 = all(s1), S2 = all(s2);
  const Four f = times_add(t2, S2, times_add(t1, S1, times(n, all(s0)))), g = times_subtract(t1, S2, times(t2, S1));
  store(times_add(a0, f, v0), z0.linear);
  store(times_add(b0, g, w0), z0.angular);
  if (two) {
    store(times_add(a1, f, v1), z1.linear);
    store(times_add(b1, g, w1), z1.angular);
  }
  return s0 * s0 + s1 * s1 + s2 * s2;
}

// Λ ← max(0, Λ − ξ/A): one row, nothing else is read.
HWY_INLINE double sweep_unilateral(SweepBlocks& S, std::size_t i, double& Lambda) {
  const ScaledProblem& scaled = *S.scaled;
  const int begin = scaled.begin(i), end = scaled.end(i);
  const double A = S.A[i](0, 0);
  if (!(A > 0)) {
    Lambda = 0;  // it cannot move and takes no impulse
    return 0;
  }
  Four u = all(0);
  for (int e = begin; e < end; ++e) {
    const NodeImpulse& z = S.z[static_cast<std::size_t>(scaled.node(e))];
    const double* J = scaled.J_entry(e);
    u = times_add(load(J), load(z.linear), times_add(load(J + 3), load(z.angular), u));
  }
  const double b = scaled.c[i][0] + sum(u) - A * Lambda;
  const double next = b < 0 ? -b / A : 0.0, step = next - Lambda;
  if (step == 0) return 0;
  const Four s = first_three(step);
  for (int e = begin; e < end; ++e) {
    NodeImpulse& z = S.z[static_cast<std::size_t>(scaled.node(e))];
    const double* J = scaled.J_entry(e);
    store(times_add(load(J), s, load(z.linear)), z.linear);
    store(times_add(load(J + 3), s, load(z.angular)), z.angular);
  }
  Lambda = next;
  return step * step;
}

// Coulomb blocks, the bulk of every problem, skip the virtual call and keep their λ.
HWY_INLINE Vec3 solve_block(SweepBlocks& S, std::size_t i, const Vec3& b, const Vec3& guess) {
  const double mu = S.scaled->mu[i];
  if (S.form[i] == Form::other) return S.scaled->law[i]->solve_local(S.A[i], b, mu, guess);
  const laws::CoulombBlock& block = S.coulomb[i];
  if (block.round) return laws::solve_round_block(block, b, mu);
  return laws::solve_coulomb_block(block, b, mu, S.slip[i], S.slip[i] > 0 ? kSlipSteps : S.first_slip_steps);
}

// Rows of J are read four numbers at a time from 0 and from 3: what is read too much meets the zeros of z or of s.
HWY_INLINE double sweep_general(SweepBlocks& S, std::size_t i, Vec3& r) {
  const ScaledProblem& scaled = *S.scaled;
  const int begin = scaled.begin(i), end = scaled.end(i);
  Four u0 = all(0), u1 = all(0), u2 = all(0);
  for (int e = begin; e < end; ++e) {
    const NodeImpulse& z = S.z[static_cast<std::size_t>(scaled.node(e))];
    const double* J = scaled.J_entry(e);
    const Four v = load(z.linear), w = load(z.angular);
    u0 = times_add(load(J), v, times_add(load(J + 3), w, u0));
    u1 = times_add(load(J + 6), v, times_add(load(J + 9), w, u1));
    u2 = times_add(load(J + 12), v, times_add(load(J + 15), w, u2));
  }
  double u[3];
  sums(u0, u1, u2, u);
  const Vec3& c = scaled.c[i];
  const laws::Mat3& A = S.A[i];
  const Vec3 b(c[0] + u[0] - (A(0, 0) * r[0] + A(0, 1) * r[1] + A(0, 2) * r[2]),
               c[1] + u[1] - (A(1, 0) * r[0] + A(1, 1) * r[1] + A(1, 2) * r[2]),
               c[2] + u[2] - (A(2, 0) * r[0] + A(2, 1) * r[1] + A(2, 2) * r[2]));
  const Vec3 next = solve_block(S, i, b, r);
  const Vec3 step = next - r;
  if (step[0] == 0 && step[1] == 0 && step[2] == 0) return 0;
  const Four s0 = first_three(step[0]), s1 = first_three(step[1]), s2 = first_three(step[2]);
  for (int e = begin; e < end; ++e) {
    NodeImpulse& z = S.z[static_cast<std::size_t>(scaled.node(e))];
    const double* J = scaled.J_entry(e);
    const Four v = times_add(load(J), s0, times_add(load(J + 6), s1, times_add(load(J + 12), s2, load(z.linear))));
    const Four w = times_add(load(J + 3), s0, times_add(load(J + 9), s1, times_add(load(J + 15), s2, load(z.angular))));
    store(v, z.linear);
    store(w, z.angular);
  }
  r = next;
  return step.squaredNorm();
}

HWY_INLINE double sweep_block(SweepBlocks& S, std::size_t i, Vec3& r) {
  if (S.form[i] == Form::round) return sweep_round_block(S.round[i], S.z.data(), r);
  if (S.form[i] == Form::unilateral) return sweep_unilateral(S, i, r[0]);
  return sweep_general(S, i, r);
}

double in_order(SweepBlocks& S, Vec3* r, std::size_t n) {
  double change = 0;
  if (S.all_round) {
    for (std::size_t i = 0; i < n; ++i) change += sweep_round_block(S.round[i], S.z.data(), r[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) change += sweep_block(S, i, r[i]);
  }
  return change;
}

void listed(SweepBlocks& S, const int* blocks, std::size_t n, double* change, Vec3* r) {
  for (std::size_t k = 0; k < n; ++k) change[k] = sweep_block(S, static_cast<std::size_t>(blocks[k]), r[blocks[k]]);
}

}  // namespace vinculum::solvers::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vinculum::solvers {

HWY_EXPORT(in_order);
HWY_EXPORT(listed);

double sweep_in_order(SweepBlocks& blocks, std::vector<Vec3>& r) {
  return HWY_DYNAMIC_DISPATCH(in_order)(blocks, r.data(), r.size());
}

void sweep_listed(SweepBlocks& blocks, std::span<const int> members, double* change, std::vector<Vec3>& r) {
  HWY_DYNAMIC_DISPATCH(listed)(blocks, members.data(), members.size(), change, r.data());
}

}  // namespace vinculum::solvers
#endif
