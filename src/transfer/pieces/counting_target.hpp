// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: a file that is not touched: dry runs count on it what they would do.

#pragma once

#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "driver/file_driver.hpp"
#include "mpi/large_count.hpp"
#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/file_piece.hpp"

namespace pcio {

/// Counts as the drivers do: one call for each gigabyte, at most; a read that meets the end of the
/// file is tried once more. The end is the file's own, or what would have been written by then.
/// Threads: one thread.
class CountingTarget final : public ByteTarget {
 public:
  /// `base` is added to addresses to get the driver's offsets.
  CountingTarget(IoCounters& counters, FileDriver& driver, std::uint64_t base)
      : counters_(counters), driver_(driver), base_(base) {}

  Status read(FileAddress address, Bytes into) override {
    if (!size_) {
      PCIO_ASSIGN(size_, driver_.size());
    }
    const std::uint64_t start = base_ + address;
    const std::uint64_t end = std::max(*size_, written_end_);
    const std::uint64_t there = end > start ? std::min<std::uint64_t>(into.size(), end - start) : 0;
    std::uint64_t done = 0;
    while (done < into.size()) {
      ++counters_.independent_reads;
      const std::uint64_t moved =
          std::min({mpi::kMaxCallBytes, into.size() - done, there - std::min(there, done)});
      if (moved == 0) break;
      done += moved;
    }
    counters_.bytes_read += done;
    return Status();
  }
  Status write(FileAddress address, ConstBytes from) override {
    counters_.independent_writes += ceil_div(from.size(), mpi::kMaxCallBytes);
    counters_.bytes_written += from.size();
    written_end_ = std::max(written_end_, base_ + address + from.size());
    return Status();
  }

 private:
  IoCounters& counters_;
  FileDriver& driver_;
  std::uint64_t base_;
  std::optional<std::uint64_t> size_;  ///< of the file, asked for at the first read
  std::uint64_t written_end_ = 0;
};

/// Where bytes go: to the file, or in a dry run to what counts.
inline ByteTarget& target_of(Effort effort, ByteTarget& file, CountingTarget& counting) {
  return effort == Effort::kDryRun ? counting : file;
}

}  // namespace pcio
