// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Quotient graph: a node i is adjacent to nodes A_i and to elements E_i (eliminated nodes, each standing for the clique
// of its list L_e). Eliminating p makes the element L_p = (A_p ∪ ⋃_{e ∈ E_p} L_e) \ {p}; every e ∈ E_p is absorbed.
// Then for i ∈ L_p the degree is bounded by |A_i \ L_p| + |L_p \ i| + Σ_{e ∈ E_i} |L_e \ L_p|.
#include "vinculum/algebra/ordering.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace vinculum::algebra {

void MinimumDegree::set_up(std::span<const int> start, std::span<const int> adjacent) {
  const std::size_t n = static_cast<std::size_t>(n_);
  pool_.assign(adjacent.begin(), adjacent.end());
  begin_.assign(start.begin(), start.begin() + n_);
  length_.resize(n);
  elements_.assign(n, 0);
  weight_.assign(n, 1);
  degree_.resize(n);
  alive_.assign(n, 0);
  head_.assign(n + 1, -1);
  next_.assign(n, -1);
  previous_.assign(n, -1);
  work_.assign(n, 0);
  bucket_.assign(n, -1);
  bucket_next_.assign(n, -1);
  hash_.assign(n, 0);
  member_next_.assign(n, -1);
  member_last_.resize(n);
  left_ = n_;
  lowest_ = 0;
  mark_ = 1;
  for (int i = n_ - 1; i >= 0; --i) {
    length_[i] = degree_[i] = start[i + 1] - start[i];
    member_last_[i] = i;
    insert(i);
  }
}

void MinimumDegree::insert(int i) {
  const int d = degree_[i];
  next_[i] = head_[d];
  previous_[i] = -1;
  if (head_[d] >= 0) previous_[head_[d]] = i;
  head_[d] = i;
  lowest_ = std::min(lowest_, d);
}

void MinimumDegree::remove(int i) {
  if (next_[i] >= 0) previous_[next_[i]] = previous_[i];
  if (previous_[i] >= 0) {
    next_[previous_[i]] = next_[i];
  } else {
    head_[degree_[i]] = next_[i];
  }
}

int MinimumDegree::next_pivot() {
  while (head_[lowest_] < 0) ++lowest_;
  const int p = head_[lowest_];
  remove(p);
  return p;
}

// Raises the mark above all present values, which are at most n_ above it.
void MinimumDegree::raise_mark() {
  if (mark_ > std::numeric_limits<int>::max() - 3 * (n_ + 1)) {
    std::fill(work_.begin(), work_.end(), 0);
    mark_ = 0;
  }
  mark_ += n_ + 1;
}

// L_p into fresh space; its nodes leave their degree lists and carry negative weight.
void MinimumDegree::gather(int p) {
  const int begin = static_cast<int>(pool_.size());
  int weight = 0;
  auto take = [&](int i) {
    if (weight_[i] <= 0) return;
    weight += weight_[i];
    weight_[i] = -weight_[i];
    remove(i);
    pool_.push_back(i);
  };
  left_ -= weight_[p];
  weight_[p] = 0;  // an element from now on
  for (int k = 0; k < length_[p]; ++k) {
    const int e = pool_[begin_[p] + k];
    if (k >= elements_[p]) {
      take(e);
    } else if (alive_[e]) {
      for (int j = 0; j < length_[e]; ++j) take(pool_[begin_[e] + j]);
      alive_[e] = 0;
    }
  }
  begin_[p] = begin;
  length_[p] = static_cast<int>(pool_.size()) - begin;
  elements_[p] = 0;
  alive_[p] = 1;
  degree_[p] = weight;
}

// work_[e] = mark_ + |L_e \ L_p| for every element that shares a node with p.
void MinimumDegree::count_outside(int p) {
  raise_mark();
  for (int k = 0; k < length_[p]; ++k) {
    const int i = pool_[begin_[p] + k];
    for (int q = 0; q < elements_[i]; ++q) {
      const int e = pool_[begin_[i] + q];
      if (!alive_[e]) continue;
      if (work_[e] < mark_) work_[e] = degree_[e] + mark_;
      work_[e] += weight_[i];  // negative
    }
  }
}

// Prunes the lists of i ∈ L_p, puts p among its elements and bounds its degree.
void MinimumDegree::update_degree(int p, int i) {
  int* list = pool_.data() + begin_[i];
  int kept = 0, degree = 0;
  unsigned hash = 0;
  for (int q = 0; q < elements_[i]; ++q) {
    const int e = list[q];
    if (!alive_[e]) continue;
    const int outside = work_[e] - mark_;
    if (outside == 0) {
      alive_[e] = 0;  // L_e ⊂ L_p: absorbed
      continue;
    }
    degree += outside;
    hash += static_cast<unsigned>(e);
    list[kept++] = e;
  }
  const int kept_elements = kept;
  for (int q = elements_[i]; q < length_[i]; ++q) {
    const int j = list[q];
    if (weight_[j] <= 0) continue;  // gone, or in L_p
    degree += weight_[j];
    hash += static_cast<unsigned>(j);
    list[kept++] = j;
  }
  if (kept == 0) {  // nothing but p: eliminated together with it
    const int w = -weight_[i];
    left_ -= w;
    degree_[p] -= w;
    absorb(p, i);
    return;
  }
  // Room for p: a node or an element of this list has just gone.
  if (kept > kept_elements) list[kept] = list[kept_elements];
  list[kept_elements] = p;
  elements_[i] = kept_elements + 1;
  length_[i] = kept + 1;
  degree_[i] = std::min(degree_[i], degree);
  hash_[i] = static_cast<int>((hash + static_cast<unsigned>(p)) % static_cast<unsigned>(n_));
}

void MinimumDegree::absorb(int into, int i) {
  member_next_[member_last_[into]] = i;
  member_last_[into] = member_last_[i];
  weight_[i] = 0;
  length_[i] = elements_[i] = 0;
}

bool MinimumDegree::same_neighbours(int i, int j) {
  if (length_[i] != length_[j] || elements_[i] != elements_[j]) return false;
  for (int q = 0; q < length_[j]; ++q) {
    if (work_[pool_[begin_[j] + q]] != mark_) return false;
  }
  return true;
}

// Nodes of L_p with the same lists will be eliminated together: one of them stands for all.
void MinimumDegree::merge_twins(int p) {
  for (int k = 0; k < length_[p]; ++k) {
    const int i = pool_[begin_[p] + k];
    if (weight_[i] == 0) continue;
    bucket_next_[i] = bucket_[hash_[i]];
    bucket_[hash_[i]] = i;
  }
  for (int k = 0; k < length_[p]; ++k) {
    const int first = pool_[begin_[p] + k];
    if (weight_[first] == 0) continue;
    int i = bucket_[hash_[first]];
    bucket_[hash_[first]] = -1;
    for (; i >= 0; i = bucket_next_[i]) {
      if (bucket_next_[i] < 0) break;
      raise_mark();
      for (int q = 0; q < length_[i]; ++q) work_[pool_[begin_[i] + q]] = mark_;
      for (int last = i, j = bucket_next_[i]; j >= 0; j = bucket_next_[j]) {
        if (same_neighbours(i, j)) {
          weight_[i] += weight_[j];  // both negative
          absorb(i, j);
          bucket_next_[last] = bucket_next_[j];
        } else {
          last = j;
        }
      }
    }
  }
}

void MinimumDegree::order(int n, std::span<const int> start, std::span<const int> adjacent, std::vector<int>& order) {
  n_ = n;
  order.clear();
  set_up(start, adjacent);
  while (left_ > 0) {
    const int p = next_pivot();
    gather(p);
    count_outside(p);
    for (int k = 0; k < length_[p]; ++k) update_degree(p, pool_[begin_[p] + k]);
    merge_twins(p);
    int kept = 0;
    for (int k = 0; k < length_[p]; ++k) {
      const int i = pool_[begin_[p] + k];
      if (weight_[i] == 0) continue;
      weight_[i] = -weight_[i];
      degree_[i] = std::min(degree_[i] + degree_[p] - weight_[i], left_ - weight_[i]);
      insert(i);
      pool_[begin_[p] + kept++] = i;
    }
    length_[p] = kept;
    if (kept == 0) alive_[p] = 0;
    for (int i = p; i >= 0; i = member_next_[i]) order.push_back(i);
  }
}

}  // namespace vinculum::algebra
