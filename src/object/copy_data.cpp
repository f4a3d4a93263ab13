// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: ObjectCopy: data from file to file, each rank a share.

#include <algorithm>

#include "base/without_throwing.hpp"
#include "object/copy.hpp"
#include "object/dataset_io.hpp"
#include "object/dataset_queries.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

namespace {

/// What one rank reads and writes at a time; bytes.
constexpr std::uint64_t kPieceBytes = std::uint64_t{4} << 20;

}  // namespace

Status ObjectCopy::move(const CallName& name) {
  PCIO_TRY(fill_all(name));
  Coordinator& ranks = request_.to->coordinator();
  // From here on all ranks come to the end of each step, whatever happens to one of them.
  PCIO_TRY(ranks.outcome(name, without_throwing([&] { return move_pieces(name); })));
  for (const CopiedObject& object : objects_)
    if (!object.elements.empty()) PCIO_TRY(write_elements(object, name));
  return Status();
}

/// Before data come into it: the shares of the two are not the same.
Status ObjectCopy::fill_all(const CallName& name) {
  if (unfilled_.empty()) return Status();
  FileStore& store = request_.to->store();
  return request_.to->coordinator().outcome(
      name, without_throwing([&]() -> Status {
        for (const auto& [number, space] : unfilled_) {
          PCIO_ASSIGN(const DatasetState* state,
                      store.datasets().state(objects_[number].made.object));
          PCIO_TRY(write_fill(store, *state, space));
        }
        return Status();
      }));
}

Status ObjectCopy::list_pieces(const CopiedObject& object, std::vector<Piece>* pieces) const {
  if (object.from.kind() != ObjectKind::kDataset || !object.elements.empty()) return Status();
  PCIO_ASSIGN(const DatasetState* from,
              object.from.file->store().datasets().state(object.from.object));
  PCIO_ASSIGN(const DatasetState* to, request_.to->store().datasets().state(object.made.object));
  auto add = [&](FileAddress a, FileAddress b, std::uint64_t bytes) {
    const bool follows = !pieces->empty() && pieces->back().from + pieces->back().bytes == a &&
                         pieces->back().to + pieces->back().bytes == b;
    if (follows)
      pieces->back().bytes += bytes;
    else
      pieces->push_back({a, b, bytes});
  };
  if (from->layout.cls == LayoutClass::kContiguous && from->layout.address != kUndefinedAddress) {
    PCIO_ASSIGN(const std::uint64_t bytes, from->data_bytes());
    if (bytes > 0) add(from->layout.address, to->layout.address, bytes);
  }
  for (const CopiedObject::Chunk& chunk : object.chunks) {
    const auto place = to->index->filtered(chunk.chunk.ordinal);
    if (!place) return PCIO_ERROR(DATASET, NOTFOUND, "a chunk of the copy has no place");
    add(chunk.address, place->address, chunk.chunk.size);
  }
  if (object.chunks.empty())
    for (const IndexRun& run : object.runs)
      for (std::uint64_t i = 0; i < run.count; ++i)
        add(run.address + i * from->chunk_bytes(), to->index->address_of(run.first + i),
            from->chunk_bytes());
  return Status();
}

Status ObjectCopy::move_pieces(const CallName& name) {
  static_cast<void>(name);
  const Coordinator& ranks = request_.to->coordinator();
  const auto size = static_cast<std::uint64_t>(ranks.size());
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  std::vector<std::byte> buffer;
  std::uint64_t turn = 0;
  for (const CopiedObject& object : objects_) {
    std::vector<Piece> pieces;
    PCIO_TRY(list_pieces(object, &pieces));
    for (const Piece& piece : pieces)
      for (std::uint64_t done = 0; done < piece.bytes; done += kPieceBytes) {
        if (turn++ % size != rank) continue;
        buffer.resize(static_cast<std::size_t>(std::min(kPieceBytes, piece.bytes - done)));
        PCIO_TRY(object.from.file->store().bytes().read(piece.from + done, buffer));
        PCIO_TRY(request_.to->store().bytes().write(piece.to + done, buffer));
      }
  }
  return Status();
}

/// Rank 0 writes; in a parallel file the others take part with nothing.
Status ObjectCopy::write_elements(const CopiedObject& object, const CallName& name) {
  const Location& made = object.made;
  TransferRequest write;
  write.direction = Direction::kWrite;
  std::vector<std::byte> elements;
  Status ready = without_throwing([&]() -> Status {
    PCIO_ASSIGN(const DatasetState* state, made.file->store().datasets().state(made.object));
    elements = translated({object.elements, state->type.size(), object.reference_places},
                          object.references, object.from.file.get());
    write.memory_type = state->type;
    write.memory_space = write.file_space = state->extent;
    return begin_use(made, DatasetAccessProps());
  });
  const bool parallel = made.file->parallel();
  write.props.mode = parallel ? TransferMode::kCollective : TransferMode::kIndependent;
  if (parallel && made.file->coordinator().rank() != 0) {
    write.memory_space.selection() = Selection::none();
    write.file_space.selection() = Selection::none();
  }
  write.buffer = elements.data();
  TransferReport report;
  return transfer_dataset(made.file->store(), made.object, write, &report, name, ready);
}

}  // namespace pcio
