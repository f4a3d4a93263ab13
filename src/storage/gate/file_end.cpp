// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: FileEnd.

#include "storage/gate/file_end.hpp"

#include <utility>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "storage/bytes/hole_probe.hpp"

namespace pcio {

namespace {

/// Above it no client has a file as a whole. Bytes.
constexpr std::uint64_t kLargestSmallFile = std::uint64_t{1} << 20;

}  // namespace

Status FileEnd::extend_to_allocated() {
  if (size_ >= allocated()) return Status();
  PCIO_TRY(file_.driver->truncate(allocated()));
  size_ = allocated();
  return Status();
}

Status FileEnd::reach_here(std::uint64_t least) {
  file_.driver->set_part_ends(file_.absolute_part_ends());
  PCIO_TRY(file_.driver->fit_parts(PartFit::kAtLeast));
  if (!unsure_ && size_ >= least) return Status();
  return set_to(least);
}

Status FileEnd::tell_here(std::uint64_t size) {
  Status told = file_.driver->truncate_here(size);
  set_ = told.ok() ? size : 0;
  return told;
}

Status FileEnd::set_here(std::uint64_t least) {
  if (unsure_ || size_ < least) return reach_here(least);
  return set_ == size_ && size_ > kLargestSmallFile ? Status() : set_to(size_);
}

Status FileEnd::set_to(std::uint64_t size) {
  size_ = set_ = size;
  unsure_ = false;
  return file_.driver->truncate_here(size);
}

Status FileEnd::set_by_rank0(std::uint64_t size) {
  if (file_.coordinator->rank() == 0) return set_to(size);
  size_ = size;
  unsure_ = false;
  return Status();
}

Status FileEnd::cut_to_superblock() {
  if (size_ <= file_.superblock.end_of_file) return Status();
  size_ = set_ = file_.superblock.end_of_file;
  return file_.driver->truncate(size_);
}

Status FileEnd::cut_to_allocated(const CallName& name) {
  PCIO_TRY(file_.driver->fit_parts(PartFit::kExactly));
  if (size_ <= allocated() && !is_untold_) return Status();
  if (file_.driver->cut_when_closed(allocated())) return Status();
  const Status cut = without_throwing([&] { return file_.driver->truncate_here(allocated()); });
  if (Status all = file_.coordinator->outcome(name, cut); !all.ok()) {
    lose_track();
    return all;
  }
  size_ = set_ = allocated();
  return Status();
}

void FileEnd::cut_nothing(const CallName& name) {
  static_cast<void>(file_.driver->cut_when_closed(std::nullopt));
  if (!std::exchange(is_untold_, false)) return;
  const Status told = without_throwing([&] { return tell_here(size_); });
  if (!file_.coordinator->outcome(name, told).ok()) lose_track();
}

void FileEnd::trim() {
  // Raw data may have been written, or not, up to the end that is given up now.
  if (size_ < allocated()) {
    size_ = allocated();
    unsure_ = true;
  }
  file_.space.trim_end();
}

/// Where the file ends decides what comes next.
Status FileEnd::trim_alike(const CallName& name) {
  return outcome_alike(*file_.coordinator, name, without_throwing([&] {
    trim();
    return Status();
  }));
}

/// Of a new file the tried bytes stay: they are zeros behind its end, and the close cuts them. (Cutting a
/// file to nothing makes some file systems write back at close.)
Status FileEnd::try_holes(const CallName& name, bool unknown, const Status& local) {
  if (!file_.writable) return Status();
  holes_read_zero_ = pcio::holes_read_zero(*file_.driver);
  if (!unknown) return Status();
  const std::uint64_t end = size_;
  PCIO_ASSIGN(HoleProbe found, probe_holes(*file_.driver, *file_.coordinator, end, name, local));
  holes_read_zero_ = found.read_zero;
  size_ = found.file_size;
  if (end == 0 || size_ == end) return Status();
  size_ = end;
  return file_.driver->truncate(end);
}

}  // namespace pcio
