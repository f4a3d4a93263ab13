// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: the checksums of the file format.

#pragma once

#include "base/types.hpp"

namespace pcio {

/// Bob Jenkins' lookup3 hash (hashlittle) of `data`, as stored behind version 2 metadata blocks.
/// Source: HDF5 File Format Specification, "Checksum" fields; B. Jenkins, lookup3, 2006.
[[nodiscard]] std::uint32_t lookup3(ConstBytes data, std::uint32_t initial = 0);

/// Fletcher's checksum over 16-bit words, as the fletcher32 filter stores it behind each chunk.
/// Source: J. Fletcher, 1982; byte order as libhdf5 writes it (most significant byte first).
[[nodiscard]] std::uint32_t fletcher32(ConstBytes data);

}  // namespace pcio
