// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index: the structures that find chunks, by their kind.

#include "storage/index/chunk_index_store.hpp"

#include <string>

#include "base/checked.hpp"
#include "storage/index/btree2/chunk_btree2_plan.hpp"
#include "storage/index/btree1/chunk_btree_plan.hpp"
#include "storage/index/extensible_array/extensible_array_reader.hpp"
#include "storage/index/fixed_array/fixed_array_reader.hpp"
#include "storage/index/extensible_array/extensible_array_updater.hpp"
#include "storage/index/fixed_array/fixed_array_updater.hpp"

namespace pcio {

namespace {

/// `value` as an unsigned number of so many bytes, all ones aside.
bool fits_in(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 || value < (std::uint64_t{1} << (8 * bytes)) - 1;
}

/// All chunks lie one behind the other, numbered in the grid of the maximum dimensions.
Status add_implicit_chunks(const FileBytes& file, const ChunkIndexShape& shape, FileAddress address,
                           ChunkIndex* index) {
  PCIO_ASSIGN(ChunkNumbering most, shape.numbering(index->grid()));
  const Dims& grid = index->grid().grid();
  // They exist from the start, so the file bounds their number.
  auto bytes = checked_mul(most.count(), index->chunk_bytes());
  if (!bytes || !fits_inside(address, *bytes, file.end()))
    return PCIO_ERROR(DATASET, TRUNCATED, "chunks with an implicit index lie outside the file");
  most.for_each_interval(Box::whole(grid), [&](std::uint64_t first, std::uint64_t end) {
    index->add_run({index->grid().ordinal(most.coords(first)), end - first,
                    address + first * index->chunk_bytes()});
  });
  return Status();
}

Status add_single_chunk(const FileBytes& file, const ChunkIndexShape& shape, FileAddress address,
                        ChunkIndex* index) {
  const SingleChunkFilter one =
      shape.layout.single_filter.value_or(SingleChunkFilter{index->chunk_bytes(), 0});
  if (!fits_inside(address, one.size, file.end()))
    return PCIO_ERROR(DATASET, TRUNCATED, "the dataset's chunk lies outside the file");
  if (index->grid().count() == 0) return Status();
  return shape.form == ChunkForm::kFiltered ? index->add_filtered(0, {address, one.size, one.mask})
                                            : index->add(0, address);
}

Result<std::unique_ptr<IndexReader>> open_structure(FileBytes& file, const ChunkIndexShape& shape,
                                                    const ChunkNumbering& numbering,
                                                    FileAddress address,
                                                    std::uint64_t chunk_bytes) {
  switch (shape.layout.index) {
    case ChunkIndexKind::kFixedArray:
      return open_fixed_array(file, shape, numbering, address, chunk_bytes);
    case ChunkIndexKind::kExtensibleArray:
      return open_extensible_array(file, shape, address, chunk_bytes);
    case ChunkIndexKind::kBtree2: return open_chunk_btree2(file, shape, address, chunk_bytes);
    case ChunkIndexKind::kBtree1:
    case ChunkIndexKind::kSingleChunk:
    case ChunkIndexKind::kImplicit: break;
  }
  return open_chunk_btree(btree_shape(shape), address, shape.form);
}

}  // namespace

bool has_structure(ChunkIndexKind kind) {
  return kind != ChunkIndexKind::kSingleChunk && kind != ChunkIndexKind::kImplicit;
}

Result<std::unique_ptr<ChunkLoader>> open_chunk_index(FileBytes& file, const ChunkIndexShape& shape,
                                                      FileAddress address, ChunkIndex* index) {
  if (!has_structure(shape.layout.index)) {
    PCIO_TRY(shape.layout.index == ChunkIndexKind::kImplicit
                 ? add_implicit_chunks(file, shape, address, index)
                 : add_single_chunk(file, shape, address, index));
    return std::unique_ptr<ChunkLoader>();
  }
  PCIO_ASSIGN(ChunkNumbering numbering, shape.numbering(index->grid()));
  PCIO_ASSIGN(auto source, open_structure(file, shape, numbering, address, index->chunk_bytes()));
  return std::make_unique<ChunkLoader>(std::move(source), std::move(numbering), shape);
}

namespace {

/// What is alike for all kinds but version 1 B-trees: the index begins with its header.
template <class Plan>
IndexPlan planned(const std::shared_ptr<const Plan>& plan) {
  return {plan->total_bytes(), [](FileAddress address) { return address; },
          [plan](FileAddress address) { return Plan::blocks(plan, address); },
          [plan](FileAddress address) { return plan->placed(address); }};
}

/// Arrays: all blocks are new ones.
Result<IndexPlan> planned(const std::shared_ptr<IndexUpdater>& placed, const ChunkIndex& index) {
  PCIO_ASSIGN(IndexUpdater::Cost cost, placed->mark(index, IntervalSet()));
  return IndexPlan{cost.added, [](FileAddress address) { return address; },
                   [placed, &index](FileAddress address) {
                     placed->place(address);
                     return placed->blocks(index);
                   },
                   [placed](FileAddress) { return placed; }};
}

}  // namespace

Result<IndexPlan> plan_chunk_index(const ChunkIndex& index, const ChunkIndexShape& shape) {
  if (index.allocated_count() == 0) return IndexPlan();
  switch (shape.layout.index) {
    case ChunkIndexKind::kFixedArray: {
      PCIO_ASSIGN(auto placed, FixedArrayUpdater::make(index, shape));
      return planned(placed, index);
    }
    case ChunkIndexKind::kExtensibleArray: {
      PCIO_ASSIGN(auto placed, ExtensibleArrayUpdater::make(index, shape));
      return planned(placed, index);
    }
    case ChunkIndexKind::kBtree2:
      return planned(
          std::shared_ptr<const ChunkBtree2Plan>(std::make_shared<ChunkBtree2Plan>(index, shape)));
    default: {
      std::shared_ptr<const ChunkBtreePlan> plan =
          std::make_shared<ChunkBtreePlan>(index, btree_shape(shape));
      return IndexPlan{
          plan->total_bytes(), [plan](FileAddress address) { return plan->root_at(address); },
          [plan](FileAddress address) { return ChunkBtreePlan::blocks(plan, address); },
          [plan](FileAddress address) { return plan->placed(address); }};
    }
  }
}

namespace {

Status too_many_chunks(ChunkIndexKind kind) {
  return PCIO_ERROR(DATASET, NOSPACE,
                    std::string("the dataset can have more chunks than its index (") +
                        chunk_index_name(kind) + ") can list in this file");
}

/// It has room for all chunks that there may be one day.
Status check_fixed_array(const ChunkIndexShape& shape, const ChunkNumbering& numbering,
                         std::uint64_t chunk_bytes, std::uint64_t most_bytes) {
  FixedArrayHeader header;
  header.element_size = static_cast<unsigned>(shape.elements(chunk_bytes).size());
  header.page_bits = shape.layout.fixed_array.page_bits;
  header.count = numbering.count();
  const FixedArrayGeometry geometry(header, shape.sizes);
  if (geometry.block_size() && *geometry.block_size() <= most_bytes &&
      geometry.head_size() <= kLargestFixedArrayHead &&
      fits_in(header.count, shape.sizes.length_size))
    return Status();
  return too_many_chunks(ChunkIndexKind::kFixedArray);
}

/// It grows: the last chunk of the extent must have a place.
Status check_extensible_array(const ChunkIndexShape& shape, const ChunkNumbering& numbering,
                              const ChunkGrid& grid, std::uint64_t chunk_bytes) {
  if (grid.count() == 0) return Status();
  ExtensibleArrayHeader header;
  header.element_size = static_cast<unsigned>(shape.elements(chunk_bytes).size());
  header.parameters = shape.layout.extensible_array;
  const ExtensibleArrayGeometry geometry(header, shape.sizes);
  const std::uint64_t last = numbering.number(grid.coords(grid.count() - 1));
  if (geometry.valid() && geometry.locate(last) && fits_in(last + 1, shape.sizes.length_size))
    return Status();
  return too_many_chunks(ChunkIndexKind::kExtensibleArray);
}

}  // namespace

Status check_chunk_index(const ChunkIndexShape& shape, const ChunkGrid& grid,
                         std::uint64_t chunk_bytes, std::uint64_t most_bytes) {
  if (!has_structure(shape.layout.index)) return Status();
  PCIO_ASSIGN(ChunkNumbering numbering, shape.numbering(grid));
  if (shape.layout.index == ChunkIndexKind::kFixedArray)
    return check_fixed_array(shape, numbering, chunk_bytes, most_bytes);
  if (shape.layout.index == ChunkIndexKind::kExtensibleArray)
    return check_extensible_array(shape, numbering, grid, chunk_bytes);
  return Status();
}

ChunkIndexKind choose_chunk_index(const Dims& dims, const Dims& max_dims, const Dims& chunk,
                                  bool at_once) {
  unsigned unlimited = 0;
  for (std::uint64_t n : max_dims)
    if (n == kUnlimited) ++unlimited;
  if (unlimited > 1) return ChunkIndexKind::kBtree2;
  if (unlimited == 1) return ChunkIndexKind::kExtensibleArray;
  if (dims == max_dims && dims == chunk) return ChunkIndexKind::kSingleChunk;
  return at_once ? ChunkIndexKind::kImplicit : ChunkIndexKind::kFixedArray;
}

}  // namespace pcio
