// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// State -> State. An integrator owns its workspace; after the first steps it does not allocate.
#pragma once

#include "vinculum/collide/contact_set.hpp"
#include "vinculum/motion/turn.hpp"
#include "vinculum/solvers/solver.hpp"
#include "vinculum/system/controller.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::integrators {

using algebra::Pose;
using algebra::Vec3;

/// How a contact entered the step (modes.hpp).
enum class Mode : std::uint8_t {
  impact,     // closes during the step at its present velocity, or is perfectly elastic: Newton's restitution
  held,       // closed and not opening at the start: stays so at the next node
  landing,    // closes later in the step: gap zero at its end
  bond,       // bilateral
  acting,     // a law of the Lagrangian part that is no contact: friction with a given load, springs, dampers
  projected,  // took part in the position projection at the end of the step: Lambda = 0, Pi != 0
  settled,    // likewise before the first step, where the scene starts in violation (Integrator::settle)
  wedged,     // of several that contradict each other: no velocity, whatever its gap; Pi holds the witness (wedge.hpp)
  nudged,     // projected by the rows and masses at q_m, since the violation is small (nudge.hpp)
};
std::string_view to_string(Mode mode);
/// Whether the record moves the configuration and carries no impulse.
constexpr bool is_lift(Mode mode) { return mode == Mode::projected || mode == Mode::settled || mode == Mode::nudged; }

/// One block of the step's contact problem, as stored in a trace. Everything the auditor cannot recompute from q, v and
/// the scene is the choice of features and the impulses.
struct ContactRecord {
  std::int32_t shape_a = 0, shape_b = 0;  // shape indices; for a rod -1, for a law of the Lagrangian part -2, for laws
                                          // of trees -3 to -8 (tree_laws.hpp), and its index
  std::uint32_t feature_id = 0;
  Mode mode = Mode::impact;
  collide::Feature feature;
  Vec3 point = Vec3::Zero();                 // of action, world, at q_m (of lifts: where its repetition starts)
  Vec3 n = Vec3::Zero(), t1 = Vec3::Zero();  // frame there; t2 = n × t1
  double gap = 0;                            // there
  Vec3 Lambda = Vec3::Zero();                // N s: N, T1, T2
  Vec3 Pi = Vec3::Zero();                    // position impulse of a projected one along the rows of its law, kg m
                                             // (kg m² for turns); of a wedged one its part of the self-stress
  std::int32_t round = 0;                    // repetition of the projection, from 1; 0 for the others
};

/// What a step did, in SI units.
struct Ledger {
  double kinetic = 0, potential = 0;  // at the end of the step, J
  double work_forces = 0;             // of applied forces other than gravity, J
  double work_impact = 0;             // of normal impulses, J (<= 0)
  double work_friction = 0;           // of tangential impulses, J (<= 0)
  double work_bonds = 0;              // of bilateral impulses
  double sum() const { return work_forces + work_impact + work_friction + work_bonds + scheme; }
  double scheme = 0;  // what the scheme itself added: positive contact work, projection, quadrature of forces
};

/// Forces of redundant bonds that no law determines (undetermined.hpp): in how many directions, and who carries them.
struct Undetermined {
  int directions = 0;
  std::vector<int> couplings, closures, links;  // of the forest
};

struct StepRecord {
  std::int64_t step = 0;  // index of the step: from state n to state n + 1
  double t = 0, dt = 0;   // at its start
  std::vector<ContactRecord> contacts;
  std::vector<double> ctrl;  // of each actuator through the step, before clamping
  solvers::Report solver;
  Ledger ledger;
  double penetration = 0;         // deepest at q_{n+1}, m (>= 0)
  double penetration_before = 0;  // the same before the projection
  double shift = 0;               // largest displacement by the projection, m
  double violation = 0;           // worst gap, limit, rod or loop at q_{n+1}, in units of the bodies: above the
                                  // tolerance the projection has stalled
  std::size_t candidates = 0;     // contacts found by the search
  std::size_t asleep = 0;         // bodies left out because they rest (sleep.hpp)
  int undetermined = 0;           // directions in which bonds are redundant
  motion::Turn turn;              // the largest; beyond motion::kFollowed a touch may be missed
};

/// How a scene that starts in violation was brought onto its constraints.
struct Settling {
  int rounds = 0;                         // M-metric projections; 0: there was nothing to do
  double before = 0, after = 0;           // worst violation, in units of the bodies; angles in radians
  std::int32_t shape_a = 0, shape_b = 0;  // whose that was at the start, as in ContactRecord
  double shift = 0;                       // largest displacement of a point of a body, m
};

struct Settings {
  double dt = 1e-3;
  double tol = 1e-8;
  const solvers::SolverType* solver = nullptr;
  bool sleep = true;                   // leave out what rests; the answer is the same
  system::Controller controller = {};  // empty: the scene moves its actuators
};

/// The motion has left all bounds: a body moves by no number, or by more than kLargestMove of its size in a step, or a
/// joint by a million radians or metres. The state is that of the last step that was taken.
class Diverged : public std::runtime_error {
 public:
  Diverged(int who, double t) : std::runtime_error(text(t)), body(who) {}
  Diverged(const std::string& who, double t) : std::runtime_error(text(t)), joint(who) {}
  int body = system::world;
  std::string joint;  // of that velocity, where it is one

 private:
  static std::string text(double t) { return "the motion diverges at t = " + std::to_string(t) + " s"; }
};
inline constexpr double kLargestMove = 1e9;

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Before the first step: moves a configuration that overlaps, exceeds limits or leaves loops open onto its
  /// constraints, velocities kept. The record of the next step ends with the position impulses (Mode::settled).
  virtual Settling settle(system::State&) { return {}; }
  /// Advances the state by one step and describes it in `record` (buffers are reused). Throws Diverged.
  virtual void step(system::State& state, StepRecord& record) = 0;
  /// The contact problem of the last step as it was last solved, for study; null where the integrator poses none.
  virtual const contact::ContactProblem* problem() const { return nullptr; }
  /// What the last step leaves open: of the impulses that act alike it gives the smallest.
  virtual Undetermined undetermined() const { return {}; }
  /// All that the next step depends on besides the state (warm starts), for bit-exact resumption.
  virtual std::vector<double> save() const = 0;
  virtual void restore(std::span<const double> memory) = 0;
};

struct IntegratorType {
  std::string_view name;
  std::string_view text;
  std::unique_ptr<Integrator> (*make)(const system::System& system, const Settings& settings);
};

std::span<const IntegratorType> integrator_types();
const IntegratorType* find_integrator_type(std::string_view name);

}  // namespace vinculum::integrators
