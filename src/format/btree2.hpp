// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: version 2 B-tree: header, nodes, and how much fits into a node.
// Source: HDF5 File Format Specification, III.A.2 Version 2 B-trees.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// What the records of a version 2 B-tree are (Btree2Header::type).
enum Btree2Type : std::uint8_t {
  kBtree2HugeIndirect = 1,
  kBtree2HugeIndirectFiltered = 2,
  kBtree2HugeDirect = 3,
  kBtree2HugeDirectFiltered = 4,
  kBtree2LinkName = 5,
  kBtree2LinkOrder = 6,
  kBtree2SharedMessage = 7,
  kBtree2AttributeName = 8,
  kBtree2AttributeOrder = 9,
  kBtree2Chunk = 10,
  kBtree2ChunkFiltered = 11,
};

/// Child of an internal node, or the root: where it is and what is in and below it.
struct Btree2Pointer {
  FileAddress address = kUndefinedAddress;
  std::uint64_t count = 0;  ///< records in the node itself
  std::uint64_t total = 0;  ///< records in the node and below
  friend bool operator==(const Btree2Pointer&, const Btree2Pointer&) = default;
};

struct Btree2Header {
  std::uint8_t type = 0;
  std::uint32_t node_size = 512;  ///< bytes
  std::uint16_t record_size = 0;  ///< bytes
  std::uint16_t depth = 0;        ///< 0: the root is a leaf
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
  Btree2Pointer root;
  friend bool operator==(const Btree2Header&, const Btree2Header&) = default;
};
constexpr std::size_t btree2_header_size(const FileSizes& sizes) {
  return 22 + std::size_t{sizes.offset_size} + sizes.length_size;
}
/// Collective: pure. Errors: BADVALUE for a wrong signature, checksum, a node too small for two
/// records or a depth that no file can have; VERSION, TRUNCATED.
Result<Btree2Header> decode_btree2_header(ConstBytes bytes, const FileSizes& sizes);
Status encode_btree2_header(const Btree2Header& header, const FileSizes& sizes, ByteWriter& out);

/// How many records fit, and how wide the counts in child pointers are, at each depth.
class Btree2Geometry {
 public:
  Btree2Geometry(const Btree2Header& header, const FileSizes& sizes);
  /// False where a node of some depth up to header.depth can't hold a record.
  [[nodiscard]] bool valid() const { return valid_; }
  /// Records in one node `depth` levels above the leaves.
  [[nodiscard]] std::uint64_t max_records(unsigned depth) const { return levels_[depth].most; }
  /// Widths in bytes of the two counts in a pointer to a node of `depth`; 0: not stored.
  [[nodiscard]] unsigned count_width(unsigned depth) const { return levels_[depth].count_width; }
  [[nodiscard]] unsigned total_width(unsigned depth) const { return levels_[depth].total_width; }

 private:
  struct Level {
    std::uint64_t most = 0;
    std::uint64_t cumulative = 0;  ///< records in the node and below; saturates
    unsigned count_width = 0;
    unsigned total_width = 0;
  };
  std::vector<Level> levels_;
  bool valid_ = true;
};

/// A node; a leaf has no children.
struct Btree2Node {
  std::vector<std::byte> records;       ///< [count][record_size]
  std::vector<Btree2Pointer> children;  ///< [count + 1] for internal nodes
  friend bool operator==(const Btree2Node&, const Btree2Node&) = default;
};
/// Decodes a node `depth` levels above the leaves with `count` records; `bytes` has node_size bytes.
///
/// Collective: pure. Errors: BADVALUE for a wrong signature, type, checksum or count, TRUNCATED.
Result<Btree2Node> decode_btree2_node(ConstBytes bytes, const Btree2Header& header, unsigned depth,
                                      std::uint64_t count, const FileSizes& sizes);
/// Appends exactly header.node_size bytes. Errors: BADVALUE for too many or uneven records.
Status encode_btree2_node(const Btree2Node& node, const Btree2Header& header, unsigned depth,
                          const FileSizes& sizes, ByteWriter& out);

}  // namespace pcio
