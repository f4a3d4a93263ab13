// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: a version 2 B-tree in memory, as commits change it in place.
//
// Of a change the nodes on the way to its record are written again, and what is split or joined on the
// way. No node but the root gets emptier than readers that delete records expect (the header's merge
// percentage).
// Source: HDF5 File Format Specification III.A.2, "Version 2 B-trees".

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "format/btree2.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/dense/block_owner.hpp"

namespace pcio {

/// What a tree is sorted by: a number, and a name where the number may stand for several.
struct RecordKey {
  std::uint64_t number = 0;
  std::string name;
  friend auto operator<=>(const RecordKey&, const RecordKey&) = default;
};

/// One record as it lies in the file, and what goes with it.
struct TreeRecord {
  RecordKey key;
  std::uint64_t order = 0;            ///< the caller's
  std::array<std::byte, 36> bytes{};  ///< the tree's record size of them
};

/// Equal on all ranks but for nothing: records hold no values. Threads: one thread drives a file.
class RecordTree {
 public:
  /// An empty one. `shape`: type, node size, record size, percentages.
  RecordTree(const Btree2Header& shape, const FileSizes& sizes) : header_(shape), sizes_(sizes) {
    header_.root = {};
    header_.depth = 0;
  }
  RecordTree(RecordTree&&) = default;
  RecordTree& operator=(RecordTree&&) = default;

  using Decode = std::function<Result<TreeRecord>(ConstBytes)>;
  /// The tree at `address`, whose bytes `owner` gets. Collective: independent.
  /// Errors: damaged nodes, another type, records that are not sorted, nodes too small to be changed.
  static Result<RecordTree> read(FileBytes& file, const Btree2Header& shape, const FileSizes& sizes,
                                 FileAddress address, const Decode& decode, BlockOwner* owner);

  [[nodiscard]] std::uint64_t size() const { return header_.root.total; }
  [[nodiscard]] FileAddress address() const { return address_; }
  /// Null where there is none.
  [[nodiscard]] const TreeRecord* find(const RecordKey& key) const;
  /// Where there is one with this key it is replaced. Collective: pure.
  void put(TreeRecord record);
  /// False where there is none. Collective: pure.
  bool erase(const RecordKey& key, BlockOwner* owner);
  void for_each(const std::function<void(const TreeRecord&)>& visit) const;

  /// Places for what is new. Collective: pure. Errors: NOSPACE.
  Status place(BlockOwner* owner, FileSpace& space);
  /// What changed; all placed. The tree must not change before they are encoded.
  void add_blocks(BlockSet* blocks) const;
  void mark_committed();
  /// All its bytes are given up.
  void drop(BlockOwner* owner);

 private:
  struct Node {
    FileAddress address = kUndefinedAddress;
    std::vector<TreeRecord> records;
    std::vector<std::unique_ptr<Node>> children;  ///< one more than records, or none
    std::uint64_t total = 0;                      ///< records in it and below
    bool changed = true;
  };
  using NodePtr = std::unique_ptr<Node>;
  class Reader;

  [[nodiscard]] std::uint64_t most(unsigned depth) const { return geometry_.max_records(depth); }
  [[nodiscard]] std::uint64_t least(unsigned depth) const {
    return most(depth) * header_.merge_percent / 100 + 1;
  }
  [[nodiscard]] bool can_change() const;
  void measure();
  bool put_below(Node& node, unsigned depth, TreeRecord& record);
  void split_child(Node& node, unsigned depth, std::size_t at);
  bool erase_below(Node& node, unsigned depth, const RecordKey& key, BlockOwner* owner);
  TreeRecord take_last(Node& node, unsigned depth, BlockOwner* owner);
  void fill_child(Node& node, unsigned depth, std::size_t at, BlockOwner* owner);
  void drop_node(const Node& node, BlockOwner* owner) const;
  Status place_node(Node& node, BlockOwner* owner, FileSpace& space);
  void add_node(const Node& node, unsigned depth, BlockSet* blocks) const;
  Status encode_node(const Node& node, unsigned depth, ByteWriter& out) const;

  Btree2Header header_;  ///< its root's address and count are those of root_
  FileSizes sizes_;
  Btree2Geometry geometry_{header_, sizes_};
  FileAddress address_ = kUndefinedAddress;
  NodePtr root_;  ///< none: no records
  bool changed_ = true;
};

}  // namespace pcio
