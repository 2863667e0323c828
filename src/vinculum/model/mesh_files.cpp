// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace carries its own scene, so the text of a scene must hold everything. Where it names a mesh file, the name is
// replaced by the mesh itself, in one line, so that no line number changes.
#include "vinculum/model/sections.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <filesystem>

namespace vinculum::model {
namespace {

using reader::Node;

/// First character of a line, counted from 1.
std::size_t line_start(const std::string& text, std::size_t line) {
  std::size_t at = 0;
  for (std::size_t k = 1; k < line && at != std::string::npos; ++k) at = text.find('\n', at) + 1;
  return at;
}

void embed(const Node& node, const std::string& folder, std::string& text) {
  const auto value = [&](std::string_view key) -> const Node* {
    for (std::size_t k = 0; k < node.keys.size(); ++k)
      if (node.keys[k].name == key) return &node.items[k];
    return nullptr;
  };
  const Node *type = value("type"), *file = value("file");
  const bool named = type != nullptr && file != nullptr && type->kind == Node::Kind::string && type->string == "mesh" &&
                     file->kind == Node::Kind::string && !shapes::is_mesh_text(file->string);
  if (named) {
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 3>> triangles;
    shapes::load_mesh((std::filesystem::path(folder) / file->string).string(), vertices, triangles);
    // The name is unchanged text of its line unless it was written with escapes; then the trace needs the file.
    const std::size_t begin = line_start(text, static_cast<std::size_t>(file->line)), end = text.find('\n', begin);
    const std::size_t at = text.find(file->string, begin);
    if (at != std::string::npos && (end == std::string::npos || at < end))
      text.replace(at, file->string.size(), shapes::write_mesh_text(vertices, triangles));
  }
  for (const Node& item : node.items) embed(item, folder, text);
}

}  // namespace

void embed_mesh_files(const reader::Node& tree, const std::string& file, std::string& text) {
  embed(tree, std::filesystem::path(file).parent_path().string(), text);
}

}  // namespace vinculum::model
