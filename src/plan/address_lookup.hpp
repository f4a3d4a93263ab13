// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: who looks up the addresses of chunks, and the form in which an index is broadcast.
//
// Source: HDF Group, "Collective Chunk I/O" flow: process 0 reads all addresses and broadcasts them
// "if the number of chunks per process is > 30% of all the chunks in the dataset and the average
// number of chunks per process is > 10,000". The first half is about each rank's own number: ranks
// could disagree, so it holds here for all where it holds for one, the one with the most chunks.
// What is broadcast is the index as runs or as its blocks, not an address per chunk.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/chunk_strategy.hpp"

namespace pcio {

/// Percent of the dataset's chunks, of one rank. Source: the flow (see above).
inline constexpr std::uint64_t kBroadcastSharePercent = 30;
/// Chunks per rank, on average. Source: the flow (see above).
inline constexpr std::uint64_t kBroadcastChunksPerRank = 10'000;

enum class AddressLookup : std::uint8_t {
  kOwn,             ///< each rank looks up its own chunks
  kBroadcastIndex,  ///< one rank reads the index, all get it
};

/// Collective: pure; equal on all ranks.
[[nodiscard]] AddressLookup choose_address_lookup(const ChunkCensus& census);

/// `count` chunks from number `first` whose bytes lie one behind the other from `address`; or, at
/// kUndefinedAddress, `count` chunks without space.
struct AddressRun {
  ChunkOrdinal first = 0;
  std::uint64_t count = 0;
  FileAddress address = 0;
  friend bool operator==(const AddressRun&, const AddressRun&) = default;
};

/// Joins the chunk `ordinal` (greater than all before) at `address` to the last run or begins one.
/// chunk_bytes: size of a chunk in the file.
void append_chunk(std::vector<AddressRun>& runs, ChunkOrdinal ordinal, FileAddress address,
                  std::uint64_t chunk_bytes);

/// Runs as bytes: variable-length differences, about 4 bytes for a run that follows on.
/// Collective: pure.
[[nodiscard]] std::vector<std::byte> encode_runs(std::span<const AddressRun> runs);
/// Errors: STORAGE CANTDECODE for bytes that encode_runs() can't have made.
[[nodiscard]] Result<std::vector<AddressRun>> decode_runs(ConstBytes bytes);

/// Address of a chunk in ascending runs; kUndefinedAddress where it has none. O(log runs).
[[nodiscard]] FileAddress address_in(std::span<const AddressRun> runs, ChunkOrdinal ordinal,
                                     std::uint64_t chunk_bytes);

}  // namespace pcio
