// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vinculum::model::reader {

/// Refuses what TOML forbids but toml++ 3.3 does not survive. Throws base::InputError.
void check_scannable(const std::string& text, const std::string& file);

}  // namespace vinculum::model::reader
