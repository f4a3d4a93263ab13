// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: HeapImage: objects that come and go, and the blocks that hold them.

#include "storage/dense/heap_image.hpp"

#include <algorithm>

#include "format/btree2_records.hpp"

namespace pcio {

namespace {

/// Where lengths have two bytes the usual one of 64 KiB can't be said: libhdf5 1.10.8 writes 0 and can't read
/// its own heap, but reads one with a smaller size.
constexpr std::uint64_t kMostDirectOfShortLengths = 32768;

FractalHeapContext new_context(const HeapShape& shape, const FileSizes& sizes) {
  FractalHeapContext context;
  context.sizes = sizes;
  if (!fits_width(context.header.max_direct_size, sizes.length_size))
    context.header.max_direct_size = kMostDirectOfShortLengths;
  context.header.id_length = shape.id_length;
  context.header.start_block_size = shape.start_block_size;
  context.header.max_heap_bits = shape.max_heap_bits;
  context.header.max_managed_size = shape.max_managed_size;
  return context;
}

}  // namespace

HeapImage::HeapImage(FractalHeapContext context)
    : context_(std::move(context)), geometry_(context_.header, context_.sizes) {}

HeapImage::HeapImage(const HeapShape& shape, const FileSizes& sizes)
    : HeapImage(new_context(shape, sizes)) {}

/// The offset of the indirect block that leads to the block at `offset`.
std::uint64_t HeapImage::above(std::uint64_t offset, Child kind) const {
  std::uint64_t base = 0;
  unsigned rows = context_.header.root_rows;
  for (;;) {
    const auto place = geometry_.locate(offset, base, rows);
    if (!place || place->row < geometry_.direct_rows()) return base;
    if (kind == Child::kIndirect && place->block_offset == offset) return base;
    const auto below = indirect_.find(place->block_offset);
    if (below == indirect_.end()) return base;
    base = below->first;
    rows = below->second.rows;
  }
}

/// The direct block with this byte of the heap; the end where there is none.
HeapImage::DirectBlocks::iterator HeapImage::block_at(std::uint64_t offset) {
  auto block = direct_.upper_bound(offset);
  if (block == direct_.begin()) return direct_.end();
  --block;
  return offset - block->first < block->second.bytes.size() ? block : direct_.end();
}

/// Rows of an indirect block that nothing is in yet.
void HeapImage::add_slots(std::uint64_t offset, unsigned first_row, unsigned rows) {
  for (unsigned row = first_row; row < rows; ++row) {
    const std::uint64_t size = geometry_.block_size(row);
    for (unsigned column = 0; column < geometry_.width(); ++column) {
      const std::uint64_t at = offset + geometry_.row_offset(row) + column * size;
      if (row >= geometry_.direct_rows())
        absent_.emplace(at, geometry_.rows_of_child(row));
      else if (!direct_.contains(at))
        empty_slots_[size].insert(at);
    }
  }
}

/// The same for a block that goes; everything in it is gone already.
void HeapImage::remove_slots(std::uint64_t offset, unsigned rows) {
  for (unsigned row = 0; row < rows; ++row) {
    const std::uint64_t size = geometry_.block_size(row);
    for (unsigned column = 0; column < geometry_.width(); ++column) {
      const std::uint64_t at = offset + geometry_.row_offset(row) + column * size;
      if (row >= geometry_.direct_rows())
        absent_.erase(at);
      else
        empty_slots_[size].erase(at);
    }
  }
}

/// More rows for the root, at least one with blocks of `need` bytes. False where it has all it can have.
bool HeapImage::grow_root(std::uint64_t need, BlockOwner* owner) {
  unsigned row = 0;
  while (row < geometry_.direct_rows() && geometry_.block_size(row) < need) ++row;
  if (row == geometry_.direct_rows()) return false;
  const unsigned before = context_.header.root_rows;
  unsigned rows = before == 0 ? context_.header.start_root_rows : 2 * before;
  rows = std::min(std::max({rows, row + 1, 1U}), geometry_.max_rows());
  // The header says how much they cover.
  while (rows > before && !fits_width(geometry_.row_offset(rows), context_.sizes.length_size))
    --rows;
  if (rows <= std::max(before, row)) return false;
  if (const auto old = indirect_.find(0); old != indirect_.end())
    owner->drop({old->second.address, geometry_.indirect_block_size(before)});
  IndirectBlock& root = indirect_[0];
  root.address = kUndefinedAddress;
  root.rows = rows;
  root.changed = true;
  // A direct block that was the root is its first child.
  if (before == 0) root.children = direct_.size();
  context_.header.root_rows = static_cast<std::uint16_t>(rows);
  add_slots(0, before, rows);
  return true;
}

/// Makes the first indirect block that is not there and has direct blocks of `need` bytes.
bool HeapImage::fill_absent(std::uint64_t need) {
  for (auto it = absent_.begin(); it != absent_.end(); ++it) {
    const auto [offset, rows] = *it;
    if (rows == 0 || geometry_.block_size(std::min(rows, geometry_.direct_rows()) - 1) < need)
      continue;
    IndirectBlock& parent = indirect_[above(offset, Child::kIndirect)];
    ++parent.children;
    parent.changed = true;
    absent_.erase(it);
    indirect_[offset].rows = rows;
    add_slots(offset, 0, rows);
    return true;
  }
  return false;
}

/// The first place for a direct block with room for `need` bytes.
std::optional<std::uint64_t> HeapImage::take_slot(std::uint64_t need) {
  std::set<std::uint64_t>* best = nullptr;
  for (auto it = empty_slots_.lower_bound(need); it != empty_slots_.end(); ++it)
    if (!it->second.empty() && (best == nullptr || *it->second.begin() < *best->begin()))
      best = &it->second;
  if (best == nullptr) return std::nullopt;
  const std::uint64_t offset = *best->begin();
  best->erase(best->begin());
  return offset;
}

void HeapImage::add_direct(std::uint64_t offset, std::uint64_t size) {
  direct_[offset].bytes.resize(static_cast<std::size_t>(size));
  put_free(offset + head(), size - head());
}

/// A direct block with `need` bytes for objects. False where the heap is full.
bool HeapImage::new_block(std::uint64_t need, BlockOwner* owner) {
  need += head();
  const std::uint64_t start = context_.header.start_block_size;
  if (direct_.empty() && indirect_.empty() && need <= start) {
    add_direct(0, start);
    return true;
  }
  std::optional<std::uint64_t> offset = take_slot(need);
  while (!offset) {
    if (!fill_absent(need) && !grow_root(need, owner)) return false;
    offset = take_slot(need);
  }
  const std::uint64_t from = above(*offset, Child::kDirect);
  IndirectBlock& parent = indirect_[from];
  ++parent.children;
  parent.changed = true;
  add_direct(*offset, geometry_.locate(*offset, from, parent.rows)->block_size);
  return true;
}

/// Nothing is left in it.
void HeapImage::drop_block(DirectBlocks::iterator block, BlockOwner* owner) {
  const std::uint64_t offset = block->first;
  const std::uint64_t size = block->second.bytes.size();
  take_free(offset + head(), size - head());
  if (block->second.address != kUndefinedAddress)
    owner->drop({block->second.address, stored_size(block->second)});
  direct_.erase(block);
  if (indirect_.empty()) return;
  empty_slots_[size].insert(offset);
  child_gone(above(offset, Child::kDirect), owner);
}

void HeapImage::drop_indirect(std::map<std::uint64_t, IndirectBlock>::iterator block,
                              BlockOwner* owner) {
  const auto& [offset, gone] = *block;
  if (gone.address != kUndefinedAddress)
    owner->drop({gone.address, geometry_.indirect_block_size(gone.rows)});
  remove_slots(offset, gone.rows);
  indirect_.erase(block);
}

/// The indirect block at `above` has lost a child; one without children goes as well.
void HeapImage::child_gone(std::uint64_t above_it, BlockOwner* owner) {
  const auto parent = indirect_.find(above_it);
  parent->second.changed = true;
  if (--parent->second.children > 0) return;
  const unsigned rows = parent->second.rows;
  const std::uint64_t next = above_it == 0 ? 0 : above(above_it, Child::kIndirect);
  drop_indirect(parent, owner);
  if (above_it == 0) {
    context_.header.root_rows = 0;
    return;
  }
  absent_.emplace(above_it, rows);
  child_gone(next, owner);
}

/// Joined with what is free beside it; heads keep blocks apart. Returns the bytes of the whole.
std::uint64_t HeapImage::put_free(std::uint64_t offset, std::uint64_t size) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + size) {
    size += next->second;
    free_by_size_.erase({next->second, next->first});
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      size += before->second;
      free_by_size_.erase({before->second, before->first});
      free_.erase(before);
    }
  }
  free_.emplace(offset, size);
  free_by_size_.emplace(size, offset);
  return size;
}

/// False where some of it is not free.
bool HeapImage::take_free(std::uint64_t offset, std::uint64_t size) {
  auto it = free_.upper_bound(offset);
  if (it == free_.begin()) return false;
  --it;
  const auto [from, bytes] = *it;
  if (offset - from > bytes || size > bytes - (offset - from)) return false;
  free_by_size_.erase({bytes, from});
  free_.erase(it);
  if (offset > from) put_free(from, offset - from);
  if (from + bytes > offset + size) put_free(offset + size, from + bytes - offset - size);
  return true;
}

Result<std::vector<std::byte>> HeapImage::add_managed(ConstBytes object, BlockOwner* owner) {
  auto hole = free_by_size_.lower_bound({object.size(), 0});
  if (hole == free_by_size_.end()) {
    if (!new_block(object.size(), owner))
      return PCIO_ERROR(HEAP, NOSPACE, "a fractal heap has no room for more objects");
    hole = free_by_size_.lower_bound({object.size(), 0});
  }
  const std::uint64_t offset = hole->second;
  take_free(offset, object.size());
  auto& [begin, block] = *block_at(offset);
  block.changed = true;
  std::copy(object.begin(), object.end(),
            block.bytes.begin() + static_cast<std::ptrdiff_t>(offset - begin));
  managed_bytes_ += object.size();
  ++context_.header.managed_objects;
  ByteWriter id;
  PCIO_TRY(encode_fractal_heap_id(offset, object.size(), context_.header, context_.sizes, id));
  return std::move(id).take();
}

Btree2Header HeapImage::huge_shape() const {
  Btree2Header shape;
  const bool direct = fractal_ids_are_direct(context_.header, context_.sizes);
  if (is_filtered())
    shape.type = direct ? kBtree2HugeDirectFiltered : kBtree2HugeIndirectFiltered;
  else
    shape.type = direct ? kBtree2HugeDirect : kBtree2HugeIndirect;
  shape.record_size = static_cast<std::uint16_t>(btree2_record_size(shape.type, context_.sizes));
  return shape;
}

Result<TreeRecord> HeapImage::huge_record(std::uint64_t key, const HugeObject& huge) const {
  TreeRecord record;
  record.key.number = key;
  ByteWriter out;
  FieldWriter fields(out, context_.sizes);
  encode_huge_object_record(
      {huge.range.offset, huge.range.size, huge.filtered.mask, huge.memory_size, key},
      huge_shape().type, fields);
  PCIO_TRY(fields.check("huge object record"));
  std::copy(out.view().begin(), out.view().end(), record.bytes.begin());
  return record;
}

Result<std::vector<std::byte>> HeapImage::add_huge(ConstBytes object, BlockOwner* owner,
                                                   FileSpace& space) {
  const bool direct = fractal_ids_are_direct(context_.header, context_.sizes);
  if (direct && is_filtered())
    return PCIO_ERROR(HEAP, UNSUPPORTED,
                      "a heap with filters whose ids say where huge objects are can't get any");
  FractalHeapId id;
  id.key = context_.header.next_huge_id + 1;
  const unsigned width =
      std::min<unsigned>(context_.header.id_length - 1U, context_.sizes.length_size);
  if (!direct && (context_.header.ids_wrapped || id.key == 0 || !fits_width(id.key, width)))
    return PCIO_ERROR(HEAP, OVERFLOW, "a fractal heap has no more numbers for huge objects");
  HugeObject huge;
  huge.memory_size = object.size();
  huge.bytes.emplace(object.begin(), object.end());
  // Behind filters it has a place when it is known how large it is.
  if (!is_filtered()) {
    PCIO_ASSIGN(id.address, owner->take(object.size(), space));
    huge.range = {id.address, object.size()};
  }
  id.file_size = object.size();
  if (!huge_index_) huge_index_.emplace(huge_shape(), context_.sizes);
  const std::uint64_t key = direct ? id.address : id.key;
  PCIO_ASSIGN(TreeRecord record, huge_record(key, huge));
  huge_[key] = std::move(huge);
  huge_index_->put(std::move(record));
  if (!direct) context_.header.next_huge_id = id.key;
  ++context_.header.huge_objects;
  context_.header.huge_size += object.size();
  ByteWriter raw;
  PCIO_TRY(encode_huge_heap_id(id, context_.header, context_.sizes, raw));
  return std::move(raw).take();
}

Result<std::vector<std::byte>> HeapImage::add(ConstBytes object, BlockOwner* owner,
                                              FileSpace& space) {
  changed_ = true;
  if (object.size() <= fractal_tiny_most(context_.header)) {
    ByteWriter id;
    PCIO_TRY(encode_tiny_heap_id(object, context_.header, id));
    ++context_.header.tiny_objects;
    context_.header.tiny_size += object.size();
    return std::move(id).take();
  }
  const std::uint64_t most = std::min<std::uint64_t>(context_.header.max_managed_size,
                                                     context_.header.max_direct_size - head());
  return object.size() > most ? add_huge(object, owner, space) : add_managed(object, owner);
}

Status HeapImage::remove_managed(const FractalHeapId& id, BlockOwner* owner) {
  const auto block = block_at(id.offset);
  if (block == direct_.end() || id.length == 0)
    return PCIO_ERROR(HEAP, BADRANGE, "fractal heap id leads to a block that is not there");
  managed_bytes_ -= id.length;
  --context_.header.managed_objects;
  if (put_free(id.offset, id.length) == block->second.bytes.size() - head())
    drop_block(block, owner);
  return Status();
}

std::uint64_t HeapImage::huge_key(const FractalHeapId& id) const {
  return fractal_ids_are_direct(context_.header, context_.sizes) ? id.address : id.key;
}

Status HeapImage::remove_huge(const FractalHeapId& id, BlockOwner* owner) {
  const auto huge = huge_.find(huge_key(id));
  if (huge == huge_.end())
    return PCIO_ERROR(HEAP, BADRANGE, "fractal heap id leads to a huge object that is not there");
  --context_.header.huge_objects;
  context_.header.huge_size -= huge->second.memory_size;
  if (huge->second.range.offset != kUndefinedAddress) owner->drop(huge->second.range);
  huge_index_->erase({huge->first, ""}, owner);
  huge_.erase(huge);
  return Status();
}

Status HeapImage::remove(ConstBytes raw, BlockOwner* owner) {
  PCIO_ASSIGN(FractalHeapId id, decode_fractal_heap_id(raw, context_.header, context_.sizes));
  changed_ = true;
  if (id.kind == FractalIdKind::kManaged) return remove_managed(id, owner);
  if (id.kind == FractalIdKind::kHuge) return remove_huge(id, owner);
  --context_.header.tiny_objects;
  context_.header.tiny_size -= id.tiny.size();
  return Status();
}

bool HeapImage::overwrite(ConstBytes raw, ConstBytes object) {
  const auto id = decode_fractal_heap_id(raw, context_.header, context_.sizes);
  if (!id || id->kind != FractalIdKind::kManaged || id->length != object.size()) return false;
  const auto block = block_at(id->offset);
  if (block == direct_.end()) return false;
  block->second.changed = changed_ = true;
  std::copy(object.begin(), object.end(),
            block->second.bytes.begin() + static_cast<std::ptrdiff_t>(id->offset - block->first));
  return true;
}

std::uint64_t HeapImage::size_of(ConstBytes raw) const {
  const auto id = decode_fractal_heap_id(raw, context_.header, context_.sizes);
  if (!id) return 0;
  if (id->kind == FractalIdKind::kTiny) return id->tiny.size();
  if (id->kind == FractalIdKind::kManaged) return id->length;
  const auto huge = huge_.find(huge_key(*id));
  return huge == huge_.end() ? 0 : huge->second.memory_size;
}

Result<std::vector<std::byte>> HeapImage::object(ConstBytes raw) const {
  PCIO_ASSIGN(FractalHeapId id, decode_fractal_heap_id(raw, context_.header, context_.sizes));
  if (id.kind == FractalIdKind::kTiny) return std::move(id.tiny);
  if (id.kind == FractalIdKind::kHuge) {
    const auto huge = huge_.find(huge_key(id));
    const bool here = huge != huge_.end() && huge->second.bytes;
    return here ? *huge->second.bytes : std::vector<std::byte>();
  }
  const auto block = std::prev(direct_.upper_bound(id.offset));
  const auto part = ConstBytes(block->second.bytes)
                        .subspan(static_cast<std::size_t>(id.offset - block->first),
                                 static_cast<std::size_t>(id.length));
  return std::vector<std::byte>(part.begin(), part.end());
}

}  // namespace pcio
