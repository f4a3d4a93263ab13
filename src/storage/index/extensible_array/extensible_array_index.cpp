// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/extensible_array: its class.

#include "storage/index/extensible_array/extensible_array_index.hpp"

#include "storage/index/extensible_array/extensible_array_reader.hpp"
#include "storage/index/extensible_array/extensible_array_updater.hpp"

namespace pcio {

namespace {

bool suits_extensible_array(const NewChunks& chunks) { return chunks.unlimited() == 1; }

/// The unlimited dimension is the slowest one.
Result<ChunkNumbering> number_unlimited_first(const ChunkIndexShape& shape, const ChunkGrid& grid) {
  unsigned first = 0;
  for (unsigned d = 0; d < shape.max_dims.size(); ++d)
    if (shape.max_dims[d] == kUnlimited) first = d;
  return ChunkNumbering::with_first(largest_grid(shape, grid), first);
}

/// It grows: the last chunk of the extent must have a place.
bool extensible_array_holds(const ChunkIndexShape& shape, const WantedChunks& wanted) {
  const ChunkGrid& grid = wanted.grid;
  if (grid.count() == 0) return true;
  ExtensibleArrayHeader header;
  header.element_size = static_cast<unsigned>(shape.elements(wanted.chunk_bytes).size());
  header.parameters = shape.layout.extensible_array;
  const ExtensibleArrayGeometry geometry(header, shape.sizes);
  const std::uint64_t last = wanted.numbering.number(grid.coords(grid.count() - 1));
  // Its blocks say where they begin in as many bits.
  const unsigned bits = shape.layout.extensible_array.max_bits;
  const bool is_listed = bits >= 64 || last >> bits == 0;
  return geometry.valid() && is_listed && geometry.locate(last) &&
         fits_in(last + 1, shape.sizes.length_size);
}

Result<std::unique_ptr<IndexReader>> open_growing(FileBytes& file, const ChunkIndexShape& shape,
                                                  const ChunkNumbering& /*numbering*/,
                                                  FileAddress address, ChunkIndex* index) {
  return open_extensible_array(file, shape, address, index->chunk_bytes());
}

Result<IndexPlanPtr> plan_extensible_array(const ChunkIndex& index, const ChunkIndexShape& shape) {
  PCIO_ASSIGN(ChunkNumbering numbering, number_unlimited_first(shape, index.grid()));
  PCIO_ASSIGN(auto updater, ExtensibleArrayUpdater::make(index, shape, std::move(numbering)));
  return UpdaterPlan::make(std::move(updater), index);
}

}  // namespace

constinit const ChunkIndexClass kExtensibleArrayIndex{.kind = ChunkIndexKind::kExtensibleArray,
                                                      .numbered_by = NumberedBy::kLargest,
                                                      .suits = &suits_extensible_array,
                                                      .number = &number_unlimited_first,
                                                      .holds = &extensible_array_holds,
                                                      .open = &open_growing,
                                                      .plan = &plan_extensible_array};

}  // namespace pcio
