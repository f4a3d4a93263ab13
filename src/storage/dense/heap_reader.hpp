// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: objects of fractal heaps, read one by one.
// Source: HDF5 File Format Specification III.G.

#pragma once

#include <map>
#include <optional>

#include "format/btree2_records.hpp"
#include "format/fractal_heap.hpp"
#include "props/object_props.hpp"
#include "storage/bytes/file_bytes.hpp"

namespace pcio {

/// The filters of a heap as those of chunks.
FilterPipeline heap_pipeline(const FractalHeapHeader& header);

/// Bytes of the heap at `address` with all that belongs to it.
/// Collective: independent. Errors: damaged blocks, cycles.
Result<std::uint64_t> fractal_heap_bytes(FileBytes& file, const FileSizes& sizes,
                                         FileAddress address);

/// Objects of one fractal heap, each asked for once. Indexes lead from block to block: those that were
/// read are kept, up to 16 MiB of them, and the places of all huge objects.
class FractalHeapReader {
 public:
  /// Errors: damaged header.
  static Result<FractalHeapReader> open(FileBytes& file, const FileSizes& sizes,
                                        FileAddress address);
  /// The object behind a heap id. Errors: ids that lead nowhere.
  Result<std::vector<std::byte>> object(ConstBytes id);
  [[nodiscard]] const FractalHeapHeader& header() const { return context_.header; }
  [[nodiscard]] std::size_t header_bytes() const { return header_bytes_; }
  /// Bytes of the blocks that lead to those with objects.
  Result<std::uint64_t> indirect_bytes();

 private:
  FractalHeapReader(FileBytes& file, FractalHeapContext context)
      : file_(&file), context_(std::move(context)), geometry_(context_.header, context_.sizes) {}
  struct Block {
    FileAddress address = kUndefinedAddress;
    std::uint64_t offset = 0;  ///< in the heap
    std::uint64_t size = 0;
    std::uint64_t stored = 0;  ///< bytes in the file, where there are filters
    std::uint32_t mask = 0;    ///< of stages that were skipped
  };
  struct ReadBlock {
    Block block;
    std::vector<std::byte> bytes;
  };
  Result<Block> find_block(std::uint64_t offset);
  Status add_indirect(const Block& block, unsigned rows, std::uint64_t* total);
  Result<std::vector<std::byte>> direct_block(const Block& block);
  Result<const ReadBlock*> block_with(std::uint64_t offset);
  Result<const std::vector<FractalHeapChild>*> children_of(FileAddress address, std::uint64_t base,
                                                           unsigned rows);
  Result<HugeObjectRecord> find_huge(std::uint64_t key);
  Result<std::vector<std::byte>> managed(std::uint64_t offset, std::uint64_t length);
  Result<std::vector<std::byte>> huge(const FractalHeapId& id);

  FileBytes* file_;
  std::size_t header_bytes_ = 0;
  FractalHeapContext context_;
  FractalHeapGeometry geometry_;
  std::map<std::uint64_t, ReadBlock> blocks_;                      ///< by offset in the heap
  std::uint64_t kept_ = 0;                                         ///< bytes of these
  std::map<FileAddress, std::vector<FractalHeapChild>> children_;  ///< of indirect blocks
  std::optional<std::map<std::uint64_t, HugeObjectRecord>> huge_;  ///< by key
  std::uint64_t given_ = 0;                                        ///< bytes of objects so far
};

}  // namespace pcio
