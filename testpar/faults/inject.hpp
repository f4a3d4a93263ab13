// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Failures on demand, in one process: this program's own MPI_File_ calls, pwrite and operator new
// stand before the real ones. Room: testpar.
//
// A fault strikes at its nth chance after arm(): for memory once (but for kNoBlocks), else until
// disarm().

#ifndef PCIO_TESTPAR_FAULTS_INJECT_HPP
#define PCIO_TESTPAR_FAULTS_INJECT_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace inject {

enum class Fault {
  kNone,
  kShortWrite,  // half of the bytes are written and MPI calls it a success, or the system in another thread
  kWriteError,  // MPI_ERR_IO, in another thread EIO, nothing written
  kShortRead,
  kReadError,
  kNoMemory,         // operator new throws for a block of kSmallest bytes or more
  kNoPlacingMemory,  // operator new throws for any block once ranks have told each other of chunks
  kNoBlock,          // operator new throws for any block
  kNoBlocks,         // and for all that come after it
  kSyncError,        // MPI_File_sync returns MPI_ERR_IO, an fsync of the file EIO
  kNoThread,         // the operating system has no thread
  kDiskFull,         // the operating system takes `position` more bytes, then says ENOSPC
  kBadDisk  // the operating system refuses every read, write, sync and new size, with errno `position`
};

/// Smaller blocks come from memory that the process has already. Bytes.
constexpr std::size_t kSmallest = 512;

/// How slow this process's MPI_File_read_at and MPI_File_write_at are, their collective kin, and pwrite in other threads.
/// Microseconds; where `random`, any time up to it, and in most calls none.
struct Delay {
  unsigned before_read = 0, after_read = 0, before_write = 0, after_write = 0;
  bool random = false;
};
void slow_down(const Delay& delay, unsigned seed = 1);

/// Arms this process. `position`: chances that pass before the fault; for kDiskFull bytes, for
/// kBadDisk an errno. The faults of the system concern the file at `path`, which exists.
void arm(Fault fault, std::uint64_t position, const std::string& path);
/// Calls of pwrite that other threads of the process than its first have made.
std::uint64_t writes_beside();
/// Ends all faults; true if one struck since arm().
bool disarm();

}  // namespace inject

#endif
