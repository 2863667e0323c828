// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/screw/gravitation.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::screw {

Vec3 attraction_field(std::span<const Atom> atoms, const Vec3& x, double gamma) {
  Vec3 g = Vec3::Zero();
  for (const Atom& atom : atoms) {
    if (atom.mass == 0) continue;
    const Vec3 r = atom.x - x;
    const double s = r.squaredNorm();
    if (!(s > 0))
      throw base::InputError(
          fmt::format("gravitation: found coincident atoms at ({:.6g}, {:.6g}, {:.6g}), expected "
                      "distinct places",
                      x.x(), x.y(), x.z()));
    g += gamma * atom.mass / (s * std::sqrt(s)) * r;
  }
  return g;
}

Wrench attraction(std::span<const Atom> A, std::span<const Atom> B, double gamma) {
  Wrench F;
  for (const Atom& atom : A) {
    const Vec3 f = atom.mass * attraction_field(B, atom.x, gamma);
    F += {f, atom.x.cross(f)};
  }
  return F;
}

}  // namespace vinculum::screw
