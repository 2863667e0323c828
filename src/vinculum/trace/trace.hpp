// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// steps -> file. A trace is an HDF5 file that carries its own scene; everything in it is appended in chunks and
// flushed, so that a killed run leaves a file that opens and reads up to the last flush.
//
//   /scene/text, /scene/file, /scene/name, attributes: format version, integrator, solver, dt, tol
//   /state/t [rows], /state/step [rows], /state/q [rows, bodies, 7] (x, y, z, qw, qx, qy, qz of the centre-of-mass
//   frame), /state/v [rows, bodies, 6] (velocity of the centre of mass, angular velocity; world axes) /step/index, t,
//   dt [steps], row_before, row_after [steps]: the states around each recorded step /step/contacts_begin,
//   contacts_count [steps]: ranges into /contact/* /step/ledger [steps, 7], residual, residual_scaled, iterations,
//   penetration, ... /contact/* one row per contact of a recorded step
//
// With record_every = 1 consecutive steps share their states; otherwise each recorded step brings both of its states.
#pragma once

#include "vinculum/integrators/integrator.hpp"

#include <memory>
#include <string>
#include <vector>

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
};

struct Header {
  std::string scene_file, scene_text, scene_name;
  std::string integrator, solver;
  double dt = 0, tol = 0;
  int record_every = 1;
  std::size_t bodies = 0;
  std::vector<std::string> body_names;
};

class Writer {
 public:
  /// Creates the file (refuses nothing: an existing trace is replaced by write-then-rename at the first flush).
  Writer(const std::string& path, const Header& header);
  /// Reopens a trace and cuts it back to the given number of rows, steps and contacts (from a checkpoint).
  static Writer reopen(const std::string& path, std::size_t rows, std::size_t steps, std::size_t contacts);
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  void add(const Row& before, const integrators::StepRecord& record, const Row& after);
  void flush();
  std::size_t rows() const;
  std::size_t steps() const;
  std::size_t contacts() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

class Reader {
 public:
  /// Throws base::InputError when the file is missing, not a trace, or damaged.
  explicit Reader(const std::string& path);
  ~Reader();

  const Header& header() const;
  std::size_t steps() const;
  /// Recorded step i with the states around it.
  void read(std::size_t i, Row& before, integrators::StepRecord& record, Row& after) const;

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
