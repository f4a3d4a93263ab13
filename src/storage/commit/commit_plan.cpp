// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: deciding what a commit writes: addresses and sizes for everything that changed.
//
// Runs alike on every rank; only the rank that writes encodes. Object headers, chunk indexes and symbol
// tables are changed where they are; what is written anew goes to new space, and the old is released.

#include "storage/commit/commit_plan.hpp"

#include <algorithm>
#include <charconv>

#include "base/fixed_text.hpp"

namespace pcio {

namespace {

/// A piece of a header of few: small enough for a function that needs no memory of its own.
struct PieceNumber {
  std::uint32_t index;
  std::uint8_t offset_size;
  std::uint8_t length_size;
};

/// Cuts the header again, as it was planned: what is kept for each block of a commit is kept for all objects.
Status encode_piece(const StoredObject& object, PieceNumber piece, ByteWriter& out) {
  const FileSizes sizes{piece.offset_size, piece.length_size};
  ShortList<std::uint64_t, HeaderLayout::kFew> capacities;
  ShortList<FileAddress, HeaderLayout::kFew> addresses;
  for (std::size_t i = 0; i < object.chunks.size(); ++i) {
    capacities.push_back(header_piece_capacity(object.header, i, object.chunks[i].size));
    addresses.push_back(object.chunks[i].offset);
  }
  PCIO_ASSIGN(HeaderLayout layout, layout_header(object.header, sizes, capacities));
  return put_header_piece({object.header, layout, piece.index, addresses}, sizes, out);
}

}  // namespace

/// Links, chunk index and header: all of them, or the object stays in the file as it was.
Status CommitPlanner::plan_object(StoredObject& object) {
  const std::size_t before = plan_.blocks.size();
  const DatasetState* const data = object.dataset.get();
  plan_.owes_fill = plan_.owes_fill || (data != nullptr && !data->deferred.empty());
  if (object.links_dirty() ||
      (data != nullptr && (data->index_changed() || data->messages_changed())))
    object.keep_committed();
  if (shares(object)) sharing_.begin_object(object);
  Status planned = plan_parts(object);
  if (planned.ok()) return shares(object) ? sharing_.end_object(object) : Status();
  plan_.blocks.resize(before);
  // Perhaps of this rank alone: what is left out all must leave out.
  if (was_not_read(planned)) return planned;
  // What it refers to is counted already as it was planned the first time.
  if (shares(object) && sharing_.is_counted(object)) return planned;
  if (shares(object)) PCIO_TRY(sharing_.drop_object(object));
  return leave_out(object, planned);
}

/// What the superblock refers to is the file's, and nobody else's.
bool CommitPlanner::shares(const StoredObject& object) const {
  return sharing_.active() && &object != store_.superblock_store().extension().get();
}

/// The header as the file is to have it; null: as it is in memory.
Result<std::shared_ptr<const ObjectHeader>> CommitPlanner::stored_header(
    const StoredObject& object) {
  if (!shares(object)) return std::shared_ptr<const ObjectHeader>();
  auto stored = std::make_shared<ObjectHeader>(object.header);
  PCIO_ASSIGN(stored->messages, sharing_.stored_all(object.header.messages, SharedPart::kHeader));
  return std::shared_ptr<const ObjectHeader>(std::move(stored));
}

Status CommitPlanner::plan_parts(StoredObject& object) {
  const std::size_t before = plan_.blocks.size();
  if (object.links_dirty()) PCIO_TRY(plan_links(object));
  if (object.dataset) {
    const std::size_t links = plan_.blocks.size();
    if (Status planned = plan_dataset(object); !planned.ok()) {
      plan_.blocks.resize(links);
      if (was_not_read(planned)) return planned;
      PCIO_TRY(leave_out_data(object, planned));
    }
  }
  // Links and chunk indexes are the same on all ranks; attributes in a header may differ.
  for (std::size_t i = before; i < plan_.blocks.size(); ++i)
    if (plan_.blocks[i].writer == BlockWriter::kRankZero)
      plan_.blocks[i].writer = BlockWriter::kAnyRank;
  PCIO_TRY(plan_attributes(object));
  return plan_header(object);
}

/// Finds the pieces of a header their places. Where there is no room for one, the object keeps all that
/// it has.
Result<HeaderLayout> CommitPlanner::place_header(StoredObject& object, const ObjectHeader& header) {
  ShortList<std::uint64_t, HeaderLayout::kFew> capacities;
  for (std::size_t i = 0; i < object.chunks.size(); ++i)
    capacities.push_back(header_piece_capacity(header, i, object.chunks[i].size));
  PCIO_ASSIGN(HeaderLayout layout, layout_header(header, store_.sizes(), capacities));
  if (layout.pieces.size() == object.chunks.size()) return layout;
  auto pieces = object.chunks;
  if (layout.pieces.size() > pieces.size() && pieces.size() > 1) {
    // What no longer fits goes into one larger second piece instead of a chain of small ones.
    pieces.keep_first(1);
    PCIO_ASSIGN(layout, layout_header(header, store_.sizes(), std::span(capacities.data(), 1)));
  }
  pieces.keep_first(std::min(pieces.size(), layout.pieces.size()));
  const std::size_t stay = pieces.size();
  if (stay < layout.pieces.size()) {
    // What takes memory comes before the file's space is taken.
    pieces.push_back({});
    // What is left is always one piece.
    const std::uint64_t size = header_piece_size(header, layout, stay);
    PCIO_ASSIGN(FileAddress address, store_.space().allocate(size, SpaceUse::kHeaders));
    pieces[stay] = {address, size};
  }
  std::swap(object.chunks, pieces);
  for (std::size_t i = stay; i < pieces.size(); ++i) store_.space().release(pieces[i]);
  return layout;
}

Status CommitPlanner::plan_header(StoredObject& object) {
  const FileSizes& sizes = store_.sizes();
  object.compact_messages();
  const std::size_t messages = object.header.messages.size();
  std::uint32_t references = object.links_to;
  if (shares(object) && object.kind() == ObjectKind::kNamedType) {
    PCIO_ASSIGN(const std::uint32_t uncounted, sharing_.uncounted(object.address));
    references -= std::min(uncounted, references);
  }
  set_reference_count(object.header, references);
  if (object.header.messages.size() != messages) object.messages_moved();
  PCIO_ASSIGN(const auto stored, stored_header(object));
  const ObjectHeader& header = stored ? *stored : object.header;
  PCIO_ASSIGN(HeaderLayout layout, place_header(object, header));
  if (object.chunks.size() <= HeaderLayout::kFew && !stored) {
    PieceNumber piece{0, static_cast<std::uint8_t>(sizes.offset_size),
                      static_cast<std::uint8_t>(sizes.length_size)};
    for (; piece.index < object.chunks.size(); ++piece.index)
      plan_.blocks.push_back({object.chunks[piece.index], [&object, piece](ByteWriter& out) {
                                return encode_piece(object, piece, out);
                              }});
    return Status();
  }
  CutHeader& cut = plan_.cut_headers.emplace_back(CutHeader{&sizes, &header, {}, stored, {}});
  cut.layout = std::move(layout);
  cut.addresses.reserve(object.chunks.size());
  for (const ByteRange& chunk : object.chunks) cut.addresses.push_back(chunk.offset);
  // As large as a function holds without memory of its own: there is one for each block.
  for (std::size_t i = 0; i < object.chunks.size(); ++i)
    plan_.blocks.push_back(
        {object.chunks[i], [&cut, i](ByteWriter& out) {
           return put_header_piece({*cut.header, cut.layout, i, cut.addresses}, *cut.sizes, out);
         }});
  return Status();
}

/// Where ranks turn out to hold different maps of the file, the first such object is named.
void CommitPlanner::note_planned(const StoredObject& object) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), object.address);
  FixedText<64> text("the object at address ");
  text.append({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
  store_.coordinator().note_step({"commit", text.view()});
}

/// Of a root that is left out the file has the links that it had.
const SymbolTablePlace* CommitPlanner::root_links() const {
  const StoredObject& root = *store_.objects().root();
  if (root.in_file && plan_.left_out.contains(root.address)) return &root.in_file->links;
  return root.find(kMessageSymbolTable) != nullptr ? &root.symbol_table : nullptr;
}

/// What is free stands in the file while nobody writes to it, and at no other time.
Status CommitPlanner::plan_kept_space(CommitKind kind) {
  SuperblockStore& superblock = store_.superblock_store();
  if (!superblock.keeps_space()) return Status();
  PCIO_TRY(superblock.retract_space());
  // The message may be larger than the one that was read: the header gets its place before it is told
  // what is free.
  PCIO_TRY(plan_object(*superblock.extension()));
  if (kind != CommitKind::kClose) return Status();
  store_.end().trim();
  return superblock.list_space(&plan_.blocks);
}

/// Behind the objects: what is left out may still refer to what was let go.
Status CommitPlanner::plan_heaps(CommitKind kind) {
  HeapStore& heaps = store_.heaps();
  if (kind == CommitKind::kClose) heaps.end_filling();
  return heaps.plan(plan_.left_out.empty() ? HeapStore::Freeing::kNow : HeapStore::Freeing::kLater,
                    &plan_.blocks);
}

/// Committed types where attributes are shared: their counts follow from what all others refer to.
Status CommitPlanner::plan_types() {
  const std::size_t before = plan_.blocks.size();
  PCIO_TRY(plan_types_once());
  // What types refer to themselves changes counts of others, of which some are planned. By now all is counted.
  if (sharing_.changed_types().empty()) return Status();
  plan_.blocks.resize(before);
  return plan_types_once();
}

Status CommitPlanner::plan_types_once() {
  ObjectTable& objects = store_.objects();
  for (const FileAddress address : sharing_.take_changed_types()) {
    if (objects.shared().was_removed(address)) continue;
    const auto type = objects.object(address);
    if (!type && was_not_read(type.error())) return type.error();
    // Nobody can use what is damaged, nor mend what it counts.
    if (type && (*type)->kind() == ObjectKind::kNamedType) objects.touch(*type);
  }
  for (const auto& [address, object] : objects.changed()) {
    if (object->kind() != ObjectKind::kNamedType) continue;
    PCIO_TRY(plan_object(*object));
    note_planned(*object);
  }
  return Status();
}

Status CommitPlanner::plan_all(CommitKind kind) {
  const SuperblockStore& superblock = store_.superblock_store();
  const ObjectsByAddress& changed = store_.objects().changed();
  plan_.blocks.reserve(blocks_expected_);
  if (sharing_.active()) sharing_.begin();
  // Planning one object may touch others (links of released groups), never new addresses.
  for (const auto& [address, object] : changed) {
    if (superblock.keeps_space() && object == superblock.extension()) continue;
    if (shares(*object) && object->kind() == ObjectKind::kNamedType) continue;
    PCIO_TRY(plan_object(*object));
    note_planned(*object);
  }
  // What is left out may name what is gone.
  if (sharing_.active() && plan_.left_out.empty()) PCIO_TRY(sharing_.let_gone_go());
  if (sharing_.active()) PCIO_TRY(plan_types());
  if (sharing_.active()) PCIO_TRY(sharing_.plan(&plan_.blocks));
  // Of what was released the file still names some: the file does not end with this commit.
  if (!plan_.left_out.empty()) kind = CommitKind::kFlush;
  PCIO_TRY(plan_heaps(kind));
  // What planning took in advance and did not use.
  if (kind == CommitKind::kClose) store_.end().trim();
  // Last: it says what is free when all the others have their places.
  return plan_kept_space(kind);
}

Result<CommitPlan> CommitPlanner::plan(CommitKind kind) {
  kind_ = kind;
  plan_ = CommitPlan();
  PCIO_TRY(store_.superblock_store().plan_driver_note(&plan_.blocks));
  PCIO_TRY(plan_all(kind));
  PCIO_TRY(store_.superblock_store().plan_cache_image(&plan_.blocks));
  PCIO_TRY(store_.superblock_store().settle_part_ends());
  return plan_superblock();
}

Result<CommitPlan> CommitPlanner::plan_superblock() {
  PCIO_ASSIGN(plan_.superblock, store_.superblock_store().encode_next(root_links()));
  return std::move(plan_);
}

}  // namespace pcio
