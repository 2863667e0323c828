// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Path following in contact space, for what stalls every other method. The problem with a weight α around a centre r₀,
//   law(u + α (x − r₀), x),   u = W x + q,
// has the one solution x ≈ r₀ for large α, and at α = 0 is the problem itself. Its solutions form a path from there to
// here (Leray & Schauder: the degree is 1 for every α while solutions stay bounded), but a path that turns back:
// proximal Newton, which only lowers α, stands still at each such fold. So α is an unknown like the others. With
// s = ln α, F(x, s) = 0 the law as equations (explicit_law.hpp), G = ∂F/∂x = P (W + α) + Q, F_s = α P (x − r₀):
//   tangent    G x' + F_s s' = 0,   |x'|²/|x − r₀|² + s'² = 1
//   direction  det [G F_s; x'ᵀ s'] keeps its sign along a path, also where F has a kink, and that is the sign of
//              det G · s':  α falls where det G > 0 and rises where det G < 0, as Lemke's pivoting does
//   predictor  (x, s) + h (x', s');   corrector: Newton on F = 0 in the plane across the tangent
// h grows while that is easy, over many kinks at a time (contacts that open, close, stick, slip); where the path turns
// back right at a kink no plane beyond it meets the path, and the step goes to the kink and starts from its far side.
// On the way down proximal Newton tries to finish from there.
#pragma once

#include "vinculum/solvers/explicit_prox.hpp"
#include "vinculum/solvers/explicit_run.hpp"

namespace vinculum::solvers {

template <int Rows>
class ContactPath {
 public:
  using Errors = typename ContactSpace<Rows>::Errors;
  struct Limits {
    double aim = 3e-9;  // unit-free error, for Errors::miss
    double tol = 1e-8;  // of FCLIB's error
    int newton_steps = 3000;
  };
  struct Outcome {
    bool reached = false;
    Errors errors = {};  // of the point returned
    int newton_steps = 0;
    int folds = 0;  // where α turned
  };

  /// Starts at the centre r, admissible; leaves the best point found there.
  Outcome run(const ContactSpace<Rows>& space, ContactMatrix<Rows>& matrix, const Limits& limits,
              std::vector<double>& r);

  /// Three paths, each other than the last: from the best point (the shortest), from zero, and from contacts pressed by
  /// their mean impulse. At most `steps` Newton steps each.
  void follow(ContactRun<Rows>& frame, int steps);

 private:
  static constexpr int stride = ContactSpace<Rows>::stride;
  struct Point {
    std::vector<double> x;
    double s = 0;
  };
  double rho(double alpha) const;
  double distance() const;
  double residual(const Point& at);
  double close_enough(const Point& at) const;
  bool linearise(const Point& at);
  bool start(double alpha);
  bool find_tangent();
  double first_kink();
  void advance(double h, Point& to) const;
  bool correct(double h);
  bool step(double& h);
  bool look(std::vector<double>& r);
  bool hand_over(std::vector<double>& r);
  bool offer(const Errors& errors, std::vector<double>& r);
  bool spent() const { return outcome_.newton_steps >= limits_.newton_steps; }

  const ContactSpace<Rows>* space_ = nullptr;
  ContactMatrix<Rows>* matrix_ = nullptr;
  ContactProx<Rows> prox_;
  Limits limits_;
  Outcome outcome_;
  std::vector<double> centre_;
  Point at_, trial_;                                              // on the path; on the way to its next point
  std::vector<double> tangent_;                                   // x'
  double tangent_s_ = 0, scale_ = 0;                              // s', |x − r₀|²
  int sign_ = 1, direction_ = -1, corrections_ = 0;               // of det G; of s'; Newton steps of the last corrector
  double handed_ = 0;                                             // error at the last hand-over
  std::vector<double> v_, newton_, slope_, product_, candidate_;  // W x + q; G⁻¹F; G⁻¹F_s; W x'
  std::vector<LawPoint<Rows>> point_;
};

}  // namespace vinculum::solvers
