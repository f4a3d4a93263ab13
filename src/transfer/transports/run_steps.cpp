// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: StepRunner.

#include "transfer/transports/run_steps.hpp"

#include <algorithm>

#include "base/time_split.hpp"
#include "base/without_throwing.hpp"
#include "plan/chunk_order.hpp"
#include "transfer/transports/execute.hpp"

namespace pcio {

namespace {

/// Marked chunks by their numbers.
class MarkedWalk {
 public:
  explicit MarkedWalk(const MarkedChunks& marked) : marked_(marked) {}
  ChunkOrdinal next() {
    if (marked_.is_all()) return next_++;
    const auto intervals = marked_.intervals();
    while (at_ < intervals.size() && next_ >= intervals[at_].end()) ++at_;
    if (at_ == intervals.size()) return next_;
    next_ = std::max(next_, intervals[at_].first);
    return next_++;
  }

 private:
  const MarkedChunks& marked_;
  std::size_t at_ = 0;
  ChunkOrdinal next_ = 0;
};

ChunkFilter filter_of(const Step& step, const MarkedChunks& marked) {
  if (step.chunks == StepChunks::kAll) return {};
  return [&step, &marked](ChunkOrdinal ordinal, std::uint64_t number) {
    return in_step(step, marked, ordinal, number);
  };
}

}  // namespace

Unallocated StepRunner::unallocated() const {
  if (!job_.writes()) return Unallocated::kIsMissing;
  // In a dry run nothing gets space; what would is taken to lie in one piece.
  if (dry() && (job_.needs_allocation() || !job_.store().parallel()))
    return Unallocated::kIsPretended;
  if (job_.is_collective()) return Unallocated::kIsMissing;
  if (job_.store().parallel()) return Unallocated::kIsError;
  return job_.form().fills_first() ? Unallocated::kIsAllocatedFilled : Unallocated::kIsAllocated;
}

void StepRunner::note_chunk(StepKind kind, ChunkOrdinal ordinal) {
  const bool collective = kind == StepKind::kCollective;
  ++(collective ? results_.chunks.collective : results_.chunks.independent);
  if (job_.props().keep_chunk_modes)
    results_.modes.push_back(
        {ordinal, collective ? TransferMode::kCollective : TransferMode::kIndependent});
}

SourceOptions StepRunner::source_options() {
  SourceOptions options;
  options.direction = direction();
  options.unallocated = unallocated();
  options.on_missing = [this](std::span<const FilePiece> pieces) { return take_missing(pieces); };
  return options;
}

Result<std::unique_ptr<PieceSource>> StepRunner::source_for(StepKind kind, ChunkFilter filter,
                                                            std::optional<ChunkOrdinal> only) {
  SourceOptions options = source_options();
  options.filter = std::move(filter);
  options.only = only;
  options.on_chunk = [this, kind](ChunkOrdinal ordinal) { note_chunk(kind, ordinal); };
  return make_source(job_.store(), job_.object(), job_.file(), job_.memory(), std::move(options));
}

PieceSource& StepRunner::source_or_nothing(StepKind kind, ChunkFilter filter,
                                           std::optional<ChunkOrdinal> only) {
  source_.reset();
  mine_.unless_failed([&]() -> Status {
    PCIO_ASSIGN(source_, source_for(kind, std::move(filter), only));
    return Status();
  });
  if (source_ == nullptr) return nothing_;
  return *source_;
}

/// Elements that were never given space read as the fill value; there are none in a write.
Status StepRunner::take_missing(std::span<const FilePiece> pieces) {
  const DatasetState& state = *job_.state();
  if (job_.writes())
    return PCIO_ERROR(INTERNAL, UNINITIALIZED, "a chunk has no space after all were given some");
  if (state.fill.state == FillState::kUndefined) return Status();
  if (fill_element_.empty()) fill_element_ = state.fill_element();
  return mover_.fill(pieces, fill_element_);
}

Status StepRunner::run_independent() {
  GivenSpace uncovered;
  Status done = without_throwing([&]() -> Status {
    SourceOptions options = source_options();
    options.on_chunk = [this](ChunkOrdinal ordinal) {
      note_chunk(StepKind::kIndependent, ordinal);
    };
    options.uncovered = &uncovered;
    PCIO_ASSIGN(auto source, make_source(job_.store(), job_.object(), job_.file(), job_.memory(),
                                         std::move(options)));
    PCIO_TRY(execute_direct(direction(), *source, mover_, target_, kStagingBytes));
    return target_.finish();
  });
  if (!done.ok()) undo_allocation(job_.store(), job_.object(), uncovered);
  return done;
}

Status StepRunner::run(const Schedule& schedule, const MarkedChunks& marked, Transport transport,
                       const Status& local) {
  mine_ = RankStatus(local);
  for (const Step& step : schedule.steps) {
    mine_.even_if_failed([&] { return run_step(step, marked, transport); });
  }
  mine_.even_if_failed([&] { return target_.finish(); });
  std::sort(results_.modes.begin(), results_.modes.end(),
            [](const ChunkMode& a, const ChunkMode& b) { return a.ordinal < b.ordinal; });
  return mine_.status();
}

Status StepRunner::run_step(const Step& step, const MarkedChunks& marked, Transport transport) {
  // In atomic mode each rank is in the middle of an access that others may wait for.
  if (step.kind == StepKind::kBarrier)
    return dry() || job_.store().driver().atomic_locks() != nullptr
               ? Status()
               : job_.store().coordinator().barrier();
  // Without views an operation for each chunk would only cost: runs and stretches go through the
  // chunks in the order of their addresses anyway.
  if (step.form == StepForm::kPerChunk && row_of(transport).chunk_by_chunk)
    return run_per_chunk(step, marked, transport);
  PieceSource& source = source_or_nothing(step.kind, filter_of(step, marked));
  return move(source, step.kind == StepKind::kCollective ? transport : Transport::kDirect);
}

std::vector<PlacedChunk> StepRunner::own_chunks() const {
  std::vector<PlacedChunk> chunks;
  if (job_.file().selected() == 0) return chunks;
  const ChunkIndex& index = *job_.state()->index;
  for_each_chunk(job_.file(), index.grid().chunk(), [&](const Dims& at) {
    const ChunkOrdinal ordinal = index.grid().ordinal(at);
    chunks.push_back({ordinal, index.address_of(ordinal)});
  });
  return chunks;
}

/// One operation for each chunk: the marked ones by their numbers, or the n-th of each rank.
Status StepRunner::run_per_chunk(const Step& step, const MarkedChunks& marked,
                                 Transport transport) {
  const bool by_address = step.chunks == StepChunks::kFirst;
  std::vector<PlacedChunk> mine;
  mine_.unless_failed([&] {
    mine = own_chunks();
    if (by_address) order_by_address(mine);
    return Status();
  });
  MarkedWalk walk(marked);
  std::size_t next = 0;
  for (std::uint64_t round = 0; round < step.rounds; ++round) {
    const ChunkOrdinal wanted =
        by_address ? (next < mine.size() ? mine[next].ordinal : 0) : walk.next();
    while (!by_address && next < mine.size() && mine[next].ordinal < wanted) ++next;
    const bool touched = next < mine.size() && mine[next].ordinal == wanted;
    if (touched) ++next;
    mine_.note(move(touched ? source_or_nothing(step.kind, {}, wanted) : nothing_, transport));
  }
  return mine_.status();
}

Status StepRunner::move(PieceSource& source, Transport transport) {
  const Spends moves(transport == Transport::kExchange ? Spent::kExchange : Spent::kElse);
  TransportMethod& method = transports_[transport];
  Status moved = method.move(source);
  results_.outstanding = method.outstanding();
  return moved;
}

Status StepRunner::verify() {
  // Chunks were noted when they were written.
  PCIO_ASSIGN(auto source, make_source(job_.store(), job_.object(), job_.file(), job_.memory(),
                                       source_options()));
  std::vector<std::byte> found;
  std::vector<std::byte> wanted;
  for (std::vector<FilePiece> pieces;; pieces.clear()) {
    PCIO_TRY(source->next(pieces, kPiecesAtOnce));
    if (pieces.empty()) return Status();
    for (const FilePiece& all : pieces) {
      // A piece may be as large as the request.
      const std::uint64_t most =
          std::max<std::uint64_t>(1, kStagingBytes / mover_.form().file_size);
      for (std::uint64_t at = 0; at < all.count; at += most) {
        const FilePiece piece{all.address + at * mover_.form().file_size, all.memory_element + at,
                              std::min(most, all.count - at)};
        found.resize(mover_.file_bytes(piece));
        PCIO_TRY(job_.store().bytes().read(piece.address, found));
        wanted = found;
        PCIO_TRY(mover_.pack(std::span(&piece, 1), wanted));
        if (found != wanted)
          return PCIO_ERROR(IO, WRITEERROR,
                            "the file does not hold what was written at address " +
                                std::to_string(piece.address));
      }
    }
  }
}

}  // namespace pcio
