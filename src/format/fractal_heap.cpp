// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: fractal heap: its header, and how its address space is cut.

#include "format/fractal_heap.hpp"

#include <algorithm>
#include <bit>

#include "base/checked.hpp"

namespace pcio {

namespace {
constexpr unsigned kFlagWrapped = 0x01;
constexpr unsigned kFlagChecksum = 0x02;
}  // namespace

std::size_t fractal_heap_header_size(const FractalHeapHeader& header, const FileSizes& sizes) {
  const std::size_t filters = header.filter_message.size();
  return fractal_heap_header_size(sizes) + (filters == 0 ? 0 : sizes.length_size + 4 + filters);
}

Result<std::size_t> fractal_heap_header_size(ConstBytes first, const FileSizes& sizes) {
  ByteReader reader(first);
  if (!reader.expect("FRHP"))
    return PCIO_ERROR(HEAP, BADVALUE, "wrong signature of a fractal heap");
  PCIO_TRY(decode_version(reader, 0, 0, "fractal heap"));
  reader.skip(2);
  const std::size_t filters = reader.u16();
  PCIO_TRY(reader.check("fractal heap"));
  // With filters there are a size, a mask and the pipeline more.
  return fractal_heap_header_size(sizes) + (filters == 0 ? 0 : sizes.length_size + 4 + filters);
}

Result<FractalHeapHeader> decode_fractal_heap_header(ConstBytes bytes, const FileSizes& sizes) {
  PCIO_ASSIGN(const std::size_t size, fractal_heap_header_size(bytes, sizes));
  if (size > bytes.size()) return PCIO_ERROR(HEAP, TRUNCATED, "truncated fractal heap");
  PCIO_TRY(verify_checksum(bytes.first(size), "fractal heap"));
  ByteReader reader(bytes.first(size));
  reader.skip(5);
  FractalHeapHeader header;
  header.id_length = reader.u16();
  const std::size_t filters = reader.u16();
  const unsigned flags = reader.u8();
  header.ids_wrapped = (flags & kFlagWrapped) != 0;
  header.checksum_direct_blocks = (flags & kFlagChecksum) != 0;
  header.max_managed_size = reader.u32();
  header.next_huge_id = reader.uint(sizes.length_size);
  header.huge_index_address = reader.address(sizes.offset_size);
  header.free_space = reader.uint(sizes.length_size);
  header.free_space_address = reader.address(sizes.offset_size);
  for (std::uint64_t* field : {&header.managed_space, &header.allocated_space,
                               &header.iterator_offset, &header.managed_objects, &header.huge_size,
                               &header.huge_objects, &header.tiny_size, &header.tiny_objects})
    *field = reader.uint(sizes.length_size);
  header.table_width = reader.u16();
  header.start_block_size = reader.uint(sizes.length_size);
  header.max_direct_size = reader.uint(sizes.length_size);
  header.max_heap_bits = reader.u16();
  header.start_root_rows = reader.u16();
  header.root_address = reader.address(sizes.offset_size);
  header.root_rows = reader.u16();
  if (filters > 0) {
    header.filtered_root_size = reader.uint(sizes.length_size);
    header.filtered_root_mask = reader.u32();
    const ConstBytes message = reader.bytes(filters);
    header.filter_message.assign(message.begin(), message.end());
    ByteReader pipeline(message);
    PCIO_ASSIGN(header.filters, decode_filter_pipeline_message(pipeline));
  }
  PCIO_TRY(reader.check("fractal heap"));
  const FractalHeapGeometry geometry(header, sizes);
  if (!geometry.valid() || header.root_rows > geometry.max_rows() || header.id_length == 0)
    return PCIO_ERROR(HEAP, BADVALUE, "parameters of a fractal heap are not possible");
  return header;
}

Status encode_fractal_heap_header(const FractalHeapHeader& header, const FileSizes& sizes,
                                  ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("FRHP");
  fields.u8(0);
  fields.u16(header.id_length);
  fields.uint(header.filter_message.size(), 2);
  fields.u8((header.ids_wrapped ? kFlagWrapped : 0) |
            (header.checksum_direct_blocks ? kFlagChecksum : 0));
  fields.u32(header.max_managed_size);
  fields.length(header.next_huge_id);
  fields.address(header.huge_index_address);
  fields.length(header.free_space);
  fields.address(header.free_space_address);
  for (std::uint64_t value : {header.managed_space, header.allocated_space, header.iterator_offset,
                              header.managed_objects, header.huge_size, header.huge_objects,
                              header.tiny_size, header.tiny_objects})
    fields.length(value);
  fields.u16(header.table_width);
  fields.length(header.start_block_size);
  fields.length(header.max_direct_size);
  fields.u16(header.max_heap_bits);
  fields.u16(header.start_root_rows);
  fields.address(header.root_address);
  fields.u16(header.root_rows);
  if (!header.filter_message.empty()) {
    fields.length(header.filtered_root_size);
    fields.u32(header.filtered_root_mask);
    fields.bytes(header.filter_message);
  }
  append_checksum(out, start);
  return fields.check("fractal heap");
}

FractalHeapGeometry::FractalHeapGeometry(const FractalHeapHeader& header, const FileSizes& sizes)
    : start_(header.start_block_size),
      sizes_(sizes),
      width_(header.table_width),
      checksum_(header.checksum_direct_blocks),
      filtered_(!header.filters.empty()) {
  if (!std::has_single_bit(start_) || !std::has_single_bit(header.max_direct_size) ||
      !std::has_single_bit(width_) || header.max_direct_size < start_ ||
      header.max_direct_size > 0xFFFFFFFFU || header.max_heap_bits > 64)
    return;
  const auto log2 = [](std::uint64_t n) { return static_cast<unsigned>(std::countr_zero(n)); };
  const unsigned first_row_bits = log2(start_) + log2(width_);
  if (first_row_bits > header.max_heap_bits || header.max_direct_size <= direct_head_size()) return;
  direct_rows_ = log2(header.max_direct_size) - log2(start_) + 2;
  max_rows_ = header.max_heap_bits - first_row_bits + 1;
  direct_rows_ = std::min(direct_rows_, max_rows_);
  offset_width_ = (header.max_heap_bits + 7U) / 8;
  length_width_ =
      bytes_needed(std::min<std::uint64_t>(header.max_direct_size, header.max_managed_size));
  valid_ = start_ > direct_head_size();
}

std::uint64_t FractalHeapGeometry::block_size(unsigned row) const {
  return row == 0 ? start_ : start_ << (row - 1);
}

std::uint64_t FractalHeapGeometry::row_offset(unsigned row) const {
  return row == 0 ? 0 : start_ * width_ << (row - 1);
}

unsigned FractalHeapGeometry::rows_of_child(unsigned row) const {
  // A child covers block_size(row) bytes: rows 0 .. r - 1 cover start * width * 2^(r - 1).
  const std::uint64_t covered = block_size(row);
  const std::uint64_t first = start_ * width_;
  if (covered < first) return 0;
  return static_cast<unsigned>(std::countr_zero(covered / first)) + 1;
}

std::optional<FractalHeapPlace> FractalHeapGeometry::locate(std::uint64_t offset,
                                                            std::uint64_t base,
                                                            unsigned rows) const {
  if (offset < base) return std::nullopt;
  const std::uint64_t inside = offset - base;
  FractalHeapPlace place;
  place.row = static_cast<unsigned>(std::bit_width(inside / (start_ * width_)));
  if (place.row >= rows || place.row >= max_rows_) return std::nullopt;
  place.block_size = block_size(place.row);
  place.column = static_cast<unsigned>((inside - row_offset(place.row)) / place.block_size);
  place.block_offset = base + row_offset(place.row) + place.column * place.block_size;
  return place;
}

std::size_t FractalHeapGeometry::indirect_block_size(unsigned rows) const {
  const std::size_t direct = std::size_t{std::min(rows, direct_rows_)} * width_;
  const std::size_t indirect = std::size_t{rows} * width_ - direct;
  const std::size_t entry = sizes_.offset_size + (filtered_ ? sizes_.length_size + 4 : 0);
  return 5 + sizes_.offset_size + offset_width_ + direct * entry + indirect * sizes_.offset_size +
         4;
}

std::size_t FractalHeapGeometry::direct_head_size() const {
  return 5 + sizes_.offset_size + offset_width_ + (checksum_ ? 4 : 0);
}

}  // namespace pcio
