// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/implicit: the entry point of indexes without structure: all chunks lie in a row.
// Source: HDF5 File Format Specification VII.B, "The Implicit Index".

#pragma once

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

extern const ChunkIndexClass kImplicitIndex;

}  // namespace pcio
