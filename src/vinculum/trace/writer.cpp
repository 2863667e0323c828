// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows and records -> columns. How they get into the file, and why a kill cannot hurt it: append_file.hpp.
#include "vinculum/base/error.hpp"
#include "vinculum/trace/schema.hpp"
#include "vinculum/trace/trace.hpp"

#include <algorithm>
#include <cstring>

namespace vinculum::trace {

using integrators::ContactRecord;
using integrators::StepRecord;

struct Writer::File {
  File(AppendFile appended, const Header& header)
      : file(std::move(appended)),
        bodies(header.bodies),
        coordinates(header.coordinates.size()),
        tree_q(header.tree_q.size()),
        tree_v(header.tree_v.size()),
        actuators(header.actuators.size()) {}

  void check_usable() const;
  void pack(const Row& row);
  std::uint64_t add_row(const Row& row);
  std::uint64_t share_row(const Row& row);
  void add_step(const StepRecord& record, std::uint64_t row_before, std::uint64_t row_after);
  void add_contacts(const std::vector<ContactRecord>& contacts);

  AppendFile file;
  std::size_t bodies, coordinates, tree_q, tree_v, actuators;
  std::vector<double> packed, last;  // a row as t, step (its bits), q, v, coordinates, trees; the one written last
  bool broken = false;  // an error came in the middle of a step or a flush: the file stays at the last flush
  bool dirty = false;
};

namespace {

constexpr std::size_t head = 2;  // t, step

double bits_of(std::int64_t x) {
  double y;
  std::memcpy(&y, &x, sizeof y);
  return y;
}

void put(double* out, const Vec3& x) { std::copy_n(x.data(), 3, out); }

}  // namespace

void Writer::File::check_usable() const {
  if (broken)
    throw base::InputError(file.path() + ": cannot write: an earlier write failed; the trace ends at its last flush");
}

void Writer::File::pack(const Row& row) {
  VINCULUM_DEMAND(row.x.size() == bodies && row.R.size() == bodies && row.v.size() == bodies && row.w.size() == bodies);
  VINCULUM_DEMAND(static_cast<std::size_t>(row.lagrangian_q.size()) == coordinates &&
                  static_cast<std::size_t>(row.lagrangian_u.size()) == coordinates);
  VINCULUM_DEMAND(static_cast<std::size_t>(row.tree_q.size()) == tree_q &&
                  static_cast<std::size_t>(row.tree_v.size()) == tree_v);
  packed.resize(head + 13 * bodies + 2 * coordinates + tree_q + tree_v);
  packed[0] = row.t;
  packed[1] = bits_of(row.step);
  double* q = packed.data() + head;
  double* v = q + 7 * bodies;
  for (std::size_t b = 0; b < bodies; ++b, q += 7, v += 6) {
    put(q, row.x[b]);
    q[3] = row.R[b].w();
    q[4] = row.R[b].x();
    q[5] = row.R[b].y();
    q[6] = row.R[b].z();
    put(v, row.v[b]);
    put(v + 3, row.w[b]);
  }
  std::copy(row.lagrangian_q.begin(), row.lagrangian_q.end(), v);
  std::copy(row.lagrangian_u.begin(), row.lagrangian_u.end(), v + coordinates);
  std::copy(row.tree_q.begin(), row.tree_q.end(), v + 2 * coordinates);
  std::copy(row.tree_v.begin(), row.tree_v.end(), v + 2 * coordinates + tree_q);
}

// The state before a step is usually the state after the one before it, bit for bit.
std::uint64_t Writer::File::share_row(const Row& row) {
  pack(row);
  if (!last.empty() && std::memcmp(packed.data(), last.data(), packed.size() * sizeof(double)) == 0) {
    return file.rows(state_t) - 1;
  }
  return add_row(row);
}

std::uint64_t Writer::File::add_row(const Row& row) {
  pack(row);
  const std::uint64_t index = file.rows(state_t);
  const double* q = packed.data() + head;
  file.append<double>(state_t, 1, [&](double* out, std::size_t) { *out = row.t; });
  file.append<std::int64_t>(state_step, 1, [&](std::int64_t* out, std::size_t) { *out = row.step; });
  file.append<double>(state_q, 1, [&](double* out, std::size_t) { std::copy_n(q, 7 * bodies, out); });
  file.append<double>(state_v, 1, [&](double* out, std::size_t) { std::copy_n(q + 7 * bodies, 6 * bodies, out); });
  const double* z = q + 13 * bodies;
  file.append<double>(state_lagrangian_q, 1, [&](double* out, std::size_t) { std::copy_n(z, coordinates, out); });
  file.append<double>(state_lagrangian_u, 1,
                      [&](double* out, std::size_t) { std::copy_n(z + coordinates, coordinates, out); });
  z += 2 * coordinates;
  file.append<double>(state_tree_q, 1, [&](double* out, std::size_t) { std::copy_n(z, tree_q, out); });
  file.append<double>(state_tree_v, 1, [&](double* out, std::size_t) { std::copy_n(z + tree_q, tree_v, out); });
  std::swap(packed, last);
  return index;
}

void Writer::File::add_step(const StepRecord& r, std::uint64_t row_before, std::uint64_t row_after) {
  const auto add = [this](ColumnId column, auto value) {
    file.append<decltype(value)>(column, 1, [&](auto* out, std::size_t) { *out = value; });
  };
  add(step_index, r.step);
  add(step_t, r.t);
  add(step_dt, r.dt);
  add(step_row_before, row_before);
  add(step_row_after, row_after);
  add(step_contacts_begin, file.rows(contact_shapes));
  add(step_contacts_count, std::uint64_t{r.contacts.size()});
  add(step_candidates, std::uint64_t{r.candidates});
  add(step_status, r.solver.status);
  file.append<char>(step_method, 1, [&](char* out, std::size_t) {
    VINCULUM_DEMAND(r.solver.method.size() < method_length);
    std::fill_n(out, method_length, '\0');
    std::copy(r.solver.method.begin(), r.solver.method.end(), out);
  });
  add(step_iterations, static_cast<std::int32_t>(r.solver.iterations));
  add(step_factorisations, static_cast<std::int32_t>(r.solver.factorisations));
  add(step_residual, r.solver.errors.judged);
  add(step_residual_scaled, r.solver.errors.scaled);
  add(step_residual_over_c, r.solver.errors.over_c);
  file.append<double>(step_ledger, 1, [&](double* out, std::size_t) {
    const auto& l = r.ledger;
    const double values[] = {l.kinetic,       l.potential,  l.work_forces, l.work_impact,
                             l.work_friction, l.work_bonds, l.scheme};
    std::copy_n(values, 7, out);
  });
  VINCULUM_DEMAND(r.ctrl.size() == actuators);
  file.append<double>(step_ctrl, 1, [&](double* out, std::size_t) { std::copy(r.ctrl.begin(), r.ctrl.end(), out); });
  add(step_penetration, r.penetration);
  add(step_penetration_before, r.penetration_before);
  add(step_shift, r.shift);
  add(step_violation, r.violation);
}

void Writer::File::add_contacts(const std::vector<ContactRecord>& contacts) {
  const auto scalars = [&]<class Value>(ColumnId column, Value (*value)(const ContactRecord&)) {
    file.append<Value>(column, contacts.size(), [&](Value* out, std::size_t i) { *out = value(contacts[i]); });
  };
  const auto vectors = [&](ColumnId column, const Vec3& (*value)(const ContactRecord&)) {
    file.append<double>(column, contacts.size(), [&](double* out, std::size_t i) { put(out, value(contacts[i])); });
  };
  using Record = const ContactRecord&;
  file.append<std::int32_t>(contact_shapes, contacts.size(), [&](std::int32_t* out, std::size_t i) {
    out[0] = contacts[i].shape_a;
    out[1] = contacts[i].shape_b;
  });
  scalars(
      contact_feature_id, +[](Record c) { return c.feature_id; });
  scalars(
      contact_mode, +[](Record c) { return c.mode; });
  scalars(
      contact_feature, +[](Record c) { return c.feature.kind; });
  vectors(contact_P_a, [](Record c) -> const Vec3& { return c.feature.P_a; });
  vectors(contact_P_b, [](Record c) -> const Vec3& { return c.feature.P_b; });
  vectors(contact_dir_a, [](Record c) -> const Vec3& { return c.feature.dir_a; });
  vectors(contact_dir_b, [](Record c) -> const Vec3& { return c.feature.dir_b; });
  file.append<double>(contact_rounding, contacts.size(), [&](double* out, std::size_t i) {
    out[0] = contacts[i].feature.rounding_a;
    out[1] = contacts[i].feature.rounding_b;
  });
  scalars(
      contact_rim, +[](Record c) { return c.feature.rim; });
  scalars(
      contact_sign, +[](Record c) { return c.feature.sign; });
  vectors(contact_point, [](Record c) -> const Vec3& { return c.point; });
  vectors(contact_n, [](Record c) -> const Vec3& { return c.n; });
  vectors(contact_t1, [](Record c) -> const Vec3& { return c.t1; });
  scalars(
      contact_gap, +[](Record c) { return c.gap; });
  vectors(contact_Lambda, [](Record c) -> const Vec3& { return c.Lambda; });
  vectors(contact_Pi, [](Record c) -> const Vec3& { return c.Pi; });
  scalars(
      contact_round, +[](Record c) { return c.round; });
}

Writer::Writer(const std::string& path, const Header& header) {
  VINCULUM_DEMAND(header.body_names.size() == header.bodies);
  file_ = std::make_unique<File>(AppendFile::create(path, make_file_spec(header)), header);
}

Writer Writer::reopen(const std::string& path, std::size_t rows, std::size_t steps, std::size_t contacts) {
  const auto [header, last_row] = [&] {
    const Reader reader(path);
    Row row;
    if (rows > 0 && rows <= reader.rows()) reader.read_row(rows - 1, row);
    return std::pair(reader.header(), row);
  }();
  std::vector<std::uint64_t> counts;
  for (std::size_t c = 0; c < column_count; ++c)
    counts.push_back(c < step_index ? rows : c < contact_shapes ? steps : contacts);
  auto file = std::make_unique<File>(AppendFile::reopen(path, make_file_spec(header), counts), header);
  if (rows > 0) {
    file->pack(last_row);
    std::swap(file->packed, file->last);
  }
  file->dirty = true;  // the cut itself
  return Writer(std::move(file));
}

Writer::Writer(std::unique_ptr<File> file) : file_(std::move(file)) {}

Writer::~Writer() {
  if (!file_ || file_->broken || !file_->dirty) return;
  try {
    flush();
  } catch (const base::InputError&) {  // the file is as the last flush left it
  }
}

Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

void Writer::add(const Row& before, const StepRecord& record, const Row& after) {
  file_->check_usable();
  file_->broken = true;  // until the step is whole
  const auto row_before = file_->share_row(before);
  const auto row_after = file_->add_row(after);
  file_->add_step(record, row_before, row_after);
  file_->add_contacts(record.contacts);
  file_->broken = false;
  file_->dirty = true;
}

void Writer::flush(bool to_disk) {
  file_->check_usable();
  file_->broken = true;
  file_->file.flush(to_disk);
  file_->broken = false;
  file_->dirty = false;
}

std::size_t Writer::rows() const { return file_->file.rows(state_t); }
std::size_t Writer::steps() const { return file_->file.rows(step_index); }
std::size_t Writer::contacts() const { return file_->file.rows(contact_shapes); }

}  // namespace vinculum::trace
