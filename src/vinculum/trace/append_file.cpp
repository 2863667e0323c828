// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/trace/append_file.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/trace/format_read.hpp"

#include <algorithm>

namespace vinculum::trace {

using format::Address;

AppendFile::AppendFile(FileHandle file, FileSpec spec) : file_(std::move(file)), spec_(std::move(spec)) {
  columns_.reserve(spec_.columns.size());
  for (const auto& column : spec_.columns) columns_.emplace_back(column);
}

AppendFile AppendFile::create(const std::string& path, FileSpec spec) {
  AppendFile out(FileHandle::create_beside(path), std::move(spec));
  out.write_texts();
  return out;
}

AppendFile AppendFile::reopen(const std::string& path, FileSpec spec, const std::vector<std::uint64_t>& rows) {
  AppendFile out(FileHandle::open(path), std::move(spec));
  out.file_.lock();
  out.adopt(rows);
  out.write_texts();
  return out;
}

void AppendFile::adopt(const std::vector<std::uint64_t>& rows) {
  const FormatReader reader(file_);
  space_ = Space(reader.end());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Column& column = columns_[c];
    const auto found = reader.find_chunks(column.spec().group, column.spec().name);
    if (found.rows < rows[c]) {
      throw base::InputError(file_.path() +
                             ": found a trace that ends before its checkpoint, expected at least as much");
    }
    column.adopt(file_, space_, rows[c], found.chunk_rows, found.chunks);
  }
}

void AppendFile::write_texts() {
  for (const auto& spec : spec_.texts) {
    Text text{spec, {}, {}, format::undefined, {}};
    std::size_t length = 0;
    for (const auto& s : spec.strings) length = std::max(length, s.size());
    text.type = format::text(length + 1);
    if (spec.list) text.dims = {spec.strings.size()};
    std::string bytes;
    for (const auto& s : spec.strings) bytes += s + std::string(length + 1 - s.size(), '\0');
    if (!bytes.empty()) {
      text.address = space_.take(bytes.size());
      file_.write_at(text.address, bytes.data(), bytes.size());
    }
    text.attributes.push_back(format::make_attribute("unit", "text"));
    text.attributes.push_back(format::make_attribute("description", spec.description));
    texts_.push_back(std::move(text));
  }
}

Address AppendFile::build_image(Address base) {
  image_.clear();
  group_links_.resize(spec_.groups.size());
  for (auto& links : group_links_) links.clear();
  const auto add_link = [&](const std::string& group, const std::string& name, Address object) {
    for (std::size_t g = 0; g < spec_.groups.size(); ++g) {
      if (spec_.groups[g].first == group) group_links_[g].push_back({name, object});
    }
  };
  for (const auto& text : texts_) {
    add_link(text.spec.group, text.spec.name, base + image_.size());
    format::put_dataset(image_, {text.type, text.dims, {}, text.address, text.attributes});
  }
  for (auto& column : columns_) {
    const auto header = column.describe(image_, base);
    add_link(column.spec().group, column.spec().name, header);
  }
  root_links_.clear();
  for (std::size_t g = 0; g < spec_.groups.size(); ++g) {
    root_links_.push_back({spec_.groups[g].first, base + image_.size()});
    format::put_group(image_, group_links_[g], spec_.groups[g].second);
  }
  const Address root = base + image_.size();
  format::put_group(image_, root_links_, spec_.attributes);
  return root;
}

void AppendFile::flush(bool to_disk) {
  for (auto& column : columns_) column.write_tail(file_, space_);

  Slot& slot = slots_[next_slot_];
  Address root = build_image(slot.address);
  if (image_.size() > slot.room) {
    slot.room = image_.size() + image_.size() / 4;
    slot.address = space_.take(slot.room, 4096);
    root = build_image(slot.address);
  }
  file_.write_at(slot.address, image_.data(), image_.size());
  if (file_.size() < space_.end()) file_.set_size(space_.end());
  if (to_disk) file_.sync_data();

  superblock_.clear();
  format::put_superblock(superblock_, space_.end(), root);
  file_.write_at(0, superblock_.data(), superblock_.size());
  next_slot_ = 1 - next_slot_;
  if (to_disk) file_.sync_all();
  file_.commit_name();
}

}  // namespace vinculum::trace
