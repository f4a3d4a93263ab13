// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: what collective reads and writes of filtered datasets have in common.

#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/without_throwing.hpp"
#include "transfer/filtered/chunk_codec.hpp"
#include "transfer/filtered/owner_images.hpp"
#include "transfer/pieces/counting_target.hpp"
#include "transfer/filtered/filtered_collective.hpp"

namespace pcio {

/// Success where all ranks have it: from here on none of them leaves before the others. Collective:
/// over the file, one exchange.
Status agree_to_begin(Coordinator& coordinator, const Status& local);

/// Owners, images and codec of one transfer. Threads: one thread.
class FilteredFrame {
 public:
  FilteredFrame(const TransferJob& given, StepResults& out);

  /// Finds the owners, and gets the images where any chunk is shared. Collective: over the file;
  /// all ranks succeed, or all fail. `takes`: which touched chunks take part;
  /// `scope`: whom their owners are for.
  Status prepare(const std::function<bool(ChunkOrdinal)>& takes, OwnerScope scope,
                 const Status& local);

  /// Rounds that all ranks make.
  [[nodiscard]] std::uint64_t rounds() const;
  /// Calls f(chunks, slot, ordinal) -> Status for this rank's images of a round.
  template <class F>
  Status for_owned(std::uint64_t round, F&& f) const;
  /// This rank's pieces of a round.
  std::span<const ImagePart> parts(std::uint64_t round);
  /// The next chunk that this rank alone touches; nothing at the end.
  std::optional<ChunkOrdinal> next_sole();
  [[nodiscard]] bool soles_left() const { return share_ < plan.shares.size(); }

  const TransferJob& job;
  FileStore& store;
  DatasetState& state;
  StepResults& results;
  CountingTarget counting;
  ByteTarget& target;  ///< the file, or what counts
  MoverByEffort mover_kind;
  ElementMover& mover;
  ChunkSelection selection;
  CodecByEffort codec_kind;
  ChunkCodec& codec;
  OwnerPlan plan;
  std::vector<ChunkTouch> touched;
  std::unique_ptr<OwnerImages> images;  ///< none where no chunk is shared

 private:
  void skip_shared();
  void note_chunks();

  std::unique_ptr<RoundParts> round_parts_;
  std::vector<ImagePart> parts_;
  std::vector<std::uint64_t> numbers_;  ///< of the first chunk of each of plan.owned
  std::size_t share_ = 0;               ///< of next_sole
  std::uint64_t in_share_ = 0;
};

template <class F>
Status FilteredFrame::for_owned(std::uint64_t round, F&& f) const {
  if (images == nullptr) return Status();
  const std::uint64_t slots = images->shape().slots;
  const std::uint64_t first = round * slots;
  auto at = static_cast<std::size_t>(std::upper_bound(numbers_.begin(), numbers_.end(), first) -
                                     numbers_.begin());
  for (at = at > 0 ? at - 1 : 0; at < plan.owned.size() && numbers_[at] < first + slots; ++at) {
    const OwnedChunks& chunks = plan.owned[at];
    const std::uint64_t from = std::max(first, numbers_[at]);
    const std::uint64_t to = std::min(first + slots, numbers_[at] + chunks.count);
    for (std::uint64_t number = from; number < to; ++number)
      PCIO_TRY(f(chunks, number - first, chunks.first + (number - numbers_[at])));
  }
  return Status();
}

}  // namespace pcio
