// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index: the table of kinds, and what is alike for all of them.

#include "storage/index/chunk_index_store.hpp"

#include <array>
#include <cassert>
#include <string>

#include "storage/index/btree1/btree1_index.hpp"
#include "storage/index/btree2/btree2_index.hpp"
#include "storage/index/extensible_array/extensible_array_index.hpp"
#include "storage/index/fixed_array/fixed_array_index.hpp"
#include "storage/index/implicit/implicit_index.hpp"
#include "storage/index/single_chunk/single_chunk_index.hpp"

namespace pcio {

namespace {

/// A new dataset gets the first one that suits.
constexpr std::array kIndexClasses{&kBtree1Index,     &kSingleChunkIndex,     &kImplicitIndex,
                                   &kFixedArrayIndex, &kExtensibleArrayIndex, &kBtree2Index};

}  // namespace

std::span<const ChunkIndexClass* const> chunk_index_classes() { return kIndexClasses; }

const ChunkIndexClass& chunk_index_class(ChunkIndexKind kind) {
  for (const ChunkIndexClass* one : kIndexClasses)
    if (one->kind == kind) return *one;
  assert(false);  // layout messages know kinds of the table only
  return kBtree1Index;
}

Result<ChunkNumbering> number_chunks(const ChunkIndexShape& shape, const ChunkGrid& grid) {
  return chunk_index_class(shape.layout.index).number(shape, grid);
}

Result<std::unique_ptr<ChunkLoader>> open_chunk_index(FileBytes& file, const ChunkIndexShape& shape,
                                                      FileAddress address, ChunkIndex* index) {
  const ChunkIndexClass& cls = chunk_index_class(shape.layout.index);
  PCIO_ASSIGN(ChunkNumbering numbering, cls.number(shape, index->grid()));
  PCIO_ASSIGN(auto source, cls.open(file, shape, numbering, address, index));
  if (!source) return std::unique_ptr<ChunkLoader>();
  return std::make_unique<ChunkLoader>(std::move(source), std::move(numbering), shape.form,
                                       cls.numbered_by);
}

Result<IndexPlanPtr> plan_chunk_index(const ChunkIndex& index, const ChunkIndexShape& shape) {
  if (index.allocated_count() == 0) return IndexPlanPtr(std::make_shared<NoIndexPlan>());
  return chunk_index_class(shape.layout.index).plan(index, shape);
}

Status check_chunk_index(const ChunkIndexShape& shape, const ChunkGrid& grid,
                         std::uint64_t chunk_bytes, std::uint64_t most_bytes) {
  const ChunkIndexClass& cls = chunk_index_class(shape.layout.index);
  if (!cls.has_structure && cls.holds == nullptr) return Status();
  PCIO_ASSIGN(ChunkNumbering numbering, cls.number(shape, grid));
  if (cls.holds == nullptr || cls.holds(shape, {grid, numbering, chunk_bytes, most_bytes}))
    return Status();
  return PCIO_ERROR(DATASET, NOSPACE,
                    std::string("the dataset can have more chunks than its index (") +
                        chunk_index_name(cls.kind) + ") can list in this file");
}

ChunkIndexKind choose_chunk_index(const NewChunks& chunks) {
  for (const ChunkIndexClass* one : kIndexClasses)
    if (one->suits(chunks)) return one->kind;
  return ChunkIndexKind::kBtree1;
}

}  // namespace pcio
