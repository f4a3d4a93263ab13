// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: two-phase transfers of the library's own.
//
// The ranks walk through the file together, stretch by stretch. A stretch is cut into slices, each
// owned by one rank, who gathers what all ranks have for it and makes few large explicit-offset
// calls. An element belongs to the slice in which its first byte lies, so every byte has one owner.
// A stretch begins at the first byte that any rank still has to move and ends where some rank's
// buffer would overflow: holes cost nothing, and memory is bounded whatever the ranks ask for.
// Ranks of one machine share the images of the slices; others send messages.
//
// Source: Thakur, Gropp and Lusk, "Data Sieving and Collective I/O in ROMIO", 1999, for the two
// phases; stretches that follow the requests are ours.

#pragma once

#include "transfer/transports/transport_method.hpp"

namespace pcio {

struct ExchangeSettings {
  /// All buffers, lists and maps together. Bytes, per rank; shared ones count on each.
  std::uint64_t memory = std::uint64_t{16} << 20;
  /// Slices begin at multiples of it: a page or a stripe. Bytes.
  std::uint64_t block = 4096;
  /// No two nodes write parts of one: what the file system locks as a whole, at least a page, which clients of
  /// file systems without coherent caches write whole. Bytes; a divisor or multiple of `block`.
  std::uint64_t unit = 4096;
  /// Ranks that own slices of several nodes, at most; 0: all.
  std::uint64_t writers = 0;
  /// Between nodes: what owners write may go on while the next stretch is gathered.
  bool overlaps = false;
};

/// Between whom and what.
struct ExchangeTarget {
  ByteTarget& store;  ///< the file, or what counts
  Effort effort = Effort::kPerform;
  Coordinator& coordinator;
  ExchangeSettings settings;
  ExchangeCounts& counts;  ///< added to
  Outstanding& left;       ///< of a write: what other ranks may still be doing; equal on all ranks
};

/// As TransportMethod. Collective: over the file; one or two small exchanges per stretch, and messages of
/// bounded size between ranks of different machines.
class ExchangeTransport final : public TransportMethod {
 public:
  static constexpr Transport kTransport = Transport::kExchange;
  using TransportMethod::TransportMethod;

  Status move(PieceSource& source) override;
  [[nodiscard]] Outstanding outstanding() const override { return left_; }

 private:
  Status move_on_one(PieceSource& source, const ExchangeTarget& target);
  Status move_between(PieceSource& source, const ExchangeTarget& target);

  Outstanding left_ = Outstanding::kNothing;
};

}  // namespace pcio
