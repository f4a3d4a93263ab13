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

/// Numbers of the first part of an index that travels. About 4 MiB of blocks where all chunks exist.
inline constexpr std::uint64_t kFirstLookupPart = std::uint64_t{1} << 18;
/// A part of fewer bytes is followed by one of twice as many numbers, of more by one of half as many.
inline constexpr std::uint64_t kSmallLookupPart = std::uint64_t{2} << 20;
inline constexpr std::uint64_t kLargeLookupPart = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kMostLookupParts = 4096;

enum class AddressLookup : std::uint8_t {
  kOwn,             ///< each rank looks up its own chunks
  kBroadcastIndex,  ///< one rank reads the index, all get it
};

/// Collective: pure; equal on all ranks.
[[nodiscard]] AddressLookup choose_address_lookup(const ChunkCensus& census);

/// Cuts the numbers [0, count) by which an index counts its chunks into parts whose blocks travel one
/// after the other, so that no rank holds all blocks of a large index at once. How many chunks a part
/// of the numbers has nobody knows before it is read: where one had few bytes the next one is longer,
/// up to a part of kMostLookupParts of all.
class LookupParts {
 public:
  explicit LookupParts(std::uint64_t count) : count_(count) {}
  [[nodiscard]] bool done() const { return first_ >= count_; }
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t end() const {
    return length_ < count_ - first_ ? first_ + length_ : count_;
  }
  /// This part had so many bytes of blocks; goes on to the next one. Collective: pure; equal on all
  /// ranks where `bytes` is.
  void next(std::uint64_t bytes);

 private:
  std::uint64_t count_;
  std::uint64_t first_ = 0;
  std::uint64_t length_ = kFirstLookupPart;
};

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
