// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the gate: the only place that writes metadata.
//
// The whole set of changed blocks is taken at once. New blocks go to new addresses first, so a full
// disk is noticed while the last commit is still whole; then blocks that overwrite committed bytes;
// the superblock last. A journal of the overwritten blocks belongs between the first two steps.
//
// What holds when a write fails: before the first overwriting block the file is, for any reader,
// the one of the last commit (it may be longer). From there on a reader may find a header that is
// newer than the rest, or torn inside; nothing but the retry of the commit mends that, and the
// retry writes every block again. The superblock is one write of at most 136 bytes.

#include <algorithm>

#include "base/checked.hpp"
#include "storage/file_store.hpp"

namespace pcio {

namespace {

/// Neighbouring blocks are written together up to this many bytes.
constexpr std::uint64_t kWriteTogether = 4 << 20;

/// Bits of LocalFacts::any_flags.
constexpr std::uint64_t kUnlinkedIsOpen = 1;
constexpr std::uint64_t kCompactWritten = 2;

}  // namespace

Status FileStore::commit(CommitKind kind, const CallName& name, const Status& local) {
  LocalFacts facts;
  facts.call_kind = kind == CommitKind::kClose ? CallKind::kClose : CallKind::kFlush;
  facts.any_flags = (unlinked_object_is_open() ? kUnlinkedIsOpen : 0) |
                    (written_compact_.empty() ? 0 : kCompactWritten);
  facts.same[0] = hash_written_compact();
  // Chunks that only memory has come first: they get their places, and so change the metadata.
  Status ready = local.ok() && writable_ ? write_cached_chunks() : local;
  PCIO_ASSIGN(GlobalFacts agreed, coordinator_->agree(name, facts, ready));
  if (!writable_) return Status();
  if ((agreed.any_flags & kCompactWritten) != 0)
    PCIO_TRY(agree_compact(
        name, agreed.same[0].equal() ? CompactCopies::kEqual : CompactCopies::kDiffer));
  if ((agreed.any_flags & kUnlinkedIsOpen) == 0) release_unlinked();
  if (kind == CommitKind::kClose) space_.trim_end();
  if (anything_to_write()) {
    BlockSet blocks;
    Status planned = plan_everything(&blocks);
    PCIO_TRY(coordinator_->outcome(name, planned));
    // A rank that fails here still takes part in the last agreement.
    PCIO_TRY(coordinator_->outcome(name, write_everything(blocks)));
    settle();
  }
  PCIO_TRY(cut_file(name));
  return kind == CommitKind::kFlush ? driver_->flush() : Status();
}

std::uint64_t FileStore::end_in_file() const {
  return superblock_.base_address + space_.end_of_allocation();
}

bool FileStore::anything_to_write() const {
  return anything_dirty() || end_in_file() != superblock_.end_of_file ||
         size_in_file_ < end_in_file();
}

/// Grows the file before, and never cuts it before, a superblock says where it ends: a file that is
/// shorter than its superblock says can't be opened by anybody.
Status FileStore::write_everything(BlockSet& blocks) {
  if (size_in_file_ < end_in_file()) PCIO_TRY(driver_->truncate(end_in_file()));
  if (coordinator_->rank() != 0) return Status();
  auto overwriting = std::stable_partition(
      blocks.begin(), blocks.end(),
      [&](const DirtyBlock& block) { return space_.is_uncommitted(block.range.offset); });
  PCIO_TRY(write_blocks({blocks.begin(), overwriting}));
  PCIO_TRY(write_blocks({overwriting, blocks.end()}));
  return write_superblock();
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

Status FileStore::write_blocks(std::span<DirtyBlock> blocks) {
  std::sort(blocks.begin(), blocks.end(), [](const DirtyBlock& a, const DirtyBlock& b) {
    return a.range.offset < b.range.offset;
  });
  for (std::size_t i = 0; i < blocks.size();) {
    ByteWriter out;
    FileAddress start = blocks[i].range.offset;
    for (; i < blocks.size() && blocks[i].range.offset == start + out.size() &&
           out.size() < kWriteTogether;
         ++i) {
      std::size_t before = out.size();
      PCIO_TRY(blocks[i].encode(out));
      if (out.size() - before != blocks[i].range.size)
        return PCIO_ERROR(INTERNAL, BADSIZE,
                          "a metadata block was encoded to another size than "
                          "the one planned for it");
    }
    PCIO_TRY(bytes_->write(start, out.view()));
  }
  return Status();
}

/// The superblock in memory changes only when the commit is settled: a retry must see what is left.
Status FileStore::write_superblock() {
  Superblock next = superblock_;
  next.end_of_file = end_in_file();
  next.root_header = root_->address;
  next.root = SymbolTableEntry();
  next.root.header_address = root_->address;
  if (root_->find(kMessageSymbolTable) != nullptr &&
      root_->symbol_table.btree != kUndefinedAddress) {
    next.root.cache = SymbolCache::kGroup;
    next.root.btree_address = root_->symbol_table.btree;
    next.root.heap_address = root_->symbol_table.heap;
  }
  ByteWriter out;
  PCIO_TRY(encode_superblock(next, out));
  return bytes_->write(0, out.view());
}

/// Everything planned is in the file, all ranks know it: nothing is dirty any more.
void FileStore::settle() {
  size_in_file_ = std::max(size_in_file_, end_in_file());
  superblock_.end_of_file = end_in_file();
  superblock_dirty_ = false;
  for (auto& [address, object] : dirty_) {
    object->dirty = false;
    object->links_dirty = false;
    object->committed = true;
    if (object->dataset) {
      object->dataset->index_dirty = false;
      object->dataset->messages_dirty = false;
    }
  }
  dirty_.clear();
  space_.committed();
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
  return driver_->close();
}

Status FileStore::give_up() {
  abandon();
  return coordinator_->health();
}

}  // namespace pcio
