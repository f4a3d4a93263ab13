// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: variable-length elements on their way to the file, and what they take the place of.

#include <algorithm>
#include <cstring>
#include <iterator>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "storage/commit/commit.hpp"
#include "transfer/call/sequence_call.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

namespace {

/// Elements that are converted together only to count what they need, or one. Bytes.
constexpr std::uint64_t kCountedBytes = 16 << 10;

bool is_zero(ConstBytes bytes) {
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

void sort_ids(std::vector<GlobalHeapId>& ids) {
  std::sort(ids.begin(), ids.end(), heap_id_less);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

Status SequenceCall::write_alone(TransferReport* report, const Status& checked) {
  PCIO_TRY(Status(checked));
  PCIO_TRY(make_ready());
  FileHeap heap(reader_, &store_.heaps());
  // Before anything is filled: there may be no way between the types.
  PCIO_TRY(make_conversion(&heap));
  PCIO_TRY(check_possible());
  PCIO_TRY(store_.recover_commit(name_));
  PCIO_TRY(fill_around());
  PCIO_TRY(read_old());
  // From here on elements may refer to what was put, also where not all of them get to the file.
  Status put = without_throwing([&] { return put_alone(heap); });
  put_ = heap.referred();
  if (!put.ok()) {
    heap.take_back();
    return put;
  }
  PCIO_TRY(move(stored_, report, Status()));
  if (lets_go_first())
    for (const GlobalHeapId& id : old_ids_) store_.heaps().let_go(id);
  return Status();
}

Status SequenceCall::put_alone(FileHeap& heap) {
  PCIO_TRY(convert_all());
  // What they referred to may be gone.
  if (conversion_->needs_background() && dataset_->sequence_writes != writes_before_)
    return PCIO_ERROR(
        DATASET, WRITEERROR,
        "a function of the program has written members that were to stay as they were");
  // A function of the program may have committed the elements' place meanwhile.
  if (conversion_->may_call_program()) {
    TransferJob job(store_, dataset_, stored_, Effort::kPerform);
    PCIO_TRY(job.prepare());
    PCIO_TRY(find_places(job.file()));
  }
  if (!heap.has_put() || !overwrites_committed_) return Status();
  // What the references are to lead to, and the end of file behind it, before them.
  return commit_file(store_, CommitKind::kFlush, name_, Status(), pending_work(store_, name_),
                     UnencodedChunks::kPassOver);
}

Status SequenceCall::prepare_write() {
  PCIO_TRY(make_ready());
  old_ = stored_;
  old_.direction = Direction::kRead;
  CountingHeap counted(store_.sizes());
  PCIO_TRY(make_conversion(&counted));
  const std::uint64_t step =
      std::clamp<std::uint64_t>(kCountedBytes / state_.element_size(), 1,
                                std::max<std::uint64_t>(1, request_.memory_space.selected()));
  std::vector<std::byte> elements(static_cast<std::size_t>(step * state_.element_size()));
  RunCursor cursor(request_.memory_space);
  for (Run run; cursor.next(run);)
    for (std::uint64_t i = 0; i < run.length; i += step)
      PCIO_TRY(conversion_->run(memory_at(run.offset + i), elements.data(),
                                static_cast<std::size_t>(std::min(step, run.length - i))));
  facts_.demand = counted.demand();
  // Behind the conversion: a function of the program may have committed places, or given some.
  PCIO_TRY(check_possible());
  facts_.commits_first = overwrites_committed_ && !facts_.demand.empty();
  return Status();
}

Status SequenceCall::write_together(TransferReport* report, const Status& checked) {
  const Status ready = checked.ok() ? without_throwing([&] { return prepare_write(); }) : checked;
  Coordinator& coordinator = store_.coordinator();
  PCIO_ASSIGN(const GlobalFacts facts, coordinator.agree(name_, to_local(facts_), ready));
  const AgreedSequences agreed = agreed_sequences(facts);
  // Nobody gets space before a commit that failed is completed.
  PCIO_TRY(store_.recover_commit(name_));
  if (agreed.lacks_places) PCIO_TRY(fill_missing());
  writes_before_ = dataset_->sequence_writes;
  PCIO_TRY(read_before(old_));
  HeapPlace place;
  PCIO_TRY(agree_on_places(coordinator, store_.sizes(), facts_.demand, agreed.sum, &place));
  PCIO_TRY(write_objects(agreed, place));
  Status written;
  if (agreed.commits_first) written = commit_file(store_, CommitKind::kFlush, name_, Status());
  if (!written.ok()) {
    release_regions();
    return written;
  }
  PCIO_TRY(move(stored_, report, Status()));
  return let_go_of_old();
}

Status SequenceCall::write_objects(const AgreedSequences& agreed, HeapPlace place) {
  const Status given = without_throwing([&] { return allocate_regions(agreed.sum); });
  Status mine = given;
  if (mine.ok())
    mine = without_throwing([&]() -> Status {
      move_place(regions_, &place);
      PCIO_TRY(note_old());
      PlacedHeap heap(store_.sizes(), store_.bytes(), place);
      PCIO_TRY(make_conversion(&heap));
      PCIO_TRY(convert_all());
      put_ = heap.referred();
      return heap.finish();
    });
  Status all = outcome_alike(store_.coordinator(), name_, given, mine);
  if (!all.ok()) release_regions();
  return all;
}

Status SequenceCall::allocate_regions(const HeapDemand& sum) {
  FileSpace& space = store_.space();
  if (sum.own > 0) {
    PCIO_ASSIGN(regions_.own, space.allocate(sum.own, SpaceUse::kRawDataFreeAtCommit));
    given_.push_back({regions_.own, sum.own});
  }
  if (sum.shared > 0) {
    const std::uint64_t bytes = shared_heap_bytes(sum, store_.sizes());
    PCIO_ASSIGN(regions_.shared, space.allocate(bytes, SpaceUse::kRawDataFreeAtCommit));
    given_.push_back({regions_.shared, bytes});
  }
  return Status();
}

void SequenceCall::release_regions() {
  for (const ByteRange& range : given_) release_or_tell(store_, range);
}

Status SequenceCall::let_go_of_old() {
  static_cast<void>(without_throwing([&] {
    if (lets_go_first())
      for (const GlobalHeapId& id : old_ids_) store_.heaps().let_go(id);
    return Status();
  }));
  return Status();
}

Status SequenceCall::read_old() {
  // Filters may be functions of the program.
  writes_before_ = dataset_->sequence_writes;
  if (block_size_ == 0) return Status();
  TransferRequest old = stored_;
  old.direction = Direction::kRead;
  PCIO_TRY(read_before(old));
  return note_old();
}

Status SequenceCall::note_old() {
  // New space, mostly.
  if (!state_.owns_objects() || is_zero(block())) return Status();
  PCIO_TRY(collect_owned(reader_, *map_, block(), &old_ids_));
  reader_.forget();
  sort_ids(old_ids_);
  return Status();
}

Status SequenceCall::convert_all() {
  const std::size_t size = state_.element_size();
  if (!conversion_->needs_background()) std::fill_n(block_.get(), block_size_, std::byte{0});
  RunCursor cursor(request_.memory_space);
  for (SequencedRun run; cursor.next(run);)
    PCIO_TRY(conversion_->run(memory_at(run.offset), block_.get() + run.sequence * size,
                              static_cast<std::size_t>(run.length)));
  // What stays is nobody's to let go, nor is what the fill value owns.
  std::vector<GlobalHeapId> stay = fill_ids_;
  if (conversion_->needs_background()) {
    PCIO_ASSIGN(const bool all, collect_owned(reader_, *map_, block(), &stay));
    // Room is lost then, and nothing that elements still refer to.
    if (!all) old_ids_.clear();
  }
  sort_ids(stay);
  std::vector<GlobalHeapId> gone;
  std::set_difference(old_ids_.begin(), old_ids_.end(), stay.begin(), stay.end(),
                      std::back_inserter(gone), heap_id_less);
  old_ids_ = std::move(gone);
  return Status();
}

}  // namespace pcio
