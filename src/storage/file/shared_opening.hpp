// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: opening a file on many ranks by one rank's reads.

#pragma once

#include <memory>

#include "storage/file/file_store.hpp"

namespace pcio {

/// As FileStore::open. Of a file that several ranks have, rank 0 reads what opening takes, and tells the others
/// the bytes and the size of the file, from which each makes its own store: all see one state of the file, and
/// the storage one reader. Where there are several machines one rank of each looks whether the superblock is the
/// same there; not where another program may be writing.
///
/// Collective: over the file, one broadcast, and some more where rank 0 read more than 8 KiB; also where
///   `opened.local` is a failure, which is then returned. The result is this rank's own: an agreement must
///   follow.
Result<std::unique_ptr<FileStore>> open_for_all(OpenedFile& opened, FileAccess how,
                                                const FileAccessProps& access);

}  // namespace pcio
