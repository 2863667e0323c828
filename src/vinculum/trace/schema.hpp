// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The datasets of a trace: one table, used by the writer to make them and by the reader to check them. docs/trace.md is
// its prose.
#pragma once

#include "vinculum/trace/append_file.hpp"
#include "vinculum/trace/trace.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace vinculum::trace {

constexpr std::string_view format_name = "vinculum trace";
constexpr std::int64_t format_version = 7;
constexpr std::size_t method_length = 48;  // of /step/method, bytes with the final zero

/// Index of a dataset in make_columns().
enum ColumnId : std::size_t {
  state_t,
  state_step,
  state_q,
  state_v,
  state_lagrangian_q,
  state_lagrangian_u,
  state_tree_q,
  state_tree_v,
  step_index,
  step_t,
  step_dt,
  step_row_before,
  step_row_after,
  step_contacts_begin,
  step_contacts_count,
  step_candidates,
  step_status,
  step_method,
  step_iterations,
  step_factorisations,
  step_residual,
  step_residual_scaled,
  step_residual_over_c,
  step_ledger,
  step_ctrl,
  step_penetration,
  step_penetration_before,
  step_shift,
  step_violation,
  contact_shapes,
  contact_feature_id,
  contact_mode,
  contact_feature,
  contact_P_a,
  contact_P_b,
  contact_dir_a,
  contact_dir_b,
  contact_rounding,
  contact_rim,
  contact_sign,
  contact_point,
  contact_n,
  contact_t1,
  contact_gap,
  contact_Lambda,
  contact_Pi,
  contact_round,
  column_count
};

/// One specification per ColumnId, in its order.
std::vector<ColumnSpec> make_columns(const Header& header);
FileSpec make_file_spec(const Header& header);

}  // namespace vinculum::trace
