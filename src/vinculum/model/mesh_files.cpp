// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace carries its own scene, so the text of a scene must hold everything. Where it names a mesh file, the name is
// replaced by the mesh itself, in one line, so that no line number changes.
#include "vinculum/model/sections.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <filesystem>

namespace vinculum::model {

bool replace_in_line(int line, const std::string& old, const std::string& by, std::string& text) {
  std::size_t begin = 0;
  for (int k = 1; k < line; ++k) begin = text.find('\n', begin) + 1;
  const std::size_t at = text.find(old, begin), end = text.find('\n', begin);
  if (at == std::string::npos || at >= end) return false;
  text.replace(at, old.size(), by);
  return true;
}

namespace {

using reader::Node;

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
    replace_in_line(file->line, file->string, shapes::write_mesh_text(vertices, triangles), text);
  }
  for (const Node& item : node.items) embed(item, folder, text);
}

}  // namespace

void embed_mesh_files(const reader::Node& tree, const std::string& file, std::string& text) {
  embed(tree, std::filesystem::path(file).parent_path().string(), text);
}

}  // namespace vinculum::model
