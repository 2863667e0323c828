// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/trace/column.hpp"

#include "vinculum/base/error.hpp"

#include <algorithm>
#include <bit>

namespace vinculum::trace {

using format::Address;
using format::fanout;
using format::undefined;

namespace {

constexpr std::uint64_t min_chunk_bytes = 1024;
constexpr std::uint64_t max_chunk_bytes = 256 * 1024;
constexpr std::uint64_t page = 4096;

}  // namespace

Column::Column(ColumnSpec spec) : spec_(std::move(spec)), row_bytes_(spec_.type.size) {
  for (const auto n : spec_.shape) row_bytes_ *= n;
  const auto row = std::max<std::uint64_t>(row_bytes_, 1);
  max_rows_ = std::bit_floor(std::max<std::uint64_t>(max_chunk_bytes / row, 1));
  min_rows_ = std::bit_floor(std::clamp<std::uint64_t>(min_chunk_bytes / row, 1, max_rows_));
  tail_ = std::make_unique_for_overwrite<std::byte[]>(max_rows_ * row_bytes_);
  attributes_.push_back(format::make_attribute("unit", spec_.unit));
  attributes_.push_back(format::make_attribute("description", spec_.description));
}

std::uint64_t Column::chunk_rows() const {
  return levels_[0].empty() ? std::clamp(std::bit_ceil(tail_rows_), min_rows_, max_rows_) : max_rows_;
}

std::byte* Column::extend(std::size_t wanted, std::size_t& granted, FileHandle& file, Space& space) {
  if (tail_rows_ == max_rows_) finish_chunk(file, space);
  granted = std::min<std::size_t>(wanted, max_rows_ - tail_rows_);
  std::byte* place = tail_.get() + tail_rows_ * row_bytes_;
  tail_rows_ += granted;
  return place;
}

void Column::finish_chunk(FileHandle& file, Space& space) {
  write_tail(file, space);
  levels_[0].push_back(tail_address_);
  tail_rows_ = tail_written_ = tail_room_ = 0;
  tail_address_ = undefined;
  finish_nodes(file, space);
}

void Column::write_tail(FileHandle& file, Space& space) {
  if (row_bytes_ == 0) return;
  if (tail_rows_ == tail_written_) return;
  const auto room = chunk_rows();
  if (tail_address_ == undefined || tail_room_ < room) {
    tail_address_ = space.take(room * row_bytes_, room * row_bytes_ >= page ? page : 8);
    tail_room_ = room;
    tail_written_ = 0;
  }
  const auto begin = tail_written_ * row_bytes_;
  file.write_at(tail_address_ + begin, tail_.get() + begin, tail_rows_ * row_bytes_ - begin);
  tail_written_ = tail_rows_;
}

// A node of the index that is full never changes again: it is written once. The path to the last chunk is rewritten by
// every flush (describe).
void Column::finish_nodes(FileHandle& file, Space& space) {
  if (row_bytes_ == 0) return;
  std::uint64_t stride = 1;
  for (std::size_t level = 0; level < levels_.size(); ++level, stride *= fanout) {
    std::size_t done = level + 1 < levels_.size() ? levels_[level + 1].size() * fanout : 0;
    for (; done + fanout <= levels_[level].size(); done += fanout) {
      if (level + 1 == levels_.size()) levels_.emplace_back();
      const std::span children(levels_[level].data() + done, fanout);
      node_.clear();
      format::put_node(node_,
                       {static_cast<int>(level), children, done * stride, stride, (done + fanout) * stride, false},
                       spec_.type, chunk_dims());
      const auto address = space.take(node_.size());
      file.write_at(address, node_.data(), node_.size());
      levels_[level + 1].push_back(address);
    }
  }
}

std::vector<std::uint64_t>& Column::chunk_dims() {
  chunk_.assign(1, chunk_rows());
  for (const auto n : spec_.shape) chunk_.push_back(std::max<std::uint64_t>(n, 1));
  return chunk_;
}

Address Column::describe(format::Bytes& image, Address base) {
  const auto& chunk = chunk_dims();
  const bool tail = tail_rows_ > 0;
  const std::uint64_t chunks = row_bytes_ == 0 ? 0 : levels_[0].size() + (tail ? 1 : 0);
  // From the leaves to the root: the children not yet in a full node, then the partial node of the level below.
  Address carried = tail ? tail_address_ : undefined;
  std::uint64_t stride = 1;
  for (std::size_t level = 0; chunks > 0; ++level, stride *= fanout) {
    const std::size_t done = level + 1 < levels_.size() ? levels_[level + 1].size() * fanout : 0;
    children_.clear();
    if (level < levels_.size())
      children_.assign(levels_[level].begin() + static_cast<long>(done), levels_[level].end());
    if (carried != undefined) children_.push_back(carried);
    const bool top = level + 1 >= levels_.size();
    if (top && level > 0 && children_.size() == 1) {  // a root with a single child: the child is the root
      carried = children_[0];
      break;
    }
    if (children_.empty()) {
      carried = undefined;
      continue;
    }
    carried = base + image.size();
    format::put_node(image, {static_cast<int>(level), children_, done * stride, stride, chunks, true}, spec_.type,
                     chunk);
    image.pad8();
    if (top) break;
  }
  dims_.assign(1, rows());
  dims_.insert(dims_.end(), spec_.shape.begin(), spec_.shape.end());
  const Address header = base + image.size();
  format::put_dataset(image, {spec_.type, dims_, chunk, chunks > 0 ? carried : undefined, attributes_});
  return header;
}

void Column::adopt(FileHandle& file, Space& space, std::uint64_t rows, std::uint64_t file_chunk_rows,
                   std::span<const Address> chunks) {
  if (row_bytes_ == 0) {
    tail_rows_ = rows % max_rows_;
    levels_[0].assign(rows / max_rows_, undefined);
    return;
  }
  // A trace has several chunks only when they have their final size.
  if (file_chunk_rows == 0 || chunks.size() * file_chunk_rows < rows ||
      (file_chunk_rows != max_rows_ && rows > file_chunk_rows)) {
    throw base::InputError(file.path() + ": damaged: the chunks of /" + spec_.group + "/" + spec_.name + " do not fit");
  }
  const auto full = rows / max_rows_;
  levels_.assign(1, {chunks.begin(), chunks.begin() + static_cast<long>(full)});
  tail_rows_ = rows % max_rows_;
  tail_written_ = tail_room_ = 0;  // it gets a new place: the old one stays as it is until the next flush
  tail_address_ = undefined;
  if (tail_rows_ > 0) file.read_at(chunks[full], tail_.get(), tail_rows_ * row_bytes_);
  finish_nodes(file, space);
}

}  // namespace vinculum::trace
