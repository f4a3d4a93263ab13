// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree1: its class.

#include "storage/index/btree1/btree1_index.hpp"

#include "storage/index/btree1/chunk_btree_plan.hpp"

namespace pcio {

namespace {

/// Whatever the dataset is: layout messages before version 4 know nothing else.
bool suits_btree1(const NewChunks& chunks) { return !chunks.new_layout; }

Result<std::unique_ptr<IndexReader>> open_btree1(FileBytes& /*file*/, const ChunkIndexShape& shape,
                                                 const ChunkNumbering& /*numbering*/,
                                                 FileAddress address, ChunkIndex* /*index*/) {
  return open_chunk_btree(btree_shape(shape), address, shape.form);
}

Result<IndexPlanPtr> plan_btree1(const ChunkIndex& index, const ChunkIndexShape& shape) {
  return IndexPlanPtr(std::make_shared<ChunkBtreePlan>(index, btree_shape(shape)));
}

}  // namespace

constinit const ChunkIndexClass kBtree1Index{.kind = ChunkIndexKind::kBtree1,
                                             .suits = &suits_btree1,
                                             .open = &open_btree1,
                                             .plan = &plan_btree1};

}  // namespace pcio
