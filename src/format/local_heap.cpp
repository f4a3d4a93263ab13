// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: local heap, decode, encode and use of its segment.

#include "format/local_heap.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

Result<LocalHeapHeader> decode_local_heap_header(ConstBytes bytes, const FileSizes& sizes) {
  ByteReader reader(bytes);
  if (!reader.expect("HEAP")) return PCIO_ERROR(HEAP, BADVALUE, "wrong signature of a local heap");
  PCIO_TRY(decode_version(reader, 0, 0, "local heap"));
  reader.skip(3);
  LocalHeapHeader header;
  header.segment_size = reader.uint(sizes.length_size);
  // libhdf5 writes 1 for "none"; all ones of the width is what the specification says.
  header.first_free = reader.address(sizes.length_size);
  if (header.first_free == kUndefinedAddress) header.first_free = LocalHeapHeader::kNoFreeBlock;
  header.segment_address = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("local heap"));
  return header;
}

Status encode_local_heap_header(const LocalHeapHeader& header, const FileSizes& sizes,
                                ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.text("HEAP");
  fields.zeros(4);
  fields.length(header.segment_size);
  fields.length(header.first_free);
  fields.address(header.segment_address);
  return fields.check("local heap");
}

Result<std::string_view> local_heap_name(ConstBytes segment, std::uint64_t offset) {
  if (offset >= segment.size())
    return PCIO_ERROR(HEAP, BADRANGE, "name lies outside its local heap");
  ByteReader reader(segment);
  reader.seek(static_cast<std::size_t>(offset));
  const std::string_view name = reader.c_string();
  PCIO_TRY(reader.check("name in a local heap"));
  return name;
}

LocalHeapSegment::LocalHeapSegment(std::size_t size, const FileSizes& sizes)
    : length_size_(sizes.length_size), data_(8) {
  grow(size);
}

Result<LocalHeapSegment> LocalHeapSegment::decode(ConstBytes segment, std::uint64_t first_free,
                                                  const FileSizes& sizes) {
  LocalHeapSegment heap(sizes);
  heap.data_.assign(segment.begin(), segment.end());
  std::uint64_t free_bytes = 0;
  for (std::uint64_t at = first_free; at != LocalHeapHeader::kNoFreeBlock;) {
    if (at >= segment.size()) return PCIO_ERROR(HEAP, BADVALUE, "free block outside a local heap");
    ByteReader reader(segment.subspan(static_cast<std::size_t>(at)));
    std::uint64_t next = reader.address(sizes.length_size);
    if (next == kUndefinedAddress) next = LocalHeapHeader::kNoFreeBlock;
    const std::uint64_t size = reader.uint(sizes.length_size);
    // A list that runs in a circle soon has more free bytes than there are bytes.
    free_bytes += size;
    if (!reader.ok() || size == 0 || !fits_inside(at, size, segment.size()) ||
        free_bytes > segment.size())
      return PCIO_ERROR(HEAP, BADVALUE, "free list of a local heap is damaged");
    heap.free_.push_back({static_cast<std::size_t>(at), static_cast<std::size_t>(size)});
    at = next;
  }
  std::sort(heap.free_.begin(), heap.free_.end(),
            [](const FreeBlock& a, const FreeBlock& b) { return a.offset < b.offset; });
  for (std::size_t i = 1; i < heap.free_.size(); ++i) {
    if (heap.free_[i - 1].offset + heap.free_[i - 1].size > heap.free_[i].offset)
      return PCIO_ERROR(HEAP, BADVALUE, "free blocks of a local heap overlap");
  }
  return heap;
}

std::vector<std::byte> LocalHeapSegment::encode() const {
  std::vector<std::byte> bytes = data_;
  const auto width = static_cast<unsigned>(length_size_);
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const bool last = i + 1 == free_.size();
    ByteWriter links;
    links.uint(last ? LocalHeapHeader::kNoFreeBlock : free_[i + 1].offset, width);
    links.uint(free_[i].size, width);
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(free_[i].offset);
    std::fill_n(at, free_[i].size, std::byte{0});
    // A block of a damaged heap may be too short for its own links; then the next bytes are kept.
    std::copy_n(links.view().begin(), std::min(links.size(), free_[i].size), at);
  }
  return bytes;
}

std::uint64_t LocalHeapSegment::first_free() const {
  return free_.empty() ? LocalHeapHeader::kNoFreeBlock : free_.front().offset;
}

Result<std::string_view> LocalHeapSegment::name(std::uint64_t offset) const {
  return local_heap_name(data_, offset);
}

std::optional<std::uint64_t> LocalHeapSegment::insert(std::string_view name) {
  const std::size_t need = space_for(name);
  // Best: the rest is nothing or can be a free block itself. Else a block whose rest is lost.
  auto at = std::find_if(free_.begin(), free_.end(), [&](const FreeBlock& block) {
    return block.size == need || block.size >= need + smallest_free();
  });
  if (at == free_.end()) {
    at = std::find_if(free_.begin(), free_.end(),
                      [&](const FreeBlock& block) { return block.size >= need; });
  }
  if (at == free_.end()) return std::nullopt;
  const std::size_t offset = at->offset;
  const std::size_t taken = at->size >= need + smallest_free() ? need : at->size;
  at->offset += taken;
  at->size -= taken;
  if (at->size == 0) free_.erase(at);
  const auto slot = data_.begin() + static_cast<std::ptrdiff_t>(offset);
  std::fill_n(slot, taken, std::byte{0});
  std::transform(name.begin(), name.end(), slot, [](char c) { return static_cast<std::byte>(c); });
  return offset;
}

Status LocalHeapSegment::remove(std::uint64_t offset) {
  auto text = name(offset);
  if (!text) return text.error();
  const auto at = static_cast<std::size_t>(offset);
  const std::size_t size = std::min(space_for(*text), data_.size() - at);
  add_free({at, size});
  return Status();
}

void LocalHeapSegment::grow(std::size_t size) {
  const std::size_t old = data_.size();
  std::size_t grown = round_up(size, std::size_t{8});
  if (grown <= old) return;
  grown = std::max(grown, old + smallest_free());
  data_.resize(grown);
  add_free({old, grown - old});
}

void LocalHeapSegment::add_free(FreeBlock block) {
  auto after =
      std::upper_bound(free_.begin(), free_.end(), block,
                       [](const FreeBlock& a, const FreeBlock& b) { return a.offset < b.offset; });
  // Merge with the neighbours; a lone block too small for its links is lost, as in libhdf5.
  if (after != free_.end() && block.offset + block.size == after->offset) {
    block.size += after->size;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    FreeBlock& before = *(after - 1);
    if (before.offset + before.size == block.offset) {
      before.size += block.size;
      return;
    }
  }
  if (block.size >= smallest_free()) free_.insert(after, block);
}

}  // namespace pcio
