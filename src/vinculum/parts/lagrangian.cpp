// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/parts/lagrangian.hpp"

#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/rewrite.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace vinculum::parts {

Lagrangian::Lagrangian(const model::Lagrangian& part, const std::vector<model::ForceLaw>& laws,
                       const std::vector<std::vector<model::Formula>>& frames)
    : n_(static_cast<Eigen::Index>(part.coordinates.size())),
      coordinates_(part.coordinates),
      pool_(std::make_unique<expr::Pool>()) {
  declare(part);
  read_energies(part);
  read_laws(laws);
  link_friction(laws);
  read_frames(frames, part);
  compile_all();
}

/// Symbols in the order of Point::values: t, q, u, parameters.
void Lagrangian::declare(const model::Lagrangian& part) {
  t_ = pool_->symbol("t");
  for (const std::string& name : part.coordinates) q_.push_back(pool_->symbol(name));
  for (const std::string& name : part.velocity_names()) u_.push_back(pool_->symbol(name));
  for (const model::Symbol& parameter : part.parameters) {
    pool_->symbol(parameter.name);
    parameters_.push_back(parameter.value);
  }
}

Lagrangian::Expr Lagrangian::parse(const model::Formula& formula) const {
  try {
    return expr::parse(*pool_, formula.text);
  } catch (const expr::ParseError& error) {
    throw model::at_place(error, formula);
  }
}

/// Not a polynomial or a quotient: it may hold |u|, also as sqrt(u²) or max(u, −u).
bool Lagrangian::has_function(Expr e) const {
  const expr::Node& node = pool_->node(e);
  return node.kind == expr::Kind::function || std::any_of(node.terms.begin(), node.terms.end(),
                                                          [&](const expr::Term& term) { return has_function(term.e); });
}

/// The same whatever the signs of u.
bool Lagrangian::is_even(Expr e) const {
  const expr::Program program = expr::compile(*pool_, std::span(&e, 1));
  std::mt19937 random(2);
  std::uniform_real_distribution<double> range(0.1, 1.1);
  Point point = make_point();
  for (int trial = 0; trial < 8; ++trial) {
    for (Eigen::Index i = 0; i <= 2 * n_; ++i) point.values[static_cast<std::size_t>(i)] = range(random);
    double one = 0, other = 0;
    program.evaluate(point.values, std::span(&one, 1));
    for (Eigen::Index i = n_ + 1; i <= 2 * n_; ++i) {
      if (trial == 0 || random() % 2 == 0) point.values[static_cast<std::size_t>(i)] *= -1;
    }
    program.evaluate(point.values, std::span(&other, 1));
    if (std::abs(one - other) > 1e-9 * (1 + std::abs(one))) return false;
  }
  return true;
}

/// All are 0, compared with `size`. What does not simplify to 0 is tried at points of a fixed sequence.
bool Lagrangian::vanish(std::vector<Expr> list, Expr size) const {
  std::erase_if(list, [&](Expr e) { return pool_->is_number(e, 0); });
  if (list.empty()) return true;
  list.push_back(size);
  const expr::Program program = expr::compile(*pool_, list);
  std::vector<double> values(list.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> range(0.1, 1.1);
  Point point = make_point();
  for (int trial = 0; trial < 8; ++trial) {
    for (Eigen::Index i = 0; i <= 2 * n_; ++i) point.values[static_cast<std::size_t>(i)] = range(random);
    program.evaluate(point.values, values);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      if (std::abs(values[i]) > 1e-9 * (1 + std::abs(values.back()))) return false;
    }
  }
  return true;
}

/// e must not depend on u: its slopes vanish, and it does not change with the sign of a velocity, which slopes do not
/// see.
void Lagrangian::demand_no_velocity(Expr e, const model::Formula& formula, std::string_view expected) const {
  std::vector<Expr> slopes;
  for (const Expr& u : u_) slopes.push_back(pool_->derivative(e, u));
  if (vanish(std::move(slopes), e) && (!has_function(e) || is_even(e))) return;
  throw base::InputError(formula.place, formula.path, fmt::format("\"{}\"", formula.text), expected);
}

/// A rate without velocities is a gap that was taken for one: no force could change it.
void Lagrangian::demand_velocity(Expr e, const model::Formula& formula) const {
  std::vector<Expr> slopes;
  for (const Expr& u : u_) slopes.push_back(pool_->derivative(e, u));
  if (!vanish(std::move(slopes), e)) return;
  throw base::InputError(formula.place, formula.path, fmt::format("\"{}\"", formula.text),
                         "a rate that depends on velocities (a function of t and q alone is a gap)");
}

/// Half of M − Mᵀ would be dropped without a word.
void Lagrangian::demand_symmetric(const std::vector<Expr>& M, const std::vector<model::Formula>& source) const {
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const model::Formula& entry = source[i * n + j];
      if (vanish({expr::expand(*pool_, pool_->sub(M[i * n + j], M[j * n + i]))}, M[i * n + j])) continue;
      throw base::InputError(entry.place, entry.path, fmt::format("\"{}\"", entry.text),
                             fmt::format("a symmetric matrix: the same as M[{}][{}]", j, i));
    }
  }
}

void Lagrangian::read_energies(const model::Lagrangian& part) {
  expr::Pool& pool = *pool_;
  const auto n = static_cast<std::size_t>(n_);
  if (part.T) {
    T_ = expr::expand(pool, parse(*part.T));
  } else {
    std::vector<Expr> M;
    for (const model::Formula& entry : part.M) M.push_back(parse(entry));
    demand_symmetric(M, part.M);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        T_ = pool.add(T_, pool.scale(0.5, pool.mul(M[i * n + j], pool.mul(u_[i], u_[j]))));
      }
    }
  }
  const model::Formula& source = part.T ? *part.T : part.M.front();
  U_ = part.U ? parse(*part.U) : pool.number(0);
  if (part.U) demand_no_velocity(U_, *part.U, "a potential that does not depend on velocities");
  kinetic_ = pool.neg(T_);
  drive_ = pool.sub(pool.derivative(U_, t_), pool.derivative(T_, t_));
  for (std::size_t i = 0; i < n; ++i) {
    const Expr momentum = pool.derivative(T_, u_[i]);
    kinetic_ = pool.add(kinetic_, pool.mul(u_[i], momentum));
    Expr h = pool.derivative(T_, q_[i]);
    for (std::size_t j = 0; j < n; ++j) {
      M_.push_back(pool.derivative(momentum, u_[j]));
      demand_no_velocity(M_.back(), source, "a kinetic energy quadratic in the velocities");
      h = pool.sub(h, pool.mul(pool.derivative(momentum, q_[j]), u_[j]));
    }
    h_.push_back(expr::expand(pool, pool.sub(h, pool.derivative(momentum, t_))));
    if (i + 1 == n) kinetic_ = expr::expand(pool, kinetic_);
    minus_dU_.push_back(pool.neg(pool.derivative(U_, q_[i])));
    F_.push_back(part.forces.empty() ? pool.number(0) : parse(part.forces[i]));
  }
}

void Lagrangian::read_laws(const std::vector<model::ForceLaw>& laws) {
  for (const model::ForceLaw& law : laws) read_law(law);
  for (const Expr& gamma : gamma_) {
    for (const Expr& u : u_) W_.push_back(pool_->derivative(gamma, u));
    w_.push_back(expr::time_derivative(*pool_, gamma, t_, q_, u_, std::vector<Expr>(u_.size())));
  }
}

namespace {

Role role_of(const potentials::Superpotential& law) {
  if (!law.is_integrable()) return Role::coupled;
  const bool displacement = law.level() == potentials::Level::displacement;
  auto at = [&](int row, double x) {
    convex::Vec place = convex::Vec::Zero(law.rows());
    place[row] = x;
    return law.potential(place);
  };
  constexpr double nothing = 1e-100;  // a bond allows not even this
  bool bond = true;
  for (int row = 0; row < law.rows(); ++row)
    bond = bond && std::isinf(at(row, nothing)) && std::isinf(at(row, -nothing));
  if (bond) return Role::bond;
  if (displacement && law.rows() == 1 && at(0, 1) == 0 && std::isinf(at(0, -1))) return Role::contact;
  return displacement ? Role::gap_force : Role::rate_force;
}

}  // namespace

void Lagrangian::read_law(const model::ForceLaw& law) {
  RowLaw rows;
  rows.name = law.name;
  rows.type = law.type;
  rows.place = law.place;
  rows.path = law.path;
  rows.first = static_cast<int>(rows_);
  rows.e = law.e;
  rows.has_gap = !law.gap.empty();
  try {
    rows.law = potentials::make_potential(law.type, law.values);
  } catch (const base::InputError& error) {
    throw base::InputError(fmt::format("{}: {}: {}", base::to_string(law.place), law.path, error.what()));
  }
  rows.role = role_of(*rows.law);
  const std::vector<model::Formula>& formulas = rows.has_gap ? law.gap : law.rate;
  rows.rows = static_cast<int>(formulas.size());
  const bool coupled = rows.role == Role::coupled;  // along one tangent or two
  if (coupled ? rows.rows > 2 : rows.law->rows() != rows.rows) {
    const std::string expected = coupled ? "1 or 2" : fmt::format("{}", rows.law->rows());
    throw base::InputError(formulas.front().place, formulas.front().path, fmt::format("{} rows", rows.rows),
                           fmt::format("{} rows, as the law \"{}\" has", expected, law.type));
  }
  for (const model::Formula& formula : formulas) {
    const Expr e = parse(formula);
    if (rows.has_gap) demand_no_velocity(e, formula, "a gap that does not depend on velocities");
    x_.push_back(rows.has_gap ? e : pool_->number(std::numeric_limits<double>::quiet_NaN()));
    gamma_.push_back(rows.has_gap ? expr::time_derivative(*pool_, e, t_, q_, u_) : e);
    for (const Expr& u : u_) {
      demand_no_velocity(pool_->derivative(gamma_.back(), u), formula, "a rate that is linear in the velocities");
    }
    if (!rows.has_gap) demand_velocity(e, formula);
    ++rows_;
  }
  laws_.push_back(std::move(rows));
}

/// Friction whose load is the reaction of another law: that one must be a unilateral gap of one row.
void Lagrangian::link_friction(const std::vector<model::ForceLaw>& laws) {
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (laws_[i].role != Role::coupled) continue;
    if (laws[i].normal.empty()) {
      throw base::InputError(laws[i].place, laws[i].path + ".normal", "nothing",
                             "the name of the law whose reaction loads this friction");
    }
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      if (laws_[k].name == laws[i].normal) laws_[i].normal = static_cast<int>(k);
    }
    const int k = laws_[i].normal;
    if (k < 0 || laws_[static_cast<std::size_t>(k)].role != Role::contact) {
      throw base::InputError(laws[i].normal_place, laws[i].path + ".normal", fmt::format("\"{}\"", laws[i].normal),
                             "the name of a law of type \"unilateral\"");
    }
    RowLaw& contact = laws_[static_cast<std::size_t>(k)];
    if (contact.friction >= 0) {  // a step would see only one of them
      throw base::InputError(laws[i].normal_place, laws[i].path + ".normal",
                             fmt::format("\"{}\" a second time", laws[i].normal),
                             "one law of friction for each normal law (with two rows for two directions)");
    }
    contact.friction = static_cast<int>(i);
    laws_[i].mu = laws[i].values.at("mu");
  }
}

/// Frames join the part to bodies and trees in one problem (motion/carried.hpp), which knows constant energies and
/// places and no laws of the coordinates.
void Lagrangian::read_frames(const std::vector<std::vector<model::Formula>>& frames, const model::Lagrangian& part) {
  if (frames.empty()) return;
  if (!laws_.empty()) {
    throw base::InputError(laws_.front().place, laws_.front().path, "a law beside [[frame]]",
                           "contact and bonds of the frames instead, or no frame");
  }
  if (!vanish({drive_}, T_)) {
    throw base::InputError(part.place, "lagrangian", "energies that depend on t",
                           "T and U of q alone beside [[frame]]");
  }
  for (const std::vector<model::Formula>& frame : frames) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Expr e = k < frame.size() ? parse(frame[k]) : pool_->number(0);
      if (k < frame.size()) {
        demand_no_velocity(e, frame[k], "a placement that does not depend on velocities");
        if (!vanish({pool_->derivative(e, t_)}, e)) {
          throw base::InputError(frame[k].place, frame[k].path, fmt::format("\"{}\"", frame[k].text),
                                 "a placement that does not depend on t");
        }
      }
      frames_.push_back(e);
      for (const Expr& q : q_) frame_W_.push_back(pool_->derivative(e, q));
    }
  }
}

void Lagrangian::compile_all() {
  std::vector<Expr> forces = h_;
  forces.insert(forces.end(), minus_dU_.begin(), minus_dU_.end());
  forces.insert(forces.end(), F_.begin(), F_.end());
  auto compile = [&](std::span<const Expr> outputs) { return expr::compile(*pool_, expr::share(*pool_, outputs)); };
  run_M_ = compile(M_);
  run_forces_ = compile(forces);
  run_T_ = compile({&kinetic_, 1});
  run_drive_ = compile({&drive_, 1});
  run_U_ = compile({&U_, 1});
  run_x_ = compile(x_);
  run_gamma_ = compile(gamma_);
  run_W_ = compile(W_);
  run_w_ = compile(w_);
  run_frames_ = compile(frames_);
  run_frame_W_ = compile(frame_W_);
}

Point Lagrangian::make_point() const {
  Point point;
  point.values.assign(static_cast<std::size_t>(1 + 2 * n_), 0.0);
  point.values.insert(point.values.end(), parameters_.begin(), parameters_.end());
  return point;
}

void Lagrangian::set(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, Point& point) const {
  point.values[0] = t;
  std::copy(q.begin(), q.end(), point.values.begin() + 1);
  std::copy(u.begin(), u.end(), point.values.begin() + 1 + n_);
}

namespace {

std::span<double> span_of(Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

}  // namespace

// M is symmetric, so that rows and columns may be exchanged.
void Lagrangian::mass(const Point& point, Eigen::MatrixXd& M) const {
  M.resize(n_, n_);
  run_M_.evaluate(point.values, {M.data(), static_cast<std::size_t>(M.size())});
}

void Lagrangian::forces(const Point& point, Eigen::VectorXd& all) const {
  all.resize(3 * n_);
  run_forces_.evaluate(point.values, span_of(all));
}

double Lagrangian::kinetic(const Point& point) const {
  double value = 0;
  run_T_.evaluate(point.values, {&value, 1});
  return value;
}

double Lagrangian::drive(const Point& point) const {
  double value = 0;
  run_drive_.evaluate(point.values, {&value, 1});
  return value;
}

double Lagrangian::potential(const Point& point) const {
  double value = 0;
  run_U_.evaluate(point.values, {&value, 1});
  if (std::none_of(laws_.begin(), laws_.end(), [](const RowLaw& law) { return law.role == Role::gap_force; })) {
    return value;
  }
  Eigen::VectorXd x;
  gaps(point, x);
  for (const RowLaw& law : laws_) {
    if (law.role == Role::gap_force) value += law.law->potential(convex::Vec(x.segment(law.first, law.rows)));
  }
  return value;
}

void Lagrangian::gaps(const Point& point, Eigen::VectorXd& x) const {
  x.resize(rows_);
  run_x_.evaluate(point.values, span_of(x));
}

void Lagrangian::rates(const Point& point, Eigen::VectorXd& gamma) const {
  gamma.resize(rows_);
  run_gamma_.evaluate(point.values, span_of(gamma));
}

void Lagrangian::directions(const Point& point, Eigen::MatrixXd& W) const {
  W.resize(n_, rows_);  // column after column: row after row of the laws
  run_W_.evaluate(point.values, {W.data(), static_cast<std::size_t>(W.size())});
}

void Lagrangian::drift(const Point& point, Eigen::VectorXd& w) const {
  w.resize(rows_);
  run_w_.evaluate(point.values, span_of(w));
}

void Lagrangian::frames(const Point& point, Eigen::VectorXd& x) const {
  x.resize(static_cast<Eigen::Index>(frames_.size()));
  run_frames_.evaluate(point.values, span_of(x));
}

void Lagrangian::frame_directions(const Point& point, Eigen::MatrixXd& W) const {
  W.resize(n_, static_cast<Eigen::Index>(frames_.size()));
  run_frame_W_.evaluate(point.values, {W.data(), static_cast<std::size_t>(W.size())});
}

Lagrangian::Texts Lagrangian::texts(bool latex) const {
  auto print = [&](Expr e) { return latex ? expr::to_latex(*pool_, e) : expr::to_text(*pool_, e); };
  auto all = [&](const std::vector<Expr>& list) {
    std::vector<std::string> out;
    for (const Expr& e : list) out.push_back(print(e));
    return out;
  };
  std::vector<Expr> f;
  for (std::size_t i = 0; i < F_.size(); ++i) f.push_back(pool_->add(minus_dU_[i], F_[i]));
  return {all(M_), all(h_), all(f), all(x_), all(gamma_), all(W_), all(w_), print(T_), print(U_)};
}

}  // namespace vinculum::parts
