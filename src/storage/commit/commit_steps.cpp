// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: the steps of a commit, each of which leaves a file that everybody reads as the last
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

#include "storage/file/commit_steps.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

namespace {

/// Neighbouring blocks are written together up to this many bytes.
constexpr std::uint64_t kWriteTogether = 1 << 20;
/// From here on new blocks are shared out: below, agreeing once more costs more than it saves.
constexpr std::uint64_t kShareFrom = 1 << 20;

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
  std::sort(blocks.begin(), rest, by_address);
  std::sort(rest, blocks.end(), by_address);
  return rest;
}

Status encode_block(const DirtyBlock& block, ByteWriter& out) {
  const std::size_t before = out.size();
  PCIO_TRY(block.encode(out));
  if (out.size() - before == block.range.size) return Status();
  return PCIO_ERROR(INTERNAL, BADSIZE,
                    "a metadata block was encoded to another size than the one planned for it");
}

/// Part `rank` of `ranks` of the blocks, cut by bytes: a block belongs to the rank in whose part of
/// all bytes its first one lies.
std::span<DirtyBlock> share_of(std::span<DirtyBlock> blocks, std::uint64_t bytes, int rank,
                               int ranks) {
  const auto n = static_cast<std::uint64_t>(ranks), r = static_cast<std::uint64_t>(rank);
  const std::uint64_t low = bytes / n * r + bytes % n * r / n;
  const std::uint64_t high = bytes / n * (r + 1) + bytes % n * (r + 1) / n;
  std::size_t first = 0, count = 0;
  std::uint64_t at = 0;
  for (const DirtyBlock& block : blocks) {
    if (at >= high) break;
    at < low ? ++first : ++count;
    at += block.range.size;
  }
  return blocks.subspan(first, count);
}

}  // namespace

CommitSteps FileStore::split_commit(BlockSet& blocks) const {
  auto is_new = [&](const DirtyBlock& b) { return space_.is_uncommitted(b.range.offset); };
  auto anybodys = [](const DirtyBlock& b) { return b.writer == BlockWriter::kAnyRank; };
  const std::span<DirtyBlock> all(blocks);
  const auto old = sort_apart(all, is_new);
  const auto shared = sort_apart({all.begin(), old}, anybodys);
  CommitSteps steps;
  steps.anybodys = {all.begin(), shared};
  steps.rank_zeros = {shared, old};
  steps.overwriting = {old, all.end()};
  steps.anybodys_bytes = bytes_of(steps.anybodys);
  steps.overwriting_bytes = bytes_of(steps.overwriting);
  return steps;
}

Status FileStore::write_blocks(std::span<DirtyBlock> blocks) {
  for (std::size_t i = 0; i < blocks.size();) {
    const FileAddress start = blocks[i].range.offset;
    std::size_t end = i;
    std::uint64_t bytes = 0;
    for (;
         end < blocks.size() && blocks[end].range.offset == start + bytes && bytes < kWriteTogether;
         ++end)
      bytes += blocks[end].range.size;
    ByteWriter out;
    out.reserve(bytes);
    for (; i < end; ++i) PCIO_TRY(encode_block(blocks[i], out));
    PCIO_TRY(bytes_->write(start, out.view()));
  }
  return Status();
}

/// Step 1. Collective: over the file, one exchange where all ranks write; this rank's part else.
Status FileStore::write_new_blocks(const CallName& name, CommitSteps& steps, Status* mine) {
  // Nobody can open a file that is shorter than its superblock says, so the last commit's end
  // counts.
  const std::uint64_t least = std::max(end_in_file(), superblock_.end_of_file);
  if (size_unsure_ || size_in_file_ < least) {
    PCIO_TRY(driver_->truncate(least));
    size_in_file_ = least;
    size_unsure_ = false;
  }
  const bool share = parallel() && steps.traits.share && steps.anybodys_bytes >= kShareFrom;
  const bool first = coordinator_->rank() == 0;
  *mine = without_throwing([&]() -> Status {
    if (share)
      PCIO_TRY(write_blocks(share_of(steps.anybodys, steps.anybodys_bytes, coordinator_->rank(),
                                     coordinator_->size())));
    else if (first)
      PCIO_TRY(write_blocks(steps.anybodys));
    return first ? write_blocks(steps.rank_zeros) : Status();
  });
  if (share) PCIO_TRY(coordinator_->outcome(name, *mine));
  // Raw data and blocks of all ranks, before anything says that they are there.
  return steps.traits.durability == Durability::kNone ? Status() : sync_all();
}

/// Remembers a sync that failed.
Status FileStore::note_sync(Status synced) {
  if (!synced.ok()) sync_failed_ = true;
  return synced;
}

/// What comes between two steps of rank 0.
Arrow FileStore::arrow(Durability durability) {
  if (durability != Durability::kPowerLoss) return [] { return Status(); };
  return [this] { return note_sync(driver_->sync_alone()); };
}

/// The system tells once that it lost bytes. Metadata are written again by the next commit; raw data
/// are nowhere else.
Status FileStore::lost_by_sync() const {
  if (!sync_failed_) return Status();
  return PCIO_ERROR(
      FILE, CANTFLUSH,
      "a sync of the file failed before: data that were written until then may not be in "
      "its storage, though they can be read now. Metadata have been written again; "
      "write the data again into a new file, or close this one and check it");
}

/// Where the journal of this commit ends: never before the end of the file, which may have a dead
/// tail. The same on all ranks.
std::uint64_t FileStore::end_of_journal(const CommitSteps& steps) const {
  const std::uint64_t size =
      journal_size(steps.overwriting.size(), steps.overwriting_bytes, steps.next.size());
  return std::max(size_in_file_, end_in_file() + size);
}

/// True where this commit has a window. The same on all ranks.
bool FileStore::needs_window(const CommitSteps& steps) const {
  if (steps.overwriting.empty() || !driver_->capabilities().journaled) return false;
  auto shape = superblock_shape(steps.next);
  return shape && previous_.size() == shape->size && can_open_window(*shape, end_of_journal(steps));
}

/// True where files like this one can have a window but this one is too large: what a commit can
/// put elsewhere it does not overwrite. The same on all ranks.
bool FileStore::overwrites_unsafely() const {
  if (!driver_->capabilities().journaled || previous_.empty()) return false;
  auto shape = superblock_shape(previous_);
  // As much again bounds the journal.
  return shape && !can_open_window(*shape, 2 * std::max(size_in_file_, end_in_file()));
}

/// Step 2, rank 0's. Independent.
Result<std::shared_ptr<Journal>> FileStore::write_journal(const CommitSteps& steps) {
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
  journal->trailer.base = superblock_.base_address;
  journal->trailer.stamp = {session_, ++sequence_};
  seal_journal(shape, journal.get());
  PCIO_TRY(driver_->write(journal->trailer.start, encode_journal(*journal)));
  PCIO_ASSIGN(std::uint64_t size, driver_->size());
  if (size != journal->trailer.file_size)
    return PCIO_ERROR(FILE, WRITEERROR,
                      "the file has " + std::to_string(size) + " bytes instead of " +
                          std::to_string(journal->trailer.file_size) +
                          " in the middle of a commit: another program writes it");
  return journal;
}

/// Step 3, rank 0's. In versions 0 and 1 it is a write of one byte. Where it fails, the previous
/// superblock is put back. Independent.
Status FileStore::open_window(const SuperblockShape& shape, CommitReach* reach) {
  const std::vector<std::byte> window = make_window(shape, previous_);
  const std::size_t first = shape.has_checksum() ? 0 : shape.window_byte();
  const std::size_t count = shape.has_checksum() ? shape.size : 1;
  const std::uint64_t at = superblock_.base_address + first;
  Status opened = driver_->write(at, ConstBytes(window).subspan(first, count));
  *reach = opened.ok() ? CommitReach::kWindow : CommitReach::kUnsure;
  if (!opened.ok() && driver_->write(at, ConstBytes(previous_).subspan(first, count)).ok())
    *reach = CommitReach::kPrevious;
  return opened;
}

/// Steps 2 to 5 on rank 0. Independent. `*reach` tells how the file stands after a failure.
Status FileStore::pass_commit_point(const CommitSteps& steps, CommitReach* reach) {
  const Arrow arrow = this->arrow(steps.traits.durability);
  if (!needs_window(steps)) {
    PCIO_TRY(write_blocks(steps.overwriting));
    if (!steps.overwriting.empty()) PCIO_TRY(arrow());
    *reach = CommitReach::kUnsure;
    PCIO_TRY(write_superblock_bytes(*driver_, superblock_.base_address, previous_, steps.next));
    return arrow();
  }
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(steps.next));
  PCIO_ASSIGN(std::shared_ptr<Journal> journal, write_journal(steps));
  // Whoever defers errors must have told them before the point of no return.
  if (steps.traits.durability != Durability::kNone) PCIO_TRY(note_sync(driver_->sync_alone()));
  unfinished_ = journal;
  PCIO_TRY(open_window(shape, reach));
  PCIO_TRY(arrow());
  return replay_journal(*driver_, *journal, arrow);
}

/// All steps of one commit, `next` being its superblock. Collective: over the file, one exchange at the end, one more where the
/// new blocks were shared out, one more where it failed. When it failed behind the commit point, it
/// is settled all the same: what is in the journal is committed, and the next commit completes it.
Status FileStore::write_everything(const CallName& name, BlockSet& blocks,
                                   const CommitTraits& traits, std::vector<std::byte> next) {
  CommitSteps steps = split_commit(blocks);
  steps.traits = traits;
  steps.next = std::move(next);
  Status mine;
  PCIO_TRY(write_new_blocks(name, steps, &mine));
  const std::uint64_t journal_end = needs_window(steps) ? end_of_journal(steps) : 0;
  auto reach = CommitReach::kPrevious;
  if (coordinator_->rank() == 0 && mine.ok())
    mine = without_throwing([&] { return pass_commit_point(steps, &reach); });
  Status all = coordinator_->outcome(name, mine);
  size_in_file_ = std::max(size_in_file_, journal_end);
  // Also where it failed: the journal's bytes are no holes.
  if (journal_end != 0) space_.mark_written(journal_end - superblock_.base_address);
  if (!all.ok()) {
    size_unsure_ = true;
    unfinished_durability_ = traits.durability;
    note_failure(reach);
    if (unfinished_reach_ != CommitReach::kWindow) return all;
  }
  previous_ = std::move(steps.next);
  const Status settled = without_throwing([&] {
    settle();
    return Status();
  });
  // The commit is in the file; that this rank's map is not, all are told in their next agreement.
  if (!settled.ok()) coordinator_->lose_metadata_call(name, "out of memory");
  return all.ok() && !parallel() ? settled : all;
}

/// After a commit failed: all ranks learn how the file stands, and nobody gets new space, which
/// might lie where the journal is, until the next commit has mended it. Collective: over the file.
void FileStore::note_failure(CommitReach reach) {
  auto word = static_cast<std::uint64_t>(reach);
  if (!coordinator_->allreduce_max({&word, 1}).ok()) return;
  unfinished_reach_ = static_cast<CommitReach>(word);
  if (unfinished_reach_ == CommitReach::kPrevious) return;
  space_.freeze();
}

/// Steps 2 and 3 once more. Independent: rank 0's.
Status FileStore::rewrite_window(const Journal& journal, const Arrow& synced) {
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(journal.next));
  PCIO_TRY(driver_->write(journal.trailer.start, encode_journal(journal)));
  PCIO_TRY(synced());
  PCIO_TRY(driver_->write(superblock_.base_address, make_window(shape, journal.previous)));
  return synced();
}

Status FileStore::mend(const CallName& name) {
  if (unfinished_reach_ == CommitReach::kPrevious) return Status();
  Status mine;
  if (coordinator_->rank() == 0)
    mine = without_throwing([&]() -> Status {
      const std::uint64_t base = superblock_.base_address;
      const Arrow synced = arrow(unfinished_durability_);
      if (unfinished_reach_ == CommitReach::kWindow) {
        // Where a sync failed nobody knows what the storage has of them.
        if (unfinished_durability_ == Durability::kPowerLoss)
          PCIO_TRY(rewrite_window(*unfinished_, synced));
        return replay_journal(*driver_, *unfinished_, synced);
      }
      return previous_.empty() ? Status() : driver_->write(base, previous_);
    });
  PCIO_TRY(coordinator_->outcome(name, mine));
  unfinished_reach_ = CommitReach::kPrevious;
  unfinished_.reset();
  unmended_.clear();
  space_.thaw();
  return Status();
}

}  // namespace pcio
