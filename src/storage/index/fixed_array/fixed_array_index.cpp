// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/fixed_array: its class.

#include "storage/index/fixed_array/fixed_array_index.hpp"

#include "storage/index/fixed_array/fixed_array_reader.hpp"
#include "storage/index/fixed_array/fixed_array_updater.hpp"

namespace pcio {

namespace {

bool suits_fixed_array(const NewChunks& chunks) { return chunks.unlimited() == 0; }

/// It has room for all chunks that there may be one day.
bool fixed_array_holds(const ChunkIndexShape& shape, const WantedChunks& wanted) {
  FixedArrayHeader header;
  header.element_size = static_cast<unsigned>(shape.elements(wanted.chunk_bytes).size());
  header.page_bits = shape.layout.fixed_array.page_bits;
  header.count = wanted.numbering.count();
  const FixedArrayGeometry geometry(header, shape.sizes);
  return geometry.block_size() && *geometry.block_size() <= wanted.file_bytes &&
         geometry.head_size() <= kLargestFixedArrayHead &&
         fits_in(header.count, shape.sizes.length_size);
}

Result<std::unique_ptr<IndexReader>> open_array(FileBytes& file, const ChunkIndexShape& shape,
                                                const ChunkNumbering& numbering,
                                                FileAddress address, ChunkIndex* index) {
  return open_fixed_array(file, shape, numbering, address, index->chunk_bytes());
}

Result<IndexPlanPtr> plan_fixed_array(const ChunkIndex& index, const ChunkIndexShape& shape) {
  PCIO_ASSIGN(ChunkNumbering numbering, number_by_largest(shape, index.grid()));
  PCIO_ASSIGN(auto updater, FixedArrayUpdater::make(index, shape, std::move(numbering)));
  return UpdaterPlan::make(std::move(updater), index);
}

}  // namespace

constinit const ChunkIndexClass kFixedArrayIndex{.kind = ChunkIndexKind::kFixedArray,
                                                 .numbered_by = NumberedBy::kLargest,
                                                 .suits = &suits_fixed_array,
                                                 .number = &number_by_largest,
                                                 .holds = &fixed_array_holds,
                                                 .open = &open_array,
                                                 .plan = &plan_fixed_array};

}  // namespace pcio
