// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the fixed array that says where the chunks of a dataset with a limit lie.
//
// Written whole into one new piece of the file; of an array in pages, only pages that list a chunk
// are written, because the array's bitmap tells which they are.
// Source: HDF5 File Format Specification VII.C, "The Fixed Array Index".

#pragma once

#include "format/fixed_array.hpp"
#include "storage/chunk_elements.hpp"
#include "storage/stored_index.hpp"

namespace pcio {

/// The array whose header is at `address`. Collective: independent. Errors: a damaged header, fewer
/// elements than the dataset can have chunks.
Result<std::unique_ptr<StoredIndex>> open_fixed_array(FileBytes& file,
                                                      const ChunkIndexShape& shape,
                                                      const ChunkNumbering& numbering,
                                                      FileAddress address,
                                                      std::uint64_t chunk_bytes);

/// The sizes of an array, before anything is encoded. The index outlives the plan and does not
/// change while blocks are encoded.
class FixedArrayPlan {
 public:
  /// Errors: an array larger than a file can be.
  static Result<std::shared_ptr<const FixedArrayPlan>> make(const ChunkIndex& index,
                                                            const ChunkIndexShape& shape);
  [[nodiscard]] std::uint64_t total_bytes() const;
  /// Blocks of the array at `address`, its header first; they keep the plan alive. What is not
  /// covered by one is never read.
  static BlockSet blocks(const std::shared_ptr<const FixedArrayPlan>& plan, FileAddress address);

 private:
  FixedArrayPlan(const ChunkIndex& index, const ChunkIndexShape& shape, ChunkNumbering numbering,
                 const FixedArrayHeader& header);
  Status encode_head(FileAddress address, ByteWriter& out) const;
  Status encode_pages(std::uint64_t first, std::uint64_t count, ByteWriter& out) const;

  ChunkIndexShape shape_;
  ChunkNumbering numbering_;
  ElementReader reader_;
  ChunkElementFormat elements_;
  FixedArrayHeader header_;
  FixedArrayGeometry geometry_;
  IntervalSet pages_;  // that list a chunk
};

}  // namespace pcio
