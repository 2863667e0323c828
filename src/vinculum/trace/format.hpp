// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an HDF5 file, as far as a trace needs them (HDF5 File Format Specification 3.0: superblock version 1,
// object headers version 1, links as messages, chunk index as B-tree version 1; nothing here carries a checksum,
// everything is little-endian with 8-byte addresses).
//
// Why not the HDF5 library? It updates its metadata in place, many blocks per flush, and a process killed in between
// leaves a file that nothing can open. We write the metadata of a flush as a whole to fresh space and then move one
// pointer in the superblock (append_file.hpp). Reading goes through the library (hdf5.hpp), so that it judges our
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::trace::format {

using Address = std::uint64_t;
constexpr Address undefined = ~Address{0};

/// Bytes under construction; clear() keeps the memory.
class Bytes {
 public:
  void clear() { data_.clear(); }
  std::size_t size() const { return data_.size(); }
  const unsigned char* data() const { return data_.data(); }
  void u8(std::uint64_t x) { number(x, 1); }
  void u16(std::uint64_t x) { number(x, 2); }
  void u32(std::uint64_t x) { number(x, 4); }
  void u64(std::uint64_t x) { number(x, 8); }
  void text(std::string_view s) { data_.insert(data_.end(), s.begin(), s.end()); }
  void zeros(std::size_t n) { data_.insert(data_.end(), n, 0); }
  void pad8(std::size_t from = 0) { zeros((8 - (size() - from) % 8) % 8); }
  void patch(std::size_t at, std::uint64_t x, int bytes);

 private:
  void number(std::uint64_t x, int bytes) {
    for (int i = 0; i < bytes; ++i) data_.push_back(static_cast<unsigned char>(x >> (8 * i)));
  }
  std::vector<unsigned char> data_;
};

struct Type {
  enum class Class : std::uint8_t { integer = 0, real = 1, text = 3, words = 8 };
  Class kind = Class::real;
  std::uint32_t size = 8;
  bool is_signed = true;                         // integers
  std::span<const std::string_view> words = {};  // of an enumeration of bytes: the names of 0, 1, 2, ...
};

inline constexpr Type f64{};
inline constexpr Type i32{Type::Class::integer, 4};
inline constexpr Type i64{Type::Class::integer, 8};
inline constexpr Type u32{Type::Class::integer, 4, false};
inline constexpr Type u64{Type::Class::integer, 8, false};
constexpr Type text(std::size_t size) { return {Type::Class::text, static_cast<std::uint32_t>(size)}; }
constexpr Type words(std::span<const std::string_view> names) { return {Type::Class::words, 1, false, names}; }

/// A scalar attribute; `value` holds its bytes.
struct Attribute {
  std::string name;
  Type type;
  std::string value;
};
Attribute make_attribute(std::string name, std::string_view value);  // text
Attribute make_attribute(std::string name, double value);
Attribute make_attribute(std::string name, std::int64_t value);

/// A dataset as its object header describes it.
struct Dataset {
  Type type;
  std::span<const std::uint64_t> dims;   // empty: scalar
  std::span<const std::uint64_t> chunk;  // empty: contiguous; the first dimension of a chunked dataset is unlimited
  Address storage = undefined;           // of the B-tree, or of the data themselves
  std::span<const Attribute> attributes;
};

struct Link {
  std::string_view name;
  Address object;
};

constexpr std::size_t superblock_size = 100;
void put_superblock(Bytes& out, Address end_of_file, Address root);
void put_dataset(Bytes& out, const Dataset& dataset);
void put_group(Bytes& out, std::span<const Link> links, std::span<const Attribute> attributes);

/// B-tree nodes over chunks: children of one node, each covering `stride` chunks, the first of them chunk number
/// `first`; the last child ends with chunk number `end`.
constexpr std::size_t fanout = 16;
struct Node {
  int level = 0;  // 0: the children are chunks
  std::span<const Address> children;
  std::uint64_t first = 0, stride = 1, end = 0;
  bool rightmost = true;  // nothing follows in the tree
};
std::size_t node_size(std::size_t dimensions);
void put_node(Bytes& out, const Node& node, const Type& type, std::span<const std::uint64_t> chunk);

}  // namespace vinculum::trace::format
