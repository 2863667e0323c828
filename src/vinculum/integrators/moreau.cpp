// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Moreau's time-stepping in midpoint form: drift – kick – drift, all percussions of the step at its middle.
//
//   1  q_m = Φ(dt/2; q_k, p_k)
//   2  p_f = p_k + dt h(q_m);  active: g_m + dt/2 γ_N(q_m, p_f) <= 0, up to the accuracy of a gap: two bodies that rest
//   on
//      one another fall alike, so γ_N(q_m, p_f) = 0 there and round-off must not decide
//   3  mode and offset of each active contact from the node (q_k, p_k)                               modes.hpp
//   4  solve  ξ = γ(q_m, p_f + W Λ) + offset,  −ξ_i ∈ N_{C_i}(Λ_i);   p_{k+1} = p_f + W Λ
//   5  if an inactive contact has g_m + dt/2 γ_N(q_m, p_{k+1}) < 0: more contacts, back to 4 (only ever add)
//   6  q* = Φ(dt/2; q_m, p_{k+1});   q_{k+1} = projection of q* to g >= 0, p untouched              projection.hpp
//
// Energy, exactly, for constant h:  E_{k+1} − E_k = Σ Λ·(γ⁻ + γ⁺)/2 + W_pos,  W_pos the change of T + V by the
// projection. For e = 1 and no friction each term of the sum is zero: energy is kept to round-off over any number of
// impacts. The smooth part is the θ-method with θ = 1/2, the only θ that keeps energy (docs/decisions/midpoint.md).
#include "vinculum/integrators/energy.hpp"
#include "vinculum/integrators/lagrangian_step.hpp"
#include "vinculum/integrators/margins.hpp"
#include "vinculum/integrators/projection.hpp"
#include "vinculum/integrators/side_by_side.hpp"
#include "vinculum/integrators/sleep.hpp"
#include "vinculum/integrators/step_problem.hpp"
#include "vinculum/motion/flow.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace vinculum::integrators {

using contact::Frame;
using contact::Mat3;
using system::State;

namespace {

constexpr double rough_factor = 100;      // of the tolerance, for a solve that only finds out which contacts close
constexpr double rough_limit = 1e-3;      // above, every solve is rough
constexpr std::size_t few_contacts = 64;  // solved so fast that a rough solve gains nothing
constexpr int tree_rounds = 30;           // of the fixed point in the velocities of trees
constexpr double balanced = 0.02;  // of the tolerance: what it may leave; rows of light links weigh little in its norm
constexpr double surely = 0.5;     // of the tolerance
constexpr int lift_searches = 4;   // after lifts beyond the margins
constexpr int search_rounds = 8;   // each round enlarges the margins by what the solve asked for

/// All of it: a record is used again from step to step.
void write_contact(const Block& block, const Vec3& Lambda, ContactRecord& record) {
  record.shape_a = block.contact->shape_a;
  record.shape_b = block.contact->shape_b;
  record.feature_id = block.contact->feature_id;
  record.mode = block.mode;
  record.feature = block.contact->feature;
  record.point = block.frame.point;
  record.n = block.frame.F.col(0);
  record.t1 = block.frame.F.col(1);
  record.gap = block.view.gap_mid;
  record.Lambda = Lambda;
  record.Pi = block.mode == Mode::wedged ? block.stress : Vec3::Zero();
  record.round = 0;
}

class Moreau final : public Integrator {
 public:
  Moreau(const system::System& system, const Settings& settings)
      : system_(system),
        settings_(settings),
        search_(system),
        trees_(make_trees(system, settings)),
        candidates_(system, settings.dt),
        problem_(system, settings, candidates_, trees_ ? &*trees_ : nullptr),
        projection_(system, settings, trees_ ? &trees_->motion() : nullptr),
        turns_(system),
        warm_start_(trees_.has_value()),
        sleep_(system, settings.sleep, settings.tol),
        margins_(system, settings.dt) {}

  Settling settle(State& state) override;
  void step(State& state, StepRecord& record) override;
  const contact::ContactProblem* problem() const override { return &problem_.problem(); }
  Undetermined undetermined() const override { return problem_.undetermined(); }
  std::vector<double> save() const override;
  void restore(std::span<const double> memory) override;

 private:
  static std::optional<TreeStep> make_trees(const system::System& system, const Settings& settings) {
    return system.forest ? std::optional<TreeStep>(std::in_place, system, settings) : std::nullopt;
  }
  void predict(const State& state);
  bool widen_margins();
  bool closes(const collide::Contact& contact) const;
  bool find_candidates(const State& state, bool again);
  void expect_missed();
  void solve(double tol, bool polish, bool same_matrix);
  bool look_for_missed();
  bool hold_impulses();
  bool take_correction();
  void write_record(const State& state, bool settles, StepRecord& record);
  motion::Energy energy(State& state);
  bool is_beyond(collide::Search& search, const system::Configuration& searched, const system::Configuration& q);
  collide::Search& search_beyond() { return search_beyond_ ? *search_beyond_ : search_beyond_.emplace(system_); }
  Projection::Result lift(State& state, StepRecord& record);

  const system::System& system_;
  Settings settings_;
  collide::Search search_;
  std::optional<TreeStep> trees_;
  Candidates candidates_;
  StepProblem problem_;
  Projection projection_;
  motion::Turns turns_;
  WarmStart warm_start_;
  Sleep sleep_;
  std::vector<ContactRecord> settled_;  // before the first step, until its record takes them

  // Workspace of one step.
  Places at_;
  std::vector<Vec3> p_k_, l_k_, p_f_, l_f_, p_1_, l_1_;
  Margins margins_;
  bool repeated_ = false;     // the candidates, and q_m, are those of the last search
  bool searched_ = false;     // the candidates changed since the last step
  bool swept_ = false;        // some are first touches on the way
  collide::ContactSet late_;  // what bodies that became faster meet beside them
  // Lifts beyond the margins:
  bool lifted_far_ = false;
  std::optional<collide::Search> search_beyond_;
  collide::ContactSet beyond_;
  system::Configuration q_lifted_;
  collide::Marks left_, stayed_;  // bodies beyond and within their margins
  std::vector<double> no_margin_;
};

/// Sleepers, impulses, then the trees.
std::vector<double> Moreau::save() const {
  std::vector<double> memory = sleep_.save();
  const std::vector<double> impulses = warm_start_.save();
  memory.insert(memory.end(), impulses.begin(), impulses.end());
  if (trees_) trees_->save(memory);
  return memory;
}

void Moreau::restore(std::span<const double> memory) {
  memory = memory.subspan(sleep_.restore(memory));
  if (trees_) memory = memory.first(memory.size() - trees_->restore(memory));
  warm_start_.restore(memory);
}

/// q_m, q_e, p_f and the velocities there.
void Moreau::predict(const State& state) {
  const double half = 0.5 * settings_.dt;
  at_.q_k = state.q;
  p_k_ = state.p;
  l_k_ = state.l;
  motion::drift(system_, half, at_.q_k, p_k_, l_k_, at_.q_m);
  motion::drift(system_, half, at_.q_m, p_k_, l_k_, at_.q_e);
  p_f_ = p_k_;
  l_f_ = l_k_;
  motion::kick(system_, state.t + half, settings_.dt, at_.q_m, p_f_, l_f_);
  for (std::size_t b = 0; sleep_.anyone() && b < p_f_.size(); ++b) {
    if (sleep_.asleep(static_cast<int>(b))) p_f_[b] = p_k_[b], l_f_[b] = l_k_[b];  // left-out contacts carry it
  }
  motion::velocity(system_, at_.q_k, p_k_, l_k_, at_.at_node);
  motion::velocity(system_, at_.q_m, p_k_, l_k_, at_.at_mid);
  motion::velocity(system_, at_.q_m, p_f_, l_f_, at_.free);
  motion::velocity(system_, at_.q_e, p_k_, l_k_, at_.at_end);
  at_.still.resize(p_k_.size());
  for (std::size_t b = 0; b < p_k_.size(); ++b) {
    at_.still[b] = p_k_[b].isZero(0) && l_k_[b].isZero(0) && !system_.linked(static_cast<int>(b));
  }
  if (trees_) trees_->predict(state, at_);
  contact::make_turns(system_, at_.q_m, at_.turn);
  at_.speed.resize(p_k_.size());
  for (std::size_t b = 0; b < p_k_.size(); ++b) {
    at_.speed[b] = speed_bound(system_, at_.at_node, b);
    const double size = std::max(system_.bodies.size[b], system_.length_scale);
    if (!(settings_.dt * at_.speed[b] <= kLargestMove * size)) throw Diverged(static_cast<int>(b), state.t);
  }
  at_.thresholds = thresholds(system_, at_.speed, at_.q_k, settings_.dt, settings_.tol);
}

/// `again`: for the velocities of the last solve. True if all that were found are active.
bool Moreau::find_candidates(const State& state, bool again) {
  collide::ContactSet& found = candidates_.found();
  for (bool complete = false; !complete;) {
    const auto* skipped = sleep_.anyone() ? &sleep_.asleep() : nullptr;
    repeated_ = search_.holds(at_.q_m, margins_.of_bodies(), found, skipped, &margins_.room());
    if (!repeated_) search_.find(at_.q_m, margins_.of_bodies(), found, skipped, &margins_.room());
    swept_ = search_.sweep(at_.q_k, at_.q_m, found);
    if (swept_) repeated_ = false;
    searched_ = searched_ || !repeated_;
    complete = !sleep_.wake_touched(found, warm_start_);
    if (!complete) predict(state), margins_.set(at_);
  }
  const bool all = candidates_.collect(at_, warm_start_, repeated_, again);
  if (trees_) trees_->find_impulses(warm_start_);
  if (!all && !trees_) expect_missed();
  return all;
}

/// What the last step's impulses would close becomes active before the first solve instead of after it.
void Moreau::expect_missed() {
  p_1_ = p_f_;
  l_1_ = l_f_;
  candidates_.add_past(at_, p_1_, l_1_);
  motion::velocity(system_, at_.q_m, p_1_, l_1_, at_.expected);
  candidates_.activate_expected(at_, at_.expected);
}

/// True if the search must be repeated: a body became faster than its margin allows for, and meets what was not seen.
bool Moreau::widen_margins() {
  late_.clear();
  if (!margins_.are_exceeded(at_.after)) return false;
  if (!swept_ && margins_.grow(at_.after)) {
    search_.look_again(margins_.of_bodies(), margins_.grown(), candidates_.found(), late_);
    if (std::none_of(late_.begin(), late_.end(), [&](const auto& contact) { return closes(contact); })) return false;
  }
  for (std::size_t k = 0; k < problem_.size(); ++k) {
    const Frame& frame = problem_.block(k).frame;
    margins_.widen(frame.body_a), margins_.widen(frame.body_b);
  }
  return true;
}

/// With the velocities of the solve, in the second half of the step; or it touches a sleeper.
bool Moreau::closes(const collide::Contact& contact) const {
  if (sleep_.anyone() && (sleep_.asleep(contact.body_a) || sleep_.asleep(contact.body_b))) return true;
  const Frame frame = contact::place_frame(contact.at, contact.body_a, contact.body_b, at_.q_m);
  const double end_gap = contact.at.gap + 0.5 * settings_.dt * contact::normal_velocity(frame, at_.after);
  return end_gap < -at_.thresholds.tau_g;
}

/// p_{k+1} = p_f + W Λ.
void Moreau::solve(double tol, bool polish, bool same_matrix) {
  problem_.solve(tol, polish, same_matrix);
  p_1_ = p_f_;
  l_1_ = l_f_;
  problem_.apply(p_1_, l_1_);
}

/// True if the solve would close what was left out; it becomes active.
bool Moreau::look_for_missed() {
  motion::velocity(system_, at_.q_m, p_1_, l_1_, at_.after);
  if (trees_) trees_->look_after(at_);
  const bool contacts = candidates_.activate_missed(at_);
  return (trees_ && trees_->activate_missed(at_)) || contacts;
}

/// Where solves and forces of the trees by turns do not settle: bodies that slide on more points than needed take
/// another share of the load in each solve, at the same error, and turn a little otherwise. False, and all is as it
/// was, where the laws do not hold then.
bool Moreau::hold_impulses() {
  if (!trees_->hold_impulses(at_)) return false;
  trees_->update_free_part(problem_.problem());
  const bool good = problem_.measure();
  if (!good) {
    trees_->release_impulses();
    trees_->update_free_part(problem_.problem());
    problem_.measure();
  }
  trees_->look_after(at_);
  return good;
}

/// A small correction goes into v⁺ with the impulses held; true if the laws hold with it, and not just so, since the
/// auditor has other roundings and scales.
bool Moreau::take_correction() {
  trees_->take_correction();
  trees_->update_free_part(problem_.problem());
  return problem_.measure() && problem_.report().errors.scaled <= surely * settings_.tol;
}

/// In the same pass impulses are kept for the next step and, if it `settles`, the contacts weighed, for momenta below
/// the rounding of the impulses that made them are zero.
void Moreau::write_record(const State& state, bool settles, StepRecord& record) {
  record.step = state.step;
  record.t = state.t;
  record.dt = settings_.dt;
  record.solver = problem_.report();
  record.candidates = candidates_.contacts();
  record.asleep = 0;
  record.turn = turns_.largest(at_.after, settings_.dt);
  record.contacts.resize(problem_.size());
  warm_start_.begin_update();
  record.ctrl.clear();
  record.ledger = {};
  for (std::size_t k = 0; k < problem_.size(); ++k) {
    const Block& block = problem_.block(k);
    const Vec3& Lambda = problem_.impulse(k);
    write_contact(block, Lambda, record.contacts[k]);
    book_contact(block.mode, Lambda, 0.5 * (block.view.gamma_minus + local_velocity(block.frame, at_.after)),
                 record.ledger);
    if (settles && block.pair) sleep_.weigh(block.frame, Lambda);
    problem_.keep_warm_start(k, warm_start_);
  }
  if (trees_) trees_->keep_warm_start(warm_start_);
  warm_start_.end_update();
  record.undetermined = problem_.redundant();
  if (trees_) trees_->write_record(at_, problem_.Lambda(), record);
}

/// Is a body beyond the margin with which `search` looked at `searched`, and does it overlap something there?
bool Moreau::is_beyond(collide::Search& search, const system::Configuration& searched, const system::Configuration& q) {
  const Margins::Way way = margins_.way(searched, q, left_);
  if (way == Margins::Way::within) return false;
  if (way == Margins::Way::near) {
    search.look_at(q, left_, beyond_);
  } else {
    stayed_.resize(left_.size());
    std::transform(left_.begin(), left_.end(), stayed_.begin(), [](std::uint8_t left) { return left ? 0 : 1; });
    no_margin_.assign(left_.size(), 0.0);
    search_beyond().find(q, no_margin_, beyond_, &stayed_);
  }
  return std::any_of(beyond_.begin(), beyond_.end(),
                     [&](const collide::Contact& contact) { return -contact.at.gap > projection_.tolerance(contact); });
}

/// The projection. One that carries a body beyond its margin may let it meet what the search did not see.
Projection::Result Moreau::lift(State& state, StepRecord& record) {
  Projection::Result result = projection_.project(at_.q_m, candidates_.found(), margins_.of_bodies(), !searched_, 0,
                                                  &problem_.problem(), state.q, record.contacts);
  lifted_far_ = result.shift > 0 && is_beyond(search_, at_.q_m, state.q);
  if (!lifted_far_) return result;
  bool far = true;
  for (int k = 0; far && k < lift_searches; ++k) {
    q_lifted_ = state.q;
    search_beyond().find(q_lifted_, margins_.of_bodies(), beyond_, sleep_.anyone() ? &sleep_.asleep() : nullptr,
                         &margins_.room());
    const Projection::Result again = projection_.project(q_lifted_, beyond_, margins_.of_bodies(), false, result.rounds,
                                                         nullptr, state.q, record.contacts);
    result.after = again.after;
    result.violation = again.violation;
    result.shift += again.shift;
    result.rounds = again.rounds;
    far = again.shift > 0 && is_beyond(search_beyond(), q_lifted_, state.q);
  }
  return result;
}

motion::Energy Moreau::energy(State& state) {
  motion::Energy energy = motion::energy_of_bodies(system_, state);
  if (!trees_) return energy;
  const motion::ForestEnergy trees = trees_->energy(state);
  energy.kinetic += trees.kinetic;
  energy.potential += trees.potential;
  return energy;
}

/// Velocities stay: free bodies that are turned change their spin with their axes.
Settling Moreau::settle(State& state) {
  settled_.clear();
  motion::velocity(system_, state.q, state.p, state.l, at_.at_node);
  const Settling settling = projection_.settle(search_, state.q, settled_);
  if (settling.rounds == 0) return settling;
  copy_part(system_, state);
  for (std::size_t b = 0; b < system_.body_count(); ++b) {
    if (system_.linked(static_cast<int>(b))) continue;
    const Mat3 R = state.q.R[b].toRotationMatrix();
    state.l[b] = R * (system_.bodies.inertia[b] * (R.transpose() * at_.at_node.w[b]));
  }
  return settling;
}

void Moreau::step(State& state, StepRecord& record) {
  if (trees_) trees_->set_controls(state);
  sleep_.wake_moved(state, state.t + 0.5 * settings_.dt, warm_start_);
  predict(state);
  margins_.set(at_);
  searched_ = lifted_far_;
  int round_of_trees = 0;
  bool unsettled = false;  // forces of the trees that did not come to rest in these rounds
  for (int round = 0; round < search_rounds; ++round) {
    if (trees_ && round > 0) trees_->look_free(at_);
    const bool all = find_candidates(state, round > 0);
    // Rough solves tell which contacts close; only the last one must be exact. Trees are solved several times anyway.
    bool rough = !all && candidates_.contacts() > few_contacts && !trees_ && settings_.tol < rough_limit;
    problem_.assemble(at_, repeated_);
    rough = rough && problem_.size() > system_.body_count();  // fewer are solved about as soon
    for (bool settled = false, last = !trees_ || trees_->calm(), same_matrix = false; !settled;) {
      solve(rough ? rough_factor * settings_.tol : settings_.tol, last, same_matrix);
      // Rounds between the first and the last change little: they need no look.
      bool missed = (last || !same_matrix) && look_for_missed();
      if (last && !rough && problem_.release_wedges()) missed = true;
      settled = !missed && !rough;
      // The forces of the trees depend on the velocity that the impulses give; the last solve goes to rounding, and
      // after a calm step the first, which may be the last. Where it went elsewhere (impulses that move nothing hide
      // errors of passing ones), the forces have to follow.
      unsettled = trees_ && settled && (!last || trees_->moved_on());
      if (unsettled) {
        TreeStep::Next next = trees_->correct(at_, last);
        if (next == TreeStep::Next::hold) {
          const bool held = take_correction();
          missed = held && (look_for_missed() || problem_.release_wedges());
          next = held ? TreeStep::Next::nothing : TreeStep::Next::solve_to_end;
        }
        unsettled = next != TreeStep::Next::nothing;
        const bool too_many = unsettled && round_of_trees++ >= tree_rounds;
        settled = !missed && (!unsettled || (last && too_many));
        last = last || too_many || next == TreeStep::Next::solve_to_end;
        if (!settled && !missed) trees_->update_free_part(problem_.problem());
      }
      if (missed || settled) problem_.keep_impulses();
      if (missed) {
        problem_.start_from_kept();
        if (trees_) trees_->look_free(at_);
        problem_.assemble(at_, repeated_);
        last = !trees_;  // v̄ is another one with what they push
        round_of_trees = 0;
      } else {
        rough = false;
      }
      same_matrix = !missed;
    }
    if (!widen_margins()) break;
    problem_.keep_warm_start(warm_start_);
  }
  const bool off = trees_ && trees_->imbalance(at_, balanced * settings_.tol) > balanced * settings_.tol;
  if (off || unsettled) unsettled = !hold_impulses() && unsettled;
  const bool settles = sleep_.may_settle(p_k_, p_f_, p_1_);
  write_record(state, settles, record);
  if (unsettled) record.solver.status = solvers::Status::stalled;
  if (settles) sleep_.settle(p_1_, l_1_);
  book_forces(system_, state.t + 0.5 * settings_.dt, settings_.dt, at_.q_m, at_.at_mid, at_.after, record.ledger);

  const double start = trees_ ? motion::energy_of_bodies(system_, state).total() + trees_->start_energy().kinetic +
                                    trees_->start_energy().potential
                              : 0;
  if (trees_) trees_->demand_sense(state.t);
  state.p = p_1_;
  state.l = l_1_;
  motion::drift(system_, 0.5 * settings_.dt, at_.q_m, p_1_, l_1_, state.q);
  if (trees_) trees_->end(at_, state, record.ledger);
  if (!late_.empty()) search_.join(late_, candidates_.found());
  if (search_.sweep(at_.q_m, state.q, candidates_.found()) || !late_.empty()) searched_ = true;
  // With trees the scheme is booked what is missing, whatever the projection did of it.
  const motion::Energy before = trees_ ? motion::Energy{} : energy(state);
  const Projection::Result shift = lift(state, record);
  const motion::Energy after = trees_ || shift.shift > 0 ? energy(state) : before;
  record.ledger.scheme += trees_ ? after.total() - start - record.ledger.sum() : after.total() - before.total();
  record.ledger.kinetic = after.kinetic;
  record.ledger.potential = after.potential;
  record.penetration_before = shift.before;
  record.penetration = shift.after;
  record.shift = shift.shift;
  record.violation = shift.violation;
  sleep_.write(record);
  sleep_.look(at_.q_k, p_k_, l_k_, state, record, problem_.size(), problem_.guess(), warm_start_);
  record.contacts.insert(record.contacts.end(), settled_.begin(), settled_.end());
  settled_.clear();

  copy_part(system_, state);
  ++state.step;
  state.t = static_cast<double>(state.step) * settings_.dt;
}

}  // namespace

std::unique_ptr<Integrator> make_moreau(const system::System& system, const Settings& settings) {
  if (settings.controller && !(system.forest && !system.forest->actuators.empty()))
    throw base::InputError("controller: found a scene without actuators, expected one to drive");
  if (!system.lagrangian || (system.forest && system.forest->part)) return std::make_unique<Moreau>(system, settings);
  auto part = make_lagrangian_moreau(system, settings);
  if (system.body_count() == 0) return part;
  return make_side_by_side(std::make_unique<Moreau>(system, settings), std::move(part));
}

}  // namespace vinculum::integrators
