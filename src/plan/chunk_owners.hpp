// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: who filters which chunk.
//
// A chunk with filters is read, filtered and written whole, so of the ranks that touch it one owns
// it. A chunk that only one rank touches is that rank's. Of several, the owner is one of those with
// the most bytes in it (or nearly so), chosen such that owners have equally many chunks in stretches
// that are as long as can be.
//
// | way    | when                                     | exchanges                               |
// |--------|------------------------------------------|-----------------------------------------|
// | gather | what all ranks touch fits one message    | one gather; every rank decides all      |
// | homes  | otherwise                                | the same gather, whose samples give the |
// |        |                                          | ranks equal parts of what is touched;   |
// |        |                                          | intervals to these homes, answers back  |
//
// Nothing is proportional to ranks x chunks, or to the chunks that nobody touches.
//
// On several nodes an owner of a write is on a node with most bytes of the chunk: what other nodes have of it
// crosses the network as it is, and what is written is encoded. Of a read each node that touches a chunk has
// an owner of its own, who reads it there: only encoded bytes come to a node, once.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/collective_steps.hpp"
#include "plan/machine.hpp"
#include "plan/marking_memory.hpp"

namespace pcio {

/// Chunks [first, first + count), in each of which a rank has `bytes` bytes.
struct ChunkTouch {
  ChunkOrdinal first = 0;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< less than 2^63
  bool whole = false;       ///< everything of the chunk that lies in the extent
  [[nodiscard]] ChunkOrdinal end() const { return first + count; }
  friend bool operator==(const ChunkTouch&, const ChunkTouch&) = default;
};

/// Appends, joined with the last one where both are alike and follow each other.
void append_touch(std::vector<ChunkTouch>& touches, const ChunkTouch& more);

/// What a rank learns of chunks that it touches.
struct ChunkShare {
  ChunkOrdinal first = 0;
  std::uint64_t count = 0;
  std::uint64_t owner = 0;  ///< MPI rank
  bool sole = false;        ///< no other rank touches them: the owner is this rank
  /// Else: chunk first + i is number + i among those that its owner shares with others.
  std::uint64_t number = 0;
  friend bool operator==(const ChunkShare&, const ChunkShare&) = default;
};

/// What an owner learns of chunks that it shares with others.
struct OwnedChunks {
  ChunkOrdinal first = 0;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< of all ranks in each of them, overlapping ones counted again
  bool whole = false;       ///< some rank has all of it
  friend bool operator==(const OwnedChunks&, const OwnedChunks&) = default;
};

/// Chunks with one owner and the same ranks in them.
struct OwnedSegment {
  OwnedChunks chunks;
  std::uint64_t owner = 0;
  std::vector<std::uint64_t> ranks;  ///< that touch it, ascending
};

struct RankTouch {
  std::uint64_t mpi_rank = 0;
  ChunkTouch touch;
};

struct OwnerPlan {
  std::vector<ChunkShare> shares;  ///< ascending; all chunks that this rank touches
  std::vector<OwnedChunks> owned;  ///< ascending, and so numbered from 0
  std::uint64_t most_owned = 0;    ///< largest number of shared chunks of one owner; equal on all
  /// Some rank touches a chunk whose owner is on another node; equal on all.
  bool crosses = false;
};

/// For whom an owner is. kFile: for all ranks. kNode: for the ranks of its node; to them others are not there, so
/// `sole` is of the node.
enum class OwnerScope : std::uint8_t { kFile, kNode };

/// For whom owners of chunks that are read are: those of few nodes have their own, which decode each chunk once a node; of
/// more it would be decoded too often.
[[nodiscard]] OwnerScope read_scope(const Machine& machine);

/// The decision as a resumable step, see collective_steps.hpp. Threads: one thread.
///
/// A rank without memory takes part to the end, and all ranks fail together.
class ChunkOwners {
 public:
  /// `touched`: ascending, no chunk twice; it and the machine, of all ranks, must outlive the step.
  ChunkOwners(std::span<const ChunkTouch> touched, const Machine& machine, std::uint64_t mpi_rank,
              OwnerScope scope = OwnerScope::kFile);
  Collective next();
  /// Errors: a rank ran out of memory.
  Result<OwnerPlan> finish();

 private:
  /// What next() does when it is called again.
  enum class Phase : std::uint8_t {
    kStart,
    kGather,
    kTakeGathered,
    kTellSizes,
    kReserveTouches,
    kTell,
    kDecide,
    kAnswer,
    kAnswerSizes,
    kReserveAnswers,
    kSendAnswers,
    kTakeAnswers,
    kDone
  };
  Collective start();
  Collective gather();
  Collective take_gathered();
  Collective decide_here();
  Collective tell_homes();
  Collective reserve_rows(Phase then);
  Collective decide_as_home();
  Collective answer();
  Collective take_answers();
  Collective agree_on_failures(Phase then);
  Collective exchange_sizes(Phase then);
  Collective exchange_rows(Phase then);
  void sweep(std::vector<RankTouch>& touches,
             const std::function<void(const OwnedSegment&)>& take) const;
  void note_crossing(const OwnedSegment& segment);
  void find_splitters();
  void write_touches();
  void write_answers();
  void read_answers();
  void add_row(std::uint64_t rank, std::span<const std::uint64_t> words);
  [[nodiscard]] std::span<const std::uint64_t> message(std::uint64_t rank) const;
  template <class F>
  void with_memory(F&& step);

  std::span<const ChunkTouch> touched_;
  const Machine& machine_;
  OwnerScope scope_;
  std::uint64_t ranks_;
  std::uint64_t me_;
  std::uint64_t entries_;  ///< of a first message
  Phase phase_ = Phase::kStart;
  std::uint64_t failures_ = 0;
  std::uint64_t flags_[3] = {
      0, 0, 0};  ///< maxima: failures, chunks of one owner, whether anything crosses
  std::vector<std::uint64_t> heap_;
  marking::LastResort reserve_;
  std::span<std::uint64_t> mine_, all_;
  std::vector<ChunkOrdinal> splitters_;
  std::vector<std::uint64_t> out_, in_;                ///< rows
  std::vector<std::uint64_t> out_counts_, in_counts_;  ///< words of each row
  /// Numbers begin at 0 for each owner.
  struct Decided {
    OwnedSegment segment;
    std::uint64_t number = 0;
  };
  std::vector<std::uint64_t>
      bases_;  ///< per owner: shared chunks that homes before this one gave it
  std::vector<Decided> decided_;
  OwnerPlan plan_;
};

/// Decides for all chunks at once. `machine`: of comm's ranks. Collective: over `comm`, one exchange where
/// little is touched. Errors: a rank ran out of memory; those of the communicator.
template <Communicator C>
Result<OwnerPlan> agree_chunk_owners(C& comm, std::span<const ChunkTouch> touched,
                                     const Machine& machine, OwnerScope scope) {
  ChunkOwners step(touched, machine, static_cast<std::uint64_t>(comm.rank()), scope);
  PCIO_TRY(run_collectives(comm, step));
  return step.finish();
}

}  // namespace pcio
