// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: values with variable-length parts, out of line.

#include "object/heap_values.hpp"

#include <algorithm>

#include "base/rank_status.hpp"
#include "base/without_throwing.hpp"
#include "storage/heaps/heap_reader.hpp"

namespace pcio {

namespace {

Result<std::vector<GlobalHeapId>> owned_by(FileStore& store, const Datatype& type,
                                           ConstBytes data) {
  HeapReader reader = store.heap_reader();
  std::vector<GlobalHeapId> ids;
  PCIO_TRY(collect_owned(reader, SequenceMap(type), data, &ids));
  std::sort(ids.begin(), ids.end(), heap_id_less);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

namespace {

Status store_alone(FileStore& store, const ValueTypes& types, const void* buffer,
                   std::vector<std::byte>* data) {
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, &store.heaps());
  ConvertOptions options = types.options;
  options.sequences.destination = &heap;
  PCIO_ASSIGN(Conversion way, Conversion::make(types.memory, types.file, options));
  if (!way.needs_background()) std::fill(data->begin(), data->end(), std::byte{0});
  return way.run(static_cast<const std::byte*>(buffer), data->data(),
                 static_cast<std::size_t>(types.n));
}

/// Rank 0 stores; what it allocates the others allocate as well, and take over its elements.
/// `store_first() -> Status` puts them into `data`.
template <class StoreFirst>
Status store_together(FileStore& store, const CallName& name, StoreFirst&& store_first,
                      Bytes data) {
  Coordinator& coordinator = store.coordinator();
  PCIO_TRY(store.recover_commit(name));
  const bool first = coordinator.rank() == 0;
  RankStatus mine;
  std::vector<std::uint64_t> sizes;
  if (first) {
    mine.unless_failed(store_first);
    mine.even_if_failed([&] { return store.heaps().write_filled(); });
    sizes = store.heaps().take_allocated();
  }
  std::uint64_t count = sizes.size();
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&count, 1)), 0));
  RankStatus room;
  room.unless_failed([&] {
    if (!first) sizes.resize(static_cast<std::size_t>(count));
    return Status();
  });
  std::uint64_t lacking = room.word();
  PCIO_TRY(coordinator.allreduce_max(std::span(&lacking, 1)));
  // Rank 0 holds more space than they do now.
  if (lacking != 0) {
    coordinator.lose_metadata_call(name, "out of memory");
    return PCIO_ERROR(RESOURCE, NOSPACE, "a rank has no memory for what rank 0 stores");
  }
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(sizes)), 0));
  if (!first) {
    const Status followed = without_throwing([&] { return store.heaps().follow(sizes); });
    if (!followed.ok()) coordinator.lose_metadata_call(name, "out of memory");
    mine.note(followed);
  }
  PCIO_TRY(coordinator.broadcast(data, 0));
  return coordinator.outcome(name, mine.status());
}

}  // namespace

Status store_values(FileStore& store, const CallName& name, const ValueTypes& types,
                    const void* buffer, std::vector<std::byte>* data) {
  const auto alone = [&] { return store_alone(store, types, buffer, data); };
  return store.coordinator().size() > 1 ? store_together(store, name, alone, Bytes(*data))
                                        : alone();
}

Status store_object(FileStore& store, const CallName& name, ConstBytes object, Bytes heap_id) {
  const auto alone = [&] {
    HeapReader reader = store.heap_reader();
    return FileHeap(reader, &store.heaps()).put(object, heap_id);
  };
  return store.coordinator().size() > 1 ? store_together(store, name, alone, heap_id) : alone();
}

Status load_values(FileStore& store, const ValueTypes& types, const std::vector<std::byte>& data,
                   void* buffer) {
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, nullptr);
  SequenceMemory memory;
  ConvertOptions options = types.options;
  options.sequences.source = &heap;
  options.sequences.memory = &memory;
  PCIO_ASSIGN(Conversion way, Conversion::make(types.file, types.memory, options));
  PCIO_TRY(reader.prepare(SequenceMap(types.file), data));
  auto* const elements = static_cast<std::byte*>(buffer);
  const auto n = static_cast<std::size_t>(types.n);
  Status converted = way.run(data.data(), elements, n);
  if (converted.ok()) {
    memory.keep();
    return converted;
  }
  memory.release_all();
  clear_sequences(types.memory, elements, n);
  return converted;
}

void let_go_values(FileStore& store, const Datatype& file_type, ConstBytes before,
                   ConstBytes after) {
  if (file_type.is_fixed() || store.coordinator().rank() != 0) return;
  static_cast<void>(without_throwing([&]() -> Status {
    PCIO_ASSIGN(const auto old, owned_by(store, file_type, before));
    PCIO_ASSIGN(const auto now, owned_by(store, file_type, after));
    for (const GlobalHeapId& id : old)
      if (!std::binary_search(now.begin(), now.end(), id, heap_id_less)) store.heaps().let_go(id);
    return Status();
  }));
}

}  // namespace pcio
