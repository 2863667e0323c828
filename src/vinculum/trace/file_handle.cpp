// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1  // F_OFD_SETLK
#endif
#include "vinculum/trace/file_handle.hpp"

#include "vinculum/base/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace vinculum::trace {

namespace {

// rename() would replace a device or a folder by our file: /dev/null must survive being named as a place to write.
void check_replaceable(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    throw base::InputError(fmt::format("{}: cannot write: found {}, expected a place for a file", path,
                                       S_ISDIR(info.st_mode) ? "a folder" : "a device"));
  }
}

#ifdef F_OFD_SETLK
bool try_lock(int fd) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}
#else
bool try_lock(int) { return true; }
#endif

[[noreturn]] void fail_busy(const std::string& path) {
  throw base::InputError(fmt::format("{}: cannot write: another run is writing to it", path));
}

// The file that will be replaced must not be the output of a run that is still going on.
void check_idle(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  const bool idle = try_lock(fd);
  ::close(fd);
  if (!idle) fail_busy(path);
}

}  // namespace

FileHandle FileHandle::create_beside(const std::string& path) {
  check_replaceable(path);
  check_idle(path);
  FileHandle file;
  file.path_ = path;
  file.name_ = path + ".partial";
  file.fd_ = ::open(file.name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file.fd_ < 0) {
    file.name_.clear();
    file.fail("write");
  }
  try {
    file.lock();
  } catch (...) {
    file.name_ = path;  // it is the other run's temporary file: leave it
    throw;
  }
  file.set_size(0);
  return file;
}

FileHandle FileHandle::open(const std::string& path) {
  FileHandle file;
  file.path_ = file.name_ = path;
  file.fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file.fd_ < 0) file.fail("open for writing");
  return file;
}

FileHandle::~FileHandle() {
  if (fd_ < 0) return;
  if (!named()) ::unlink(name_.c_str());
  ::close(fd_);
}

void FileHandle::swap(FileHandle& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(name_, other.name_);
}

void FileHandle::fail(const char* action) const {
  throw base::InputError(fmt::format("{}: cannot {}: {}", path_, action, std::strerror(errno)));
}

void FileHandle::lock() {
  if (!try_lock(fd_)) fail_busy(path_);
}

void FileHandle::write_at(std::uint64_t offset, const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::pwrite(fd_, from, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) fail("write");
    from += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void FileHandle::read_at(std::uint64_t offset, void* data, std::size_t size) const {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t done = ::pread(fd_, to, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) throw base::InputError(fmt::format("{}: damaged: it ends too early", path_));
    if (done < 0) fail("read");
    to += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

std::uint64_t FileHandle::size() const {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) fail("read");
  return static_cast<std::uint64_t>(info.st_size);
}

void FileHandle::set_size(std::uint64_t size) {
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) fail("write");
}

void FileHandle::sync_data() {
  if (::fdatasync(fd_) != 0) fail("write");
}

void FileHandle::sync_all() {
  if (::fsync(fd_) != 0) fail("write");
}

void FileHandle::commit_name() {
  if (named()) return;
  if (std::rename(name_.c_str(), path_.c_str()) != 0) fail("write");
  name_ = path_;
  // The new name itself reaches the disk with its folder.
  const auto slash = path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path_.substr(0, slash);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace vinculum::trace
