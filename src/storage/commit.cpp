// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the gate: the only place that writes metadata.
//
// The whole set of changed blocks is taken at once. New blocks go to new addresses first, so a full
// disk is noticed while the last commit is still whole; then blocks that overwrite committed bytes;
// the superblock last. A journal of the overwritten blocks belongs between the first two steps.

#include <algorithm>

#include "base/checked.hpp"
#include "storage/file_store.hpp"

namespace pcio {

namespace {

/// Neighbouring blocks are written together up to this many bytes.
constexpr std::uint64_t kWriteTogether = 4 << 20;

}  // namespace

Status FileStore::commit(CommitKind kind, const CallName& name, const Status& local) {
  LocalFacts facts;
  facts.call_kind = kind == CommitKind::kClose ? CallKind::kClose : CallKind::kFlush;
  facts.any_flags = unlinked_object_is_open() ? 1 : 0;
  PCIO_ASSIGN(GlobalFacts agreed, coordinator_->agree(name, facts, local));
  if (!writable_) return Status();
  if (agreed.any_flags == 0) release_unlinked();
  if (kind == CommitKind::kClose) space_.trim_end();
  std::uint64_t end = superblock_.base_address + space_.end_of_allocation();
  if (!anything_dirty() && end == superblock_.end_of_file && size_in_file_ == end)
    return kind == CommitKind::kFlush ? driver_->flush() : Status();

  BlockSet blocks;
  Status planned = plan_everything(&blocks);
  PCIO_TRY(coordinator_->outcome(name, planned));
  // A rank that fails here still takes part in the last agreement.
  PCIO_TRY(coordinator_->outcome(name, write_everything(blocks)));
  settle();
  return kind == CommitKind::kFlush ? driver_->flush() : Status();
}

Status FileStore::write_everything(BlockSet& blocks) {
  std::uint64_t end = superblock_.base_address + space_.end_of_allocation();
  if (end != size_in_file_) {
    PCIO_TRY(driver_->truncate(end));
    size_in_file_ = end;
  }
  Status written;
  if (coordinator_->rank() == 0) {
    auto overwriting = std::stable_partition(
        blocks.begin(), blocks.end(),
        [&](const DirtyBlock& block) { return space_.is_uncommitted(block.range.offset); });
    written = write_blocks({blocks.begin(), overwriting});
    if (written.ok()) written = write_blocks({overwriting, blocks.end()});
    if (written.ok()) written = write_superblock();
  }
  return written;
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
        return PCIO_ERROR(INTERNAL, BADSIZE, "a metadata block was encoded to another size than "
                                             "the one planned for it");
    }
    PCIO_TRY(bytes_->write(start, out.view()));
  }
  return Status();
}

Status FileStore::write_superblock() {
  superblock_.end_of_file = superblock_.base_address + space_.end_of_allocation();
  superblock_.root_header = root_->address;
  superblock_.root = SymbolTableEntry();
  superblock_.root.header_address = root_->address;
  if (root_->find(kMessageSymbolTable) != nullptr && root_->symbol_table.btree != kUndefinedAddress) {
    superblock_.root.cache = SymbolCache::kGroup;
    superblock_.root.btree_address = root_->symbol_table.btree;
    superblock_.root.heap_address = root_->symbol_table.heap;
  }
  ByteWriter out;
  PCIO_TRY(encode_superblock(superblock_, out));
  return bytes_->write(0, out.view());
}

/// Everything planned is in the file: nothing is dirty any more.
void FileStore::settle() {
  superblock_.end_of_file = superblock_.base_address + space_.end_of_allocation();
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
  return driver_->close();
}

Status FileStore::give_up() {
  abandon();
  return coordinator_->health();
}

}  // namespace pcio
