// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: who owns which bytes of the file.
//
// Pure bookkeeping: its state depends only on the sequence of calls, so ranks that make the same
// metadata calls in the same order hold the same map without talking. What is free at close is kept
// in the file where it was created so (storage/bytes/kept_space.cpp); otherwise what is not at the end of
// the file is lost, as in HDF5's default strategy.
//
// Paged files: pieces smaller than a page share pages with their kind only (metadata or raw data)
// and never lie across a border of pages; larger ones begin at a page. A page that becomes free as a
// whole serves either kind again.

#pragma once

#include <array>
#include <span>
#include <vector>

#include "agree/space_hash.hpp"
#include "base/status.hpp"
#include "base/types.hpp"
#include "props/file_props.hpp"
#include "storage/space/range_set.hpp"

namespace pcio {

/// What an allocation is for; metadata is gathered in blocks. Raw data may ask for fresh bytes, or
/// for such that were free at the last commit already: nobody can be writing there any more.
/// kHeaders: object headers, which a file of several parts may have elsewhere than other metadata.
enum class SpaceUse : std::uint8_t {
  kMetadata,
  kRawData,
  kRawDataFresh,
  kRawDataFreeAtCommit,
  kHeaders
};

/// Settings of the file access list and of the file that steer allocation. Sizes in bytes.
struct SpaceSettings {
  std::uint64_t alignment_threshold = 1;  ///< H5Pset_alignment: requests this large are aligned
  std::uint64_t alignment = 1;
  /// H5Pset_meta_block_size, the least; 0 = no gathering. Who writes much gets larger ones.
  std::uint64_t metadata_block = 2048;
  std::uint64_t max_address = std::uint64_t{1} << 62;  ///< no piece ends behind it
  std::uint64_t small_data_block = 0;  ///< H5Pset_small_data_block_size; 0 = no gathering
  FileSpaceStrategy strategy = FileSpaceStrategy::kFreeSpaceAggregators;
  std::uint64_t page_size = 4096;  ///< paged strategy only
};

/// Which free space may serve what: in paged files rests of pages of either kind, and whole pages;
/// in all others everything is kAny.
enum class FreeKind : std::uint8_t { kAny, kSmallMetadata, kSmallRawData };

struct FreeRange {
  ByteRange range;
  FreeKind kind = FreeKind::kAny;
  friend bool operator==(const FreeRange&, const FreeRange&) = default;
};

enum class RawPart : std::uint8_t { kMayBeEmpty, kNotEmpty };

/// One of several parts of a file's addresses, which has an end of its own.
struct SpacePart {
  FileAddress start = 0;  ///< the first one's is 0
  FileAddress end = 0;    ///< of what is used
};

/// Allocator of one open file. Addresses are relative to the base address.
///
/// A file may be cut into parts that grow by themselves (those of the multi driver are files of their
/// own): each of the others is a FileSpace whose addresses count from its start. "The end" without
/// more is the first part's, where superblock and journal lie. Such files are serial and have no pages.
///
/// Space released since the last commit is not handed out before the next one, because the last
/// committed metadata may still refer to it; space allocated since then is reusable at once.
class FileSpace {
 public:
  explicit FileSpace(FileAddress end_of_allocation = 0, SpaceSettings settings = {});

  /// Cuts the addresses; of the part at 0 the end stays as it is. `places` says in which part headers,
  /// other metadata and raw data are. For a file that is not in use yet.
  void set_parts(std::span<const SpacePart> parts, std::array<std::size_t, 3> places);
  [[nodiscard]] bool is_parted() const { return !parts_.empty(); }
  /// Takes a few bytes in each part that has none, but for that of raw data where `raw` is kMayBeEmpty.
  Status begin_empty_parts(RawPart raw);
  /// Where each part ends; nothing where there is one only.
  [[nodiscard]] std::vector<FileAddress> part_ends() const;
  /// Where the second part begins; 0: there is none.
  [[nodiscard]] FileAddress second_part() const;
  /// The end of the part in which `address` lies.
  [[nodiscard]] FileAddress end_at(FileAddress address) const;
  /// The end behind which nothing lies, in any part.
  [[nodiscard]] FileAddress top() const;
  /// Bytes below the ends of all parts.
  [[nodiscard]] std::uint64_t all_bytes() const;
  /// The part for raw data; `start` behind which its addresses count may be added to what it says.
  [[nodiscard]] const FileSpace& raw_part() const;

  /// `size` bytes (> 0). kRawDataFresh never reuses bytes where the file is not paged: a hole there
  /// reads as zero. Cost: the logarithm of the number of free ranges.
  /// Errors: NOSPACE where the address space is exhausted.
  Result<FileAddress> allocate(std::uint64_t size, SpaceUse use);
  /// Bytes at the very end of the file, gathered with nothing; for what is given back as a whole.
  Result<FileAddress> allocate_at_end(std::uint64_t size);
  /// Gives bytes back. Empty ranges, and such as were never handed out, are ignored.
  void release(ByteRange range);
  /// Gets the memory for the next release of a range with one owner: who changes what it owns has it
  /// before. An allocation or release that lacks memory changes nothing.
  void reserve_changes();
  /// Bytes of the last commit that were released since are in use again.
  void reclaim(ByteRange range);
  /// What was released just now is in use as before; nobody has got any of it since. Asks for no memory.
  void take_again(ByteRange range);
  /// Memory for one committed().
  struct CommitReserve {
    std::vector<RangeSet::Reserve> sets;
    std::vector<CommitReserve> parts;
  };
  /// Gets it, behind the last change before that. What it takes grows with what was released since the last
  /// commit. Collective: local. May throw bad_alloc.
  [[nodiscard]] CommitReserve reserve_commit();
  /// Everything allocated or released so far is now part of the committed file. `reserve`: where it may not
  /// lack memory.
  void committed(CommitReserve* reserve = nullptr);
  /// The same where the file still names some of what was released: none of that is free.
  void committed_in_part();
  /// Free space that the file itself listed. Ignored where it can't be (outside, listed twice).
  void add_free(const FreeRange& free);

  /// Bytes below `end` were written though nobody has them (a journal): no holes there. Raw data that
  /// count on holes are put behind them.
  void mark_written(FileAddress end);
  /// From here on nobody gets space (allocate: NOSPACE), until allow_allocation(): a failed commit needs what lies
  /// behind the end of the file.
  void forbid_allocation();
  void allow_allocation();
  [[nodiscard]] bool allocation_forbidden() const { return forbidden_; }

  /// Takes bytes that are free now. Files without pages only.
  void claim(ByteRange range);
  /// Nobody gets free space from `from` on before the next commit. Files without pages only.
  void hold_back(FileAddress from);

  /// Lowers the end of allocation to the last byte in use; for the commit of a close only.
  void trim_end();
  /// False where that would leave it as it is, and what is free too.
  [[nodiscard]] bool may_end_lower() const;

  /// All calls so far as one number: equal where the maps are.
  [[nodiscard]] const SpaceHash& hash() const { return hash_; }
  [[nodiscard]] FileAddress end_of_allocation() const { return end_; }
  /// True where the bytes were never handed out before since the file was cut to its end.
  [[nodiscard]] bool is_fresh(FileAddress address) const;
  /// True where the bytes were allocated after the last commit, so nobody's metadata names them.
  [[nodiscard]] bool is_uncommitted(FileAddress address) const;
  /// Bytes that can be handed out again without growing the file, now or after the next commit.
  [[nodiscard]] std::uint64_t free_bytes() const;
  /// Bytes that kRawData could have now; of the first part.
  [[nodiscard]] std::uint64_t reusable_bytes() const { return free_.bytes(); }
  [[nodiscard]] const RangeSet& reusable() const { return free_; }
  /// What an allocation of `size` bytes is aligned to (>= 1).
  [[nodiscard]] std::uint64_t alignment_of(std::uint64_t size) const;
  /// Bytes set aside for more small pieces behind the last ones.
  [[nodiscard]] std::uint64_t reserved_bytes() const;
  /// What will be free once the next commit is complete, by ascending address within each kind.
  [[nodiscard]] std::vector<FreeRange> free_ranges() const;
  /// From here on the file has no pages, and uses free space again where it did not.
  void become_plain();
  /// For a file that is not in use yet.
  void set_settings(const SpaceSettings& settings);
  [[nodiscard]] const SpaceSettings& settings() const { return settings_; }
  [[nodiscard]] bool paged() const { return settings_.strategy == FileSpaceStrategy::kPaged; }

 private:
  struct Part;
  std::array<RangeSet*, 8> sets();
  [[nodiscard]] const Part* part_at(FileAddress address) const;
  [[nodiscard]] Part* part_at(FileAddress address);
  [[nodiscard]] std::size_t place_of(SpaceUse use) const;
  enum class Kind : std::uint8_t { kMetadata = 0, kRawData = 1 };
  /// Bytes behind the last small piece of a kind, for the next ones.
  struct Block {
    FileAddress start = 0;
    std::uint64_t left = 0;
  };
  [[nodiscard]] bool reuses() const { return settings_.strategy <= FileSpaceStrategy::kPaged; }
  [[nodiscard]] bool may_reuse(SpaceUse use) const;
  [[nodiscard]] std::uint64_t block_size(Kind kind) const;
  Result<FileAddress> take(std::uint64_t size, SpaceUse use);
  Result<FileAddress> take_end(std::uint64_t size, std::uint64_t alignment);
  Result<FileAddress> take_hole(std::uint64_t size, std::uint64_t alignment, SpaceUse use);
  Result<FileAddress> take_from_block(std::uint64_t size, SpaceUse use);
  Result<FileAddress> take_paged(std::uint64_t size, SpaceUse use);
  Result<FileAddress> take_in_page(std::uint64_t size, SpaceUse use);
  Result<FileAddress> take_pages(std::uint64_t size, SpaceUse use);
  void not_fresh_below(FileAddress end) { fresh_from_ = end > fresh_from_ ? end : fresh_from_; }
  void insert_free(ByteRange range);
  void insert_free_in_page(ByteRange range);
  void insert_free_blocks();

  SpaceHash hash_;
  SpaceSettings settings_;
  FileAddress end_;
  FileAddress fresh_from_;
  bool forbidden_ = false;
  std::array<Block, 2> blocks_;
  std::uint64_t gathered_ =
      0;           ///< bytes of metadata that blocks have given since the file was opened
  RangeSet free_;  // reusable now; in paged files whole pages
  RangeSet free_after_commit_;       // reusable after the next commit
  RangeSet uncommitted_;             // allocated since the last commit
  bool freed_since_commit_ = false;  // some of what is free was in use since the last commit
  // Paged files only.
  std::array<RangeSet, 2> small_;  // free rests of pages, by kind
  std::array<RangeSet, 2> pages_;  // pages that hold pieces of a kind, as far as known
  RangeSet loose_;                 // free rests of pages of unknown kind; serve when whole
  // Files of several parts only.
  std::vector<Part> parts_;  // behind the first one, by address
  std::array<std::size_t, 3> places_{};
};

struct FileSpace::Part {
  FileAddress start = 0;
  FileSpace space;
};

}  // namespace pcio
