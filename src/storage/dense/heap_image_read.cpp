// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: HeapImage: reading one, and what a commit writes of it.

#include <algorithm>

#include "filter/pipeline.hpp"
#include "format/btree2_records.hpp"
#include "storage/dense/heap_image.hpp"
#include "storage/dense/heap_reader.hpp"

namespace pcio {

namespace {

/// So many pieces of free space are listed, the largest ones; who writes the heap through this library
/// finds all of them anyway.
constexpr std::size_t kMostSections = 64;
/// Direct blocks that come from filters are in memory all at once; bytes.
constexpr std::uint64_t kMostUnfilteredBytes = std::uint64_t{1} << 30;

/// Rank 0 has the bytes, and writes them.
void add_filtered(const ByteRange& range, const std::vector<std::byte>& bytes, BlockSet* blocks) {
  blocks->push_back({range,
                     [&bytes](ByteWriter& out) {
                       out.bytes(bytes);
                       return Status();
                     },
                     BlockWriter::kRankZeroAlone});
}

Status overlap() { return PCIO_ERROR(HEAP, BADVALUE, "blocks of a fractal heap overlap"); }

}  // namespace

Status HeapImage::read_direct(FileBytes& file, std::uint64_t offset, std::uint64_t size,
                              const FractalHeapChild& child, BlockOwner* owner) {
  const std::uint64_t stored = is_filtered() ? child.filtered_size : size;
  if (stored == 0 || !owner->adopt({child.address, stored})) return overlap();
  unfiltered_bytes_ += is_filtered() ? size : 0;
  if (unfiltered_bytes_ > kMostUnfilteredBytes)
    return PCIO_ERROR(HEAP, BADSIZE, "a fractal heap with filters has more than 1 GiB of objects");
  PCIO_ASSIGN(auto bytes, file.block(child.address, stored, "fractal heap direct block"));
  if (is_filtered()) {
    PCIO_ASSIGN(bytes,
                decode_chunk(heap_pipeline(context_.header), bytes, child.filter_mask, size));
  }
  PCIO_TRY(check_fractal_direct_block(bytes, context_, offset));
  DirectBlock& block = direct_[offset];
  block.address = child.address;
  block.bytes = std::move(bytes);
  block.changed = false;
  block.filtered = {stored, child.filter_mask};
  put_free(offset + head(), size - head());
  return Status();
}

/// Each step is into a smaller block, and none is there twice.
Status HeapImage::read_indirect(FileBytes& file, std::uint64_t offset, FileAddress address,
                                unsigned rows, BlockOwner* owner) {
  const std::size_t size = geometry_.indirect_block_size(rows);
  if (!owner->adopt({address, size})) return overlap();
  PCIO_ASSIGN(auto bytes, file.block(address, size, "fractal heap indirect block"));
  PCIO_ASSIGN(auto children, decode_fractal_indirect_block(bytes, context_, offset, rows));
  indirect_[offset] = {address, rows, 0, false};
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto row = static_cast<unsigned>(i / geometry_.width());
    const std::uint64_t block = geometry_.block_size(row);
    const std::uint64_t at = offset + geometry_.row_offset(row) + i % geometry_.width() * block;
    const bool direct = row < geometry_.direct_rows();
    const bool there = children[i].address != kUndefinedAddress;
    if (there) ++indirect_[offset].children;
    if (direct && !there) empty_slots_[block].insert(at);
    if (!direct && !there) absent_.emplace(at, geometry_.rows_of_child(row));
    if (!there) continue;
    PCIO_TRY(
        direct ? read_direct(file, at, block, children[i], owner)
               : read_indirect(file, at, children[i].address, geometry_.rows_of_child(row), owner));
  }
  if (indirect_[offset].children > 0) return Status();
  return PCIO_ERROR(HEAP, BADVALUE, "an indirect block of a fractal heap leads nowhere");
}

Status HeapImage::read_blocks(FileBytes& file, BlockOwner* owner) {
  const FractalHeapHeader& header = context_.header;
  if (header.root_address == kUndefinedAddress) {
    context_.header.root_rows = 0;
    return Status();
  }
  if (header.root_rows == 0)
    return read_direct(file, 0, header.start_block_size,
                       {header.root_address, header.filtered_root_size, header.filtered_root_mask},
                       owner);
  return read_indirect(file, 0, header.root_address, header.root_rows, owner);
}

Status HeapImage::read_huge(FileBytes& file, BlockOwner* owner) {
  const FileAddress address = context_.header.huge_index_address;
  context_.header.huge_objects = context_.header.huge_size = 0;
  if (address == kUndefinedAddress) return Status();
  const Btree2Header shape = huge_shape();
  const bool direct = fractal_ids_are_direct(context_.header, context_.sizes);
  auto decode = [&](ConstBytes bytes) -> Result<TreeRecord> {
    ByteReader reader(bytes);
    const HugeObjectRecord huge = decode_huge_object_record(reader, shape.type, context_.sizes);
    PCIO_TRY(reader.check("huge object record"));
    TreeRecord record;
    record.key.number = direct ? huge.address : huge.id;
    std::copy(bytes.begin(), bytes.end(), record.bytes.begin());
    const bool inside = huge.size <= file.end() && huge.address <= file.end() - huge.size;
    if (huge.size == 0 || !inside || !owner->adopt({huge.address, huge.size}))
      return tl::unexpected(overlap());
    HugeObject& object = huge_[record.key.number];
    object.range = {huge.address, huge.size};
    object.memory_size = is_filtered() ? huge.memory_size : huge.size;
    object.filtered = {huge.size, huge.filter_mask};
    // Whatever the header says: no object that comes is to take its number.
    if (!direct) context_.header.next_huge_id = std::max(context_.header.next_huge_id, huge.id);
    ++context_.header.huge_objects;
    context_.header.huge_size += object.memory_size;
    return record;
  };
  PCIO_ASSIGN(RecordTree tree,
              RecordTree::read(file, shape, context_.sizes, address, decode, owner));
  huge_index_.emplace(std::move(tree));
  return Status();
}

/// What its list says is known otherwise.
Status HeapImage::read_free_space(FileBytes& file, BlockOwner* owner) {
  const FileAddress address = context_.header.free_space_address;
  if (address == kUndefinedAddress) return Status();
  const ByteRange place{address, free_space_header_size(context_.sizes)};
  PCIO_ASSIGN(auto bytes, file.block(place.offset, place.size, "free-space manager"));
  PCIO_ASSIGN(FreeSpaceHeader header, decode_free_space_header(bytes, context_.sizes));
  const ByteRange list{header.list_address, header.list_allocated};
  free_blocks_.push_back(place);
  if (header.list_address != kUndefinedAddress && list.size > 0) free_blocks_.push_back(list);
  for (const ByteRange& block : free_blocks_)
    if (block.size > file.end() || block.offset > file.end() - block.size || !owner->adopt(block))
      return overlap();
  return Status();
}

Result<std::unique_ptr<HeapImage>> HeapImage::read(FileBytes& file, const FileSizes& sizes,
                                                   FileAddress address, BlockOwner* owner) {
  PCIO_ASSIGN(auto bytes,
              file.block(address, fractal_heap_header_size(sizes), "fractal heap header"));
  PCIO_ASSIGN(std::size_t size, fractal_heap_header_size(bytes, sizes));
  if (size > bytes.size()) {
    PCIO_ASSIGN(bytes, file.block(address, size, "fractal heap header"));
  }
  FractalHeapContext context;
  PCIO_ASSIGN(context.header, decode_fractal_heap_header(bytes, sizes));
  context.header_address = address;
  context.sizes = sizes;
  if (!owner->adopt({address, size})) return tl::unexpected(overlap());
  std::unique_ptr<HeapImage> heap(new HeapImage(std::move(context)));
  if (!heap->geometry_.valid())
    return PCIO_ERROR(HEAP, BADVALUE, "fractal heap has an impossible doubling table");
  PCIO_TRY(heap->read_blocks(file, owner));
  PCIO_TRY(heap->read_huge(file, owner));
  PCIO_TRY(heap->read_free_space(file, owner));
  FractalHeapHeader& header = heap->context_.header;
  header.managed_objects = header.tiny_objects = header.tiny_size = 0;
  heap->changed_ = false;
  return heap;
}

Status HeapImage::claim(ConstBytes raw) {
  PCIO_ASSIGN(FractalHeapId id, decode_fractal_heap_id(raw, context_.header, context_.sizes));
  if (id.kind == FractalIdKind::kTiny) {
    ++context_.header.tiny_objects;
    context_.header.tiny_size += id.tiny.size();
    return Status();
  }
  if (id.kind == FractalIdKind::kHuge) {
    if (huge_.contains(huge_key(id))) return Status();
    return PCIO_ERROR(HEAP, NOTFOUND, "a huge object of a fractal heap is not in its index");
  }
  if (id.length == 0 || !take_free(id.offset, id.length))
    return PCIO_ERROR(HEAP, BADRANGE, "objects of a fractal heap overlap, or lie outside of it");
  managed_bytes_ += id.length;
  ++context_.header.managed_objects;
  return Status();
}

/// Bytes for objects in all direct blocks of so many rows.
std::uint64_t HeapImage::capacity_of(unsigned rows) const {
  std::vector<std::uint64_t> capacity{0};
  for (unsigned row = 0; row < rows; ++row) {
    const std::uint64_t one = row < geometry_.direct_rows()
                                  ? geometry_.block_size(row) - head()
                                  : capacity[geometry_.rows_of_child(row)];
    capacity.push_back(capacity.back() + geometry_.width() * one);
  }
  return capacity.back();
}

/// The header's numbers.
void HeapImage::count_up() {
  FractalHeapHeader& header = context_.header;
  header.allocated_space = 0;
  for (const auto& [offset, block] : direct_) header.allocated_space += block.bytes.size();
  const bool table = header.root_rows > 0;
  header.managed_space = table ? geometry_.row_offset(header.root_rows) : header.allocated_space;
  header.free_space = (table             ? capacity_of(header.root_rows)
                       : direct_.empty() ? 0
                                         : header.start_block_size - head()) -
                      managed_bytes_;
  header.iterator_offset = 0;
  if (table && !direct_.empty())
    header.iterator_offset = direct_.rbegin()->first + direct_.rbegin()->second.bytes.size();
  header.root_address = table             ? indirect_.at(0).address
                        : direct_.empty() ? kUndefinedAddress
                                          : direct_.at(0).address;
  const bool filtered_root = is_filtered() && !table && !direct_.empty();
  header.filtered_root_size = filtered_root ? direct_.at(0).filtered.size : 0;
  header.filtered_root_mask = filtered_root ? direct_.at(0).filtered.mask : 0;
}

Status HeapImage::place_free_space(BlockOwner* owner, FileSpace& space) {
  for (const ByteRange& block : free_blocks_) owner->drop(block);
  free_blocks_.clear();
  sections_.clear();
  context_.header.free_space_address = kUndefinedAddress;
  for (auto it = free_by_size_.rbegin();
       it != free_by_size_.rend() && sections_.size() < kMostSections; ++it)
    sections_.push_back({it->second, it->first, 0});
  if (sections_.empty()) return Status();
  FreeSpaceHeader list;
  list.client = kFreeSpaceOfHeap;
  for (const FreeSection& section : sections_) list.total_space += section.size;
  list.total_sections = list.serialized_sections = sections_.size();
  list.section_classes = 4;
  list.address_bits = context_.header.max_heap_bits;
  list.max_section_size = context_.header.max_direct_size;
  list.list_used = list.list_allocated = free_space_list_size(sections_, list, context_.sizes);
  const std::uint64_t head_bytes = free_space_header_size(context_.sizes);
  PCIO_ASSIGN(FileAddress address, owner->take(head_bytes, space));
  PCIO_ASSIGN(list.list_address, owner->take(list.list_used, space));
  free_blocks_ = {{address, head_bytes}, {list.list_address, list.list_used}};
  context_.header.free_space_address = address;
  free_space_ = list;
  return Status();
}

Status HeapImage::place_header(BlockOwner* owner, FileSpace& space) {
  if (!changed_ || context_.header_address != kUndefinedAddress) return Status();
  PCIO_ASSIGN(context_.header_address,
              owner->take(fractal_heap_header_size(context_.header, context_.sizes), space));
  return Status();
}

Status HeapImage::place(BlockOwner* owner, FileSpace& space) {
  if (!changed_) return Status();
  PCIO_TRY(place_header(owner, space));
  if (is_filtered()) PCIO_TRY(place_filtered(owner, space));
  if (huge_index_) {
    if (huge_index_->size() == 0) {
      huge_index_->drop(owner);
      huge_index_.reset();
      context_.header.huge_index_address = kUndefinedAddress;
    } else {
      PCIO_TRY(huge_index_->place(owner, space));
      context_.header.huge_index_address = huge_index_->address();
    }
  }
  for (auto& [offset, block] : indirect_) {
    if (block.address != kUndefinedAddress) continue;
    PCIO_ASSIGN(block.address, owner->take(geometry_.indirect_block_size(block.rows), space));
  }
  for (auto& [offset, block] : direct_) {
    if (block.address != kUndefinedAddress) continue;
    PCIO_ASSIGN(block.address, owner->take(block.bytes.size(), space));
  }
  PCIO_TRY(place_free_space(owner, space));
  count_up();
  return Status();
}

Status HeapImage::encode_direct(const DirectBlock& block, std::uint64_t offset,
                                ByteWriter& out) const {
  std::vector<std::byte> bytes = block.bytes;
  PCIO_TRY(finish_fractal_direct_block(bytes, context_, offset));
  out.bytes(bytes);
  return Status();
}

Status HeapImage::encode_indirect(const IndirectBlock& block, std::uint64_t offset,
                                  ByteWriter& out) const {
  std::vector<FractalHeapChild> children(std::size_t{block.rows} * geometry_.width());
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto row = static_cast<unsigned>(i / geometry_.width());
    const std::uint64_t at =
        offset + geometry_.row_offset(row) + i % geometry_.width() * geometry_.block_size(row);
    if (row < geometry_.direct_rows()) {
      if (const auto it = direct_.find(at); it != direct_.end())
        children[i] = {it->second.address, it->second.filtered.size, it->second.filtered.mask};
    } else if (const auto it = indirect_.find(at); it != indirect_.end()) {
      children[i].address = it->second.address;
    }
  }
  return encode_fractal_indirect_block(children, context_, offset, out);
}

void HeapImage::add_free_space(BlockSet* blocks) const {
  if (free_blocks_.empty()) return;
  blocks->push_back({free_blocks_[0], [this](ByteWriter& out) {
                       return encode_free_space_header(free_space_, context_.sizes, out);
                     }});
  blocks->push_back({free_blocks_[1], [this](ByteWriter& out) {
                       return encode_free_space_list(sections_, free_space_, free_blocks_[0].offset,
                                                     context_.sizes, out);
                     }});
}

void HeapImage::add_blocks(BlockSet* blocks) const {
  if (!changed_) return;
  const ByteRange header{context_.header_address,
                         fractal_heap_header_size(context_.header, context_.sizes)};
  blocks->push_back({header, [this](ByteWriter& out) {
                       return encode_fractal_heap_header(context_.header, context_.sizes, out);
                     }});
  for (const auto& entry : indirect_) {
    const IndirectBlock& block = entry.second;
    if (!block.changed) continue;
    blocks->push_back({{block.address, geometry_.indirect_block_size(block.rows)},
                       [this, &block, offset = entry.first](ByteWriter& out) {
                         return encode_indirect(block, offset, out);
                       }});
  }
  for (const auto& entry : direct_) {
    const DirectBlock& block = entry.second;
    if (!block.changed) continue;
    if (is_filtered()) {
      add_filtered({block.address, block.filtered.size}, block.in_file, blocks);
      continue;
    }
    blocks->push_back({{block.address, block.bytes.size()},
                       [this, &block, offset = entry.first](ByteWriter& out) {
                         return encode_direct(block, offset, out);
                       }});
  }
  for (const auto& entry : huge_) {
    const HugeObject& huge = entry.second;
    if (!huge.bytes) continue;
    if (is_filtered()) {
      add_filtered(huge.range, huge.in_file, blocks);
      continue;
    }
    blocks->push_back({huge.range, [&huge](ByteWriter& out) {
                         out.bytes(*huge.bytes);
                         return Status();
                       }});
  }
  if (huge_index_) huge_index_->add_blocks(blocks);
  add_free_space(blocks);
}

void HeapImage::mark_committed() {
  changed_ = false;
  for (auto& [offset, block] : indirect_) block.changed = false;
  for (auto& [offset, block] : direct_) {
    block.changed = false;
    block.next = {};
    block.in_file = {};
  }
  for (auto& [key, huge] : huge_) {
    huge.bytes.reset();
    huge.in_file = {};
  }
  if (huge_index_) huge_index_->mark_committed();
}

}  // namespace pcio
