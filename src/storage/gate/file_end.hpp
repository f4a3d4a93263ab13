// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: how long a file is, and how long it has to be.

#pragma once

#include "storage/bytes/file_context.hpp"

namespace pcio {

/// The bytes that a file has, against those that are allocated in it. Offsets are from the start of the
/// file, in bytes. Equal on all ranks from the agreement of the open on. Threads: one thread drives a file.
class FileEnd {
 public:
  explicit FileEnd(FileContext& file) : file_(file) {}

  /// Where the allocated bytes end.
  [[nodiscard]] std::uint64_t allocated() const {
    return file_.superblock.base_address + file_.space.end_of_allocation();
  }
  /// Bytes in the file, as far as this rank has set or seen it; the most it can be after lose_track().
  [[nodiscard]] std::uint64_t size() const { return size_; }
  void set_size(std::uint64_t agreed) { size_ = agreed; }
  /// Bytes up to `end` were written.
  void extend_to(std::uint64_t end) { size_ = size_ < end ? end : size_; }
  /// A step failed that may or may not have made the file longer: the next commit sets its size.
  void lose_track() { unsure_ = true; }

  /// Makes the file as long as what is allocated in it. Collective: over the file where it is
  /// shorter, else local.
  Status extend_to_allocated();
  /// Makes the file `least` bytes long where it is shorter or nobody knows.
  /// Collective: over the file, between two agreements of one call; the result is this rank's own.
  Status reach_here(std::uint64_t least);
  /// Makes it `size` bytes long; of ranks that set sizes each by itself rank 0 does. The others are told later.
  Status set_by_rank0(std::uint64_t size);
  /// Tells this machine's client a size that the file has or is to have now, on all ranks. Independent.
  Status tell_here(std::uint64_t size);
  /// The others are told when the file is closed, which comes next. Collective: pure.
  void tell_when_closed() { is_untold_ = true; }
  /// lose_track() was called, and no size was set since. Equal on all ranks.
  [[nodiscard]] bool is_unsure() const { return unsure_; }
  /// The same, and sets it where it is that long already, but was not set, or is small: clients of GlusterFS let go of
  /// small files that they have as a whole (quick-read, at most 1 MB) with a new size only. Collective: as reach_here.
  Status set_here(std::uint64_t least);
  /// Cuts a file to the end that its superblock tells, where it is longer. Collective: over the file.
  Status cut_to_superblock();
  /// Cuts what a committed superblock no longer counts. Collective: over the file where there is such, but where the
  /// driver does it when it is closed, which comes next.
  Status cut_to_allocated(const CallName& name);
  /// The file stays open after all: nothing is cut, and machines that were to be told its size then are told now. Collective:
  /// over the file where there are such, else pure.
  void cut_nothing(const CallName& name);

  /// Gives up free space at the end of what is allocated. Collective: pure.
  void trim();
  /// trim() would give up nothing. Equal on all ranks. Collective: pure.
  [[nodiscard]] bool is_trimmed() const { return !file_.space.may_end_lower(); }
  /// The same; all ranks have done it, or none goes on. Collective: over the file, one exchange.
  Status trim_alike(const CallName& name);

  /// Bytes that were never written read as zero, as far as was tried.
  [[nodiscard]] bool holes_read_zero() const { return holes_read_zero_; }
  /// Takes what is known of them; tries it where `unknown`, equal on all ranks, says so. `local`: this rank's
  /// failure before, which else is not looked at. Collective: over the file where they are tried, else pure.
  Status try_holes(const CallName& name, bool unknown, const Status& local = Status());

 private:
  /// What this sets, all ranks know, also where it fails on one: then the file's end is unsure once more.
  Status set_to(std::uint64_t size);

  FileContext& file_;
  std::uint64_t size_ = 0;
  std::uint64_t set_ = 0;  ///< the size that each machine was told last
  bool unsure_ = false;
  bool is_untold_ = false;
  bool holes_read_zero_ = false;
};

}  // namespace pcio
