// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/single_chunk: the entry point of datasets with one chunk, which the layout message names.
// Source: HDF5 File Format Specification VII.A, "The Single Chunk Index".

#pragma once

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

extern const ChunkIndexClass kSingleChunkIndex;

}  // namespace pcio
