// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: transfers that are atomic (H5Fset_mpi_atomicity).

#pragma once

#include "driver/range_locks.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Where a dataset's transfers lock. Two of them that have an element in common have a byte of these in
/// common, whatever extent their ranks see. Contiguous data: their own bytes; chunks: a byte for each
/// row of the grid, from the object's address on, for their numbers change with the extent.
[[nodiscard]] ByteRange atomic_range(const DatasetState& state, FileAddress object,
                                     const Dataspace& selected, std::uint64_t element_bytes);

/// Between begin and the end of its scope other ranks see all of this rank's transfer or nothing. Nothing
/// in between may wait for other ranks. Threads: one thread.
class AtomicAccess {
 public:
  AtomicAccess() = default;
  AtomicAccess(const AtomicAccess&) = delete;
  AtomicAccess& operator=(const AtomicAccess&) = delete;
  ~AtomicAccess();

  /// Does nothing where the file isn't in atomic mode, or nothing is moved. Independent; waits for what
  /// others are in the middle of. Errors: a transfer of the file that this rank is in the middle of: a
  /// program's function that is called in one began this.
  Status begin(const TransferJob& job);
  /// The same for one chunk as it lies in the file, in a row of the grid.
  Status begin(FileStore& store, FileAddress object, std::uint64_t row, Direction direction);

 private:
  Status begin(FileStore& store, RangeLocks& locks, ByteRange range, Direction direction);

  FileStore* store_ = nullptr;
  RangeLocks* locks_ = nullptr;
  bool writes_ = false;
};

}  // namespace pcio
