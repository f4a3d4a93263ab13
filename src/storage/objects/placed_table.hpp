// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: a symbol table that is in the file, as commits change it in place.
//
// A table that is written whole at each flush costs a program that adds a group and flushes, again and
// again, the square of its groups. Here a commit writes the nodes that changed and the end of the heap:
// new names go behind the last one, a full node is split, an empty one is taken out. Where that doesn't
// do (the heap or the root is full, half of the names are gone, most nodes change) the table is written
// whole once more, with as much room in its heap again. Cost of a change: the depth of the tree.
// Source: HDF5 File Format Specification III.A.1, III.B, III.C, III.D.

#pragma once

#include <map>
#include <memory>

#include "storage/objects/symbol_table.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

/// What all ranks plan alike depends on the table and on the commits since it was written whole, not on
/// which rank has the group in memory. Threads: one thread drives a file.
class PlacedTable {
 public:
  /// Tables with fewer links are always written whole.
  static constexpr std::size_t kLeastLinks = 64;

  /// `plan`'s table as it is encoded at `address`, at least kLeastLinks links.
  PlacedTable(const LinkTable& table, const SymbolTableShape& shape, const SymbolTablePlan& plan,
              FileAddress address);
  PlacedTable(const PlacedTable&) = delete;
  PlacedTable& operator=(const PlacedTable&) = delete;
  ~PlacedTable();

  enum class Outcome : std::uint8_t { kPlanned, kWriteWhole };
  /// Plans what `table` has followed. `table` must not change before the blocks are encoded. On failure,
  /// and where the table must be written whole, nothing of it is planned and the object is good for
  /// ranges() only. Collective: pure. Errors: NOSPACE.
  Result<Outcome> plan(const LinkTable& table, FileSpace& space, SymbolTablePlace* place,
                       BlockSet* blocks);
  /// What was planned is in the file.
  void mark_committed();
  /// What was planned will not be: its new bytes are given back, and the table must be written whole.
  void withdraw(FileSpace& space, SymbolTablePlace* place);
  /// What the table has of the file.
  [[nodiscard]] std::vector<ByteRange> ranges() const;

 private:
  struct Node;
  /// What a node leads to: another one, or entries.
  struct Child {
    std::string last;           ///< no name below is greater, but behind the last child of all
    std::uint64_t last_at = 0;  ///< where it is in the heap
    FileAddress address = kUndefinedAddress;
    std::vector<std::uint64_t>
        names_at;  ///< of entries: their names in the heap, ascending by name
    std::unique_ptr<Node> node;
    bool changes = false;  ///< something below does
  };
  struct Node {
    FileAddress address = kUndefinedAddress;
    unsigned level = 0;
    Node* left = nullptr;
    Node* right = nullptr;
    std::uint64_t first_at = 0;  ///< all names below are greater than this one
    std::vector<Child> children;
    bool changed = false;
  };
  class Change;
  class Withdrawal;

  void mark(const std::string& name);

  SymbolTableShape shape_;
  std::uint64_t whole_bytes_;  ///< of the table when it was written whole
  FileAddress heap_;           ///< of its header
  FileAddress segment_;
  std::uint64_t segment_bytes_;
  std::uint64_t used_;       ///< bytes of the segment before the free ones
  std::uint64_t waste_ = 0;  ///< bytes of names that are gone
  std::unique_ptr<Node> root_;
  std::map<FileAddress, std::uint64_t> owned_;  ///< bytes of each block
  std::uint64_t index_bytes_before_;            ///< as its group's place had them
  std::vector<ByteRange> new_;                  ///< of these, taken by the last plan
  bool planned_ = true;                         ///< and not in the file yet, as far as is known
};

/// Those of a file, by their groups' addresses. Equal on all ranks.
class PlacedTables {
 public:
  [[nodiscard]] PlacedTable* find(FileAddress group) const {
    const auto it = tables_.find(group);
    return it == tables_.end() ? nullptr : it->second.get();
  }
  void put(FileAddress group, std::unique_ptr<PlacedTable> table) {
    tables_[group] = std::move(table);
  }
  void erase(FileAddress group) { tables_.erase(group); }
  /// A table that may come back, with its group; empty where there is none. Neither asks for memory.
  using Taken = std::map<FileAddress, std::unique_ptr<PlacedTable>>::node_type;
  Taken take(FileAddress group) noexcept { return tables_.extract(group); }
  void put_back(Taken&& table) noexcept { tables_.insert(std::move(table)); }
  /// Bytes of the file that the links of a group have, as it was read or written whole, and since.
  [[nodiscard]] std::vector<ByteRange> ranges_of(FileAddress group,
                                                 const SymbolTablePlace& place) const {
    const PlacedTable* table = find(group);
    return table == nullptr ? place.owned : table->ranges();
  }

 private:
  std::map<FileAddress, std::unique_ptr<PlacedTable>> tables_;
};

}  // namespace pcio
