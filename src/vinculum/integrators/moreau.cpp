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
#include "vinculum/integrators/modes.hpp"
#include "vinculum/integrators/projection.hpp"
#include "vinculum/integrators/warm_start.hpp"
#include "vinculum/motion/flow.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::integrators {

using collide::Contact;
using contact::Frame;
using system::State;
using system::world;

namespace {

constexpr double margin_factor = 1.5;     // room for speeds to grow in the solve before the search must be repeated
constexpr double near_factor = 0.1;       // part of the worst missed gap within which other contacts join
constexpr double closed_factor = 4;       // a gap below so many tau_g counts as closed when contacts are activated
constexpr double rough_factor = 100;      // of the tolerance, for a solve that only finds out which contacts close
constexpr double rough_over_c = 1e-2;     // of the free velocity, likewise
constexpr std::size_t few_contacts = 64;  // solved so fast that a rough solve gains nothing
constexpr double rest_change = 1e-18;     // squared relative change of impulses that are at rest to round-off
constexpr int search_rounds = 8;          // each round enlarges the margins by what the solve asked for

/// One active block of the step.
struct Block {
  ContactKey key;
  const Contact* contact = nullptr;
  Frame frame;  // at q_m
  NodeView view;
  Mode mode = Mode::held;
  laws::Kind law = laws::Kind::unilateral;
};

class Moreau final : public Integrator {
 public:
  Moreau(const system::System& system, const Settings& settings)
      : system_(system),
        settings_(settings),
        search_(system),
        solver_(settings.solver->make()),
        projection_(system, settings) {}

  void step(State& state, StepRecord& record) override;
  const contact::ContactProblem* problem() const override { return &problem_; }
  std::vector<double> save() const override { return warm_start_.save(); }
  void restore(std::span<const double> memory) override { warm_start_.restore(memory); }

 private:
  void predict(const State& state);
  void set_margins();
  bool widen_margins();
  void find_candidates();
  double end_gap(const Contact& contact, const motion::Velocity& velocity) const;
  bool activate(bool repeated);
  bool activate_missed();
  Block describe(const Contact& contact, const ContactKey& key) const;
  void solve(double tol);
  void keep_impulses();
  void write_record(const State& state, StepRecord& record) const;

  const system::System& system_;
  Settings settings_;
  collide::Search search_;
  std::unique_ptr<solvers::Solver> solver_;
  Projection projection_;
  WarmStart warm_start_;

  // Workspace of one step.
  system::Configuration q_k_, q_m_, q_e_;
  std::vector<Vec3> p_k_, l_k_, p_f_, l_f_, p_1_, l_1_;
  motion::Velocity at_node_, at_mid_, free_, at_end_, after_;  // (q_k,p_k) (q_m,p_k) (q_m,p_f) (q_e,p_k) (q_m,p_{k+1})
  Thresholds thresholds_;
  std::vector<double> margin_;
  collide::ContactSet candidates_, rods_;
  std::vector<char> active_;
  std::vector<double> end_gaps_;
  std::vector<Block> blocks_;
  contact::ContactProblem problem_;
  solvers::Solution solution_;
  std::vector<Vec3> guess_;  // the warm start of the last solve
};

/// q_m, q_e, p_f and the velocities there.
void Moreau::predict(const State& state) {
  const double half = 0.5 * settings_.dt;
  q_k_ = state.q;
  p_k_ = state.p;
  l_k_ = state.l;
  motion::drift(system_, half, q_k_, p_k_, l_k_, q_m_);
  motion::drift(system_, half, q_m_, p_k_, l_k_, q_e_);
  p_f_ = p_k_;
  l_f_ = l_k_;
  motion::kick(system_, state.t + half, settings_.dt, q_m_, p_f_, l_f_);
  motion::velocity(system_, q_k_, p_k_, l_k_, at_node_);
  motion::velocity(system_, q_m_, p_k_, l_k_, at_mid_);
  motion::velocity(system_, q_m_, p_f_, l_f_, free_);
  motion::velocity(system_, q_e_, p_k_, l_k_, at_end_);
  thresholds_ = thresholds(system_, at_node_, q_k_, settings_.dt, settings_.tol);
}

/// A contact can close in the second half of the step only if its gap at q_m is below dt/2 times the speeds. A slow
/// body may be struck: it gets the margin of the fastest, up to a quarter of its size.
void Moreau::set_margins() {
  margin_.resize(system_.body_count());
  double fastest = 0;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double speed = std::max(speed_bound(system_, at_node_, b), speed_bound(system_, free_, b));
    margin_[b] = margin_factor * 0.5 * settings_.dt * speed;
    fastest = std::max(fastest, margin_[b]);
  }
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    margin_[b] = std::max(margin_[b], std::min(fastest, 0.25 * system_.bodies.size[b]));
  }
}

/// True if the solve made a body faster than its margin allows for. Then all bodies that touch something get the margin
/// of the fastest, so that a blow through a heap costs one more search, not one per layer.
bool Moreau::widen_margins() {
  bool widened = false;
  double fastest = 0;
  for (std::size_t b = 0; b < margin_.size(); ++b) {
    const double needed = 0.5 * settings_.dt * speed_bound(system_, after_, b);
    fastest = std::max(fastest, needed);
    if (needed > margin_[b]) widened = true;
  }
  if (!widened) return false;
  for (const Block& block : blocks_) {
    for (const int body : {block.frame.body_a, block.frame.body_b}) {
      if (body != world) margin_[static_cast<std::size_t>(body)] = margin_factor * fastest;
    }
  }
  return true;
}

void Moreau::find_candidates() {
  search_.find(q_m_, margin_, candidates_);
  active_.assign(candidates_.size(), 0);
  rods_.clear();
  for (std::size_t r = 0; r < system_.rods.size(); ++r) rods_.push_back(rod_contact(system_, r, q_m_));
}

double Moreau::end_gap(const Contact& contact, const motion::Velocity& velocity) const {
  const Frame frame = contact::make_frame(contact.at, contact.body_a, contact.body_b, q_m_);
  return contact.at.gap + 0.5 * settings_.dt * contact::local_velocity(frame, velocity).x();
}

/// Marks contacts that would be closed at the end of the step if nothing touched, or with the velocities of the last
/// solve when the search was repeated; and those that pressed in the last solve, unless they fly apart. True if that is
/// all of them.
bool Moreau::activate(bool repeated) {
  const double closed = closed_factor * thresholds_.tau_g;
  warm_start_.rewind();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Contact& contact = candidates_[i];
    const ContactKey key{contact.shape_a, contact.shape_b, contact.feature_id};
    const bool pressed = warm_start_.find(key).squaredNorm() > 0;
    active_[i] = end_gap(contact, free_) < closed || (repeated && end_gap(contact, after_) < closed) ||
                 (pressed && describe(contact, key).mode != Mode::impact);
  }
  return std::all_of(active_.begin(), active_.end(), [](char active) { return active != 0; });
}

/// True if the solve would close contacts that were left out. They become active, and with them those that come about
/// as close to closing: a contact that only lands takes no impulse unless it closes, and a blow through a heap is
/// followed in few solves instead of layer by layer.
bool Moreau::activate_missed() {
  double worst = 0;
  end_gaps_.resize(candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (active_[i]) continue;
    end_gaps_[i] = end_gap(candidates_[i], after_);
    worst = std::max(worst, -end_gaps_[i]);
  }
  if (worst <= thresholds_.tau_g) return false;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (active_[i] || end_gaps_[i] > near_factor * worst) continue;
    active_[i] = end_gaps_[i] < -thresholds_.tau_g || describe(candidates_[i], {}).mode != Mode::impact;
  }
  return true;
}

/// Frame, node view, mode and law of an active contact.
Block Moreau::describe(const Contact& contact, const ContactKey& key) const {
  const int a = contact.body_a, b = contact.body_b;
  const bool bond = contact.shape_a < 0;
  Block block;
  block.key = key;
  block.contact = &contact;
  block.frame = contact::make_frame(contact.at, a, b, q_m_);
  const Vec3 t1 = block.frame.F.col(1);
  const auto node = collide::evaluate(contact.feature, q_k_.pose(a), q_k_.pose(b));
  const auto end = collide::evaluate(contact.feature, q_e_.pose(a), q_e_.pose(b));
  block.view.gap_node = node.gap;
  block.view.gap_mid = contact.at.gap;
  block.view.gamma_node = local_velocity(contact::make_frame(node, a, b, q_k_, t1), at_node_);
  block.view.gamma_minus = local_velocity(block.frame, at_mid_);
  block.view.beta = local_velocity(contact::make_frame(end, a, b, q_e_, t1), at_end_) - block.view.gamma_minus;
  block.mode = bond ? Mode::bond : decide_mode(block.view, settings_.dt, thresholds_);
  if (bond) block.law = laws::Kind::bilateral;
  return block;
}

/// Assembles the problem of all active contacts, solves it from the last step's impulses, and applies the impulses.
void Moreau::solve(double tol) {
  blocks_.clear();
  problem_.clear();
  problem_.nodes = system_.body_count();
  solution_.Lambda.clear();
  warm_start_.rewind();
  auto add = [&](const Contact& contact, const ContactKey& key) {
    Block block = describe(contact, key);
    model::Pair pair;
    if (block.mode != Mode::bond) {
      pair = system_.pair(system_.shapes[static_cast<std::size_t>(contact.shape_a)].material,
                          system_.shapes[static_cast<std::size_t>(contact.shape_b)].material);
      block.law = pair.mu > 0 ? laws::Kind::coulomb : laws::Kind::unilateral;
    }
    const Vec3 c = local_velocity(block.frame, free_) +
                   law_offset(block.view, block.mode, settings_.dt, pair.e_N, pair.e_T, thresholds_);
    contact::add_block(system_, q_m_, block.frame, block.law, pair.mu, c, problem_);
    Vec3 guess = block.frame.F.transpose() * warm_start_.find(key);
    if (block.law != laws::Kind::coulomb) guess.tail<2>().setZero();
    solution_.Lambda.push_back(guess);
    blocks_.push_back(block);
  };
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Contact& contact = candidates_[i];
    if (active_[i]) add(contact, {contact.shape_a, contact.shape_b, contact.feature_id});
  }
  for (const Contact& rod : rods_) add(rod, {std::numeric_limits<std::int32_t>::max(), rod.shape_b, 0});

  const bool exact = tol <= settings_.tol;
  guess_ = solution_.Lambda;
  solver_->solve(problem_, {.tol = tol, .over_c = exact ? 1e-3 : rough_over_c, .polish = exact}, solution_);
  p_1_ = p_f_;
  l_1_ = l_f_;
  for (std::size_t i = 0; i < blocks_.size(); ++i) add_impulse(blocks_[i].frame, solution_.Lambda[i], p_1_, l_1_);
  motion::velocity(system_, q_m_, p_1_, l_1_, after_);
}

/// The next solve starts from here, be it of this step or of the next. At rest an accepted warm start Λ° + x leaves a
/// velocity error e = G x, which the polished answer of the next step takes back with Λ° − x; as a warm start that
/// would leave −e, and so on for ever. Their mean is Λ°.
void Moreau::keep_impulses() {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    change += (solution_.Lambda[i] - guess_[i]).squaredNorm();
    size += solution_.Lambda[i].squaredNorm();
  }
  const bool took_back = solution_.report.method == solvers::polished_warm_start && change <= rest_change * size;
  warm_start_.begin_update();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Vec3 Lambda = took_back ? Vec3(0.5 * (guess_[i] + solution_.Lambda[i])) : solution_.Lambda[i];
    warm_start_.add(blocks_[i].key, blocks_[i].frame.F * Lambda);
  }
  warm_start_.end_update();
}

void Moreau::write_record(const State& state, StepRecord& record) const {
  record.step = state.step;
  record.t = state.t;
  record.dt = settings_.dt;
  record.solver = solution_.report;
  record.candidates = candidates_.size();
  record.contacts.clear();
  record.ledger = {};
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    record.contacts.push_back({block.contact->shape_a, block.contact->shape_b, block.key.feature, block.mode,
                               block.contact->feature, block.frame.point, block.frame.F.col(0), block.frame.F.col(1),
                               block.view.gap_mid, solution_.Lambda[i], 0});
    book_contact(block.mode, solution_.Lambda[i], 0.5 * (block.view.gamma_minus + local_velocity(block.frame, after_)),
                 record.ledger);
  }
}

void Moreau::step(State& state, StepRecord& record) {
  predict(state);
  set_margins();
  for (int round = 0; round < search_rounds; ++round) {
    find_candidates();
    // Rough solves tell which contacts close; only the last one must be exact.
    bool rough = !activate(round > 0) && candidates_.size() > few_contacts;
    for (bool settled = false; !settled;) {
      solve(rough ? rough_factor * settings_.tol : settings_.tol);
      keep_impulses();
      const bool missed = activate_missed();
      settled = !missed && !rough;
      if (!missed) rough = false;
    }
    if (!widen_margins()) break;
  }
  write_record(state, record);
  book_forces(system_, state.t + 0.5 * settings_.dt, settings_.dt, q_m_, at_mid_, after_, record.ledger);

  state.p = p_1_;
  state.l = l_1_;
  motion::drift(system_, 0.5 * settings_.dt, q_m_, p_1_, l_1_, state.q);
  const motion::Energy before = motion::energy(system_, state);
  const Projection::Result shift = projection_.project(q_m_, candidates_, margin_, state.q, record.contacts);
  const motion::Energy after = shift.shift > 0 ? motion::energy(system_, state) : before;
  record.ledger.scheme += after.total() - before.total();
  record.ledger.kinetic = after.kinetic;
  record.ledger.potential = after.potential;
  record.penetration_before = shift.before;
  record.penetration = shift.after;
  record.shift = shift.shift;

  ++state.step;
  state.t = static_cast<double>(state.step) * settings_.dt;
}

}  // namespace

std::unique_ptr<Integrator> make_moreau(const system::System& system, const Settings& settings) {
  if (system.lagrangian) return make_lagrangian_moreau(system, settings);
  return std::make_unique<Moreau>(system, settings);
}

}  // namespace vinculum::integrators
