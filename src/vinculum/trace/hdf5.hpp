// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A thin layer over the HDF5 library for reading: ids that close themselves, and one line instead of an error stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vinculum::trace::hdf5 {

/// An open file, group, dataset, type, space or property list.
class Id {
 public:
  using Close = int (*)(std::int64_t);
  Id() = default;
  Id(std::int64_t id, Close close) : id_(id), close_(close) {}
  ~Id() { reset(); }
  Id(Id&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Id& operator=(Id&& other) noexcept;
  std::int64_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  void reset();
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// How values are wanted in memory: converted to a C++ type, or (enumerations, text) byte for byte.
enum class As : std::uint8_t { f64, i32, i64, u32, u64, bytes };

class File;

/// A dataset with its extent.
class Dataset {
 public:
  Dataset() = default;
  const std::vector<std::uint64_t>& dims() const { return dims_; }
  std::uint64_t rows() const { return dims_.empty() ? 1 : dims_[0]; }
  std::size_t row_elements() const;  // values per row
  std::size_t element_size() const;  // in the file, bytes
  bool is_real() const;
  bool is_number() const;
  /// Rows [begin, begin + count) into `out`.
  void read(As as, std::uint64_t begin, std::uint64_t count, void* out) const;
  std::string attribute(const std::string& name) const;  // text; empty when there is none

 private:
  friend class File;
  [[noreturn]] void fail(const char* action) const;
  Id id_;
  std::string place_;  // file: dataset
  std::vector<std::uint64_t> dims_;
};

class File {
 public:
  /// Throws base::InputError when there is no such file or the library cannot open it; `expected` says what was wanted.
  explicit File(const std::string& path, const std::string& expected = "a trace");
  bool has(const std::string& object) const;
  Dataset dataset(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;  // of a dataset of strings
  std::string text_attribute(const std::string& object, const std::string& name) const;
  double real_attribute(const std::string& object, const std::string& name) const;
  std::int64_t integer_attribute(const std::string& object, const std::string& name) const;
  const std::string& path() const { return path_; }
  [[noreturn]] void fail(const std::string& what) const;  // `path: what`, with the library's reason when it has one

 private:
  Id open_attribute(const std::string& object, const std::string& name) const;
  std::string path_;
  Id id_;
};

}  // namespace vinculum::trace::hdf5
