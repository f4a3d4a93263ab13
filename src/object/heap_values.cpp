// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: values with variable-length parts, out of line.

#include "object/heap_values.hpp"

#include <algorithm>

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

Status store_values(FileStore& store, const ValueTypes& types, const void* buffer,
                    std::vector<std::byte>* data) {
  if (store.coordinator().size() > 1)
    return PCIO_ERROR(ATTR, UNSUPPORTED,
                      "attributes with variable-length data can't be written by several ranks yet");
  PCIO_ASSIGN(const auto before, owned_by(store, types.file, *data));
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, &store.heaps());
  ConvertOptions options;
  options.sequences.destination = &heap;
  PCIO_ASSIGN(Conversion way, Conversion::make(types.memory, types.file, options));
  if (!way.needs_background()) std::fill(data->begin(), data->end(), std::byte{0});
  PCIO_TRY(way.run(static_cast<const std::byte*>(buffer), data->data(),
                   static_cast<std::size_t>(types.n)));
  PCIO_ASSIGN(const auto after, owned_by(store, types.file, *data));
  for (const GlobalHeapId& id : before)
    if (!std::binary_search(after.begin(), after.end(), id, heap_id_less)) store.heaps().let_go(id);
  return Status();
}

Status load_values(FileStore& store, const ValueTypes& types, const std::vector<std::byte>& data,
                   void* buffer) {
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, nullptr);
  SequenceMemory memory;
  ConvertOptions options;
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

Status let_go_values(FileStore& store, const Datatype& file_type, ConstBytes data) {
  if (file_type.is_fixed()) return Status();
  PCIO_ASSIGN(const auto ids, owned_by(store, file_type, data));
  for (const GlobalHeapId& id : ids) store.heaps().let_go(id);
  return Status();
}

}  // namespace pcio
