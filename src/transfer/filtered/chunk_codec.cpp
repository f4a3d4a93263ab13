// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: ChunkCodec.

#include "transfer/filtered/chunk_codec.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/never_destroyed.hpp"
#include "base/repeat.hpp"

namespace pcio {

namespace {

// Never destroyed: chunks that wait are written while the process ends.
NeverDestroyed<const FilterPipeline> no_filters;

}  // namespace

bool ChunkCodec::is_cut(ChunkOrdinal ordinal) const {
  const ChunkGrid& grid = state_.index->grid();
  const Dims coords = grid.coords(ordinal);
  return !(grid.box(coords) == grid.full_box(coords));
}

std::uint64_t ChunkCodec::bytes_inside(ChunkOrdinal ordinal) const {
  const ChunkGrid& grid = state_.index->grid();
  return grid.box(grid.coords(ordinal)).volume().value_or(0) * state_.element_size();
}

const FilterPipeline& ChunkCodec::filters_of(ChunkOrdinal ordinal) const {
  return state_.layout.partial_edge_unfiltered && is_cut(ordinal) ? *no_filters : state_.filters;
}

Status ChunkCodec::load(ChunkOrdinal ordinal, Bytes image) {
  const auto chunk = state_.index->filtered(ordinal);
  if (!chunk) {
    fill(image);
    return Status();
  }
  return load_stored(ordinal, *chunk, image);
}

Status ChunkCodec::load_stored(ChunkOrdinal ordinal, const FilteredChunk& chunk, Bytes image) {
  if (!fits_inside(chunk.address, chunk.size, store_.bytes().end()))
    return PCIO_ERROR(DATASET, TRUNCATED, "a chunk lies outside the file");
  stored_.resize(static_cast<std::size_t>(chunk.size));
  PCIO_TRY(source_.read(chunk.address, stored_));
  return decode(ordinal, stored_, chunk.filter_mask, image);
}

Status ChunkCodec::decode(ChunkOrdinal ordinal, ConstBytes stored, std::uint32_t mask,
                          Bytes image) {
  return decode_chunk(filters_of(ordinal), stored, mask, image, scratch_, options_);
}

void ChunkCodec::fill(Bytes image) {
  if (element_.empty()) element_ = state_.new_element();
  if (element_.empty() ||
      std::all_of(element_.begin(), element_.end(), [](std::byte b) { return b == std::byte{0}; }))
    repeat_element({}, image);
  else
    repeat_element(element_, image);
}

Result<EncodedView> ChunkCodec::encode(ChunkOrdinal ordinal, ConstBytes image) {
  return encode_chunk(filters_of(ordinal), image, scratch_, options_);
}

}  // namespace pcio
