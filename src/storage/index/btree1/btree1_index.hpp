// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree1: the entry point of version 1 B-trees, of the earliest format.
// Source: HDF5 File Format Specification III.A.1, "B-link trees, version 1", node type 1.

#pragma once

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

extern const ChunkIndexClass kBtree1Index;

}  // namespace pcio
