// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: read_filtered_collective.
//
// After agreement k all images of round k are decoded, and nobody needs those of round k - 1: owners
// decode round k + 1 into their places, and pieces of round k are taken.

#include <utility>

#include "agree/tell_failure.hpp"
#include "base/rank_status.hpp"
#include "base/time_split.hpp"
#include "transfer/filtered/filtered_frame.hpp"

namespace pcio {

namespace {

class FilteredCollectiveRead {
 public:
  FilteredCollectiveRead(const TransferJob& job, StepResults& results) : frame_(job, results) {}

  Status run(const Status& local) {
    mine_ = RankStatus(local);
    const ChunkIndex& index = *frame_.state.index;
    PCIO_TRY(
        frame_.prepare([&](ChunkOrdinal ordinal) { return index.filtered(ordinal).has_value(); },
                       read_scope(frame_.store.coordinator().machine()), mine_.status()));
    PCIO_TRY(read_shared());
    mine_.unless_failed([&] { return read_soles(); });
    mine_.unless_failed([&] { return fill_missing(); });
    return mine_.status();
  }

 private:
  Status read_shared() {
    const std::uint64_t rounds = frame_.rounds();
    if (rounds == 0) return Status();
    mine_.unless_failed([&] { return load(0); });
    for (std::uint64_t round = 0; round < rounds; ++round) {
      frame_.images->fence();
      Status all = tell_failure(frame_.store.coordinator(), mine_, [] {
        return PCIO_ERROR(IO, READERROR, "another rank failed to read chunks with filters");
      });
      frame_.images->fence();
      PCIO_TRY(std::move(all));
      ++frame_.results.exchange.rounds;
      // Before pieces are taken: others may be waiting for them.
      if (round + 1 < rounds) mine_.unless_failed([&] { return load(round + 1); });
      mine_.even_if_failed(
          [&] { return frame_.images->get(round, frame_.parts(round), mine_.status()); });
    }
    return Status();
  }

  Status load(std::uint64_t round) {
    return frame_.for_owned(
        round, [&](const OwnedChunks& /*chunks*/, std::uint64_t number, ChunkOrdinal ordinal) {
          return frame_.codec.load(ordinal, frame_.images->own(round, number).image());
        });
  }

  Status read_soles() {
    const Spends alone(Spent::kElse);
    while (const auto ordinal = frame_.next_sole()) {
      bool begun = false;
      PCIO_TRY(
          frame_.selection.for_pieces(*ordinal, [&](std::span<const FilePiece> pieces) -> Status {
            if (!std::exchange(begun, true)) {
              const Bytes whole = frame_.mover.whole_image(pieces, frame_.codec.image_bytes());
              if (!whole.empty()) return frame_.codec.load(*ordinal, whole);
              image_.resize(static_cast<std::size_t>(frame_.codec.image_bytes()));
              PCIO_TRY(frame_.codec.load(*ordinal, image_));
            }
            return frame_.mover.pick(pieces, 0, image_.data());
          }));
    }
    return Status();
  }

  /// Chunks that were never written.
  Status fill_missing() {
    if (frame_.state.fill.state == FillState::kUndefined) return Status();
    const ChunkIndex& index = *frame_.state.index;
    const std::vector<std::byte> element = frame_.state.fill_element();
    for (const ChunkTouch& touch :
         frame_.selection.touched([&](ChunkOrdinal ordinal) { return !index.filtered(ordinal); }))
      for (ChunkOrdinal ordinal = touch.first; ordinal < touch.end(); ++ordinal)
        PCIO_TRY(frame_.selection.for_pieces(ordinal, [&](std::span<const FilePiece> pieces) {
          return frame_.mover.fill(pieces, element);
        }));
    return Status();
  }

  FilteredFrame frame_;
  std::vector<std::byte> image_;
  RankStatus mine_;
};

}  // namespace

Status read_filtered_collective(const TransferJob& job, StepResults& results, const Status& local) {
  std::optional<FilteredCollectiveRead> read;
  Status made = local;
  if (made.ok())
    made = without_throwing([&] {
      read.emplace(job, results);
      return Status();
    });
  PCIO_TRY(agree_to_begin(job.store().coordinator(), made));
  return read->run(made);
}

}  // namespace pcio
