// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the published friction-contact problems lie: they are data beside the project, not part of it.
#pragma once

#include <string>
#include <vector>

namespace vinculum::bench {

/// Files of problems below `folder` whose name contains `part`, sorted. An empty folder means the first
/// shared/data/fclib found from the working directory upward; no files where there is none.
std::vector<std::string> find_problem_files(const std::string& folder, const std::string& part);

}  // namespace vinculum::bench
