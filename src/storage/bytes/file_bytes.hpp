// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: blocks of a file at addresses relative to its base, and the blocks that a commit is
// going to write.

#pragma once

#include <functional>
#include <vector>

#include "base/bytes.hpp"
#include "base/status.hpp"
#include "base/types.hpp"
#include "driver/file_driver.hpp"
#include "format/cache_image.hpp"
#include "format/file_sizes.hpp"
#include "base/recorded_reads.hpp"
#include "storage/space/file_space.hpp"
#include "storage/bytes/journal_store.hpp"
#include "storage/bytes/byte_target.hpp"

namespace pcio {

/// The system failed to read, perhaps on this rank alone. Of what is damaged all ranks see the same.
[[nodiscard]] inline bool was_not_read(const Status& why) {
  if (why.frames().empty()) return false;
  // Drivers differ in the major number.
  const Minor minor = why.frames().front().minor;
  return minor == Minor::READERROR || minor == Minor::SYSERRSTR || minor == Minor::MPIERRSTR;
}

/// There was no memory for it, perhaps on this rank alone.
[[nodiscard]] inline bool lacks_memory(const Status& why) {
  return !why.frames().empty() && why.frames().front().major == Major::RESOURCE;
}

/// Reads and writes of one file, relative to its base address, checked against its end.
///
/// Threads: one thread drives a file.
class FileBytes final : public ByteTarget {
 public:
  /// What `space` has handed out may be read and written; nothing else.
  FileBytes(FileDriver& driver, const FileSpace& space, std::uint64_t base)
      : driver_(driver), space_(space), base_(base) {}

  /// A metadata block of exactly `size` bytes. Collective: independent.
  /// Errors: TRUNCATED where the block reaches beyond the end of the file (nothing is allocated).
  Result<std::vector<std::byte>> block(FileAddress address, std::uint64_t size, const char* what);
  /// As block(), but at most `size` bytes: fewer at the end of the file, at least `least`.
  Result<std::vector<std::byte>> block_up_to(FileAddress address, std::uint64_t least,
                                             std::uint64_t size, const char* what);
  /// The same into memory that is there: how many of `into` were read.
  Result<std::uint64_t> block_into(FileAddress address, std::uint64_t least, Bytes into,
                                   const char* what);

  /// Raw data. Bytes behind the end of the file that are allocated read as zero.
  Status read(FileAddress address, Bytes into) override;
  Status write(FileAddress address, ConstBytes from) override;
  Status write_beside(WritingThread& by, FileAddress address, ConstBytes from) override;
  [[nodiscard]] bool holds(FileAddress address, std::uint64_t size) const override;

  /// From here on reads see `journal` over the bytes of the file; null: no longer. For files that
  /// were left in the middle of a commit and are only read.
  void set_overlay(std::shared_ptr<const Journal> journal) { overlay_ = std::move(journal); }

  /// From here on reads see `image` over the bytes of the file, below what a journal has; null: no longer.
  void set_image(std::shared_ptr<const CacheImage> image) { image_ = std::move(image); }

  /// From here on block() notes in `reads` what it reads, or takes from it what it has; null: no
  /// longer.
  void set_recorded_reads(RecordedReads* reads) { recorded_ = reads; }

  /// The file says that it is longer than it is, as beside another program that writes it: memory for a block
  /// is taken for what is there.
  void ask_what_is_there() { asks_what_is_there_ = true; }

  /// Where the last byte of the file can be.
  [[nodiscard]] FileAddress end() const { return space_.top(); }
  /// What lies apart from each other in the file has no more bytes than these.
  [[nodiscard]] std::uint64_t all_bytes() const { return space_.all_bytes(); }
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] FileDriver& driver() { return driver_; }

 private:
  FileDriver& driver_;
  const FileSpace& space_;
  std::uint64_t base_;
  bool asks_what_is_there_ = false;
  [[nodiscard]] Status check_written(FileAddress address, ConstBytes from) const;
  /// What the file has elsewhere for these places.
  void overlay(FileAddress address, Bytes into) const;

  std::shared_ptr<const Journal> overlay_;
  std::shared_ptr<const CacheImage> image_;
  RecordedReads* recorded_ = nullptr;
};

/// Which ranks have the same bytes for a block. What ranks may hold different values of (attributes,
/// times: rank 0's win) is rank 0's to write; structures that follow from the calls are anybody's; what has
/// gone through filters rank 0 alone has.
enum class BlockWriter : std::uint8_t { kRankZero, kAnyRank, kRankZeroAlone };

/// A metadata block on its way to the file. `encode` appends exactly `range.size` bytes and is
/// called on the rank that writes, at most once, before anything else changes.
struct DirtyBlock {
  ByteRange range;
  std::function<Status(ByteWriter&)> encode;
  BlockWriter writer = BlockWriter::kRankZero;
};

/// Everything that a commit writes besides the superblock.
using BlockSet = std::vector<DirtyBlock>;

}  // namespace pcio
