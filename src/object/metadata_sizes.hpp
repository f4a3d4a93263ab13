// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: how many bytes of a file index an object's links, chunks and attributes.

#pragma once

#include <cstdint>

#include "object/traverse.hpp"

namespace pcio {

/// Bytes in the file, as the last commit left them, beside the object's header.
struct MetadataSizes {
  std::uint64_t index = 0;            ///< trees and arrays of a group's links or a dataset's chunks
  std::uint64_t heap = 0;             ///< names of a group's links, or of external files
  std::uint64_t attribute_index = 0;  ///< of attributes in dense storage
  std::uint64_t attribute_heap = 0;
};

/// Reads what there is to index whole. Collective: independent. Errors: damaged blocks.
Result<MetadataSizes> metadata_sizes(const Location& object);

}  // namespace pcio
