// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/model.hpp"
#include "vinculum/model/toml_reader.hpp"

namespace vinculum::model {

/// Open-loop control from a CSV file: a head line `t,name,name,...` with names of actuators in any order (those not
/// named keep their ctrl), then one row per instant. The path is taken from the folder of the scene. Throws
/// base::InputError with line and column of the CSV file.
void read_control_file(const std::string& path, const reader::Value& where, const Model& model, Control& control);

}  // namespace vinculum::model
