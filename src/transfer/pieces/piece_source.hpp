// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: where the selected elements of a dataset lie, as a stream of pieces.
//
// Pieces are generated from the selections chunk by chunk and never stored as a whole, except for
// selections of points, which are lists already.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "plan/transfer_runs.hpp"
#include "storage/dataset/allocation.hpp"
#include "transfer/pieces/file_piece.hpp"

namespace pcio {

/// Pieces that are asked for in one go: enough to forget what asking costs.
inline constexpr std::size_t kPiecesAtOnce = 4096;

/// Pieces by ascending address. Pieces of a write do not overlap; those of a read of points may
/// repeat. Threads: one thread per source.
class PieceSource {
 public:
  PieceSource() = default;
  PieceSource(const PieceSource&) = delete;
  PieceSource& operator=(const PieceSource&) = delete;
  virtual ~PieceSource() = default;
  /// Appends at least one and about `limit` pieces; nothing where none is left.
  /// Errors: those of giving space to chunks, and of `on_missing`.
  virtual Status next(std::vector<FilePiece>& pieces, std::size_t limit) = 0;
};

/// Of a rank that has nothing to move, or can't move anything any more.
class NoPieces final : public PieceSource {
 public:
  Status next(std::vector<FilePiece>& /*pieces*/, std::size_t /*limit*/) override {
    return Status();
  }
};

/// What to do about chunks (and contiguous datasets) without space in the file.
enum class Unallocated : std::uint8_t {
  kIsMissing,          ///< their elements go to `on_missing`: reads
  kIsAllocated,        ///< they get space, and what the transfer does not cover is filled: serial
                       ///< writes
  kIsAllocatedFilled,  ///< they get space and are filled from end to end: for writes that keep bytes
                       ///< of each element, as those of some members of a compound do
  kIsError,            ///< names what to do instead: independent writes to parallel files
  kIsPretended         ///< as if they lay one behind the other: for estimates
};

/// Which of the touched chunks a step takes. `number` counts this rank's chunks in the order of
/// their addresses.
using ChunkFilter = std::function<bool(ChunkOrdinal ordinal, std::uint64_t number)>;

struct SourceOptions {
  Direction direction = Direction::kRead;
  Unallocated unallocated = Unallocated::kIsMissing;
  /// Takes elements without space in the file; their addresses mean nothing.
  std::function<Status(std::span<const FilePiece>)> on_missing;
  ChunkFilter filter;                ///< empty: all chunks
  std::optional<ChunkOrdinal> only;  ///< this chunk and no other
  /// Called for each chunk that is taken, in address order; may be empty.
  std::function<void(ChunkOrdinal)> on_chunk;
  /// Gets what was given space and not filled, because the transfer covers it: it is to be taken back
  /// where the transfer fails.
  GivenSpace* uncovered = nullptr;
};

/// A stream over a contiguous or unfiltered chunked dataset; the chunk index must be loaded. The
/// spaces have passed check_transfer() and outlive the source. Collective: independent.
Result<std::unique_ptr<PieceSource>> make_source(FileStore& store, const StoredObjectPtr& object,
                                                 const Dataspace& file, const Dataspace& memory,
                                                 SourceOptions options);

/// A stream over one block of elements that begins at `start`: the data of compact datasets.
std::unique_ptr<PieceSource> make_block_source(FileAddress start, std::uint64_t element_size,
                                               const Dataspace& file, const Dataspace& memory,
                                               Direction direction);

/// Sorts pieces by address; where `direction` is a write, of elements that are selected more than
/// once only those selected last stay. Pieces of a read that overlap are cut up until none reaches
/// beyond the next one's first element. Collective: pure.
void order_pieces(std::vector<FilePiece>& pieces, std::uint64_t element_size, Direction direction);

}  // namespace pcio
