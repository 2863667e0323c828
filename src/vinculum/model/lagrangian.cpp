// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `[lagrangian]`: coordinates, parameters, energies, forces, start.  `[[law]]`: force laws between its coordinates.
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include "vinculum/base/nearest.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/program.hpp"
#include "vinculum/potentials/registry.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

namespace vinculum::model {

using reader::Bound;
using reader::Node;
using reader::quote;
using reader::Table;
using reader::Value;

std::vector<std::string> Lagrangian::velocity_names() const {
  std::vector<std::string> names;
  for (const std::string& name : coordinates) names.push_back(name + "'");
  return names;
}

namespace {

bool is_number(const Value& value) {
  return value.node().kind == Node::Kind::integer || value.node().kind == Node::Kind::number;
}

}  // namespace

Formula read_formula(const Value& value) {
  Formula formula{"", value.place(), value.path()};
  if (is_number(value)) {
    formula.text = fmt::format("{}", value.number(Bound::finite, ""));
    return formula;
  }
  formula.text = value.string();
  formula.place.line = value.node().text_line;
  formula.place.column = value.node().text_column;
  return formula;
}

namespace {

std::vector<Formula> read_formulas(const Value& value, std::size_t low, std::size_t high, std::string_view expected) {
  if (value.node().kind != Node::Kind::array) {
    if (low > 1) value.fail(expected);
    return {read_formula(value)};
  }
  const std::size_t count = value.size(expected);
  if (count < low || count > high) value.fail(fmt::format("an array of {}", count), expected);
  std::vector<Formula> formulas;
  for (std::size_t i = 0; i < count; ++i) formulas.push_back(read_formula(value.item(i)));
  return formulas;
}

/// A number, or an expression of the parameters.
double read_constant(const Value& value, const std::vector<Symbol>& parameters) {
  if (is_number(value) || value.node().kind != Node::Kind::string) return value.number(Bound::finite, "");
  const Formula formula = read_formula(value);
  std::vector<double> values;
  double result = 0;
  expr::Pool pool;
  for (const Symbol& symbol : parameters) pool.symbol(symbol.name), values.push_back(symbol.value);
  try {
    const expr::Expr e = expr::parse(pool, formula.text);
    expr::compile(pool, std::span(&e, 1)).evaluate(values, std::span(&result, 1));
  } catch (const expr::ParseError& error) {
    throw at_place(error, formula);
  }
  if (!std::isfinite(result)) value.fail(fmt::format("{} = {}", quote(formula.text), result), "a finite number");
  return result;
}

/// A new symbol of the expressions; `t`, `pi` and the functions are taken.
void check_symbol(const std::string& name, const Value& at, std::vector<std::string>& taken) {
  if (!expr::is_symbol_name(name) || name == "t" || name.ends_with('\'')) {
    at.fail(quote(name), "a name of letters, digits and _, a letter first, that means nothing else in expressions");
  }
  if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
    at.fail(fmt::format("{} twice", quote(name)), "different names of coordinates and parameters");
  }
  taken.push_back(name);
}

void read_parameters(Table& table, std::vector<std::string>& taken, Lagrangian& part) {
  const std::optional<Value> value = table.find("parameters");
  if (!value) return;
  if (value->node().kind != Node::Kind::table) value->fail("a table of numbers: { m = 2, g = 9.81 }");
  for (std::size_t i = 0; i < value->node().items.size(); ++i) {
    const std::string& name = value->node().keys[i].name;
    const Value item(value->node().items[i], value->file(), fmt::format("{}.{}", value->path(), name));
    check_symbol(name, item, taken);
    const double number = read_constant(item, part.parameters);
    part.parameters.push_back({name, number});
  }
}

std::vector<Formula> read_mass_matrix(const Value& value, std::size_t n) {
  const std::string expected = fmt::format("{0} rows of {0} expressions", n);
  if (value.size(expected) != n) value.fail(expected);
  std::vector<Formula> all;
  for (std::size_t i = 0; i < n; ++i) {
    const Value row = value.item(i);
    for (Formula& entry : read_formulas(row, n == 1 ? 1 : n, n, expected)) all.push_back(std::move(entry));
  }
  return all;
}

std::vector<double> read_start(Table& table, std::string_view key, std::size_t n, const Lagrangian& part) {
  const std::optional<Value> value = table.find(key);
  if (!value) return std::vector<double>(n, 0.0);
  const std::string expected = fmt::format("an array of {} numbers, one for each coordinate", n);
  if (value->size(expected) != n) value->fail(expected);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(read_constant(value->item(i), part.parameters));
  return numbers;
}

/// Parameters of the law's type: given ones in range, the others by their fallback.
void read_values(Table& table, const potentials::PotentialType& type, const Scene& scene, ForceLaw& law) {
  for (const potentials::Parameter& parameter : type.factory.parameters) {
    const std::optional<Value> value = table.find(parameter.name);
    if (!value && parameter.name == "rows") {  // as many as there are formulas
      law.values.emplace("rows", static_cast<double>(std::max(law.gap.size(), law.rate.size())));
      continue;
    }
    if (!value && !parameter.fallback) {
      table.fail_missing(parameter.name, fmt::format("{} ({})", parameter.text, parameter.unit));
    }
    const double number = value ? read_constant(*value, scene.model.lagrangian->parameters) : *parameter.fallback;
    if (value) {
      if (const auto expected = fault_of(parameter, number)) value->fail(fmt::format("{}", number), *expected);
    }
    law.values.emplace(parameter.name, number);
  }
}

[[noreturn]] void fail_type(const Value& type) {
  std::vector<std::string_view> known;
  for (const auto& t : potentials::potential_types()) known.push_back(t.name);
  const std::string near = base::nearest(type.string(), known);
  type.fail(near.empty() ? "one of: " + reader::join(known) : fmt::format("a law such as {}", quote(near)));
}

ForceLaw read_law(const Value& value, const Scene& scene, Names& names, int index) {
  Keys keys = law_keys();
  const potentials::PotentialType* type = nullptr;
  if (value.node().kind == Node::Kind::table) {
    for (std::size_t i = 0; i < value.node().keys.size(); ++i) {
      if (value.node().keys[i].name != "type") continue;
      const Value given(value.node().items[i], value.file(), fmt::format("{}.type", value.path()));
      type = potentials::find_potential(given.string());
      if (!type) fail_type(given);  // before its parameters count as unknown keys
    }
  }
  if (type) {
    for (const potentials::Parameter& parameter : type->factory.parameters) keys.push_back(parameter.name);
  }
  Table table(value, "[[law]]", keys);
  ForceLaw law;
  law.place = value.place();
  law.path = value.path();
  const std::optional<Value> name = table.find("name");
  law.name = name ? name->name() : value.path();
  names.add(law.name, index, name.value_or(value));
  law.type = table.need("type", "the name of a law (vinculum list laws)").string();
  const std::string_view rows = "an expression, or an array of up to 3";
  if (const auto gap = table.find("gap")) law.gap = read_formulas(*gap, 1, 3, rows);
  if (const auto rate = table.find("rate")) law.rate = read_formulas(*rate, 1, 3, rows);
  if (const auto normal = table.find("normal")) {
    law.normal = normal->string();
    law.normal_place = normal->place();
    if (law.type != "coulomb") normal->fail("a normal law only for a law of type \"coulomb\"");
  }
  law.e = table.number("e", Bound::fraction, "").value_or(0);
  if (law.e != 0 && law.type != "unilateral") table.find("e")->fail("restitution only of a law of type \"unilateral\"");
  read_values(table, *type, scene, law);
  const bool displacement = type->factory.level == potentials::Level::displacement;
  if (displacement && law.gap.empty()) table.fail_missing("gap", "the gap coordinate of a displacement law");
  if (law.gap.empty() == law.rate.empty()) {
    if (law.gap.empty()) table.fail_missing("rate", "the velocity that the law acts on, or a gap whose rate it is");
    table.find("rate")->fail("either gap or rate, not both");
  }
  return law;
}

}  // namespace

base::InputError at_place(const expr::ParseError& error, const Formula& formula) {
  base::Place place = formula.place;
  place.line += error.line() - 1;
  place.column = error.line() == 1 ? place.column + error.column() - 1 : error.column();
  base::InputError line(place, formula.path, error.found(), error.expected());
  line.detail = error.picture();
  return line;
}

void read_lagrangian(Table& root, Scene& scene) {
  const std::optional<Value> value = root.find("lagrangian");
  if (!value) return;
  Table table(*value, "[lagrangian]", lagrangian_keys());
  Lagrangian part;
  part.place = value->place();
  std::vector<std::string> taken;
  const std::string_view expected = "an array of names";
  const Value coordinates = table.need("coordinates", expected);
  const std::size_t n = coordinates.size(expected);
  if (n == 0) coordinates.fail("an empty array", "one coordinate or more");
  for (std::size_t i = 0; i < n; ++i) {
    part.coordinates.push_back(coordinates.item(i).string());
    check_symbol(part.coordinates.back(), coordinates.item(i), taken);
  }
  read_parameters(table, taken, part);
  const std::optional<Value> T = table.find("T"), M = table.find("M"), U = table.find("U"), F = table.find("forces");
  if (!T && !M) table.fail_missing("T", "the kinetic energy T, or the mass matrix M");
  if (T && M) M->fail("either T or M, not both");
  if (T) part.T = read_formula(*T);
  if (M) part.M = read_mass_matrix(*M, n);
  if (U) part.U = read_formula(*U);
  if (F) part.forces = read_formulas(*F, n, n, fmt::format("an array of {} expressions", n));
  part.q = read_start(table, "q", n, part);
  part.u = read_start(table, "u", n, part);
  scene.model.lagrangian = std::move(part);
}

void read_laws(Table& root, Scene& scene) {
  Names names("law");
  for (const Value& value : array_of_tables(root, "law")) {
    if (!scene.model.lagrangian) value.fail("a law without coordinates", "a table [lagrangian] that it acts on");
    scene.model.laws.push_back(read_law(value, scene, names, static_cast<int>(scene.model.laws.size())));
  }
}

namespace {

/// f and ḟ = Σ ∂f/∂q u at the start.
std::pair<double, double> at_start(const Formula& formula, const Lagrangian& part) {
  expr::Pool pool;
  std::vector<double> values{0};
  std::vector<expr::Expr> q;
  pool.symbol("t");
  for (const std::string& name : part.coordinates) q.push_back(pool.symbol(name));
  for (const std::string& name : part.velocity_names()) pool.symbol(name);
  values.insert(values.end(), part.q.begin(), part.q.end());
  values.insert(values.end(), part.u.begin(), part.u.end());
  for (const Symbol& symbol : part.parameters) pool.symbol(symbol.name), values.push_back(symbol.value);
  try {
    std::vector<expr::Expr> wanted{expr::parse(pool, formula.text)};
    for (const expr::Expr& coordinate : q) wanted.push_back(pool.derivative(wanted.front(), coordinate));
    std::vector<double> found(wanted.size());
    expr::compile(pool, wanted).evaluate(values, found);
    double rate = 0;
    for (std::size_t i = 0; i < q.size(); ++i) rate += found[1 + i] * part.u[i];
    if (!std::isfinite(found[0]) || !std::isfinite(rate)) {
      throw base::InputError(formula.place, formula.path, fmt::format("{} at the start", found[0]), "a finite number");
    }
    return {found[0], rate};
  } catch (const expr::ParseError& error) {
    throw at_place(error, formula);
  }
}

}  // namespace

void place_frames(Scene& scene) {
  for (Body& body : scene.model.bodies) {
    if (!body.carried()) continue;
    if (!scene.model.lagrangian) {
      throw base::InputError(body.place, "frame", "a scene without [lagrangian]", "coordinates that carry the frame");
    }
    for (int k = 0; k < 3; ++k) {
      std::tie(body.X_WB.p[k], body.v_WB[k]) =
          at_start(body.frame[static_cast<std::size_t>(k)], *scene.model.lagrangian);
    }
    if (body.frame.size() < 4) continue;
    const auto [angle, rate] = at_start(body.frame[3], *scene.model.lagrangian);
    body.X_WB.R = Quat(Eigen::AngleAxisd(angle, body.frame_axis));
    body.w_WB = rate * body.frame_axis;
  }
}

}  // namespace vinculum::model
