// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Robot files of others, read as a Model. What they say and the Model does not is listed in Model::notices.
#pragma once

#include "vinculum/model/model.hpp"

#include <string>

namespace vinculum::interchange {

struct UrdfOptions {
  bool floating = false;        // a free joint below the root link, which is fixed to the world otherwise
  bool self_collision = false;  // links of the robot touch each other
};

/// Each throws base::InputError. The model's text is the scene that model::write_scene makes of it.
model::Model read_mjcf(const std::string& file);
model::Model read_urdf(const std::string& file, const UrdfOptions& options = {});

/// By the name of the file: .xml and .mjcf (MJCF, or URDF if its root is <robot>), .urdf, everything else a scene.
model::Model read_model(const std::string& file, const UrdfOptions& options = {});

}  // namespace vinculum::interchange
