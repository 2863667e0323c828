// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Expression to text.
#pragma once

#include "vinculum/expr/pool.hpp"

namespace vinculum::expr {

/// Text that parse turns into the same node (into the same value for nodes without normal form), with no parentheses
/// that are not needed.
std::string to_text(const Pool& pool, Expr e);

/// For a formula in LaTeX: fractions, Greek letters, q1 as q_{1}, phi' as \dot{\varphi}.
std::string to_latex(const Pool& pool, Expr e);

/// A name alone: m_rod as m_{\mathrm{rod}}, phi1' as \dot{\varphi}_{1}.
std::string latex_name(std::string_view name);

}  // namespace vinculum::expr
