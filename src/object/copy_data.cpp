// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: ObjectCopy: data from file to file, each rank a share.

#include <algorithm>

#include "base/without_throwing.hpp"
#include "object/copy.hpp"
#include "object/dataset_io.hpp"
#include "object/dataset_queries.hpp"
#include "object/fill_values.hpp"
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
  PCIO_TRY(place_fill_values(name));
  for (const CopiedObject& object : objects_) {
    if (object.is_there) continue;
    if (object.by_elements) PCIO_TRY(copy_elements(object, name));
    PCIO_TRY(write_values(object, name));
  }
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

/// Elements of a dataset without chunks are all written.
Status ObjectCopy::place_fill_values(const CallName& name) {
  FileStore& store = request_.to->store();
  for (const CopiedObject& object : objects_) {
    if (!object.fill) continue;
    const StoredObjectPtr& made = object.made.object;
    PCIO_TRY(store_fill_value(store, made, {*object.fill}, name));
    // The source is as all ranks have found it when they met.
    const DatasetState& source = *object.from.object->dataset;
    const bool all_written = source.layout.cls == LayoutClass::kCompact ||
                             (source.layout.cls == LayoutClass::kContiguous &&
                              source.layout.address != kUndefinedAddress);
    if (!all_written) PCIO_TRY(fill_new_elements(store, made, name));
  }
  return Status();
}

Status ObjectCopy::list_pieces(const CopiedObject& object, std::vector<Piece>* pieces) const {
  if (object.from.kind() != ObjectKind::kDataset || object.by_elements) return Status();
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
  // Of all bytes, one behind the other: their number is the same on all ranks, that of pieces is not, which follow one
  // another in the source here and lie apart there.
  std::uint64_t before = 0;
  for (const CopiedObject& object : objects_) {
    std::vector<Piece> pieces;
    PCIO_TRY(list_pieces(object, &pieces));
    for (const Piece& piece : pieces)
      for (std::uint64_t done = 0; done < piece.bytes;) {
        const std::uint64_t share = before / kPieceBytes;
        const std::uint64_t bytes =
            std::min((share + 1) * kPieceBytes - before, piece.bytes - done);
        if (share % size == rank) {
          buffer.resize(static_cast<std::size_t>(bytes));
          PCIO_TRY(object.from.file->store().bytes().read(piece.from + done, buffer));
          PCIO_TRY(request_.to->store().bytes().write(piece.to + done, buffer));
        }
        done += bytes;
        before += bytes;
      }
  }
  return Status();
}

Result<ElementBatches> ObjectCopy::batches_of(const CopiedObject& object) {
  PCIO_ASSIGN(const DatasetState* state,
              object.from.file->store().datasets().state(object.from.object));
  std::vector<ChunkOrdinal> chunks;
  for (const CopiedObject::Chunk& chunk : object.chunks) chunks.push_back(chunk.chunk.ordinal);
  if (chunks.empty())
    for (const IndexRun& run : object.runs)
      for (std::uint64_t i = 0; i < run.count; ++i) chunks.push_back(run.first + i);
  return ElementBatches::make(*state, std::move(chunks));
}

Status ObjectCopy::read_batch(const OpenObject& from, const Dataspace& part,
                              HeldElements* elements) {
  PCIO_ASSIGN(const DatasetState* state, from.store().datasets().state(from.object()));
  elements->reset(state->type.memory_form(), static_cast<std::size_t>(part.selected()));
  if (elements->size() == 0) return Status();
  TransferRequest read;
  read.direction = Direction::kRead;
  read.memory_type = elements->type();
  read.file_space = part;
  PCIO_ASSIGN(read.memory_space, Dataspace::simple(Dims(1, elements->size())));
  read.buffer = elements->data();
  TransferReport report;
  return transfer_dataset(from, read, &report, "H5Ocopy", Status());
}

/// Each rank takes a batch at a time; those that have none left take part with nothing.
Status ObjectCopy::copy_elements(const CopiedObject& object, const CallName& name) {
  const Coordinator& ranks = request_.to->coordinator();
  const auto size = static_cast<std::uint64_t>(ranks.size());
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  ElementBatches batches;
  std::optional<OpenObject> open;
  Status ready = without_throwing([&]() -> Status {
    PCIO_ASSIGN(batches, batches_of(object));
    open.emplace(object.from.file, object.from.object, object.from.path);
    return begin_use(object.made, DatasetAccessProps());
  });
  // A rank that doesn't know how many there are has failed, and all learn of it.
  PCIO_TRY(request_.to->coordinator().outcome(name, ready));
  for (std::uint64_t first = 0; first < batches.count(); first += size) {
    Dataspace part;
    HeldElements elements;
    Status read = without_throwing([&]() -> Status {
      part = batches.nothing();
      if (first + rank >= batches.count()) return Status();
      PCIO_ASSIGN(part, batches.batch(first + rank));
      PCIO_TRY(read_batch(*open, part, &elements));
      return translate(object.references, object.from.file.get(), &elements);
    });
    PCIO_TRY(write_batch(object, part, elements, name, read));
  }
  return Status();
}

Status ObjectCopy::write_batch(const CopiedObject& object, const Dataspace& part,
                               HeldElements& elements, const CallName& name, const Status& ready) {
  const Location& made = object.made;
  TransferRequest write;
  write.direction = Direction::kWrite;
  write.props.mode = made.file->parallel() ? TransferMode::kCollective : TransferMode::kIndependent;
  const Status prepared = !ready.ok() ? ready : without_throwing([&]() -> Status {
    PCIO_ASSIGN(const DatasetState* state, made.file->store().datasets().state(made.object));
    write.memory_type = state->type.memory_form();
    write.file_space = part;
    PCIO_ASSIGN(write.memory_space, Dataspace::simple(Dims(1, part.selected())));
    write.buffer = elements.data();
    return Status();
  });
  TransferReport report;
  return transfer_dataset(made.file->store(), made.object, write, &report, name, prepared);
}

/// Values that need heaps, or what references lead to. Every rank has all of them; those with variable-length
/// parts take all ranks to write.
Status ObjectCopy::write_values(const CopiedObject& object, const CallName& name) {
  const auto waits = [](const CopiedObject::Value& value) { return value.elements != nullptr; };
  if (std::none_of(object.attributes.begin(), object.attributes.end(), waits)) return Status();
  Coordinator& ranks = request_.to->coordinator();
  std::optional<OpenObject> open;
  std::vector<AttributeWrite> writes;
  Status ready = without_throwing([&]() -> Status {
    open.emplace(object.made.file, object.made.object, object.from.path);
    for (const CopiedObject::Value& value : object.attributes) {
      if (!waits(value)) continue;
      PCIO_TRY(translate(value.references, object.from.file.get(), value.elements.get()));
      AttributeWrite write;
      write.memory_type = value.elements->type();
      write.buffer = value.elements->data();
      PCIO_TRY(prepare_attribute_write(*open, value.attribute.name, &write));
      writes.push_back(std::move(write));
    }
    return Status();
  });
  PCIO_TRY(ranks.outcome(name, ready));
  for (AttributeWrite& write : writes) {
    const Status written = without_throwing([&] { return write_attribute(*open, name, write); });
    PCIO_TRY(ranks.outcome(name, written));
  }
  return Status();
}

}  // namespace pcio
