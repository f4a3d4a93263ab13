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
#include "storage/dataset/allocation.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

namespace {

/// Bits of LocalFacts::any_flags, beside those of unlinked objects.
constexpr std::uint64_t kCompactWritten = 2;
constexpr std::uint64_t kWantsChecked = 4;
constexpr std::uint64_t kWantsPowerLoss = 8;
constexpr std::uint64_t kIncoherent = 16;
constexpr std::uint64_t kSyncFailed = 512;

}  // namespace

Status FileStore::commit(CommitKind kind, const CallName& name, const Status& local) {
  // Before anybody asks for space, which there is none of until then.
  PCIO_TRY(mend(name));
  LocalFacts facts;
  facts.call_kind = kind == CommitKind::kClose ? CallKind::kClose : CallKind::kFlush;
  facts.any_flags = (written_compact_.empty() ? 0 : kCompactWritten) |
                    (durability_ == Durability::kChecked ? kWantsChecked : 0) |
                    (durability_ == Durability::kPowerLoss ? kWantsPowerLoss : 0) |
                    (driver_->capabilities().coherent ? 0 : kIncoherent) |
                    (sync_failed_ ? kSyncFailed : 0);
  facts.same[0] = hash_written_compact();
  // Chunks that only memory has come first: they get their places, and so change the metadata.
  Remains remains;
  Status ready = local;
  if (local.ok() && writable_)
    ready = without_throwing([&]() -> Status {
      PCIO_TRY(write_cached_chunks());
      return find_remains(&remains);
    });
  facts.any_flags |= unlinked_flags(remains);
  PCIO_ASSIGN(GlobalFacts agreed, coordinator_->agree(name, facts, ready));
  if (!writable_) return Status();
  left_out_.clear();
  sync_failed_ = (agreed.any_flags & kSyncFailed) != 0;
  const CommitTraits traits = agreed_traits(agreed.any_flags);
  if ((agreed.any_flags & kCompactWritten) != 0)
    PCIO_TRY(agree_compact(
        name, agreed.same[0].equal() ? CompactCopies::kEqual : CompactCopies::kDiffer));
  PCIO_TRY(release_unlinked(name, kind, agreed.any_flags, std::move(remains)));
  if (kind == CommitKind::kClose) PCIO_TRY(trim_alike(name));
  if (anything_to_write() || (kind == CommitKind::kClose && kept_.outdated))
    PCIO_TRY(write_changes(name, kind, traits, Status()));
  // What is left out still needs bytes that are free otherwise.
  const bool closes = kind == CommitKind::kClose;
  if (closes && left_out_.empty()) PCIO_TRY(lower_end(name, traits));
  if (closes && left_out_.empty()) PCIO_TRY(give_back_end(name, traits));
  // Cutting at each flush would cost locks of the whole file on some file systems.
  if (closes && left_out_.empty()) PCIO_TRY(cut_file(name));
  PCIO_TRY(last_sync(kind, traits.durability));
  if (!left_out_.empty()) return report_left_out();
  // A close says so when the file is closed.
  return closes ? Status() : lost_by_sync();
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
  PCIO_TRY(outcome_alike(*coordinator_, name, planned));
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
  if (std::none_of(dirty_.begin(), dirty_.end(), owes)) return Status();
  const Status paid = without_throwing([&]() -> Status {
    for (const auto& entry : dirty_)
      if (owes(entry)) {
        const DatasetState& state = *entry.second->dataset;
        PCIO_TRY(write_fill(*this, state, owed_space(state)));
      }
    return Status();
  });
  PCIO_TRY(coordinator_->outcome(name, paid));
  for (const auto& entry : dirty_)
    if (owes(entry)) entry.second->dataset->owed = OwedFill();
  return Status();
}

CommitTraits FileStore::agreed_traits(std::uint64_t flags) const {
  CommitTraits traits;
  if ((flags & kWantsChecked) != 0) traits.durability = Durability::kChecked;
  if ((flags & kWantsPowerLoss) != 0) traits.durability = Durability::kPowerLoss;
  // Two nodes that write one page of such a file system lose one of the writes.
  traits.share = coordinator_->one_machine() || (flags & kIncoherent) == 0;
  return traits;
}

/// Collective: over the file.
Status FileStore::last_sync(CommitKind kind, Durability durability) {
  if (durability == Durability::kNone)
    return kind == CommitKind::kFlush ? driver_->flush() : Status();
  PCIO_TRY(sync_all());
  if (kind != CommitKind::kCreate || durability != Durability::kPowerLoss) return Status();
  Status local;
  if (coordinator_->rank() == 0 && driver_->capabilities().on_disk)
    local = without_throwing([&] { return sync_directory(driver_->identity().path); });
  const std::string path = PCIO_TEXT_(driver_->identity().path);
  return coordinator_->outcome({"H5Fcreate", path}, local);
}

/// What the commit made free at the end of the file goes with a superblock of its own: until the
/// commit was complete the last one needed it. Where free space is kept it is listed instead.
Status FileStore::give_back_end(const CallName& name, const CommitTraits& traits) {
  if (kept_.keeps()) return Status();
  PCIO_TRY(trim_alike(name));
  if (end_in_file() == superblock_.end_of_file) return Status();
  BlockSet nothing;
  std::vector<std::byte> next;
  const Status made = without_throwing([&]() -> Status {
    PCIO_ASSIGN(next, next_superblock());
    return Status();
  });
  PCIO_TRY(outcome_alike(*coordinator_, name, made));
  return write_everything(name, nothing, traits, std::move(next));
}

/// Where the file ends decides what comes next: all ranks have trimmed, or none goes on.
Status FileStore::trim_alike(const CallName& name) {
  return outcome_alike(*coordinator_, name, without_throwing([&] {
    trim();
    return Status();
  }));
}

void FileStore::trim() {
  // Raw data may have been written, or not, up to the end that is given up now.
  if (size_in_file_ < end_in_file()) {
    size_in_file_ = end_in_file();
    size_unsure_ = true;
  }
  space_.trim_end();
}

std::uint64_t FileStore::end_in_file() const {
  return superblock_.base_address + space_.end_of_allocation();
}

bool FileStore::anything_to_write() const {
  return anything_dirty() || end_in_file() != superblock_.end_of_file ||
         size_in_file_ < end_in_file();
}

Status FileStore::extend_to_allocated() {
  if (size_in_file_ >= end_in_file()) return Status();
  PCIO_TRY(driver_->truncate(end_in_file()));
  size_in_file_ = end_in_file();
  return Status();
}

/// Cuts what a committed superblock no longer counts. Collective: over the file where there is
/// such.
Status FileStore::cut_file(const CallName& name) {
  if (size_in_file_ <= end_in_file()) return Status();
  PCIO_TRY(coordinator_->outcome(name, driver_->truncate(end_in_file())));
  size_in_file_ = end_in_file();
  return Status();
}

/// The superblock in memory changes only when the commit is settled: a retry must see what is left.
Result<std::vector<std::byte>> FileStore::next_superblock() const {
  Superblock next = superblock_;
  next.end_of_file = end_in_file();
  next.root_header = root_->address;
  next.root = SymbolTableEntry();
  next.root.header_address = root_->address;
  // Of a root that is left out the file has the links that it had.
  const bool stays = root_->in_file && left_out_.count(root_->address) > 0;
  const SymbolTablePlace& links = stays ? root_->in_file->links : root_->symbol_table;
  if ((stays || root_->find(kMessageSymbolTable) != nullptr) && links.btree != kUndefinedAddress) {
    next.root.cache = SymbolCache::kGroup;
    next.root.btree_address = links.btree;
    next.root.heap_address = links.heap;
  }
  ByteWriter out;
  PCIO_TRY(encode_superblock(next, out));
  return std::move(out).take();
}

/// Everything planned is in the file, all ranks know it: nothing is dirty any more.
void FileStore::settle() {
  size_in_file_ = std::max(size_in_file_, end_in_file());
  superblock_.end_of_file = end_in_file();
  superblock_dirty_ = false;
  std::map<FileAddress, StoredObjectPtr> left_out;
  for (auto& [address, object] : dirty_) {
    const bool stays = left_out_.count(address) > 0;
    if (stays) left_out.emplace(address, object);
    object->dirty = stays;
    object->links_dirty = stays && object->links_dirty;
    object->committed = true;
    if (!stays) object->in_file.reset();
    if (PlacedTable* placed = placed_tables_.find(address); placed != nullptr && !stays) {
      placed->mark_committed();
      if (object->links) object->links->changes.emplace();
    }
    if (object->dataset && !stays) {
      object->dataset->index_dirty = false;
      if (object->dataset->placed) object->dataset->placed->settle();
      if (object->dataset->index) object->dataset->index->settle_changes();
      object->dataset->messages_dirty = false;
    }
  }
  // Who loads one of these again from what stands in place would see the last commit.
  if (unfinished_reach_ == CommitReach::kWindow) unmended_ = std::move(dirty_);
  dirty_ = std::move(left_out);
  dirty_.empty() ? space_.committed() : space_.committed_in_part();
}

Status FileStore::close(const CallName& name, const Status& local) {
  if (!coordinator_->health().ok()) return give_up();
  Status committed = commit(CommitKind::kClose, name, local);
  if (!committed.ok()) {
    // Ranks that lost step can't communicate any more; otherwise the file stays open, so that the
    // caller may mend what is wrong (a full disk) and try again.
    if (!coordinator_->health().ok()) abandon();
    return committed;
  }
  closed_ = true;
  report_log_.log_independent();
  // Whether it can be given back changes nothing about the file.
  static_cast<void>(coordinator_->release_shared_memory());
  PCIO_TRY(driver_->close());
  return lost_by_sync();
}

Status FileStore::give_up() {
  abandon();
  return coordinator_->health();
}

}  // namespace pcio
