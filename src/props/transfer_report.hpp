// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: what was asked of a transfer, and what really happened; plain values.
//
// Modes report the protocol (collective: the ranks planned these bytes together, all took part and
// agreed before and after); the MPI counters report MPI-IO calls. Nothing is reported that was only
// intended. Source: HDF Group, RFC "Actual I/O Mode"; numbers as in the public headers.

#pragma once

#include <cstdint>
#include <string>

#include "base/types.hpp"

namespace pcio {

/// Numbers as H5FD_mpio_xfer_t.
enum class TransferMode : std::int8_t { kIndependent = 0, kCollective = 1 };

/// Numbers as H5FD_mpio_collective_opt_t.
enum class CollectiveOpt : std::int8_t { kCollectiveIo = 0, kIndividualIo = 1 };

/// Numbers as H5FD_mpio_chunk_opt_t.
enum class ChunkOpt : std::int8_t {
  kDefault = 0,
  kOneIo = 1,    // linked chunks
  kMultiIo = 2,  // chunk by chunk, marked by ratio
  kAtOnce = 4,   // all marked chunks in one call
  kAllIndependent = 5,
  kMultiNoOpt = 6,  // chunk by chunk, collective as long as all ranks have a chunk
};

/// Numbers as H5D_mpio_actual_chunk_opt_mode_t.
enum class ActualChunkOpt : std::int8_t {
  kNone = 0,
  kLinkChunk = 1,
  kMultiChunk = 2,
  kMultiChunkNoOpt = 3,
  kAtOnce = 4,
  kAllIndependent = 5,
};

/// Numbers as H5D_mpio_actual_io_mode_t.
enum class ActualIoMode : std::int8_t {
  kNoCollective = 0,
  kChunkIndependent = 1,
  kChunkCollective = 2,
  kChunkMixed = 3,
  kContiguousCollective = 4,
};

/// Why a transfer was not collective; bits as H5D_mpio_no_collective_cause_t.
using CauseBits = std::uint32_t;
namespace cause {
inline constexpr CauseBits kCollective = 0;
inline constexpr CauseBits kSetIndependent = 0x01;
inline constexpr CauseBits kDatatypeConversion = 0x02;
inline constexpr CauseBits kDataTransforms = 0x04;
inline constexpr CauseBits kOptTypesDisabled = 0x08;
inline constexpr CauseBits kNotSimpleOrScalar = 0x10;
inline constexpr CauseBits kNotContiguousOrChunked = 0x20;
inline constexpr CauseBits kFilteredWritesDisabled = 0x40;
inline constexpr CauseBits kErrorWhileChecking = 0x80;
inline constexpr CauseBits kMpiposix = 0x10000;
inline constexpr CauseBits kPointSelections = 0x20000;
inline constexpr CauseBits kFilters = 0x40000;
}  // namespace cause

/// How the bytes moved; numbers as pcio_transport_t.
enum class Transport : std::int8_t { kNone = 0, kDirect = 1, kView = 2, kExchange = 3 };

/// Calls and bytes counted where they were made, on this rank.
struct IoCounts {
  std::uint64_t independent_writes = 0;  // MPI_File_write_at
  std::uint64_t independent_reads = 0;   // MPI_File_read_at
  std::uint64_t collective_writes = 0;   // MPI_File_write_at_all
  std::uint64_t collective_reads = 0;    // MPI_File_read_at_all
  std::uint64_t view_changes = 0;        // MPI_File_set_view
  std::uint64_t posix_writes = 0;
  std::uint64_t posix_reads = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_read = 0;
  friend bool operator==(const IoCounts&, const IoCounts&) = default;
};

/// What one transfer did on this rank; kept in the transfer list.
struct TransferReport {
  bool used = false;  // false: the list has not been in a transfer
  Direction direction = Direction::kRead;
  TransferMode requested = TransferMode::kIndependent;
  ActualIoMode io_mode = ActualIoMode::kNoCollective;
  ActualChunkOpt chunk_opt = ActualChunkOpt::kNone;
  CauseBits local_causes = 0;
  CauseBits global_causes = 0;
  Transport transport = Transport::kNone;
  bool succeeded = false;
  std::uint64_t bytes_selected = 0;
  std::uint64_t chunks_touched = 0;
  IoCounts counts;

  /// Bytes this rank moved to or from the file, also for other ranks.
  [[nodiscard]] std::uint64_t bytes_done() const {
    return direction == Direction::kWrite ? counts.bytes_written : counts.bytes_read;
  }
  friend bool operator==(const TransferReport&, const TransferReport&) = default;
};

/// "datatype conversion, filters"; "collective" for none.
[[nodiscard]] std::string cause_text(CauseBits causes);
/// "view", "exchange", "direct", "none".
[[nodiscard]] const char* transport_name(Transport transport);
/// "chunk collective" ...
[[nodiscard]] const char* io_mode_name(ActualIoMode mode);
/// "link chunk" ...
[[nodiscard]] const char* chunk_opt_name(ActualChunkOpt opt);

}  // namespace pcio
