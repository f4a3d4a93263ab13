// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/implicit: places of chunks by arithmetic.

#include "storage/index/implicit/implicit_index.hpp"

#include "base/checked.hpp"

namespace pcio {

namespace {

bool suits_implicit(const NewChunks& chunks) { return chunks.unlimited() == 0 && chunks.at_once; }

/// They exist from the start, so the file bounds their number.
Result<std::unique_ptr<IndexReader>> open_implicit(FileBytes& file,
                                                   const ChunkIndexShape& /*shape*/,
                                                   const ChunkNumbering& numbering,
                                                   FileAddress address, ChunkIndex* index) {
  const Dims& grid = index->grid().grid();
  auto bytes = checked_mul(numbering.count(), index->chunk_bytes());
  if (!bytes || !file.holds(address, *bytes))
    return PCIO_ERROR(DATASET, TRUNCATED, "chunks with an implicit index lie outside the file");
  numbering.for_each_interval(Box::whole(grid), [&](std::uint64_t first, std::uint64_t end) {
    index->add_run({index->grid().ordinal(numbering.coords(first)), end - first,
                    address + first * index->chunk_bytes()});
  });
  return std::unique_ptr<IndexReader>();
}

Result<IndexPlanPtr> plan_implicit(const ChunkIndex& index, const ChunkIndexShape& /*shape*/) {
  const auto& chunks = index.plain_chunks();
  return IndexPlanPtr(std::make_shared<NoIndexPlan>(
      chunks.empty() ? kUndefinedAddress : chunks.begin()->second.address));
}

}  // namespace

constinit const ChunkIndexClass kImplicitIndex{.kind = ChunkIndexKind::kImplicit,
                                               .has_structure = false,
                                               .all_chunks_or_none = true,
                                               .numbered_by = NumberedBy::kLargest,
                                               .suits = &suits_implicit,
                                               .number = &number_by_largest,
                                               .open = &open_implicit,
                                               .plan = &plan_implicit};

}  // namespace pcio
