// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: the plain quantities that every room shares, as distinct types where a mix-up costs data.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace pcio {

/// Byte position in the file relative to the superblock's base address.
///
/// All addresses inside the library are relative to the base; the driver is handed absolute ones
/// by storage/file_space only. Source: HDF5 File Format Specification, II.A Superblock.
using FileAddress = std::uint64_t;

/// The address that means "not allocated": all ones. Source: same, "Undefined Address".
inline constexpr FileAddress kUndefinedAddress = std::numeric_limits<FileAddress>::max();

inline constexpr unsigned kMaxNdims = 32;

/// Bytes [offset, offset + size) of a file.
struct ByteRange {
  FileAddress offset = 0;
  std::uint64_t size = 0;
  [[nodiscard]] FileAddress end() const { return offset + size; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

/// Row-major number of a chunk in the grid of a dataset's current dimensions.
using ChunkOrdinal = std::uint64_t;

enum class Direction : std::uint8_t { kRead, kWrite };

}  // namespace pcio
