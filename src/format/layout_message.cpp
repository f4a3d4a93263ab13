// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: layout message, decode and encode.

#include "format/layout_message.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr unsigned kDontFilterPartialEdges = 0x01;
constexpr unsigned kSingleIndexWithFilter = 0x02;

/// Turns `count` numbers, the last of which is the element size, into chunk_dims and element_size.
Status read_chunk_dims(LayoutMessage& layout, ByteReader& reader, unsigned count, unsigned width) {
  if (count < 2 || count > kMaxNdims + 1 || width < 1 || width > 8)
    return PCIO_ERROR(DATASET, BADVALUE, "chunks of an impossible number of dimensions");
  std::uint64_t bytes = 1;
  for (unsigned d = 0; d < count; ++d) {
    const std::uint64_t n = reader.uint(width);
    PCIO_TRY(reader.check("layout message"));
    const auto product = checked_mul(bytes, n);
    if (n == 0 || n > 0xFFFFFFFFU || !product)
      return PCIO_ERROR(DATASET, BADVALUE, "chunk size of 0 or too large");
    bytes = *product;
    if (d + 1 < count)
      layout.chunk_dims.push_back(n);
    else
      layout.element_size = static_cast<std::uint32_t>(n);
  }
  return Status();
}

Status read_compact(LayoutMessage& layout, ByteReader& reader, unsigned width) {
  const auto size = static_cast<std::size_t>(reader.uint(width));
  const ConstBytes data = reader.bytes(size);
  PCIO_TRY(reader.check("layout message"));
  layout.compact_data.assign(data.begin(), data.end());
  return Status();
}

/// Versions 1 and 2: one shape of message for all classes.
Status decode_old(LayoutMessage& layout, ByteReader& reader, const FileSizes& sizes) {
  const unsigned count = reader.u8();
  const unsigned cls = reader.u8();
  reader.skip(5);
  PCIO_TRY(reader.check("layout message"));
  if (cls > 2) return PCIO_ERROR(DATASET, BADVALUE, "unknown layout class");
  layout.cls = static_cast<LayoutClass>(cls);
  if (layout.cls != LayoutClass::kCompact) layout.address = reader.address(sizes.offset_size);
  if (layout.cls == LayoutClass::kChunked) return read_chunk_dims(layout, reader, count, 4);
  if (count > kMaxNdims) return PCIO_ERROR(DATASET, BADVALUE, "layout of more than 32 dimensions");
  // The element's size is always one of them.
  if (count == 0) return PCIO_ERROR(DATASET, BADVALUE, "layout without dimensions");
  for (unsigned d = 0; d < count; ++d) layout.old_dims.push_back(reader.u32());
  if (layout.cls == LayoutClass::kCompact) return read_compact(layout, reader, 4);
  return reader.check("layout message");
}

/// What the message has of one kind of chunk index.
struct IndexRow {
  ChunkIndexKind kind{};
  const char* name = nullptr;  ///< for messages
  /// Its parameters; null: none, or in no message of version 4.
  void (*decode)(LayoutMessage& layout, ByteReader& reader, const FileSizes& sizes,
                 unsigned flags) = nullptr;
  void (*encode)(const LayoutMessage& layout, FieldWriter& fields) = nullptr;
};

void decode_single_chunk(LayoutMessage& layout, ByteReader& reader, const FileSizes& sizes,
                         unsigned flags) {
  if ((flags & kSingleIndexWithFilter) == 0) return;
  layout.single_filter.emplace();
  layout.single_filter->size = reader.uint(sizes.length_size);
  layout.single_filter->mask = reader.u32();
}

void encode_single_chunk(const LayoutMessage& layout, FieldWriter& fields) {
  if (!layout.single_filter) return;
  fields.length(layout.single_filter->size);
  fields.u32(layout.single_filter->mask);
}

void decode_fixed_array(LayoutMessage& layout, ByteReader& reader, const FileSizes& /*sizes*/,
                        unsigned /*flags*/) {
  layout.fixed_array.page_bits = reader.u8();
}

void encode_fixed_array(const LayoutMessage& layout, FieldWriter& fields) {
  fields.u8(layout.fixed_array.page_bits);
}

void decode_extensible_array(LayoutMessage& layout, ByteReader& reader, const FileSizes& /*sizes*/,
                             unsigned /*flags*/) {
  layout.extensible_array.max_bits = reader.u8();
  layout.extensible_array.index_elements = reader.u8();
  layout.extensible_array.min_pointers = reader.u8();
  layout.extensible_array.min_elements = reader.u8();
  layout.extensible_array.page_bits = reader.u8();
}

void encode_extensible_array(const LayoutMessage& layout, FieldWriter& fields) {
  fields.u8(layout.extensible_array.max_bits);
  fields.u8(layout.extensible_array.index_elements);
  fields.u8(layout.extensible_array.min_pointers);
  fields.u8(layout.extensible_array.min_elements);
  fields.u8(layout.extensible_array.page_bits);
}

void decode_btree2(LayoutMessage& layout, ByteReader& reader, const FileSizes& /*sizes*/,
                   unsigned /*flags*/) {
  layout.btree2.node_size = reader.u32();
  layout.btree2.split_percent = reader.u8();
  layout.btree2.merge_percent = reader.u8();
}

void encode_btree2(const LayoutMessage& layout, FieldWriter& fields) {
  fields.u32(layout.btree2.node_size);
  fields.u8(layout.btree2.split_percent);
  fields.u8(layout.btree2.merge_percent);
}

constexpr IndexRow kIndexRows[] = {
    {ChunkIndexKind::kBtree1, "version 1 B-tree"},
    {ChunkIndexKind::kSingleChunk, "single chunk", &decode_single_chunk, &encode_single_chunk},
    {ChunkIndexKind::kImplicit, "implicit index"},
    {ChunkIndexKind::kFixedArray, "fixed array", &decode_fixed_array, &encode_fixed_array},
    {ChunkIndexKind::kExtensibleArray, "extensible array", &decode_extensible_array,
     &encode_extensible_array},
    {ChunkIndexKind::kBtree2, "version 2 B-tree", &decode_btree2, &encode_btree2},
};

/// Null for a number that is no kind.
const IndexRow* find_index_row(unsigned kind) {
  for (const IndexRow& row : kIndexRows)
    if (static_cast<unsigned>(row.kind) == kind) return &row;
  return nullptr;
}

Status decode_index(LayoutMessage& layout, ByteReader& reader, const FileSizes& sizes,
                    unsigned flags) {
  const IndexRow* const row = find_index_row(reader.u8());
  PCIO_TRY(reader.check("layout message"));
  if (row == nullptr || row->kind == ChunkIndexKind::kBtree1)
    return PCIO_ERROR(DATASET, BADVALUE, "unknown kind of chunk index");
  layout.index = row->kind;
  if (row->decode != nullptr) row->decode(layout, reader, sizes, flags);
  layout.address = reader.address(sizes.offset_size);
  return reader.check("layout message");
}

Status decode_chunked(LayoutMessage& layout, ByteReader& reader, const FileSizes& sizes) {
  if (layout.version == 3) {
    const unsigned count = reader.u8();
    layout.address = reader.address(sizes.offset_size);
    return read_chunk_dims(layout, reader, count, 4);
  }
  const unsigned flags = reader.u8();
  const unsigned count = reader.u8();
  const unsigned width = reader.u8();
  PCIO_TRY(reader.check("layout message"));
  if ((flags & 0xFC) != 0) return PCIO_ERROR(DATASET, BADVALUE, "layout message has unknown flags");
  layout.partial_edge_unfiltered = (flags & kDontFilterPartialEdges) != 0;
  PCIO_TRY(read_chunk_dims(layout, reader, count, width));
  return decode_index(layout, reader, sizes, flags);
}

Status decode_body(LayoutMessage& layout, ByteReader& reader, const FileSizes& sizes) {
  switch (layout.cls) {
    case LayoutClass::kCompact: return read_compact(layout, reader, 2);
    case LayoutClass::kContiguous:
      layout.address = reader.address(sizes.offset_size);
      layout.size = reader.uint(sizes.length_size);
      return reader.check("layout message");
    case LayoutClass::kChunked: return decode_chunked(layout, reader, sizes);
    case LayoutClass::kVirtual:
      layout.virtual_heap_address = reader.address(sizes.offset_size);
      layout.virtual_heap_index = reader.u32();
      return reader.check("layout message");
  }
  return Status();
}

void encode_index(const LayoutMessage& layout, FieldWriter& fields) {
  const IndexRow* const row = find_index_row(static_cast<unsigned>(layout.index));
  fields.u8(static_cast<unsigned>(layout.index));
  if (row != nullptr && row->encode != nullptr) row->encode(layout, fields);
  fields.address(layout.address);
}

void encode_chunked(const LayoutMessage& layout, unsigned number, FieldWriter& fields) {
  const unsigned count = layout.chunk_dims.size() + 1;
  unsigned width = 4;
  if (number == 4) {
    const bool filtered_single =
        layout.index == ChunkIndexKind::kSingleChunk && layout.single_filter.has_value();
    // Without filters a single chunk has no flags: as observed on libhdf5 1.10.8.
    const bool has_flags = layout.index != ChunkIndexKind::kSingleChunk || filtered_single;
    fields.u8((layout.partial_edge_unfiltered && has_flags ? kDontFilterPartialEdges : 0) |
              (filtered_single ? kSingleIndexWithFilter : 0));
    // One width for all numbers: what the largest needs.
    std::uint64_t largest = layout.element_size;
    for (std::uint64_t n : layout.chunk_dims) largest = std::max(largest, n);
    width = bytes_needed(largest);
  }
  fields.u8(count);
  if (number == 3)
    fields.address(layout.address);
  else
    fields.u8(width);
  for (std::uint64_t n : layout.chunk_dims) fields.uint(n, width);
  fields.uint(layout.element_size, width);
  if (number == 4) encode_index(layout, fields);
}

}  // namespace

const char* chunk_index_name(ChunkIndexKind kind) {
  const IndexRow* const row = find_index_row(static_cast<unsigned>(kind));
  return row != nullptr ? row->name : "unknown chunk index";
}

Result<LayoutMessage> decode_layout_message(ByteReader& reader, const FileSizes& sizes) {
  LayoutMessage layout;
  PCIO_ASSIGN(layout.version, decode_version(reader, 1, 4, "layout message"));
  if (layout.version <= 2) {
    PCIO_TRY(decode_old(layout, reader, sizes));
    return layout;
  }
  const unsigned cls = reader.u8();
  PCIO_TRY(reader.check("layout message"));
  if (cls > layout.version - 1) return PCIO_ERROR(DATASET, BADVALUE, "unknown layout class");
  layout.cls = static_cast<LayoutClass>(cls);
  PCIO_TRY(decode_body(layout, reader, sizes));
  return layout;
}

Status encode_layout_message(const LayoutMessage& layout, FormatVersion version,
                             const FileSizes& sizes, ByteWriter& out) {
  unsigned number = layout_message_version(version);
  const bool old_index = layout.index == ChunkIndexKind::kBtree1;
  if (layout.cls == LayoutClass::kVirtual) number = 4;
  if (layout.cls == LayoutClass::kChunked && old_index != (number == 3)) {
    // A message keeps the version that its index needs, whatever the bounds are now.
    number = old_index ? 3 : 4;
  }
  FieldWriter fields(out, sizes);
  fields.u8(number);
  fields.u8(static_cast<unsigned>(layout.cls));
  switch (layout.cls) {
    case LayoutClass::kCompact:
      fields.u16(layout.compact_data.size());
      fields.bytes(layout.compact_data);
      break;
    case LayoutClass::kContiguous:
      fields.address(layout.address);
      fields.length(layout.size.value_or(0));
      break;
    case LayoutClass::kChunked: encode_chunked(layout, number, fields); break;
    case LayoutClass::kVirtual:
      fields.address(layout.virtual_heap_address);
      fields.u32(layout.virtual_heap_index);
      break;
  }
  return fields.check("layout message");
}

}  // namespace pcio
