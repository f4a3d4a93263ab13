// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what the ranks tell each other of a store that each has made or opened.

#pragma once

#include "agree/agreement.hpp"

namespace pcio {

/// What one rank brings. Collective: pure.
struct OpenFacts {
  std::uint64_t pending_memory = 0;  ///< bytes that this rank's access list allows
  std::uint64_t head_hash = 0;       ///< of the superblock that it sees
  std::uint64_t file_bytes = 0;      ///< size of the file that it sees

  [[nodiscard]] LocalFacts pack() const {
    LocalFacts facts;
    facts.call_kind = CallKind::kOpen;
    facts.same[kWaitingMemory] = pending_memory;
    facts.same[kHeadHash] = head_hash;
    facts.maxima[kFileBytes] = file_bytes;
    return facts;
  }

 private:
  friend struct AgreedOpen;
  enum SameWord : std::size_t { kWaitingMemory, kHeadHash };
  enum MaximumWord : std::size_t { kFileBytes };
};

/// What all ranks know afterwards.
struct AgreedOpen {
  std::uint64_t pending_memory = 0;  ///< the least that a rank allows, bytes
  bool same_head = false;            ///< all see one superblock
  std::uint64_t file_bytes = 0;      ///< the most that a rank sees

  static AgreedOpen unpack(const GlobalFacts& facts) {
    return {facts.same[OpenFacts::kWaitingMemory].min, facts.same[OpenFacts::kHeadHash].equal(),
            facts.maxima[OpenFacts::kFileBytes]};
  }
};

}  // namespace pcio
