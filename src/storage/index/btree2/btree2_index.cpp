// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree2: its class.

#include "storage/index/btree2/btree2_index.hpp"

#include "storage/index/btree2/chunk_btree2_plan.hpp"

namespace pcio {

namespace {

bool suits_btree2(const NewChunks& chunks) { return chunks.unlimited() > 1; }

Result<std::unique_ptr<IndexReader>> open_btree2(FileBytes& file, const ChunkIndexShape& shape,
                                                 const ChunkNumbering& /*numbering*/,
                                                 FileAddress address, ChunkIndex* index) {
  return open_chunk_btree2(file, shape, address, index->chunk_bytes());
}

Result<IndexPlanPtr> plan_btree2(const ChunkIndex& index, const ChunkIndexShape& shape) {
  return IndexPlanPtr(std::make_shared<ChunkBtree2Plan>(index, shape));
}

}  // namespace

constinit const ChunkIndexClass kBtree2Index{.kind = ChunkIndexKind::kBtree2,
                                             .suits = &suits_btree2,
                                             .open = &open_btree2,
                                             .plan = &plan_btree2};

}  // namespace pcio
