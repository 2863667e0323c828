// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/parts/bodies.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace vinculum::parts {

namespace {

/// Appends the inertia of one rigid body and what is derived from it; that is not asked for of links, whose inertia may
/// be singular.
void add_inertia(Bodies& bodies, const Mat3& I) {
  const Eigen::LLT<Mat3> cholesky(I);
  const bool regular = cholesky.info() == Eigen::Success;
  const Mat3 C_inverse = regular ? Mat3(cholesky.matrixL().solve(Mat3::Identity())) : Mat3(Mat3::Zero());
  bodies.inertia.push_back(I);
  bodies.inertia_inverse.push_back(C_inverse.transpose() * C_inverse);
  bodies.inertia_whitening.push_back(C_inverse.transpose());
  bodies.isotropic.push_back(I == Mat3(I(0, 0) * Mat3::Identity()));
}

void add_no_inertia(Bodies& bodies) {
  bodies.inertia.push_back(Mat3::Zero());
  bodies.inertia_inverse.push_back(Mat3::Zero());
  bodies.inertia_whitening.push_back(Mat3::Zero());
  bodies.isotropic.push_back(1);
}

}  // namespace

Bodies make_bodies(const model::Model& model) {
  Bodies bodies;
  for (const model::Body& body : model.bodies) {
    bodies.mass.push_back(body.mass);
    bodies.size.push_back(0);
    if (body.particle) {
      add_no_inertia(bodies);
    } else {
      add_inertia(bodies, body.inertia);
    }
  }
  for (const model::Shape& shape : model.shapes) {
    if (shape.body == model::world) continue;
    const auto b = static_cast<std::size_t>(shape.body);
    const double reach =
        (shape.X_BS.p - model.bodies[b].com).norm() + type_of(shape.geometry.kind).radius_bound(shape.geometry);
    bodies.size[b] = std::max(bodies.size[b], reach);
  }
  return bodies;
}

}  // namespace vinculum::parts
