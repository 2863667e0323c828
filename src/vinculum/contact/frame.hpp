// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The local frame of one contact and the force directions it gives.
//
// Point of action: half way between the two surface points, common to both bodies, so that an impulse and its reaction
// cancel in momentum and in moment. n points from a to b:
//   γ = (n, t₁, t₂)ᵀ (v_b + w_b × r_b − v_a − w_a × r_a),      dγ_N > 0 opens the contact
//   p_b += F Λ,  l_b += r_b × F Λ,  p_a −= F Λ,  l_a −= r_a × F Λ,      F = (n t₁ t₂)
#pragma once

#include "vinculum/collide/contact_set.hpp"
#include "vinculum/contact/problem.hpp"
#include "vinculum/contact/tree_rows.hpp"
#include "vinculum/motion/velocity.hpp"

namespace vinculum::contact {

using algebra::Mat3;

struct Frame {
  int body_a = system::world, body_b = system::world;
  Mat3 F = Mat3::Identity();  // columns n, t1, t2
  Vec3 point = Vec3::Zero();
  Vec3 r_a = Vec3::Zero(), r_b = Vec3::Zero();  // from the centres of mass to the point
};

/// t₁ is the direction closest to `along`, or a fixed function of n when `along` is zero or parallel to n.
Frame make_frame(const collide::Kinematics& at, int body_a, int body_b, const system::Configuration& q,
                 const Vec3& along = Vec3::Zero());

/// The same in two parts: n, the point and its place on the bodies, and then the tangents.
Frame place_frame(const collide::Kinematics& at, int body_a, int body_b, const system::Configuration& q);
void set_tangents(const Vec3& along, Frame& frame);

/// γ for the given velocities, in the axes of the frame.
Vec3 local_velocity(const Frame& frame, const motion::Velocity& velocity);

/// γ_N alone.
double normal_velocity(const Frame& frame, const motion::Velocity& velocity);

/// Adds the impulse Λ (in the axes of the frame) to the momenta.
void add_impulse(const Frame& frame, const Vec3& Lambda, std::vector<Vec3>& p, std::vector<Vec3>& l);

/// R C⁻ᵀ of each body, I = C Cᵀ: the turning part of L⁻ᵀ. Any factor will do, so that a ball needs no R.
void make_turns(const system::System& system, const system::Configuration& q, std::vector<Mat3>& turn);

/// Appends the block of a contact: J = Wᵀ L⁻ᵀ; `rows` of the frame take part. `turn`: make_turns(). `trees` serves
/// linked bodies; null where there are none.
void add_block(const system::System& system, const std::vector<Mat3>& turn, const Frame& frame, laws::Kind law,
               int rows, double mu, const Vec3& c, TreeRows* trees, ContactProblem& problem);

/// The entries of a block on relative motion and turning: rows F.col(k)·(relative velocity of the point) +
/// N.col(k)·(w_b − w_a). Where F or N is zero its part is left out.
void add_motion(const system::System& system, const std::vector<Mat3>& turn, const Frame& frame, const Mat3& N,
                int rows, TreeRows& trees, ContactProblem& problem);

/// Ends a block whose entries have been written: its law and free part.
void close_block(laws::Kind law, int rows, double mu, const Vec3& c, ContactProblem& problem);

}  // namespace vinculum::contact
