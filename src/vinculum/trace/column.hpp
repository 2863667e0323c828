// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One extendible dataset of an AppendFile. Its last chunk lives in memory; full chunks are on the disk for good.
//
// Chunks have `chunk_rows()` rows. As long as a single chunk is enough it is kept as small as a power of two allows,
// and moves to a larger place when it grows, so that a short trace is a small file. The layout depends on the number of
// rows alone.
#pragma once

#include "vinculum/trace/file_handle.hpp"
#include "vinculum/trace/format.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vinculum::trace {

struct ColumnSpec {
  std::string group, name;
  format::Type type;
  std::vector<std::uint64_t> shape;  // of one row; empty: one element
  std::string unit, description;
};

/// Space at the end of the file, handed out once.
class Space {
 public:
  explicit Space(format::Address end = 0) : end_(end) {}
  format::Address take(std::uint64_t bytes, std::uint64_t alignment = 8) {
    const auto at = (end_ + alignment - 1) / alignment * alignment;
    end_ = at + bytes;
    return at;
  }
  format::Address end() const { return end_; }

 private:
  format::Address end_;
};

class Column {
 public:
  explicit Column(ColumnSpec spec);

  const ColumnSpec& spec() const { return spec_; }
  std::uint64_t rows() const { return full_rows() + tail_rows_; }
  std::size_t row_bytes() const { return row_bytes_; }
  std::uint64_t chunk_rows() const;

  /// Adds up to `wanted` rows (at least one) and gives their memory, to be filled before the next call.
  std::byte* extend(std::size_t wanted, std::size_t& granted, FileHandle& file, Space& space);
  /// Writes the rows that are not yet on the disk to places that no earlier flush refers to.
  void write_tail(FileHandle& file, Space& space);
  /// Appends what a reader needs to find the data, the part of the chunk index that still changes and the object
  /// header, to `image`, which begins at the address `base`. Gives the address of the object header.
  format::Address describe(format::Bytes& image, format::Address base);
  /// Takes over the first `rows` rows of a dataset whose chunks, of `chunk_rows` rows each, are at the given addresses.
  void adopt(FileHandle& file, Space& space, std::uint64_t rows, std::uint64_t chunk_rows,
             std::span<const format::Address> chunks);

 private:
  std::uint64_t full_rows() const { return levels_[0].size() * max_rows_; }
  std::vector<std::uint64_t>& chunk_dims();
  void finish_chunk(FileHandle& file, Space& space);
  void finish_nodes(FileHandle& file, Space& space);

  ColumnSpec spec_;
  std::vector<format::Attribute> attributes_;
  std::size_t row_bytes_;
  std::uint64_t min_rows_, max_rows_;
  std::unique_ptr<std::byte[]> tail_;                 // the last chunk, max_rows_ rows
  std::uint64_t tail_rows_ = 0, tail_written_ = 0;    // rows in it, rows of it on the disk
  format::Address tail_address_ = format::undefined;  // its place on the disk and the rows that fit there
  std::uint64_t tail_room_ = 0;
  std::vector<std::vector<format::Address>> levels_{1};  // [0] full chunks, [k] full nodes of level k - 1
  std::vector<std::uint64_t> dims_, chunk_;              // scratch
  std::vector<format::Address> children_;                // scratch
  format::Bytes node_;                                   // scratch
};

}  // namespace vinculum::trace
