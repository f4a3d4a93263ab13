// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: the steps of a schedule, and the ways in which bytes move in them.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/rank_status.hpp"
#include "plan/actual_io.hpp"
#include "plan/chunk_order.hpp"
#include "plan/schedule.hpp"
#include "transfer/pieces/counting_target.hpp"
#include "transfer/pieces/piece_source.hpp"
#include "transfer/job/transfer_job.hpp"
#include "transfer/job/outstanding.hpp"
#include "transfer/transports/data_target.hpp"
#include "transfer/transports/transport_set.hpp"

namespace pcio {

/// What the steps did on this rank.
struct StepResults {
  ExecutedChunks chunks;
  std::vector<ChunkMode> modes;  ///< ascending; where the list asks for them
  ExchangeCounts exchange;
  /// Of the last transport: what others may still be doing where they met in it. Equal on all ranks.
  Outstanding outstanding = Outstanding::kNothing;
  IoCounters dry_counts;  ///< of a dry run
  IoCounters external;    ///< system calls on external files, also those of a dry run
  /// What chunks that owners move count as; written ones have owners under every strategy.
  TransferMode owned_mode = TransferMode::kCollective;
};

/// Runs the steps of one transfer. Threads: one thread.
class StepRunner {
 public:
  StepRunner(const TransferJob& job, StepResults& results)
      : job_(job),
        results_(results),
        counting_(results.dry_counts, job.store().driver(), job.store().bytes().base()),
        target_(job, target_of(job.effort(), job.store().bytes(), counting_), results.external),
        mover_kind_(job.effort(), job.form(), job.request().buffer),
        mover_(mover_kind_.get()),
        transports_({job, mover_, target_, results.exchange, results.dry_counts}) {}

  /// All steps, one after another.
  ///
  /// Collective: over the file; every rank makes the same collective steps whatever happens to it.
  ///   A rank with `local` failed moves nothing in them. The caller agrees on the outcome.
  /// On failure the first one of this rank is returned.
  Status run(const Schedule& schedule, const MarkedChunks& marked, Transport transport,
             const Status& local);

  /// Everything that this rank selected, by itself. Collective: independent.
  Status run_independent();
  /// Reads everything again and compares. Collective: independent.
  /// Errors: WRITEERROR where the file does not hold what was written.
  Status verify();

 private:
  Status run_step(const Step& step, const MarkedChunks& marked, Transport transport);
  Status run_per_chunk(const Step& step, const MarkedChunks& marked, Transport transport);
  Status move(PieceSource& source, Transport transport);
  Status take_missing(std::span<const FilePiece> pieces);
  SourceOptions source_options();
  Result<std::unique_ptr<PieceSource>> source_for(StepKind kind, ChunkFilter filter,
                                                  std::optional<ChunkOrdinal> only = {});
  /// Until the next call. No rank runs out of memory for having nothing.
  PieceSource& source_or_nothing(StepKind kind, ChunkFilter filter,
                                 std::optional<ChunkOrdinal> only = {});
  void note_chunk(StepKind kind, ChunkOrdinal ordinal);
  [[nodiscard]] std::vector<PlacedChunk> own_chunks() const;
  [[nodiscard]] Direction direction() const { return job_.request().direction; }
  [[nodiscard]] bool dry() const { return job_.effort() == Effort::kDryRun; }
  [[nodiscard]] Unallocated unallocated() const;

  const TransferJob& job_;
  StepResults& results_;
  CountingTarget counting_;
  DataTarget target_;
  MoverByEffort mover_kind_;
  ElementMover& mover_;
  TransportSet transports_;
  std::vector<std::byte> fill_element_;
  NoPieces nothing_;
  std::unique_ptr<PieceSource> source_;  ///< of the step that runs
  RankStatus mine_;
};

}  // namespace pcio
