// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of friction-contact problems: the FCLIB layout of HDF5, and Siconos' ASCII form (read only).
#pragma once

#include "vinculum/contact/friction_problem.hpp"

#include <string>

namespace vinculum::fclib {

/// Reads either kind. Throws base::InputError: one line that names the file and the dataset.
contact::FrictionProblem read_problem(const std::string& path);
contact::FrictionProblem read_hdf5(const std::string& path);
contact::FrictionProblem read_ascii(const std::string& path);

/// How matrices are stored in a file (FCLIB's `nz`).
enum class Storage : std::uint8_t { columns, rows, triplets };

/// Writes under a temporary name and renames, so that an old file is replaced whole or not at all. The `solution` group
/// is written where problem.solution.r is known.
void write_problem(const std::string& path, const contact::FrictionProblem& problem,
                   Storage storage = Storage::columns);

/// Sizes, finite numbers and μ ≥ 0; called by every reader. Throws base::InputError.
void check_problem(const std::string& path, const contact::FrictionProblem& problem);

}  // namespace vinculum::fclib
