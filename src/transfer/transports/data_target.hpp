// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: where the elements of the transferred dataset are: its file, or external ones.

#pragma once

#include <optional>

#include "storage/dataset/external_data.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Made before the dataset is known. Threads: one thread.
class DataTarget final : public ByteTarget {
 public:
  /// `file`: the HDF5 file, or what counts. `external`: counts what is done to external files.
  DataTarget(const TransferJob& job, ByteTarget& file, IoCounters& external)
      : job_(job), file_(file), external_counts_(external) {}
  Status read(FileAddress address, Bytes into) override { return target().read(address, into); }
  Status write(FileAddress address, ConstBytes from) override {
    return target().write(address, from);
  }
  Status write_beside(WritingThread& by, FileAddress address, ConstBytes from) override {
    return target().write_beside(by, address, from);
  }
  [[nodiscard]] bool holds(FileAddress address, std::uint64_t size) const override {
    return (job_.state() != nullptr && job_.state()->external) || file_.holds(address, size);
  }
  [[nodiscard]] bool has_gaps_to_read() const override {
    return job_.state() == nullptr || !job_.state()->external;
  }

  /// Behind the last write of a step, before others are told of it.
  Status finish() { return external_ ? external_->let_go() : Status(); }

 private:
  ByteTarget& target() {
    if (job_.state() == nullptr || !job_.state()->external) return file_;
    if (!external_)
      external_.emplace(
          *job_.state()->external,
          job_.effort() == Effort::kDryRun ? ExternalEffort::kCount : ExternalEffort::kMove,
          job_.store().driver().caches_apart() ? ExternalCaches::kApart : ExternalCaches::kOne,
          external_counts_);
    return *external_;
  }

  const TransferJob& job_;
  ByteTarget& file_;
  IoCounters& external_counts_;
  std::optional<ExternalTarget> external_;
};

}  // namespace pcio
