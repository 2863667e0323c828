// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Problems that fall apart into islands, many of them alike.
#pragma once

#include "solvers/corpus.hpp"

namespace corpus {

/// Problems behind one another, as islands of one.
inline ContactProblem put_together(const std::vector<ContactProblem>& parts) {
  ContactProblem whole;
  whole.row.push_back(0);
  for (const ContactProblem& part : parts) {
    const int node = static_cast<int>(whole.nodes), entry = static_cast<int>(whole.node.size());
    for (const int a : part.node) whole.node.push_back(node + a);
    for (std::size_t i = 1; i < part.row.size(); ++i) whole.row.push_back(entry + part.row[i]);
    whole.J.insert(whole.J.end(), part.J.begin(), part.J.end());
    whole.c.insert(whole.c.end(), part.c.begin(), part.c.end());
    whole.law.insert(whole.law.end(), part.law.begin(), part.law.end());
    whole.mu.insert(whole.mu.end(), part.mu.begin(), part.mu.end());
    whole.nodes += part.nodes;
  }
  return whole;
}

/// Boxes that rest, slide, tip, rise and turn: other laws hold, slip and let go in each, in another number of steps.
inline std::vector<ContactProblem> boxes(int count) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> pm(-1, 1);
  std::vector<ContactProblem> out;
  for (int k = 0; k < count; ++k) {
    Vec3 v(0, 0, kDrop), w = Vec3::Zero();
    if (k % 4 == 1) v += 0.1 * Vec3(pm(random), pm(random), 0);
    if (k % 4 == 2) w = 0.02 * Vec3(pm(random), pm(random), pm(random));
    if (k % 7 == 3) v.z() = 0.1;
    Scene scene;
    const int b = scene.box(Vec3(0, 0, .5), 1 + 0.2 * k, Vec3(1, 1 + 0.1 * k, 1), v);
    scene.bodies[0].w = w;
    four_points(scene, -1, b, -.5, .5, -.5, .5, 0, 0.2 + 0.05 * (k % 5));
    scene.contact(Kind::unilateral, -1, b, Vec3(0.1, 0.5, 0.5), Vec3(0, -1, 0), 0);
    scene.contact(Kind::dry, -1, b, Vec3(0, 0, 1), Vec3(1, 0, 0), 2e-3, 1);
    out.push_back(scene.problem);
  }
  return out;
}

}  // namespace corpus
