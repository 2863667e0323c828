// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/types.hpp"

#include <cmath>

namespace vinculum::algebra {

Vec3 orthogonal_to(const Vec3& n) {
  Vec3 axis = Vec3::UnitX();
  const Vec3 size = n.cwiseAbs();
  if (size.y() < size.x() && size.y() <= size.z()) {
    axis = Vec3::UnitY();
  } else if (size.z() < size.x()) {
    axis = Vec3::UnitZ();
  }
  return n.cross(axis).normalized();
}

}  // namespace vinculum::algebra
