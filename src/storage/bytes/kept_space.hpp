// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: free space that is kept in the file (persistent free space).
//
// While a file that keeps its free space is open for writing the map in memory is the only one: the
// first commit that writes says that the file has none, and gives back the bytes in which the last
// one was kept. The commit of a close writes it anew, at the end of the file. A program that dies
// in between loses space, never data.
//
// Source: HDF5 File Format Specification, III.H Free-space Manager, IV.A.2.x File Space Info.

#pragma once

#include <vector>

#include "format/extension_messages.hpp"
#include "format/free_space.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

/// Which file space a file has, and where its free space is kept.
struct KeptSpace {
  FileSpaceInfoMessage info;      ///< as in the file, or as it will be
  std::vector<ByteRange> blocks;  ///< of the managers in the file
  bool outdated = false;          ///< the file does not say what is free
  [[nodiscard]] bool keeps() const { return info.persist; }
};

/// Settings that a message stands for, over those of the access list.
void apply_space_info(const FileSpaceInfoMessage& info, SpaceSettings* settings);

/// Reads the managers that `kept->info` names and adds what is free to `space`.
/// Collective: independent. Errors: what is wrong with a manager; some may have been taken over.
Status load_kept_space(FileBytes& bytes, const FileSizes& sizes, KeptSpace* kept, FileSpace* space);

/// The file has no list of free space from now on. Collective: pure.
void drop_kept_space(KeptSpace* kept, FileSpace* space);

/// Places managers for all that is free at the end of the file; adds their blocks to `blocks` and
/// enters them in `kept->info`. Collective: pure.
Status place_kept_space(const FileSizes& sizes, KeptSpace* kept, FileSpace* space,
                        BlockSet* blocks);

/// Of files without pages: pieces from here on are listed as raw data's. Bytes.
inline constexpr std::uint64_t kLargePiece = 2048;

}  // namespace pcio
