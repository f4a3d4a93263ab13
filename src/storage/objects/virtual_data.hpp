// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the mappings of a virtual dataset as the file has them.
// Source: HDF5 File Format Specification, "Virtual Dataset Global Heap Block"; layout message version 4.

#pragma once

#include <string>
#include <vector>

#include "format/layout_message.hpp"
#include "props/virtual_mapping.hpp"
#include "storage/bytes/file_context.hpp"
#include "storage/objects/external_files.hpp"

namespace pcio {

/// Numbers as H5D_vds_view_t.
enum class VirtualView : std::int8_t { kFirstMissing = 0, kLastAvailable = 1 };

/// What a virtual dataset is made of.
struct VirtualData {
  std::vector<VirtualMapping> mappings;
  Dims extent;  ///< of the dataset as the file has it: today's follows the sources
  ByteRange
      heap;  ///< the global heap collection that lists them; empty where others may use it, too
  std::uint64_t list_bytes = 0;  ///< of their list in it
  // Of the first open of the dataset on this rank.
  VirtualView view = VirtualView::kLastAvailable;
  std::uint64_t printf_gap = 0;  ///< missing sources that a search goes beyond
  std::string prefix;            ///< before names of files that are not absolute
};

/// Reads what a layout message leads to. Collective: independent.
/// Errors: damaged heap or list; unknown versions.
Result<VirtualData> read_virtual_data(FileContext& file, const LayoutMessage& layout);

/// The heap collection of a new dataset; `layout` gets its place. Collective: pure; the same on all
/// ranks. Errors: NOSPACE; selections that can't be encoded.
Result<NewBlock> plan_virtual_data(FileSpace& space, const FileSizes& sizes,
                                   const std::vector<VirtualMapping>& mappings,
                                   LayoutMessage* layout);

}  // namespace pcio
