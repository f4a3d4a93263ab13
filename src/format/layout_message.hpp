// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: layout message (0x0008), versions 1 to 4: where a dataset's raw data is.
// Source: HDF5 File Format Specification, IV.A.2.i The Data Layout Message.

#pragma once

#include <optional>

#include "format/file_sizes.hpp"
#include "format/format_version.hpp"
#include "space/dims.hpp"

namespace pcio {

/// Values of the file, and of HDF5's H5D_layout_t.
enum class LayoutClass : std::uint8_t { kCompact = 0, kContiguous = 1, kChunked = 2, kVirtual = 3 };

/// Structure that finds chunks. Values 1 to 5 are those of version 4; 0 is versions 1 to 3.
enum class ChunkIndexKind : std::uint8_t {
  kBtree1 = 0,
  kSingleChunk = 1,
  kImplicit = 2,
  kFixedArray = 3,
  kExtensibleArray = 4,
  kBtree2 = 5,
};

/// Name for messages, such as "fixed array".
const char* chunk_index_name(ChunkIndexKind kind);

/// Size and filter mask of the one chunk of a filtered single-chunk dataset.
struct SingleChunkFilter {
  std::uint64_t size = 0;  ///< bytes stored
  std::uint32_t mask = 0;
  friend bool operator==(const SingleChunkFilter&, const SingleChunkFilter&) = default;
};
/// Creation parameters of a fixed array.
struct FixedArrayParameters {
  unsigned page_bits = 10;  ///< log2 of elements in a page
  friend bool operator==(const FixedArrayParameters&, const FixedArrayParameters&) = default;
};
/// Creation parameters of an extensible array; the defaults are libhdf5's.
struct ExtensibleArrayParameters {
  unsigned max_bits = 32;
  unsigned index_elements = 4;
  unsigned min_pointers = 4;
  unsigned min_elements = 16;
  unsigned page_bits = 10;
  friend bool operator==(const ExtensibleArrayParameters&,
                         const ExtensibleArrayParameters&) = default;
};
/// Creation parameters of a version 2 B-tree; the defaults are libhdf5's for chunks.
struct Btree2Parameters {
  std::uint32_t node_size = 2048;  ///< bytes
  unsigned split_percent = 100;
  unsigned merge_percent = 40;
  friend bool operator==(const Btree2Parameters&, const Btree2Parameters&) = default;
};

/// What a layout message says; which members count depends on `cls` and `index`.
struct LayoutMessage {
  LayoutClass cls = LayoutClass::kContiguous;
  unsigned version = 3;  ///< as decoded; encode does not use it

  std::vector<std::byte> compact_data;
  FileAddress address = kUndefinedAddress;  ///< contiguous: data; chunked: index or single chunk
  /// Contiguous: bytes; nothing in versions 1 and 2, where the dataspace tells.
  std::optional<std::uint64_t> size;
  /// Versions 1 and 2: size of the data in elements, for contiguous and compact data.
  std::vector<std::uint64_t> old_dims;

  Dims chunk_dims;                 ///< elements, [ndims]
  std::uint32_t element_size = 0;  ///< bytes; chunked
  ChunkIndexKind index = ChunkIndexKind::kBtree1;
  bool partial_edge_unfiltered = false;  ///< version 4: chunks cut by the edge skip the filters
  std::optional<SingleChunkFilter> single_filter;
  FixedArrayParameters fixed_array;
  ExtensibleArrayParameters extensible_array;
  Btree2Parameters btree2;

  FileAddress virtual_heap_address = kUndefinedAddress;  ///< virtual: global heap collection
  std::uint32_t virtual_heap_index = 0;
  friend bool operator==(const LayoutMessage&, const LayoutMessage&) = default;
};

/// Reads any version. A virtual layout is decoded, not refused: the caller names the dataset.
///
/// Collective: pure. Errors: VERSION (5 and above), TRUNCATED, BADVALUE for an unknown class or
/// index, chunk sizes of 0 or beyond 32 bits, an element size of 0.
Result<LayoutMessage> decode_layout_message(ByteReader& reader, const FileSizes& sizes);
/// Writes version 3 or 4 by `version`; chunks with a version 1 B-tree always get 3, all other
/// indexes 4, because no other pairing exists.
///
/// Errors: OVERFLOW for compact data above 65535 bytes or numbers too wide for the file.
Status encode_layout_message(const LayoutMessage& layout, FormatVersion version,
                             const FileSizes& sizes, ByteWriter& out);

}  // namespace pcio
