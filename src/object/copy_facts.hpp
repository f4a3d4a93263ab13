// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what the ranks tell each other before they read what there is to copy, by name.

#pragma once

#include "agree/agreement.hpp"

namespace pcio {

/// What one rank brings. Collective: pure.
struct SourceFacts {
  std::uint64_t file = 0;  ///< which file the source is in; 0: none that these ranks have open
  std::uint64_t copies_hash = 0;  ///< of what this rank wrote alone since the last commit
  bool waits = false;             ///< chunks, or what a smaller extent owes, wait in memory

  [[nodiscard]] LocalFacts pack() const {
    LocalFacts facts;
    facts.call_kind = CallKind::kCopySource;
    facts.same[kFile] = file;
    facts.same[kCopiesHash] = copies_hash;
    facts.any_flags = waits ? 1 : 0;
    return facts;
  }

 private:
  friend struct AgreedSource;
  enum SameWord : std::size_t { kFile, kCopiesHash };
};

/// What all ranks know afterwards.
struct AgreedSource {
  bool one_file = false;  ///< all have found the source in one file that they share
  bool waits = false;     ///< a rank has what all must write

  static AgreedSource unpack(const GlobalFacts& facts) {
    const GlobalFacts::Compared& file = facts.same[SourceFacts::kFile];
    return {file.equal() && file.min != 0,
            facts.any_flags != 0 || !facts.same[SourceFacts::kCopiesHash].equal()};
  }
};

}  // namespace pcio
