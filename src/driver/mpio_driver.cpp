// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the mpio driver after its opening (which is in mpio_open.cpp).

#include "driver/mpio_driver.hpp"

#include <string_view>

#include "base/without_throwing.hpp"
#include "driver/driver_facts.hpp"
#include "driver/parallel_open.hpp"
#include "mpi/error.hpp"

namespace pcio {

MpioDriver::MpioDriver(std::shared_ptr<Coordinator> coordinator, const OpenRequest& request,
                       ViewOpening opening, MpiIoComponent component)
    : coordinator_(std::move(coordinator)), path_(opening.path), component_(component) {
  identity_ = identify_file(path_);
  identity_.path = strip_prefix(request.path);  // as messages and reports tell it
  opening.identity = identity_;
  // What this rank has seen before, where it was this file.
  SeenFile* const seen = request.seen.get();
  if (seen != nullptr && seen->file.is_open() && seen->file.identity(identity_.path) == identity_) {
    seen_ = std::move(seen->file);
    traits_ = seen->traits;
  }
  if (traits_.number == 0) traits_ = find_file_system(strip_prefix(path_));
  writable_ = (opening.amode & MPI_MODE_RDWR) != 0;
  opening.reads_independently = component_ == MpiIoComponent::kOmpio;
  channel_.emplace(file_, counters_, coordinator_, std::move(opening));
  coordinator_->set_loss_handler([this] {
    static_cast<void>(channel_->close());
    static_cast<void>(file_.close());
  });
}

MpioDriver::~MpioDriver() { coordinator_->set_loss_handler({}); }

Status MpioDriver::outcome(std::string_view what, const Status& local) {
  return coordinator_->outcome({what, path_}, local);
}

Result<std::uint64_t> MpioDriver::do_read(std::uint64_t offset, Bytes data) {
  if (file_.is_null()) PCIO_TRY(coordinator_->health());
  // The channel counts its bytes itself; take them back, the base class counts them too.
  const std::uint64_t before = counters_.bytes_read;
  Result<std::uint64_t> done = channel_->read_at(offset, data);
  counters_.bytes_read = before;
  return done;
}

Result<std::uint64_t> MpioDriver::do_write(std::uint64_t offset, ConstBytes data) {
  if (file_.is_null()) PCIO_TRY(coordinator_->health());
  const std::uint64_t before = counters_.bytes_written;
  Status done = channel_->write_at(offset, data);
  counters_.bytes_written = before;
  PCIO_TRY(std::move(done));
  return data.size();
}

Status MpioDriver::truncate(std::uint64_t size) {
  PCIO_TRY(coordinator_->health());
  // Nobody may still be writing behind the new end.
  PCIO_TRY(coordinator_->barrier());
  return outcome("setting the size", truncate_here(size));
}

Status MpioDriver::truncate_here(std::uint64_t size) {
  if (!writable_) return PCIO_ERROR(IO, WRITEERROR, "the file was opened for reading");
  if (by_one_.sizes) return coordinator_->rank() == 0 ? lock_->truncate(size) : Status();
  if (!by_one_.known) return file_.set_size(size);
  // Each client of the file system is to know. ROMIO tells it on one rank alone, and in ompio ranks would wait for
  // each other, for ever where one of them has another size in mind.
  PCIO_TRY(take_descriptor());
  return lock_->truncate(size);
}

/// ext4 writes back at close what was cut to nothing while it was open, so a new file is left as it is.
Status MpioDriver::empty_here() {
  if (!writable_) return Status();
  if (!sizes_alone()) return truncate_here(0);
  if (coordinator_->rank() != 0) return Status();
  // What a machine with a cache of its own takes for the size may be an old one.
  if (by_one_.sizes) {
    PCIO_ASSIGN(const std::uint64_t size, file_.size());
    if (size == 0) return Status();
  }
  return lock_->truncate(0);
}

/// A descriptor of this rank's own, opened when it is needed first.
Status MpioDriver::take_descriptor() {
  if (lock_) return Status();
  if (seen_.is_open()) {
    lock_.emplace(WriterLock::of(std::move(seen_)));
    return Status();
  }
  // Before, too: closing a descriptor of another file gives back what locks the program has on it.
  PCIO_TRY(check_same_file(path_, identity_));
  PCIO_ASSIGN(WriterLock lock, WriterLock::open(strip_prefix(path_)));
  PCIO_TRY(check_same_file(path_, identity_));
  lock_.emplace(std::move(lock));
  return Status();
}

/// What MPI-IO is known to do can be done beside it. Ranks of one machine write side by side as it is.
bool MpioDriver::writes_beside() const {
  return has_agreed_ && by_one_.sizes && by_one_.known && !coordinator_->one_machine() && !locks_;
}

/// The size that MPI tells is the file's. Others may make it longer meanwhile.
Result<bool> MpioDriver::is_where_mpi_writes() {
  PCIO_ASSIGN(const std::uint64_t before, lock_->size());
  PCIO_ASSIGN(const std::uint64_t told, file_.size());
  PCIO_ASSIGN(const std::uint64_t after, lock_->size());
  return before <= told && told <= after;
}

/// None where MPI-IO was told by a prefix of the name how it is to write, nor where the name may be another file's by now.
int MpioDriver::descriptor_for_writing() {
  // MPI-IO may reach OrangeFS beside the kernel.
  if (!writes_beside() || strip_prefix(path_) != path_ || identity_.inode == 0 ||
      traits_.number == kOrangeFileSystem)
    return -1;
  if (!take_descriptor().ok() || !(lock_->identity(identity_.path) == identity_)) return -1;
  const Result<bool> same = is_where_mpi_writes();
  if (!same || !*same) return -1;
  has_written_ = true;
  return lock_->descriptor();
}

/// Where one cache is all that a machine has of the file, one fsync there does for all its ranks.
Status MpioDriver::flush_here() {
  if (!by_one_.syncs) return sync_here();
  return coordinator_->leads_machine() ? sync_independent() : Status();
}

Status MpioDriver::flush() {
  PCIO_TRY(coordinator_->health());
  return outcome("flushing", flush_here());
}

/// MPI_File_sync makes ranks wait for each other. Where each has a descriptor of its own, and has not forgotten what it wrote
/// before that was synced, this is what it does for the file.
Status MpioDriver::sync_here() {
  if (caches_apart() && by_one_.known) return has_unsynced_writes() ? sync_independent() : Status();
  Status local = file_.sync();
  if (Status viewed = channel_->sync(); local.ok()) local = std::move(viewed);
  if (Status own = sync_descriptor(); local.ok()) local = std::move(own);
  return local;
}

/// A file system that tells errors late may tell them to the descriptor that has written only.
Status MpioDriver::sync_descriptor() {
  if (!has_written_) return Status();
  if (traits_.defers_errors) PCIO_TRY(lock_->sync());
  has_written_ = false;
  return Status();
}

Status MpioDriver::sync() {
  PCIO_TRY(coordinator_->health());
  Status all = outcome("flushing", sync_here());
  // What ompio and ROMIO have written and synced is where all can read it, as soon as they have forgotten what they
  // remember. Which exchanges there are the ranks have agreed on.
  if (by_one_.known) {
    if (all.ok()) forget_cached();
    return all;
  }
  // Source: MPI 3.1, 13.6.1 File Consistency: sync-barrier-sync orders writes of one rank before
  // reads of another. The agreement was the barrier. Ranks that lost step are not all here.
  PCIO_TRY(coordinator_->health());
  const Status again = sync_here();
  // Whether the second sync succeeded is again this rank's own.
  PCIO_TRY(Status(all));
  PCIO_TRY(outcome("flushing", again));
  forget_cached();
  return Status();
}

Status MpioDriver::sync_independent() {
  // MPI_File_sync is collective; a descriptor of one's own is not. What MPI has written lies in the
  // same page cache.
  PCIO_TRY(take_descriptor());
  const std::uint64_t written = write_calls();
  PCIO_TRY(lock_->sync());
  synced_calls_ = written;
  has_written_ = false;
  return Status();
}

bool MpioDriver::caches_apart() const {
  return !coordinator_->one_machine() && (has_agreed_ ? !by_one_.sizes : !traits_.coherent);
}

void MpioDriver::forget_cached() {
  if (!caches_apart()) return;
  if (lock_) lock_->forget_cached();
  seen_calls_ = write_calls();
}

/// An agreement of the same call is directly before.
Status MpioDriver::close() {
  if (file_.is_null()) return Status();
  if (Status health = coordinator_->health(); !health.ok()) {
    abandon();
    return health;
  }
  Status cut;
  // Before the lock goes: a machine that cuts the file late would cut what the next writer has written.
  if (closing_size_) {
    cut = outcome("closing", without_throwing([&] { return truncate_here(*closing_size_); }));
    // Ranks that lost step there don't come to the calls of MPI.
    if (!coordinator_->health().ok()) {
      abandon();
      return cut;
    }
  }
  Status local = without_throwing([&] { return sync_descriptor(); });
  if (Status closed = channel_->close(); local.ok()) local = std::move(closed);
  if (Status closed = file_.close(); local.ok()) local = std::move(closed);
  // Before any rank comes back: the next writer may be one of them.
  lock_.reset();
  locks_.reset();
  Status all = outcome("closing", local);
  return cut.ok() ? all : cut;
}

void MpioDriver::abandon() {
  end_writes();
  coordinator_->release_handles();
  channel_->abandon();
  file_.abandon();
  lock_.reset();
  locks_.reset();
}

Status MpioDriver::set_atomicity(bool atomic) {
  const CallName name{"H5Fset_mpi_atomicity", path_};
  const AtomicityFacts facts{atomic};
  std::optional<RangeLocks> locks;
  const Status local = without_throwing([&]() -> Status {
    if (!atomic || locks_) return Status();
    if (is_locked_whole())
      return PCIO_ERROR(FILE, CANTLOCKFILE,
                        "there is no atomic mode on NFS with Open MPI's own MPI-IO, which locks "
                        "whole files there and would wait for locks of ranges");
    PCIO_ASSIGN(RangeLocks opened,
                RangeLocks::open(strip_prefix(path_),
                                 writable_ ? OpenMode::kReadWrite : OpenMode::kReadOnly,
                                 coordinator_->environment().hang_seconds));
    PCIO_TRY(check_same_file(path_, identity_));
    locks.emplace(std::move(opened));
    return Status();
  });
  PCIO_ASSIGN(const GlobalFacts all, coordinator_->agree(name, facts.pack(), local));
  if (!AtomicityFacts::equal(all))
    return PCIO_ERROR(ARGS, BADVALUE, "the ranks ask for different atomicities");
  if (!atomic) locks_.reset();
  if (locks) locks_ = std::move(locks);
  return Status();
}

DriverCapabilities MpioDriver::capabilities() const {
  DriverCapabilities can;
  can.parallel = true;
  can.mpi_io = component_;
  can.defers_errors = traits_.defers_errors;
  can.coherent = traits_.coherent;
  return can;
}

}  // namespace pcio
