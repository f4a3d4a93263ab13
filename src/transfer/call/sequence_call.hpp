// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: one call on variable-length elements, in its parts: sequence_transfer.cpp begins it and reads
// (sequence_read.cpp), or finds the places (sequence_places.cpp) and writes (sequence_write.cpp).

#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "space/runs.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/heaps/heap_places.hpp"
#include "transfer/call/counted_call.hpp"
#include "transfer/call/sequence_transfer.hpp"
#include "transfer/job/transfer_facts.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using ClearMemory = std::unique_ptr<std::byte, FreeMemory>;

/// How a program wants its memory.
SequenceMemoryCalls memory_calls(const TransferProps& props);

/// Ascending, each once.
void sort_ids(std::vector<GlobalHeapId>& ids);

/// The elements of one call as the dataset has them, and the way to the application's.
class SequenceCall {
 public:
  SequenceCall(FileStore& store, const StoredObjectPtr& dataset, const TransferRequest& request,
               const CallName& name);

  /// All of it but what finish() does.
  Status transfer(TransferReport* report, const Status& checked);
  /// What was moved and spent beside the elements gets into their report, also after a failure.
  void finish(TransferReport* report) {
    beside_.finish(report);
    report->bytes_selected += source_ != nullptr ? source_->referred() : put_;
  }

  /// What can be found wrong with the arguments.
  Status check();

 private:
  [[nodiscard]] bool writes() const { return request_.direction == Direction::kWrite; }
  [[nodiscard]] bool is_collective() const {
    return store_.parallel() && request_.props.mode == TransferMode::kCollective;
  }

  Status read(TransferReport* report, const Status& checked);

  /// Of a file that one rank has.
  Status write_alone(TransferReport* report, const Status& checked);
  Status put_alone(FileHeap& heap);

  /// Of a file that several ranks have.
  Status write_together(TransferReport* report, const Status& checked);

  /// The elements themselves, as they lie in the dataset.
  Status move(const TransferRequest& request, TransferReport* report, const Status& checked);
  /// What they are before, into the block.
  Status read_before(const TransferRequest& old);

  /// The request for what lies in the dataset, and a buffer for it.
  Status make_ready();

  /// The size of an element is only what the file says: no memory for what the file does not have.
  [[nodiscard]] Status check_place(std::uint64_t selected) const;

  Status make_conversion(SequenceHeap* target);

  /// What this rank can find wrong, and how much it has for the heaps.
  Status prepare_write();

  /// Everything that the new elements refer to. Collective: over the file.
  Status write_objects(const AgreedSequences& agreed, HeapPlace place);

  /// Collective: pure; the same on all ranks. Where others may still be writing what was given up, that
  /// is not used before a commit.
  Status allocate_regions(const HeapDemand& sum);
  void release_regions();

  /// The elements are in the file: this rank lacking memory loses room at most.
  Status let_go_of_old();

  /// The end of a batch of elements that begins at `first`, and the collections that it refers to, where
  /// each element refers to one object.
  std::uint64_t flat_batch_end(std::uint64_t first, std::uint64_t n);

  /// The same of all others; what elements refer to.
  std::uint64_t batch_end(std::uint64_t first, std::uint64_t n);

  /// Where elements of a serial file are read some at a time: rows of a box, whole chunks. How many are
  /// together, at most.
  Result<std::uint64_t> plan_slices(std::uint64_t n);

  Status read_slices(TransferReport* report);

  /// From the next `n` elements of the dataset to the application's.
  Status deliver(std::uint64_t n);

  [[nodiscard]] ConstBytes block() const { return {block_.get(), block_size_}; }
  [[nodiscard]] std::byte* memory_at(std::uint64_t element) const {
    return request_.buffer + element * request_.memory_type.size();
  }

  /// A program may reclaim what it got of a call that failed.
  void take_back();

  Status check_selection();

  /// What could be found wrong with the bytes is found before objects are made.
  Status check_possible();

  /// Whether elements that a commit has written are overwritten where they are; whether some have no
  /// place yet. Chunks with filters, and data in the header, get to the file with a commit.
  Status find_places(const Dataspace& file);

  /// A write gives all of the dataset its space, whatever it selects.
  [[nodiscard]] bool gives_all() const;
  Status find_lack();

  /// Each filled element would need an object of its own.
  Status check_fill();

  /// Calls on_chunk(ordinal, coordinates) for the chunks that get space by this write.
  template <class OnChunk>
  void for_each_missing(const Dataspace& file, const OnChunk& on_chunk) const;
  [[nodiscard]] bool has_chunk(ChunkOrdinal chunk) const;

  Status find_missing(const Dataspace& file);

  /// What some rank is going to give space gets the fill value first, all of it: what the write then
  /// covers is let go. Collective: over the file.
  Status fill_missing();

  /// What gets space by this write and is not all written by it; with that what gets space by the fill.
  Status find_around(const Dataspace& file);

  /// They get the fill value, before the others are written.
  Status fill_around();

  /// What the elements are before.
  Status read_old();

  /// The elements are those that were there before.
  Status note_old();

  /// From the application's elements to the dataset's.
  Status convert_all();

  FileStore& store_;
  const StoredObjectPtr& dataset_;
  DatasetState& state_;
  const TransferRequest& request_;
  const CallName& name_;
  BesideElements beside_;
  std::optional<SequenceMap> map_;
  HeapReader reader_;
  SequenceMemory memory_;
  std::unique_ptr<FileHeap> source_;
  std::uint64_t put_ = 0;  ///< bytes of objects, of a write
  std::optional<Conversion> conversion_;
  TransferRequest stored_, old_;
  SequenceFacts facts_;
  HeapRegions regions_;
  std::vector<ByteRange> given_;
  std::vector<SequenceMap::Use> uses_;
  std::vector<FileAddress> addresses_;
  std::vector<Box> slices_;          ///< that are read one after another; none: all at once
  std::optional<RunCursor> cursor_;  ///< where they go
  SequencedRun run_{};               ///< what is left of the last run
  bool keeps_at_once_ = false;       ///< what was delivered is known by its place
  std::uint64_t delivered_ = 0;      ///< of such elements
  bool is_dense_ = false;
  ClearMemory block_;  ///< the selected elements in the file's form
  std::size_t block_size_ = 0;
  bool overwrites_committed_ = false;
  bool lacks_places_ = false;
  bool fills_around_ = false;
  std::vector<Box> around_;
  std::vector<OrdinalInterval> missing_;  ///< chunks
  std::vector<GlobalHeapId> fill_ids_;
  /// Nobody has let them go meanwhile, as a function of the program that writes here does.
  bool lets_go_first() { return dataset_->sequence_writes++ == writes_before_; }

  unsigned writes_before_ = 0;
  std::vector<GlobalHeapId> old_ids_;  ///< then those that nobody has any more
};

}  // namespace pcio
