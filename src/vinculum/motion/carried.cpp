// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/carried.hpp"

#include <string>

namespace vinculum::motion {

using Eigen::VectorXd;

CarriedFrames::CarriedFrames(const system::Forest& forest)
    : forest_(forest), part_(*forest.part), n_(forest.part->size()), point_(forest.part->make_point()) {}

void CarriedFrames::set(double t, const VectorXd& v) {
  u_ = v.tail(n_);
  part_.set(t, q_, u_, point_);
}

void CarriedFrames::place(const VectorXd& q) {
  q_ = q.tail(n_);
  u_.setZero(n_);
  part_.set(0, q_, u_, point_);
  part_.frames(point_, x_);
  part_.frame_directions(point_, W_);
}

void CarriedFrames::write_poses(system::Configuration& q) const {
  for (std::size_t k = 0; k < forest_.body_of_frame.size(); ++k) {
    const auto b = static_cast<std::size_t>(forest_.body_of_frame[k]);
    const auto i = static_cast<Eigen::Index>(4 * k);
    q.x[b] = x_.segment<3>(i);
    q.R[b] = algebra::Quat(Eigen::AngleAxisd(x_[i + 3], forest_.frame_axis[k]));
  }
}

void CarriedFrames::velocity(const VectorXd& v, Velocity& out) const {
  for (std::size_t k = 0; k < forest_.body_of_frame.size(); ++k) {
    const auto b = static_cast<std::size_t>(forest_.body_of_frame[k]);
    const auto i = static_cast<Eigen::Index>(4 * k);
    out.v[b] = W_.middleCols<3>(i).transpose() * v.tail(n_);
    out.w[b] = W_.col(i + 3).dot(v.tail(n_)) * forest_.frame_axis[k];
  }
}

void CarriedFrames::factor(double t) {
  part_.mass(point_, M_);
  if (M_.allFinite()) factor_.compute(M_);
  if (M_.allFinite() && factor_.info() == Eigen::Success) return;
  throw base::InputError("lagrangian: found a mass matrix that is not positive definite at t = " + std::to_string(t) +
                         " s, expected one that is");
}

void CarriedFrames::multiply(const VectorXd& v, VectorXd& Mv) const { Mv.tail(n_).noalias() = M_ * v.tail(n_); }

void CarriedFrames::add_forces(double t, double dt, const VectorXd& mean, VectorXd& out) {
  set(t, mean);
  part_.forces(point_, forces_);
  out.tail(n_) += dt * (forces_.head(n_) + forces_.segment(n_, n_) + forces_.tail(n_));
}

void CarriedFrames::solve(VectorXd& x) const {
  whiten(x);
  unwhiten(x);
}
void CarriedFrames::unwhiten(VectorXd& x) const {
  auto tail = x.tail(n_);
  factor_.matrixU().solveInPlace(tail);
}
void CarriedFrames::whiten(VectorXd& x) const {
  auto tail = x.tail(n_);
  factor_.matrixL().solveInPlace(tail);
}
void CarriedFrames::weigh(VectorXd& x) const { x.tail(n_) = (factor_.matrixU() * x.tail(n_)).eval(); }

void CarriedFrames::add_impulse(int body, const Vec3& y, const Vec3& F, VectorXd& tau) const {
  tau.tail(n_).noalias() += W_.middleCols<3>(frame(body)) * F;
  add_couple(body, (y - x_.segment<3>(frame(body))).cross(F), tau);
}

void CarriedFrames::add_couple(int body, const Vec3& m, VectorXd& tau) const {
  const Vec3& axis = forest_.frame_axis[static_cast<std::size_t>(frame(body) / 4)];
  tau.tail(n_) += axis.dot(m) * W_.col(frame(body) + 3);
}

const VectorXd& CarriedFrames::row(int body, const Vec3& y, const Vec3& F, const Vec3& m) {
  row_.setZero(n_);
  add_impulse(body, y, F, row_);
  add_couple(body, m, row_);
  whiten(row_);
  return row_;
}

double CarriedFrames::kinetic(const VectorXd& v) {
  set(0, v);
  return part_.kinetic(point_);
}

double CarriedFrames::potential() const { return part_.potential(point_); }

double CarriedFrames::work(double t, double dt, const VectorXd& mean) {
  set(t, mean);
  part_.forces(point_, forces_);
  return dt * forces_.tail(n_).dot(mean.tail(n_));
}

}  // namespace vinculum::motion
