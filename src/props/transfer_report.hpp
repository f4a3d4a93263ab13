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
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_split.hpp"
#include "base/types.hpp"
#include "props/chunk_sketch.hpp"
#include "props/transports.hpp"

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
  IoCounts& operator+=(const IoCounts& other);
};

/// What this rank exchanged with other ranks; what it keeps for itself does not count.
struct ExchangeCounts {
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t messages_sent = 0;
  std::uint64_t messages_received = 0;
  std::uint64_t rounds = 0;  // of the exchange; equal on all ranks
  // Of what was sent, what left this rank's node.
  std::uint64_t bytes_between_nodes = 0;
  std::uint64_t messages_between_nodes = 0;
  friend bool operator==(const ExchangeCounts&, const ExchangeCounts&) = default;
  ExchangeCounts& operator+=(const ExchangeCounts& other);
};

/// How many chunks of the dataset this rank's transfer treated how. The three add up to the chunks
/// of the dataset's current extent; all are 0 where the layout is not chunked.
struct ChunkCounts {
  std::uint64_t collective = 0;
  std::uint64_t independent = 0;
  std::uint64_t untouched = 0;  // not in this rank's selection
  friend bool operator==(const ChunkCounts&, const ChunkCounts&) = default;
  ChunkCounts& operator+=(const ChunkCounts& other);
};

/// How one chunk of this rank's selection was accessed.
struct ChunkMode {
  ChunkOrdinal ordinal = 0;
  TransferMode mode = TransferMode::kIndependent;
  friend bool operator==(const ChunkMode&, const ChunkMode&) = default;
};

/// What was asked for, as it stood in the transfer list.
struct RequestedTransfer {
  TransferMode mode = TransferMode::kIndependent;
  CollectiveOpt collective_opt = CollectiveOpt::kCollectiveIo;
  ChunkOpt chunk_opt = ChunkOpt::kDefault;
  unsigned chunk_opt_num = 0;              // threshold in chunks per process
  unsigned chunk_opt_ratio = 0;            // percent of the processes
  Transport transport = Transport::kNone;  // forced by the list or the environment
  friend bool operator==(const RequestedTransfer&, const RequestedTransfer&) = default;
};

/// Properties of this rank's part that steer decisions, or are asked about.
struct TransferTraits {
  bool regular_file = false;    // the file selection is one regular hyperslab, or all, or nothing
  bool regular_memory = false;  // the same of the memory selection
  bool converted = false;       // the types differ: a conversion ran
  bool transformed = false;     // a data transform ran
  bool filtered = false;        // the dataset has filters
  friend bool operator==(const TransferTraits&, const TransferTraits&) = default;
};

/// What one transfer did on this rank; kept in the transfer list.
struct TransferReport {
  bool used = false;  // false: the list has not been in a transfer
  Direction direction = Direction::kRead;
  RequestedTransfer requested;
  ActualIoMode io_mode = ActualIoMode::kNoCollective;
  ActualChunkOpt chunk_opt = ActualChunkOpt::kNone;
  CauseBits local_causes = 0;
  CauseBits global_causes = 0;
  Transport transport = Transport::kNone;
  std::string_view transport_why;  // one of few fixed texts, so a view of a literal
  bool succeeded = false;
  /// Every written byte was counted where MPI-IO or the system took it, or was read back. False
  /// where a success is only what an MPI library said that is known to say so without proof.
  bool verified = false;
  TransferTraits traits;
  std::uint64_t bytes_selected = 0;  // of this rank's selection, in the file's type
  std::uint64_t chunks_touched = 0;
  ChunkCounts chunks;
  IoCounts counts;
  ExchangeCounts exchange;
  std::uint64_t nanoseconds = 0;  // from call to return, without the report log's own part
  Spending spent;                 // what they went to, and bytes, where the log is on
  /// Which chunks it touches, where the log is on.
  std::shared_ptr<const ChunkSketch> touched;
  /// Ascending by ordinal; kept only where the list asks for it.
  std::vector<ChunkMode> chunk_modes;

  /// Bytes this rank moved to or from the file, also for other ranks.
  [[nodiscard]] std::uint64_t bytes_done() const {
    return direction == Direction::kWrite ? counts.bytes_written : counts.bytes_read;
  }
  friend bool operator==(const TransferReport&, const TransferReport&) = default;
};

/// Adds a part of a call to `all`. `part` happened after everything that is in it: what can't be added is the
/// last part's. Collective: pure.
void add_report(TransferReport part, TransferReport* all);
/// The names of the causes, for lists. Collective: pure.
[[nodiscard]] std::vector<std::string> cause_names(CauseBits causes);
/// "datatype conversion, filters"; "collective" for none.
[[nodiscard]] std::string cause_text(CauseBits causes);
/// "view", "exchange", "direct", "broadcast", "none"; "unknown".
[[nodiscard]] const char* transport_name(Transport transport);
/// kNone for a text that is no name.
[[nodiscard]] Transport transport_named(std::string_view name);
/// "direct, view, exchange": those that can be asked for.
[[nodiscard]] std::string askable_transports();
/// "collective", "independent".
[[nodiscard]] const char* transfer_mode_name(TransferMode mode);
/// "automatic", "one I/O" ...: what H5Pset_dxpl_mpio_chunk_opt asked for.
[[nodiscard]] const char* requested_chunk_opt_name(ChunkOpt opt);
/// "chunk collective" ...
[[nodiscard]] const char* io_mode_name(ActualIoMode mode);
/// "link chunk" ...
[[nodiscard]] const char* chunk_opt_name(ActualChunkOpt opt);

}  // namespace pcio
