// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/notices.hpp"

#include <fmt/core.h>

namespace vinculum::cli {

nlohmann::json to_json(const std::vector<model::Notice>& notices) {
  nlohmann::json list = nlohmann::json::array();
  for (const model::Notice& notice : notices) {
    list.push_back({{"what", notice.what},
                    {"reason", notice.reason},
                    {"count", notice.count},
                    {"first", base::to_string(notice.place)}});
  }
  return list;
}

void print_notices(const std::vector<model::Notice>& notices) {
  for (const model::Notice& notice : notices) {
    fmt::print("  {}: {} ({}x): {}\n", base::to_string(notice.place), notice.what, notice.count, notice.reason);
  }
}

}  // namespace vinculum::cli
