// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Force laws as superpotentials of a gap coordinate x of one to three rows.          theory/glocker-1998.md
//
//   −f ∈ ∂P(x)                P = V of the gap (level displacement) or P = Φ of its rate (level velocity)   (4.2)
//   (10.1) P^(x; p) = sup { ⟨p, y⟩ : y ∈ ∂P(x) } (2.7)
//
// ∂ is the generalised gradient (Clarke). The next levels need only the set C = ∂V(x):
//
//   Φ(p) = V^(x; p) = h_C(p)           ∂Φ(u) = face of C exposed by u          ∂Φ(0) = ∂V(x)              (6.7) (6.10)
//   Ψ(p) = Φ^(u; p) = h_{∂Φ(u)}(p)     ∂Ψ(a) = face of ∂Φ(u) exposed by a      ∂Ψ(0) = ∂Φ(u)              (6.4) (6.11)
//
// A velocity law starts at Φ. In the past, before an instant, time runs backwards: u changes sign for displacement
// laws (6.13–6.15), a and not u for velocity laws (10.6–10.8), where the law is no longer monotone.
//
// u and a are the rate and the acceleration of the gap itself, ẍ = Wᵀa + Ẇᵀu: the drift is in it (trap "curvature").
// Sets hold MINUS the force. A law that is not integrable (friction whose load is itself unknown) has no potential and
// throws base::InputError when asked for one; with_load gives the law that it is under a given load.
#pragma once

#include "vinculum/convex/set.hpp"

#include <memory>

namespace vinculum::potentials {

using convex::SetPtr;
using convex::Vec;

enum class Level { displacement, velocity };

class Superpotential;
class SupportLaw;
using LawPtr = std::shared_ptr<const Superpotential>;

/// Where a number counts as zero, in its own unit.
struct Tolerances {
  double gap = 0;           // m
  double rate = 0;          // m/s
  double acceleration = 0;  // m/s²
};

/// Of a past law: −f⁻ ∈ ∂Ψ(a⁻) for displacement laws, −f⁻ ∈ ∂Ψ(−a⁻) for velocity laws.
struct PastLaw {
  SetPtr reservoir;  // ∂Ψ(0)
  bool acceleration_reversed = false;

  /// The set of −f⁻ at the left acceleration a⁻.
  SetPtr gradient_set(const Vec& a, double tol = 0) const;
  /// What the least-constraint cost gains: Ψ(a⁻), or −Ψ(−a⁻), which is concave: stationary points only, maybe several.
  double cost(const Vec& a) const;
  /// Stationary points are unique: Ψ convex, or linear.
  bool is_convex() const;
};

/// Where a law stands (digest, section 3).
enum class State {
  penetration,  // x off the domain of V: an error of the state
  open,         // ∂V(x) is one force; for contact g > 0
  separating,   // ∂Φ(u) is one force; for contact g = 0 < ġ; for friction: it slides
  impact,       // u off the domain of Φ: no force, only an impulse can answer
  active        // ∂Φ(u) has many forces, among which the acceleration chooses; bonds are always active
};
const char* name(State state);

/// State and the reactions (−f) open to the acceleration problem: ∂Φ(u); empty on penetration and impact.
struct Standing {
  State state;
  SetPtr reactions;
};

class Superpotential : public std::enable_shared_from_this<Superpotential> {
 public:
  virtual ~Superpotential() = default;

  virtual Level level() const = 0;
  virtual int rows() const = 0;
  virtual bool is_convex() const { return true; }
  /// epi P is regular everywhere: P^ is the true slope.
  virtual bool is_regular() const { return true; }
  /// Comes from a potential.
  virtual bool is_integrable() const { return true; }
  /// Never gives energy: ⟨y, u⟩ ≥ 0 for y ∈ ∂P(u). Said of velocity laws.
  virtual bool is_dissipative() const { return false; }
  /// P(s x) = s P(x), s ≥ 0: the law is all in ∂P(0), and P is its support function.
  virtual bool is_homogeneous() const { return false; }

  /// Closure of dom P where it is convex; nullptr where it is not.
  virtual SetPtr domain() const { return convex::make_space(rows()); }
  /// P(x); +inf off its domain.
  virtual double potential(const Vec& x) const = 0;
  /// ∂P(x), x within tol of a kink or of the domain counting as on it; empty off the domain.
  virtual SetPtr gradient_set(const Vec& x, double tol = 0) const = 0;
  /// argmin P(z) + |z − x|²/(2r). One row, convex: by bisection; smooth of more rows: by Newton; others say their own,
  /// also where P is not convex (one of the minima).
  virtual Vec prox(const Vec& x, double r) const;
  /// P*(y) = sup ⟨y, z⟩ − P(z) of a convex P, found by the proximal point method; NaN if P is not convex.
  virtual double conjugate(const Vec& y) const;
  /// This law under a given normal force (N, ≥ 0); itself if it does not ask for one.
  virtual LawPtr with_load(double normal_force) const;

  /// P^(x; p) = support of ∂P(x); +inf where x is off the domain.
  double derivative(const Vec& x, const Vec& p, double tol = 0) const;
  /// Distance of −f to ∂P(x); +inf off the domain.
  double residual(const Vec& minus_f, const Vec& x, double tol = 0) const;
  /// P(x) + P*(−f) − ⟨−f, x⟩ ≥ 0, zero iff −f ∈ ∂P(x) (6.8–6.9); NaN if P is not convex.
  double fenchel_gap(const Vec& minus_f, const Vec& x) const;

  /// ∂Φ(0): ∂V(x) of a displacement law; ∂Φ(0) of a velocity law, which does not see x.
  SetPtr velocity_set(const Vec& x, double tol = 0) const;
  /// ∂Φ(u) = ∂Ψ(0).
  SetPtr acceleration_set(const Vec& x, const Vec& u, const Tolerances& tol = {}) const;
  /// ∂Ψ(a).
  SetPtr reaction_set(const Vec& x, const Vec& u, const Vec& a, const Tolerances& tol = {}) const;
  /// Φ as a law of its own. A velocity law is its own Φ.
  LawPtr velocity_law(const Vec& x, double tol = 0) const;
  /// Ψ as a law of its own: the support function of ∂Φ(u).
  LawPtr acceleration_law(const Vec& x, const Vec& u, const Tolerances& tol = {}) const;
  PastLaw past_law(const Vec& x, const Vec& u_minus, const Tolerances& tol = {}) const;
  Standing standing(const Vec& x, const Vec& u, const Tolerances& tol = {}) const;
};

/// h_C as a velocity law: −f ∈ face of C. Serves all derived levels and all friction with a given load.
class SupportLaw : public Superpotential {
 public:
  explicit SupportLaw(SetPtr set) : set_(std::move(set)) {}
  const SetPtr& set() const { return set_; }

  Level level() const override { return Level::velocity; }
  int rows() const override { return set_->dimension(); }
  bool is_dissipative() const override { return set_->contains(Vec::Zero(rows()), 1e-14); }
  bool is_homogeneous() const override { return true; }
  double potential(const Vec& x) const override { return set_->empty() ? -set_->support(x) : set_->support(x); }
  SetPtr gradient_set(const Vec& x, double tol = 0) const override { return set_->face(x, tol); }
  Vec prox(const Vec& x, double r) const override { return x - r * set_->project(x / r); }
  double conjugate(const Vec& y) const override;

 private:
  SetPtr set_;
};

}  // namespace vinculum::potentials
