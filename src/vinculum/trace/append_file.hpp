// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// An HDF5 file of columns that grow, in which every flush is atomic: whenever the process is killed, the file is
// exactly what the last completed flush() made it.
//
//   1. New rows and full index nodes go to space that the file, as it stands, does not refer to.
//   2. All other metadata (what of the index still changes, object headers, groups) are written as one new image into
//   the
//      one of two slots that is not in use.
//   3. One write of 100 bytes at offset 0, the superblock, makes the new image the root of the file. The kernel does
//   not
//      break off a write inside a memory page, so a killed process has done it wholly or not at all.
//
// A new file has a temporary name until its first flush, which renames it over whatever was there.
#pragma once

#include "vinculum/trace/column.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace vinculum::trace {

/// Text that is written once: a scalar for one string without `rows`, else a list of strings.
struct TextSpec {
  std::string group, name, description;
  std::vector<std::string> strings;
  bool list = false;
};

struct FileSpec {
  std::vector<format::Attribute> attributes;                                   // of the root
  std::vector<std::pair<std::string, std::vector<format::Attribute>>> groups;  // in this order
  std::vector<TextSpec> texts;
  std::vector<ColumnSpec> columns;
};

class AppendFile {
 public:
  static AppendFile create(const std::string& path, FileSpec spec);
  /// Opens a file made by create() with the same columns and keeps the first rows[c] rows of column c. The file itself
  /// does not change before the first flush.
  static AppendFile reopen(const std::string& path, FileSpec spec, const std::vector<std::uint64_t>& rows);

  /// fill(out, i): the memory of row i of n new rows, row_bytes long.
  template <class Element, class Fill>
  void append(std::size_t column, std::size_t n, Fill fill);
  std::uint64_t rows(std::size_t column) const { return columns_[column].rows(); }
  /// Makes all rows part of the file. `to_disk`: also waits until they would survive a loss of power.
  void flush(bool to_disk);
  const std::string& path() const { return file_.path(); }

 private:
  AppendFile(FileHandle file, FileSpec spec);
  void write_texts();
  void adopt(const std::vector<std::uint64_t>& rows);
  format::Address build_image(format::Address base);

  struct Text {
    TextSpec spec;
    format::Type type;
    std::vector<std::uint64_t> dims;
    format::Address address = format::undefined;
    std::vector<format::Attribute> attributes;
  };
  struct Slot {
    format::Address address = 0;
    std::uint64_t room = 0;
  };

  FileHandle file_;
  Space space_{4096};  // the first page is the superblock's
  FileSpec spec_;
  std::vector<Column> columns_;
  std::vector<Text> texts_;
  std::array<Slot, 2> slots_;
  std::size_t next_slot_ = 0;
  format::Bytes image_, superblock_;                    // scratch
  std::vector<std::vector<format::Link>> group_links_;  // scratch
  std::vector<format::Link> root_links_;                // scratch
};

template <class Element, class Fill>
void AppendFile::append(std::size_t column, std::size_t n, Fill fill) {
  Column& c = columns_[column];
  const std::size_t width = c.row_bytes() / sizeof(Element);
  for (std::size_t i = 0; i < n;) {
    std::size_t granted = 0;
    auto* out = reinterpret_cast<Element*>(c.extend(n - i, granted, file_, space_));
    for (const std::size_t end = i + granted; i < end; ++i, out += width) fill(out, i);
  }
}

}  // namespace vinculum::trace
