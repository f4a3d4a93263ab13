// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/fixed_array: the entry point of fixed arrays, of datasets with a limit.
// Source: HDF5 File Format Specification VII.C, "The Fixed Array Index".

#pragma once

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

extern const ChunkIndexClass kFixedArrayIndex;

}  // namespace pcio
