// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: what the ranks tell each other before MPI opens a file for them or changes it.

#pragma once

#include "agree/agreement.hpp"
#include "driver/open_driver.hpp"

namespace pcio {

/// A rank's arguments of an open or create, as one number: equal on all ranks. Collective: pure.
struct OpenArgumentFacts {
  OpenMode mode = OpenMode::kReadOnly;
  std::uint64_t values_hash = 0;  ///< of all values that are compared
  std::uint64_t file = 0;         ///< number of the file that was found; 0: none yet

  [[nodiscard]] LocalFacts pack() const {
    LocalFacts facts;
    facts.call_kind = is_create(mode) ? CallKind::kCreate : CallKind::kOpen;
    facts.same[kValuesHash] = values_hash;
    facts.same[kFile] = file;
    return facts;
  }
  [[nodiscard]] static bool equal(const GlobalFacts& facts) {
    return facts.same[kValuesHash].equal();
  }
  [[nodiscard]] static bool same_file(const GlobalFacts& facts) {
    return facts.same[kFile].equal();
  }

 private:
  enum SameWord : std::size_t { kValuesHash, kFile };
};

/// What H5Fset_mpi_atomicity is given: equal on all ranks. Collective: pure.
struct AtomicityFacts {
  bool atomic = false;

  [[nodiscard]] LocalFacts pack() const {
    LocalFacts facts;
    facts.same[kAtomic] = atomic ? 1 : 0;
    return facts;
  }
  [[nodiscard]] static bool equal(const GlobalFacts& facts) { return facts.same[kAtomic].equal(); }

 private:
  enum SameWord : std::size_t { kAtomic };
};

}  // namespace pcio
