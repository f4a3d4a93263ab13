// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/extensible_array: the entry point of extensible arrays, where one dimension is unlimited.
// Source: HDF5 File Format Specification VII.D, "The Extensible Array Index".

#pragma once

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

extern const ChunkIndexClass kExtensibleArrayIndex;

}  // namespace pcio
