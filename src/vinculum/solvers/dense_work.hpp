// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the method of dense_newton.hpp works on, for one problem or for eight alike, one to a lane of wide registers
// (K, algebra/registers.hpp), and the arithmetic of its steps, with the same bits for both. `in` are lanes as bits:
// what is kept from step to step changes in these only.
#pragma once

#include "vinculum/algebra/dense_kernels.hpp"
#include "vinculum/solvers/solver.hpp"

#include <span>
#include <vector>

namespace vinculum::solvers {

template <class K>
struct DenseWork {
  using T = typename K::T;
  using Memory = typename K::Memory;
  enum class Form : char { coulomb, one_sided, bond, other };  // the first three without a virtual call
  // States of a block; numbers, since they stand in lanes.
  static constexpr double lets_go = 0, holds = 1, between = 2, unknown = 3;
  struct Block {
    const laws::ForceLaw* law;
    Form form;
    int row, rows;
    int columns;  // end of its columns in listed
  };

  int count = 1;  // of problems
  std::vector<Block> blocks;
  std::vector<int> number;  // of each block, in the problem: [lanes × block + lane]
  int m = 0, stride = 0;
  Memory mu, scale, d;      // of each block; Λ = scale x
  Memory columns;           // of J'; zero between two problems
  Memory J;                 // rows of one block
  std::vector<int> listed;  // of each block: where those begin in which it is not zero
  Memory G, matrix, Z, A;   // matrix: K, and its factor
  Memory c, x, u, y, F, dx, du, open, trial_x, trial_u, best, w, part, corners;
  Memory rhs, rest, rest_inverse;  // of the small system
  Memory D;                        // 3 × 3 of each block, by rows
  Memory state, next_state;        // of each block, where the factor was made, and at the point last looked at
  std::vector<int> kept, place;    // rows in the factor; place of each row there, −1: outside
  std::vector<int> slipping;       // blocks in between
  std::vector<int> rest_rows;      // N, as rows of the problem
  double rho = 1, alpha = 0;
};

/// Rows of a block, scaled by d, into the columns of J'; J: of each lane, on the nodes `at` as they are numbered there.
template <class K>
void write_rows(DenseWork<K>& work, std::size_t block, const double* const* J, std::span<const int> at, int*& listed);
/// d of the blocks that have none.
template <class K>
void complete_scales(DenseWork<K>& work);
/// G = J' J'ᵀ from the columns of J', of each row only where it is not zero; the columns are left as zeros.
template <class K>
void multiply_out(DenseWork<K>& work);

/// c' and the warm start, x; mu by σ where it is a size.
template <class K>
void read_free_part(DenseWork<K>& work, const contact::Vec3* c, const double* mu, const contact::Vec3* Lambda);
/// Back to Λ, within the laws.
template <class K>
void write_impulses(const DenseWork<K>& work, unsigned in, contact::Vec3* Lambda);

/// u = G x + c.
template <class K>
void find_u(DenseWork<K>& work);
/// y, F and the states of the laws at a point, and |F|².
template <class K>
void evaluate(DenseWork<K>& work, const typename K::T* x, const typename K::T* u, unsigned in, typename K::T& square);
/// D where it is neither 0 nor I. `changed`: lanes in which a law holds, slips or lets go otherwise than in the factor;
/// `moved`: those in which other rows are kept.
template <class K>
void find_states(DenseWork<K>& work, unsigned in, unsigned& changed, unsigned& moved);
/// Lanes whose laws do what they do in this one.
template <class K>
unsigned find_alike(const DenseWork<K>& work, int lane);

/// K on the rows of laws that do not let go, factored. Returns the lanes in which that went well.
template <class K>
unsigned factor_kept(DenseWork<K>& work);
/// Z = K⁻¹ E_N, four columns behind one another.
template <class K>
void solve_columns(DenseWork<K>& work);
/// dx from F with the factor at hand, and du = G dx. What no impulse moves is left out where it is below `quiet`;
/// `left` is |F| of it. Returns the lanes in which there is a direction.
template <class K>
unsigned find_direction(DenseWork<K>& work, unsigned in, double quiet, typename K::T& left);

/// The first t at which a contact that sticks reaches the edge of its cone, where it is below the t given.
template <class K>
void first_crossing(const DenseWork<K>& work, typename K::T& t);
/// x + t dx, and |F|² there.
template <class K>
void try_step(DenseWork<K>& work, unsigned in, const typename K::T& t, typename K::T& square);
/// to = from.
template <class K>
void copy(const typename K::Memory& from, unsigned in, typename K::Memory& to);
/// Of a padded vector, in four sums that do not wait for one another.
template <class K>
void norm(const typename K::Memory& x, typename K::T& out);

}  // namespace vinculum::solvers
