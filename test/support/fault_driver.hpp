// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: a driver that fails on purpose, around any other driver.
//
// `fault_settings(inner, plan)` gives driver settings for open_driver or a file access list; the
// test keeps the plan and changes it while the file is open.

#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "driver/custom_settings.hpp"
#include "driver/file_driver.hpp"
#include "driver/open_driver.hpp"

namespace pcio::test {

/// When to fail. Numbers count calls from 1 since the plan was made; "never" is 0.
struct FaultPlan {
  std::uint64_t writes = 0;
  std::uint64_t reads = 0;
  /// This write and all later ones fail with an I/O error.
  std::uint64_t fail_from_write = 0;
  /// Only this write fails.
  std::uint64_t fail_write = 0;
  /// Only this read fails.
  std::uint64_t fail_read = 0;
  /// All reads fail.
  bool fail_reads = false;
  /// This write moves only half of its bytes.
  std::uint64_t short_write = 0;
  /// The disk is full from this offset on.
  std::uint64_t capacity = std::numeric_limits<std::uint64_t>::max();
  /// No write finds memory for its work.
  bool no_memory = false;
  bool fail_truncate = false;
  bool fail_flush = false;
  bool fail_close = false;
};

class FaultDriver final : public FileDriver {
 public:
  FaultDriver(std::unique_ptr<FileDriver> inner, std::shared_ptr<FaultPlan> plan)
      : inner_(std::move(inner)), plan_(std::move(plan)) {}

  Result<std::uint64_t> size() override { return inner_->size(); }
  Status truncate(std::uint64_t size) override {
    PCIO_TRY(check_truncate(size));
    return inner_->truncate(size);
  }
  // A commit goes by these parts, as it does without faults.
  Status truncate_here(std::uint64_t size) override {
    PCIO_TRY(check_truncate(size));
    return inner_->truncate_here(size);
  }
  Status flush_here() override {
    return or_fault(plan_->fail_flush, "flush", inner_->flush_here());
  }
  Status sync_here() override { return or_fault(plan_->fail_flush, "sync", inner_->sync_here()); }
  Status empty_here() override { return inner_->empty_here(); }
  void set_by_one(const ByOneRank& agreed) override { inner_->set_by_one(agreed); }
  [[nodiscard]] bool sizes_by_one() const override { return inner_->sizes_by_one(); }
  Status flush() override { return or_fault(plan_->fail_flush, "flush", inner_->flush()); }
  Status sync() override { return or_fault(plan_->fail_flush, "sync", inner_->sync()); }
  Status sync_independent() override {
    return or_fault(plan_->fail_flush, "sync", inner_->sync_independent());
  }
  Status close() override { return or_fault(plan_->fail_close, "close", inner_->close()); }
  void abandon() override { inner_->abandon(); }
  [[nodiscard]] DriverCapabilities capabilities() const override { return inner_->capabilities(); }
  [[nodiscard]] FileIdentity identity() const override { return inner_->identity(); }
  [[nodiscard]] void* raw_handle() override { return inner_->raw_handle(); }
  [[nodiscard]] CollectiveChannel* collective() override { return inner_->collective(); }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override {
    ++counters_.independent_reads;
    if (++plan_->reads == plan_->fail_read || plan_->fail_reads)
      return PCIO_ERROR(FILE, READERROR, "injected: read");
    return inner_->read_some(offset, data);
  }
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override {
    ++counters_.independent_writes;
    if (plan_->no_memory) throw std::bad_alloc();
    const std::uint64_t number = ++plan_->writes;
    if (number == plan_->fail_write ||
        (plan_->fail_from_write != 0 && number >= plan_->fail_from_write))
      return PCIO_ERROR(IO, WRITEERROR, "injected: write");
    std::uint64_t room = offset >= plan_->capacity ? 0 : plan_->capacity - offset;
    if (number == plan_->short_write) room = std::min<std::uint64_t>(room, data.size() / 2);
    const ConstBytes part = data.first(std::min<std::uint64_t>(room, data.size()));
    PCIO_TRY(inner_->write(offset, part));
    return part.size();
  }

 private:
  [[nodiscard]] Status check_truncate(std::uint64_t size) const {
    if (plan_->fail_truncate) return PCIO_ERROR(FILE, CANTRESIZE, "injected: truncate");
    if (size > plan_->capacity) return PCIO_ERROR(FILE, NOSPACE, "injected: disk full at truncate");
    return Status();
  }
  static Status or_fault(bool fault, const char* what, Status real) {
    if (!fault) return real;
    return PCIO_ERROR(IO, WRITEERROR, std::string("injected: ") + what);
  }
  std::unique_ptr<FileDriver> inner_;
  std::shared_ptr<FaultPlan> plan_;
};

/// Settings that open with `inner` and put a FaultDriver around the result.
inline CustomSettings fault_settings(const DriverSettings& inner, std::shared_ptr<FaultPlan> plan) {
  std::shared_ptr<const DriverSettings> settings = inner.clone();
  return CustomSettings([settings, plan](const OpenRequest& request) -> Result<OpenedFile> {
    PCIO_ASSIGN(OpenedFile opened, open_driver(*settings, request));
    opened.driver = std::make_unique<FaultDriver>(std::move(opened.driver), plan);
    return opened;
  });
}

}  // namespace pcio::test
