// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/model.hpp"

#include <string>

namespace vinculum::model {

/// The model as a TOML scene that parse_scene reads back to the same model (places and notices apart). Throws
/// base::InputError for a Lagrangian scene, which is a scene already.
std::string write_scene(const Model& model);

}  // namespace vinculum::model
