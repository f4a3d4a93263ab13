// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: chunks of a dataset as they lie in the file, out of line.

#include "object/dataset_chunks.hpp"

#include "storage/chunks/stored_chunks.hpp"

namespace pcio {

namespace {

ChunkFacts facts_of(const OpenObject& dataset, const StoredChunk& chunk) {
  ChunkFacts facts{chunk.offset, std::nullopt, chunk.size, chunk.mask};
  if (chunk.address != kUndefinedAddress)
    facts.position = chunk.address + dataset.store().context().superblock.base_address;
  return facts;
}

std::optional<ChunkFacts> facts_of(const OpenObject& dataset,
                                   const std::optional<StoredChunk>& chunk) {
  return chunk ? std::optional(facts_of(dataset, *chunk)) : std::nullopt;
}

}  // namespace

Result<std::optional<ChunkIndexKind>> chunk_index_kind(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, dataset.store().datasets().state(dataset.object()));
  return state->chunked() ? std::optional(state->layout.index) : std::nullopt;
}

Result<std::uint64_t> count_chunks(const OpenObject& dataset) {
  return count_stored_chunks(dataset.store(), dataset.object());
}

Result<std::optional<ChunkFacts>> chunk_by_number(const OpenObject& dataset, std::uint64_t number) {
  PCIO_ASSIGN(auto chunk, stored_chunk(dataset.store(), dataset.object(), number));
  return facts_of(dataset, chunk);
}

Result<std::optional<ChunkFacts>> chunk_at(const OpenObject& dataset, const Dims& point) {
  PCIO_ASSIGN(auto chunk, stored_chunk_at(dataset.store(), dataset.object(), point));
  return facts_of(dataset, chunk);
}

Status visit_chunks(const OpenObject& dataset,
                    const std::function<bool(const ChunkFacts&)>& visit) {
  return visit_stored_chunks(dataset.store(), dataset.object(), [&](const StoredChunk& chunk) {
    return visit(facts_of(dataset, chunk));
  });
}

Status write_chunk(const OpenObject& dataset, const DirectChunk& chunk, TransferMode mode,
                   std::string_view function, const Status& checked) {
  return write_direct_chunk(dataset.store(), dataset.object(), chunk, mode,
                            {function, dataset.path()}, checked);
}

Status read_chunk(const OpenObject& dataset, const Dims& offset, std::byte* into,
                  std::uint32_t* mask) {
  return read_direct_chunk(dataset.store(), dataset.object(), offset, into, mask);
}

}  // namespace pcio
