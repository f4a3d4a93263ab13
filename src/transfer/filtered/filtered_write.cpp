// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: write_filtered_collective.
//
// One agreement in a round is all that ever has to be waited for:
//
//   before agreement k:  begin the images of round k
//   agreement k:         sizes of what was encoded since the last one
//   after agreement k:   gather what several nodes have of a stripe, where there are such (one more agreement),
//                        write, put pieces into images of round k, encode those of round k - 1
//
// All pieces of round k - 1 were put before agreement k. Chunks that this rank alone touches are
// encoded beside, as many as keep it as busy as the others.

#include <algorithm>
#include <cstring>

#include "base/rank_status.hpp"
#include "base/time_split.hpp"
#include "transfer/filtered/chunk_placing.hpp"
#include "transfer/filtered/filtered_frame.hpp"

namespace pcio {

namespace {

class FilteredWrite {
 public:
  FilteredWrite(const TransferJob& job, StepResults& results, OldBytes old)
      : frame_(job, results),
        old_(old),
        placer_kind_(job.effort(), frame_.store, job.object(), frame_.target,
                     frame_.results.exchange),
        placer_(placer_kind_.get()),
        batch_kind_(job.effort()),
        batch_(batch_kind_.get()),
        most_bytes_(job.props().exchange_memory * kFilterMemoryFactor / 4) {}

  Status run(const Status& local) {
    mine_ = RankStatus(local);
    mine_.unless_failed([&] { return reserve(); });
    PCIO_TRY(frame_.prepare([](ChunkOrdinal) { return true; }, OwnerScope::kFile, mine_.status()));
    const std::uint64_t rounds = frame_.rounds();
    for (round_ = 0;; ++round_) {
      if (round_ < rounds) mine_.unless_failed([&] { return begin_images(); });
      fence();
      const bool more = round_ <= rounds ? rounds > 0 || frame_.soles_left() : frame_.soles_left();
      PCIO_ASSIGN(const PlacingAnswer answer, placer_.exchange(batch_, more, mine_.status()));
      fence();
      if (answer == PlacingAnswer::kFinished) return Status();
      if (answer == PlacingAnswer::kFailed) return failure();
      mine_.note(Status(placer_.status()));
      if (round_ < rounds) {
        ++frame_.results.exchange.rounds;
        mine_.even_if_failed([&] { return put_pieces(); });
      }
      if (round_ > 0 && round_ <= rounds)
        mine_.unless_failed([&] { return encode_images(round_ - 1); });
      mine_.unless_failed([&] { return encode_soles(round_ <= rounds && rounds > 0); });
    }
  }

 private:
  void fence() {
    if (frame_.images != nullptr) frame_.images->fence();
  }
  Status failure() {
    if (!mine_.ok()) return mine_.status();
    if (!placer_.status().ok()) return placer_.status();
    return PCIO_ERROR(IO, WRITEERROR, "another rank failed to write chunks with filters");
  }

  Status reserve() {
    // Where a batch is taken back, each rank must know what any of its chunks was before.
    PCIO_TRY(frame_.store.datasets().load_chunk_index(frame_.job.object()));
    placer_.reserve();
    return Status();
  }

  /// Bytes of an image that nobody writes must be there before the others come, unless it may turn
  /// out that there are none.
  Status begin_images() {
    return frame_.for_owned(
        round_,
        [&](const OwnedChunks& chunks, std::uint64_t number, ChunkOrdinal ordinal) -> Status {
          ImageSlot slot = frame_.images->own(round_, number);
          const bool full = chunks.whole || chunks.bytes >= frame_.codec.bytes_inside(ordinal);
          slot.begin_without_marks();
          if (old_ == OldBytes::kKept || !full) return frame_.codec.load(ordinal, slot.image());
          if (frame_.codec.is_cut(ordinal)) frame_.codec.fill(slot.image());
          if (!chunks.whole) begin_marks(slot, ordinal);
          return Status();
        });
  }

  /// What lies outside of the extent is nobody's to write.
  void begin_marks(ImageSlot slot, ChunkOrdinal ordinal) {
    slot.begin_marks();
    const ChunkGrid& grid = frame_.state.index->grid();
    const Dims inside = grid.box(grid.coords(ordinal)).count;
    const Dims& full = grid.chunk();
    const unsigned last = full.size() - 1;
    Dims rows = full;
    rows[last] = 1;
    std::uint64_t row = 0;
    for_each_position(rows, [&](const Dims& at) {
      bool in = true;
      for (unsigned d = 0; d < last; ++d) in = in && at[d] < inside[d];
      const std::uint64_t kept = in ? inside[last] : 0;
      if (kept < full[last]) slot.mark(row * full[last] + kept, full[last] - kept);
      ++row;
    });
  }

  Status put_pieces() { return frame_.images->put(round_, frame_.parts(round_), mine_.status()); }

  Status encode_images(std::uint64_t round) {
    return frame_.for_owned(
        round,
        [&](const OwnedChunks& /*chunks*/, std::uint64_t number, ChunkOrdinal ordinal) -> Status {
          const ImageSlot slot = frame_.images->own(round, number);
          if (slot.wants_marks()) PCIO_TRY(add_unmarked(ordinal, slot));
          return encode(ordinal, slot.image());
        });
  }

  /// Ranks wrote as many bytes as the chunk has, but some of them twice.
  Status add_unmarked(ChunkOrdinal ordinal, const ImageSlot& slot) {
    bool loaded = false;
    Status status;
    const std::uint64_t size = frame_.state.element_size();
    slot.for_each_unmarked([&](std::uint64_t first, std::uint64_t count) {
      if (!status.ok()) return;
      if (!loaded) {
        scratch_.resize(slot.image().size());
        status = frame_.codec.load(ordinal, scratch_);
        loaded = true;
        if (!status.ok()) return;
      }
      std::memcpy(slot.image().data() + first * size, scratch_.data() + first * size, count * size);
    });
    return status;
  }

  Status encode(ChunkOrdinal ordinal, ConstBytes image) {
    PCIO_ASSIGN(const EncodedView encoded, frame_.codec.encode(ordinal, image));
    PCIO_TRY(check_stored_size(frame_.codec.state(), encoded.bytes.size()));
    batch_.take(ordinal, encoded, &frame_.codec.scratch());
    return Status();
  }

  /// Chunks that this rank alone touches: some beside a round of shared ones, else until the batch
  /// is full.
  Status encode_soles(bool beside) {
    const Spends alone(Spent::kElse);
    std::uint64_t most = placer_.most_chunks();
    if (beside) most = std::min(most, batch_.chunks() + frame_.images->shape().slots);
    while (batch_.bytes() < most_bytes_ && batch_.chunks() < most) {
      const auto ordinal = frame_.next_sole();
      if (!ordinal) return Status();
      PCIO_TRY(encode_one(*ordinal));
    }
    return Status();
  }

  /// Straight from the application's buffer, where it has the whole chunk in one piece.
  Status encode_one(ChunkOrdinal ordinal) {
    const auto touch =
        std::partition_point(frame_.touched.begin(), frame_.touched.end(),
                             [&](const ChunkTouch& t) { return t.end() <= ordinal; });
    const bool replaces = old_ == OldBytes::kNotKept && touch->whole;
    ConstBytes image;
    PCIO_TRY(frame_.selection.for_pieces(ordinal, [&](std::span<const FilePiece> pieces) -> Status {
      if (image.empty()) {
        if (replaces) image = frame_.mover.whole_image(pieces, frame_.codec.image_bytes());
        if (!image.empty()) return Status();
        PCIO_TRY(begin_image(ordinal, replaces));
        image = this->image();
      }
      ImageStore background(this->image());
      return frame_.mover.place(pieces, 0, image_.data(), background);
    }));
    return encode(ordinal, image);
  }

  /// What the chunk holds where nothing is written into it.
  Status begin_image(ChunkOrdinal ordinal, bool replaces) {
    PCIO_TRY(image_.discard_and_resize(static_cast<std::size_t>(frame_.codec.image_bytes())));
    if (!replaces) return frame_.codec.load(ordinal, image());
    if (frame_.codec.is_cut(ordinal)) frame_.codec.fill(image());
    return Status();
  }

  /// Of the chunk that is made; a dry run doesn't touch it.
  [[nodiscard]] Bytes image() { return {image_.data(), image_.size()}; }

  FilteredFrame frame_;
  OldBytes old_;
  ByEffort<ChunkPlacer, ChunkPlacer, CountingPlacer> placer_kind_;
  ChunkPlacer& placer_;
  BatchByEffort batch_kind_;
  EncodedBatch& batch_;
  std::uint64_t most_bytes_;
  FilterBuffer image_;
  std::vector<std::byte> scratch_;
  std::uint64_t round_ = 0;
  RankStatus mine_;
};

}  // namespace

Status write_filtered_collective(const TransferJob& job, StepResults& results, OldBytes old,
                                 const Status& local) {
  std::optional<FilteredWrite> write;
  Status made = local;
  if (made.ok())
    made = without_throwing([&] {
      write.emplace(job, results, old);
      return Status();
    });
  PCIO_TRY(agree_to_begin(job.store().coordinator(), made));
  return write->run(made);
}

}  // namespace pcio
