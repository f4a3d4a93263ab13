// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: what the ranks tell each other when holes are tried.

#pragma once

#include "agree/agreement.hpp"

namespace pcio {

/// Of one rank; merged, of any rank.
struct ProbeFacts {
  bool not_tried = false;  ///< this process has not tried this file system
  bool not_zero = false;   ///< something else than zeros was read
  friend bool operator==(const ProbeFacts&, const ProbeFacts&) = default;
};

/// The fold onto what travels, and back. Collective: pure.
inline void put_facts(const ProbeFacts& facts, LocalFacts* into) {
  into->any_flags = (facts.not_tried ? 1U : 0U) | (facts.not_zero ? 2U : 0U);
}
inline ProbeFacts probe_facts(const GlobalFacts& agreed) {
  return {(agreed.any_flags & 1) != 0, (agreed.any_flags & 2) != 0};
}

}  // namespace pcio
