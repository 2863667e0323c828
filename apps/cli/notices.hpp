// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What an imported file says and the model does not: printed, or as JSON.
#pragma once

#include "vinculum/model/model.hpp"

#include <nlohmann/json.hpp>
#include <vector>

namespace vinculum::cli {

nlohmann::json to_json(const std::vector<model::Notice>& notices);
void print_notices(const std::vector<model::Notice>& notices);

}  // namespace vinculum::cli
