// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: read_filtered.

#include "transfer/filtered_read.hpp"

#include <algorithm>
#include <vector>

#include "base/checked.hpp"
#include "plan/transfer_runs.hpp"
#include "filter/pipeline.hpp"
#include "transfer/execute.hpp"

namespace pcio {

namespace {

class FilteredReader {
 public:
  FilteredReader(const TransferJob& job, IoCounters* counters)
      : job_(job),
        counters_(counters),
        state_(*job.state()),
        mover_(job.form(), job.request().buffer, job.effort()) {}

  Status run() {
    PCIO_TRY(job_.store().load_chunk_index(job_.object()));
    ChunkPieceCursor cursor(state_.index->grid(), job_.file(), job_.memory());
    std::vector<FilePiece> pieces;
    while (cursor.next_chunk()) {
      pieces.clear();
      for (Piece piece; cursor.next(piece);)
        pieces.push_back(
            {piece.file_element * state_.element_size(), piece.memory_element, piece.count});
      const FilteredChunk* chunk = state_.index->filtered(cursor.ordinal());
      PCIO_TRY(chunk == nullptr ? fill(pieces) : read(*chunk, cursor.coords(), pieces));
    }
    return Status();
  }

 private:
  Status fill(std::span<const FilePiece> pieces) {
    if (state_.fill.state == FillState::kUndefined) return Status();
    if (element_.empty()) element_ = state_.fill_element();
    return mover_.fill(pieces, element_);
  }

  Status read(const FilteredChunk& chunk, const Dims& coords, std::vector<FilePiece>& pieces) {
    if (counters_ != nullptr) {
      ++counters_->independent_reads;
      counters_->bytes_read += chunk.size;
      return Status();
    }
    FileBytes& bytes = job_.store().bytes();
    if (!fits_inside(chunk.address, chunk.size, bytes.end()))
      return PCIO_ERROR(DATASET, TRUNCATED, "a chunk lies outside the file");
    std::vector<std::byte> stored(static_cast<std::size_t>(chunk.size));
    PCIO_TRY(bytes.read(chunk.address, stored));
    const ChunkGrid& grid = state_.index->grid();
    const bool plain =
        state_.layout.partial_edge_unfiltered && !(grid.box(coords) == grid.full_box(coords));
    static const FilterPipeline kNoFilters;
    const FilterPipeline& filters = plain ? kNoFilters : state_.filters;
    PCIO_TRY(check_image_size(filters, stored.size(), chunk.filter_mask, state_.chunk_bytes()));
    image_.resize(static_cast<std::size_t>(state_.chunk_bytes()));
    PCIO_TRY(decode_chunk(filters, stored, chunk.filter_mask, image_, scratch_,
                          filter_options(job_.request().props)));
    ImageStore store(image_);
    // Points come in any order.
    std::stable_sort(pieces.begin(), pieces.end(), [](const FilePiece& a, const FilePiece& b) {
      return a.address < b.address;
    });
    return execute_pieces(Direction::kRead, pieces, mover_, store);
  }

  const TransferJob& job_;
  IoCounters* counters_;
  DatasetState& state_;
  ElementMover mover_;
  std::vector<std::byte> element_;
  std::vector<std::byte> image_;  // of one chunk at a time
  FilterScratch scratch_;
};

}  // namespace

Status read_filtered(const TransferJob& job, IoCounters* counters) {
  return FilteredReader(job, counters).run();
}

}  // namespace pcio
