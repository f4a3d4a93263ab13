// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: a disk in memory that remembers every change, so that a test can look at the file
// as it would be if the program had been killed at any moment, in the middle of a write too.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "format/journal.hpp"
#include "support/disk_driver.hpp"

namespace pcio::test {

/// What a change of the file belongs to, as one can see from its bytes alone.
enum class TraceStep { kNew, kJournal, kWindow, kInPlace, kFinal, kAlone, kCut, kGrow };
inline constexpr const char* kTraceStepNames[] = {
    "new or raw", "journal", "window", "in place", "final", "superblock alone", "cut", "grow"};

struct TraceOp {
  TraceStep step = TraceStep::kNew;
  bool truncate = false;
  std::uint64_t offset = 0;  ///< or the new size
  std::vector<std::byte> bytes;
  int commit = 0;  ///< commits that were complete before it
};

/// All changes since `start`.
struct Trace {
  DiskImage start;
  std::vector<TraceOp> ops;
  int commits = 0;                 ///< the test counts them here
  std::uint64_t base = 0;          ///< where the superblock is
  bool window = false;             ///< the superblock on the disk is a window's
  std::vector<std::size_t> syncs;  ///< changes that were made before each sync
};

/// Makes the first `part` bytes of a change; `part` of a truncation is all or nothing.
inline void apply(const TraceOp& op, std::size_t part, DiskImage* image) {
  if (op.truncate) {
    if (part > 0) image->resize(static_cast<std::size_t>(op.offset));
    return;
  }
  if (part == 0) return;
  const std::size_t end = static_cast<std::size_t>(op.offset) + part;
  if (image->size() < end) image->resize(end);
  std::copy_n(op.bytes.begin(), part, image->begin() + static_cast<std::ptrdiff_t>(op.offset));
}

/// The `part` that is all of it.
inline std::size_t whole(const TraceOp& op) { return op.truncate ? 1 : op.bytes.size(); }

class TraceDriver final : public FileDriver {
 public:
  TraceDriver(Disk disk, std::shared_ptr<Trace> trace, std::string path)
      : disk_(std::move(disk)), trace_(std::move(trace)), inner_(disk_, std::move(path)) {}

  Result<std::uint64_t> size() override { return inner_.size(); }
  Status truncate(std::uint64_t size) override {
    if (size != disk_->size()) {
      TraceOp op;
      op.step = size < disk_->size() ? TraceStep::kCut : TraceStep::kGrow;
      op.truncate = true;
      op.offset = size;
      note(std::move(op));
    }
    return inner_.truncate(size);
  }
  Status flush() override { return Status(); }
  Status sync() override { return sync_independent(); }
  Status sync_independent() override {
    trace_->syncs.push_back(trace_->ops.size());
    return Status();
  }
  Status close() override { return Status(); }
  void abandon() override {}
  [[nodiscard]] DriverCapabilities capabilities() const override { return {}; }
  [[nodiscard]] FileIdentity identity() const override { return inner_.identity(); }
  [[nodiscard]] void* raw_handle() override { return nullptr; }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override {
    return inner_.read_some(offset, data);
  }
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override {
    TraceOp op;
    op.offset = offset;
    op.bytes.assign(data.begin(), data.end());
    PCIO_TRY(inner_.write(offset, data));
    op.step = classify(op);
    note(std::move(op));
    return std::uint64_t{data.size()};
  }

 private:
  void note(TraceOp op) {
    op.commit = trace_->commits;
    trace_->ops.push_back(std::move(op));
  }
  /// After the write: what the superblock says now tells what it was.
  TraceStep classify(const TraceOp& op) {
    const std::size_t base = static_cast<std::size_t>(trace_->base);
    const ConstBytes all(*disk_);
    if (op.offset >= base && op.offset < base + 48) {
      auto shape = superblock_shape(all.subspan(base));
      const bool before = trace_->window;
      trace_->window = shape && is_window(*shape, all.subspan(base));
      return trace_->window ? TraceStep::kWindow : before ? TraceStep::kFinal : TraceStep::kAlone;
    }
    // The rest of a superblock of version 0; a newer one ends before.
    if (trace_->window) return op.offset < base + 96 ? TraceStep::kFinal : TraceStep::kInPlace;
    const std::size_t n = op.bytes.size();
    if (n < kJournalTrailerSize) return TraceStep::kNew;
    const ConstBytes tail = ConstBytes(op.bytes).subspan(n - kJournalTrailerSize);
    return ByteReader(tail).expect(kJournalSignature) ? TraceStep::kJournal : TraceStep::kNew;
  }

  Disk disk_;
  std::shared_ptr<Trace> trace_;
  DiskDriver inner_;
};

inline CustomSettings trace_settings(Disk disk, std::shared_ptr<Trace> trace) {
  return CustomSettings([disk, trace](const OpenRequest& request) -> Result<OpenedFile> {
    PCIO_TRY(Status(request.checked));
    if (is_create(request.mode)) disk->clear();
    return OpenedFile{std::make_unique<TraceDriver>(disk, trace, request.path),
                      Coordinator::serial()};
  });
}

}  // namespace pcio::test
