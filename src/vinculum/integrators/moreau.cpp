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
#include "vinculum/contact/bond_space.hpp"
#include "vinculum/integrators/energy.hpp"
#include "vinculum/integrators/lagrangian_step.hpp"
#include "vinculum/integrators/modes.hpp"
#include "vinculum/integrators/projection.hpp"
#include "vinculum/integrators/tree_laws.hpp"
#include "vinculum/integrators/warm_start.hpp"
#include "vinculum/motion/flow.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace vinculum::integrators {

using collide::Contact;
using contact::Frame;
using contact::Mat3;
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
constexpr int tree_rounds = 30;           // of the fixed point in the velocities of trees
constexpr int search_rounds = 8;          // each round enlarges the margins by what the solve asked for

/// A candidate, or a rod, as the step sees it. The frame is made with it, the rest when it becomes active.
struct Block {
  const Contact* contact = nullptr;
  const model::Pair* pair = nullptr;  // null: a rod
  Frame frame;                        // at q_m
  NodeView view;
  Mode mode = Mode::bond;
  bool active = false, described = false;
  Vec3 impulse = Vec3::Zero();  // of the last solve, world axes: where the next one starts
};

/// A law of the trees in a step.
struct TreeBlock {
  std::size_t number = 0;  // of the law
  TreeLaw law;             // at q_m
  NodeView view;
  Mode mode = Mode::bond;
  double e_N = 0, bound = 0;
};

/// Rods come after all contacts.
ContactKey key_of(const Contact& contact) {
  if (contact.shape_a < 0) return {std::numeric_limits<std::int32_t>::max(), contact.shape_b, 0};
  return {contact.shape_a, contact.shape_b, contact.feature_id};
}

laws::Kind law_of(const Block& block) {
  if (!block.pair) return laws::Kind::bilateral;
  return block.pair->mu > 0 ? laws::Kind::coulomb : laws::Kind::unilateral;
}

class Moreau final : public Integrator {
 public:
  Moreau(const system::System& system, const Settings& settings)
      : system_(system),
        settings_(settings),
        search_(system),
        solver_(settings.solver->make()),
        projection_(system, settings) {
    if (!system.forest) return;
    trees_.emplace(system);
    tree_rows_.emplace(*trees_);
    v_change_.setZero(system.forest->tree.nv());
  }

  void step(State& state, StepRecord& record) override;
  const contact::ContactProblem* problem() const override { return &problem_; }
  std::vector<double> save() const override;
  void restore(std::span<const double> memory) override;

 private:
  void predict(const State& state);
  void predict_trees(const State& state);
  bool correct_trees();
  void describe_tree_laws();
  bool activate_missed_limits();
  void add_tree_blocks();
  Impulses impulses();
  ContactKey law_key(std::size_t number) const {  // laws of the trees come after the rods
    return {std::numeric_limits<std::int32_t>::max(), static_cast<std::int32_t>(system_.rods.size() + number), 0};
  }
  void end_trees(State& state, Ledger& ledger);
  void set_margins();
  bool widen_margins();
  void find_candidates();
  Block make_block(const Contact& contact);
  double end_gap(const Block& block, const motion::Velocity& velocity) const;
  bool activate(bool repeated);
  bool activate_missed();
  Mode describe(Block& block) const;
  void assemble();
  void solve(double tol, bool polish);
  void keep_impulses();
  void keep_warm_start();
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
  std::vector<Block> blocks_;      // of the candidates, then of the rods
  std::vector<double> end_gaps_;   // of the candidates
  std::vector<std::size_t> rows_;  // active blocks: those of the problem
  std::vector<Mat3> turn_;         // at q_m
  contact::ContactProblem problem_;
  solvers::Solution solution_;
  std::vector<Vec3> guess_;  // the warm start of the last solve

  // Of the trees.
  std::optional<motion::ForestMotion> trees_;  // at q_m
  std::optional<contact::TreeRows> tree_rows_;
  Eigen::VectorXd v_k_, v_f_, v_1_, v_next_, tau_;
  Eigen::VectorXd v_change_;  // of the velocities in the last step
  std::vector<TreeLaw> laws_k_, laws_m_, laws_e_;
  std::vector<char> law_active_;
  std::vector<Vec3> law_impulse_;  // of the last solve
  std::vector<TreeBlock> tree_blocks_;
  std::vector<int> bond_rows_;  // of the bonds, which come last
  contact::BondSpace bond_space_;
  double t_mid_ = 0;
};

/// Impulses, then the change of the velocities of the trees.
std::vector<double> Moreau::save() const {
  std::vector<double> memory = warm_start_.save();
  memory.insert(memory.end(), v_change_.begin(), v_change_.end());
  return memory;
}

void Moreau::restore(std::span<const double> memory) {
  const auto n = static_cast<std::size_t>(v_change_.size());
  VINCULUM_DEMAND(memory.size() >= n);
  warm_start_.restore(memory.first(memory.size() - n));
  std::copy(memory.end() - v_change_.size(), memory.end(), v_change_.begin());
}

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
  if (trees_) predict_trees(state);
  contact::make_turns(system_, q_m_, turn_);
  thresholds_ = thresholds(system_, at_node_, q_k_, settings_.dt, settings_.tol);
}

/// The same for the trees; their workspace stays at q_m with the factor of M̂.
void Moreau::predict_trees(const State& state) {
  const double dt = settings_.dt;
  const parts::Tree& tree = system_.forest->tree;
  t_mid_ = state.t + 0.5 * dt;
  v_k_ = state.tree_v;
  v_1_ = (0.5 * dt) * v_k_;
  q_m_.tree.resize(q_k_.tree.size());
  q_e_.tree.resize(q_k_.tree.size());
  tree.integrate(q_k_.tree.data(), v_1_.data(), q_m_.tree.data());
  tree.integrate(q_m_.tree.data(), v_1_.data(), q_e_.tree.data());
  trees_->place(q_k_);
  trees_->velocity(v_k_, at_node_);
  evaluate_tree_laws(system_, q_k_, laws_k_);
  trees_->place(q_e_);
  trees_->velocity(v_k_, at_end_);
  evaluate_tree_laws(system_, q_e_, laws_e_);
  trees_->place(q_m_);
  trees_->velocity(v_k_, at_mid_);
  evaluate_tree_laws(system_, q_m_, laws_m_);
  trees_->factor(t_mid_, dt, q_k_.tree, v_k_);
  v_f_ = v_k_;
  v_1_ = v_k_ + v_change_;  // as in the last step; the solves bring what contacts change
  correct_trees();
  trees_->velocity(v_f_, free_);
  law_active_.assign(laws_m_.size(), 0);
}

/// v_f for the v⁺ at hand; true if it moved by more than a tenth of the tolerance, relative to the velocities.
bool Moreau::correct_trees() {
  trees_->free_velocity(t_mid_, settings_.dt, q_k_, v_k_, v_1_, v_next_);
  const double size = std::max({v_k_.norm(), v_next_.norm(), settings_.dt * system_.gravity.norm()});
  const bool moved = (v_next_ - v_f_).norm() > 0.1 * settings_.tol * size;
  v_f_.swap(v_next_);
  return moved;
}

/// Modes and offsets of the laws of the trees; limits that could close in this step become active.
void Moreau::describe_tree_laws() {
  const system::Forest& forest = *system_.forest;
  const double dt = settings_.dt;
  tree_blocks_.clear();
  for (std::size_t i = 0; i < laws_m_.size(); ++i) {
    TreeBlock block;
    block.law = laws_m_[i];
    block.number = i;
    block.view.gap_node = laws_k_[i].gap.x();
    block.view.gap_mid = laws_m_[i].gap.x();
    block.view.gamma_node = rate_of(forest, laws_k_[i], at_node_, v_k_);
    block.view.gamma_minus = rate_of(forest, laws_m_[i], at_mid_, v_k_);
    block.view.beta = rate_of(forest, laws_e_[i], at_end_, v_k_) - block.view.gamma_minus;
    const auto index = static_cast<std::size_t>(block.law.index);
    if (law_kind(block.law) == laws::Kind::unilateral) {
      block.mode = decide_mode(block.view, dt, forest.limits[index].e_N, thresholds_);
      block.e_N = forest.limits[index].e_N;
      const double end = block.view.gap_mid + 0.5 * dt * rate_of(forest, block.law, free_, v_f_).x();
      law_active_[i] = law_active_[i] || end < closed_factor * thresholds_.tau_g || law_impulse_[i].x() > 0;
      if (!law_active_[i]) continue;
    } else if (law_kind(block.law) == laws::Kind::dry) {
      block.mode = Mode::acting;
      block.bound = dt * forest.frictions[index].friction;
    }
    tree_blocks_.push_back(block);
  }
}

bool Moreau::activate_missed_limits() {
  bool missed = false;
  for (std::size_t i = 0; i < laws_m_.size(); ++i) {
    if (law_active_[i] || law_kind(laws_m_[i]) != laws::Kind::unilateral) continue;
    const double end = laws_m_[i].gap.x() + 0.5 * settings_.dt * rate_of(*system_.forest, laws_m_[i], after_, v_1_).x();
    law_active_[i] = end < -thresholds_.tau_g;
    missed = missed || law_active_[i];
  }
  return missed;
}

void Moreau::add_tree_blocks() {
  describe_tree_laws();
  bond_rows_.clear();
  for (const TreeBlock& block : tree_blocks_) {
    Vec3 c = rate_of(*system_.forest, block.law, free_, v_f_);
    if (block.mode == Mode::bond) {
      c += block.view.beta;
      bond_rows_.push_back(block.law.rows);  // bonds come last
    } else if (block.mode != Mode::acting) {
      c += law_offset(block.view, block.mode, settings_.dt, block.e_N, 0, thresholds_);
    }
    add_tree_law(system_, turn_, block.law, block.bound, c, *tree_rows_, problem_);
    Vec3 guess = law_impulse_[block.number];
    for (int k = block.law.rows; k < 3; ++k) guess[k] = 0;
    solution_.Lambda.push_back(guess);
  }
  bond_space_.reduce(problem_.size() - bond_rows_.size(), bond_rows_, problem_);
}

Impulses Moreau::impulses() { return {&p_1_, &l_1_, trees_ ? &tau_ : nullptr, trees_ ? &*trees_ : nullptr}; }

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
  for (const std::size_t i : rows_) {
    for (const int body : {blocks_[i].frame.body_a, blocks_[i].frame.body_b}) {
      if (body != world) margin_[static_cast<std::size_t>(body)] = margin_factor * fastest;
    }
  }
  return true;
}

void Moreau::find_candidates() {
  search_.find(q_m_, margin_, candidates_);
  search_.sweep(q_k_, q_m_, candidates_);
  rods_.clear();
  for (std::size_t r = 0; r < system_.rods.size(); ++r) rods_.push_back(rod_contact(system_, r, q_m_));
  blocks_.clear();
  warm_start_.rewind();
  for (const Contact& contact : candidates_) blocks_.push_back(make_block(contact));
  for (const Contact& rod : rods_) {
    blocks_.push_back(make_block(rod));
    blocks_.back().active = true;
  }
  law_impulse_.resize(laws_m_.size());
  for (std::size_t i = 0; i < laws_m_.size(); ++i) law_impulse_[i] = warm_start_.find(law_key(i));
}

Block Moreau::make_block(const Contact& contact) {
  Block block;
  block.contact = &contact;
  if (contact.shape_a >= 0) {
    block.pair = &system_.law_between(contact.shape_a, contact.shape_b);
  }
  block.frame = contact::make_frame(contact.at, contact.body_a, contact.body_b, q_m_);
  block.impulse = warm_start_.find(key_of(contact));
  return block;
}

double Moreau::end_gap(const Block& block, const motion::Velocity& velocity) const {
  return block.contact->at.gap + 0.5 * settings_.dt * contact::normal_velocity(block.frame, velocity);
}

/// Marks contacts that would be closed at the end of the step if nothing touched, or with the velocities of the last
/// solve when the search was repeated; and those that pressed in the last solve, unless they fly apart. True if that is
/// all of them.
bool Moreau::activate(bool repeated) {
  const double closed = closed_factor * thresholds_.tau_g;
  bool all = true;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Block& block = blocks_[i];
    const bool pressed = block.impulse.squaredNorm() > 0;
    block.active = end_gap(block, free_) < closed || (repeated && end_gap(block, after_) < closed) ||
                   (pressed && describe(block) != Mode::impact);
    all = all && block.active;
  }
  return all;
}

/// True if the solve would close contacts that were left out. They become active, and with them those that come about
/// as close to closing: a contact that only lands takes no impulse unless it closes, and a blow through a heap is
/// followed in few solves instead of layer by layer.
bool Moreau::activate_missed() {
  double worst = 0;
  end_gaps_.resize(candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (blocks_[i].active) continue;
    end_gaps_[i] = end_gap(blocks_[i], after_);
    worst = std::max(worst, -end_gaps_[i]);
  }
  if (worst <= thresholds_.tau_g) return false;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Block& block = blocks_[i];
    if (block.active || end_gaps_[i] > near_factor * worst) continue;
    block.active = end_gaps_[i] < -thresholds_.tau_g || describe(block) != Mode::impact;
  }
  return true;
}

/// Fills in node view and mode, once.
Mode Moreau::describe(Block& block) const {
  if (block.described) return block.mode;
  block.described = true;
  const Contact& contact = *block.contact;
  const int a = contact.body_a, b = contact.body_b;
  const Vec3 t1 = block.frame.F.col(1);
  const auto node = collide::evaluate(contact.feature, q_k_.pose(a), q_k_.pose(b));
  const auto end = collide::evaluate(contact.feature, q_e_.pose(a), q_e_.pose(b));
  NodeView& view = block.view;
  view.gap_node = node.gap;
  view.gap_mid = contact.at.gap;
  view.gamma_node = local_velocity(contact::make_frame(node, a, b, q_k_, t1), at_node_);
  view.gamma_minus = local_velocity(block.frame, at_mid_);
  view.beta = local_velocity(contact::make_frame(end, a, b, q_e_, t1), at_end_) - view.gamma_minus;
  if (block.pair) block.mode = decide_mode(view, settings_.dt, block.pair->e_N, thresholds_);
  return block.mode;
}

/// The problem of all active contacts, and where its solution starts.
void Moreau::assemble() {
  rows_.clear();
  problem_.clear();
  problem_.nodes = system_.node_count();
  solution_.Lambda.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    if (!block.active) continue;
    describe(block);
    const model::Pair pair = block.pair ? *block.pair : model::Pair{};
    const laws::Kind law = law_of(block);
    const Vec3 c = local_velocity(block.frame, free_) +
                   law_offset(block.view, block.mode, settings_.dt, pair.e_N, pair.e_T, thresholds_);
    contact::add_block(system_, turn_, block.frame, law, law == laws::Kind::coulomb ? 3 : 1, pair.mu, c,
                       tree_rows_ ? &*tree_rows_ : nullptr, problem_);
    Vec3 guess = block.frame.F.transpose() * block.impulse;
    if (law != laws::Kind::coulomb) guess.tail<2>().setZero();
    solution_.Lambda.push_back(guess);
    rows_.push_back(i);
  }
  if (trees_) add_tree_blocks();
}

/// Solves the problem from the impulses at hand, and applies the new ones.
void Moreau::solve(double tol, bool polish) {
  const bool exact = tol <= settings_.tol;
  guess_ = solution_.Lambda;
  solver_->solve(problem_, {.tol = tol, .over_c = exact ? 1e-3 : rough_over_c, .polish = exact && polish}, solution_);
  p_1_ = p_f_;
  l_1_ = l_f_;
  if (trees_) bond_space_.project(std::span(solution_.Lambda).last(bond_rows_.size()));
  if (trees_) tau_.setZero(v_k_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    add_impulse(system_, blocks_[rows_[k]].frame, solution_.Lambda[k], impulses());
  }
  for (std::size_t i = 0; trees_ && i < tree_blocks_.size(); ++i) {  // closures push free bodies, too
    add_impulse(system_, tree_blocks_[i].law, solution_.Lambda[rows_.size() + i], impulses());
  }
  motion::velocity(system_, q_m_, p_1_, l_1_, after_);
  if (!trees_) return;
  trees_->solve(tau_);
  v_1_ = v_f_ + tau_;
  trees_->velocity(v_1_, after_);
}

/// The next solve starts from here, be it of this step or of the next. At rest an accepted warm start Λ° + x leaves a
/// velocity error e = G x, which the polished answer of the next step takes back with Λ° − x; as a warm start that
/// would leave −e, and so on for ever. Their mean is Λ°.
void Moreau::keep_impulses() {
  double change = 0, size = 0;
  for (std::size_t k = 0; k < guess_.size(); ++k) {
    change += (solution_.Lambda[k] - guess_[k]).squaredNorm();
    size += solution_.Lambda[k].squaredNorm();
  }
  const bool took_back = solution_.report.method == solvers::polished_warm_start && change <= rest_change * size;
  for (Block& block : blocks_) {
    if (!block.active) block.impulse.setZero();
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Vec3 Lambda = took_back ? Vec3(0.5 * (guess_[k] + solution_.Lambda[k])) : solution_.Lambda[k];
    blocks_[rows_[k]].impulse = blocks_[rows_[k]].frame.F * Lambda;
  }
  std::fill(law_impulse_.begin(), law_impulse_.end(), Vec3::Zero());
  for (std::size_t i = 0; i < tree_blocks_.size(); ++i) {
    const std::size_t k = rows_.size() + i;
    law_impulse_[tree_blocks_[i].number] =
        took_back ? Vec3(0.5 * (guess_[k] + solution_.Lambda[k])) : solution_.Lambda[k];
  }
}

void Moreau::keep_warm_start() {
  warm_start_.begin_update();
  for (const std::size_t i : rows_) warm_start_.add(key_of(*blocks_[i].contact), blocks_[i].impulse);
  for (const TreeBlock& block : tree_blocks_) warm_start_.add(law_key(block.number), law_impulse_[block.number]);
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
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Block& block = blocks_[rows_[k]];
    record.contacts.push_back({block.contact->shape_a, block.contact->shape_b, block.contact->feature_id, block.mode,
                               block.contact->feature, block.frame.point, block.frame.F.col(0), block.frame.F.col(1),
                               block.view.gap_mid, solution_.Lambda[k], 0});
    book_contact(block.mode, solution_.Lambda[k], 0.5 * (block.view.gamma_minus + local_velocity(block.frame, after_)),
                 record.ledger);
  }
  for (std::size_t i = 0; i < tree_blocks_.size(); ++i) {
    const TreeBlock& block = tree_blocks_[i];
    const Vec3& Lambda = solution_.Lambda[rows_.size() + i];
    record.contacts.push_back({tree_law_code(block.law.kind),
                               block.law.index,
                               0,
                               block.mode,
                               {},
                               block.law.frame.point,
                               Vec3::UnitX(),
                               Vec3::UnitY(),
                               block.view.gap_mid,
                               Lambda,
                               0});
    book_tree_law(block.mode, Lambda,
                  0.5 * (block.view.gamma_minus + rate_of(*system_.forest, block.law, after_, v_1_)), record.ledger);
  }
}

/// q_{k+1} of the trees before the projection, and the work of what acts on them. Their kinetic energy is no invariant
/// of the midpoint rule: what it misses is booked to the scheme.
void Moreau::end_trees(State& state, Ledger& ledger) {
  v_next_ = 0.5 * (v_k_ + v_1_);
  ledger.work_forces += trees_->work(t_mid_, settings_.dt, q_k_.tree, v_next_);
  v_next_ = (0.5 * settings_.dt) * v_1_;
  state.q.tree.resize(q_m_.tree.size());
  system_.forest->tree.integrate(q_m_.tree.data(), v_next_.data(), state.q.tree.data());
  state.tree_v = v_1_;
  v_change_ = v_1_ - v_k_;
  trees_->place(state.q);
}

void Moreau::step(State& state, StepRecord& record) {
  predict(state);
  set_margins();
  int round_of_trees = 0;
  for (int round = 0; round < search_rounds; ++round) {
    find_candidates();
    // Rough solves tell which contacts close; only the last one must be exact.
    bool rough = !activate(round > 0) && candidates_.size() > few_contacts;
    assemble();
    for (bool settled = false, last = false; !settled;) {
      solve(rough ? rough_factor * settings_.tol : settings_.tol, !trees_ || last);
      bool missed = activate_missed();
      if (trees_) missed = activate_missed_limits() || missed;
      settled = !missed && !rough;
      if (missed || settled) keep_impulses();
      if (missed) assemble();
      if (!missed) rough = false;
      // The forces of the trees depend on the velocity that the impulses give; the last solve goes to rounding.
      if (settled && trees_ && !last) {
        last = !correct_trees() || round_of_trees++ >= tree_rounds;
        trees_->velocity(v_f_, free_);
        assemble();
        settled = false;
      }
    }
    keep_warm_start();
    if (!widen_margins()) break;
  }
  write_record(state, record);
  book_forces(system_, state.t + 0.5 * settings_.dt, settings_.dt, q_m_, at_mid_, after_, record.ledger);

  const double start = trees_ ? motion::energy(system_, state).total() : 0;
  state.p = p_1_;
  state.l = l_1_;
  motion::drift(system_, 0.5 * settings_.dt, q_m_, p_1_, l_1_, state.q);
  if (trees_) end_trees(state, record.ledger);
  search_.sweep(q_m_, state.q, candidates_);
  const motion::Energy before = motion::energy(system_, state);
  const Projection::Result shift = projection_.project(q_m_, candidates_, margin_, state.q, record.contacts);
  const motion::Energy after = shift.shift > 0 ? motion::energy(system_, state) : before;
  record.ledger.scheme += after.total() - before.total();
  if (trees_) record.ledger.scheme += after.total() - start - record.ledger.sum();
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
