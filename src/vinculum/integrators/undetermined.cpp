// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/undetermined.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrators {

using system::Forest;
using system::world;

namespace {

constexpr double least_share = 1e-3;  // of the largest; the null space is known to about 1e-4 (contact/bond_space.hpp)

struct Load {
  Vec3 f = Vec3::Zero(), m = Vec3::Zero();  // force, moment about the world's origin
};

/// Wrenches of the laws' impulses on links, each summed over all that hangs on the link.
void load_links(const Forest& forest, std::span<const TreeLaw> bonds, const Eigen::VectorXd& Lambda,
                std::vector<Load>& loads) {
  loads.assign(forest.body_of_link.size(), Load{});
  Eigen::Index at = 0;
  for (const TreeLaw& law : bonds) {
    Vec3 own = Vec3::Zero();
    own.head(law.rows) = Lambda.segment(at, law.rows);
    at += law.rows;
    if (law.kind == TreeLaw::Kind::coupling) continue;  // acts along coordinates, where joints carry nothing
    const Vec3 f = law.frame.F * own, m = law.N * own + law.frame.point.cross(f);
    for (const auto& [body, sign] : {std::pair(law.frame.body_a, -1.0), std::pair(law.frame.body_b, 1.0)}) {
      const int link = body == world ? -1 : forest.link_of_body[static_cast<std::size_t>(body)];
      if (link < 0) continue;
      loads[static_cast<std::size_t>(link)].f += sign * f;
      loads[static_cast<std::size_t>(link)].m += sign * m;
    }
  }
  for (std::size_t link = loads.size(); link-- > 0;) {  // parents come first
    const int parent = forest.tree.parent_link[link];
    if (parent < 0) continue;
    loads[static_cast<std::size_t>(parent)].f += loads[link].f;
    loads[static_cast<std::size_t>(parent)].m += loads[link].m;
  }
}

}  // namespace

Undetermined find_undetermined(const system::System& system, std::span<const TreeLaw> bonds,
                               const Eigen::MatrixXd& space) {
  Undetermined found;
  found.directions = static_cast<int>(std::lround(space.trace()));
  std::vector<char> carries(system.forest ? system.forest->body_of_link.size() : 0, 0);
  std::vector<Load> loads;
  for (Eigen::Index column = 0; system.forest && column < space.cols(); ++column) {
    const Forest& forest = *system.forest;
    if (space(column, column) < least_share) continue;
    load_links(forest, bonds, space.col(column), loads);
    const auto size = [&](const Load& load) { return load.f.norm() * system.length_scale + load.m.norm(); };
    double largest = 0;
    for (const Load& load : loads) largest = std::max(largest, size(load));
    for (std::size_t link = 0; link < loads.size(); ++link) {
      if (size(loads[link]) > least_share * largest) carries[link] = 1;
    }
  }
  Eigen::Index at = 0;
  for (const TreeLaw& law : bonds) {
    std::vector<int>& list = law.kind == TreeLaw::Kind::coupling ? found.couplings : found.closures;
    const double share = space.diagonal().segment(at, law.rows).sum();
    at += law.rows;
    if (share > least_share && (list.empty() || list.back() != law.index)) list.push_back(law.index);
  }
  for (std::size_t link = 0; link < carries.size(); ++link) {
    if (carries[link]) found.links.push_back(static_cast<int>(link));
  }
  return found;
}

}  // namespace vinculum::integrators
