// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: every rank has its own descriptor of one shared file; MPI only coordinates.
//
// Source: H5Pset_fapl_mpiposix of HDF5 up to 1.8.12. Wants a file system whose writes are visible
// to all nodes at once. A client of NFS may write back a whole page of which it was given a part, over what another one
// wrote in the rest; one that gets a lock looks anew, and one that gives it back has written (nfs(5)). So each write is locked
// there, as MPI-IO does it.

#pragma once

#include <optional>

#include "driver/mpi_settings.hpp"
#include "driver/range_locks.hpp"
#include "driver/writer_lock.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class MpiposixDriver final : public FileDriver {
 public:
  /// Rank 0 creates, then the others open. Collective: over the settings' communicator.
  static Result<OpenedFile> open(const MpiposixSettings& settings, const OpenRequest& request);

  Result<std::uint64_t> size() override { return file_.size(); }
  Status truncate(std::uint64_t size) override;
  Status flush() override;
  Status sync() override;
  Status truncate_here(std::uint64_t size) override;
  Status empty_here() override;
  [[nodiscard]] bool sizes_by_one() const override { return !caches_apart(); }
  [[nodiscard]] bool sizes_alone() const override { return true; }
  Status flush_here() override;
  Status sync_here() override { return file_.sync(); }
  Status sync_independent() override { return file_.sync(); }
  void set_by_one(const ByOneRank& agreed) override {
    by_one_ = agreed;
    has_agreed_ = true;
  }
  [[nodiscard]] bool caches_apart() const override;
  [[nodiscard]] bool has_unseen_writes() const override {
    return caches_apart() && counters_.independent_writes != seen_calls_;
  }
  void forget_cached() override;
  Status catch_up_here() override { return caches_apart() ? file_.catch_up() : Status(); }
  bool cut_when_closed(std::optional<std::uint64_t> size) override {
    closing_size_ = caches_apart() ? size : std::nullopt;
    return caches_apart();
  }
  Status close() override;
  void abandon() override {
    coordinator_->release_handles();
    file_ = PosixFile();
    locks_.reset();
  }
  [[nodiscard]] DriverCapabilities capabilities() const override;
  [[nodiscard]] FileIdentity identity() const override { return file_.identity(path_); }
  [[nodiscard]] void* raw_handle() override { return file_.address(); }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override {
    return file_.read(offset, data, counters_.independent_reads);
  }
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  MpiposixDriver(PosixFile file, std::shared_ptr<Coordinator> coordinator, std::string path)
      : file_(std::move(file)),
        coordinator_(std::move(coordinator)),
        path_(std::move(path)),
        traits_(find_file_system(path_)) {}
  Status open_locks(OpenMode mode);

  PosixFile file_;
  std::shared_ptr<Coordinator> coordinator_;
  std::string path_;
  FileSystemTraits traits_;
  ByOneRank by_one_;
  std::optional<std::uint64_t> closing_size_;  ///< close() sets it; equal on all ranks
  bool has_agreed_ = false;
  std::uint64_t seen_calls_ = 0;     ///< as MpioDriver has it
  std::optional<RangeLocks> locks_;  ///< of pages that are written, where they are locked
};

}  // namespace pcio
