// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes from files, through assimp, and the one-line text that stands for such a file in a trace. assimp keeps
// coordinates in single precision; the mesh is what it says, exactly.
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <fmt/format.h>
#include <filesystem>
#include <map>
#include <sstream>

namespace vinculum::shapes {
namespace {

constexpr const char* text_head = "mesh:";
constexpr double sliver = 1e-10;  // as in surface.cpp

[[noreturn]] void reject(const std::string& found) {
  throw base::InputError("found " + found + ", expected a mesh file");
}

/// Collects corners; equal ones become one vertex.
class Welder {
 public:
  Welder(std::vector<Vec3>& vertices, std::vector<std::array<int, 3>>& triangles)
      : vertices_(vertices), triangles_(triangles) {}

  void add(const std::array<Vec3, 3>& x) {
    const double longest =
        std::max({(x[1] - x[0]).squaredNorm(), (x[2] - x[1]).squaredNorm(), (x[0] - x[2]).squaredNorm()});
    if (!((x[1] - x[0]).cross(x[2] - x[0]).norm() > sliver * longest)) return;
    triangles_.push_back({index(x[0]), index(x[1]), index(x[2])});
  }

 private:
  int index(const Vec3& x) {
    const auto [it, fresh] = known_.try_emplace({x.x(), x.y(), x.z()}, static_cast<int>(vertices_.size()));
    if (fresh) vertices_.push_back(x);
    return it->second;
  }
  std::vector<Vec3>& vertices_;
  std::vector<std::array<int, 3>>& triangles_;
  std::map<std::array<double, 3>, int> known_;
};

void add_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, Welder& out) {
  const aiMatrix4x4 X = parent * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      std::array<Vec3, 3> corners;
      for (unsigned k = 0; k < 3; ++k) {
        const aiVector3D x = X * mesh.mVertices[face.mIndices[k]];
        corners[k] = Vec3(x.x, x.y, x.z);
      }
      out.add(corners);
    }
  }
  for (unsigned k = 0; k < node.mNumChildren; ++k) add_node(scene, *node.mChildren[k], X, out);
}

void read_text(const std::string& text, std::vector<Vec3>& vertices, std::vector<std::array<int, 3>>& triangles) {
  const auto middle = text.find(';');
  if (middle == std::string::npos) reject("a mesh text without ';'");
  const auto head = std::string(text_head).size();
  std::string points = text.substr(head, middle - head), corners = text.substr(middle + 1);
  for (std::string* part : {&points, &corners}) std::replace(part->begin(), part->end(), ',', ' ');
  std::istringstream xs(points), is(corners);
  for (Vec3 x; xs >> x.x() >> x.y() >> x.z();) vertices.push_back(x);
  for (std::array<int, 3> t; is >> t[0] >> t[1] >> t[2];) triangles.push_back(t);
  if (!xs.eof() || !is.eof()) reject("a mesh text with something else than numbers");
}

}  // namespace

void load_mesh(const std::string& path, std::vector<Vec3>& vertices, std::vector<std::array<int, 3>>& triangles) {
  if (is_mesh_text(path)) return read_text(path, vertices, triangles);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) reject(fmt::format("no file \"{}\"", path));
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    std::string why = importer.GetErrorString();
    std::replace(why.begin(), why.end(), '\n', ' ');
    reject(fmt::format("\"{}\" that cannot be read ({})", path, why));
  }
  Welder welder(vertices, triangles);
  add_node(*scene, *scene->mRootNode, aiMatrix4x4(), welder);
  if (triangles.empty()) reject(fmt::format("\"{}\" without triangles", path));
}

bool is_mesh_text(const std::string& text) { return text.rfind(text_head, 0) == 0; }

std::string write_mesh_text(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "{}", text_head);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vec3& x = vertices[k];
    fmt::format_to(std::back_inserter(out), "{}{} {} {}", k == 0 ? " " : ", ", x.x(), x.y(), x.z());
  }
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const auto& t = triangles[k];
    fmt::format_to(std::back_inserter(out), "{}{} {} {}", k == 0 ? "; " : ", ", t[0], t[1], t[2]);
  }
  return fmt::to_string(out);
}

}  // namespace vinculum::shapes
