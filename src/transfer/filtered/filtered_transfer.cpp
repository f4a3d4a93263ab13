// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: transfer_filtered.

#include "transfer/filtered/filtered_transfer.hpp"

#include <vector>

#include "base/without_throwing.hpp"
#include "plan/transfer_runs.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/file/chunk_lookup.hpp"

namespace pcio {

namespace {

class FilteredTransfer {
 public:
  FilteredTransfer(const TransferJob& job, IoCounters* counters)
      : job_(job),
        counters_(counters),
        state_(*job.state()),
        mover_kind_(job.effort(), job.form(), job.request().buffer),
        mover_(mover_kind_.get()),
        images_(job.store(), job.object(), filter_options(job.request().props)) {}

  Status run() {
    if (job_.writes() && job_.store().parallel()) PCIO_TRY(check_whole());
    ChunkPieceCursor cursor(state_.index->grid(), job_.file(), job_.memory());
    while (cursor.next_chunk()) {
      collect(cursor);
      if (counters_ != nullptr)
        count(cursor);
      else
        PCIO_TRY(job_.writes() ? write(cursor) : read(cursor));
    }
    return Status();
  }

 private:
  /// Before anything is changed: in a parallel file a rank by itself writes whole chunks only.
  Status check_whole() {
    ChunkPieceCursor cursor(state_.index->grid(), job_.file(), job_.memory());
    while (cursor.next_chunk())
      if (old_contents(cursor) == OldContents::kKept && !wrote_whole(cursor.ordinal()))
        return PCIO_ERROR(
            DATASET, WRITEERROR,
            "a part of a chunk with filters can't be written independently in a parallel file: "
            "write whole chunks, or collectively (H5Pset_dxpl_mpio)");
    return Status();
  }

  /// What waits because the extent changed is every rank's, so a part of it is nobody's to write.
  [[nodiscard]] bool wrote_whole(ChunkOrdinal ordinal) const {
    const ChunkInMemory* chunk = state_.chunks ? state_.chunks->pending.peek(ordinal) : nullptr;
    return chunk != nullptr && chunk->written;
  }
  [[nodiscard]] bool is_pending(ChunkOrdinal ordinal) const {
    return state_.chunks && state_.chunks->pending.peek(ordinal) != nullptr;
  }

  void collect(ChunkPieceCursor& cursor) {
    pieces_.clear();
    bytes_ = 0;
    for (Piece piece; cursor.next(piece);) {
      pieces_.push_back(
          {piece.file_element * state_.element_size(), piece.memory_element, piece.count});
      bytes_ += piece.count * state_.element_size();
    }
  }

  /// Elements of the file that the memory type does not have keep their values.
  [[nodiscard]] OldContents old_contents(const ChunkPieceCursor& cursor) const {
    return cursor.covers_chunk() && !job_.form().needs_background() ? OldContents::kReplaced
                                                                    : OldContents::kKept;
  }

  void count(const ChunkPieceCursor& cursor) {
    const auto stored = state_.index->filtered(cursor.ordinal());
    const bool cached = is_pending(cursor.ordinal()) || images_.has(cursor.ordinal());
    if (stored && !cached && (!job_.writes() || old_contents(cursor) == OldContents::kKept)) {
      ++counters_->independent_reads;
      counters_->bytes_read += stored->size;
    }
    // In a parallel file the chunk waits: nothing is written now.
    if (!job_.writes() || job_.store().parallel()) return;
    ++counters_->independent_writes;
    counters_->bytes_written += state_.chunk_bytes();
  }

  Status read(const ChunkPieceCursor& cursor) {
    PCIO_ASSIGN(ChunkInMemory * chunk, images_.find(cursor.coords()));
    if (chunk == nullptr) return read_nothing();
    chunk->touched += bytes_;
    Status picked = without_throwing([&] { return mover_.pick(pieces_, 0, chunk->image.data()); });
    // In any case: what a parallel file keeps of a chunk that others write would be read again.
    Status released = images_.release(*chunk);
    return picked.ok() ? released : picked;
  }

  Status read_nothing() {
    if (state_.fill.state == FillState::kUndefined) return Status();
    if (element_.empty()) element_ = state_.fill_element();
    return mover_.fill(pieces_, element_);
  }

  Status write(const ChunkPieceCursor& cursor) {
    PCIO_ASSIGN(ChunkInMemory * chunk,
                images_.find_for_write(cursor.coords(), old_contents(cursor)));
    ImageStore background(chunk->image);
    const Status placed = without_throwing([&]() -> Status {
      PCIO_TRY(mover_.place(pieces_, 0, chunk->image.data(), background));
      images_.begin_change();
      return Status();
    });
    if (!placed.ok()) {
      images_.discard(*chunk);
      return placed;
    }
    chunk->touched += bytes_;
    chunk->written = true;
    images_.changed(*chunk);
    return images_.release(*chunk);
  }

  const TransferJob& job_;
  IoCounters* counters_;
  DatasetState& state_;
  MoverByEffort mover_kind_;
  ElementMover& mover_;
  ChunkImages images_;
  std::vector<FilePiece> pieces_;  // of the current chunk
  std::uint64_t bytes_ = 0;        // of these pieces
  std::vector<std::byte> element_;
};

/// Late allocation: the first write gives space to everything.
Status allocate_late(const TransferJob& job) {
  const DatasetState& state = *job.state();
  if (!job.writes() || job.effort() == Effort::kDryRun || job.store().parallel()) return Status();
  if (state.fill.allocation != AllocTime::kLate || state.index->allocated_count() > 0)
    return Status();
  if (state.chunks && state.chunks->cache.has_dirty()) return Status();
  return allocate_filtered_chunks(job.store(), job.object());
}

}  // namespace

Status transfer_filtered(const TransferJob& job, IoCounters* counters) {
  if (job.writes())
    PCIO_TRY(job.store().datasets().load_chunk_index(job.object()));
  else
    PCIO_TRY(load_selected_chunks(job.store(), job.object(), job.file()));
  PCIO_TRY(allocate_late(job));
  return FilteredTransfer(job, counters).run();
}

}  // namespace pcio
