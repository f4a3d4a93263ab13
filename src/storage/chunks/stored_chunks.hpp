// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: which chunks of a dataset are in the file, filtered or not, told one by one.

#pragma once

#include <functional>
#include <optional>

#include "storage/file/file_store.hpp"

namespace pcio {

/// A chunk as it lies in the file.
struct StoredChunk {
  Dims offset;  ///< its first element, [ndims]
  FileAddress address = kUndefinedAddress;
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t mask = 0;  ///< bit i set: filter i was skipped
};

// All of these first write what only the cache has, so that sizes are true. The dataset is chunked.

/// Collective: independent.
Result<std::uint64_t> count_stored_chunks(FileStore& store, const StoredObjectPtr& object);
/// Chunk number `number` by ascending position (row-major); nothing where there are not so many.
Result<std::optional<StoredChunk>> stored_chunk(FileStore& store, const StoredObjectPtr& object,
                                                std::uint64_t number);
/// The chunk that holds the element at `point`, which may lie behind the edge of the extent; nothing
/// where that chunk is not in the file or not in the grid. One that this rank wrote directly and that
/// waits (storage/chunk_images) has its size and no address.
Result<std::optional<StoredChunk>> stored_chunk_at(FileStore& store, const StoredObjectPtr& object,
                                                   const Dims& point);
/// Calls `visit` for all, by ascending position, until it returns false. `visit` must not change the
/// dataset.
Status visit_stored_chunks(FileStore& store, const StoredObjectPtr& object,
                           const std::function<bool(const StoredChunk&)>& visit);

}  // namespace pcio
