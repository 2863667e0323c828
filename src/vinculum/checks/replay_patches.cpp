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

int rows_of(const ContactView& view) { return view.rows == 3 && view.sticks ? 3 : 1; }

}  // namespace

void Replay::agree(std::span<ContactView* const> patch) const {
  if (patch.size() < 2) return;
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
    const bool wedged = view->record->mode == Mode::wedged;
    const Vec3 own = wedged ? view->dropped : Vec3(view->xi - view->gamma_plus);
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
  const bool any_wedged = std::any_of(patch.begin(), patch.end(),
                                      [](const ContactView* view) { return view->record->mode == Mode::wedged; });
  at = 0;
  for (ContactView* view : patch) {
    for (int r = 0; r < rows_of(*view); ++r, ++at) {
      if (view->record->mode == Mode::wedged) {
        view->dropped[r] -= rest[at];
      } else if (!any_wedged) {
        view->xi[r] -= rest[at];
        view->c[r] -= rest[at];
      }
    }
  }
}

void Replay::agree_on_patches() {
  std::map<std::pair<int, int>, std::vector<ContactView*>> patches;
  for (ContactView& view : contacts) {
    if (view.bond || !view.rests || !(trees->linked(view.body_a) || trees->linked(view.body_b))) continue;
    patches[std::minmax(view.body_a, view.body_b)].push_back(&view);
  }
  for (auto& [bodies, patch] : patches) {
    const auto is_wedged = [](const ContactView* view) { return view->record->mode == Mode::wedged; };
    if (std::any_of(patch.begin(), patch.end(), is_wedged)) agree(patch);
    std::erase_if(patch, is_wedged);
    agree(patch);
  }
}

}  // namespace vinculum::checks
