// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: dense storage: many links or attributes of one object, kept in a fractal heap and
// found through version 2 B-trees.
// Source: HDF5 File Format Specification III.A.2, III.G.

#pragma once

#include "format/attribute_info_message.hpp"
#include "format/link_info_message.hpp"
#include "format/object_header.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/objects/link_table.hpp"

namespace pcio {

/// Links of a group whose link info message names a heap.
Result<LinkTable> read_dense_links(FileBytes& file, const FileSizes& sizes,
                                   const LinkInfoMessage& info);
/// Attributes of an object whose attribute info message names a heap, as header messages.
Result<std::vector<HeaderMessage>> read_dense_attributes(FileBytes& file, const FileSizes& sizes,
                                                         const AttributeInfoMessage& info);

}  // namespace pcio
