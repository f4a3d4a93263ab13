// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: MPI-IO on a shared file (HDF5's "mpio").

#pragma once

#include "driver/collective_channel.hpp"
#include "driver/mpi_settings.hpp"
#include "driver/open_driver.hpp"
#include "driver/range_locks.hpp"
#include "driver/writer_lock.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class MpioDriver final : public FileDriver {
 public:
  /// As open_on_ranks. Collective: over the settings' communicator.
  static Result<OpenedFile> open(const MpioSettings& settings, const OpenRequest& request);

  MpioDriver(const MpioDriver&) = delete;
  MpioDriver& operator=(const MpioDriver&) = delete;
  ~MpioDriver() override;
  Result<std::uint64_t> size() override { return file_.size(); }
  Status truncate(std::uint64_t size) override;
  Status flush() override;
  Status sync() override;
  Status truncate_here(std::uint64_t size) override;
  Status flush_here() override;
  Status sync_here() override;
  Status empty_here() override;
  void set_by_one(const ByOneRank& agreed) override {
    by_one_ = agreed;
    has_agreed_ = true;
  }
  [[nodiscard]] bool sizes_by_one() const override { return by_one_.sizes; }
  [[nodiscard]] bool sizes_alone() const override { return by_one_.sizes || by_one_.known; }
  Status sync_independent() override;
  [[nodiscard]] bool writes_beside() const override;
  [[nodiscard]] bool caches_apart() const override;
  [[nodiscard]] bool has_unseen_writes() const override {
    return caches_apart() && write_calls() != seen_calls_;
  }
  [[nodiscard]] bool has_unsynced_writes() const override {
    return has_unseen_writes() && write_calls() != synced_calls_;
  }
  void forget_cached() override;
  Status catch_up_here() override { return caches_apart() ? catch_up() : Status(); }
  bool cut_when_closed(std::optional<std::uint64_t> size) override {
    closing_size_ = caches_apart() ? size : std::nullopt;
    return caches_apart();
  }
  Status close() override;
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override;
  [[nodiscard]] FileIdentity identity() const override { return identity_; }
  [[nodiscard]] void* raw_handle() override { return file_.address(); }
  [[nodiscard]] CollectiveChannel* collective() override { return &*channel_; }

  [[nodiscard]] RangeLocks* atomic_locks() override { return locks_ ? &*locks_ : nullptr; }

  [[nodiscard]] std::uint64_t lock_unit() const override { return lock_unit_; }
  [[nodiscard]] std::uint64_t hinted_writers() const override { return hinted_writers_; }

  /// H5Fset_mpi_atomicity. By locks of our own: MPI's atomic mode is about single calls, and a transfer may
  /// be several; in Open MPI's ompio it does nothing. Collective: over the file, one exchange. Errors: ranks that
  /// want different ones; a file system without locks.
  Status set_atomicity(bool atomic);

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;
  int descriptor_for_writing() override;

 private:
  /// Of a file that it does not have yet; `component`: what moves its bytes.
  MpioDriver(std::shared_ptr<Coordinator> coordinator, const OpenRequest& request,
             ViewOpening opening, MpiIoComponent component);
  void take(mpi::File file) noexcept { file_ = std::move(file); }
  static Status make(const MpioSettings& settings, const OpenRequest& request, OpenedFile* made);
  Status take_descriptor();
  Status sync_descriptor();
  [[nodiscard]] Result<bool> is_where_mpi_writes();
  Status take_writer_lock(const OpenRequest& request);
  /// On NFS ompio locks the whole of a file for each access, and waits: a lock that this program has on any byte of it is
  /// one that it waits for itself.
  [[nodiscard]] bool is_locked_whole() const {
    return component_ == MpiIoComponent::kOmpio && traits_.is_nfs;
  }
  [[nodiscard]] std::uint64_t write_calls() const {
    return counters_.independent_writes + counters_.collective_writes;
  }
  [[nodiscard]] Status catch_up() const;
  Status outcome(std::string_view what, const Status& local);

  ShortName name_;  ///< by which MPI has opened the file
  mpi::File file_;
  std::shared_ptr<Coordinator> coordinator_;
  std::string path_;  ///< from the root, for what is opened later
  FileIdentity identity_;
  bool writable_ = false;
  FileSystemTraits traits_;
  ByOneRank by_one_;
  std::optional<std::uint64_t> closing_size_;  ///< close() sets it; equal on all ranks
  bool has_agreed_ = false;
  std::uint64_t seen_calls_ = 0;    ///< writes when this rank last forgot what the system remembers
  std::uint64_t synced_calls_ = 0;  ///< writes when it last synced alone
  std::uint64_t lock_unit_ = 1;     ///< on rank 0
  std::uint64_t hinted_writers_ = 0;  ///< on rank 0
  /// Of rank 0, where the file was opened for writing: the lock, and a descriptor of its own. Others get a
  /// descriptor without a lock when they need one.
  std::optional<WriterLock> lock_;
  bool has_written_ = false;  ///< by that descriptor, which was not synced since
  PosixFile seen_;  ///< while the file is opened: OpenRequest::seen, where it is this file's
  std::optional<RangeLocks> locks_;  ///< in atomic mode, on all ranks
  MpiIoComponent component_ = MpiIoComponent::kUnknown;
  std::optional<CollectiveChannel> channel_;
};

}  // namespace pcio
