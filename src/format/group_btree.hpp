// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: node of a version 1 B-tree that indexes the symbol table nodes of a group.
// Source: HDF5 File Format Specification, III.A.1 Version 1 B-trees, node type 0.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// Keys are offsets of names in the group's local heap. All names below child i are greater than
/// keys[i] and not greater than keys[i + 1]; key 0 of the leftmost node is the empty name.
struct GroupBtreeNode {
  unsigned level = 0;  ///< 0: children are symbol table nodes, else nodes of level - 1
  FileAddress left = kUndefinedAddress;
  FileAddress right = kUndefinedAddress;
  std::vector<std::uint64_t> keys;  ///< children.size() + 1 (an empty node: 1)
  std::vector<FileAddress> children;
  friend bool operator==(const GroupBtreeNode&, const GroupBtreeNode&) = default;
};

/// Bytes of a node in the file: always room for 2 * internal_k children.
constexpr std::size_t group_btree_node_size(unsigned internal_k, const FileSizes& sizes) {
  return 8 + 2 * std::size_t{sizes.offset_size} +
         2 * std::size_t{internal_k} * (sizes.offset_size + sizes.length_size) + sizes.length_size;
}

/// Collective: pure. `bytes` may be longer than the node. Errors: BADVALUE for a wrong signature or
/// node type, or more than 2 * internal_k children; TRUNCATED.
Result<GroupBtreeNode> decode_group_btree_node(ConstBytes bytes, const FileSizes& sizes,
                                               unsigned internal_k);
/// Appends exactly group_btree_node_size() bytes. Errors: BADVALUE for wrong counts, OVERFLOW.
Status encode_group_btree_node(const GroupBtreeNode& node, const FileSizes& sizes,
                               unsigned internal_k, ByteWriter& out);

/// Fields in front of the keys of every version 1 B-tree node.
struct BtreePrefix {
  unsigned level = 0;
  std::size_t count = 0;
  FileAddress left = kUndefinedAddress;
  FileAddress right = kUndefinedAddress;
};
constexpr std::size_t btree_prefix_size(const FileSizes& sizes) {
  return 8 + 2 * std::size_t{sizes.offset_size};
}
/// Reads the prefix of a node of type `node_type` (0 group, 1 chunk) with at most `most` children.
Result<BtreePrefix> decode_btree_prefix(ByteReader& reader, const FileSizes& sizes,
                                        unsigned node_type, std::size_t most);
void encode_btree_prefix(const BtreePrefix& prefix, unsigned node_type, FieldWriter& fields);

}  // namespace pcio
