// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/base/error.hpp"
#include "vinculum/model/model.hpp"

#include <string>

namespace vinculum::model {

/// The message of the InputError that the scene causes; "no error" if it is read.
inline std::string error_of(const std::string& text) {
  try {
    parse_scene(text, "t.toml");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

inline const std::string ball = "[[body]]\nname = \"ball\"\nmass = 1\nshape = { type = \"sphere\", radius = 0.1 }\n";

}  // namespace vinculum::model
