// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/fixed_array: FixedArrayUpdater out of line.

#include "storage/index/fixed_array/fixed_array_updater.hpp"

#include <algorithm>

namespace pcio {

Result<std::shared_ptr<FixedArrayUpdater>> FixedArrayUpdater::make(const ChunkIndex& index,
                                                                   const ChunkIndexShape& shape,
                                                                   ChunkNumbering numbering) {
  FixedArrayHeader header;
  const ChunkElementFormat elements = shape.elements(index.chunk_bytes());
  header.client = elements.client();
  header.element_size = static_cast<unsigned>(elements.size());
  header.page_bits = shape.layout.fixed_array.page_bits;
  if (header.page_bits == 0 || header.page_bits > 32)
    return PCIO_ERROR(FARRAY, BADVALUE, "page size of a fixed array is not possible");
  header.count = numbering.count();
  const FixedArrayGeometry geometry(header, shape.sizes);
  if (!geometry.block_size() || geometry.head_size() > kLargestFixedArrayHead)
    return PCIO_ERROR(FARRAY, NOSPACE,
                      "the dataset can have more chunks than a fixed array can list");
  std::vector<std::byte> bitmap;
  if (geometry.paged()) bitmap.resize(static_cast<std::size_t>(geometry.bitmap_size()));
  auto array = std::make_shared<FixedArrayUpdater>(shape, std::move(numbering), elements, header,
                                                   kUndefinedAddress, std::move(bitmap));
  array->whole_ = array->head_ = true;
  for_each_numbered(index, array->numbering_,
                    [&](std::uint64_t first, std::uint64_t end) { array->note(first, end); });
  return array;
}

FixedArrayUpdater::FixedArrayUpdater(const ChunkIndexShape& shape, ChunkNumbering numbering,
                                     const ChunkElementFormat& elements,
                                     const FixedArrayHeader& header, FileAddress address,
                                     std::vector<std::byte> bitmap)
    : sizes_(shape.sizes),
      numbering_(std::move(numbering)),
      elements_(elements),
      header_(header),
      geometry_(header, shape.sizes),
      address_(address),
      bitmap_(std::move(bitmap)) {
  for (std::uint64_t page = 0; page < geometry_.page_count(); ++page)
    pages_ += page_bit(bitmap_, page) ? 1 : 0;
}

/// Chunks with the numbers [first, end) changed.
void FixedArrayUpdater::note(std::uint64_t first, std::uint64_t end) {
  if (!geometry_.paged()) {
    head_ = true;
    return;
  }
  const std::uint64_t low = first / geometry_.page_elements();
  const std::uint64_t high = (end - 1) / geometry_.page_elements() + 1;
  changed_pages_.add(low, high);
  for (std::uint64_t page = low; page < high; ++page) {
    if (page_bit(bitmap_, page)) continue;
    set_page_bit(bitmap_, page);
    ++pages_;
    head_ = true;
  }
}

Result<IndexUpdater::Cost> FixedArrayUpdater::mark(const ChunkIndex& index,
                                                   const IntervalSet& numbers) {
  static_cast<void>(index);
  for (const auto& [first, end] : numbers.intervals()) {
    if (end > header_.count)
      return PCIO_ERROR(FARRAY, BADVALUE, "a chunk has no place in its fixed array");
    note(first, end);
  }
  return cost();
}

std::uint64_t FixedArrayUpdater::page_bytes(std::uint64_t page) const {
  return chunk_page_size(geometry_.elements_in_page(page), elements_);
}

IndexUpdater::Cost FixedArrayUpdater::cost() const {
  // The block is allocated with room for all pages at once.
  if (address_ == kUndefinedAddress)
    return {0, fixed_array_header_size(sizes_) + *geometry_.block_size()};
  Cost cost;
  if (whole_) cost.changed += fixed_array_header_size(sizes_);
  if (head_) cost.changed += geometry_.paged() ? geometry_.head_size() : *geometry_.block_size();
  for (const auto& [first, end] : changed_pages_.intervals())
    cost.changed += (end - first - 1) * page_bytes(0) + page_bytes(end - 1);
  return cost;
}

std::uint64_t FixedArrayUpdater::bytes() const {
  const std::uint64_t header = fixed_array_header_size(sizes_);
  return geometry_.paged() ? header + geometry_.head_size() + pages_ * page_bytes(0)
                           : header + *geometry_.block_size();
}

void FixedArrayUpdater::place(FileAddress address) {
  address_ = address;
  header_.block_address = address + fixed_array_header_size(sizes_);
}

void FixedArrayUpdater::mark_committed() {
  whole_ = head_ = false;
  changed_pages_.clear();
}

/// Head of the block; without pages all elements.
Status FixedArrayUpdater::encode_head(const ElementReader& reader, ByteWriter& out) const {
  FixedArrayBlock block;
  if (geometry_.paged()) {
    block.bitmap = bitmap_;
  } else {
    block.elements.resize(static_cast<std::size_t>(header_.count));
    reader.read(0, block.elements);
  }
  return encode_fixed_array_block(block, header_, address_, elements_, out);
}

Status FixedArrayUpdater::encode_pages(const ElementReader& reader, std::uint64_t first,
                                       std::uint64_t count, ByteWriter& out) const {
  std::vector<ChunkElement> page;
  for (std::uint64_t n = first; n < first + count; ++n) {
    page.resize(static_cast<std::size_t>(geometry_.elements_in_page(n)));
    reader.read(n * geometry_.page_elements(), page);
    PCIO_TRY(encode_chunk_page(page, elements_, out));
  }
  return Status();
}

void FixedArrayUpdater::add_pages(const std::shared_ptr<const ElementReader>& reader,
                                  BlockSet* set) const {
  const std::uint64_t most = std::max<std::uint64_t>(1, kIndexBytesAtOnce / page_bytes(0));
  for (const auto& [first_page, end] : changed_pages_.intervals()) {
    for (std::uint64_t first = first_page; first < end; first += most) {
      const std::uint64_t count = std::min(most, end - first);
      const std::uint64_t last = first + count - 1;
      const std::uint64_t start = geometry_.page_offset(first);
      const std::uint64_t size = geometry_.page_offset(last) - start + page_bytes(last);
      set->push_back({{header_.block_address + start, size},
                      [self = shared_from_this(), reader, first, count](ByteWriter& out) {
                        return self->encode_pages(*reader, first, count, out);
                      }});
    }
  }
}

BlockSet FixedArrayUpdater::blocks(const ChunkIndex& index) const {
  BlockSet set;
  auto reader = std::make_shared<const ElementReader>(index, numbering_);
  if (whole_)
    set.push_back(
        {{address_, fixed_array_header_size(sizes_)}, [self = shared_from_this()](ByteWriter& out) {
           return encode_fixed_array_header(self->header_, self->sizes_, out);
         }});
  const std::uint64_t head = geometry_.paged() ? geometry_.head_size() : *geometry_.block_size();
  if (head_)
    set.push_back(
        {{header_.block_address, head}, [self = shared_from_this(), reader](ByteWriter& out) {
           return self->encode_head(*reader, out);
         }});
  add_pages(reader, &set);
  return set;
}

}  // namespace pcio
