// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/trace/schema.hpp"

#include "vinculum/base/error.hpp"

#include <array>

namespace vinculum::trace {

using format::f64;
using format::i32;
using format::i64;
using format::u32;
using format::u64;

namespace {

using std::string_view;

// The words that h5dump shows for the enumerations, in the order of the enumerators.
constexpr std::array<string_view, 5> status_words{"solved", "stalled", "exhausted", "infeasible", "inapplicable"};
constexpr std::array<string_view, 9> mode_words{"impact",    "held",    "landing", "bond",  "acting",
                                                "projected", "settled", "wedged",  "nudged"};
constexpr std::array<string_view, 8> feature_words{"face_a",      "face_b",         "face_a_rim_b",   "face_b_rim_a",
                                                   "point_point", "edge_a_point_b", "point_a_edge_b", "edge_edge"};
static_assert(static_cast<std::size_t>(solvers::Status::inapplicable) + 1 == status_words.size());
static_assert(static_cast<std::size_t>(integrators::Mode::nudged) + 1 == mode_words.size());
static_assert(static_cast<std::size_t>(collide::FeatureKind::edge_edge) + 1 == feature_words.size());

void add_state(std::vector<ColumnSpec>& c, const Header& header) {
  const std::uint64_t bodies = header.bodies, coordinates = header.coordinates.size();
  c.push_back({"state", "t", f64, {}, "s", "time of the state"});
  c.push_back({"state", "step", i64, {}, "1", "number of steps from the start of the run to this state"});
  c.push_back({"state",
               "q",
               f64,
               {bodies, 7},
               "m, m, m, 1, 1, 1, 1",
               "x, y, z of the centre of mass; unit quaternion w, x, y, z from body axes to world axes"});
  c.push_back({"state",
               "v",
               f64,
               {bodies, 6},
               "m/s, m/s, m/s, rad/s, rad/s, rad/s",
               "velocity of the centre of mass; angular velocity; world axes"});
  c.push_back({"state", "lagrangian_q", f64, {coordinates}, "of the scene", "coordinates of the Lagrangian part"});
  c.push_back({"state", "lagrangian_u", f64, {coordinates}, "of the scene", "their velocities"});
  c.push_back({"state", "tree_q", f64, {header.tree_q.size()}, "rad or m", "joint coordinates of the trees"});
  c.push_back({"state", "tree_v", f64, {header.tree_v.size()}, "rad/s or m/s", "joint velocities of the trees"});
}

void add_step(std::vector<ColumnSpec>& c, const Header& header) {
  c.push_back({"step", "index", i64, {}, "1", "the step leads from state number index to index + 1"});
  c.push_back({"step", "t", f64, {}, "s", "time at its start"});
  c.push_back({"step", "dt", f64, {}, "s", "its length"});
  c.push_back({"step", "row_before", u64, {}, "1", "row of /state/* with the state at its start"});
  c.push_back({"step", "row_after", u64, {}, "1", "row of /state/* with the state at its end"});
  c.push_back({"step", "contacts_begin", u64, {}, "1", "first row of /contact/* that belongs to it"});
  c.push_back({"step", "contacts_count", u64, {}, "1", "number of rows of /contact/* that belong to it"});
  c.push_back({"step", "candidates", u64, {}, "1", "contacts found by the search"});
  c.push_back({"step", "status", format::words(status_words), {}, "1", "how the solver ended"});
  c.push_back({"step", "method", format::text(method_length), {}, "text", "the method that finished"});
  c.push_back({"step", "iterations", i32, {}, "1", "iterations of the solver"});
  c.push_back({"step", "factorisations", i32, {}, "1", "matrix factorisations of the solver"});
  c.push_back({"step", "residual", f64, {}, "1", "natural map over max(|c|, |xi|, |Lambda|), the FCLIB measure"});
  c.push_back({"step", "residual_scaled", f64, {}, "1", "the same on unit-free variables"});
  c.push_back({"step", "residual_over_c", f64, {}, "1", "scaled natural map over the free part alone"});
  c.push_back({"step",
               "ledger",
               f64,
               {7},
               "J",
               "at the end: kinetic, potential; work of forces, impacts, friction, bonds; added by the scheme"});
  c.push_back({"step",
               "ctrl",
               f64,
               {header.actuators.size()},
               "of the scene",
               "controls of the actuators in the step, before they are clamped to their ranges"});
  c.push_back({"step", "penetration", f64, {}, "m", "deepest penetration at the end of the step"});
  c.push_back({"step", "penetration_before", f64, {}, "m", "the same before the projection"});
  c.push_back({"step", "shift", f64, {}, "m", "largest displacement by the projection"});
  c.push_back({"step",
               "violation",
               f64,
               {},
               "1",
               "worst gap, limit, rod or loop at the end of the step, in units of the bodies (angles: rad)"});
}

void add_contact(std::vector<ColumnSpec>& c) {
  c.push_back({"contact",
               "shapes",
               i32,
               {2},
               "1",
               "shapes a and b; for a rod -1, for a law of the Lagrangian part -2, for laws of trees -3 (lower limit), "
               "-4 (upper limit), -5 (dry friction), -6 (coupling), -7 (points of a closure), -8 (turning of a "
               "closure), -9 (spring), -10 (angle of a ball), -11, -12, -13 (lower limit, upper limit, dry friction of "
               "a cut joint), "
               "and its index"});
  c.push_back({"contact", "feature_id", u32, {}, "1", "number of the feature pair within the pair of shapes"});
  c.push_back({"contact", "mode", format::words(mode_words), {}, "1", "how the contact entered the step"});
  c.push_back(
      {"contact", "feature", format::words(feature_words), {}, "1", "how the normal follows from the features"});
  c.push_back({"contact", "P_a", f64, {3}, "m", "point of feature a, centre-of-mass frame of its body"});
  c.push_back({"contact", "P_b", f64, {3}, "m", "point of feature b, centre-of-mass frame of its body"});
  c.push_back({"contact", "dir_a", f64, {3}, "1", "direction of feature a, axes of its body"});
  c.push_back({"contact", "dir_b", f64, {3}, "1", "direction of feature b, axes of its body"});
  c.push_back({"contact", "rounding", f64, {2}, "m", "radii around P_a and P_b"});
  c.push_back({"contact", "rim", f64, {}, "m", "radius of the circle of a rim feature"});
  c.push_back({"contact", "sign", f64, {}, "1", "of the normal of edge_edge"});
  c.push_back({"contact",
               "point",
               f64,
               {3},
               "m",
               "point of action at the midpoint configuration (projected: where its repetition starts), world axes"});
  c.push_back({"contact", "n", f64, {3}, "1", "normal from a to b, world axes"});
  c.push_back({"contact", "t1", f64, {3}, "1", "first tangent, world axes; the second is n x t1"});
  c.push_back(
      {"contact", "gap", f64, {}, "m", "gap at the midpoint configuration (projected: where its repetition starts)"});
  c.push_back({"contact", "Lambda", f64, {3}, "N s", "impulse on b along n, t1, t2"});
  c.push_back({"contact",
               "Pi",
               f64,
               {3},
               "kg m or kg m^2",
               "position impulse of the projection: contacts along n, laws along their rows"});
  c.push_back({"contact", "round", i32, {}, "1", "repetition of the projection, from 1; 0: not of the projection"});
}

}  // namespace

std::vector<ColumnSpec> make_columns(const Header& header) {
  std::vector<ColumnSpec> columns;
  add_state(columns, header);
  add_step(columns, header);
  add_contact(columns);
  VINCULUM_DEMAND(columns.size() == column_count);
  return columns;
}

FileSpec make_file_spec(const Header& header) {
  FileSpec spec;
  spec.attributes = {format::make_attribute("format", format_name), format::make_attribute("version", format_version)};
  spec.groups = {
      {"scene",
       {format::make_attribute("integrator", header.integrator), format::make_attribute("solver", header.solver),
        format::make_attribute("dt", header.dt), format::make_attribute("tol", header.tol),
        format::make_attribute("record_every", static_cast<std::int64_t>(header.record_every)),
        format::make_attribute("controls", std::string_view(header.driven ? "program" : "scene"))}},
      {"state", {}},
      {"step", {}},
      {"contact", {}}};
  spec.texts = {{"scene", "file", "the scene file as it was named", {header.scene_file}},
                {"scene", "name", "name of the scene", {header.scene_name}},
                {"scene", "text", "the whole scene file", {header.scene_text}},
                {"scene", "body_names", "names of the bodies in the order of /state/q", header.body_names, true},
                {"scene", "coordinates", "names in the order of /state/lagrangian_q", header.coordinates, true},
                {"scene", "tree_q", "names in the order of /state/tree_q", header.tree_q, true},
                {"scene", "tree_v", "names in the order of /state/tree_v", header.tree_v, true},
                {"scene", "actuators", "names in the order of /step/ctrl", header.actuators, true}};
  spec.columns = make_columns(header);
  return spec;
}

}  // namespace vinculum::trace
