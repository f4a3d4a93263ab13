// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: one index of shared messages in memory, with its heap, as commits change it.
//
// Messages are found by hash. Few of them are a list in the file, many a version 2 B-tree; where it has none,
// it has neither list nor heap. A record is of a message in the heap, which counts who refers to it, or of one
// in the header of the only object that has it, as libhdf5 leaves those that it has met once.
// Source: HDF5 File Format Specification III.I; when forms change: as observed with libhdf5 1.10.8.

#pragma once

#include <map>

#include "format/shared_table.hpp"
#include "storage/dense/heap_image.hpp"

namespace pcio {

/// Equal on all ranks. Threads: one thread drives a file.
class SharedIndex {
 public:
  /// By hash; places of records stay while they are there.
  using Records = std::multimap<std::uint32_t, SharedMessageRecord>;
  using Place = Records::iterator;

  /// The one that the table of the file describes. Collective: independent. Errors: what is damaged.
  static Result<std::unique_ptr<SharedIndex>> read(FileBytes& file, const FileSizes& sizes,
                                                   const SharedMessageIndexHeader& header);
  SharedIndex(const SharedIndex&) = delete;
  SharedIndex& operator=(const SharedIndex&) = delete;

  [[nodiscard]] const SharedMessageIndexHeader& header() const { return header_; }
  /// Bytes of the file that list or tree, and the heap, had when they were read. An empty list counts as one.
  [[nodiscard]] std::uint64_t index_bytes() const { return index_bytes_; }
  [[nodiscard]] std::uint64_t heap_bytes() const { return heap_bytes_; }
  /// Of list or tree and heap.
  [[nodiscard]] std::vector<ByteRange> ranges() const { return owner_.ranges(); }
  [[nodiscard]] std::pair<Place, Place> with_hash(std::uint32_t hash) {
    return records_.equal_range(hash);
  }
  [[nodiscard]] const Records& records() const { return records_; }
  [[nodiscard]] Place end() { return records_.end(); }
  /// The record of a message in the heap; end() where there is none.
  [[nodiscard]] Place find(const std::array<std::byte, 8>& heap_id);
  /// The message of a record that is in the heap. Collective: independent where it is huge.
  Result<std::vector<std::byte>> body(FileBytes& file, const SharedMessageRecord& record) const;

  /// A message in the heap that nobody refers to yet. Collective: pure. Errors: NOSPACE; the index is full.
  Result<Place> add(std::uint32_t hash, ConstBytes body, FileSpace& space);
  /// From here on it is in the heap, and its header refers to it as others may. Errors: NOSPACE.
  Status move_into_heap(Place place, ConstBytes body, FileSpace& space);
  /// Collective: pure.
  void set_count(Place place, std::uint32_t references);
  /// Nobody refers to it. Collective: pure. Errors: an id that is none.
  Status remove(Place place);

  /// Places for all that is new, and the blocks of all that changed. Collective: pure. Errors: NOSPACE.
  Status plan(FileSpace& space, BlockSet* blocks);
  void mark_committed();
  /// What was planned will not be in the file: its bytes are as the last commit has them, and this is of
  /// no use any more.
  void restore(FileSpace& space) { owner_.restore(space); }
  [[nodiscard]] bool is_changed() const { return changed_; }

 private:
  SharedIndex(const SharedMessageIndexHeader& header, const FileSizes& sizes);
  Status read_list(FileBytes& file);
  Status read_tree(FileBytes& file);
  Status enter(const SharedMessageRecord& record);
  [[nodiscard]] Result<TreeRecord> tree_record(const SharedMessageRecord& record) const;
  [[nodiscard]] RecordKey key_of(const SharedMessageRecord& record) const;
  Status changed_record(const SharedMessageRecord& record);
  Status put_into_heap(SharedMessageRecord* record, ConstBytes body, FileSpace& space);
  Status plan_form(FileSpace& space);
  Status make_tree();
  void drop_everything();

  SharedMessageIndexHeader header_;
  FileSizes sizes_;
  BlockOwner owner_;
  Records records_;
  std::map<std::array<std::byte, 8>, Place> by_id_;
  std::unique_ptr<HeapImage> heap_;  ///< none: nothing was ever in it
  std::optional<RecordTree> tree_;   ///< where the form is a tree
  std::uint64_t index_bytes_ = 0;
  std::uint64_t heap_bytes_ = 0;
  bool changed_ = false;
};

}  // namespace pcio
