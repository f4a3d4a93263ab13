// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: late allocation, out of line.

#include "transfer/call/late_allocation.hpp"

#include <algorithm>
#include <utility>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "plan/interval_union.hpp"
#include "plan/transfer_runs.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

namespace {

/// Chunks that this rank's selection covers as a whole. Chunks on the edge of the dataset never are:
/// what lies outside is seen when the dataset grows.
Status covered_chunks(const TransferJob& job, std::vector<OrdinalInterval>* covered) {
  // Elements of which some bytes stay need the fill value. Points are not asked for: they cover a
  // chunk one by one at best.
  if (job.form().needs_background() || job.file().selection().kind() == SelectionKind::kPoints)
    return Status();
  const ChunkGrid& grid = job.state()->index->grid();
  ChunkPieceCursor cursor(grid, job.file(), job.memory());
  while (cursor.next_chunk())
    if (cursor.covers_chunk() && grid.box(cursor.coords()) == grid.full_box(cursor.coords()))
      append_interval(*covered, {cursor.ordinal(), 1});
  return Status();
}

/// The parts of `runs` outside `covered`, both ascending, as bytes.
NewSpace outside(std::span<const IndexRun> runs, std::span<const OrdinalInterval> covered,
                 std::uint64_t chunk_bytes) {
  NewSpace rest;
  auto add = [&](const IndexRun& run, ChunkOrdinal first, ChunkOrdinal end) {
    if (first >= end) return;
    const ByteRange range{run.address + (first - run.first) * chunk_bytes,
                          (end - first) * chunk_bytes};
    if (!rest.ranges.empty() && rest.ranges.back().end() == range.offset)
      rest.ranges.back().size += range.size;
    else
      rest.ranges.push_back(range);
  };
  std::size_t at = 0;
  for (const IndexRun& run : runs) {
    ChunkOrdinal next = run.first;
    while (at < covered.size() && covered[at].end() <= next) ++at;
    for (std::size_t i = at; i < covered.size() && covered[i].first < run.first + run.count; ++i) {
      add(run, next, covered[i].first);
      next = std::max(next, covered[i].end());
    }
    add(run, next, run.first + run.count);
  }
  return rest;
}

/// Chunks of this rank's selection that have no space, ascending and apart. Cost: a step for each.
Result<std::vector<OrdinalInterval>> missing_chunks(TransferJob& job) {
  PCIO_TRY(job.store().datasets().load_chunk_index(job.object()));
  std::vector<OrdinalInterval> touched;
  const ChunkIndex& index = *job.state()->index;
  for_each_chunk(job.file(), index.grid().chunk(), [&](const Dims& at) {
    append_interval(touched, {index.grid().ordinal(at), 1});
  });
  return index.missing(touched);
}

/// What is new and must hold the fill value before the data come. Equal on all ranks.
Result<NewSpace> find_unfilled(TransferJob& job, const CallName& name, FillNew fill,
                               std::span<const IndexRun> made) {
  FileStore& store = job.store();
  const DatasetState& state = *job.state();
  std::vector<OrdinalInterval> mine;
  Status local;
  if (fill == FillNew::kUncovered)
    local = without_throwing([&] { return covered_chunks(job, &mine); });
  if (!local.ok()) mine.clear();
  auto covered = gather_union(store.coordinator(), std::span<const OrdinalInterval>(mine));
  if (local.ok() && !covered) local = covered.error();
  // What lies outside is found before the ranks agree: memory may be missing for that too.
  NewSpace rest;
  if (local.ok())
    local = without_throwing([&] {
      rest = outside(made, *covered, state.chunk_bytes());
      return Status();
    });
  PCIO_TRY(store.coordinator().outcome(name, local));
  return rest;
}

/// The fill value goes to what is new, before anybody writes data. Collective: as allocate_touched.
Status fill_new(TransferJob& job, const CallName& name, FillNew fill,
                std::span<const IndexRun> made) {
  PCIO_ASSIGN(NewSpace unfilled, find_unfilled(job, name, fill, made));
  if (unfilled.empty()) return Status();
  FileStore& store = job.store();
  return store.coordinator().outcome(
      name, without_throwing([&] { return write_fill(store, *job.state(), unfilled); }));
}

}  // namespace

Status allocation_differs() {
  return PCIO_ERROR(PLIST, BADVALUE,
                    "some ranks opened the dataset for late allocation "
                    "(pcio_set_dapl_late_allocation), others did not");
}

Status allocate_touched(TransferJob& job, const CallName& name, const Status& local, FillNew fill,
                        GivenSpace& given) {
  FileStore& store = job.store();
  Coordinator& coordinator = store.coordinator();
  std::vector<OrdinalInterval> mine;
  Status status = local;
  if (status.ok())
    status = without_throwing([&]() -> Status {
      PCIO_ASSIGN(mine, missing_chunks(job));
      return Status();
    });
  auto wanted = gather_union(coordinator, std::span<const OrdinalInterval>(mine));
  if (status.ok() && !wanted) status = wanted.error();
  PCIO_TRY(coordinator.outcome(name, status));

  bool fills = false;
  status = without_throwing([&]() -> Status {
    PCIO_ASSIGN(given.runs, allocate_listed(store, job.object(), *wanted));
    const DatasetState& state = *job.state();
    fills = std::any_of(given.runs.begin(), given.runs.end(), [&](const IndexRun& run) {
      return must_fill(store, state, {run.address, run.count * state.chunk_bytes()});
    });
    return Status();
  });
  PCIO_TRY(outcome_alike(coordinator, name, status));
  if (!fills) return Status();
  Status filled = fill_new(job, name, fill, given.runs);
  if (filled.ok()) return filled;
  // All ranks know of it: bytes that nobody wrote are nobody's chunks.
  undo_allocation(store, job.object(), std::exchange(given, {}));
  return filled;
}

}  // namespace pcio
