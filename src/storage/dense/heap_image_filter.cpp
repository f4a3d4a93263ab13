// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: HeapImage: heaps with filters.

#include <algorithm>

#include "filter/pipeline.hpp"
#include "storage/dense/heap_image.hpp"
#include "storage/dense/heap_reader.hpp"

namespace pcio {

Status HeapImage::set_filters(ConstBytes message) {
  ByteReader reader(message);
  FractalHeapHeader& header = context_.header;
  PCIO_ASSIGN(header.filters, decode_filter_pipeline_message(reader));
  header.filter_message.clear();
  if (header.filters.empty()) return Status();
  if (!fits_width(message.size(), 2))
    return PCIO_ERROR(PLINE, OVERFLOW, "a filter pipeline is too long for the head of a heap");
  header.filter_message.assign(message.begin(), message.end());
  // Entries of its blocks are longer.
  geometry_ = FractalHeapGeometry(header, context_.sizes);
  return Status();
}

/// What changed, in an order that is the same on all ranks.
template <class Block, class Object>
void HeapImage::visit_unfiltered(Block&& block, Object&& object) {
  for (auto& [offset, one] : direct_)
    if (one.changed) block(offset, one);
  for (auto& [key, one] : huge_)
    if (one.bytes) object(one);
}

std::size_t HeapImage::count_unfiltered() const {
  const auto blocks = std::count_if(direct_.begin(), direct_.end(),
                                    [](const auto& entry) { return entry.second.changed; });
  const auto objects = std::count_if(
      huge_.begin(), huge_.end(), [](const auto& entry) { return entry.second.bytes.has_value(); });
  return static_cast<std::size_t>(blocks + objects);
}

Status HeapImage::filter(std::vector<FilteredSize>* sizes) {
  const FilterPipeline pipeline = heap_pipeline(context_.header);
  Status failed;
  // Blocks stay as they are: who changes them again needs them without filters.
  auto encode = [&](ConstBytes bytes, std::vector<std::byte>* in_file) {
    if (!failed.ok()) return;
    auto encoded = encode_chunk(pipeline, bytes);
    if (!encoded) {
      failed = std::move(encoded.error());
      return;
    }
    *in_file = std::move(encoded->bytes);
    sizes->push_back({in_file->size(), encoded->mask});
  };
  visit_unfiltered(
      [&](std::uint64_t offset, DirectBlock& block) {
        std::vector<std::byte> bytes = block.bytes;
        if (failed.ok()) failed = finish_fractal_direct_block(bytes, context_, offset);
        encode(bytes, &block.in_file);
      },
      [&](HugeObject& huge) { encode(*huge.bytes, &huge.in_file); });
  return failed;
}

void HeapImage::take_sizes(std::span<const FilteredSize> sizes) {
  std::size_t at = 0;
  // The size of a block in the file is needed until it has another place.
  visit_unfiltered([&](std::uint64_t, DirectBlock& block) { block.next = sizes[at++]; },
                   [&](HugeObject& huge) { huge.filtered = sizes[at++]; });
}

/// What changed goes to new places: its size is another one, as a rule.
Status HeapImage::place_filtered(BlockOwner* owner, FileSpace& space) {
  auto take = [&](std::uint64_t bytes) -> Result<FileAddress> {
    if (bytes == 0)
      return PCIO_ERROR(INTERNAL, BADVALUE, "a block of a heap has not been through its filters");
    return owner->take(bytes, space);
  };
  auto place_block = [&](std::uint64_t offset, DirectBlock& block) -> Status {
    PCIO_ASSIGN(const FileAddress address, take(block.next.size));
    if (block.address != kUndefinedAddress) owner->drop({block.address, block.filtered.size});
    block.address = address;
    block.filtered = block.next;
    if (context_.header.root_rows > 0) indirect_.at(above(offset, Child::kDirect)).changed = true;
    return Status();
  };
  auto place_object = [&](std::uint64_t key, HugeObject& huge) -> Status {
    PCIO_ASSIGN(const FileAddress address, take(huge.filtered.size));
    huge.range = {address, huge.filtered.size};
    PCIO_ASSIGN(TreeRecord record, huge_record(key, huge));
    huge_index_->put(std::move(record));
    return Status();
  };
  for (auto& [offset, block] : direct_)
    if (block.changed) PCIO_TRY(place_block(offset, block));
  for (auto& [key, huge] : huge_)
    if (huge.bytes) PCIO_TRY(place_object(key, huge));
  return Status();
}

}  // namespace pcio
