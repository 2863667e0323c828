// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Oracle: the dense assembly of theory/cheremensky.md (18)-(22), (33), E8 corrected, link by link in body frames.
//
//   V_a = L V_r,  V_r = S v,  L_pk = L^tw_pk for k = p or an ancestor of p          L'_pk = L_pk Φ^tw(V_pk^k)
//   A V_a' + B V_a = F_a,  A = diag Θ_p,  B = diag(Φ^wr(V_p) Θ_p),  V_r' = S v̇ + c
//   M = (LS)ᵀ A (LS) + armature,   −h = (LS)ᵀ [A L c + (A L' + B L) S v − F_a]
// O(n³), no recursion over bodies but the poses.
#pragma once

#include "vinculum/parts/tree.hpp"

namespace vinculum::test {

struct DenseTree {
  Eigen::MatrixXd L, L_rate, S, A, B, M;
  Eigen::VectorXd c, F, h, V_a;
  std::vector<algebra::Pose> X_W;

  /// Motion of one link in its parent: pose, subspace and rate term of its joints in sequence.
  static algebra::Pose compose(const parts::TreeLink& link, const double* q, const double* v, Eigen::MatrixXd& S,
                               screw::Twist& c) {
    algebra::Pose X = link.X_PC;
    screw::Twist V;
    S.resize(6, 0);
    c = {};
    for (const joints::Joint& joint : link.joints) {
      const std::span<const double> x(q, static_cast<std::size_t>(joint.nq())),
          u(v, static_cast<std::size_t>(joint.nv()));
      const algebra::Pose E = joint.pose(x);
      const joints::Subspace own = joint.subspace(x);
      Eigen::MatrixXd next(6, S.cols() + own.cols());
      next << screw::twist_matrix(E.inverse()) * S, own;
      const screw::Twist V_own = screw::Twist::from_vector(own * Eigen::Map<const Eigen::VectorXd>(v, joint.nv()));
      const screw::Twist before = screw::inward(E, V);
      c = screw::inward(E, c) + joint.rate_term(x, u) - screw::cross(V_own, before);
      V = before + V_own;
      X = X * E;
      S = next;
      q += joint.nq();
      v += joint.nv();
    }
    return X;
  }

  DenseTree(std::span<const parts::TreeLink> links, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
            const algebra::Vec3& gravity, std::span<const screw::Wrench> external) {
    const int n = static_cast<int>(links.size()), nv = static_cast<int>(v.size());
    S = Eigen::MatrixXd::Zero(6 * n, nv);
    L = L_rate = A = B = Eigen::MatrixXd::Zero(6 * n, 6 * n);
    c = F = Eigen::VectorXd::Zero(6 * n);
    Eigen::VectorXd armature = Eigen::VectorXd::Zero(nv);
    for (int p = 0, iq = 0, iv = 0; p < n; ++p) {
      Eigen::MatrixXd own;
      screw::Twist rate;
      const algebra::Pose X = compose(links[p], q.data() + iq, v.data() + iv, own, rate);
      X_W.push_back(links[p].parent < 0 ? X : X_W[links[p].parent] * X);
      S.block(6 * p, iv, 6, own.cols()) = own;
      c.segment<6>(6 * p) = rate.vector();
      for (std::size_t k = 0; k < links[p].armature.size(); ++k) armature[iv + k] = links[p].armature[k];
      for (const joints::Joint& joint : links[p].joints) iq += joint.nq();
      iv += static_cast<int>(own.cols());
      for (int k = p; k >= 0; k = links[k].parent)
        L.block<6, 6>(6 * p, 6 * k) = screw::twist_matrix(X_W[p].inverse() * X_W[k]);
    }
    V_a = L * (S * v);
    for (int p = 0; p < n; ++p) {
      const screw::Twist V = screw::Twist::from_vector(V_a.segment<6>(6 * p));
      const Eigen::Matrix<double, 6, 6> Theta = links[p].inertia.matrix();
      A.block<6, 6>(6 * p, 6 * p) = Theta;
      B.block<6, 6>(6 * p, 6 * p) = screw::wrench_bracket(V) * Theta;
      const algebra::Vec3 g = X_W[p].R.conjugate() * gravity;
      F.segment<6>(6 * p) = Theta.leftCols<3>() * g;
      if (!external.empty())
        F.segment<6>(6 * p) += screw::inward({algebra::Vec3::Zero(), X_W[p].R}, external[p]).vector();
      for (int k = p; k >= 0; k = links[k].parent) {
        const screw::Twist V_k = screw::Twist::from_vector(V_a.segment<6>(6 * k));
        const screw::Twist V_pk = V_k - screw::outward(X_W[k].inverse() * X_W[p], V);
        L_rate.block<6, 6>(6 * p, 6 * k) = L.block<6, 6>(6 * p, 6 * k) * screw::twist_bracket(V_pk);
      }
    }
    const Eigen::MatrixXd LS = L * S;
    M = LS.transpose() * A * LS;
    M.diagonal() += armature;
    h = -LS.transpose() * (A * (L * c) + A * (L_rate * (S * v)) + B * V_a - F);
  }
};

}  // namespace vinculum::test
