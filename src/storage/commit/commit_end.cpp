// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: how low a file ends that is closed.
//
// Comes behind the commit of the close, with commits of its own: what was free before it can be
// used by then, and whatever happens here nothing that was committed is lost.

#include <algorithm>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "storage/chunks/filtered_chunks.hpp"
#include "storage/commit/commit_run.hpp"
#include "storage/space/lower_end.hpp"

namespace pcio {

namespace {

/// The chunks go first, and then an index that had to make way for them.
constexpr int kRounds = 3;
constexpr std::uint64_t kCopyBatchBytes = 4 << 20;

/// Bytes that go from one place to another.
struct Copy {
  FileAddress from, to;
  std::uint64_t size;
};

std::vector<Copy> copies_of(const LowerEnd& plan) {
  std::vector<Copy> copies;
  for (const PlannedMove& move : plan.moves) {
    if (!move.what.chunk) continue;
    const Copy next{move.what.range.offset, move.to, move.what.range.size};
    if (!copies.empty() && copies.back().from + copies.back().size == next.from &&
        copies.back().to + copies.back().size == next.to)
      copies.back().size += next.size;
    else
      copies.push_back(next);
  }
  return copies;
}

/// This rank's part of all bytes.
Status copy_share(FileBytes& bytes, const std::vector<Copy>& copies, int rank, int ranks) {
  std::uint64_t all = 0;
  for (const Copy& copy : copies) all += copy.size;
  const auto n = static_cast<std::uint64_t>(ranks), r = static_cast<std::uint64_t>(rank);
  const std::uint64_t first = all / n * r + all % n * r / n;
  const std::uint64_t last = all / n * (r + 1) + all % n * (r + 1) / n;
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(last - first, kCopyBatchBytes)));
  std::uint64_t before = 0;
  for (const Copy& copy : copies) {
    const std::uint64_t low = std::max(first, before), high = std::min(last, before + copy.size);
    for (std::uint64_t at = low; at < high;) {
      const Bytes piece = Bytes(buffer).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), high - at)));
      PCIO_TRY(bytes.read(copy.from + (at - before), piece));
      PCIO_TRY(bytes.write(copy.to + (at - before), piece));
      at += piece.size();
    }
    before += copy.size;
  }
  return Status();
}

/// Where the datasets with replaced chunks lie, as far as it could matter. Reads indexes that are not in
/// memory. Collective: independent.
Status find_movable(FileStore& store, std::vector<StoredObjectPtr>* objects,
                    std::vector<MovableBytes>* movable) {
  // The file can't end below what is in use.
  const FileAddress least = store.space().end_of_allocation() - store.space().reusable_bytes();
  auto add = [&](ByteRange range, std::optional<ChunkOrdinal> chunk) {
    if (range.end() > least) movable->push_back({range, objects->size(), chunk});
  };
  for (const FileAddress address : store.datasets().replaced()) {
    PCIO_ASSIGN(StoredObjectPtr object, store.objects().object(address));
    PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
    if (!state->filtered()) continue;
    PCIO_TRY(store.datasets().load_chunk_index(object));
    for (const auto& [ordinal, chunk] : state->index->filtered_chunks())
      add({chunk.address, chunk.size}, ordinal);
    for (const ByteRange& range : state->index_blocks) add(range, std::nullopt);
    objects->push_back(std::move(object));
  }
  return Status();
}

/// Collective: pure.
void apply_moves(FileStore& store, const LowerEnd& plan,
                 const std::vector<StoredObjectPtr>& objects) {
  for (const PlannedMove& move : plan.moves) {
    const StoredObjectPtr& object = objects[move.what.dataset];
    DatasetState& state = *object->dataset;
    store.objects().touch(object);
    // As a whole, into new space: one that is changed in place would stay where it is.
    state.placed.reset();
    state.index->unfollow();
    state.mark_index_changed();
    if (!move.what.chunk) continue;
    FilteredChunk chunk = *state.index->filtered(*move.what.chunk);
    const ByteRange old{chunk.address, chunk.size};
    store.space().reserve_changes();
    chunk.address = move.to;
    state.index->put_filtered(*move.what.chunk, chunk);
    store.space().claim({move.to, chunk.size});
    note_single_chunk(state);
    // Lacking memory for that, its bytes are lost, and nothing else.
    store.space().release(old);
  }
  // Indexes are to find places before the new end as well.
  store.space().hold_back(plan.end);
}

}  // namespace

/// Moves chunks that were rewritten to free space before them, where the file ends much lower then.
/// What can't be copied stays where it is: it is committed there.
/// Collective: over the file, an exchange and a commit for each round that moves something.
Status CommitRun::end_lower() {
  if (store_.superblock_store().keeps_space() || (store_.parallel() && !traits_.share) ||
      store_.space().is_parted())
    return Status();
  for (int round = 0; round < kRounds && !store_.datasets().replaced().empty(); ++round) {
    PCIO_TRY(store_.end().trim_alike(name_));
    if (!may_end_lower(store_.space())) break;
    std::vector<StoredObjectPtr> objects;
    LowerEnd plan;
    const Status copied = without_throwing([&]() -> Status {
      std::vector<MovableBytes> movable;
      PCIO_TRY(find_movable(store_, &objects, &movable));
      plan = plan_lower_end(store_.space(), std::move(movable));
      return copy_share(store_.bytes(), copies_of(plan), store_.coordinator().rank(),
                        store_.coordinator().size());
    });
    const Status all = store_.coordinator().outcome(name_, copied);
    if (!all.ok()) return store_.coordinator().health();
    if (plan.moves.empty()) break;
    const Status moved = without_throwing([&] {
      apply_moves(store_, plan, objects);
      return Status();
    });
    PCIO_TRY(write_changes(moved));
  }
  store_.datasets().forget_replaced();
  return Status();
}

/// What the commit made free at the end of the file goes with a superblock of its own: until the
/// commit was complete the last one needed it. Where free space is kept it is listed instead.
Status CommitRun::commit_lower_end() {
  SuperblockStore& superblock = store_.superblock_store();
  if (superblock.keeps_space()) return Status();
  // Elsewhere an agreement costs less than it would to be sure that the marks of the commit are alike.
  if (!store_.driver().caches_apart() || !store_.end().is_trimmed())
    PCIO_TRY(store_.end().trim_alike(name_));
  if (store_.end().allocated() == store_.context().superblock.end_of_file &&
      superblock.tells_part_ends())
    return Status();
  // Where the ends of several files are told, there are more blocks.
  if (store_.space().is_parted()) return write_changes(Status());
  CommitPlan plan;
  const Status made = without_throwing([&]() -> Status {
    PCIO_ASSIGN(plan, CommitPlanner(store_).plan_superblock());
    return Status();
  });
  PCIO_TRY(outcome_alike(store_.coordinator(), name_, made, made.ok() ? reserve_marks() : made));
  return apply(std::move(plan));
}

}  // namespace pcio
