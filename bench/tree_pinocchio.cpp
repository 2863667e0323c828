// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pinocchio as a peer, compiled from its headers with our compiler flags.
#include "tree_peer.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace vinculum::bench {

namespace {

namespace pin = pinocchio;

class Pinocchio final : public TreePeer {
 public:
  Pinocchio(const std::vector<parts::TreeLink>& links, bool world)
      : convention_(world ? pin::Convention::WORLD : pin::Convention::LOCAL) {
    std::vector<pin::JointIndex> ids;
    for (const parts::TreeLink& link : links) {
      const pin::SE3 X(link.X_PC.R.toRotationMatrix(), link.X_PC.p);
      const pin::JointIndex parent = link.parent < 0 ? 0 : ids[link.parent];
      const std::string name = std::to_string(ids.size());
      const parts::Vec3& axis = link.joints[0].geometry().axis;
      const bool free = link.joints[0].kind() == joints::Kind::free;
      ids.push_back(free             ? model_.addJoint(parent, pin::JointModelFreeFlyer(), X, name)
                    : axis.x() > 0.5 ? model_.addJoint(parent, pin::JointModelRX(), X, name)
                    : axis.y() > 0.5 ? model_.addJoint(parent, pin::JointModelRY(), X, name)
                                     : model_.addJoint(parent, pin::JointModelRZ(), X, name));
      model_.appendBodyToJoint(ids.back(), pin::Inertia(link.inertia.mass, link.inertia.com, link.inertia.J_c),
                               pin::SE3::Identity());
      free_.push_back(free);
    }
    data_ = std::make_unique<pin::Data>(model_);
  }

  std::string name() const override {
    return convention_ == pin::Convention::WORLD ? "Pinocchio " PINOCCHIO_VERSION " (world)" : "(local)";
  }

  void set_states(const Eigen::MatrixXd& q, const Eigen::MatrixXd& v, const Eigen::MatrixXd& x) override {
    q_ = q;
    v_ = v;
    x_ = x;
    int row = 0;
    for (const bool free : free_) {
      if (free) {  // (w, x, y, z) -> (x, y, z, w)
        q_.middleRows<3>(row + 3) = q.middleRows<3>(row + 4);
        q_.row(row + 6) = q.row(row + 3);
      }
      row += free ? 7 : 1;
    }
  }

  void rnea(int k, Eigen::VectorXd& tau) override { tau = pin::rnea(model_, *data_, q_.col(k), v_.col(k), x_.col(k)); }
  void crba(int k) override { pin::crba(model_, *data_, q_.col(k), convention_); }
  void aba(int k, Eigen::VectorXd& vdot) override {
    vdot = pin::aba(model_, *data_, q_.col(k), v_.col(k), x_.col(k), convention_);
  }
  Eigen::MatrixXd mass_matrix() const override {
    Eigen::MatrixXd M = data_->M;
    M.triangularView<Eigen::StrictlyLower>() = M.transpose();
    return M;
  }

 private:
  pin::Convention convention_;
  pin::Model model_;
  std::unique_ptr<pin::Data> data_;
  std::vector<bool> free_;
  Eigen::MatrixXd q_, v_, x_;
};

}  // namespace

std::unique_ptr<TreePeer> make_pinocchio(const std::vector<parts::TreeLink>& links, bool world) {
  return std::make_unique<Pinocchio>(links, world);
}

}  // namespace vinculum::bench
