// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: deciding what a commit writes: addresses and sizes for everything that changed.
//
// Runs alike on every rank; only the rank that writes encodes. Old structures that the last commit
// refers to are released, not overwritten; object headers keep their address and are.

#include <algorithm>
#include <array>
#include <charconv>

#include "base/fixed_text.hpp"
#include "format/header_layout.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// Links, chunk index and header: all of them, or the object stays in the file as it was.
Status FileStore::plan_object(StoredObject& object, BlockSet* blocks) {
  const std::size_t before = blocks->size();
  const DatasetState* const data = object.dataset.get();
  if (object.links_dirty() ||
      (data != nullptr && (data->index_changed() || data->messages_changed())))
    object.keep_committed();
  const Status planned = plan_parts(object, blocks);
  if (planned.ok()) return planned;
  blocks->resize(before);
  return leave_out(object, planned);
}

Status FileStore::plan_parts(StoredObject& object, BlockSet* blocks) {
  const std::size_t before = blocks->size();
  if (object.links_dirty()) PCIO_TRY(plan_links(object, blocks));
  if (object.dataset) {
    const std::size_t links = blocks->size();
    if (Status planned = plan_dataset(object, blocks); !planned.ok()) {
      blocks->resize(links);
      PCIO_TRY(leave_out_data(object, planned));
    }
  }
  // Links and chunk indexes are the same on all ranks; attributes in a header may differ.
  for (std::size_t i = before; i < blocks->size(); ++i) (*blocks)[i].writer = BlockWriter::kAnyRank;
  return plan_header(object, blocks);
}

/// The header of an object that has all of it in one piece.
Status FileStore::encode_only_piece(const StoredObject& object, ByteWriter& out) const {
  const ByteRange piece = object.chunks[0];
  const std::array<std::uint64_t, 1> capacity{header_piece_capacity(object.header, 0, piece.size)};
  PCIO_ASSIGN(HeaderLayout layout,
              layout_header(object.header, context_.superblock.sizes, capacity));
  PCIO_ASSIGN(auto bytes, encode_header_piece(object.header, layout, 0, {&piece.offset, 1},
                                              context_.superblock.sizes));
  out.bytes(bytes);
  return Status();
}

/// Finds the pieces of a header their places. Where there is no room for one, the object keeps all that
/// it has.
Result<HeaderLayout> FileStore::place_header(StoredObject& object) {
  const ObjectHeader& header = object.header;
  std::vector<ByteRange> pieces = object.chunks;
  std::vector<std::uint64_t> capacities;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    capacities.push_back(header_piece_capacity(header, i, pieces[i].size));
  PCIO_ASSIGN(HeaderLayout layout, layout_header(header, context_.superblock.sizes, capacities));
  if (layout.pieces.size() > pieces.size() && pieces.size() > 1) {
    // What no longer fits goes into one larger second piece instead of a chain of small ones.
    pieces.resize(1);
    PCIO_ASSIGN(layout,
                layout_header(header, context_.superblock.sizes, std::span(capacities).first(1)));
  }
  pieces.resize(std::min(pieces.size(), layout.pieces.size()));
  const std::size_t stay = pieces.size();
  if (stay < layout.pieces.size()) {
    // What is left is always one piece.
    const std::uint64_t size = header_piece_size(header, layout, stay);
    PCIO_ASSIGN(FileAddress address, context_.space.allocate(size, SpaceUse::kMetadata));
    pieces.push_back({address, size});
  }
  for (std::size_t i = stay; i < object.chunks.size(); ++i)
    context_.space.release(object.chunks[i]);
  object.chunks = std::move(pieces);
  return layout;
}

Status FileStore::plan_header(StoredObject& object, BlockSet* blocks) {
  ObjectHeader& header = object.header;
  object.compact_messages();
  const std::size_t messages = header.messages.size();
  set_reference_count(header, object.links_to);
  if (header.messages.size() != messages) object.messages_moved();
  PCIO_ASSIGN(HeaderLayout layout, place_header(object));
  if (object.chunks.size() == 1) {
    // Cut again when it is encoded: what is kept for each block of a commit is kept for all objects.
    blocks->push_back({object.chunks[0], [this, &object](ByteWriter& out) {
                         return encode_only_piece(object, out);
                       }});
    return Status();
  }
  auto shared = std::make_shared<HeaderLayout>(std::move(layout));
  std::vector<FileAddress> addresses;
  for (const ByteRange& chunk : object.chunks) addresses.push_back(chunk.offset);
  for (std::size_t i = 0; i < object.chunks.size(); ++i) {
    blocks->push_back({object.chunks[i], [this, &header, shared, addresses, i](ByteWriter& out) {
                         auto bytes = encode_header_piece(header, *shared, i, addresses,
                                                          context_.superblock.sizes);
                         if (!bytes) return std::move(bytes.error());
                         out.bytes(*bytes);
                         return Status();
                       }});
  }
  return Status();
}

/// Where ranks turn out to hold different maps of the file, the first such object is named.
void FileStore::note_planned(const StoredObject& object) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), object.address);
  FixedText<64> text("the object at address ");
  text.append({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
  context_.coordinator->note_step({"commit", text.view()});
}

Status FileStore::plan_everything(CommitKind kind, BlockSet* blocks) {
  left_out_.clear();
  std::size_t count = 0;
  for (const auto& [address, object] : objects_.changed()) count += object->links_dirty() ? 2 : 1;
  blocks->reserve(count);
  // Planning one object may touch others (links of released groups), never new addresses in dirty_.
  for (auto& [address, object] : objects_.changed()) {
    if (kept_.keeps() && object == extension_) continue;
    PCIO_TRY(plan_object(*object, blocks));
    note_planned(*object);
  }
  // Of what was released the file still names some: the file does not end with this commit.
  if (!left_out_.empty()) kind = CommitKind::kFlush;
  // What planning took in advance and did not use.
  if (kind == CommitKind::kClose) end_.trim();
  // Last: it says what is free when all the others have their places.
  return plan_kept_space(kind, blocks);
}

}  // namespace pcio
