// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: one transfer in the phases between which the ranks agree. A page that reads like
// the flow chart of RFC "Actual I/O Mode": facts, agreement, strategy, transport, steps, outcome,
// report. A call for one dataset goes through them once; one for several goes through each phase
// with all of them.

#pragma once

#include <optional>
#include <vector>

#include "base/time_split.hpp"
#include "plan/address_lookup.hpp"
#include "plan/chunk_marking.hpp"
#include "plan/chunk_strategy.hpp"
#include "plan/transport_choice.hpp"
#include "storage/dataset/allocation.hpp"
#include "transfer/transports/run_steps.hpp"
#include "transfer/job/transfer_facts.hpp"
#include "transfer/job/transfer_job.hpp"
#include "transfer/job/outstanding.hpp"

namespace pcio {

/// Threads: one thread.
class TransferPhases {
 public:
  /// Begins the report. What is given outlives the phases.
  TransferPhases(TransferJob& job, TransferReport& report, const CallName& name);
  TransferPhases(const TransferPhases&) = delete;
  TransferPhases& operator=(const TransferPhases&) = delete;

  /// All of it without other ranks. Collective: independent.
  Status run_independent(const Status& checked);

  /// What can be found wrong by this rank, and what it brings to the agreement; local.
  Status prepare(const Status& checked);
  /// The causes of all ranks, also where they agreed to fail.
  void set_global_causes(CauseBits causes) { report_.global_causes = causes; }
  /// After prepare().
  [[nodiscard]] const TransferFacts& facts() const { return facts_; }
  /// Everything between the agreement and the outcome. `status`: this rank's own failure so far, with
  /// which it goes on with nothing to move, and then that of this part too. `outstanding`: what was
  /// before in the same call, and then what is left; equal on all ranks.
  /// Collective: over the file. Errors returned are those of all ranks, after which nobody goes on.
  Status move_collective(const AgreedTransfer& agreed, Outstanding& outstanding, Status& status);
  /// After move_collective(): owners on other machines have written for this rank, which is to see its own elements when
  /// it reads alone, so that the outcome is to show them (CommitWriter::show_with_outcome). Equal on all ranks.
  [[nodiscard]] bool was_written_apart() const { return was_written_apart_; }
  /// After a failure of any rank: chunks that were given space in this transfer have none again, as
  /// those that were to be written as a whole hold nothing. Collective: pure.
  void undo_allocation();
  /// After all ranks' success. Collective: over the file where PCIO_VERIFY=full, else local.
  Status conclude();

  /// Calls and time count for this transfer from here on ...
  void resume();
  /// ... to here.
  void pause();
  /// Completes the report.
  void finish(const Status& status);

 private:
  [[nodiscard]] bool dry() const { return job_.effort() == Effort::kDryRun; }
  [[nodiscard]] bool is_filtered() const {
    return job_.state() != nullptr && job_.state()->filtered();
  }
  [[nodiscard]] bool is_collective() const {
    if (is_filtered())
      return moves_by_owners(strategy_, report_.global_causes, job_.request().direction);
    return strategy_ != Strategy::kNoCollective && strategy_ != Strategy::kAllIndependent;
  }
  /// Steps move what lies in the file as it is.
  [[nodiscard]] bool runs_steps() const { return !job_.is_compact() && !is_filtered(); }
  [[nodiscard]] std::uint64_t ranks() const {
    return static_cast<std::uint64_t>(store_.coordinator().size());
  }
  [[nodiscard]] ChunkOptHints hints(const AgreedTransfer& agreed) const;
  [[nodiscard]] Status check_allocation_is_same(const AgreedTransfer& agreed) const;
  [[nodiscard]] TransportFacts transport_facts(const AgreedTransfer& agreed) const;
  Status move_independent();
  Status load_selected();
  void note_touched(std::uint64_t chunks);
  Status note_independent();
  void gather_facts(const Status& local);
  Status make_ready(const AgreedTransfer& agreed, Outstanding& outstanding, Status& status);
  Result<bool> needs_space(const AgreedTransfer& agreed, Status& status);
  Status allocate_collective(const AgreedTransfer& agreed, Outstanding& outstanding,
                             const Status& local);
  Status wait_for_earlier(const Schedule& schedule, Outstanding& outstanding);
  void leave_behind(const Schedule& schedule, Outstanding& outstanding) const;
  Status find_index(const AgreedTransfer& agreed, Status& status);
  Status run_filtered(const Status& status);
  Status run_without_steps(const Status& status);
  Status run_steps(Outstanding& outstanding, Status status);
  Status mark(std::span<const OrdinalInterval> touched, MarkedChunks* marked);
  Status find_touched(std::vector<OrdinalInterval>& touched);
  Status verify();

  TransferJob& job_;
  FileStore& store_;
  TransferReport& report_;
  const CallName& name_;
  TransferFacts facts_;
  StepResults results_;
  StepRunner runner_;
  bool was_written_apart_ = false;
  bool keeps_old_bytes_ = false;  ///< some rank's conversion keeps bytes of what the file holds
  ChunkCensus census_;
  Strategy strategy_ = Strategy::kNoCollective;
  ChosenTransport chosen_;
  GivenSpace given_;  ///< chunks that were allocated late
  IoCounters before_;
  std::uint64_t start_ = 0;       ///< nanoseconds of a clock
  std::optional<TimeKept> kept_;  ///< while it moves, where the log is on
};

}  // namespace pcio
