// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the Newton method of dense_newton.hpp works on: blocks, scales, G and c' of a problem or of parts of it; and
// back to impulses.
#include "vinculum/solvers/dense_newton.hpp"

#include <algorithm>

namespace vinculum::solvers {

using algebra::Many;
using algebra::One;
using algebra::padded;
using contact::ContactProblem;

namespace {

constexpr int kMostRows = 72, kMostColumns = 96;

}  // namespace

bool has_one_row(const ContactProblem& problem, int block) {
  for (int e = problem.row[block]; e < problem.row[block + 1]; ++e) {
    const double* const J = problem.J[e].data();
    for (int k = 6; k < 18; ++k) {
      if (J[k] != 0) return false;
    }
  }
  return true;
}

bool DenseNewton::fits(const ContactProblem& problem) {
  if (problem.size() > kMostRows || 6 * problem.nodes > kMostColumns) return false;
  int rows = 0;
  for (const laws::Kind kind : problem.law) rows += laws::law_of(kind).rows();
  return rows <= kMostRows;
}

bool DenseNewton::fits(const ContactProblem& problem, const Part& part) {
  if (part.blocks.size() > kMostRows || 6 * part.nodes > kMostColumns) return false;
  int rows = 0;
  for (const int i : part.blocks) rows += laws::law_of(problem.law[i]).rows();
  return rows <= kMostRows;
}

bool DenseNewton::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  const int most = static_cast<int>(std::max(problem.size(), problem.nodes));
  for (int k = static_cast<int>(all_.size()); k < most; ++k) all_.push_back(k);
  return solve(problem, {std::span(all_).first(problem.size()), std::span(all_).first(problem.nodes), problem.nodes},
               settings, solution);
}

bool DenseNewton::solve(const ContactProblem& problem, const Part& part, const Settings& settings, Solution& solution) {
  Report report;
  if (!method_.solve(problem, {&part, 1}, 1, settings, solution, {&report, 1})) return false;
  solution.report = report;
  return true;
}

template <class K>
void DenseMethod<K>::make_room(int rows, std::size_t blocks, std::size_t nodes) {
  auto& work = work_;
  const auto side = static_cast<std::size_t>(padded(rows));
  if (side <= room_[0] && blocks <= room_[1] && nodes <= room_[2]) return;
  const std::size_t most = room_[0] = std::max(room_[0], side), n = room_[1] = std::max(room_[1], blocks);
  const std::size_t a = room_[2] = std::max(room_[2], nodes);
  for (auto* v : {&work.mu, &work.scale, &work.d, &work.state, &work.next_state}) v->reserve(n);
  for (auto* v : {&work.c, &work.x, &work.u, &work.y, &work.F, &work.dx, &work.du, &work.open, &work.trial_x,
                  &work.trial_u, &work.best, &work.w, &work.part, &work.rhs, &work.rest, &work.rest_inverse}) {
    v->reserve(most);
  }
  for (auto* v : {&work.G, &work.matrix, &work.Z, &work.A}) v->reserve(most * most);
  work.corners.reserve(8 * most);
  work.D.reserve(9 * n);
  work.columns.reserve(6 * most * a);
  work.blocks.reserve(n);
  work.number.reserve(n * lanes);
  work.listed.reserve(6 * n * a);
  for (auto* list : {&work.kept, &work.rest_rows, &work.place, &rows_before_}) list->reserve(most);
  work.slipping.reserve(n);
}

/// Blocks, scales and G. Lanes beyond the parts repeat the last.
template <class K>
void DenseMethod<K>::read(const ContactProblem& problem, std::span<const DensePart> parts) {
  using Form = typename DenseWork<K>::Form;
  auto& work = work_;
  const std::size_t n = parts[0].blocks.size();
  work.count = static_cast<int>(parts.size());
  work.blocks.resize(n);
  work.number.resize(n * lanes);
  for (auto* of_blocks : {&work.mu, &work.scale, &work.d, &work.next_state}) of_blocks->resize(n);
  work.m = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto& block = work.blocks[i];
    const laws::Kind kind = problem.law[parts[0].blocks[i]];
    block.law = &laws::law_of(kind);
    block.form = kind == laws::Kind::coulomb      ? Form::coulomb
                 : kind == laws::Kind::unilateral ? Form::one_sided
                 : kind == laws::Kind::bilateral  ? Form::bond
                                                  : Form::other;
    block.row = work.m;
    block.rows = block.law->rows();
    for (int t = 0; t < lanes; ++t) {
      const DensePart& part = parts[static_cast<std::size_t>(std::min(t, work.count - 1))];
      work.number[i * lanes + t] = part.blocks[i];
    }
    if (block.form == Form::bond) {
      bool one = true;
      for (int t = 0; t < work.count; ++t) one = one && has_one_row(problem, work.number[i * lanes + t]);
      if (one) block.rows = 1;
    }
    work.m += block.rows;
  }
  const int stride = work.stride = padded(work.m);
  make_room(work.m, n, parts[0].nodes);
  const std::size_t side = static_cast<std::size_t>(stride), room = 6 * side * parts[0].nodes;
  if (work.columns.size() < room) work.columns.resize(room, T{});
  if (lanes > 1 && work.J.size() < 18 * parts[0].nodes) work.J.resize(18 * parts[0].nodes);
  work.listed.resize(6 * n * parts[0].nodes);
  int* listed = work.listed.data();
  for (std::size_t i = 0; i < n; ++i) {
    const double* J[lanes];
    for (int t = 0; t < lanes; ++t) {
      J[t] = reinterpret_cast<const double*>(problem.J.data() + problem.row[work.number[i * lanes + t]]);
    }
    int at[kMostColumns / 6];
    const int first = work.number[i * lanes], begin = problem.row[first], end = problem.row[first + 1];
    for (int e = begin; e < end; ++e) at[e - begin] = parts[0].local[problem.node[e]];
    write_rows(work, i, J, {at, static_cast<std::size_t>(end - begin)}, listed);
    work.blocks[i].columns = static_cast<int>(listed - work.listed.data());
  }
  complete_scales(work);
  work.G.resize(side * side);
  multiply_out(work);
  for (auto* v : {&work.c, &work.x, &work.u, &work.y, &work.F, &work.dx, &work.du, &work.open, &work.trial_x,
                  &work.trial_u, &work.best, &work.w, &work.part}) {
    v->resize(side);
    for (int k = work.m; k < stride; ++k) (*v)[k] = T{};
  }
  for (auto* v : {&work.matrix, &work.Z, &work.A}) v->resize(side * side);
  work.corners.resize(8 * side);
  for (auto* v : {&work.rhs, &work.rest, &work.rest_inverse}) v->resize(side);
  work.D.resize(9 * n);
  work.state.assign(n, T{} + DenseWork<K>::unknown);
  work.place.resize(static_cast<std::size_t>(work.m));
  factored_ = moved_ = ready_ = of_matrix_ = 0;
}

template <class K>
void DenseMethod<K>::write(unsigned in, const Settings& settings, Solution& solution, std::span<Report> reports) const {
  write_impulses(work_, in, solution.Lambda.data());
  for (int t = 0; t < work_.count; ++t) {
    if (!(in >> t & 1)) continue;
    Report& report = reports[t] = {};
    const bool warm = start_[t] <= settings.tol;
    report.method = iterations_[t] == 0 ? "warm start" : warm && settings.polish ? polished_warm_start : "dense newton";
    report.errors = {error_[t], error_[t], error_[t]};
    report.iterations = iterations_[t];
    report.factorisations = factorisations_[t];
  }
}

template void DenseMethod<One>::make_room(int, std::size_t, std::size_t);
template void DenseMethod<Many>::make_room(int, std::size_t, std::size_t);
template void DenseMethod<One>::read(const ContactProblem&, std::span<const DensePart>);
template void DenseMethod<Many>::read(const ContactProblem&, std::span<const DensePart>);
template void DenseMethod<One>::write(unsigned, const Settings&, Solution&, std::span<Report>) const;
template void DenseMethod<Many>::write(unsigned, const Settings&, Solution&, std::span<Report>) const;

}  // namespace vinculum::solvers
