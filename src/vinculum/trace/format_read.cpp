// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/trace/format_read.hpp"

#include "vinculum/base/error.hpp"

#include <array>
#include <cstring>

namespace vinculum::trace {

using format::Address;

namespace {

std::uint64_t number(const unsigned char* at, int bytes) {
  std::uint64_t x = 0;
  for (int i = bytes; i-- > 0;) x = x << 8 | at[i];
  return x;
}

}  // namespace

FormatReader::FormatReader(const FileHandle& file) : file_(file) {
  std::array<unsigned char, format::superblock_size> block;
  if (file.size() < block.size()) fail();
  file.read_at(0, block.data(), block.size());
  format::Bytes expected;  // only the end of the file (44) and the root (68) differ from file to file
  end_ = number(&block[44], 8);
  root_ = number(&block[68], 8);
  format::put_superblock(expected, end_, root_);
  if (std::memcmp(block.data(), expected.data(), block.size()) != 0 || end_ > file.size()) fail();
}

void FormatReader::fail() const {
  throw base::InputError(file_.path() + ": found a file changed by another program, expected a trace to go on with");
}

void FormatReader::for_each_message(Address header, const Message& message) const {
  std::array<unsigned char, 16> prefix;
  if (header + prefix.size() > end_) fail();
  file_.read_at(header, prefix.data(), prefix.size());
  const auto size = number(&prefix[8], 4);
  if (prefix[0] != 1 || header + prefix.size() + size > end_) fail();
  std::vector<unsigned char> body(size);
  file_.read_at(header + prefix.size(), body.data(), size);
  for (std::size_t at = 0; at + 8 <= size;) {
    const auto length = number(&body[at + 2], 2);
    if (at + 8 + length > size) fail();
    message(static_cast<unsigned>(number(&body[at], 2)), {body.data() + at + 8, length});
    at += 8 + length;
  }
}

Address FormatReader::follow(Address group, std::string_view name) const {
  Address found = format::undefined;
  for_each_message(group, [&](unsigned type, std::span<const unsigned char> data) {
    if (type != 0x06 || data.size() < 3 || data.size() < 3u + data[2] + 8u) return;
    const std::string_view link(reinterpret_cast<const char*>(data.data()) + 3, data[2]);
    if (link == name) found = number(data.data() + 3 + data[2], 8);
  });
  if (found == format::undefined) fail();
  return found;
}

Chunks FormatReader::find_chunks(std::string_view group, std::string_view name) const {
  Chunks out;
  Address tree = format::undefined;
  std::size_t dimensions = 0;
  for_each_message(follow(follow(root_, group), name), [&](unsigned type, std::span<const unsigned char> data) {
    if (type == 0x01 && data.size() >= 16) out.rows = number(&data[8], 8);
    if (type == 0x08 && data.size() >= 15 && data[1] == 2) {
      dimensions = data[2] - 1u;
      tree = number(&data[3], 8);
      out.chunk_rows = number(&data[11], 4);
    }
  });
  if (dimensions == 0) fail();
  if (tree != format::undefined) walk(tree, dimensions, -1, out.chunks);
  return out;
}

void FormatReader::walk(Address node, std::size_t dimensions, int level, std::vector<Address>& out) const {
  std::vector<unsigned char> bytes(format::node_size(dimensions));
  if (node + bytes.size() > end_) fail();
  file_.read_at(node, bytes.data(), bytes.size());
  const int found = bytes[5];
  const auto children = number(&bytes[6], 2);
  if (std::memcmp(bytes.data(), "TREE", 4) != 0 || children > format::fanout || (level >= 0 && found != level)) fail();
  const std::size_t key = 8 + 8 * (dimensions + 1);
  for (std::size_t i = 0; i < children; ++i) {
    const Address child = number(&bytes[24 + key + i * (key + 8)], 8);
    if (found == 0) {
      out.push_back(child);
    } else {
      walk(child, dimensions, found - 1, out);
    }
  }
}

}  // namespace vinculum::trace
