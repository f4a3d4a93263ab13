// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: convert_layout().

#include "storage/dataset/convert_layout.hpp"

#include <utility>
#include <vector>

#include "storage/chunks/chunk_images.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

/// No filter of a pipeline was applied.
constexpr std::uint32_t kNoFilters = 0xffffffffU;
constexpr std::byte kLatestLayout{4};

Status convert_message(FileStore& store, const StoredObjectPtr& object) {
  const HeaderMessage* const has = object->find(kMessageLayout);
  if (has == nullptr || has->body.empty() || has->body[0] < kLatestLayout) return Status();
  PCIO_ASSIGN(HeaderMessage message,
              encode_layout_earliest(store.context(), object->dataset->layout));
  object->put(std::move(message));
  store.objects().touch(object);
  return Status();
}

/// Edge chunks, which the other layout has no word for, as they are to be listed.
std::vector<std::pair<ChunkOrdinal, FilteredChunk>> plain_edges(const DatasetState& state) {
  std::vector<std::pair<ChunkOrdinal, FilteredChunk>> edges;
  if (!state.layout.partial_edge_unfiltered || !state.filtered()) return edges;
  const ChunkGrid& grid = state.index->grid();
  for (auto [ordinal, chunk] : state.index->filtered_chunks()) {
    if (!is_plain_edge(state.layout, grid, grid.coords(ordinal))) continue;
    chunk.filter_mask = kNoFilters;
    edges.emplace_back(ordinal, chunk);
  }
  return edges;
}

}  // namespace

Status convert_layout(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (state->layout.cls == LayoutClass::kVirtual) return Status();
  if (!state->chunked()) return convert_message(store, object);
  if (state->layout.index == ChunkIndexKind::kBtree1) return Status();
  PCIO_TRY(store.datasets().load_chunk_index(object));
  ChunkIndexShape shape = store.datasets().chunk_index_shape(*state);
  shape.layout.index = ChunkIndexKind::kBtree1;
  PCIO_TRY(check_chunk_index(shape, state->index->grid(), state->chunk_bytes(),
                             store.space().raw_part().settings().max_address));
  const auto edges = plain_edges(*state);
  store.objects().touch(object);
  // Written anew, whatever changed.
  state->placed.reset();
  state->index->unfollow();
  for (const auto& [ordinal, chunk] : edges) state->index->put_filtered(ordinal, chunk);
  state->layout.index = ChunkIndexKind::kBtree1;
  state->layout.address = kUndefinedAddress;
  state->layout.single_filter.reset();
  state->layout.partial_edge_unfiltered = false;
  state->mark_index_changed();
  state->mark_messages_changed();
  return Status();
}

}  // namespace pcio
