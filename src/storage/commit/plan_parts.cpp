// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what a commit writes of chunk indexes and links.

#include "storage/commit/commit_plan.hpp"

#include "format/symbol_table_message.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/message_codec.hpp"
#include "storage/objects/phase_change.hpp"
#include "storage/space/taken_space.hpp"

namespace pcio {

namespace {

/// A symbol table that is written as a whole.
struct WholeTable {
  HeapRoom room;
  SymbolTablePlan plan;
  FileAddress address;
};

/// A plan of so many links takes little beside them, and making it again looks at all of them.
constexpr std::size_t kManyLinks = 1024;

/// The block of a table. The same links lead to the same plan: kept, those of many groups would take more than
/// the links.
DirtyBlock block_of(WholeTable whole, const SymbolTableShape& shape, const StoredObject& group) {
  const ByteRange range{whole.address, whole.plan.total_bytes()};
  if (group.links->links.size() >= kManyLinks) {
    auto plan = std::make_shared<const SymbolTablePlan>(std::move(whole.plan));
    return {range, [plan, &group](ByteWriter& out) {
              return plan->encode(*group.links, group.symbol_table.heap, out);
            }};
  }
  return {range, [shape, &group, room = whole.room](ByteWriter& out) {
            const SymbolTablePlan same(*group.links, shape, room);
            return same.encode(*group.links, group.symbol_table.heap, out);
          }};
}

/// Where there is no space for room to grow, it gets none.
Result<WholeTable> allocate_table(FileSpace& space, const LinkTable& table,
                                  const SymbolTableShape& shape, HeapRoom room) {
  SymbolTablePlan plan(table, shape, room);
  if (!fits_width(plan.heap_bytes(), shape.sizes.length_size))
    return PCIO_ERROR(SYM, OVERFLOW,
                      "the names of a group take " + std::to_string(plan.heap_bytes()) +
                          " bytes, more than the file's lengths can say");
  Result<FileAddress> address = space.allocate(plan.total_bytes(), SpaceUse::kMetadata);
  if (!address && room == HeapRoom::kDouble)
    return allocate_table(space, table, shape, HeapRoom::kLeast);
  if (!address) return tl::unexpected(std::move(address.error()));
  return WholeTable{room, std::move(plan), *address};
}

/// Blocks that are overwritten are written twice, to the journal and in place; an index that is
/// written anew is written once.
bool cheaper_in_place(const IndexUpdater::Cost& cost, const IndexUpdater& placed) {
  return cost.changed <= placed.bytes() / 2;
}

}  // namespace

/// Plans the blocks of the index that changed, where that is all there is to write: true. The same
/// on all ranks.
Result<bool> CommitPlanner::plan_index_in_place(DatasetState& state) {
  try {
    return plan_index_changes(state);
  } catch (...) {
    // Blocks are half marked: a second try would take them for marked. It writes the index anew.
    state.placed.reset();
    state.index->unfollow();
    throw;
  }
}

Result<bool> CommitPlanner::plan_index_changes(DatasetState& state) {
  const ChunkIndex& index = *state.index;
  if (!state.placed || !index.changes() || !index.changes()->countable() ||
      index.allocated_count() == 0 || store_.writer().overwrites_unsafely())
    return false;
  // Written anew by a commit that failed: its blocks are not in the file.
  if (store_.space().is_uncommitted(state.layout.address)) return false;
  PCIO_ASSIGN(IndexUpdater::Cost cost, state.placed->mark(index, index.changes()->numbers()));
  if (!cheaper_in_place(cost, *state.placed)) {
    // Marked for nothing: a second try would take its blocks for marked.
    state.placed.reset();
    state.index->unfollow();
    return false;
  }
  if (cost.added > 0) {
    // What may lack memory comes before the file's space is taken.
    state.index_blocks.reserve(state.index_blocks.size() + 1);
    PCIO_ASSIGN(FileAddress address, store_.space().allocate(cost.added, SpaceUse::kMetadata));
    state.placed->place(address);
    state.index_blocks.push_back({address, cost.added});
    // As who reads the index again would have them: how they are cut decides what a close moves.
    join_ranges(&state.index_blocks);
  }
  state.layout.address = state.placed->root();
  for (DirtyBlock& block : state.placed->blocks(index)) plan_.blocks.push_back(std::move(block));
  return true;
}

Status CommitPlanner::plan_index(DatasetState& state) {
  PCIO_ASSIGN(bool in_place, plan_index_in_place(state));
  if (in_place) return Status();
  // Before the old one is given up: where there can be none, it stays as it is.
  const ChunkIndexShape shape = store_.datasets().chunk_index_shape(state);
  PCIO_ASSIGN(const IndexPlanPtr plan, plan_chunk_index(*state.index, shape));
  FileAddress address = kUndefinedAddress;
  std::vector<ByteRange> blocks;
  if (plan->bytes() > 0) {
    blocks.reserve(1);
    PCIO_ASSIGN(address, store_.space().allocate(plan->bytes(), SpaceUse::kMetadata));
    blocks.push_back({address, plan->bytes()});
  }
  TakenSpace taken(store_.space(), {address, plan->bytes()});
  store_.space().reserve_changes();
  state.placed.reset();
  state.index->unfollow();
  state.index_blocks.swap(blocks);
  state.layout.address = plan->root_at(address);
  taken.keep();
  for (const ByteRange& range : blocks) store_.space().release(range);
  state.index->forget_outside();
  if (plan->bytes() == 0) return Status();
  for (DirtyBlock& block : plan->blocks(address)) plan_.blocks.push_back(std::move(block));
  state.placed = plan->updater_at(address);
  if (!state.placed) return Status();
  PCIO_ASSIGN(ChunkNumbering numbering, number_chunks(shape, state.index->grid()));
  state.index->follow(numbering, state.index_class().numbered_by);
  return Status();
}

Status CommitPlanner::plan_dataset(StoredObject& object) {
  DatasetState& state = *object.dataset;
  for (const NewBlock& block : state.new_blocks)
    plan_.blocks.push_back({{block.address, block.bytes.size()}, [&block](ByteWriter& out) {
                              out.bytes(block.bytes);
                              return Status();
                            }});
  if (!state.index_changed() && !state.messages_changed()) return Status();
  PCIO_ASSIGN(HeaderMessage space, encode_space_again(store_.context(), object, state.extent));
  if (state.index_changed()) PCIO_TRY(plan_index(state));
  PCIO_ASSIGN(HeaderMessage layout, encode_layout_again(store_.context(), object, state.layout));
  object.put(std::move(space));
  object.put(std::move(layout));
  return Status();
}

/// Plans the nodes of a symbol table that changed, where that is all there is to write: true. The same on
/// all ranks.
Result<bool> CommitPlanner::plan_links_in_place(StoredObject& object) {
  PlacedTable* const placed = store_.objects().placed_tables().find(object.address);
  if (placed == nullptr || store_.writer().overwrites_unsafely()) return false;
  PCIO_ASSIGN(PlacedTable::Outcome outcome,
              placed->plan(*object.links, store_.space(), &object.symbol_table, &plan_.blocks));
  return outcome == PlacedTable::Outcome::kPlanned;
}

/// Whose links were in the file and change may change again, and have them changed in place from then on;
/// not where the file is closed, or can't have places overwritten. The same on all ranks.
HeapRoom CommitPlanner::room_for(const StoredObject& group) const {
  const bool again = kind_ != CommitKind::kClose && group.committed &&
                     group.symbol_table.links > 0 &&
                     group.links->links.size() >= PlacedTable::kLeastLinks &&
                     !store_.writer().overwrites_unsafely();
  return again ? HeapRoom::kDouble : HeapRoom::kLeast;
}

Status CommitPlanner::plan_links(StoredObject& object) {
  LinkTable& table = *object.links;
  PCIO_ASSIGN(bool in_place, plan_links_in_place(object));
  if (in_place) return Status();
  if (object.find(kMessageSymbolTable) != nullptr && !fits_symbol_table(table)) {
    PCIO_TRY(store_.objects().become_new_style(object));
    PCIO_ASSIGN(table.dense, links_go_dense(object, table, nullptr, store_.sizes()));
  }
  if (object.find(kMessageSymbolTable) == nullptr) return plan_new_style_links(object);
  ObjectTable& objects = store_.objects();
  const SymbolTableShape shape = objects.symbol_table_shape();
  PCIO_ASSIGN(WholeTable whole, allocate_table(store_.space(), table, shape, room_for(object)));
  TakenSpace taken(store_.space(), {whole.address, whole.plan.total_bytes()});
  // All that needs memory comes before anything is given back.
  SymbolTablePlace place = whole.plan.place_at(whole.address);
  std::unique_ptr<PlacedTable> placed;
  if (whole.room == HeapRoom::kDouble)
    placed = std::make_unique<PlacedTable>(table, shape, whole.plan, whole.address);
  const std::vector<ByteRange> old = objects.links_ranges(object);
  store_.space().reserve_changes();
  object.symbol_table = std::move(place);
  objects.forget_placed(object);
  taken.keep();
  for (const ByteRange& range : old) store_.space().release(range);
  if (placed) {
    objects.placed_tables().put(object.address, std::move(placed));
    table.changes.emplace();
  }
  plan_.blocks.push_back(block_of(std::move(whole), shape, object));
  PCIO_ASSIGN(HeaderMessage message, make_message(kMessageSymbolTable, 0, [&](ByteWriter& out) {
                return encode_symbol_table_message(
                    {object.symbol_table.btree, object.symbol_table.heap}, store_.sizes(), out);
              }));
  object.put(std::move(message));
  return Status();
}

}  // namespace pcio
