// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: the values that the steps of a commit hand on.

#pragma once

#include <span>
#include <vector>

#include "props/file_props.hpp"
#include "storage/bytes/file_bytes.hpp"

namespace pcio {

/// How far a commit that failed has come, as far as the superblock on the disk says.
enum class CommitReach : std::uint64_t {
  kPrevious = 0,  ///< the last commit is whole
  kUnsure = 1,    ///< writing the superblock failed: the last one must be put back
  kWindow = 2     ///< the commit point is passed: the journal must be completed
};

/// What the ranks agreed on at the beginning of a commit.
struct CommitTraits {
  Durability durability = Durability::kNone;
  bool share = false;     ///< several ranks may write neighbouring blocks
  bool flushes = false;   ///< all ranks are to see what was written
  bool is_first = false;  ///< of a file that was just made
  /// What ranks but rank 0 have written is in the file system, where machines have caches of their own, and all ranks know
  /// it: from here on rank 0 alone writes.
  bool others_synced = false;
};

/// Everything that one commit writes, sorted. The spans are of the caller's BlockSet.
struct CommitSteps {
  std::span<DirtyBlock> shared_blocks;  ///< new blocks, equal on all ranks
  std::span<DirtyBlock> rank0_blocks;   ///< new blocks of which rank 0's count
  std::span<DirtyBlock> overwriting;    ///< blocks over committed bytes; rank 0's
  std::uint64_t shared_bytes = 0;
  std::uint64_t overwriting_bytes = 0;
  std::vector<std::byte> next;  ///< the superblock's bytes
  CommitTraits traits;
};

}  // namespace pcio
