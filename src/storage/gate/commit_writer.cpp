// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: the steps of a commit, each of which leaves a file that everybody reads as the last
// commit or as the next one, or that everybody refuses.
//
//   1 new blocks go to new addresses; the file is at least as long as what is allocated
//   2 the journal: the blocks that overwrite committed bytes, and a trailer, behind that end
//   3 the window superblock: the commit point
//   4 the overwriting blocks, in place
//   5 the next superblock
//   6 what lies behind the end is dead; it is cut at close
//
// Where nothing is overwritten but the superblock, 2 to 4 fall away. With power loss in mind each
// arrow between them is a sync. Source: doc/COMMIT.md.

#include "storage/gate/commit_writer.hpp"

#include <algorithm>
#include <ctime>
#include <unistd.h>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "plan/write_shares.hpp"

namespace pcio {

namespace {

/// Neighbouring blocks are written together up to this many bytes.
constexpr std::uint64_t kWriteBatchBytes = 1 << 20;
/// From here on new blocks are shared out: below, agreeing once more costs more than it saves.
constexpr std::uint64_t kShareFrom = 1 << 20;

std::array<std::uint64_t, 2> random_session() {
  std::array<std::uint64_t, 2> id{static_cast<std::uint64_t>(std::time(nullptr)), 0};
  // Where the system has no entropy left, the time still tells sessions apart.
  if (::getentropy(id.data(), sizeof id) != 0) id[1] = static_cast<std::uint64_t>(::getpid());
  return id;
}

std::uint64_t bytes_of(std::span<const DirtyBlock> blocks) {
  std::uint64_t bytes = 0;
  for (const DirtyBlock& block : blocks) bytes += block.range.size;
  return bytes;
}

/// Sorts by address what is_first() says first, then the rest; where that begins. In place: of many
/// blocks there is no second list.
template <class First>
std::span<DirtyBlock>::iterator sort_apart(std::span<DirtyBlock> blocks, First is_first) {
  const auto rest = std::partition(blocks.begin(), blocks.end(), is_first);
  const auto by_address = [](const DirtyBlock& a, const DirtyBlock& b) {
    return a.range.offset < b.range.offset;
  };
  // Objects are planned in the order of their addresses, for the most part.
  for (const auto part : {std::span(blocks.begin(), rest), std::span(rest, blocks.end())})
    if (!std::is_sorted(part.begin(), part.end(), by_address))
      std::sort(part.begin(), part.end(), by_address);
  return rest;
}

Status encode_block(const DirtyBlock& block, ByteWriter& out) {
  const std::size_t before = out.size();
  PCIO_TRY(block.encode(out));
  if (out.size() - before == block.range.size) return Status();
  return PCIO_ERROR(INTERNAL, BADSIZE,
                    "a metadata block was encoded to another size than the one planned for it");
}

/// Part `rank` of `ranks` of the blocks, which are by address.
std::span<DirtyBlock> share_of(std::span<DirtyBlock> blocks, BlockWriters writers,
                               std::uint64_t rank) {
  std::size_t first = 0, count = 0;
  for (const DirtyBlock& block : blocks) {
    const std::uint64_t writer = writers.next(block.range);
    if (writer > rank) break;
    writer < rank ? ++first : ++count;
  }
  return blocks.subspan(first, count);
}

}  // namespace

CommitWriter::CommitWriter(FileContext& file, FileEnd& end, FileSync& sync)
    : file_(file), end_(end), sync_(sync), session_(random_session()) {}

void CommitWriter::take_opened(FileHead head) {
  file_.bytes->set_overlay(head.journal);
  opened_state_ = head.state;
  opened_ = std::move(head.journal);
  if (opened_)
    previous_ = opened_->next;
  else
    previous_ = std::move(head.raw);
}

bool CommitWriter::was_opened_from(const FileHead& seen) const {
  return seen.state == opened_state_ &&
         previous_ == (seen.journal != nullptr ? seen.journal->next : seen.raw);
}

Status CommitWriter::complete_opened() {
  if (!opened_) return Status();
  Status local;
  if (file_.coordinator->rank() == 0)
    local = without_throwing([&]() -> Status {
      PCIO_TRY(replay_found_journal(*file_.driver, *opened_));
      return sync_unseen();
    });
  const std::string path = PCIO_TEXT_(file_.driver->identity().path);
  PCIO_TRY(file_.coordinator->outcome({"completing a commit", path}, local));
  // The others read in place from here on.
  file_.driver->forget_cached();
  file_.bytes->set_overlay(nullptr);
  opened_.reset();
  return Status();
}

CommitSteps CommitWriter::split(BlockSet& blocks) const {
  auto is_new = [&](const DirtyBlock& b) { return file_.space.is_uncommitted(b.range.offset); };
  auto is_shared = [](const DirtyBlock& b) { return b.writer == BlockWriter::kAnyRank; };
  const std::span<DirtyBlock> all(blocks);
  const auto old = sort_apart(all, is_new);
  const auto rank0 = sort_apart({all.begin(), old}, is_shared);
  CommitSteps steps;
  steps.shared_blocks = {all.begin(), rank0};
  steps.rank0_blocks = {rank0, old};
  steps.overwriting = {old, all.end()};
  steps.shared_bytes = bytes_of(steps.shared_blocks);
  steps.overwriting_bytes = bytes_of(steps.overwriting);
  return steps;
}

Status CommitWriter::write_blocks(std::span<DirtyBlock> blocks) {
  ByteWriter out;
  for (std::size_t i = 0; i < blocks.size();) {
    const FileAddress start = blocks[i].range.offset;
    std::size_t end = i;
    std::uint64_t bytes = 0;
    for (; end < blocks.size() && blocks[end].range.offset == start + bytes &&
           bytes < kWriteBatchBytes;
         ++end)
      bytes += blocks[end].range.size;
    if (bytes > kWriteBatchBytes) out = ByteWriter();  // not two large ones at a time
    out.clear();
    out.reserve(bytes);
    for (; i < end; ++i) PCIO_TRY(encode_block(blocks[i], out));
    PCIO_TRY(file_.bytes->write(start, out.view()));
  }
  return Status();
}

/// Of ranks that set sizes each by itself rank 0 makes the file `least` bytes long, unless the journal does, which ends behind
/// all that the file can have now, as far as its size is known. Collective: independent.
Status CommitWriter::reach_alone(const CommitSteps& steps, std::uint64_t least) {
  const bool reaches = end_.size() >= least || needs_window(steps);
  const bool is_sure = !end_.is_unsure();
  end_.extend_to(least);
  return reaches && is_sure ? Status() : end_.set_by_rank0(least);
}

/// Step 1. Collective: over the file, one exchange where all ranks write; this rank's part else.
Status CommitWriter::write_new_blocks(const CallName& name, CommitSteps& steps, Status* mine) {
  // Nobody can open a file that is shorter than its superblock says, so the last commit's end
  // counts.
  const std::uint64_t least = std::max(end_.allocated(), file_.superblock.end_of_file);
  Status reached = without_throwing([&] {
    return steps.traits.others_synced ? reach_alone(steps, least) : end_.reach_here(least);
  });
  // Where each rank sets the size by itself a late one would cut what others have written behind it by then. File
  // systems like that defer errors, so that a sync of all ranks, an agreement, comes before the journal.
  if (file_.parallel() && !file_.driver->sizes_by_one() &&
      steps.traits.durability == Durability::kNone)
    reached = file_.coordinator->outcome(name, reached);
  const BlockWriters writers(steps.shared_bytes, file_.write_unit(),
                             static_cast<std::uint64_t>(file_.coordinator->size()));
  const bool share = file_.parallel() && steps.traits.share && steps.shared_bytes >= kShareFrom &&
                     writers.writers() > 1;
  const bool first = file_.coordinator->rank() == 0;
  *mine = without_throwing([&]() -> Status {
    PCIO_TRY(Status(reached));
    if (share)
      PCIO_TRY(write_blocks(share_of(steps.shared_blocks, writers,
                                     static_cast<std::uint64_t>(file_.coordinator->rank()))));
    else if (first)
      PCIO_TRY(write_blocks(steps.shared_blocks));
    return first ? write_blocks(steps.rank0_blocks) : Status();
  });
  if (share) PCIO_TRY(file_.coordinator->outcome(name, *mine));
  // Raw data and blocks of all ranks, before anything says that they are there. In a file that was just made
  // nothing is but rank 0's, whose late errors the last sync tells.
  const Durability wanted = steps.traits.durability;
  const bool syncs =
      steps.traits.is_first ? wanted == Durability::kPowerLoss : wanted != Durability::kNone;
  return syncs && !steps.traits.others_synced ? sync_.sync_all() : Status();
}

/// Where the journal of this commit ends: never before the end of the file, which may have a dead
/// tail. The same on all ranks.
std::uint64_t CommitWriter::end_of_journal(const CommitSteps& steps) const {
  const std::uint64_t size =
      journal_size(steps.overwriting.size(), steps.overwriting_bytes, steps.next.size());
  return std::max(end_.size(), end_.allocated() + size);
}

/// True where this commit has a window. The same on all ranks.
bool CommitWriter::needs_window(const CommitSteps& steps) const {
  if (steps.overwriting.empty() || !file_.driver->capabilities().journaled) return false;
  auto shape = superblock_shape(steps.next);
  return shape && previous_.size() == shape->size && can_open_window(*shape, end_of_journal(steps));
}

/// True where files like this one can have a window but this one is too large: what a commit can
/// put elsewhere it does not overwrite. The same on all ranks.
bool CommitWriter::overwrites_unsafely() const {
  if (!file_.driver->capabilities().journaled || previous_.empty()) return false;
  auto shape = superblock_shape(previous_);
  // As much again bounds the journal.
  return shape && !can_open_window(*shape, 2 * std::max(end_.size(), end_.allocated()));
}

/// Step 2, rank 0's. Independent.
Result<std::shared_ptr<Journal>> CommitWriter::write_journal(const CommitSteps& steps) {
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(steps.next));
  auto journal = std::make_shared<Journal>();
  ByteWriter data;
  for (const DirtyBlock& block : steps.overwriting) {
    PCIO_TRY(encode_block(block, data));
    journal->entries.push_back({block.range, 0});
  }
  journal->data = std::move(data).take();
  journal->previous = previous_;
  journal->next = steps.next;
  journal->trailer.file_size = end_of_journal(steps);
  journal->trailer.base = file_.superblock.base_address;
  journal->trailer.other_files = file_.space.second_part();
  journal->trailer.stamp = {session_, ++sequence_};
  seal_journal(shape, journal.get());
  PCIO_TRY(file_.driver->write(journal->trailer.start, encode_journal(*journal)));
  PCIO_ASSIGN(std::uint64_t size, file_.driver->size());
  if (size != journal->trailer.file_size)
    return PCIO_ERROR(FILE, WRITEERROR,
                      "the file has " + std::to_string(size) + " bytes instead of " +
                          std::to_string(journal->trailer.file_size) +
                          " in the middle of a commit: another program writes it");
  return journal;
}

/// Step 3, rank 0's. In versions 0 and 1 it is a write of one byte. Where it fails, the previous
/// superblock is put back. Independent.
Status CommitWriter::open_window(const SuperblockShape& shape, CommitReach* reach) {
  const std::vector<std::byte> window = make_window(shape, previous_);
  const std::size_t first = shape.has_checksum() ? 0 : shape.window_byte();
  const std::size_t count = shape.has_checksum() ? shape.size : 1;
  const std::uint64_t at = file_.superblock.base_address + first;
  Status opened = file_.driver->write(at, ConstBytes(window).subspan(first, count));
  *reach = opened.ok() ? CommitReach::kWindow : CommitReach::kUnsure;
  if (!opened.ok() && file_.driver->write(at, ConstBytes(previous_).subspan(first, count)).ok())
    *reach = CommitReach::kPrevious;
  return opened;
}

/// Steps 2 to 5 on rank 0. Independent. `*reach` tells how the file stands after a failure.
Status CommitWriter::pass_commit_point(const CommitSteps& steps, CommitReach* reach) {
  const Arrow arrow = sync_.arrow(steps.traits.durability);
  if (!needs_window(steps)) {
    // The new blocks, which nobody else syncs before something says that they are there.
    if (steps.traits.others_synced && !steps.traits.is_first) PCIO_TRY(sync_.sync_independent());
    PCIO_TRY(write_blocks(steps.overwriting));
    if (!steps.overwriting.empty()) PCIO_TRY(arrow());
    *reach = CommitReach::kUnsure;
    PCIO_TRY(write_superblock_bytes(*file_.driver, file_.superblock.base_address, previous_,
                                    steps.next));
    return arrow();
  }
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(steps.next));
  PCIO_ASSIGN(std::shared_ptr<Journal> journal, write_journal(steps));
  // Whoever defers errors must have told them before the point of no return.
  if (steps.traits.durability != Durability::kNone) PCIO_TRY(sync_.sync_independent());
  unfinished_ = journal;
  PCIO_TRY(open_window(shape, reach));
  PCIO_TRY(arrow());
  return finish_commit(*file_.driver, *journal, previous_, arrow);
}

CommitOutcome CommitWriter::write(const CallName& name, BlockSet& blocks,
                                  const CommitTraits& traits, std::vector<std::byte> next) {
  CommitSteps steps = split(blocks);
  steps.traits = traits;
  steps.next = std::move(next);
  Status mine;
  if (Status begun = write_new_blocks(name, steps, &mine); !begun.ok()) {
    end_.lose_track();
    return {std::move(begun)};
  }
  const std::uint64_t journal_end = needs_window(steps) ? end_of_journal(steps) : 0;
  auto reach = CommitReach::kPrevious;
  if (file_.coordinator->rank() == 0 && mine.ok())
    mine = without_throwing([&] { return pass_commit_point(steps, &reach); });
  // Each of the other machines is told the size that the file has by the end: told sooner or later than rank 0 writes there
  // it cuts nothing.
  Status told;
  const bool tells = steps.traits.flushes || steps.traits.is_first;
  if (steps.traits.others_synced && !tells) end_.tell_when_closed();
  if (steps.traits.others_synced && tells && file_.coordinator->rank() != 0)
    told = without_throwing([&] { return end_.tell_here(std::max(end_.size(), journal_end)); });
  const FlushedCommit ended = end_together(name, steps, mine, std::move(told));
  const Status& all = ended.written;
  end_.extend_to(journal_end);
  // Also where it failed: the journal's bytes are no holes.
  if (journal_end != 0) file_.space.mark_written(journal_end - file_.superblock.base_address);
  if (!all.ok()) {
    end_.lose_track();
    unfinished_durability_ = traits.durability;
    note_failure(reach);
    if (!is_in_window()) return {all};
  }
  previous_ = std::move(steps.next);
  return {all.ok() ? ended.flushed : all, true};
}

/// The agreement behind the last write, and, of a flush, behind what makes it seen: a failure there, or in `flushed`, takes
/// nothing back. Collective: over the file, one exchange, one more where the flush failed.
CommitWriter::FlushedCommit CommitWriter::end_together(const CallName& name,
                                                       const CommitSteps& steps, const Status& mine,
                                                       Status flushed) {
  // Of many ranks all come, whatever has become of theirs.
  const bool comes = flushed.ok() && (mine.ok() || file_.parallel());
  if (comes && steps.traits.durability != Durability::kNone)
    flushed = without_throwing([&] { return sync_.sync_here(); });
  else if (comes && steps.traits.flushes)
    flushed = without_throwing([&] { return file_.driver->flush_here(); });
  LocalFacts facts;
  facts.call_kind = CallKind::kOutcome;
  facts.any_flags = flushed.ok() ? 0 : 1;
  const Result<GlobalFacts> all = file_.coordinator->agree(name, facts, mine);
  if (!all) return {all.error(), Status()};
  if (all->any_flags != 0)
    needs_journal_ = true;
  else if (steps.traits.durability != Durability::kNone && !sync_.failed())
    needs_journal_ = false;
  if (all->any_flags == 0) {
    file_.driver->forget_cached();
    return {};
  }
  // What could not be synced is still to be shown.
  return {Status(), file_.coordinator->outcome(name, flushed)};
}

Status CommitWriter::sync_unseen() {
  return file_.driver->has_unsynced_writes() ? sync_.sync_independent() : Status();
}

/// The order is: what was written is in the file system, all know it, each forgets. The end is set on each machine
/// alike, because one that remembers another reads no further; of small files it is set also where it is known (FileEnd::set_here).
Status CommitWriter::show_writes(const CallName& name) { return show_with_outcome(name, Status()); }

Status CommitWriter::show_with_outcome(const CallName& name, const Status& local) {
  // Ranks that lost step have ends of their own.
  PCIO_TRY(file_.coordinator->health());
  const Status shown = show_here();
  if (Status all = file_.coordinator->outcome(name, local.ok() ? shown : local); !all.ok()) {
    end_.lose_track();
    return all;
  }
  file_.driver->forget_cached();
  return Status();
}

/// This rank's part. Collective: over the file, between two agreements of one call.
Status CommitWriter::show_here() {
  Status shown = without_throwing([&] { return sync_unseen(); });
  // Where a commit is to be mended its journal lies behind that end.
  const std::uint64_t least = std::max(end_.allocated(), file_.superblock.end_of_file);
  if (unfinished_reach_ == CommitReach::kPrevious) {
    Status reached = without_throwing([&] { return end_.set_here(least); });
    if (shown.ok()) shown = std::move(reached);
  }
  return shown;
}

Status CommitWriter::show_where_apart(const CallName& name, const Status& local) {
  if (!file_.writable || !file_.driver->caches_apart()) return local;
  PCIO_TRY(file_.coordinator->outcome(name, local));
  return show_writes(name);
}

/// After a commit failed: all ranks learn how the file stands, and nobody gets new space, which
/// might lie where the journal is, until the next commit has mended it. Collective: over the file.
void CommitWriter::note_failure(CommitReach reach) {
  auto word = static_cast<std::uint64_t>(reach);
  if (!file_.coordinator->allreduce_max({&word, 1}).ok()) return;
  unfinished_reach_ = static_cast<CommitReach>(word);
  if (unfinished_reach_ == CommitReach::kPrevious) return;
  file_.space.forbid_allocation();
}

/// Steps 2 and 3 once more. Independent: rank 0's.
Status CommitWriter::rewrite_window(const Journal& journal, const Arrow& synced) {
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(journal.next));
  PCIO_TRY(file_.driver->write(journal.trailer.start, encode_journal(journal)));
  PCIO_TRY(synced());
  PCIO_TRY(
      file_.driver->write(file_.superblock.base_address, make_window(shape, journal.previous)));
  return synced();
}

/// Rank 0's. Independent.
Status CommitWriter::recover_here() {
  const Arrow synced = sync_.arrow(unfinished_durability_);
  if (is_in_window()) {
    // Where a sync failed nobody knows what the storage has of them.
    if (unfinished_durability_ == Durability::kPowerLoss)
      PCIO_TRY(rewrite_window(*unfinished_, synced));
    // What the writes that failed have left of the superblock nobody knows, and a driver may be one that can only write:
    // it is written as where none of it is as it shall be.
    std::vector<std::byte> unlike = unfinished_->next;
    for (std::byte& byte : unlike) byte = ~byte;
    return finish_commit(*file_.driver, *unfinished_, unlike, synced);
  }
  if (previous_.empty()) return Status();
  return file_.driver->write(file_.superblock.base_address, previous_);
}

Status CommitWriter::recover(const CallName& name) {
  if (unfinished_reach_ == CommitReach::kPrevious) return Status();
  const Status mine = without_throwing([&]() -> Status {
    if (file_.coordinator->rank() == 0) PCIO_TRY(recover_here());
    return sync_unseen();
  });
  PCIO_TRY(file_.coordinator->outcome(name, mine));
  file_.driver->forget_cached();
  unfinished_reach_ = CommitReach::kPrevious;
  unfinished_.reset();
  // What was completed just now is to be synced first, where that tells errors late.
  needs_journal_ = needs_journal_ || unfinished_durability_ != Durability::kNone;
  file_.space.allow_allocation();
  return Status();
}

}  // namespace pcio
