// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: chunks of a dataset as they lie in the file: described, written and read past conversion and
// filters.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "format/layout_message.hpp"
#include "object/file.hpp"
#include "transfer/call/direct_chunk.hpp"

namespace pcio {

/// A chunk that the file has, or that this rank wrote directly and that waits for the other ranks.
struct ChunkFacts {
  Dims offset;  ///< its first element, [ndims]
  std::optional<std::uint64_t>
      position;            ///< bytes from the start of the file, a user block included;
                           ///< nothing while it waits
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t mask = 0;  ///< bit i set: filter i was skipped
};

/// Nothing where the dataset is not chunked. Collective: independent.
Result<std::optional<ChunkIndexKind>> chunk_index_kind(const OpenObject& dataset);

// All of these first write what only the cache has, so that sizes are true. The dataset is chunked.

/// Collective: independent.
Result<std::uint64_t> count_chunks(const OpenObject& dataset);
/// Chunk number `number` by ascending position (row-major); nothing where there are not so many.
Result<std::optional<ChunkFacts>> chunk_by_number(const OpenObject& dataset, std::uint64_t number);
/// The chunk that holds the element at `point`, which may lie behind the edge of the extent; nothing where
/// there is none.
Result<std::optional<ChunkFacts>> chunk_at(const OpenObject& dataset, const Dims& point);
/// Calls `visit` for all that have a place, by ascending position, until it returns false. `visit` must not
/// change the dataset.
Status visit_chunks(const OpenObject& dataset, const std::function<bool(const ChunkFacts&)>& visit);

/// As write_direct_chunk, which says what is collective. `function`: for messages.
Status write_chunk(const OpenObject& dataset, const DirectChunk& chunk, TransferMode mode,
                   std::string_view function, const Status& checked);
/// As read_direct_chunk. Collective: independent.
Status read_chunk(const OpenObject& dataset, const Dims& offset, std::byte* into,
                  std::uint32_t* mask);

}  // namespace pcio
