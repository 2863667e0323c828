// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the chunks of a dataset in a file made by format.hpp, so that a reopened trace can go on. Reading traces is the
// business of hdf5.hpp; the HDF5 library does not tell where all chunks are without searching anew for each.
#pragma once

#include "vinculum/trace/file_handle.hpp"
#include "vinculum/trace/format.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace vinculum::trace {

struct Chunks {
  std::uint64_t rows = 0;  // extent of the first dimension
  std::uint64_t chunk_rows = 0;
  std::vector<format::Address> chunks;
};

class FormatReader {
 public:
  /// Throws base::InputError when the file was not written by us.
  explicit FormatReader(const FileHandle& file);
  format::Address end() const { return end_; }
  Chunks find_chunks(std::string_view group, std::string_view name) const;

 private:
  using Message = std::function<void(unsigned type, std::span<const unsigned char> data)>;
  void for_each_message(format::Address header, const Message& message) const;
  format::Address follow(format::Address group, std::string_view name) const;
  void walk(format::Address node, std::size_t dimensions, int level, std::vector<format::Address>& out) const;
  [[noreturn]] void fail() const;

  const FileHandle& file_;
  format::Address end_ = 0, root_ = 0;
};

}  // namespace vinculum::trace
