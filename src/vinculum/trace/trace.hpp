// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// steps -> file. A trace is an HDF5 file that carries its own scene; everything in it is appended in chunks and
// flushed, so that a killed run leaves a file that opens and reads up to the last flush.
//
//   /                attributes: format "vinculum trace", version
//   /scene/          text, file, name, body_names, coordinates, tree_q, tree_v, actuators; attributes: integrator,
//                    solver, dt, tol, record_every, controls (by the scene, or by a program)
//   /state/          t, step [rows]; q [rows, bodies, 7] (x, y, z, qw, qx, qy, qz of the centre-of-mass frame);
//                    v [rows, bodies, 6] (velocity of the centre of mass, angular velocity; world axes);
//                    lagrangian_q, lagrangian_u [rows, coordinates]; tree_q, tree_v: joint coordinates, velocities
//   /step/           index, t, dt [steps]; row_before, row_after: the states around each recorded step;
//                    contacts_begin, contacts_count: its range in /contact/*; candidates; status, method, iterations,
//                    factorisations, residual, residual_scaled, residual_over_c of the solver; ledger [steps, 7];
//                    ctrl [steps, actuators]; penetration, penetration_before, shift, violation
//   /contact/        one row per contact of a recorded step: every field of ContactRecord and of its Feature
//
// Every dataset carries its `unit` and a `description`; schema.cpp is the table of them, docs/trace.md its prose.
// A state that ends one recorded step and begins the next is stored once. Otherwise (record_every > 1) each recorded
// step brings both of its states.
#pragma once

#include "vinculum/integrators/integrator.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vinculum::motion {
class ForestMotion;
}

namespace vinculum::trace {

using algebra::Quat;
using algebra::Vec3;

/// q and v of all bodies at one instant.
struct Row {
  double t = 0;
  std::int64_t step = 0;
  std::vector<Vec3> x;
  std::vector<Quat> R;
  std::vector<Vec3> v, w;
  Eigen::VectorXd lagrangian_q, lagrangian_u;
  Eigen::VectorXd tree_q, tree_v;
};

struct Header {
  std::string scene_file, scene_text, scene_name;
  std::string integrator, solver;
  double dt = 0, tol = 0;
  int record_every = 1;
  std::size_t bodies = 0;
  std::vector<std::string> body_names;
  std::vector<std::string> coordinates;     // of the Lagrangian part
  std::vector<std::string> tree_q, tree_v;  // names of the joint coordinates and velocities
  std::vector<std::string> actuators;
  bool driven = false;  // a program gave the controls: only the record knows them
};

/// What a trace says of a run and of a state.
Header make_header(const model::Model& model, const system::System& system, const integrators::Settings& settings,
                   const std::string& integrator = "moreau", int record_every = 1);

/// Rows of states, one after another: what moves the trees is made once.
class Rows {
 public:
  explicit Rows(const system::System& system);
  ~Rows();
  Row operator()(const system::State& state);

 private:
  const system::System& system_;
  std::unique_ptr<motion::ForestMotion> trees_;  // null without trees
};
inline Row make_row(const system::System& system, const system::State& state) { return Rows(system)(state); }

class Writer {
 public:
  /// Begins a file under a temporary name, `path`.partial; the first flush puts it in place of whatever was at `path`.
  /// Throws base::InputError when the place cannot be written or another run is writing there.
  Writer(const std::string& path, const Header& header);
  /// Reopens a trace and cuts it back to the given number of rows, steps and contacts (from a checkpoint). The file
  /// itself does not change before the next flush.
  static Writer reopen(const std::string& path, std::size_t rows, std::size_t steps, std::size_t contacts);
  /// Flushes what was added; a new trace to which nothing was ever added leaves no file behind.
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  void add(const Row& before, const integrators::StepRecord& record, const Row& after);
  /// Makes everything added so far part of the file, all at once: a killed run leaves what its last flush made. With
  /// `to_disk` also waits until it would survive a loss of power; worth it before a checkpoint that counts on it.
  /// After an InputError (full disk) the file stays at the last good flush and the writer takes no more.
  void flush(bool to_disk = false);
  std::size_t rows() const;
  std::size_t steps() const;
  std::size_t contacts() const;

 private:
  struct File;
  explicit Writer(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

class Reader {
 public:
  /// Throws base::InputError when the file is missing, not a trace, or damaged.
  explicit Reader(const std::string& path);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  const Header& header() const;
  std::size_t rows() const;
  std::size_t steps() const;
  std::size_t contacts() const;
  /// Recorded step i with the states around it. Buffers are reused; reading in order is fastest.
  void read(std::size_t i, Row& before, integrators::StepRecord& record, Row& after) const;
  /// State number `row` of /state/*.
  void read_row(std::size_t row, Row& out) const;
  /// A whole numeric dataset such as "/step/ledger", row after row, as doubles; `width` is the number of values per
  /// row.
  struct Table {
    std::vector<double> values;
    std::size_t width = 1;
    std::string unit, description;
  };
  Table table(const std::string& dataset) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// Everything a run needs to go on: the exact state, the integrator's memory, and how far the trace had been written.
struct Checkpoint {
  std::string scene_text;
  double dt = 0, tol = 0;
  std::string integrator, solver;
  system::State state;
  std::vector<double> memory;
  std::size_t rows = 0, steps = 0, contacts = 0;
};

/// Write-then-rename: the file at `path` is always a whole checkpoint.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::string& path);

}  // namespace vinculum::trace
