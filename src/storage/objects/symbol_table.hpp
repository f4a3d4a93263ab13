// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: a group's links as a version 1 symbol table: B-tree, symbol table nodes, local heap.
//
// A table is read whole. Here it is written whole: bottom-up into one new piece of the file. Commits that
// follow change it in place (placed_table).
// Source: HDF5 File Format Specification III.A.1, III.B, III.C, III.D.

#pragma once

#include "format/file_sizes.hpp"
#include "format/symbol_table_entry.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/objects/link_table.hpp"

namespace pcio {

/// Where the parts of a symbol table are, and the bytes it owns.
struct SymbolTablePlace {
  FileAddress btree = kUndefinedAddress;
  FileAddress heap = kUndefinedAddress;
  std::vector<ByteRange> owned;
  std::uint64_t index_bytes = 0;  ///< nodes of the tree, and those with the entries
  std::uint64_t heap_bytes = 0;   ///< header and segment
  std::uint64_t links = 0;
};

/// Node sizes of the file. Source: superblock fields.
struct SymbolTableShape {
  FileSizes sizes;
  unsigned leaf_k = 4;
  unsigned internal_k = 16;
};

/// The entry of a link whose name is at `name_at` in the heap; the target of a soft link comes next there.
/// Errors: SYM OVERFLOW for a target too far behind.
Result<SymbolTableEntry> symbol_table_entry(const LinkMessage& link, std::uint64_t name_at);

/// Reads the links behind a symbol table message; fills `place->owned`.
/// Collective: independent. Errors: damaged blocks, a tree with a cycle or more levels than a file
/// can have, names outside the heap.
Result<LinkTable> read_symbol_table(FileBytes& file, const SymbolTableShape& shape,
                                    SymbolTablePlace* place);

/// Bytes of a heap behind its names: as few as it must have, or as many as the names have, where the file's
/// lengths are wide enough for that.
enum class HeapRoom : std::uint8_t { kLeast, kDouble };

/// The sizes of a symbol table's parts, before anything is encoded. Offsets from its start.
class SymbolTablePlan {
 public:
  SymbolTablePlan(const LinkTable& table, const SymbolTableShape& shape,
                  HeapRoom room = HeapRoom::kLeast);
  [[nodiscard]] std::uint64_t total_bytes() const { return total_; }
  /// Of the heap's segment.
  [[nodiscard]] std::uint64_t segment_offset() const { return leaf_offset_ - heap_bytes_; }
  [[nodiscard]] std::uint64_t heap_bytes() const { return heap_bytes_; }
  /// Of the nodes with entries, and of those of the tree from its lowest level on.
  [[nodiscard]] std::uint64_t leaf_offset(std::uint64_t leaf) const;
  [[nodiscard]] std::uint64_t node_offset(std::size_t level, std::uint64_t node) const;
  /// The place of a table that begins at `address`.
  [[nodiscard]] SymbolTablePlace place_at(FileAddress address) const;
  /// Appends exactly total_bytes() bytes. `table` is the one that the plan was made for.
  Status encode(const LinkTable& table, FileAddress address, ByteWriter& out) const;

 private:
  struct Level {
    std::uint64_t nodes = 0;
    std::uint64_t offset = 0;
  };
  [[nodiscard]] std::uint64_t root_offset() const { return levels_.back().offset; }
  Status encode_heap(const LinkTable& table, FileAddress address, ByteWriter& out) const;
  Status encode_leaves(const LinkTable& table, ByteWriter& out) const;
  Status encode_level(std::size_t level, FileAddress address, ByteWriter& out) const;

  SymbolTableShape shape_;
  std::uint64_t links_;
  std::uint64_t heap_bytes_ = 0;
  std::uint64_t leaf_offset_ = 0;
  std::uint64_t leaves_ = 0;
  std::vector<Level> levels_;                     // B-tree levels, leaves of the tree first
  std::vector<std::uint64_t> last_name_of_leaf_;  // heap offsets
  std::uint64_t total_ = 0;
};

}  // namespace pcio
