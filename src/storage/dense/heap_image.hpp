// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: a fractal heap in memory, as commits change it in place.
//
// Managed objects lie in direct blocks, which the doubling table gives out by size; what is free in them
// is known from the objects, and used again. Larger objects have bytes of their own, tiny ones lie in
// their ids. Of a change the blocks with changed objects are written again, and what leads to new blocks.
// Where a heap has filters, direct blocks and huge objects go through them before they have places: what a
// commit changes is filtered by one rank, and the others are told the sizes.
// Source: HDF5 File Format Specification III.G, III.H.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>

#include "format/fractal_heap.hpp"
#include "format/free_space.hpp"
#include "storage/dense/record_tree.hpp"

namespace pcio {

/// Sizes of a new heap, as libhdf5 1.10.8 has them for a purpose.
struct HeapShape {
  std::uint16_t id_length = 8;
  std::uint64_t start_block_size = 1024;
  std::uint16_t max_heap_bits = 40;
  std::uint32_t max_managed_size = 4096;
};

/// What filters made of a block or an object.
struct FilteredSize {
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t mask = 0;  ///< bit i: stage i was skipped
};

/// Where objects are is equal on all ranks, their bytes need not be. Threads: one thread drives a file.
class HeapImage {
 public:
  HeapImage(const HeapShape& shape, const FileSizes& sizes);
  HeapImage(const HeapImage&) = delete;
  HeapImage& operator=(const HeapImage&) = delete;
  /// The heap at `address`, all of whose bytes `owner` gets. All that is not claimed counts as free.
  /// Collective: independent. Errors: damaged blocks, filters that can't be undone.
  static Result<std::unique_ptr<HeapImage>> read(FileBytes& file, const FileSizes& sizes,
                                                 FileAddress address, BlockOwner* owner);
  /// A heap that was read has an object with this id, as raw bytes. Errors: outside of its blocks; claimed before.
  Status claim(ConstBytes raw);
  /// The bytes of an object without those of huge ones that are in the file: empty. Of a claimed id.
  [[nodiscard]] Result<std::vector<std::byte>> object(ConstBytes raw) const;
  /// Bytes of an object; 0 where there is none. Of a claimed id.
  [[nodiscard]] std::uint64_t size_of(ConstBytes raw) const;

  /// Adds an object, and returns its id. Collective: pure. Errors: NOSPACE of the file or of the heap.
  Result<std::vector<std::byte>> add(ConstBytes object, BlockOwner* owner, FileSpace& space);
  /// Collective: pure. Errors: an id that is none.
  Status remove(ConstBytes raw, BlockOwner* owner);
  /// Other bytes for an object whose id stays. False where it can't stay: another length, not managed.
  /// Collective: pure; what the bytes are decides nothing.
  bool overwrite(ConstBytes raw, ConstBytes object);

  // --- heaps with filters ---
  /// Of a new heap, before anything is in it: what is added goes through the filters of this pipeline message.
  Status set_filters(ConstBytes message);
  [[nodiscard]] bool is_filtered() const { return !context_.header.filters.empty(); }
  /// The heap's own bytes, which its blocks refer to. Collective: pure. Errors: NOSPACE.
  Status place_header(BlockOwner* owner, FileSpace& space);
  /// How many blocks and objects changed: each needs a size before place().
  [[nodiscard]] std::size_t count_unfiltered() const;
  /// Puts them through the filters, and adds to `sizes`. On one rank. Errors: a filter that can't be left out.
  Status filter(std::vector<FilteredSize>* sizes);
  /// What filter() says, as told by the rank that has done it. Collective: pure.
  void take_sizes(std::span<const FilteredSize> sizes);

  [[nodiscard]] FileAddress address() const { return context_.header_address; }
  [[nodiscard]] const FractalHeapHeader& header() const { return context_.header; }
  /// Places for what is new, and a list of what is free. Collective: pure. Errors: NOSPACE.
  Status place(BlockOwner* owner, FileSpace& space);
  /// What changed; all placed. The heap must not change before they are encoded.
  void add_blocks(BlockSet* blocks) const;
  void mark_committed();

 private:
  struct DirectBlock {
    FileAddress address = kUndefinedAddress;
    std::vector<std::byte> bytes;
    bool changed = true;
    FilteredSize filtered{};           ///< of a heap with filters: as the file has it
    FilteredSize next{};               ///< as it is going to have it
    std::vector<std::byte> in_file{};  ///< behind the filters, where this rank has that
  };
  struct IndirectBlock {
    FileAddress address = kUndefinedAddress;
    unsigned rows = 0;
    std::uint64_t children = 0;
    bool changed = true;
  };
  /// A huge object. Its bytes are here until they are in the file.
  struct HugeObject {
    ByteRange range{kUndefinedAddress, 0};
    std::optional<std::vector<std::byte>> bytes;
    std::uint64_t memory_size = 0;
    FilteredSize filtered{};
    std::vector<std::byte> in_file{};
  };
  using DirectBlocks = std::map<std::uint64_t, DirectBlock>;

  HeapImage(FractalHeapContext context, BlockOwner* owner);
  enum class Child : std::uint8_t { kDirect, kIndirect };

  explicit HeapImage(FractalHeapContext context);
  Status read_blocks(FileBytes& file, BlockOwner* owner);
  Status read_indirect(FileBytes& file, std::uint64_t offset, FileAddress address, unsigned rows,
                       BlockOwner* owner);
  Status read_direct(FileBytes& file, std::uint64_t offset, std::uint64_t size,
                     const FractalHeapChild& child, BlockOwner* owner);
  Status read_huge(FileBytes& file, BlockOwner* owner);
  Status read_free_space(FileBytes& file, BlockOwner* owner);

  [[nodiscard]] std::uint64_t head() const { return geometry_.direct_head_size(); }
  [[nodiscard]] bool has_root() const { return !direct_.empty(); }
  [[nodiscard]] std::uint64_t above(std::uint64_t offset, Child kind) const;
  [[nodiscard]] DirectBlocks::iterator block_at(std::uint64_t offset);
  void add_slots(std::uint64_t offset, unsigned first_row, unsigned rows);
  void remove_slots(std::uint64_t offset, unsigned rows);
  bool grow_root(std::uint64_t need, BlockOwner* owner);
  bool fill_absent(std::uint64_t need);
  std::optional<std::uint64_t> take_slot(std::uint64_t need);
  bool new_block(std::uint64_t need, BlockOwner* owner);
  void add_direct(std::uint64_t offset, std::uint64_t size);
  void drop_block(DirectBlocks::iterator block, BlockOwner* owner);
  void child_gone(std::uint64_t above, BlockOwner* owner);
  void drop_indirect(std::map<std::uint64_t, IndirectBlock>::iterator block, BlockOwner* owner);
  std::uint64_t put_free(std::uint64_t offset, std::uint64_t size);
  bool take_free(std::uint64_t offset, std::uint64_t size);
  Result<std::vector<std::byte>> add_managed(ConstBytes object, BlockOwner* owner);
  Result<std::vector<std::byte>> add_huge(ConstBytes object, BlockOwner* owner, FileSpace& space);
  Status remove_managed(const FractalHeapId& id, BlockOwner* owner);
  Status remove_huge(const FractalHeapId& id, BlockOwner* owner);
  [[nodiscard]] std::uint64_t huge_key(const FractalHeapId& id) const;
  [[nodiscard]] Btree2Header huge_shape() const;
  Result<TreeRecord> huge_record(std::uint64_t key, const HugeObject& huge) const;
  template <class Block, class Object>
  void visit_unfiltered(Block&& block, Object&& object);
  Status place_filtered(BlockOwner* owner, FileSpace& space);
  [[nodiscard]] std::uint64_t stored_size(const DirectBlock& block) const {
    return is_filtered() ? block.filtered.size : block.bytes.size();
  }
  [[nodiscard]] std::uint64_t capacity_of(unsigned rows) const;
  void count_up();
  Status place_free_space(BlockOwner* owner, FileSpace& space);
  void add_free_space(BlockSet* blocks) const;
  Status encode_direct(const DirectBlock& block, std::uint64_t offset, ByteWriter& out) const;
  Status encode_indirect(const IndirectBlock& block, std::uint64_t offset, ByteWriter& out) const;

  FractalHeapContext context_;
  FractalHeapGeometry geometry_;
  DirectBlocks direct_;                              ///< by offset in the heap
  std::map<std::uint64_t, IndirectBlock> indirect_;  ///< the root at 0, where it is one
  /// Blocks of the doubling table that are not there: direct ones by size, indirect ones with their rows.
  std::map<std::uint64_t, std::set<std::uint64_t>> empty_slots_;
  std::map<std::uint64_t, unsigned> absent_;
  std::map<std::uint64_t, std::uint64_t> free_;                     ///< size by offset
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_by_size_;  ///< size, offset
  std::map<std::uint64_t, HugeObject> huge_;  ///< by key, or address where ids are direct
  std::optional<RecordTree> huge_index_;
  std::vector<ByteRange> free_blocks_;  ///< the list of what is free, in the file
  FreeSpaceHeader free_space_;          ///< of that list
  std::vector<FreeSection> sections_;
  std::uint64_t managed_bytes_ = 0;     ///< of objects
  std::uint64_t unfiltered_bytes_ = 0;  ///< of direct blocks that were read through filters
  bool changed_ = true;
};

}  // namespace pcio
