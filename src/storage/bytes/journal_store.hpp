// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: finding the superblock of a file, also of one whose writer was killed in the middle
// of a commit, and what to do with its journal.
//
// A journal counts if and only if the superblock on the disk is the window superblock (or a torn
// one: see format/window_superblock.hpp), the file is as long as the trailer says, and every
// checksum fits. With any other superblock what lies behind the end of the file is ignored:
// somebody may have changed the file since. Source: doc/COMMIT.md.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/file_driver.hpp"
#include "format/journal.hpp"

namespace pcio {

/// What a file is, going by its superblock and its last bytes.
enum class CommitState : std::uint8_t {
  kCommitted,  ///< nothing to do; whatever lies behind the end is dead
  kWindow,     ///< cut while blocks were overwritten; the journal is whole
  kTorn,       ///< the superblock itself was cut while it was written; the journal is whole
  kBroken      ///< in a window, but there is no journal that counts
};

/// The superblock of a file and how the file stands.
struct FileHead {
  std::uint64_t position = 0;  ///< of the superblock in the file, which is the base address
  std::uint64_t file_size = 0;
  std::vector<std::byte> raw;  ///< the superblock's bytes on the disk
  SuperblockShape shape;
  /// The superblock that holds: the one on the disk, or the journal's next one. Not for kBroken.
  Superblock superblock;
  CommitState state = CommitState::kCommitted;
  std::shared_ptr<const Journal> journal;  ///< of kWindow and kTorn
  std::string why;                         ///< of kBroken: why there is no journal
};

/// Collective: independent; reads only. Memory: the journal's, which is less than the file.
/// Errors: NOTHDF5; a damaged superblock; those of the driver. Not an error: kBroken.
Result<FileHead> find_head(FileDriver& driver);

/// The error of a file in a window without a journal.
Status check_not_broken(const FileHead& head);

/// Copies what the journal has of [offset, offset + into.size()), absolute, over `into`.
void overlay_journal(const Journal& journal, std::uint64_t offset, Bytes into);

/// Writes the superblock so that a cut write never shows a wrong end of file: in versions 0 and 1
/// what lies behind the field goes first, where it differs from `before`. Independent.
Status write_superblock_bytes(FileDriver& driver, std::uint64_t position, ConstBytes before,
                              ConstBytes bytes);

/// What comes between two steps of a commit: a sync, or nothing.
using Arrow = std::function<Status()>;

/// Steps 4 and 5 of a commit, an arrow behind each. `before` is the superblock on the disk, but for what the
/// window has changed of it. Reads nothing: a program's driver may be one that can only write. Independent.
Status finish_commit(FileDriver& driver, const Journal& journal, ConstBytes before,
                     const Arrow& arrow);

/// Does what the cut commit had begun: its blocks, then its superblock, an arrow behind each. May be
/// cut and repeated any number of times. Independent: by one rank, which has the file alone.
Status replay_journal(FileDriver& driver, const Journal& journal, const Arrow& arrow);

/// The same for the journal of another process, of whose bytes nobody knows whether the storage has
/// them: they are synced before anything is written over, and so is each step, whatever is asked for.
/// Independent: by one rank, which has the file alone.
Status replay_found_journal(FileDriver& driver, const Journal& journal);

/// Looks at the file, and completes its commit where it was cut: replay, then the dead end is cut
/// off, all of it synced. Returns the file as it was before. Independent: by one process, which has
/// the file alone. Errors: kBroken.
Result<FileHead> complete_commit(FileDriver& driver);

/// Writes the journal's blocks in place, neighbours together. Independent.
Status write_in_place(FileDriver& driver, const Journal& journal);

}  // namespace pcio
