// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/flow.hpp"
#include "vinculum/motion/forest.hpp"
#include "vinculum/motion/velocity.hpp"
#include "vinculum/trace/trace.hpp"

namespace vinculum::trace {

Header make_header(const model::Model& model, const system::System& system, const integrators::Settings& settings,
                   const std::string& integrator, int record_every) {
  Header header;
  header.scene_file = model.file;
  header.scene_text = model.text;
  header.scene_name = model.name;
  header.integrator = integrator;
  header.solver = settings.solver->name;
  header.dt = settings.dt;
  header.tol = settings.tol;
  header.record_every = record_every;
  header.bodies = model.bodies.size();
  for (const model::Body& body : model.bodies) header.body_names.push_back(body.name);
  if (model.lagrangian) header.coordinates = model.lagrangian->coordinates;
  if (system.forest) {
    header.tree_q = system.forest->q_names, header.tree_v = system.forest->v_names;
    header.actuators = system.forest->actuator_names;
  }
  header.driven = settings.controller != nullptr;
  return header;
}

Rows::Rows(const system::System& system)
    : system_(system), trees_(system.forest ? std::make_unique<motion::ForestMotion>(system) : nullptr) {}

Rows::~Rows() = default;

Row Rows::operator()(const system::State& state) {
  Row row;
  row.t = state.t;
  row.step = state.step;
  row.x = state.q.x;
  row.R = state.q.R;
  motion::Velocity velocity;
  motion::velocity(system_, state.q, state.p, state.l, velocity);
  if (trees_) trees_->settle(state.q.tree), trees_->velocity(state.tree_v, velocity);
  row.v = std::move(velocity.v);
  row.w = std::move(velocity.w);
  row.lagrangian_q = state.lagrangian_q;
  row.lagrangian_u = state.lagrangian_u;
  row.tree_q = state.q.tree.head(static_cast<Eigen::Index>(system_.forest ? system_.forest->tree.nq() : 0));
  row.tree_v = state.tree_v.head(static_cast<Eigen::Index>(system_.forest ? system_.forest->tree.nv() : 0));
  return row;
}

}  // namespace vinculum::trace
