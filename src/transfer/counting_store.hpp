// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: a file that is not touched: dry runs count on it what they would do.

#pragma once

#include "base/checked.hpp"
#include "driver/file_driver.hpp"
#include "mpi/large_count.hpp"
#include "storage/piece_store.hpp"

namespace pcio {

/// Counts as the drivers do: one call for each gigabyte, at most. Threads: one thread.
class CountingStore final : public PieceStore {
 public:
  explicit CountingStore(IoCounters& counters) : counters_(counters) {}
  Status read(FileAddress /*address*/, Bytes into) override {
    counters_.independent_reads += ceil_div(into.size(), mpi::kMaxCallBytes);
    counters_.bytes_read += into.size();
    return Status();
  }
  Status write(FileAddress /*address*/, ConstBytes from) override {
    counters_.independent_writes += ceil_div(from.size(), mpi::kMaxCallBytes);
    counters_.bytes_written += from.size();
    return Status();
  }

 private:
  IoCounters& counters_;
};

}  // namespace pcio
