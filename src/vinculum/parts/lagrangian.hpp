// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A part given by its energies, in n generalised coordinates q with velocities u = q':
//
//   T(t, q, u) = ½ uᵀ M u + bᵀ u + T_0,   M, b, T_0 functions of (t, q)     (b, T_0 ≠ 0: rheonomic)
//   d/dt ∂T/∂u − ∂T/∂q = f + W λ   <=>   M a = h + f + W λ
//   h = ∂T/∂q − (∂²T/∂u∂q) u − ∂²T/∂u∂t        gyroscopic: −Γ_ijk u_j u_k and what the frame's motion adds
//   f = −∂U/∂q + F                              applied                      Glocker (1998) (3.10)–(3.13), (3.21)
//
// Laws act on rows: gap coordinates x(t, q), or rates γ(t, q, u) affine in u. Of each row
//   γ = ẋ,   W = ∂γ/∂u,   γ̇ = Wᵀ a + w,   w = (∂γ/∂q) u + ∂γ/∂t     (the drift: curvature, moving frames, turning rows)
// All derivatives are exact (expr/).
#pragma once

#include "vinculum/expr/program.hpp"
#include "vinculum/model/lagrangian.hpp"
#include "vinculum/potentials/registry.hpp"

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace vinculum::parts {

/// What a law is to those who step it or check it; found from the law itself, not from its name.
enum class Role {
  contact,     // x >= 0 and no force inside: one row
  bond,        // x = 0 or γ = 0, any reaction
  gap_force,   // every other law of a gap
  rate_force,  // every other law of a rate
  coupled,     // friction that answers the reaction of a contact
};

/// A law and the rows that it acts on.
struct RowLaw {
  std::string name, type;
  base::Place place;  // in the scene, with its path law[2]
  std::string path;
  potentials::LawPtr law;
  Role role = Role::rate_force;
  int first = 0, rows = 1;  // of g, γ, W
  bool has_gap = false;     // x is known, not only its rate
  double e = 0;             // Newton restitution
  int normal = -1;          // coupled: the contact whose reaction is its load
  int friction = -1;        // contact: the friction coupled to it
  double mu = 0;            // coupled

  /// A contact or a bond of gaps: its gaps are kept, not only its rates.
  bool holds_gap() const {
    return role == Role::contact || (role == Role::bond && law->level() == potentials::Level::displacement);
  }
};

/// t, q, u and the parameters in the order of the symbols: the argument of every evaluation.
struct Point {
  std::vector<double> values;
};

class Lagrangian {
 public:
  /// Throws base::InputError at the place of a wrong text.
  Lagrangian(const model::Lagrangian& part, const std::vector<model::ForceLaw>& laws,
             const std::vector<std::vector<model::Formula>>& frames = {});

  Eigen::Index size() const { return n_; }
  Eigen::Index rows() const { return rows_; }
  const std::vector<RowLaw>& laws() const { return laws_; }
  const std::vector<std::string>& coordinates() const { return coordinates_; }

  Point make_point() const;
  void set(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, Point& point) const;

  void mass(const Point& point, Eigen::MatrixXd& M) const;
  void forces(const Point& point, Eigen::VectorXd& all) const;  // 3 n: h, −∂U/∂q, F
  /// u·∂T/∂u − T: the kinetic energy, or what takes its place in a rheonomic system (Jacobi); with U it changes by F·u
  /// + drive.
  double kinetic(const Point& point) const;
  double drive(const Point& point) const;                   // ∂U/∂t − ∂T/∂t, W
  double potential(const Point& point) const;               // U and the potentials of the gap forces
  void gaps(const Point& point, Eigen::VectorXd& x) const;  // NaN in rows without gap
  void rates(const Point& point, Eigen::VectorXd& gamma) const;
  void directions(const Point& point, Eigen::MatrixXd& W) const;  // n × rows
  void drift(const Point& point, Eigen::VectorXd& w) const;

  /// Frames that the coordinates carry, four rows each: x, y, z and an angle, and their derivatives by q (n × 4
  /// frames).
  void frames(const Point& point, Eigen::VectorXd& x) const;
  void frame_directions(const Point& point, Eigen::MatrixXd& W) const;

  /// The formulas, for printing.
  struct Texts {
    std::vector<std::string> M, h, f, gaps, rates, W, drift;
    std::string T, U;
  };
  Texts texts(bool latex) const;

 private:
  using Expr = expr::Expr;
  Expr parse(const model::Formula& formula) const;
  void declare(const model::Lagrangian& part);
  void read_energies(const model::Lagrangian& part);
  void read_laws(const std::vector<model::ForceLaw>& laws);
  void read_law(const model::ForceLaw& law);
  void link_friction(const std::vector<model::ForceLaw>& laws);
  void read_frames(const std::vector<std::vector<model::Formula>>& frames, const model::Lagrangian& part);
  bool has_function(Expr e) const;
  bool is_even(Expr e) const;
  bool vanish(std::vector<Expr> list, Expr size) const;
  void demand_symmetric(const std::vector<Expr>& M, const std::vector<model::Formula>& source) const;
  void demand_velocity(Expr e, const model::Formula& formula) const;
  void demand_no_velocity(Expr e, const model::Formula& formula, std::string_view expected) const;
  void compile_all();

  Eigen::Index n_ = 0, rows_ = 0;
  std::vector<std::string> coordinates_;
  std::vector<double> parameters_;
  std::vector<RowLaw> laws_;
  std::unique_ptr<expr::Pool> pool_;
  Expr t_;
  std::vector<Expr> q_, u_;  // symbols
  Expr T_, U_, kinetic_, drive_;
  std::vector<Expr> M_, h_, minus_dU_, F_, x_, gamma_, W_, w_;  // M row by row; W row of a law by row
  std::vector<Expr> frames_, frame_W_;
  expr::Program run_M_, run_forces_, run_T_, run_drive_, run_U_, run_x_, run_gamma_, run_W_, run_w_, run_frames_,
      run_frame_W_;
};

}  // namespace vinculum::parts
