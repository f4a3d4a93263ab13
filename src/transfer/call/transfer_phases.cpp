// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: TransferPhases.

#include "transfer/call/transfer_phases.hpp"

#include <algorithm>
#include <utility>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "plan/collective_causes.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/file/chunk_lookup.hpp"
#include "transfer/call/agreed_list.hpp"
#include "transfer/call/atomic_access.hpp"
#include "transfer/call/compact_transfer.hpp"
#include "transfer/call/counted_call.hpp"
#include "transfer/filtered/filtered_collective.hpp"
#include "transfer/filtered/filtered_transfer.hpp"
#include "transfer/call/late_allocation.hpp"
#include "transfer/call/share_index.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

namespace {

/// Calls on external files, which no MPI call reaches.
IoCounts system_calls(const IoCounters& made) {
  IoCounts counts;
  counts.posix_writes = made.independent_writes;
  counts.posix_reads = made.independent_reads;
  counts.bytes_written = made.bytes_written;
  counts.bytes_read = made.bytes_read;
  return counts;
}

/// True where the bytes of a step move without the ranks having met in it before.
bool moves_at_once(const Step& step, Transport transport) {
  return step.kind == StepKind::kIndependent ||
         (step.kind == StepKind::kCollective && row_of(transport).moves == MovesWhen::kAtOnce);
}

}  // namespace

TransferPhases::TransferPhases(TransferJob& job, TransferReport& report, const CallName& name)
    : job_(job), store_(job.store()), report_(report), name_(name), runner_(job, results_) {
  report = TransferReport();
  report.used = true;
  report.verified = true;
  report.direction = job.request().direction;
  const TransferProps& props = job.props();
  report.requested = {props.mode,          props.collective_opt,  props.chunk_opt,
                      props.chunk_opt_num, props.chunk_opt_ratio, job.forced_transport()};
}

void TransferPhases::resume() {
  start_ = nanoseconds_now();
  before_ = moved_here(store_);
  if (!dry() && store_.report_log().is_on()) kept_.emplace(&report_.spent);
}

void TransferPhases::pause() {
  kept_.reset();
  if (!dry()) report_.counts += counts_of(store_.driver(), moved_here(store_) - before_);
  report_.nanoseconds += nanoseconds_now() - start_;
}

void TransferPhases::finish(const Status& status) {
  if (dry()) report_.counts = counts_of(store_.driver(), results_.dry_counts);
  report_.counts += system_calls(results_.external);
  report_.traits = job_.traits();
  report_.bytes_selected = job_.bytes();
  report_.chunks_touched = job_.touched_chunks();
  report_.exchange = results_.exchange;
  report_.chunk_modes = std::move(results_.modes);
  report_.succeeded = status.ok();
  const std::uint64_t all = job_.dataset_chunks();
  if (all == 0) return;
  report_.chunks.collective = results_.chunks.collective;
  report_.chunks.independent = results_.chunks.independent;
  report_.chunks.untouched = all - std::min(all, job_.touched_chunks());
  if (!dry() && status.ok() && store_.report_log().is_on()) note_touched(all);
}

/// Where memory lacks for it the line goes without.
void TransferPhases::note_touched(std::uint64_t chunks) {
  static_cast<void>(without_throwing([&]() -> Status {
    auto sketch = std::make_shared<ChunkSketch>(chunks);
    PCIO_ASSIGN(const ChunkGrid grid, job_.state()->grid());
    if (job_.touched_chunks() > 0)
      for_each_chunk(job_.file(), grid.chunk(),
                     [&](const Dims& at) { sketch->touch(grid.ordinal(at)); });
    report_.touched = std::move(sketch);
    return Status();
  }));
}

Status TransferPhases::run_independent(const Status& checked) {
  if (store_.parallel()) report_.local_causes = report_.global_causes = cause::kSetIndependent;
  PCIO_TRY(Status(checked));
  // What waits in memory for the other ranks would not come into the file.
  if (store_.parallel()) PCIO_TRY(store_.coordinator().health());
  PCIO_TRY(job_.prepare());
  // Nobody gets space before a commit that failed is completed: one process can try that at once.
  if (!store_.parallel() && job_.writes() && !dry())
    static_cast<void>(store_.recover_commit(name_));
  PCIO_TRY(move_independent());
  report_.transport = store_.parallel() ? Transport::kDirect : Transport::kNone;
  report_.transport_why = store_.parallel() ? "independent transfer" : "serial file";
  return Status();
}

Status TransferPhases::prepare(const Status& checked) {
  // A rank without memory for all of its facts still has these: the others know its call by them. Ranks
  // that explain and ranks that move are not in the same call.
  facts_.call = job_.writes() ? (dry() ? CallKind::kExplainWrite : CallKind::kWrite)
                              : (dry() ? CallKind::kExplainRead : CallKind::kRead);
  facts_.object = job_.object()->address;
  facts_.causes = report_.local_causes = report_.global_causes = cause::kErrorWhileChecking;
  Status local = checked.ok() ? without_throwing([&] { return job_.prepare(); }) : checked;
  Status gathered = without_throwing([&] {
    gather_facts(local);
    return Status();
  });
  return local.ok() ? gathered : local;
}

void TransferPhases::gather_facts(const Status& local) {
  TransferFacts& facts = facts_;
  CauseFacts found = job_.cause_facts();
  found.error_while_checking = !local.ok();
  facts.causes = report_.local_causes = report_.global_causes = local_causes(found);
  facts.chunks = job_.touched_chunks();
  facts.bytes = job_.bytes();
  facts.mean_run = job_.mean_run();
  facts.needs_allocation = job_.needs_allocation();
  facts.looks_up_later = job_.looks_up_later();
  facts.keeps_old_bytes = job_.form().needs_background();
  facts.calls_program = job_.form().may_call_program();
  facts.has_pending_chunks = has_pending_chunks(store_);
  facts.caches_apart = store_.driver().caches_apart();
  facts.has_unseen_writes = store_.driver().has_unseen_writes();
  facts.has_index = job_.state() != nullptr && job_.state()->index_is_whole();
  const bool late = job_.state() != nullptr && job_.state()->allocates_late();
  facts.allocation = late ? AllocationTime::kLate : AllocationTime::kAtOnce;
  facts.hints = hints_of(job_);
  facts.selection = job_.selection_key();
}

Status TransferPhases::move_collective(const AgreedTransfer& agreed, Outstanding& outstanding,
                                       Status& status) {
  report_.global_causes = agreed.causes;
  PCIO_TRY(check_list_is_same(store_.coordinator(), facts_.hints, agreed.hints));
  PCIO_TRY(check_allocation_is_same(agreed));
  if (agreed.has_unseen_writes && !dry()) PCIO_TRY(store_.writer().show_writes(name_));
  if (agreed.has_pending_chunks && !dry()) {
    PCIO_TRY(store_.recover_commit(name_));
    PCIO_TRY(write_pending_before(store_, *job_.object(), name_));
    if (agreed.caches_apart) PCIO_TRY(store_.writer().show_writes(name_));
  }
  keeps_old_bytes_ = agreed.keeps_old_bytes;
  census_ = {ranks(),           agreed.sum_chunks,      agreed.min_chunks,
             agreed.max_chunks, agreed.ranks_with_data, job_.dataset_chunks()};
  strategy_ = choose_strategy(agreed.causes, job_.cause_facts().storage, hints(agreed), census_);
  results_.owned_mode =
      strategy_ == Strategy::kAllIndependent || strategy_ == Strategy::kNoCollective
          ? TransferMode::kIndependent
          : TransferMode::kCollective;
  // Kept also when the transfer fails.
  report_.chunk_opt = actual_io(strategy_, {}).chunk_opt;
  PCIO_ASSIGN(chosen_, choose_transport(transport_facts(agreed)));
  PCIO_TRY(make_ready(agreed, outstanding, status));
  if (runs_steps()) {
    status = run_steps(outstanding, status);
  } else if (is_filtered() && is_collective() && agreed.sum_bytes > 0) {
    if (job_.writes() && !dry()) PCIO_TRY(store_.recover_commit(name_));
    // Begins and ends with agreements.
    status = run_filtered(status);
    outstanding = Outstanding::kNothing;
  } else if (status.ok() || (job_.writes() && job_.is_compact())) {
    status = without_throwing([&] { return run_without_steps(status); });
  }
  was_written_apart_ = agreed.caches_apart && job_.writes() && !dry() && agreed.sum_bytes > 0 &&
                       chosen_.transport == Transport::kExchange;
  return Status();
}

Status TransferPhases::conclude() {
  if (row_of(chosen_.transport).needs_proof) PCIO_TRY(verify());
  report_.io_mode = actual_io(strategy_, results_.chunks).io_mode;
  report_.transport = chosen_.transport;
  report_.transport_why = chosen_.why;
  return Status();
}

/// This rank's selection, by itself.
Status TransferPhases::move_independent() {
  if (job_.file().selected() == 0) return Status();
  if (job_.is_compact()) return transfer_compact(job_, name_.object);
  if (is_filtered()) {
    PCIO_TRY(transfer_filtered(job_, dry() ? &results_.dry_counts : nullptr));
    return note_independent();
  }
  if (job_.state()->chunked()) PCIO_TRY(load_selected());
  AtomicAccess access;
  PCIO_TRY(access.begin(job_));
  return runner_.run_independent();
}

Status TransferPhases::load_selected() {
  return load_selected_chunks(store_, job_.object(), job_.file());
}

/// A property of each rank's open; equal on all that write.
Status TransferPhases::check_allocation_is_same(const AgreedTransfer& agreed) const {
  return job_.writes() && agreed.allocation_differs() ? allocation_differs() : Status();
}

/// Equal on all ranks: one rank that asked for individual I/O speaks for all.
ChunkOptHints TransferPhases::hints(const AgreedTransfer& agreed) const {
  const TransferProps& props = job_.props();
  return {props.chunk_opt,
          (agreed.causes & cause::kSetIndependent) != 0 ? CollectiveOpt::kIndividualIo
                                                        : CollectiveOpt::kCollectiveIo,
          props.chunk_opt_num, props.chunk_opt_ratio};
}

Status TransferPhases::note_independent() {
  results_.chunks.independent += job_.touched_chunks();
  if (!job_.props().keep_chunk_modes) return Status();
  std::vector<OrdinalInterval> touched;
  PCIO_TRY(find_touched(touched));
  for (const OrdinalInterval& interval : touched)
    for (ChunkOrdinal ordinal = interval.first; ordinal < interval.end(); ++ordinal)
      results_.modes.push_back({ordinal, TransferMode::kIndependent});
  std::sort(results_.modes.begin(), results_.modes.end(),
            [](const ChunkMode& a, const ChunkMode& b) { return a.ordinal < b.ordinal; });
  return Status();
}

TransportFacts TransferPhases::transport_facts(const AgreedTransfer& agreed) const {
  TransportFacts facts;
  facts.direction = job_.request().direction;
  facts.collective = is_collective();
  facts.filtered = is_filtered();
  facts.causes = agreed.causes;
  facts.ranks = ranks();
  facts.forced = job_.forced_transport();
  facts.view_possible =
      store_.coordinator().environment().derived_types && store_.driver().collective() != nullptr;
  facts.sum_bytes = agreed.sum_bytes;
  facts.sum_runs = agreed.sum_runs;
  facts.max_runs = agreed.max_runs;
  facts.one_machine = store_.coordinator().one_machine();
  facts.caches_apart = agreed.caches_apart;
  facts.lock_unit = store_.context().lock_unit;
  facts.max_bytes = agreed.max_bytes;
  facts.element_bytes = job_.form().file_size;
  facts.atomic = store_.driver().atomic_locks() != nullptr;
  facts.equal_requests = agreed.equal_selections && agreed.min_bytes > 0;
  return facts;
}

/// Space and addresses for all that follows. `status`: of this rank, which goes on with nothing where
/// it has failed; where somebody has nobody gets space. Errors returned are those of all ranks.
Status TransferPhases::make_ready(const AgreedTransfer& agreed, Outstanding& outstanding,
                                  Status& status) {
  PCIO_TRY(find_index(agreed, status));
  PCIO_ASSIGN(const bool allocates, needs_space(agreed, status));
  if (!allocates || dry()) return Status();
  // There is none before a commit that failed is completed.
  PCIO_TRY(store_.recover_commit(name_));
  // Found out late: now all is read, and not by each rank.
  if (agreed.looks_up_later && ranks() > 1 && has_stored_index(*job_.state()))
    PCIO_TRY(share_chunk_index(store_, job_.object(), name_));
  if (!agreed.allocates_late) {
    PCIO_TRY(allocate_collective(agreed, outstanding, status));
  } else {
    const auto fill = agreed.calls_program ? FillNew::kAll : FillNew::kUncovered;
    PCIO_TRY(allocate_touched(job_, name_, status, fill, given_));
    // What a function of the program writes into them is there to stay, whatever becomes of this call.
    if (agreed.calls_program) given_ = {};
  }
  outstanding = Outstanding::kNothing;
  return Status();
}

/// Equal on all ranks: whether somebody writes what has no space yet.
Result<bool> TransferPhases::needs_space(const AgreedTransfer& agreed, Status& status) {
  if (!agreed.looks_up_later) return agreed.needs_allocation;
  if (status.ok() && job_.looks_up_later())
    status = without_throwing([&] { return job_.find_space(); });
  std::uint64_t needs = agreed.needs_allocation || job_.needs_allocation() ? 1 : 0;
  PCIO_TRY(store_.coordinator().allreduce_max(std::span(&needs, 1)));
  return needs != 0;
}

/// `local`: this rank's failure so far.
Status TransferPhases::allocate_collective(const AgreedTransfer& agreed, Outstanding& outstanding,
                                           const Status& local) {
  // What may fail on one rank alone comes before anybody gives space.
  if (job_.state()->chunked() && !agreed.all_have_index) {
    Status ready = local;
    if (ready.ok())
      ready = without_throwing([&] { return store_.datasets().load_chunk_index(job_.object()); });
    PCIO_TRY(store_.coordinator().outcome(name_, ready));
    outstanding = Outstanding::kNothing;
  }
  // New space may lie in a gap that is being written back.
  if (outstanding == Outstanding::kForeignBytes) PCIO_TRY(store_.coordinator().barrier());
  NewSpace unfilled;
  Status given = without_throwing([&]() -> Status {
    PCIO_ASSIGN(unfilled, allocate_all(store_, job_.object()));
    return Status();
  });
  Status filled = local.ok() ? given : local;
  if (filled.ok())
    filled = without_throwing([&] { return write_fill(store_, *job_.state(), unfilled); });
  // Nobody writes data before everybody's fill is in the file.
  Status all = outcome_alike(store_.coordinator(), name_, given, filled);
  if (!all.ok()) pcio::undo_allocation(store_, job_.object(), unfilled.given);
  return all;
}

void TransferPhases::undo_allocation() {
  if (!given_.empty()) pcio::undo_allocation(store_, job_.object(), std::exchange(given_, {}));
}

/// Where each rank would read all or most of an index, one reads it for all.
Status TransferPhases::find_index(const AgreedTransfer& agreed, Status& status) {
  const DatasetState& state = *job_.state();
  const bool nothing = agreed.sum_bytes == 0;
  if (!state.chunked() || agreed.all_have_index || nothing) return Status();
  // An index that changes is known as a whole.
  const bool changes =
      job_.writes() && (state.filtered() ? is_collective() : agreed.needs_allocation);
  const bool shares = changes || choose_address_lookup(census_) == AddressLookup::kBroadcastIndex;
  if (shares && ranks() > 1 && has_stored_index(state))
    return share_chunk_index(store_, job_.object(), name_);
  if (job_.file().selected() == 0 && !state.filtered()) return Status();
  Status loaded = without_throwing([&] { return load_selected(); });
  if (status.ok()) status = std::move(loaded);
  return Status();
}

/// Chunks with filters have owners, whatever the strategy is called.
Status TransferPhases::run_filtered(const Status& status) {
  const Spends exchanges(Spent::kExchange);
  if (!job_.writes()) return read_filtered_collective(job_, results_, status);
  return write_filtered_collective(job_, results_,
                                   keeps_old_bytes_ ? OldBytes::kKept : OldBytes::kNotKept, status);
}

Status TransferPhases::run_without_steps(const Status& status) {
  if (job_.writes() && job_.is_compact() && !dry())
    return write_compact_collective(job_, name_.object, status);
  PCIO_TRY(Status(status));
  return move_independent();
}

/// Stands before the first bytes that this transfer reads or writes. Collective: over the file; an
/// exchange where no step brings one.
Status TransferPhases::wait_for_earlier(const Schedule& schedule, Outstanding& outstanding) {
  if (!job_.writes() || dry() || outstanding == Outstanding::kNothing) return Status();
  const Outstanding harmless = keeps_old_bytes_ ? Outstanding::kNothing : Outstanding::kOwnBytes;
  const bool at_once = moves_at_once(schedule.steps[0], chosen_.transport);
  if (at_once && outstanding <= harmless) return Status();
  outstanding = Outstanding::kNothing;
  return at_once ? store_.coordinator().barrier() : Status();
}

void TransferPhases::leave_behind(const Schedule& schedule, Outstanding& outstanding) const {
  if (!job_.writes() || dry()) return;
  const Step& last = schedule.steps[schedule.steps.size() - 1];
  Outstanding left = results_.outstanding;
  if (moves_at_once(last, chosen_.transport))
    left = keeps_old_bytes_ ? Outstanding::kForeignBytes : Outstanding::kOwnBytes;
  outstanding = std::max(outstanding, left);
}

Status TransferPhases::run_steps(Outstanding& outstanding, Status status) {
  MarkedChunks marked;
  if (needs_marks(strategy_)) {
    std::vector<OrdinalInterval> touched;
    Status found = without_throwing([&] { return find_touched(touched); });
    if (status.ok()) status = std::move(found);
    // The schedule is made of the marks: all ranks have them, or none goes on.
    Status made = without_throwing([&] { return mark(touched, &marked); });
    PCIO_TRY(store_.coordinator().outcome(name_, made));
    outstanding = Outstanding::kNothing;
  }
  const Schedule schedule = make_schedule(strategy_, marked, census_);
  chosen_ = transport_of_steps(chosen_, schedule);
  PCIO_TRY(wait_for_earlier(schedule, outstanding));
  AtomicAccess access;
  if (status.ok()) status = without_throwing([&] { return access.begin(job_); });
  status = runner_.run(schedule, marked, chosen_.transport, status);
  leave_behind(schedule, outstanding);
  return status;
}

Status TransferPhases::mark(std::span<const OrdinalInterval> touched, MarkedChunks* marked) {
  PCIO_ASSIGN(*marked,
              mark_chunks(store_.coordinator(), touched, job_.props().chunk_opt_ratio, census_));
  return Status();
}

Status TransferPhases::find_touched(std::vector<OrdinalInterval>& touched) {
  PCIO_ASSIGN(ChunkGrid grid, job_.state()->grid());
  for_each_chunk(job_.file(), grid.chunk(), [&](const Dims& at) {
    append_interval(touched, {grid.ordinal(at), 1});
  });
  return Status();
}

/// What MPI says of a collective write is no proof on every implementation.
Status TransferPhases::verify() {
  const bool trusted =
      !job_.writes() || store_.driver().capabilities().mpi_io == MpiIoComponent::kRomio;
  report_.verified = trusted;
  if (trusted || dry() || store_.coordinator().environment().verify != "full") return Status();
  Status local = store_.driver().flush();
  if (local.ok()) local = without_throwing([&] { return runner_.verify(); });
  PCIO_TRY(store_.coordinator().outcome(name_, local));
  report_.verified = true;
  return Status();
}

}  // namespace pcio
