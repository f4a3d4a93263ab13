// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: what would have to move for a file to end lower. Pure.
//
// A dataset with filters that is written again after a commit goes to new space, and the old one is
// free afterwards: a file that is rewritten and committed many times lies now at its beginning, now
// behind a hole of its own size. The close of such a file fills the hole.

#pragma once

#include <optional>
#include <vector>

#include "storage/space/file_space.hpp"

namespace pcio {

/// Committed bytes that may lie elsewhere after the next commit.
struct MovableBytes {
  ByteRange range;
  std::size_t dataset = 0;            ///< the caller's number for it
  std::optional<ChunkOrdinal> chunk;  ///< none: its index, which a commit writes anew as a whole
};

struct PlannedMove {
  MovableBytes what;
  FileAddress to = 0;  ///< not meant for an index, which gets its place in the commit
};

struct LowerEnd {
  std::vector<PlannedMove> moves;  ///< by ascending address
  FileAddress end = 0;             ///< where the file can be cut then
};

/// A close moves nothing for less than this part of the file.
inline constexpr std::uint64_t kLeastGainPart = 8;
/// Nor for fewer bytes.
inline constexpr std::uint64_t kLeastGain = 16384;

/// True where enough is free for plan_lower_end to find something. Files with pages, and those that
/// reuse nothing, stay as they are.
[[nodiscard]] bool may_end_lower(const FileSpace& space);

/// Which of `movable` (apart from each other, nothing of them free) go to free space before them,
/// from the file's end downwards, until something is met that can't move or finds no place. No moves
/// where that would not be worth while. What moves is never more than what was free, and no place
/// is in use now, so that the old bytes are whole until the commit. After a trim.
/// Collective: pure.
[[nodiscard]] LowerEnd plan_lower_end(const FileSpace& space, std::vector<MovableBytes> movable);

}  // namespace pcio
