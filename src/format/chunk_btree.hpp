// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: node of a version 1 B-tree that indexes the chunks of a dataset.
// Source: HDF5 File Format Specification, III.A.1 Version 1 B-trees, node type 1.

#pragma once

#include <span>

#include "format/group_btree.hpp"

namespace pcio {

/// Key i says where child i's first chunk lies; the last key lies beyond the last chunk: libhdf5
/// writes size 0 and the last chunk's offset with the size of an element behind the last dimension.
///
/// Keys are stored column by column so that a node costs four allocations, not one a chunk.
struct ChunkBtreeNode {
  unsigned ndims = 0;  ///< of the dataset; an offset has one number more, see offsets
  unsigned level = 0;  ///< 0: children are chunks, else nodes of level - 1
  FileAddress left = kUndefinedAddress;
  FileAddress right = kUndefinedAddress;
  std::vector<std::uint32_t> bytes;         ///< [children + 1] stored size of the chunk
  std::vector<std::uint32_t> filter_masks;  ///< [children + 1] bit i set: filter i was skipped
  /// [children + 1][ndims + 1] first element of the chunk, row-major; the number behind the last
  /// dimension belongs to the bytes of an element and is 0 in the key of a chunk.
  std::vector<std::uint64_t> offsets;
  std::vector<FileAddress> children;

  [[nodiscard]] std::span<const std::uint64_t> offset(std::size_t key) const {
    return std::span(offsets).subspan(key * (ndims + 1), ndims + 1);
  }
  /// Appends a key; `first` is [ndims] or [ndims + 1].
  void add_key(std::uint32_t size, std::uint32_t mask, std::span<const std::uint64_t> first);
  friend bool operator==(const ChunkBtreeNode&, const ChunkBtreeNode&) = default;
};

constexpr std::size_t chunk_btree_key_size(unsigned ndims) {
  return 8 + 8 * (std::size_t{ndims} + 1);
}
/// Bytes of a node in the file: always room for 2 * internal_k children.
constexpr std::size_t chunk_btree_node_size(unsigned internal_k, unsigned ndims,
                                            const FileSizes& sizes) {
  return btree_prefix_size(sizes) + chunk_btree_key_size(ndims) +
         2 * std::size_t{internal_k} * (sizes.offset_size + chunk_btree_key_size(ndims));
}

/// Collective: pure. `bytes` may be longer than the node. Errors: BADVALUE for a wrong signature or
/// node type, too many children, more than 32 dimensions; TRUNCATED.
Result<ChunkBtreeNode> decode_chunk_btree_node(ConstBytes bytes, const FileSizes& sizes,
                                               unsigned internal_k, unsigned ndims);
/// Appends exactly chunk_btree_node_size() bytes. Errors: BADVALUE for wrong counts, OVERFLOW.
Status encode_chunk_btree_node(const ChunkBtreeNode& node, const FileSizes& sizes,
                               unsigned internal_k, ByteWriter& out);

}  // namespace pcio
