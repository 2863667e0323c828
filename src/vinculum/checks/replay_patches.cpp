// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of the same two bodies, one of them jointed, that rest on each other ask for one relative motion of the two:
// of o, what their laws add to γ⁺, the part counts that some twist (v, ω) gives, o = D V + rest, by least squares over
// the normals and the tangents of those that stick. A wedge drops what its contact would have been asked for among all
// of its patch; the others agree without it.
#include "vinculum/checks/replay.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <map>

namespace vinculum::checks {

namespace {

constexpr double indistinct = 1e-6;  // singular values, over the largest, of twists that the rows do not tell apart

using Patch = std::vector<ContactView*>;

bool is_wedged(const ContactView* view) { return view->record->mode == Mode::wedged; }

int rows_of(const ContactView& view) { return view.rows == 3 && view.sticks ? 3 : 1; }

/// What no twist gives of o, of each contact; 0 for tangents that are no rows.
std::vector<Vec3> remainder(const Patch& patch) {
  const int low = std::min(patch[0]->body_a, patch[0]->body_b);
  Vec3 centre = Vec3::Zero();
  int rows = 0;
  for (const ContactView* view : patch) rows += rows_of(*view), centre += rows_of(*view) * view->mid.point;
  centre /= rows;
  double reach = 0;
  for (const ContactView* view : patch) reach = std::max(reach, (view->mid.point - centre).norm());
  MatrixXd D(rows, 6);
  VectorXd o(rows);
  int at = 0;
  for (const ContactView* view : patch) {
    const Vec3 own = is_wedged(view) ? view->dropped : Vec3(view->xi - view->gamma_plus);
    for (int r = 0; r < rows_of(*view); ++r, ++at) {
      const Vec3 d = (view->body_a == low ? 1 : -1) * view->mid.F.col(r);
      D.row(at).head<3>() = d;
      D.row(at).tail<3>() = (view->mid.point - centre).cross(d) / (reach > 0 ? reach : 1);
      o[at] = own[r];
    }
  }
  Eigen::JacobiSVD<MatrixXd> svd(D, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(indistinct);
  const VectorXd rest = o - D * svd.solve(o);
  std::vector<Vec3> out(patch.size(), Vec3::Zero());
  at = 0;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    for (int r = 0; r < rows_of(*patch[i]); ++r) out[i][r] = rest[at++];
  }
  return out;
}

}  // namespace

void Replay::agree_on_patches() {
  std::map<std::pair<int, int>, Patch> patches;
  for (ContactView& view : contacts) {
    if (view.bond || !view.rests || !(trees->linked(view.body_a) || trees->linked(view.body_b))) continue;
    patches[std::minmax(view.body_a, view.body_b)].push_back(&view);
  }
  for (auto& [bodies, patch] : patches) {
    if (std::any_of(patch.begin(), patch.end(), is_wedged)) {
      const std::vector<Vec3> rest = remainder(patch);
      for (std::size_t i = 0; i < patch.size(); ++i) {
        if (is_wedged(patch[i])) patch[i]->dropped -= rest[i];
      }
      std::erase_if(patch, is_wedged);
    }
    if (patch.size() < 2) continue;
    const std::vector<Vec3> rest = remainder(patch);
    for (std::size_t i = 0; i < patch.size(); ++i) patch[i]->xi -= rest[i], patch[i]->c -= rest[i];
  }
}

}  // namespace vinculum::checks
