// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A POSIX file that either does what it is told or throws one line: `path: cannot write: No space left on device`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vinculum::trace {

class FileHandle {
 public:
  FileHandle() = default;
  /// A new, empty file under a temporary name beside `path`; commit_name() puts it in its place.
  static FileHandle create_beside(const std::string& path);
  /// An existing file, for reading and writing in place.
  static FileHandle open(const std::string& path);
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept { swap(other); }
  FileHandle& operator=(FileHandle&& other) noexcept {
    swap(other);
    return *this;
  }

  /// Throws unless this process is the only one that holds the file by this call. Readers are not kept out: the lock is
  /// of another kind than the flock() of the HDF5 library.
  void lock();
  void write_at(std::uint64_t offset, const void* data, std::size_t size);
  void read_at(std::uint64_t offset, void* data, std::size_t size) const;
  std::uint64_t size() const;
  void set_size(std::uint64_t size);
  void sync_data();
  void sync_all();
  /// Renames the temporary file to `path`, which it replaces in one step. No effect when already done.
  void commit_name();
  bool named() const { return name_ == path_; }
  const std::string& path() const { return path_; }

 private:
  void swap(FileHandle& other) noexcept;
  [[noreturn]] void fail(const char* action) const;

  int fd_ = -1;
  std::string path_;  // where the file belongs
  std::string name_;  // where it is now
};

}  // namespace vinculum::trace
