// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: what only memory has of datasets goes to the file, or is dropped.

#include <algorithm>
#include <utility>

#include "storage/chunks/chunk_images.hpp"

namespace pcio {

Status check_not_in_use(const DatasetState& state, ChunkOrdinal ordinal) {
  if (!state.chunks) return Status();
  if (state.chunks->encodings > 0)
    return PCIO_ERROR(DATASET, CANTOPERATE,
                      "chunks of the dataset are in their filters, which can't write to it");
  for (const ChunkCache* cache : {&state.chunks->cache, &state.chunks->pending})
    if (const ChunkInMemory* chunk = cache->peek(ordinal); chunk != nullptr && chunk->uses > 0)
      return PCIO_ERROR(DATASET, CANTOPERATE,
                        "a transfer of this chunk is going on, whose conversion can't replace it");
  return Status();
}

Status flush_chunks(FileStore& store, const StoredObjectPtr& object) {
  if (!object->dataset || !object->dataset->chunks) return Status();
  if (!object->dataset->chunks->cache.has_dirty()) return Status();
  if (object->dataset->chunks->encodings > 0)
    return PCIO_ERROR(DATASET, CANTOPERATE,
                      "a function of the program, a filter, calls this while chunks of the dataset "
                      "are in their filters");
  return ChunkImages(store, object).flush();
}

Status close_chunks(FileStore& store, const StoredObjectPtr& object) {
  if (!object->dataset || !object->dataset->chunks) return Status();
  // Of a dataset that nobody can reach nothing is wanted.
  Status flushed = is_linked(store, *object) ? flush_chunks(store, object) : Status();
  object->dataset->chunks->cache.drop_clean();
  object->dataset->chunks->kept.drop_clean();
  return flushed;
}

bool is_linked(FileStore& store, const StoredObject& object) {
  return !store.objects().unlinked().contains(object.address);
}

namespace {

/// What there was no memory to encode is tried once more, with what can be given back.
Status flush_with_less(FileStore& store, const StoredObjectPtr& object) {
  Status written = flush_chunks(store, object);
  if (!lacks_memory(written)) return written;
  DatasetChunks& chunks = *object->dataset->chunks;
  chunks.scratch = FilterScratch();
  chunks.cache.drop_clean();
  chunks.kept.drop_clean();
  return flush_chunks(store, object);
}

/// All that the file lacks of it could not be encoded, and the index leads to what was there before.
bool lacks_unencoded_only(DatasetChunks& chunks) {
  const std::vector<ChunkInMemory*> all = chunks.cache.chunks();
  return std::all_of(all.begin(), all.end(), [](const ChunkInMemory* chunk) {
    return !chunk->dirty || (chunk->is_unencoded && !chunk->is_placed);
  });
}

}  // namespace

Status flush_chunk_caches(FileStore& store, LeftOut* left) {
  Status first;
  const ObjectsByAddress& datasets = store.pending().datasets();
  for (auto it = datasets.begin(); it != datasets.end();) {
    const auto [address, object] = *it;
    if (!object->dataset || !object->dataset->chunks) {
      store.pending().forget(object);
    } else if (is_linked(store, *object)) {
      DatasetChunks& chunks = *object->dataset->chunks;
      Status written = flush_with_less(store, object);
      if (!written.ok() && lacks_unencoded_only(chunks))
        left->emplace(address, std::move(written));
      else if (!written.ok())
        first.join(std::move(written));
      else if (chunks.pending.count() == 0)
        store.pending().forget(object);
    }
    // Functions of the program may have been called.
    it = datasets.upper_bound(address);
  }
  return first;
}

void drop_chunks(FileStore& store, const StoredObjectPtr& object) {
  store.pending().forget(object);
  if (!object->dataset || !object->dataset->chunks) return;
  object->dataset->chunks->cache.clear();
  object->dataset->chunks->kept.drop_clean();
  object->dataset->chunks->pending.clear();
}

}  // namespace pcio
