// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "problem_files.hpp"

#include <algorithm>
#include <filesystem>

namespace vinculum::bench {

namespace fs = std::filesystem;

std::vector<std::string> find_problem_files(const std::string& folder, const std::string& part) {
  fs::path from = folder;
  for (fs::path here = fs::current_path(); from.empty(); here = here.parent_path()) {
    if (fs::is_directory(here / "shared/data/fclib")) from = here / "shared/data/fclib";
    if (here == here.parent_path()) break;
  }
  std::vector<std::string> files;
  if (!fs::is_directory(from)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const std::string extension = entry.path().extension();
    if (extension != ".hdf5" && extension != ".dat") continue;
    if (entry.path().filename().string().find(part) != std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace vinculum::bench
