// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// file -> rows and records. Datasets are read in windows of many rows, because a call of the HDF5 library costs as much
// as copying some thousand numbers.
#include "vinculum/base/error.hpp"
#include "vinculum/trace/hdf5.hpp"
#include "vinculum/trace/schema.hpp"
#include "vinculum/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>

namespace vinculum::trace {

using integrators::ContactRecord;
using integrators::StepRecord;

namespace {

constexpr std::size_t window_bytes = 128 * 1024;

hdf5::As memory_of(const format::Type& type) {
  using Class = format::Type::Class;
  if (type.kind == Class::real) return hdf5::As::f64;
  if (type.kind != Class::integer) return hdf5::As::bytes;
  if (type.size == 4) return type.is_signed ? hdf5::As::i32 : hdf5::As::u32;
  return type.is_signed ? hdf5::As::i64 : hdf5::As::u64;
}

// One dataset and the part of it that is in memory.
struct Window {
  hdf5::Dataset dataset;
  hdf5::As as = hdf5::As::f64;
  std::size_t row_bytes = 0;
  std::uint64_t begin = 0, end = 0;
  std::vector<std::byte> memory;

  const std::byte* rows(std::uint64_t first, std::uint64_t count) {
    if (first < begin || first + count > end) {
      const std::uint64_t wanted = std::max<std::uint64_t>(count, window_bytes / std::max<std::size_t>(row_bytes, 1));
      end = begin = first;  // nothing, should the reading fail
      const std::uint64_t last = std::min(first + wanted, dataset.rows());
      memory.resize((last - first) * row_bytes);
      dataset.read(as, first, last - first, memory.data());
      end = last;
    }
    return memory.data() + (first - begin) * row_bytes;
  }
};

// Reports carry static text; what a file says becomes static here. There are few different names.
std::string_view intern(std::string_view text) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  const auto found = names.find(text);
  return found != names.end() ? *found : *names.emplace(text).first;
}

void take(const double* in, Vec3& x) { std::copy_n(in, 3, x.data()); }

}  // namespace

struct Reader::File {
  explicit File(const std::string& path) : file(path) {}

  void check_kind() const;
  void read_header();
  void open_columns();
  void read_contacts(std::uint64_t begin, std::uint64_t count, std::vector<ContactRecord>& contacts);

  template <class Element>
  const Element* rows(ColumnId column, std::uint64_t first, std::uint64_t count = 1) {
    return reinterpret_cast<const Element*>(windows[column].rows(first, count));
  }

  hdf5::File file;
  Header header;
  std::array<Window, column_count> windows;
};

void Reader::File::check_kind() const {
  const auto fail = [this](const std::string& found) {
    throw base::InputError(fmt::format("{}: found {}, expected a trace", file.path(), found));
  };
  if (!file.has("/scene") || !file.has("/state") || !file.has("/step")) fail("an HDF5 file of another kind");
  const auto kind = file.text_attribute("/", "format");
  if (kind != format_name) fail("the format '" + kind + "'");
  const auto version = file.integer_attribute("/", "version");
  if (version != format_version)
    fail(fmt::format("version {} of the format (this program reads {})", version, format_version));
}

void Reader::File::read_header() {
  const auto text = [this](const char* name) {
    auto strings = file.texts(name);
    return strings.empty() ? std::string() : strings[0];
  };
  header.scene_file = text("/scene/file");
  header.scene_name = text("/scene/name");
  header.scene_text = text("/scene/text");
  header.body_names = file.texts("/scene/body_names");
  header.bodies = header.body_names.size();
  header.coordinates = file.texts("/scene/coordinates");
  header.tree_q = file.texts("/scene/tree_q");
  header.tree_v = file.texts("/scene/tree_v");
  header.actuators = file.texts("/scene/actuators");
  header.driven = file.text_attribute("/scene", "controls") == "program";
  header.integrator = file.text_attribute("/scene", "integrator");
  header.solver = file.text_attribute("/scene", "solver");
  header.dt = file.real_attribute("/scene", "dt");
  header.tol = file.real_attribute("/scene", "tol");
  header.record_every = static_cast<int>(file.integer_attribute("/scene", "record_every"));
}

void Reader::File::open_columns() {
  const auto specs = make_columns(header);
  std::array<std::uint64_t, 3> group_rows{};
  for (std::size_t c = 0; c < column_count; ++c) {
    const auto& spec = specs[c];
    const std::string name = "/" + spec.group + "/" + spec.name;
    auto& window = windows[c];
    window.dataset = file.dataset(name);
    window.as = memory_of(spec.type);
    window.row_bytes = spec.type.size * window.dataset.row_elements();
    const auto& dims = window.dataset.dims();
    auto& rows = group_rows[c < step_index ? 0 : c < contact_shapes ? 1 : 2];
    const bool first = c == state_t || c == step_index || c == contact_shapes;
    if (first) rows = window.dataset.rows();
    if (dims.empty() || !std::equal(dims.begin() + 1, dims.end(), spec.shape.begin(), spec.shape.end()) ||
        dims[0] != rows || window.dataset.element_size() != spec.type.size ||
        window.dataset.is_real() != (window.as == hdf5::As::f64)) {
      throw base::InputError(
          fmt::format("{}: {}: damaged: found another size or type than a trace has", file.path(), name));
    }
  }
}

Reader::Reader(const std::string& path) : file_(std::make_unique<File>(path)) {
  file_->check_kind();
  file_->read_header();
  file_->open_columns();
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

const Header& Reader::header() const { return file_->header; }
std::size_t Reader::rows() const { return file_->windows[state_t].dataset.rows(); }
std::size_t Reader::steps() const { return file_->windows[step_index].dataset.rows(); }
std::size_t Reader::contacts() const { return file_->windows[contact_shapes].dataset.rows(); }

void Reader::read_row(std::size_t row, Row& out) const {
  VINCULUM_DEMAND(row < rows());
  auto& f = *file_;
  const std::size_t bodies = f.header.bodies;
  for (auto* list : {&out.x, &out.v, &out.w}) list->resize(bodies);
  out.R.resize(bodies);
  out.t = *f.rows<double>(state_t, row);
  out.step = *f.rows<std::int64_t>(state_step, row);
  const double* q = f.rows<double>(state_q, row);
  const double* v = f.rows<double>(state_v, row);
  for (std::size_t b = 0; b < bodies; ++b, q += 7, v += 6) {
    take(q, out.x[b]);
    out.R[b] = Quat(q[3], q[4], q[5], q[6]);
    take(v, out.v[b]);
    take(v + 3, out.w[b]);
  }
  const auto read = [&](ColumnId column, std::size_t size, Eigen::VectorXd& x) {
    x = Eigen::Map<const Eigen::VectorXd>(f.rows<double>(column, row), static_cast<Eigen::Index>(size));
  };
  read(state_lagrangian_q, f.header.coordinates.size(), out.lagrangian_q);
  read(state_lagrangian_u, f.header.coordinates.size(), out.lagrangian_u);
  read(state_tree_q, f.header.tree_q.size(), out.tree_q);
  read(state_tree_v, f.header.tree_v.size(), out.tree_v);
}

void Reader::File::read_contacts(std::uint64_t begin, std::uint64_t count, std::vector<ContactRecord>& contacts) {
  contacts.resize(count);
  const auto each = [&]<class Element>(ColumnId column, std::size_t width,
                                       void (*set)(ContactRecord&, const Element*)) {
    const auto* in = rows<Element>(column, begin, count);
    for (std::uint64_t i = 0; i < count; ++i) set(contacts[i], in + i * width);
  };
  using C = ContactRecord&;
  using D = const double*;
  each(
      contact_shapes, 2, +[](C c, const std::int32_t* in) {
        c.shape_a = in[0];
        c.shape_b = in[1];
      });
  each(
      contact_feature_id, 1, +[](C c, const std::uint32_t* in) { c.feature_id = *in; });
  each(
      contact_mode, 1, +[](C c, const std::uint8_t* in) { c.mode = static_cast<integrators::Mode>(*in); });
  each(
      contact_feature, 1,
      +[](C c, const std::uint8_t* in) { c.feature.kind = static_cast<collide::FeatureKind>(*in); });
  each(
      contact_P_a, 3, +[](C c, D in) { take(in, c.feature.P_a); });
  each(
      contact_P_b, 3, +[](C c, D in) { take(in, c.feature.P_b); });
  each(
      contact_dir_a, 3, +[](C c, D in) { take(in, c.feature.dir_a); });
  each(
      contact_dir_b, 3, +[](C c, D in) { take(in, c.feature.dir_b); });
  each(
      contact_rounding, 2, +[](C c, D in) {
        c.feature.rounding_a = in[0];
        c.feature.rounding_b = in[1];
      });
  each(
      contact_rim, 1, +[](C c, D in) { c.feature.rim = *in; });
  each(
      contact_sign, 1, +[](C c, D in) { c.feature.sign = *in; });
  each(
      contact_point, 3, +[](C c, D in) { take(in, c.point); });
  each(
      contact_n, 3, +[](C c, D in) { take(in, c.n); });
  each(
      contact_t1, 3, +[](C c, D in) { take(in, c.t1); });
  each(
      contact_gap, 1, +[](C c, D in) { c.gap = *in; });
  each(
      contact_Lambda, 3, +[](C c, D in) { take(in, c.Lambda); });
  each(
      contact_Pi, 3, +[](C c, D in) { take(in, c.Pi); });
  each(
      contact_round, 1, +[](C c, const std::int32_t* in) { c.round = *in; });
}

void Reader::read(std::size_t i, Row& before, StepRecord& r, Row& after) const {
  VINCULUM_DEMAND(i < steps());
  auto& f = *file_;
  const auto real = [&](ColumnId column) { return *f.rows<double>(column, i); };
  const auto natural = [&](ColumnId column) { return *f.rows<std::uint64_t>(column, i); };
  r.step = *f.rows<std::int64_t>(step_index, i);
  r.t = real(step_t);
  r.dt = real(step_dt);
  r.candidates = natural(step_candidates);
  r.solver.status = *f.rows<solvers::Status>(step_status, i);
  const char* method = f.rows<char>(step_method, i);
  r.solver.method =
      intern({method, static_cast<std::size_t>(std::find(method, method + method_length, '\0') - method)});
  r.solver.iterations = *f.rows<std::int32_t>(step_iterations, i);
  r.solver.factorisations = *f.rows<std::int32_t>(step_factorisations, i);
  r.solver.errors = {real(step_residual), real(step_residual_scaled), real(step_residual_over_c)};
  const double* l = f.rows<double>(step_ledger, i);
  r.ledger = {l[0], l[1], l[2], l[3], l[4], l[5], l[6]};
  const double* ctrl = f.rows<double>(step_ctrl, i);
  r.ctrl.assign(ctrl, ctrl + f.header.actuators.size());
  r.penetration = real(step_penetration);
  r.penetration_before = real(step_penetration_before);
  r.shift = real(step_shift);
  r.violation = real(step_violation);

  const auto begin = natural(step_contacts_begin), count = natural(step_contacts_count);
  const auto row_before = natural(step_row_before), row_after = natural(step_row_after);
  if (begin > contacts() || count > contacts() - begin || row_before >= rows() || row_after >= rows()) {
    throw base::InputError(fmt::format("{}: damaged: step {} refers to rows that are not there", f.file.path(), i));
  }
  f.read_contacts(begin, count, r.contacts);
  read_row(row_before, before);
  read_row(row_after, after);
}

Reader::Table Reader::table(const std::string& name) const {
  const auto dataset = file_->file.dataset(name);
  if (!dataset.is_number())
    throw base::InputError(fmt::format("{}: {}: found words, expected numbers", file_->file.path(), name));
  Table out{{}, dataset.row_elements(), dataset.attribute("unit"), dataset.attribute("description")};
  out.values.resize(dataset.rows() * out.width);
  dataset.read(hdf5::As::f64, 0, dataset.rows(), out.values.data());
  return out;
}

}  // namespace vinculum::trace
