// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: records of version 2 B-trees, decode and encode.

#include "format/btree2_records.hpp"

#include <algorithm>

namespace pcio {

namespace {

bool is_filtered(unsigned type) {
  return type == kBtree2HugeIndirectFiltered || type == kBtree2HugeDirectFiltered;
}
bool is_indirect(unsigned type) { return type <= kBtree2HugeIndirectFiltered; }

template <std::size_t N>
void read_id(ByteReader& reader, std::array<std::byte, N>& id) {
  const ConstBytes raw = reader.bytes(N);
  std::copy(raw.begin(), raw.end(), id.begin());
}

}  // namespace

std::size_t btree2_record_size(unsigned type, const FileSizes& sizes) {
  const std::size_t length = sizes.length_size;
  switch (type) {
    case kBtree2HugeIndirect: return sizes.offset_size + 2 * length;
    case kBtree2HugeIndirectFiltered: return sizes.offset_size + 3 * length + 4;
    case kBtree2HugeDirect: return sizes.offset_size + length;
    case kBtree2HugeDirectFiltered: return sizes.offset_size + 2 * length + 4;
    case kBtree2LinkName: return 11;
    case kBtree2LinkOrder: return 15;
    case kBtree2AttributeName: return 17;
    case kBtree2AttributeOrder: return 13;
    default: return 0;
  }
}

std::size_t chunk_record_size(const ChunkElementFormat& format, unsigned ndims) {
  return format.size() + 8 * std::size_t{ndims};
}

HugeObjectRecord decode_huge_object_record(ByteReader& reader, unsigned type,
                                           const FileSizes& sizes) {
  HugeObjectRecord record;
  record.address = reader.address(sizes.offset_size);
  record.size = reader.uint(sizes.length_size);
  if (is_filtered(type)) {
    record.filter_mask = reader.u32();
    record.memory_size = reader.uint(sizes.length_size);
  }
  if (is_indirect(type)) record.id = reader.uint(sizes.length_size);
  return record;
}

void encode_huge_object_record(const HugeObjectRecord& record, unsigned type, FieldWriter& fields) {
  fields.address(record.address);
  fields.length(record.size);
  if (is_filtered(type)) {
    fields.u32(record.filter_mask);
    fields.length(record.memory_size);
  }
  if (is_indirect(type)) fields.length(record.id);
}

LinkRecord decode_link_record(ByteReader& reader, unsigned type) {
  LinkRecord record;
  if (type == kBtree2LinkName)
    record.hash = reader.u32();
  else
    record.creation_order = static_cast<std::int64_t>(reader.u64());
  read_id(reader, record.heap_id);
  return record;
}

void encode_link_record(const LinkRecord& record, unsigned type, FieldWriter& fields) {
  if (type == kBtree2LinkName)
    fields.u32(record.hash);
  else
    fields.u64(static_cast<std::uint64_t>(record.creation_order));
  fields.bytes(record.heap_id);
}

AttributeRecord decode_attribute_record(ByteReader& reader, unsigned type) {
  AttributeRecord record;
  read_id(reader, record.heap_id);
  record.message_flags = static_cast<std::uint8_t>(reader.u8());
  record.creation_order = reader.u32();
  if (type == kBtree2AttributeName) record.hash = reader.u32();
  return record;
}

void encode_attribute_record(const AttributeRecord& record, unsigned type, FieldWriter& fields) {
  fields.bytes(record.heap_id);
  fields.u8(record.message_flags);
  fields.u32(record.creation_order);
  if (type == kBtree2AttributeName) fields.u32(record.hash);
}

ChunkRecord decode_chunk_record(ByteReader& reader, const ChunkElementFormat& format,
                                unsigned ndims) {
  ChunkRecord record;
  record.chunk = decode_chunk_element(reader, format);
  for (unsigned d = 0; d < ndims; ++d) record.coords.push_back(reader.u64());
  return record;
}

void encode_chunk_record(const ChunkRecord& record, const ChunkElementFormat& format,
                         FieldWriter& fields) {
  encode_chunk_element(record.chunk, format, fields);
  for (std::uint64_t coord : record.coords) fields.u64(coord);
}

}  // namespace pcio
