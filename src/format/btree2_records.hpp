// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: records of version 2 B-trees, one struct per kind.
// Source: HDF5 File Format Specification, III.A.2 Version 2 B-trees, record types 1 to 11.

#pragma once

#include <array>

#include "format/btree2.hpp"
#include "format/chunk_element.hpp"
#include "space/dims.hpp"

namespace pcio {

/// Types 1 to 4: an object too large for the blocks of its fractal heap.
struct HugeObjectRecord {
  FileAddress address = kUndefinedAddress;
  std::uint64_t size = 0;         ///< bytes in the file
  std::uint32_t filter_mask = 0;  ///< types 2 and 4
  std::uint64_t memory_size = 0;  ///< types 2 and 4: bytes without filters
  std::uint64_t id = 0;           ///< types 1 and 2: the key in heap ids
  friend bool operator==(const HugeObjectRecord&, const HugeObjectRecord&) = default;
};
/// Types 5 and 6: a link of a dense group, by the lookup3 hash of its name or by creation order.
struct LinkRecord {
  std::uint32_t hash = 0;           ///< type 5
  std::int64_t creation_order = 0;  ///< type 6
  std::array<std::byte, 7> heap_id{};
  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};
/// Types 8 and 9: a dense attribute, by the lookup3 hash of its name or by creation order.
struct AttributeRecord {
  std::array<std::byte, 8> heap_id{};
  std::uint8_t message_flags = 0;
  std::uint32_t creation_order = 0;
  std::uint32_t hash = 0;  ///< type 8
  friend bool operator==(const AttributeRecord&, const AttributeRecord&) = default;
};
/// Types 10 and 11: a chunk, by its position in the grid of chunks.
struct ChunkRecord {
  ChunkElement chunk;
  Dims coords;  ///< chunks, [ndims]
  friend bool operator==(const ChunkRecord&, const ChunkRecord&) = default;
};

/// Bytes of a record of types 1 to 6, 8 and 9.
std::size_t btree2_record_size(unsigned type, const FileSizes& sizes);
std::size_t chunk_record_size(const ChunkElementFormat& format, unsigned ndims);

/// Readers of one record; they fail by reader.ok(), and the caller checks once per node.
HugeObjectRecord decode_huge_object_record(ByteReader& reader, unsigned type,
                                           const FileSizes& sizes);
LinkRecord decode_link_record(ByteReader& reader, unsigned type);
AttributeRecord decode_attribute_record(ByteReader& reader, unsigned type);
ChunkRecord decode_chunk_record(ByteReader& reader, const ChunkElementFormat& format,
                                unsigned ndims);

void encode_huge_object_record(const HugeObjectRecord& record, unsigned type, FieldWriter& fields);
void encode_link_record(const LinkRecord& record, unsigned type, FieldWriter& fields);
void encode_attribute_record(const AttributeRecord& record, unsigned type, FieldWriter& fields);
void encode_chunk_record(const ChunkRecord& record, const ChunkElementFormat& format,
                         FieldWriter& fields);

}  // namespace pcio
