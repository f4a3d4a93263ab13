// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/single_chunk: the one chunk, as the layout message has it.

#include "storage/index/single_chunk/single_chunk_index.hpp"

#include "base/checked.hpp"

namespace pcio {

namespace {

bool suits_single_chunk(const NewChunks& chunks) {
  return chunks.unlimited() == 0 && chunks.dims == chunks.max_dims && chunks.dims == chunks.chunk;
}

/// A file may say that its dataset can grow.
bool single_chunk_holds(const ChunkIndexShape& /*shape*/, const WantedChunks& wanted) {
  return wanted.grid.count() <= 1;
}

Result<std::unique_ptr<IndexReader>> open_single_chunk(FileBytes& file,
                                                       const ChunkIndexShape& shape,
                                                       const ChunkNumbering& /*numbering*/,
                                                       FileAddress address, ChunkIndex* index) {
  const SingleChunkFilter one =
      shape.layout.single_filter.value_or(SingleChunkFilter{index->chunk_bytes(), 0});
  if (!file.holds(address, one.size))
    return PCIO_ERROR(DATASET, TRUNCATED, "the dataset's chunk lies outside the file");
  if (index->grid().count() == 0) return std::unique_ptr<IndexReader>();
  PCIO_TRY(shape.form == ChunkForm::kFiltered
               ? index->add_filtered(0, {address, one.size, one.mask})
               : index->add(0, address));
  return std::unique_ptr<IndexReader>();
}

Result<IndexPlanPtr> plan_single_chunk(const ChunkIndex& index, const ChunkIndexShape& /*shape*/) {
  const auto one = index.filtered(0);
  return IndexPlanPtr(std::make_shared<NoIndexPlan>(one ? one->address : index.address_of(0)));
}

}  // namespace

constinit const ChunkIndexClass kSingleChunkIndex{.kind = ChunkIndexKind::kSingleChunk,
                                                  .has_structure = false,
                                                  .single_chunk = true,
                                                  .suits = &suits_single_chunk,
                                                  .holds = &single_chunk_holds,
                                                  .open = &open_single_chunk,
                                                  .plan = &plan_single_chunk};

}  // namespace pcio
