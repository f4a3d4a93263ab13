// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: the gate: the only place that writes metadata.
//
// The whole set of changed blocks is taken at once; commit_steps.cpp writes it, in an order in which
// the file can be cut anywhere.

#include <algorithm>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "driver/writer_lock.hpp"
#include "storage/commit/commit_facts.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

Status FileStore::commit(CommitKind kind, const CallName& name, const Status& local) {
  // Before anybody asks for space, which there is none of until then.
  PCIO_TRY(recover_commit(name));
  LocalFacts facts;
  facts.call_kind = kind == CommitKind::kClose ? CallKind::kClose : CallKind::kFlush;
  CommitFacts mine;
  mine.compact_written = compact_copies_.any_written();
  mine.asked = sync_.asked();
  mine.incoherent = !context_.driver->capabilities().coherent;
  mine.sync_failed = sync_.failed();
  mine.compact_hash = compact_copies_.hash();
  // Chunks that only memory has come first: they get their places, and so change the metadata.
  Remains remains;
  Status ready = local;
  if (local.ok() && context_.writable)
    ready = without_throwing([&]() -> Status {
      PCIO_TRY(flush_chunk_caches(*this));
      return find_remains(&remains);
    });
  mine.unlinked = unlinked_facts(remains);
  put_facts(mine, &facts);
  PCIO_ASSIGN(GlobalFacts merged, context_.coordinator->agree(name, facts, ready));
  if (!context_.writable) return Status();
  left_out_.clear();
  const CommitFacts agreed = commit_facts(merged);
  sync_.set_failed(agreed.sync_failed);
  // Two nodes that write one page of an incoherent file system lose one of the writes.
  const CommitTraits traits{agreed.asked,
                            context_.coordinator->one_machine() || !agreed.incoherent};
  if (agreed.compact_written)
    PCIO_TRY(compact_copies_.agree(name, agreed.compact_hash == 0
                                             ? CompactCopies::Copies::kEqual
                                             : CompactCopies::Copies::kDiffer));
  PCIO_TRY(release_unlinked(name, kind, agreed.unlinked, std::move(remains)));
  if (kind == CommitKind::kClose) PCIO_TRY(end_.trim_alike(name));
  if (anything_to_write() || (kind == CommitKind::kClose && kept_.outdated))
    PCIO_TRY(write_changes(name, kind, traits, Status()));
  // What is left out still needs bytes that are free otherwise.
  const bool closes = kind == CommitKind::kClose;
  if (closes && left_out_.empty()) PCIO_TRY(lower_end(name, traits));
  if (closes && left_out_.empty()) PCIO_TRY(give_back_end(name, traits));
  // Cutting at each flush would cost locks of the whole file on some file systems.
  if (closes && left_out_.empty()) PCIO_TRY(end_.cut_to_allocated(name));
  PCIO_TRY(last_sync(kind, traits.durability));
  if (!left_out_.empty()) return report_left_out();
  // A close says so when the file is closed.
  return closes ? Status() : sync_.lost();
}

/// `ready`: this rank's failure to get the changes ready. Collective: over the file.
Status FileStore::write_changes(const CallName& name, CommitKind kind, const CommitTraits& traits,
                                const Status& ready) {
  BlockSet blocks;
  std::vector<std::byte> next;
  Status planned = ready;
  if (planned.ok())
    planned = without_throwing([&]() -> Status {
      PCIO_TRY(plan_everything(kind, &blocks));
      PCIO_ASSIGN(next, next_superblock());
      return Status();
    });
  PCIO_TRY(outcome_alike(*context_.coordinator, name, planned));
  PCIO_TRY(pay_owed_fill(name));
  return write_everything(name, blocks, traits, std::move(next));
}

/// What was cut off is the fill value in what is committed; what the commit leaves out keeps its old
/// extent in the file, and so its data. All ranks have come here: none of them still writes into what
/// another has cut. Collective: over the file where anything is owed.
Status FileStore::pay_owed_fill(const CallName& name) {
  auto owes = [&](const auto& entry) {
    return entry.second->dataset && !entry.second->dataset->owed.empty() &&
           left_out_.count(entry.first) == 0;
  };
  if (std::none_of(objects_.changed().begin(), objects_.changed().end(), owes)) return Status();
  const Status paid = without_throwing([&]() -> Status {
    for (const auto& entry : objects_.changed())
      if (owes(entry)) {
        const DatasetState& state = *entry.second->dataset;
        PCIO_TRY(write_fill(*this, state, owed_space(state)));
      }
    return Status();
  });
  PCIO_TRY(context_.coordinator->outcome(name, paid));
  for (const auto& entry : objects_.changed())
    if (owes(entry)) entry.second->dataset->owed = OwedFill();
  return Status();
}

/// Collective: over the file.
Status FileStore::last_sync(CommitKind kind, Durability durability) {
  if (durability == Durability::kNone)
    return kind == CommitKind::kFlush ? context_.driver->flush() : Status();
  PCIO_TRY(sync_.sync_all());
  if (kind != CommitKind::kCreate || durability != Durability::kPowerLoss) return Status();
  Status local;
  if (context_.coordinator->rank() == 0 && context_.driver->capabilities().on_disk)
    local = without_throwing([&] { return sync_directory(context_.driver->identity().path); });
  const std::string path = PCIO_TEXT_(context_.driver->identity().path);
  return context_.coordinator->outcome({"H5Fcreate", path}, local);
}

/// What the commit made free at the end of the file goes with a superblock of its own: until the
/// commit was complete the last one needed it. Where free space is kept it is listed instead.
Status FileStore::give_back_end(const CallName& name, const CommitTraits& traits) {
  if (kept_.keeps()) return Status();
  PCIO_TRY(end_.trim_alike(name));
  if (end_.allocated() == context_.superblock.end_of_file) return Status();
  BlockSet nothing;
  std::vector<std::byte> next;
  const Status made = without_throwing([&]() -> Status {
    PCIO_ASSIGN(next, next_superblock());
    return Status();
  });
  PCIO_TRY(outcome_alike(*context_.coordinator, name, made));
  return write_everything(name, nothing, traits, std::move(next));
}

bool FileStore::anything_to_write() const {
  return anything_dirty() || end_.allocated() != context_.superblock.end_of_file ||
         end_.size() < end_.allocated();
}

/// Writes what was planned. Collective: over the file, as CommitWriter::write.
Status FileStore::write_everything(const CallName& name, BlockSet& blocks,
                                   const CommitTraits& traits, std::vector<std::byte> next) {
  CommitOutcome written = writer_.write(name, blocks, traits, std::move(next));
  if (!written.in_file) return std::move(written.status);
  const Status marked = without_throwing([&] {
    mark_committed();
    return Status();
  });
  // The commit is in the file; that this rank's map is not, all are told in their next agreement.
  if (!marked.ok()) context_.coordinator->lose_metadata_call(name, "out of memory");
  return written.status.ok() && !parallel() ? marked : std::move(written.status);
}

Status FileStore::recover_commit(const CallName& name) {
  PCIO_TRY(writer_.recover(name));
  objects_.forget_unrecovered();
  return Status();
}

/// The superblock in memory changes only when the commit is settled: a retry must see what is left.
Result<std::vector<std::byte>> FileStore::next_superblock() const {
  Superblock next = context_.superblock;
  next.end_of_file = end_.allocated();
  next.root_header = objects_.root()->address;
  next.root = SymbolTableEntry();
  next.root.header_address = objects_.root()->address;
  // Of a root that is left out the file has the links that it had.
  const bool stays = objects_.root()->in_file && left_out_.count(objects_.root()->address) > 0;
  const SymbolTablePlace& links =
      stays ? objects_.root()->in_file->links : objects_.root()->symbol_table;
  if ((stays || objects_.root()->find(kMessageSymbolTable) != nullptr) &&
      links.btree != kUndefinedAddress) {
    next.root.cache = SymbolCache::kGroup;
    next.root.btree_address = links.btree;
    next.root.heap_address = links.heap;
  }
  ByteWriter out;
  PCIO_TRY(encode_superblock(next, out));
  return std::move(out).take();
}

/// Everything planned is in the file, all ranks know it: nothing is dirty any more.
void FileStore::mark_committed() {
  end_.extend_to(end_.allocated());
  context_.superblock.end_of_file = end_.allocated();
  superblock_dirty_ = false;
  objects_.mark_committed(left_out_,
                          writer_.is_in_window() ? CommittedIn::kJournal : CommittedIn::kPlace);
  objects_.changed().empty() ? context_.space.committed() : context_.space.committed_in_part();
}

Status FileStore::close(const CallName& name, const Status& local) {
  if (!context_.coordinator->health().ok()) return give_up();
  Status committed = commit(CommitKind::kClose, name, local);
  if (!committed.ok()) {
    // Ranks that lost step can't communicate any more; otherwise the file stays open, so that the
    // caller may mend what is wrong (a full disk) and try again.
    if (!context_.coordinator->health().ok()) abandon();
    return committed;
  }
  closed_ = true;
  report_log_.log_independent();
  // Whether it can be given back changes nothing about the file.
  static_cast<void>(context_.coordinator->release_shared_memory());
  PCIO_TRY(context_.driver->close());
  return sync_.lost();
}

Status FileStore::give_up() {
  abandon();
  return context_.coordinator->health();
}

}  // namespace pcio
