// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the rule for looking up addresses, and an index as runs in few bytes.

#include "plan/address_lookup.hpp"

#include <algorithm>
#include <optional>

#include "base/checked.hpp"

namespace pcio {

namespace {

__extension__ using Wide = unsigned __int128;

enum class RunSpace : std::uint8_t { kNone = 0, kPlaced = 1 };

/// Seven bits a byte, lowest first; the top bit says that more follow.
void put(std::vector<std::byte>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>(value | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

std::optional<std::uint64_t> take(ConstBytes& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (in.empty()) return std::nullopt;
    const auto byte = static_cast<std::uint64_t>(in.front());
    in = in.subspan(1);
    const std::uint64_t bits = byte & 0x7F;
    if (bits << shift >> shift != bits) return std::nullopt;
    value |= bits << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// Small for small differences of either sign.
std::uint64_t fold(std::uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
std::uint64_t unfold(std::uint64_t folded) { return (folded >> 1) ^ (0 - (folded & 1)); }

/// Reads one run that follows chunk `behind` and address `base`; nothing where the bytes are wrong.
std::optional<AddressRun> take_run(ConstBytes& in, ChunkOrdinal behind, FileAddress base) {
  const auto gap = take(in);
  const auto count = take(in);
  const auto space = take(in);
  if (!gap || !count || !space || *count == 0 || *space > 1) return std::nullopt;
  const auto first = checked_add(behind, *gap);
  if (!first || !checked_add(*first, *count)) return std::nullopt;
  AddressRun run{*first, *count, kUndefinedAddress};
  if (static_cast<RunSpace>(*space) == RunSpace::kNone) return run;
  const auto step = take(in);
  if (!step) return std::nullopt;
  run.address = base + unfold(*step);
  return run;
}

}  // namespace

AddressLookup choose_address_lookup(const ChunkCensus& census) {
  const Wide sum = census.sum_chunks;
  const Wide ranks = census.ranks;
  const Wide most = census.max_chunks;
  // Multiplied out: the largest > share * chunks, and sum / ranks > chunks per rank.
  const bool large_share = most * 100 > Wide{kBroadcastSharePercent} * census.dataset_chunks;
  const bool many = sum > kBroadcastChunksPerRank * ranks;
  return large_share && many ? AddressLookup::kBroadcastIndex : AddressLookup::kOwn;
}

void LookupParts::next(std::uint64_t bytes) {
  first_ = end();
  if (bytes < kSmallLookupPart && length_ < count_ / kMostLookupParts)
    length_ *= 2;
  else if (bytes > kLargeLookupPart && length_ > 1)
    length_ /= 2;
}

void append_chunk(std::vector<AddressRun>& runs, ChunkOrdinal ordinal, FileAddress address,
                  std::uint64_t chunk_bytes) {
  if (!runs.empty()) {
    AddressRun& last = runs.back();
    const bool follows = last.first + last.count == ordinal;
    const bool same_space = last.address == kUndefinedAddress
                                ? address == kUndefinedAddress
                                : last.address + last.count * chunk_bytes == address;
    if (follows && same_space) {
      ++last.count;
      return;
    }
  }
  runs.push_back({ordinal, 1, address});
}

std::vector<std::byte> encode_runs(std::span<const AddressRun> runs) {
  std::vector<std::byte> out;
  out.reserve(8 * runs.size());
  ChunkOrdinal behind = 0;
  FileAddress base = 0;
  for (const AddressRun& run : runs) {
    const bool placed = run.address != kUndefinedAddress;
    put(out, run.first - behind);
    put(out, run.count);
    put(out, static_cast<std::uint64_t>(placed ? RunSpace::kPlaced : RunSpace::kNone));
    if (placed) {
      put(out, fold(run.address - base));
      base = run.address;
    }
    behind = run.first + run.count;
  }
  return out;
}

Result<std::vector<AddressRun>> decode_runs(ConstBytes bytes) {
  std::vector<AddressRun> runs;
  ChunkOrdinal behind = 0;
  FileAddress base = 0;
  while (!bytes.empty()) {
    const auto run = take_run(bytes, behind, base);
    if (!run) return PCIO_ERROR(STORAGE, CANTDECODE, "broadcast chunk index is damaged");
    runs.push_back(*run);
    behind = run->first + run->count;
    if (run->address != kUndefinedAddress) base = run->address;
  }
  return runs;
}

FileAddress address_in(std::span<const AddressRun> runs, ChunkOrdinal ordinal,
                       std::uint64_t chunk_bytes) {
  const auto behind =
      std::upper_bound(runs.begin(), runs.end(), ordinal,
                       [](ChunkOrdinal wanted, const AddressRun& r) { return wanted < r.first; });
  if (behind == runs.begin()) return kUndefinedAddress;
  const AddressRun& run = *std::prev(behind);
  const std::uint64_t inside = ordinal - run.first;
  if (inside >= run.count || run.address == kUndefinedAddress) return kUndefinedAddress;
  return run.address + inside * chunk_bytes;
}

}  // namespace pcio
