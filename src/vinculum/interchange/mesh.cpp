// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A solid is the signed sum of the tetrahedra (o, a, b, c) over its surface triangles, o any point:
//   V = Σ d/6,   d = det(a, b, c) from o,   ∫ x dV = Σ d/24 (a + b + c),
//   ∫ x xᵀ dV = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   s = a + b + c
// and the moment of inertia is tr(S) 1 − S with S about the centroid (Tonon, J. Math. Stat. 1 (2005) 8). A shell has
// ∫ dA = Σ A, ∫ x dA = Σ A/3 s, ∫ x xᵀ dA = Σ A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ). With |d| for d the sums depend on o:
// MuJoCo takes the centre of the surface for the centroid, then that centroid for the volume and the moments.
#include "vinculum/interchange/mesh.hpp"

#include "vinculum/shapes/polytope.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/core.h>
#include <Eigen/Dense>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>

namespace vinculum::interchange {

namespace {

/// MuJoCo's own format (its documentation, "MSH"): four counts, then points, normals, places in pictures, triangles.
Mesh load_msh(const std::string& file, const base::Place& place, const std::string& path) {
  const auto fail = [&](const std::string& found) {
    throw base::InputError(place, path, fmt::format("{} ({})", file, found), "a mesh that can be read");
  };
  std::ifstream in(file, std::ios::binary);
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file));
  std::array<std::int32_t, 4> count{};  // points, normals, places, triangles
  if (!in.read(reinterpret_cast<char*>(count.data()), sizeof count)) fail("no header");
  std::int64_t expected = sizeof count;
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] < 0) fail("a negative count");
    expected += std::int64_t{4} * (k == 2 ? 2 : 3) * count[k];
  }
  if (expected != size) fail(fmt::format("{} bytes instead of the {} that its header asks for", size, expected));
  std::vector<float> x(3 * static_cast<std::size_t>(count[0]));
  std::vector<std::int32_t> corners(3 * static_cast<std::size_t>(count[3]));
  in.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(4 * x.size()));
  in.seekg(static_cast<std::streamoff>(expected) - static_cast<std::streamoff>(4 * corners.size()));
  in.read(reinterpret_cast<char*>(corners.data()), static_cast<std::streamsize>(4 * corners.size()));
  if (!in) fail("it ends early");
  Mesh mesh;
  for (std::size_t i = 0; i < x.size(); i += 3) mesh.points.emplace_back(x[i], x[i + 1], x[i + 2]);
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    mesh.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
    for (const int corner : mesh.triangles.back()) {
      if (corner < 0 || corner >= count[0]) fail(fmt::format("a corner at point {} of {}", corner, count[0]));
    }
  }
  return mesh;
}

}  // namespace

Mesh load_mesh(const std::string& file, const base::Place& place, const std::string& path) {
  if (!std::filesystem::is_regular_file(file))
    throw base::InputError(place, path, fmt::format("no file {}", file), "a mesh file");
  if (std::filesystem::path(file).extension() == ".msh") return load_msh(file, place, path);
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(file, aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (!scene || scene->mNumMeshes == 0)
    throw base::InputError(place, path, fmt::format("{} ({})", file, importer.GetErrorString()),
                           "a mesh that can be read");
  Mesh mesh;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    const int offset = static_cast<int>(mesh.points.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i)
      mesh.points.emplace_back(part.mVertices[i].x, part.mVertices[i].y, part.mVertices[i].z);
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines bound no solid
      mesh.triangles.push_back({offset + static_cast<int>(face.mIndices[0]),
                                offset + static_cast<int>(face.mIndices[1]),
                                offset + static_cast<int>(face.mIndices[2])});
    }
  }
  return mesh;
}

namespace {

/// Volume and first and second moments of weighted tetrahedra over the triangles, seen from o; or of the triangles.
struct Sums {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

Sums sum_from(const Mesh& mesh, const Vec3& o, Filling filling) {
  Sums sums;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.points[static_cast<std::size_t>(i)] - o, b = mesh.points[static_cast<std::size_t>(j)] - o,
               c = mesh.points[static_cast<std::size_t>(k)] - o, s = a + b + c;
    const Mat3 squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
    if (filling == Filling::shell) {
      const double area = 0.5 * (b - a).cross(c - a).norm();
      sums.volume += area;
      sums.first += area / 3 * s;
      sums.second += area / 12 * squares;
      continue;
    }
    const double signed_d = a.dot(b.cross(c)), d = filling == Filling::legacy ? std::abs(signed_d) : signed_d;
    sums.volume += d / 6;
    sums.first += d / 24 * s;
    sums.second += d / 120 * squares;
  }
  return sums;
}

}  // namespace

shapes::VolumeMoments mesh_moments(const Mesh& mesh, Filling filling) {
  shapes::VolumeMoments moments;
  const Sums surface = sum_from(mesh, Vec3::Zero(), Filling::shell);
  if (surface.volume == 0) return moments;
  const Vec3 o = surface.first / surface.volume;
  const Sums sums = sum_from(mesh, o, filling);
  if (sums.volume == 0) return moments;
  moments.centroid = o + sums.first / sums.volume;
  Sums centred = sum_from(mesh, moments.centroid, filling);
  if (centred.volume < 0) centred.volume = -centred.volume, centred.second = -centred.second;
  moments.volume = centred.volume;
  moments.inertia = centred.second.trace() * Mat3::Identity() - centred.second;
  return moments;
}

shapes::Shape hull_of(const std::vector<Vec3>& points, const base::Place& place, const std::string& path) {
  shapes::Shape shape;
  shape.kind = shapes::Kind::hull;
  try {
    shape.polytope = shapes::make_hull(points);
    for (std::size_t corners = 0; corners != shape.polytope->vertices.size();) {
      corners = shape.polytope->vertices.size();
      shape.polytope = shapes::make_hull(shape.polytope->vertices);
    }
  } catch (const base::InputError& error) {  // "found ..., expected ..."
    throw base::InputError(fmt::format("{}: {}: {}", base::to_string(place), path, error.what()));
  }
  return shape;
}

std::vector<Vec3> ellipsoid_points(const Vec3& half_axes) {
  const double g = std::numbers::phi;
  std::vector<Vec3> points;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-g, g}) {
      points.insert(points.end(), {Vec3(0, s, t), Vec3(s, t, 0), Vec3(t, 0, s)});
    }
  }
  // Two rounds of halving the edges: neighbours are the pairs at the smallest distance, 2 and then about half of it.
  for (Vec3& x : points) x.normalize();
  double edge = 2 / std::sqrt(1 + g * g);
  for (int round = 0; round < 2; ++round, edge /= 2) {
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if ((points[i] - points[j]).norm() < 1.3 * edge) points.push_back((points[i] + points[j]).normalized());
      }
    }
  }
  for (Vec3& x : points) x = x.cwiseProduct(half_axes);
  return points;
}

}  // namespace vinculum::interchange
