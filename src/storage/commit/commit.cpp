// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what happens in a commit, in order.

#include "storage/commit/commit.hpp"

#include <algorithm>
#include <set>

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

namespace {

/// Something of what ranks hold alike is not in the file. Equal on all ranks, but where a call has failed on several, at different
/// steps.
bool has_changes(FileStore& store) {
  const FileEnd& end = store.end();
  return !store.objects().changed().empty() || store.heaps().has_changes() ||
         store.superblock_store().is_new() ||
         end.allocated() != store.context().superblock.end_of_file ||
         end.size() < end.allocated() || !store.superblock_store().tells_part_ends();
}

}  // namespace

void trim_before_close(FileStore& store, CommitBeginning* beginning) {
  if (!store.writable() || (beginning->trimmed && beginning->trimmed->ok())) return;
  FileEnd& end = store.end();
  // Where its journal may complete the last commit the superblock stays what that wrote.
  const bool trims = !store.writer().needs_journal();
  beginning->trimmed = without_throwing([&] {
    if (trims) end.trim();
    return Status();
  });
  // Behind what is allocated there is nothing but a journal, which is dead once its commit is in the storage.
  if (beginning->trimmed->ok() && store.driver().sizes_by_one() && !has_changes(store) && trims &&
      end.size() > end.allocated())
    beginning->cut =
        without_throwing([&] { return store.driver().truncate_here(end.allocated()); });
}

void settle_cut(FileStore& store, const CommitBeginning& beginning, bool done) {
  if (!beginning.cut) return;
  done ? store.end().set_size(store.end().allocated()) : store.end().lose_track();
}

void find_beginning(FileStore& store, CallKind kind, const PendingWork& pending,
                    CommitBeginning* beginning) {
  CommitFacts& mine = beginning->mine;
  mine.compact_written = store.compact_copies().any_written();
  mine.attributes_written = store.attribute_copies().any_written();
  mine.asked = store.sync().asked();
  mine.incoherent = !store.driver().capabilities().coherent;
  mine.sync_failed = store.sync().failed();
  mine.let_go = store.heaps().has_let_go();
  mine.pending = pending.any;
  mine.changed = has_changes(store);
  mine.copies_hash = store.compact_copies().hash() ^ store.attribute_copies().hash();
  // Chunks that only memory has come first: they get their places, and so change the metadata. Those that all
  // ranks write come before them, and then all of this is asked once more.
  if (store.writable() && !pending.any)
    beginning->ready = without_throwing([&]() -> Status {
      PCIO_TRY(flush_chunk_caches(store, &beginning->chunks));
      return find_unlinked(store, kind, &beginning->unlinked);
    });
  mine.unlinked = unlinked_facts(store, kind, beginning->unlinked);
  mine.let_go = mine.let_go || owns_objects(beginning->unlinked);
}

/// Agrees on what the commit is, and does what goes before it is planned. Collective: over the file.
Status CommitRun::make_ready(const Status& local, CommitBeginning beginning) {
  if (local.ok())
    find_beginning(store_, call_kind(), pending_, &beginning);
  else
    beginning.ready = local;
  // Behind what that gave places.
  if (closes()) trim_before_close(store_, &beginning);
  beginning.mine.changed = has_changes(store_);
  const Status trimmed = beginning.trimmed ? *beginning.trimmed : Status();
  if (beginning.ready.ok()) beginning.ready = trimmed;
  if (beginning.ready.ok() && beginning.cut) beginning.ready = *beginning.cut;
  LocalFacts facts;
  facts.call_kind = call_kind();
  put_facts(beginning.mine, &facts);
  const Result<GlobalFacts> merged = store_.coordinator().agree(name_, facts, beginning.ready);
  settle_cut(store_, beginning, merged.has_value());
  if (!merged) {
    if (!beginning.trimmed) return merged.error();
    return settle_alike(store_.coordinator(), merged.error(), trimmed);
  }
  beginning.agreed = commit_facts(*merged);
  return go_on(std::move(beginning));
}

/// All ranks are ready. Collective: over the file.
Status CommitRun::go_on(CommitBeginning beginning) {
  if (!store_.writable()) return Status();
  CommitFacts agreed = *beginning.agreed;
  FileSync& sync = store_.sync();
  if (agreed.pending && !has_written_pending_) {
    has_written_pending_ = true;
    // They may go where somebody has written before.
    PCIO_TRY(store_.writer().show_where_apart(name_));
    const Status written = pending_.write(&chunks_);
    pending_ = PendingWork();
    return make_ready(written, CommitBeginning());
  }
  chunks_.merge(beginning.chunks);
  any_changed_ = agreed.changed;
  sync.set_failed(agreed.sync_failed);
  // Two nodes that write one page of an incoherent file system lose one of the writes.
  traits_ = {agreed.asked, store_.coordinator().one_machine() || !agreed.incoherent,
             kind_ == CommitKind::kFlush};
  is_trimmed_ = beginning.trimmed && !agreed.unlinked.any && !agreed.let_go;
  const Copies copies = agreed.copies_hash == 0 ? Copies::kEqual : Copies::kDiffer;
  if (agreed.attributes_written) PCIO_TRY(store_.attribute_copies().agree(name_, copies));
  if (agreed.compact_written) PCIO_TRY(store_.compact_copies().agree(name_, copies));
  // What goes with a dataset stands in its elements.
  if (agreed.unlinked.any) PCIO_TRY(store_.writer().show_where_apart(name_));
  std::set<FileAddress> released;
  PCIO_TRY(release_unlinked(store_, {name_, call_kind(), &released}, &agreed,
                            std::move(beginning.unlinked)));
  // Of what is gone nothing is missing.
  std::erase_if(chunks_, [&](const auto& entry) { return released.contains(entry.first); });
  return agreed.let_go && store_.coordinator().size() > 1
             ? agree_on_freeing(store_.heaps(), store_.coordinator())
             : Status();
}

Status CommitRun::run(const Status& local, CommitBeginning beginning) {
  if (store_.is_in_commit())
    return PCIO_ERROR(FILE, CANTOPERATE,
                      to_string(name_) +
                          ": a function of the program, a filter, calls this while the file is "
                          "flushed or closed");
  store_.set_in_commit(true);
  Status done = without_throwing([&] { return commit(local, std::move(beginning)); });
  // What another thread has opened meanwhile may have the file as it was before.
  if (store_.writable()) store_.note_commit();
  store_.set_in_commit(false);
  return done;
}

Status CommitRun::commit(const Status& local, CommitBeginning beginning) {
  // Before anybody asks for space, which there is none of until then.
  PCIO_TRY(store_.recover_commit(name_));
  if (local.ok() && beginning.agreed)
    PCIO_TRY(go_on(std::move(beginning)));
  else
    PCIO_TRY(make_ready(local, std::move(beginning)));
  if (!store_.writable()) return Status();
  store_.note_commit();
  const bool lowers = closes() && !store_.writer().needs_journal();
  if (lowers && !is_trimmed_) PCIO_TRY(store_.end().trim_alike(name_));
  const bool lists_space = closes() && store_.superblock_store().space_is_outdated();
  if (any_changed_ || has_changes(store_) || lists_space) PCIO_TRY(write_changes(Status()));
  // What is left out still needs bytes that are free otherwise.
  if (lowers && left_out_.empty()) PCIO_TRY(end_lower());
  // What has not changed since it was trimmed ends as low as it can.
  if (lowers && left_out_.empty() && has_written_) PCIO_TRY(commit_lower_end());
  PCIO_TRY(sync_last());
  // Cutting at each flush would cost locks of the whole file on some file systems.
  if (closes() && left_out_.empty() && !store_.writer().needs_journal())
    PCIO_TRY(store_.end().cut_to_allocated(name_));
  if (!left_out_.empty()) return report_left_out();
  // A close says so when the file is closed.
  return closes() ? Status() : store_.sync().lost();
}

Status CommitRun::run_first(const CommitTraits& traits, const Status& local) {
  traits_ = traits;
  traits_.is_first = true;
  ready_ = local;
  store_.note_commit();
  PCIO_TRY(write_changes(Status()));
  return sync_last();
}

/// Plans, and applies what was planned. `ready`: this rank's failure to get the changes ready.
/// Collective: over the file.
Status CommitRun::write_changes(const Status& ready) {
  has_written_ = true;
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
  if (planned.ok()) planned = reserve_marks();
  Status done = planned.ok() ? ready_ : planned;
  // Before this agreement, so that it needs none of its own.
  const bool syncs = syncs_before_plan();
  if (syncs && done.ok() && !traits_.is_first)
    done = without_throwing([&] { return store_.writer().sync_unseen(); });
  PCIO_TRY(outcome_alike(store_.coordinator(), name_, changed, done));
  traits_.others_synced = syncs && !plan.owes_fill;
  PCIO_TRY(write_deferred_fill(plan));
  return apply(std::move(plan));
}

/// What ranks but rank 0 have written is synced before they agree on a plan: they write no blocks. Equal on all ranks.
bool CommitRun::syncs_before_plan() const {
  const FileDriver& driver = store_.driver();
  return store_.parallel() && driver.caches_apart() && driver.sizes_alone() && !traits_.share &&
         traits_.durability == Durability::kChecked;
}

/// What mark_committed() needs of memory, as long as all ranks can still be told of a lack.
Status CommitRun::reserve_marks() {
  return without_throwing([&] {
    reserve_ = store_.space().reserve_commit();
    return Status();
  });
}

/// What was cut off is the fill value in what is committed; what the commit leaves out keeps its old
/// extent in the file, and so its data. All ranks have come here: none of them still writes into what
/// another has cut. Collective: over the file where anything is owed.
Status CommitRun::write_deferred_fill(const CommitPlan& plan) {
  if (!plan.owes_fill) return Status();
  const ObjectsByAddress& changed = store_.objects().changed();
  auto owes = [&](const auto& entry) {
    return entry.second->dataset && !entry.second->dataset->deferred.empty() &&
           plan.left_out.count(entry.first) == 0;
  };
  if (std::none_of(changed.begin(), changed.end(), owes)) return Status();
  PCIO_TRY(store_.writer().show_where_apart(name_));
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
  has_flushed_ = traits_.flushes || traits_.durability != Durability::kNone;
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
  objects.changed().empty() ? store_.space().committed(&reserve_)
                            : store_.space().committed_in_part();
}

/// Collective: over the file.
Status CommitRun::sync_last() {
  FileDriver& driver = store_.driver();
  if (!has_flushed_ && traits_.durability == Durability::kNone)
    return kind_ == CommitKind::kFlush ? driver.flush() : Status();
  if (!has_flushed_) {
    PCIO_TRY(store_.sync().sync_all());
    if (!store_.sync().failed()) store_.writer().forget_journal();
  }
  if (kind_ != CommitKind::kCreate || traits_.durability != Durability::kPowerLoss) return Status();
  Status local;
  if (store_.coordinator().rank() == 0 && driver.capabilities().on_disk)
    local = without_throwing([&] { return sync_directory(driver.identity().path); });
  const std::string path = PCIO_TEXT_(driver.identity().path);
  return store_.coordinator().outcome({"H5Fcreate", path}, local);
}

Status commit_file(FileStore& store, CommitKind kind, const CallName& name, const Status& local,
                   const PendingWork& pending, UnencodedChunks unencoded) {
  CommitRun commit(store, kind, name, pending);
  PCIO_TRY(commit.run(local));
  return unencoded == UnencodedChunks::kFail ? commit.report_chunks() : Status();
}

Status commit_new_file(FileStore& store, const CallName& name, const CommitTraits& traits,
                       const Status& local) {
  return CommitRun(store, CommitKind::kCreate, name).run_first(traits, local);
}

Status close_file(FileStore& store, const CallName& name, const Status& local,
                  const PendingWork& pending, CommitBeginning beginning, LastClose last) {
  if (Status health = store.coordinator().health(); !health.ok()) {
    // Bytes that a driver still has are the last commit's, too.
    if (store.coordinator().has_lost_undo()) health.join(store.close_driver());
    store.abandon();
    return health;
  }
  CommitRun commit(store, CommitKind::kClose, name, pending);
  Status committed = commit.run(local, std::move(beginning));
  Status unencoded = committed.ok() ? commit.report_chunks(last) : Status();
  if (!committed.ok() || !store.coordinator().health().ok()) {
    // Ranks that lost step can't communicate any more; otherwise the file stays open, so that the
    // caller may mend what is wrong (a full disk) and try again.
    if (!store.coordinator().health().ok())
      store.abandon();
    else
      store.end().cut_nothing(name);
    return committed.ok() ? unencoded : committed;
  }
  if (!unencoded.ok() && commit.stays_open(last)) {
    store.end().cut_nothing(name);
    return unencoded;
  }
  PCIO_TRY(store.close_driver());
  return unencoded.ok() ? store.sync().lost() : unencoded;
}

}  // namespace pcio
