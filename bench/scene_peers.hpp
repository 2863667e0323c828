// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One scene, several engines: every peer is built from the same model::Model and is asked the same questions. What an
// engine thinks of its own answer is not asked; the referee (referee.hpp) judges positions and velocities alone.
#pragma once

#include "vinculum/contact/problem.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/system/system.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vinculum::bench {

using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;

/// Positions and velocities of all bodies, in the order of the model; centres of mass, world axes.
struct Motion {
  system::Configuration q;
  std::vector<Vec3> v, w;
};

/// What a checker finds in one step.
struct StepErrors {
  contact::Errors law;  // the natural map of all contacts
  double balance = 0;   // part of the change of momentum that the impulses do not explain
};

class Peer {
 public:
  virtual ~Peer() = default;
  /// Throws base::InputError when the engine cannot express the scene.
  virtual void load(const model::Model& model) = 0;
  virtual void step(double dt) = 0;
  virtual void read(Motion& motion) const = 0;
  /// Contact points that entered the solver in the last step, counted the engine's own way.
  virtual std::size_t contacts() const = 0;
  /// The last step checked from its contacts, impulses and velocities. `before` is the motion before that step. Engines
  /// that keep impulses only on request must have been told before the step.
  virtual void keep_impulses(bool) {}
  virtual StepErrors check(const Motion& before) = 0;
  /// Scaled natural map of the last step; NaN for engines that do not say.
  virtual double residual() const { return std::numeric_limits<double>::quiet_NaN(); }
  /// False when the engine itself says that the last step was not solved.
  virtual bool solved() const { return true; }
};

struct PeerType {
  std::string name;
  std::string settings;              // what was chosen, one line
  std::size_t bodies_max = 1000000;  // beyond that a step takes minutes (dense methods)
  int threads = 1;
  std::function<std::unique_ptr<Peer>()> make;
};

/// vinculum first, then the peers that were found when this was built.
std::vector<PeerType> peer_types();

/// The same engines from quick to thorough: us at tolerances 1e-1 to 1e-8, the others at 10 to 1000 iterations. `name`
/// is the engine, `settings` the tolerance or the number.
std::vector<PeerType> peers_by_effort();

// One factory per file peer_*.cpp.
/// Sleep is off as it is in the others, so that everybody works in every step.
std::unique_ptr<Peer> make_vinculum_peer(int threads, std::optional<double> tol, bool sleep = false);
/// Friction acts along 1 direction, that of the sliding velocity (Bullet's default), or along 2.
std::unique_ptr<Peer> make_bullet_peer(int iterations, int directions = 1);
enum class OdeMethod : std::uint8_t { quick_step, step };
std::unique_ptr<Peer> make_ode_peer(OdeMethod method, int iterations);

/// Names and versions of the engines compiled in, one line each.
std::vector<std::string> peer_versions();
std::string bullet_version();
std::string ode_version();

}  // namespace vinculum::bench
