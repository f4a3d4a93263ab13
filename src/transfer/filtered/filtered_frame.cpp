// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: FilteredFrame.

#include "transfer/filtered/filtered_frame.hpp"

#include <algorithm>
#include <limits>

#include "agree/tell_failure.hpp"
#include "transfer/filtered/chunk_placing.hpp"

namespace pcio {

Status agree_to_begin(Coordinator& coordinator, const Status& local) {
  return tell_failure(coordinator, RankStatus(local), [] {
    return PCIO_ERROR(IO, CANTOPERATE, "another rank can't take part in the transfer");
  });
}

FilteredFrame::FilteredFrame(const TransferJob& given, StepResults& out)
    : job(given),
      store(given.store()),
      state(*given.state()),
      results(out),
      counting(out.dry_counts, store.driver(), store.bytes().base()),
      target(target_of(given.effort(), store.bytes(), counting)),
      mover_kind(given.effort(), given.form(), given.request().buffer),
      mover(mover_kind.get()),
      selection(state.index->grid(), given.file(), given.memory(), state.element_size(),
                given.request().direction),
      codec_kind(given.effort(), state, store, target, filter_options(given.props())),
      codec(codec_kind.get()) {}

Status FilteredFrame::prepare(const std::function<bool(ChunkOrdinal)>& takes, OwnerScope scope,
                              const Status& local) {
  Status found = local;
  if (found.ok())
    found = without_throwing([&]() -> Status {
      // Pieces have places of 32 bits, as chunks have that this library makes.
      if (state.chunk_bytes() > std::numeric_limits<std::uint32_t>::max())
        return PCIO_ERROR(DATASET, UNSUPPORTED, "chunks with filters are larger than 4 GiB");
      touched = selection.touched(takes);
      note_chunks();
      return Status();
    });
  if (!found.ok()) touched.clear();
  Coordinator& coordinator = store.coordinator();
  PCIO_TRY(agree_to_begin(coordinator, found));
  const Machine& machine = coordinator.machine();
  PCIO_ASSIGN(plan, agree_chunk_owners(coordinator, touched, machine, scope));
  skip_shared();
  if (plan.most_owned == 0) return Status();
  const auto ranks = static_cast<std::uint64_t>(coordinator.size());
  const auto rank = static_cast<std::uint64_t>(coordinator.rank());
  ImageShape shape =
      image_shape(state.chunk_bytes(), state.element_size(),
                  job.props().exchange_memory * kFilterMemoryFactor, machine.largest_size());
  // What is encoded in a round is placed in one message.
  shape.slots = std::min(shape.slots, ChunkPlacer::most_chunks_of(ranks));
  Status listed = without_throwing([&] {
    std::uint64_t number = 0;
    for (const OwnedChunks& chunks : plan.owned) {
      numbers_.push_back(number);
      number += chunks.count;
    }
    round_parts_ = std::make_unique<RoundParts>(plan, shape.slots, rank, ranks);
    // No memory is needed between the exchanges of a round.
    parts_.reserve(shape.slots * round_parts_->owners());
    return Status();
  });
  PCIO_TRY(agree_to_begin(coordinator, listed));
  PCIO_ASSIGN(images, make_owner_images(coordinator, shape,
                                        {selection, mover, results.exchange, codec, job.effort(),
                                         rank, job.request().direction, plan.crosses}));
  return Status();
}

/// Also chunks without anything in the file: all ranks knew of them together.
void FilteredFrame::note_chunks() {
  const bool collective = results.owned_mode == TransferMode::kCollective;
  (collective ? results.chunks.collective : results.chunks.independent) += job.touched_chunks();
  if (!job.props().keep_chunk_modes) return;
  for (const ChunkTouch& touch : selection.touched([](ChunkOrdinal) { return true; }))
    for (ChunkOrdinal ordinal = touch.first; ordinal < touch.end(); ++ordinal)
      results.modes.push_back({ordinal, results.owned_mode});
}

std::uint64_t FilteredFrame::rounds() const {
  if (images == nullptr) return 0;
  const std::uint64_t slots = images->shape().slots;
  return (plan.most_owned + slots - 1) / slots;
}

std::span<const ImagePart> FilteredFrame::parts(std::uint64_t round) {
  round_parts_->list(round, parts_);
  return parts_;
}

void FilteredFrame::skip_shared() {
  while (share_ < plan.shares.size() && !plan.shares[share_].sole) ++share_;
}

std::optional<ChunkOrdinal> FilteredFrame::next_sole() {
  if (share_ == plan.shares.size()) return std::nullopt;
  const ChunkShare& share = plan.shares[share_];
  const ChunkOrdinal ordinal = share.first + in_share_;
  if (++in_share_ == share.count) {
    in_share_ = 0;
    ++share_;
    skip_shared();
  }
  return ordinal;
}

}  // namespace pcio
