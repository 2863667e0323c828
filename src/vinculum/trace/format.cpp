// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/trace/format.hpp"

#include <cstring>

namespace vinculum::trace::format {

namespace {

// Types of header messages, chapter IV.A.2 of the specification.
enum Message : std::uint16_t {
  dataspace = 0x01,
  link_info = 0x02,
  datatype = 0x03,
  fill_value = 0x05,
  link = 0x06,
  layout = 0x08,
  group_info = 0x0A,
  attribute = 0x0C,
};

void put_type(Bytes& out, const Type& type) {
  const auto head = [&](unsigned bits0, unsigned bits1) {
    out.u8(0x10 | static_cast<unsigned>(type.kind));
    out.u8(bits0);
    out.u8(bits1);
    out.u8(0);
    out.u32(type.size);
  };
  switch (type.kind) {
    case Type::Class::integer:
      head(type.is_signed ? 8 : 0, 0);
      out.u16(0);
      out.u16(8 * type.size);
      break;
    case Type::Class::real:  // IEEE 754 binary64: sign bit 63, exponent 11 bits from 52 with bias 1023, mantissa 52
                             // bits
      head(0x20, 63);
      out.u16(0);
      out.u16(64);
      for (unsigned x : {52, 11, 0, 52}) out.u8(x);
      out.u32(1023);
      break;
    case Type::Class::text:  // ends with a zero, UTF-8
      head(0x10, 0);
      break;
    case Type::Class::words:
      head(static_cast<unsigned>(type.words.size()), 0);
      put_type(out, Type{Type::Class::integer, 1, false});
      for (const auto word : type.words) {
        const auto begin = out.size();
        out.text(word);
        out.u8(0);
        out.pad8(begin);
      }
      for (std::size_t i = 0; i < type.words.size(); ++i) out.u8(i);
      break;
  }
}

void put_space(Bytes& out, std::span<const std::uint64_t> dims, bool extendible) {
  out.u8(1);
  out.u8(dims.size());
  out.u8(extendible ? 1 : 0);
  out.zeros(5);
  for (const auto n : dims) out.u64(n);
  if (!extendible) return;
  for (std::size_t i = 0; i < dims.size(); ++i) out.u64(i == 0 ? ~std::uint64_t{0} : dims[i]);
}

void put_attribute(Bytes& out, const Attribute& a) {
  out.u8(1);
  out.u8(0);
  out.u16(a.name.size() + 1);
  const auto sizes = out.size();
  out.zeros(4);
  const auto padded = [&out](auto&& put) {
    const auto begin = out.size();
    put();
    const auto size = out.size() - begin;
    out.pad8(begin);
    return size;
  };
  padded([&] {
    out.text(a.name);
    out.u8(0);
  });
  out.patch(sizes, padded([&] { put_type(out, a.type); }), 2);
  out.patch(sizes + 2, padded([&] { put_space(out, {}, false); }), 2);
  out.text(a.value);
}

// An object header: a prefix with the number and size of its messages, which are padded to multiples of 8 bytes.
class Header {
 public:
  explicit Header(Bytes& out) : out_(out), begin_(out.size()) {
    out.u8(1);
    out.zeros(3);  // reserved, number of messages
    out.u32(1);    // hard links
    out.zeros(8);  // size of the messages, padding
  }
  template <class Put>
  void message(Message type, Put put) {
    out_.u16(type);
    const auto size_at = out_.size();
    out_.u16(0);
    out_.u8(type == datatype || type == fill_value ? 1 : 0);  // these never change
    out_.zeros(3);
    const auto begin = out_.size();
    put();
    out_.pad8(begin);
    out_.patch(size_at, out_.size() - begin, 2);
    ++count_;
  }
  void end() {
    out_.patch(begin_ + 2, count_, 2);
    out_.patch(begin_ + 8, out_.size() - begin_ - 16, 4);
  }

 private:
  Bytes& out_;
  std::size_t begin_;
  std::uint64_t count_ = 0;
};

void put_layout(Bytes& out, const Dataset& d, std::uint64_t bytes) {
  out.u8(3);
  if (d.chunk.empty()) {
    out.u8(1);
    out.u64(d.storage);
    out.u64(bytes);
  } else {
    out.u8(2);
    out.u8(d.chunk.size() + 1);
    out.u64(d.storage);
    for (const auto n : d.chunk) out.u32(n);
    out.u32(d.type.size);
  }
}

}  // namespace

void Bytes::patch(std::size_t at, std::uint64_t x, int bytes) {
  for (int i = 0; i < bytes; ++i) data_[at + static_cast<std::size_t>(i)] = static_cast<unsigned char>(x >> (8 * i));
}

Attribute make_attribute(std::string name, std::string_view value) {
  std::string bytes(value);
  bytes.push_back('\0');
  return {std::move(name), text(bytes.size()), bytes};
}

Attribute make_attribute(std::string name, double value) {
  return {std::move(name), f64, std::string(reinterpret_cast<const char*>(&value), sizeof value)};
}

Attribute make_attribute(std::string name, std::int64_t value) {
  return {std::move(name), i64, std::string(reinterpret_cast<const char*>(&value), sizeof value)};
}

void put_superblock(Bytes& out, Address end_of_file, Address root) {
  out.text("\x89HDF\r\n\x1a\n");
  out.u8(1);
  out.zeros(4);
  out.u8(8);  // bytes of an address
  out.u8(8);  // bytes of a length
  out.u8(0);
  out.u16(4);  // group nodes: not used, the library's defaults
  out.u16(16);
  out.u32(0);
  out.u16(fanout / 2);
  out.u16(0);
  out.u64(0);  // base address
  out.u64(undefined);
  out.u64(end_of_file);
  out.u64(undefined);
  out.u64(0);  // the root group's symbol table entry: no name, its object header, nothing cached
  out.u64(root);
  out.zeros(24);
}

void put_dataset(Bytes& out, const Dataset& d) {
  std::uint64_t bytes = d.type.size;
  for (const auto n : d.dims) bytes *= n;
  Header header(out);
  header.message(dataspace, [&] { put_space(out, d.dims, !d.chunk.empty()); });
  header.message(datatype, [&] { put_type(out, d.type); });
  header.message(fill_value, [&] {  // version 2, allocated incrementally or late, the default value (zero)
    out.u8(2);
    out.u8(d.chunk.empty() ? 2 : 3);
    out.u8(2);
    out.u8(1);
    out.u32(0);
  });
  header.message(layout, [&] { put_layout(out, d, bytes); });
  for (const auto& a : d.attributes) header.message(attribute, [&] { put_attribute(out, a); });
  header.end();
}

void put_group(Bytes& out, std::span<const Link> links, std::span<const Attribute> attributes) {
  Header header(out);
  header.message(link_info, [&] {
    out.u16(0);
    out.u64(undefined);  // links are messages, not in a heap
    out.u64(undefined);
  });
  header.message(group_info, [&] { out.u16(0); });
  for (const auto& l : links) {
    header.message(link, [&] {
      out.u8(1);
      out.u8(0);  // hard link, name length in one byte
      out.u8(l.name.size());
      out.text(l.name);
      out.u64(l.object);
    });
  }
  for (const auto& a : attributes) header.message(attribute, [&] { put_attribute(out, a); });
  header.end();
}

std::size_t node_size(std::size_t dimensions) { return 24 + 8 * fanout + (fanout + 1) * (8 + 8 * (dimensions + 1)); }

void put_node(Bytes& out, const Node& node, const Type& type, std::span<const std::uint64_t> chunk) {
  const auto begin = out.size();
  std::uint64_t bytes = type.size;
  for (const auto n : chunk) bytes *= n;
  const auto key = [&](std::uint64_t first_chunk) {
    out.u32(bytes);
    out.u32(0);
    out.u64(first_chunk * chunk[0]);
    for (std::size_t i = 1; i <= chunk.size(); ++i) out.u64(0);
  };
  out.text("TREE");
  out.u8(1);
  out.u8(static_cast<std::uint64_t>(node.level));
  out.u16(node.children.size());
  out.u64(undefined);  // siblings: searches go down from the root
  out.u64(undefined);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    key(node.first + i * node.stride);
    out.u64(node.children[i]);
  }
  if (node.rightmost) {  // one chunk past the last one in every direction, as the library writes it
    out.u64(0);
    out.u64(node.end * chunk[0]);
    for (std::size_t i = 1; i < chunk.size(); ++i) out.u64(chunk[i]);
    out.u64(type.size);
  } else {
    key(node.end);
  }
  out.zeros(node_size(chunk.size()) - (out.size() - begin));
}

}  // namespace vinculum::trace::format
