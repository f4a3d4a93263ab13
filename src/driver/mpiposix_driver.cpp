// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: POSIX calls on many ranks, with agreements in between.

#include "driver/mpiposix_driver.hpp"

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "driver/made_files.hpp"
#include "driver/parallel_open.hpp"

namespace pcio {

namespace {

/// No page of any machine is larger. Bytes.
constexpr std::uint64_t kLargestPage = std::uint64_t{64} << 10;

enum class LockHolder : std::uint8_t { kNo, kYes };

/// This rank's part of opening: rank 0 creates, so the others find the file.
Status open_part(PosixFile& file, const OpenRequest& request, OpenMode mode, LockHolder holder) {
  const std::string path = strip_prefix(request.path);
  PCIO_ASSIGN(file, open_noted(request, path, mode));
  // One rank holds it for all.
  if (holder == LockHolder::kYes && is_writable(mode))
    PCIO_TRY(keep_if_locked(request, lock_writer(file, request.locking)));
  return find_file_system(path).coherent ? Status() : file.catch_up();
}

}  // namespace

Result<OpenedFile> MpiposixDriver::open(const MpiposixSettings& settings,
                                        const OpenRequest& request) {
  OpenedFile result;
  bool is_made = false;
  PCIO_ASSIGN(result.coordinator, agree_to_open(settings.lobby(), request, nullptr, &is_made));
  Coordinator& coordinator = *result.coordinator;
  PosixFile file;
  const CallName name{is_create(request.mode) ? "creating" : "opening", request.path};
  auto make = [&](OpenMode mode, LockHolder holder) {
    return without_throwing([&]() -> Status {
      PCIO_TRY(open_part(file, request, mode, holder));
      std::unique_ptr<MpiposixDriver> driver(
          new MpiposixDriver(std::move(file), result.coordinator, strip_prefix(request.path)));
      PCIO_TRY(driver->open_locks(mode));
      result.driver = std::move(driver);
      return Status();
    });
  };
  Status local;
  // Made exclusively, it is empty: so it may be emptied.
  const OpenMode first = is_made ? OpenMode::kTruncate : request.mode;
  if (coordinator.rank() == 0) local = make(first, LockHolder::kYes);
  Status all = coordinator.outcome(name, local);
  const OpenMode later = is_writable(request.mode) ? OpenMode::kReadWrite : OpenMode::kReadOnly;
  if (all.ok()) {
    if (coordinator.rank() != 0) local = make(later, LockHolder::kNo);
    all = coordinator.outcome(name, local);
  }
  if (all.ok()) return result;
  take_back(request.made.get(), coordinator);
  return detail::StatusReturn(std::move(all));
}

/// Independent. Errors: no locks where there is data loss without.
Status MpiposixDriver::open_locks(OpenMode mode) {
  if (!is_writable(mode) || !traits_.is_nfs || coordinator_->one_machine()) return Status();
  PCIO_ASSIGN(RangeLocks locks, RangeLocks::open(path_, OpenMode::kReadWrite,
                                                 coordinator_->environment().hang_seconds));
  PCIO_TRY(check_same_file(path_, identity()));
  locks_.emplace(std::move(locks));
  return Status();
}

Result<std::uint64_t> MpiposixDriver::do_write(std::uint64_t offset, ConstBytes data) {
  if (!locks_) return file_.write(offset, data, counters_.independent_writes);
  const std::uint64_t start = offset - offset % kLargestPage;
  const std::uint64_t end = round_up(offset + data.size(), kLargestPage);
  PCIO_TRY(detail::to_status(locks_->lock({start, end - start}, Direction::kWrite)));
  struct Unlocked {
    RangeLocks& locks;
    ~Unlocked() { locks.unlock(); }
  } const unlocked{*locks_};
  return file_.write(offset, data, counters_.independent_writes);
}

Status MpiposixDriver::truncate(std::uint64_t size) {
  PCIO_TRY(coordinator_->health());
  // Nobody may still be writing behind the new end.
  PCIO_TRY(coordinator_->barrier());
  return coordinator_->outcome({"setting the size", path_}, truncate_here(size));
}

Status MpiposixDriver::truncate_here(std::uint64_t size) {
  // Each client of the file system is to know.
  return caches_apart() || coordinator_->rank() == 0 ? file_.truncate(size) : Status();
}

Status MpiposixDriver::empty_here() { return coordinator_->rank() == 0 ? file_.empty() : Status(); }

bool MpiposixDriver::caches_apart() const {
  return !coordinator_->one_machine() && (has_agreed_ ? !by_one_.sizes : !traits_.coherent);
}

void MpiposixDriver::forget_cached() {
  if (!caches_apart()) return;
  file_.forget_cached();
  seen_calls_ = counters_.independent_writes;
}

Status MpiposixDriver::flush_here() { return caches_apart() ? file_.sync() : Status(); }

Status MpiposixDriver::flush() {
  PCIO_TRY(coordinator_->outcome({"flushing", path_}, flush_here()));
  forget_cached();
  return Status();
}

Status MpiposixDriver::sync() {
  PCIO_TRY(coordinator_->health());
  PCIO_TRY(coordinator_->outcome({"flushing", path_}, file_.sync()));
  forget_cached();
  return Status();
}

Status MpiposixDriver::close() {
  if (!file_.is_open()) return Status();
  locks_.reset();
  const bool cuts = closing_size_ && coordinator_->health().ok();
  Status cut;
  // Before the lock goes with rank 0's descriptor: a size that is set later would cut what the next writer has written.
  if (cuts)
    cut = coordinator_->outcome({"closing", path_},
                                without_throwing([&] { return truncate_here(*closing_size_); }));
  const Status local = file_.close();
  if (!coordinator_->health().ok()) return cut.ok() ? local : cut;
  Status all = coordinator_->outcome({"closing", path_}, local);
  return cut.ok() ? all : cut;
}

DriverCapabilities MpiposixDriver::capabilities() const {
  DriverCapabilities can;
  can.parallel = true;
  can.defers_errors = traits_.defers_errors;
  can.coherent = traits_.coherent;
  return can;
}

}  // namespace pcio
