// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: encoded chunks of all ranks get their places in the file.
//
// Sizes are known only when chunks are encoded, and every rank must give space in the same order:
// so ranks tell each other the sizes of what they have encoded, batch after batch, make the same
// calls, and write what is theirs in few long runs.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "agree/coordinator.hpp"
#include "base/rank_status.hpp"
#include "filter/pipeline.hpp"
#include "storage/chunks/filtered_chunks.hpp"
#include "transfer/filtered/stripe_gathering.hpp"
#include "transfer/pieces/by_effort.hpp"

namespace pcio {

/// Of several versions of a chunk the last of these wins. kCopied: what was there before in another form; between them
/// what was written, and left out when all ranks met, by the number of that call.
enum class ChunkVersion : std::uint32_t { kCopied = 0, kWritten = 0xFFFFFFFF };
/// `round`: PendingDatasets::begin_round().
inline ChunkVersion version_left_in(std::uint32_t round) {
  return static_cast<ChunkVersion>(round);
}

/// Chunks that this rank has encoded and not written yet. Threads: one thread.
class EncodedBatch {
 public:
  EncodedBatch() = default;
  EncodedBatch(const EncodedBatch&) = delete;
  EncodedBatch& operator=(const EncodedBatch&) = delete;
  virtual ~EncodedBatch() = default;

  /// May throw bad_alloc; then nothing has changed.
  void add(ChunkOrdinal ordinal, ConstBytes bytes, std::uint32_t mask,
           ChunkVersion version = ChunkVersion::kWritten);
  /// The same; a large chunk that lies in `scratch` is not copied: the batch takes that buffer, and gives one of an
  /// earlier batch for it. Memory of the system costs more than a copy, so it is used again.
  virtual void take(ChunkOrdinal ordinal, const EncodedView& encoded, FilterScratch* scratch);
  void clear();
  /// Empties it, and gives back its memory.
  void give_back();
  [[nodiscard]] std::uint64_t bytes() const { return shared_bytes_ + own_bytes_; }
  [[nodiscard]] std::uint64_t chunks() const { return chunks_.size(); }

 protected:
  struct Chunk {
    SizedChunk sized;
    std::uint64_t offset = 0;  ///< in the arena, where it has no buffer of its own
    ChunkVersion version = ChunkVersion::kWritten;
    FilterBuffer own;
    [[nodiscard]] bool is_behind(const Chunk& other) const {
      return !own.owned() && !other.own.owned() && other.offset + other.sized.size == offset;
    }
  };
  /// A chunk behind the others in the arena. May throw bad_alloc; then nothing has changed.
  void list(ChunkOrdinal ordinal, std::uint64_t bytes, std::uint32_t mask, ChunkVersion version);

 private:
  friend class ChunkPlacer;
  /// The chunk, and behind it those that lie there in the arena, `bytes` in all.
  [[nodiscard]] virtual ConstBytes bytes_from(const Chunk& chunk, std::uint64_t bytes) const {
    if (chunk.own.owned()) return chunk.own.view();
    return ConstBytes(arena_).subspan(static_cast<std::size_t>(chunk.offset),
                                      static_cast<std::size_t>(bytes));
  }
  std::vector<Chunk> chunks_;
  std::vector<std::byte> arena_;
  std::uint64_t shared_bytes_ = 0;  ///< of the arena that chunks lie in
  std::uint64_t own_bytes_ = 0;
  std::vector<FilterBuffer> spares_;  ///< buffers of batches that are written
};

/// That of a dry run: as large, and without a byte of the chunks.
class CountingBatch final : public EncodedBatch {
 public:
  void take(ChunkOrdinal ordinal, const EncodedView& encoded, FilterScratch*) override {
    list(ordinal, encoded.bytes.size(), encoded.mask, ChunkVersion::kWritten);
  }

 private:
  /// What counts writes doesn't look into them.
  [[nodiscard]] ConstBytes bytes_from(const Chunk&, std::uint64_t bytes) const override {
    return {&nothing_, static_cast<std::size_t>(bytes)};
  }
  std::byte nothing_{};
};

using BatchByEffort = ByEffort<EncodedBatch, EncodedBatch, CountingBatch>;

enum class PlacingAnswer : std::uint8_t {
  kGoOn,
  kFinished,  ///< nobody has anything left, and all that was placed is written
  kFailed     ///< some rank failed; what it could not write has its old place again
};

/// What a rank lacks memory for is asked for before the sizes are agreed on, so that all ranks give
/// places or none does. Where one lacks it still while places are given, its map of the file
/// differs from the others': all hear of it in the next exchange, and give the file up.
///
/// Threads: one thread.
class ChunkPlacer {
 public:
  /// What a rank gathers of stripes that several nodes write, at most. Bytes.
  static constexpr std::uint64_t kMostGathered = std::uint64_t{32} << 20;

  /// `target`: what is written to, or what counts the writes. What goes between ranks is counted for nobody.
  ChunkPlacer(FileStore& store, const StoredObjectPtr& object, ByteTarget& target)
      : ChunkPlacer(store, object, target, uncounted_, Effort::kPerform) {}
  /// `counts` are added to, and outlive it.
  ChunkPlacer(FileStore& store, const StoredObjectPtr& object, ByteTarget& target,
              ExchangeCounts& counts, Effort effort = Effort::kPerform);
  ChunkPlacer(const ChunkPlacer&) = delete;
  ChunkPlacer& operator=(const ChunkPlacer&) = delete;
  virtual ~ChunkPlacer() = default;

  /// Gets memory for the exchanges. Local; may throw bad_alloc.
  void reserve();
  /// Chunks that a batch may have at most; equal on all ranks.
  [[nodiscard]] std::uint64_t most_chunks() const { return most_chunks_; }
  /// The same for a file of so many ranks. Collective: pure.
  static std::uint64_t most_chunks_of(std::uint64_t ranks);
  /// Memory for the messages and lists of so many ranks. Bytes. Collective: pure.
  static std::uint64_t memory_of(std::uint64_t ranks);

  /// Places the batches of all ranks and writes this rank's, which is empty then. Where several
  /// ranks have a chunk in the same exchange, the highest of them wins.
  ///
  /// `more`: this rank will have chunks later. `local`: this rank's failure so far.
  /// Collective: over the file; one exchange, one more where anybody has encoded anything, and another one where
  ///   several nodes write a file in stripes. All ranks get the same answer. A failure to write is this rank's status(), and makes the next
  ///   answer kFailed.
  /// Errors: those of MPI.
  Result<PlacingAnswer> exchange(EncodedBatch& batch, bool more, const Status& local);
  /// Memory that the next exchange gets again where it needs some. Local; asks for none.
  void give_back() { gathering_.give_back(); }
  /// What the next exchange tells: whether chunks of this rank could not be encoded and are in no batch, and whether
  /// there was no memory for some of them. Local.
  void tell_left(bool leaves_out, bool lacks_memory) {
    leaves_out_ = leaves_out;
    lacks_memory_ = lacks_memory;
  }
  /// As of the last exchange, of any rank. Equal on all ranks.
  [[nodiscard]] bool some_left_out() const { return some_left_out_; }
  [[nodiscard]] bool some_lack_memory() const { return some_lack_memory_; }
  /// A chunk that got a place in the last exchange, and whose version of it.
  struct Placed {
    std::uint64_t mpi_rank;
    ChunkVersion version;
  };
  /// Tells `seen` of each of them, ascending. They are in the file where the next exchange does not fail.
  template <class F>
  void for_each_placed(F&& seen) const {
    for (std::size_t i = 0; i < placed_.size(); ++i) seen(placed_[i].ordinal, winners_[i]);
  }
  /// This rank's failure of placing or writing.
  [[nodiscard]] const Status& status() const { return rank_status_.status(); }

 protected:
  /// Everything that this rank may lack memory for when places are given.
  virtual Status prepare();
  /// Gives each of `chunks`, ascending and equal on all ranks, its place.
  virtual Status place(std::span<const SizedChunk> chunks, std::span<FileAddress> places);
  [[nodiscard]] FileStore& store() { return store_; }

 private:
  [[nodiscard]] std::span<const std::uint64_t> message(std::uint64_t rank,
                                                       std::uint64_t words) const;
  static std::uint64_t words_of(std::uint64_t chunks);
  [[nodiscard]] std::uint64_t failures(const Status& local) const;
  Result<PlacingAnswer> fail_batch(std::uint64_t said);
  Result<bool> gather_sizes(const EncodedBatch& batch, std::uint64_t words);
  void fill_message(const EncodedBatch& batch, std::span<std::uint64_t> mine) const;
  void choose_versions(std::uint64_t words);
  /// Where several nodes write a file in stripes. Collective: over the file, one exchange.
  Status gather_stripes(const EncodedBatch& batch);
  Status prepare_gathering(const EncodedBatch& batch);
  Status write(const EncodedBatch& batch);
  bool release_old();
  Result<PlacingAnswer> finish();
  void undo_allocation();
  static bool follows(const EncodedBatch::Chunk& before, const EncodedBatch::Chunk& chunk);

  FileStore& store_;
  const StoredObjectPtr& object_;
  ByteTarget& target_;
  std::uint64_t ranks_;
  std::uint64_t most_chunks_;
  /// Room for messages. Not filled with zeros: what no message has takes address space alone.
  std::unique_ptr<std::uint64_t[]> mine_, all_;
  std::vector<std::uint64_t> counts_;  ///< chunks of each rank
  struct Version {
    SizedChunk sized;
    std::uint64_t mpi_rank;
    ChunkVersion version;
  };
  std::vector<Version> versions_;   ///< of the last batch, from all ranks
  std::vector<Placed> winners_;     ///< whose version each of placed_ is
  std::vector<SizedChunk> placed_;  ///< the last batch of all ranks, ascending
  std::vector<FileAddress> places_;
  struct OldPlace {
    ChunkOrdinal ordinal;
    FilteredChunk chunk;  ///< without an address: it had none
  };
  /// Of the last batch, in use until it is known to be written everywhere.
  std::vector<OldPlace> old_;
  RankStatus rank_status_;
  bool batch_failed_ = false;  ///< this rank's last batch is not all in the file
  bool diverged_ = false;      ///< this rank gave other places than the others
  ExchangeCounts uncounted_;
  /// Only while there are stripes.
  struct OwnChunk {
    ByteRange range;
    const EncodedBatch::Chunk* chunk;
  };
  std::vector<OwnChunk> own_;  ///< of the batch, those of this rank that won, by ascending address
  StripeGathering gathering_;
  bool leaves_out_ = false, lacks_memory_ = false;
  bool some_left_out_ = false, some_lack_memory_ = false;
};

/// That of a dry run: nothing gets a place; what would is taken to lie in one piece at the end.
class CountingPlacer final : public ChunkPlacer {
 public:
  CountingPlacer(FileStore& store, const StoredObjectPtr& object, ByteTarget& target,
                 ExchangeCounts& counts)
      : ChunkPlacer(store, object, target, counts, Effort::kDryRun) {}

 private:
  Status prepare() override { return Status(); }
  Status place(std::span<const SizedChunk> chunks, std::span<FileAddress> places) override;
};

}  // namespace pcio
