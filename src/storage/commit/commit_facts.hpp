// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what the ranks of a file tell each other in the agreements of a commit.

#pragma once

#include "agree/agreement.hpp"
#include "props/file_props.hpp"

namespace pcio {

/// Objects without links, as one rank sees them, or as any rank does.
struct UnlinkedFacts {
  bool any = false;     ///< there are some
  bool open = false;    ///< one of them is open: all of them stay
  bool unread = false;  ///< one of them could not be read: it keeps its space on all ranks
  friend bool operator==(const UnlinkedFacts&, const UnlinkedFacts&) = default;
};

/// What one rank brings to the agreement that begins a commit, and to those between rounds of released
/// objects, which know of unlinked objects only. Merged, each is that of any rank.
struct CommitFacts {
  bool compact_written = false;          ///< compact data in independent transfers
  bool attributes_written = false;       ///< values of attributes
  Durability asked = Durability::kNone;  ///< the most that is asked for
  bool incoherent = false;               ///< the file system loses writes of two nodes to one page
  bool sync_failed = false;              ///< since the last commit
  bool let_go = false;                   ///< objects of global heaps
  bool pending = false;                  ///< chunks that wait in memory to be written by all ranks
  bool changed =
      false;  ///< what ranks hold alike, since the last commit; where calls have failed perhaps not on all
  UnlinkedFacts unlinked;
  std::uint64_t copies_hash = 0;  ///< of what was written. Merged: 0 where all ranks have the same
  friend bool operator==(const CommitFacts&, const CommitFacts&) = default;
};

/// The fold onto what travels, and back. It leaves the last two words of LocalFacts::same, the sums and
/// `all_flags` to others. Collective: pure.
void put_facts(const CommitFacts& facts, LocalFacts* into);
CommitFacts commit_facts(const GlobalFacts& agreed);

}  // namespace pcio
