// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree2: the entry point of version 2 B-trees, where more than one dimension is unlimited.
// Source: HDF5 File Format Specification III.A.2, "Version 2 B-trees", record types 10 and 11.

#pragma once

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

extern const ChunkIndexClass kBtree2Index;

}  // namespace pcio
