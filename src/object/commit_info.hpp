// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files that were cut in a commit, looked at and completed without being opened.

#pragma once

#include <cstdint>
#include <string>

#include "storage/bytes/journal_store.hpp"

namespace pcio {

/// How a file stands. Sizes and offsets in bytes, offsets from the start of the file.
struct CommitInfo {
  CommitState state = CommitState::kCommitted;
  std::uint64_t file_size = 0;
  std::uint64_t user_block = 0;
  std::uint64_t end_of_file = 0;  ///< not of a broken one
  // Of the journal, where there is one that counts.
  std::uint64_t journal_start = 0;
  std::uint64_t journal_blocks = 0;
  std::uint64_t journal_bytes = 0;
  std::uint64_t sequence = 0;
  std::string why;  ///< of a broken one
};

/// Looks at the file at `path`. Collective: independent. Errors: those of find_head.
Result<CommitInfo> commit_info(std::string path);
/// Completes its commit where that was cut. Collective: independent: by one process, which has the file alone.
/// Errors: those of the driver; a broken file.
Status complete_commit(std::string path);

}  // namespace pcio
