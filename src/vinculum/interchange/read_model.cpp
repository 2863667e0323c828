// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/interchange/interchange.hpp"
#include "vinculum/interchange/xml.hpp"

#include <filesystem>

namespace vinculum::interchange {

model::Model read_model(const std::string& file, const UrdfOptions& options) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".urdf") return read_urdf(file, options);
  if (extension != ".xml" && extension != ".mjcf") return model::read_scene(file);
  const Source source(file);
  return std::string_view(source.root().name()) == "robot" ? read_urdf(file, options) : read_mjcf(file);
}

}  // namespace vinculum::interchange
