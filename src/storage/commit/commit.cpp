// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what happens in a commit, in order.

#include "storage/commit/commit.hpp"

#include <algorithm>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "driver/writer_lock.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/commit/commit_run.hpp"
#include "storage/commit/shared_values.hpp"
#include "storage/commit/unlinked_objects.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/heaps/heap_freeing.hpp"

namespace pcio {

/// Agrees on what the commit is, and on what goes before it is planned. Collective: over the file.
Status CommitRun::make_ready(const Status& local) {
  CompactCopies& copies = store_.compact_copies();
  FileSync& sync = store_.sync();
  CommitFacts mine;
  mine.compact_written = copies.any_written();
  mine.asked = sync.asked();
  mine.incoherent = !store_.driver().capabilities().coherent;
  mine.sync_failed = sync.failed();
  mine.let_go = store_.heaps().has_let_go();
  mine.compact_hash = copies.hash();
  // Chunks that only memory has come first: they get their places, and so change the metadata.
  UnlinkedSet unlinked;
  Status ready = local;
  if (local.ok() && store_.writable())
    ready = without_throwing([&]() -> Status {
      PCIO_TRY(flush_chunk_caches(store_));
      return find_unlinked(store_, &unlinked);
    });
  mine.unlinked = unlinked_facts(store_, unlinked);
  mine.let_go = mine.let_go || owns_objects(unlinked);
  LocalFacts facts;
  facts.call_kind = call_kind();
  put_facts(mine, &facts);
  PCIO_ASSIGN(GlobalFacts merged, store_.coordinator().agree(name_, facts, ready));
  if (!store_.writable()) return Status();
  CommitFacts agreed = commit_facts(merged);
  sync.set_failed(agreed.sync_failed);
  // Two nodes that write one page of an incoherent file system lose one of the writes.
  traits_ = {agreed.asked, store_.coordinator().one_machine() || !agreed.incoherent};
  if (agreed.compact_written)
    PCIO_TRY(copies.agree(name_, agreed.compact_hash == 0 ? CompactCopies::Copies::kEqual
                                                          : CompactCopies::Copies::kDiffer));
  PCIO_TRY(release_unlinked(store_, name_, call_kind(), &agreed, std::move(unlinked)));
  return agreed.let_go && store_.coordinator().size() > 1
             ? agree_on_freeing(store_.heaps(), store_.coordinator())
             : Status();
}

Status CommitRun::run(const Status& local) {
  // Before anybody asks for space, which there is none of until then.
  PCIO_TRY(store_.recover_commit(name_));
  PCIO_TRY(make_ready(local));
  if (!store_.writable()) return Status();
  if (closes()) PCIO_TRY(store_.end().trim_alike(name_));
  const bool lists_space = closes() && store_.superblock_store().space_is_outdated();
  if (anything_to_write() || lists_space) PCIO_TRY(write_changes(Status()));
  // What is left out still needs bytes that are free otherwise.
  if (closes() && left_out_.empty()) PCIO_TRY(end_lower());
  if (closes() && left_out_.empty()) PCIO_TRY(commit_lower_end());
  // Cutting at each flush would cost locks of the whole file on some file systems.
  if (closes() && left_out_.empty()) PCIO_TRY(store_.end().cut_to_allocated(name_));
  PCIO_TRY(sync_last());
  if (!left_out_.empty()) return report_left_out();
  // A close says so when the file is closed.
  return closes() ? Status() : store_.sync().lost();
}

bool CommitRun::anything_to_write() const {
  const FileEnd& end = store_.end();
  return !store_.objects().changed().empty() || store_.heaps().has_changes() ||
         store_.superblock_store().is_new() ||
         end.allocated() != store_.context().superblock.end_of_file ||
         end.size() < end.allocated() || !store_.superblock_store().tells_part_ends();
}

/// Plans, and applies what was planned. `ready`: this rank's failure to get the changes ready.
/// Collective: over the file.
Status CommitRun::write_changes(const Status& ready) {
  CommitPlan plan;
  const Status values = take_first_values(store_);
  CommitPlanner planner(store_);
  Status changed;
  Status planned = planner.filter_heaps(ready.ok() ? values : ready, &changed);
  if (planned.ok())
    planned = changed = without_throwing([&]() -> Status {
      PCIO_ASSIGN(plan, planner.plan(kind_));
      return Status();
    });
  if (Status back = without_throwing([&] { return planner.give_back_prepared(); }); !back.ok())
    planned = changed = std::move(back);
  PCIO_TRY(outcome_alike(store_.coordinator(), name_, changed, planned));
  PCIO_TRY(write_deferred_fill(plan.left_out));
  return apply(std::move(plan));
}

/// What was cut off is the fill value in what is committed; what the commit leaves out keeps its old
/// extent in the file, and so its data. All ranks have come here: none of them still writes into what
/// another has cut. Collective: over the file where anything is owed.
Status CommitRun::write_deferred_fill(const LeftOut& left_out) {
  const ObjectsByAddress& changed = store_.objects().changed();
  auto owes = [&](const auto& entry) {
    return entry.second->dataset && !entry.second->dataset->deferred.empty() &&
           left_out.count(entry.first) == 0;
  };
  if (std::none_of(changed.begin(), changed.end(), owes)) return Status();
  const Status paid = without_throwing([&]() -> Status {
    for (const auto& entry : changed)
      if (owes(entry)) {
        const DatasetState& state = *entry.second->dataset;
        PCIO_TRY(write_fill(store_, state, deferred_space(state)));
      }
    return Status();
  });
  PCIO_TRY(store_.coordinator().outcome(name_, paid));
  for (const auto& entry : changed)
    if (owes(entry)) entry.second->dataset->deferred = DeferredFill();
  return Status();
}

/// Writes what was planned. Collective: over the file, as CommitWriter::write.
Status CommitRun::apply(CommitPlan plan) {
  left_out_ = std::move(plan.left_out);
  CommitOutcome written =
      store_.writer().write(name_, plan.blocks, traits_, std::move(plan.superblock));
  if (!written.in_file) return std::move(written.status);
  Status marked = without_throwing([&] {
    mark_committed();
    return Status();
  });
  // The commit is in the file; that this rank's map is not, all are told in their next agreement.
  if (!marked.ok()) store_.coordinator().lose_metadata_call(name_, "out of memory");
  if (written.status.ok() && !store_.parallel()) return marked;
  return std::move(written.status);
}

/// Everything planned is in the file, all ranks know it: nothing is dirty any more.
void CommitRun::mark_committed() {
  const CommittedIn where =
      store_.writer().is_in_window() ? CommittedIn::kJournal : CommittedIn::kPlace;
  store_.end().extend_to(store_.end().allocated());
  store_.superblock_store().mark_committed(where);
  ObjectTable& objects = store_.objects();
  objects.mark_committed(left_out_, where);
  store_.heaps().mark_committed(where);
  objects.changed().empty() ? store_.space().committed() : store_.space().committed_in_part();
}

/// Collective: over the file.
Status CommitRun::sync_last() {
  FileDriver& driver = store_.driver();
  if (traits_.durability == Durability::kNone)
    return kind_ == CommitKind::kFlush ? driver.flush() : Status();
  PCIO_TRY(store_.sync().sync_all());
  if (kind_ != CommitKind::kCreate || traits_.durability != Durability::kPowerLoss) return Status();
  Status local;
  if (store_.coordinator().rank() == 0 && driver.capabilities().on_disk)
    local = without_throwing([&] { return sync_directory(driver.identity().path); });
  const std::string path = PCIO_TEXT_(driver.identity().path);
  return store_.coordinator().outcome({"H5Fcreate", path}, local);
}

Status commit_file(FileStore& store, CommitKind kind, const CallName& name, const Status& local) {
  return CommitRun(store, kind, name).run(local);
}

Status close_file(FileStore& store, const CallName& name, const Status& local) {
  if (Status health = store.coordinator().health(); !health.ok()) {
    store.abandon();
    return health;
  }
  Status committed = commit_file(store, CommitKind::kClose, name, local);
  if (!committed.ok()) {
    // Ranks that lost step can't communicate any more; otherwise the file stays open, so that the
    // caller may mend what is wrong (a full disk) and try again.
    if (!store.coordinator().health().ok()) store.abandon();
    return committed;
  }
  PCIO_TRY(store.close_driver());
  return store.sync().lost();
}

}  // namespace pcio
