// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: dense storage: many links or attributes of one object, kept in a fractal heap and
// found through version 2 B-trees. Reading only; a changed object goes back to compact storage.
// Source: HDF5 File Format Specification III.A.2, III.G.

#pragma once

#include <functional>
#include <memory>

#include "format/attribute_info_message.hpp"
#include "format/btree2.hpp"
#include "format/fractal_heap.hpp"
#include "format/link_info_message.hpp"
#include "format/object_header.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/objects/link_table.hpp"

namespace pcio {

/// Calls `visit` with the bytes of each record of the tree at `address`, in order.
/// Collective: independent. Errors: another type of tree, damaged nodes, cycles.
Status walk_btree2(FileBytes& file, const FileSizes& sizes, FileAddress address, unsigned type,
                   const std::function<Status(ConstBytes)>& visit);

/// Bytes of the tree at `address`, and of the heap with all that belongs to it.
/// Collective: independent. Errors: damaged blocks, cycles; a heap with filters, by name.
Result<std::uint64_t> btree2_bytes(FileBytes& file, const FileSizes& sizes, FileAddress address);
Result<std::uint64_t> fractal_heap_bytes(FileBytes& file, const FileSizes& sizes,
                                         FileAddress address);

/// Objects of one fractal heap, each asked for once. Memory: one block at a time.
class FractalHeapReader {
 public:
  /// Errors: damaged header; a heap with filters, by name.
  static Result<FractalHeapReader> open(FileBytes& file, const FileSizes& sizes,
                                        FileAddress address);
  /// The object behind a heap id. Errors: ids that lead nowhere.
  Result<std::vector<std::byte>> object(ConstBytes id);
  [[nodiscard]] const FractalHeapHeader& header() const { return context_.header; }
  /// Bytes of the blocks that lead to those with objects.
  Result<std::uint64_t> indirect_bytes();

 private:
  FractalHeapReader(FileBytes& file, FractalHeapContext context)
      : file_(&file), context_(std::move(context)), geometry_(context_.header, context_.sizes) {}
  struct Block {
    FileAddress address = kUndefinedAddress;
    std::uint64_t offset = 0;  ///< in the heap
    std::uint64_t size = 0;
  };
  Result<Block> find_block(std::uint64_t offset);
  Status add_indirect(const Block& block, unsigned rows, std::uint64_t* total);
  Result<std::vector<std::byte>> managed(std::uint64_t offset, std::uint64_t length);
  Result<std::vector<std::byte>> huge(const FractalHeapId& id);

  FileBytes* file_;
  FractalHeapContext context_;
  FractalHeapGeometry geometry_;
  Block block_;  ///< the one in `bytes_`
  std::vector<std::byte> bytes_;
  std::uint64_t given_ = 0;  ///< bytes of objects so far
};

/// Links of a group whose link info message names a heap.
Result<LinkTable> read_dense_links(FileBytes& file, const FileSizes& sizes,
                                   const LinkInfoMessage& info);
/// Attributes of an object whose attribute info message names a heap, as header messages.
Result<std::vector<HeaderMessage>> read_dense_attributes(FileBytes& file, const FileSizes& sizes,
                                                         const AttributeInfoMessage& info);

}  // namespace pcio
