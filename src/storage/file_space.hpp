// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: who owns which bytes of the file.
//
// Pure bookkeeping: its state depends only on the sequence of calls, so ranks that make the same
// metadata calls in the same order hold the same map without talking. Free space is not kept in the
// file: what is free at close and not at the end of the file is lost, as in HDF5's default
// strategy.

#pragma once

#include <map>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// What an allocation is for; metadata is gathered in blocks, raw data may ask for fresh bytes.
enum class SpaceUse : std::uint8_t { kMetadata, kRawData, kRawDataFresh };

/// Settings of the file access list that steer allocation. Sizes in bytes.
struct SpaceSettings {
  std::uint64_t alignment_threshold = 1;  ///< H5Pset_alignment: requests this large are aligned
  std::uint64_t alignment = 1;
  std::uint64_t metadata_block = 2048;  ///< H5Pset_meta_block_size; 0 = no gathering
  std::uint64_t max_address = std::uint64_t{1} << 62;
};

/// Allocator of one open file. Addresses are relative to the base address.
///
/// Space released since the last commit is not handed out before the next one, because the last
/// committed metadata may still refer to it; space allocated since then is reusable at once.
class FileSpace {
 public:
  explicit FileSpace(FileAddress end_of_allocation = 0, SpaceSettings settings = {})
      : settings_(settings), end_(end_of_allocation), fresh_from_(end_of_allocation) {}

  /// `size` bytes (> 0). kRawDataFresh never reuses bytes: a hole there reads as zero.
  /// Errors: NOSPACE where the address space is exhausted.
  Result<FileAddress> allocate(std::uint64_t size, SpaceUse use);
  /// Gives bytes back. Empty ranges, and such as were never handed out, are ignored.
  void release(ByteRange range);
  /// Bytes of the last commit that were released since are in use again.
  void take_back(ByteRange range) { erase(pending_, range); }
  /// Everything allocated or released so far is now part of the committed file.
  void committed();

  /// Bytes below `end` were written though nobody has them (a journal): no holes there. Raw data that
  /// count on holes are put behind them.
  void mark_written(FileAddress end) { fresh_from_ = end > fresh_from_ ? end : fresh_from_; }
  /// From here on nobody gets space (allocate: NOSPACE), until thaw(): a failed commit needs what lies
  /// behind the end of the file.
  void freeze() { frozen_ = true; }
  void thaw() { frozen_ = false; }

  /// Lowers the end of allocation to the last byte in use; for the commit of a close only.
  void trim_end();

  [[nodiscard]] FileAddress end_of_allocation() const { return end_; }
  /// True where the bytes were never handed out before since the file was cut to its end.
  [[nodiscard]] bool is_fresh(FileAddress address) const { return address >= fresh_from_; }
  /// True where the bytes were allocated after the last commit, so nobody's metadata names them.
  [[nodiscard]] bool is_uncommitted(FileAddress address) const;
  /// Bytes that can be handed out again without growing the file.
  [[nodiscard]] std::uint64_t free_bytes() const;
  /// Bytes set aside for more metadata behind the last piece of it.
  [[nodiscard]] std::uint64_t reserved_bytes() const { return block_left_; }
  void set_settings(const SpaceSettings& settings) { settings_ = settings; }
  [[nodiscard]] const SpaceSettings& settings() const { return settings_; }

 private:
  using Ranges = std::map<FileAddress, std::uint64_t>;  // start to size, never adjacent
  static void insert(Ranges& ranges, ByteRange range);
  static void erase(Ranges& ranges, ByteRange range);
  static bool contains(const Ranges& ranges, ByteRange range);
  [[nodiscard]] std::uint64_t alignment_of(std::uint64_t size) const;
  FileAddress take_free(std::uint64_t size, std::uint64_t alignment);
  Result<FileAddress> take_end(std::uint64_t size, std::uint64_t alignment);
  Result<FileAddress> take_hole(std::uint64_t size, std::uint64_t alignment, SpaceUse use);
  Result<FileAddress> take_metadata(std::uint64_t size);

  SpaceSettings settings_;
  FileAddress end_;
  FileAddress fresh_from_;
  bool frozen_ = false;
  FileAddress block_ = 0;  // rest of the current metadata block
  std::uint64_t block_left_ = 0;
  Ranges free_;         // reusable now
  Ranges pending_;      // reusable after the next commit
  Ranges uncommitted_;  // allocated since the last commit
};

}  // namespace pcio
