// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One recorded step rebuilt from q, v, Λ and the scene alone, by the equations of the scheme written out once more:
//
//   q_m = Φ(dt/2; q_k, p_k), q_e = Φ(dt/2; q_m, p_k), q* = Φ(dt/2; q_m, p_{k+1}),   p = M(q) v
//   p_f = p_k + dt h(q_m);   per contact: gaps, frames, γ at these instants, β, mode, ξ, and c = ξ − G Λ
//
// The integrator's code is not used; what it stored beside q, v, Λ and the choice of features is only compared.
#pragma once

#include "vinculum/checks/coordinates.hpp"
#include "vinculum/checks/solids.hpp"
#include "vinculum/checks/trees.hpp"
#include "vinculum/trace/trace.hpp"

#include <memory>
#include <vector>

namespace vinculum::checks {

/// Momenta of all bodies.
struct Momentum {
  std::vector<Vec3> p, l;
};

/// Where a contact is and how it moves at one instant, in its own frame there.
struct LocalView {
  Mat3 F = Mat3::Identity();  // columns n, t1, t2
  Vec3 p_a = Vec3::Zero(), p_b = Vec3::Zero(), point = Vec3::Zero();
  double gap = 0;
  double sine = 1;  // of the tilt of a rim, of the angle between two edges: at 0 there is no point of contact
};

struct ContactView {
  const ContactRecord* record = nullptr;
  int body_a = model::world, body_b = model::world;
  bool bond = false;
  int rows = 1;
  model::Pair law;       // mu, e_N, e_T
  LocalView mid;         // at q_m, from the recorded features
  std::size_t lift = 0;  // projected: the repetition, an index of Replay::lifts
  double gap_node = 0;
  Vec3 gamma_node = Vec3::Zero(), gamma_minus = Vec3::Zero(), gamma_free = Vec3::Zero(), gamma_plus = Vec3::Zero(),
       beta = Vec3::Zero();
  bool mode_agrees = true;             // the recorded mode follows from the node, whichever way the thresholds round
  Vec3 xi = Vec3::Zero();              // argument of the law for the recorded mode
  Vec3 c = Vec3::Zero();               // the same for Λ = 0
  bool rests = false, sticks = false;  // what is added to γ⁺ is that of two surfaces that stay together
  Vec3 dropped = Vec3::Zero();         // wedged: ξ − γ⁺ of the law that it would else have
  double weight = 1;                   // d_i = (tr G_ii / rows)^(-1/2), √kg
  std::string name;                    // "block - floor"
};

/// A law that took part in a repetition of the projection.
struct LiftView {
  const ContactRecord* record = nullptr;
  bool one_sided = false;
  bool stands = false;  // trees, no loops: a closed contact that carries an impulse in this step may be kept so
  double gap = 0;       // where the repetition starts, and how far free bodies may overlap where it ends
  double gap_end = 0;   // linearised: that and Wᵀ δq
  double weight = 1;    // d = (Wᵀ M⁻¹ W)^(-1/2), √kg
  std::string name;
};

/// One repetition of the projection, linearised at q; a nudge, with the rows and masses at q_m.
struct Lift {
  Placement q;
  std::vector<LiftView> views;  // contacts, rods, limits
  double gap_off = 0;           // laws of joints: recorded gap against that at q, relative to 1 and the coordinates
  std::string gap_where;
  bool settling = false;  // before the first step
};

class Replay {
 public:
  Replay(const model::Model& model, const trace::Header& header);

  /// Rebuilds recorded step i of the trace; false when the free rotation did not converge (spin of radians per step).
  bool load(const trace::Reader& reader, std::size_t i, double tol);

  const model::Model& model;
  double tol = 0, dt = 0, t = 0;
  trace::Row before, after;
  integrators::StepRecord record;
  Placement q_k, q_m, q_e, q_star, q_1;
  Momentum p_k, p_f, p_1;
  std::vector<ContactView> contacts;   // with impulses
  std::vector<ContactView> projected;  // of the position projection, each where its repetition starts
  std::vector<Lift> lifts;             // the repetitions: of the settling before step 0, then of the projection
  Placement q_lifted;                  // q* after all of them
  VectorXd tree_lifted;                // likewise, of the joints
  Placement q_start;                   // step 0: the scene's own placement after the recorded settling
  VectorXd tree_start;                 // likewise, of the joints
  bool rounds_in_order = true;         // repetitions are numbered 1, 2, ... as they follow one another; no Π outside
  std::vector<double> controls;        // of the actuators: the scene's, or the recorded ones of a program
  bool driven = false;                 // by a program
  std::vector<double> size;            // of each body: reach of its shapes from the centre of mass, m
  double length_scale = 1;             // median of the sizes
  double work_forces = 0;
  int record_every = 1;                      // of the trace
  std::unique_ptr<Coordinates> coordinates;  // the Lagrangian part; null: none
  std::unique_ptr<Trees> trees;              // the jointed bodies; null: none
  MatrixXd redundant;         // columns: impulses of bonds that change no motion, over the rows of laws, then rods
  std::size_t bond_rows = 0;  // of laws among them
  Speeds at_node, at_mid, at_free, at_plus, at_end;  // (q_k, v) (q_m, v) (q_m, v_f) (q_m, v⁺) (q_e, v)

  Undetermined undetermined() const;
  Solid solid(std::size_t shape, const Placement& q) const;
  double kinetic(std::size_t body, const Mat3& R, const Momentum& momentum) const;
  double potential(std::size_t body, const Placement& q) const;
  std::string body_name(int body) const;
  /// The instant of a half of the step at which the recorded features touch first, or, if they only came near when
  /// others of the pair touched, were nearest: the contact of a body that passed through another within the step. `q`
  /// is the placement there. False when there is none. `near`, from 0 to 1: not where they touch but before, as much of
  /// the way as features may be apart that join a first touch.
  bool touch(const ContactView& contact, bool first_half, double near, LocalView& at, Placement& q) const;
  /// Size of the smaller of two bodies.
  double pair_size(int a, int b) const;

 private:
  Vec3 angular_velocity(std::size_t body, const Mat3& R, const Vec3& l) const;
  bool fly(const Placement& from, const Momentum& momentum, double time, Placement& to) const;
  void follow(bool first_half, double time, Placement& q) const;
  void apply_forces();
  LocalView view_of(const ContactRecord& contact, int a, int b, const Placement& q, const Vec3& along) const;
  Vec3 gamma(const LocalView& at, int a, int b, const Placement& q, const Speeds& speeds) const;
  void speeds_of(const Placement& q, const Momentum& momentum, Speeds& out) const;
  void place_links();
  void find_free();
  void rebuild_joint_laws(double tau_v, double tau_g);
  void drop_redundant_parts();
  JointLawView rebuild(const ContactRecord& record, const JointLaw& law, double tau_v, double tau_g);
  double stiffness_of(const Pushes& unit) const;
  void replay_projection();
  void replay_lifts(bool settling);
  bool may_be_nudged() const;
  const LocalView* acting_view(const ContactView& lifted, double& off) const;
  void place_scene(Placement& q, VectorXd& tree) const;
  void replay_repetition(std::span<const ContactRecord* const> records);
  ContactView rebuild(const ContactRecord& contact, double tau_v, double tau_g);
  bool stands(const ContactView& lifted) const;
  double gap_tolerance(const ContactView& contact) const;
  bool all_free() const;
  double spin_of(int body) const;
  void set_law(ContactView& view, Mode decided, double tau_v);
  void agree_on_patches();
  double motion_of_stress() const;
  void judge_wedges();

  Pushes unit_;  // scratch: of one contact
};

/// Cay(a) = (1 − a^/2)⁻¹ (1 + a^/2).
Mat3 cayley(const Vec3& a);

}  // namespace vinculum::checks
