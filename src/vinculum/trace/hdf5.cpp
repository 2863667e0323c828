// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/trace/hdf5.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace vinculum::trace::hdf5 {

namespace {

template <herr_t (*close)(hid_t)>
Id make_id(hid_t id) {
  return {id, [](std::int64_t x) { return static_cast<int>(close(x)); }};
}

// The innermost entry of the library's error stack.
std::string reason() {
  std::string out;
  const auto take = [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
    if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
    return 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &out);
  H5Eclear2(H5E_DEFAULT);
  out = out.substr(0, out.find_first_of("\n,"));  // what follows are addresses and clocks
  return out.empty() ? out : " (" + out + ")";
}

hid_t memory_type(As as) {
  switch (as) {
    case As::f64:
      return H5T_NATIVE_DOUBLE;
    case As::i32:
      return H5T_NATIVE_INT32;
    case As::i64:
      return H5T_NATIVE_INT64;
    case As::u32:
      return H5T_NATIVE_UINT32;
    case As::u64:
      return H5T_NATIVE_UINT64;
    case As::bytes:
      break;
  }
  return -1;
}

}  // namespace

Id& Id::operator=(Id&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

void Id::reset() {
  if (id_ >= 0) close_(id_);
  id_ = -1;
}

std::size_t Dataset::row_elements() const {
  std::size_t n = 1;
  for (std::size_t i = 1; i < dims_.size(); ++i) n *= dims_[i];
  return n;
}

std::size_t Dataset::element_size() const { return H5Tget_size(make_id<H5Tclose>(H5Dget_type(id_.get())).get()); }

bool Dataset::is_real() const { return H5Tget_class(make_id<H5Tclose>(H5Dget_type(id_.get())).get()) == H5T_FLOAT; }

bool Dataset::is_number() const {
  return is_real() || H5Tget_class(make_id<H5Tclose>(H5Dget_type(id_.get())).get()) == H5T_INTEGER;
}

void Dataset::fail(const char* action) const {
  throw base::InputError(fmt::format("{}: damaged: cannot {}{}", place_, action, reason()));
}

void Dataset::read(As as, std::uint64_t begin, std::uint64_t count, void* out) const {
  if (count == 0 || row_elements() == 0) return;
  const Id own_type = make_id<H5Tclose>(as == As::bytes ? H5Dget_type(id_.get()) : H5Tcopy(memory_type(as)));
  const Id space = make_id<H5Sclose>(H5Dget_space(id_.get()));
  std::vector<hsize_t> start(dims_.size(), 0), size(dims_.begin(), dims_.end());
  if (dims_.empty()) {
    if (H5Dread(id_.get(), own_type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) fail("read");
    return;
  }
  start[0] = begin;
  size[0] = count;
  const Id memory = make_id<H5Sclose>(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  if (!own_type || !space || !memory ||
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) < 0 ||
      H5Dread(id_.get(), own_type.get(), memory.get(), space.get(), H5P_DEFAULT, out) < 0) {
    fail("read");
  }
}

std::string Dataset::attribute(const std::string& name) const {
  const Id id = make_id<H5Aclose>(H5Aopen(id_.get(), name.c_str(), H5P_DEFAULT));
  if (!id) {
    H5Eclear2(H5E_DEFAULT);
    return {};
  }
  const Id type = make_id<H5Tclose>(H5Aget_type(id.get()));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) return {};
  std::string out(H5Tget_size(type.get()), '\0');
  if (H5Aread(id.get(), type.get(), out.data()) < 0) fail("read");
  return out.c_str();
}

File::File(const std::string& path, const std::string& expected) : path_(path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (::access(path.c_str(), R_OK) != 0) {
    throw base::InputError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) fail("found a folder, expected " + expected);
  const htri_t is_hdf5 = H5Fis_hdf5(path.c_str());
  if (is_hdf5 == 0) fail("found a file of another kind, expected " + expected + " (HDF5)");
  id_ = make_id<H5Fclose>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!id_) fail("damaged: cannot open");
}

void File::fail(const std::string& what) const {
  throw base::InputError(fmt::format("{}: {}{}", path_, what, reason()));
}

bool File::has(const std::string& object) const {
  // A link exists only if all the groups on its way do.
  for (std::size_t at = object.find('/', 1);; at = object.find('/', at + 1)) {
    const bool there = H5Lexists(id_.get(), object.substr(0, at).c_str(), H5P_DEFAULT) > 0;
    H5Eclear2(H5E_DEFAULT);
    if (!there) return false;
    if (at == std::string::npos) return true;
  }
}

Dataset File::dataset(const std::string& name) const {
  if (!has(name)) throw base::InputError(fmt::format("{}: {}: found none, expected a dataset", path_, name));
  Dataset out;
  out.place_ = path_ + ": " + name;
  out.id_ = make_id<H5Dclose>(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT));
  if (!out.id_) out.fail("open");
  const Id space = make_id<H5Sclose>(H5Dget_space(out.id_.get()));
  const int n = H5Sget_simple_extent_ndims(space.get());
  if (n < 0) out.fail("open");
  std::vector<hsize_t> dims(static_cast<std::size_t>(n));
  if (n > 0) H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  out.dims_.assign(dims.begin(), dims.end());
  return out;
}

std::vector<std::string> File::texts(const std::string& name) const {
  const Dataset d = dataset(name);
  const Id type = make_id<H5Tclose>(H5Dget_type(d.id_.get()));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) d.fail("read as text");
  const std::size_t size = d.element_size(), n = d.rows();
  std::string bytes(size * n, '\0');
  d.read(As::bytes, 0, n, bytes.data());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back(bytes.substr(i * size, size));
    while (!out.back().empty() && out.back().back() == '\0') out.back().pop_back();
  }
  return out;
}

Id File::open_attribute(const std::string& object, const std::string& name) const {
  Id id = make_id<H5Aclose>(H5Aopen_by_name(id_.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  if (!id) {
    H5Eclear2(H5E_DEFAULT);
    throw base::InputError(fmt::format("{}: {}: found no attribute {}, expected a trace", path_, object, name));
  }
  return id;
}

std::string File::text_attribute(const std::string& object, const std::string& name) const {
  const Id id = open_attribute(object, name);
  const Id type = make_id<H5Tclose>(H5Aget_type(id.get()));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) return {};
  std::string out(H5Tget_size(type.get()), '\0');
  if (H5Aread(id.get(), type.get(), out.data()) < 0) fail("damaged: cannot read attribute " + name);
  return out.c_str();
}

double File::real_attribute(const std::string& object, const std::string& name) const {
  double out = 0;
  if (H5Aread(open_attribute(object, name).get(), H5T_NATIVE_DOUBLE, &out) < 0) fail("damaged: cannot read " + name);
  return out;
}

std::int64_t File::integer_attribute(const std::string& object, const std::string& name) const {
  std::int64_t out = 0;
  if (H5Aread(open_attribute(object, name).get(), H5T_NATIVE_INT64, &out) < 0) fail("damaged: cannot read " + name);
  return out;
}

}  // namespace vinculum::trace::hdf5
