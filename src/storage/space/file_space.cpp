// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: FileSpace out of line: the common part, and files without pages.

#include "storage/space/file_space.hpp"

#include <algorithm>
#include <string>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// What is gathered lies together and is written together. A sixteenth of it at most is lost at the last block's end.
constexpr std::uint64_t kGatheredForBlock = 16;
constexpr std::uint64_t kLargestBlock = 64 << 10;

/// What the hash of the space tells apart, beside allocations and releases.
enum Event : std::uint64_t {
  kCommitted,
  kCommittedInPart,
  kTrimmed,
  kWritten,
  kFrozen,
  kThawed,
  kHeldBack,
  kListedFree,
  kMadePlain
};

}  // namespace

FileSpace::FileSpace(FileAddress end_of_allocation, SpaceSettings settings)
    : end_(end_of_allocation),
      fresh_from_(end_of_allocation),
      free_(SizeOrder::kKept),
      free_after_commit_(SizeOrder::kNone),
      uncommitted_(SizeOrder::kNone),
      small_{RangeSet(SizeOrder::kKept), RangeSet(SizeOrder::kKept)},
      pages_{RangeSet(SizeOrder::kNone), RangeSet(SizeOrder::kNone)},
      loose_(SizeOrder::kNone) {
  set_settings(settings);
}

void FileSpace::set_settings(const SpaceSettings& settings) {
  settings_ = settings;
  settings_.page_size = std::max<std::uint64_t>(1, settings_.page_size);
  if (!paged()) return;
  for (RangeSet& set : small_) set = RangeSet(SizeOrder::kKept, settings_.page_size);
  loose_ = RangeSet(SizeOrder::kNone, settings_.page_size);
}

bool FileSpace::is_uncommitted(FileAddress address) const {
  if (const Part* part = part_at(address)) return part->space.is_uncommitted(address - part->start);
  return uncommitted_.contains({address, 1});
}

std::uint64_t FileSpace::alignment_of(std::uint64_t size) const {
  return size >= settings_.alignment_threshold && settings_.alignment > 1 ? settings_.alignment : 1;
}

std::uint64_t FileSpace::block_size(Kind kind) const {
  if (settings_.strategy == FileSpaceStrategy::kNone) return 0;
  if (kind == Kind::kRawData) return settings_.small_data_block;
  const std::uint64_t least = settings_.metadata_block;
  if (least == 0 || least >= kLargestBlock) return least;
  const std::uint64_t part = gathered_ / kGatheredForBlock;
  return std::clamp(part - part % least, least, kLargestBlock);
}

Result<FileAddress> FileSpace::take_end(std::uint64_t size, std::uint64_t alignment) {
  auto room = checked_add(end_, alignment - 1);
  FileAddress at = room ? round_up(end_, alignment) : 0;
  auto end = checked_add(at, size);
  if (!room || !end || *end > settings_.max_address)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "no file addresses left for " + std::to_string(size) + " bytes");
  if (at > end_) insert_free({end_, at - end_});
  end_ = *end;
  return at;
}

/// Raw data at the end: behind a dead journal, whose bytes become free space, where they want holes or
/// are larger than what is lost.
Result<FileAddress> FileSpace::take_hole(std::uint64_t size, std::uint64_t alignment,
                                         SpaceUse use) {
  const std::uint64_t dead = fresh_from_ > end_ ? fresh_from_ - end_ : 0;
  const bool keeps_it = use != SpaceUse::kRawDataFresh && size <= dead;
  if (dead == 0 || use == SpaceUse::kMetadata || keeps_it) return take_end(size, alignment);
  const FileAddress before = end_;
  end_ = fresh_from_;
  auto at = take_end(size, alignment);
  if (!at)
    end_ = before;
  else
    insert_free({before, dead});
  return at;
}

Result<FileAddress> FileSpace::take_from_block(std::uint64_t size, SpaceUse use) {
  const Kind kind = use == SpaceUse::kMetadata ? Kind::kMetadata : Kind::kRawData;
  Block& block = blocks_[static_cast<std::size_t>(kind)];
  const std::uint64_t whole = block_size(kind);
  const bool stale = use == SpaceUse::kRawDataFresh && block.left > 0 && !is_fresh(block.start);
  if (size > block.left || stale) {
    // What would waste much of a block's rest has its place alone.
    const std::uint64_t least = kind == Kind::kMetadata ? settings_.metadata_block : whole;
    if (size >= std::max(least, whole / kGatheredForBlock)) return take_hole(size, 1, use);
    // A block that ends where the file ends grows; otherwise its rest is ordinary free space.
    const bool grows = block.left > 0 && !stale && block.start + block.left == end_;
    const Result<FileAddress> start = grows ? take_end(whole, 1) : take_hole(whole, 1, use);
    // A last piece may find room where a block does not.
    if (!start) return take_hole(size, 1, use);
    if (grows) {
      block.left += whole;
    } else {
      free_.insert({block.start, block.left});
      block = {*start, whole};
    }
  }
  const FileAddress at = block.start;
  block.start += size;
  block.left -= size;
  if (kind == Kind::kMetadata) gathered_ += size;
  return at;
}

Result<FileAddress> FileSpace::take(std::uint64_t size, SpaceUse use) {
  const std::uint64_t alignment = alignment_of(size);
  if (may_reuse(use)) {
    const FileAddress at = free_.best_fit(size, alignment);
    if (at != kUndefinedAddress) {
      free_.erase({at, size});
      return at;
    }
  }
  const Kind kind = use == SpaceUse::kMetadata ? Kind::kMetadata : Kind::kRawData;
  if (alignment == 1 && block_size(kind) > 0) return take_from_block(size, use);
  return take_hole(size, alignment, use);
}

std::array<RangeSet*, 8> FileSpace::sets() {
  return {&free_,     &free_after_commit_, &uncommitted_, &small_[0],
          &small_[1], &pages_[0],          &pages_[1],    &loose_};
}

void FileSpace::reserve_changes() {
  for (RangeSet* set : sets()) set->reserve_changes();
  for (Part& part : parts_) part.space.reserve_changes();
}

Result<FileAddress> FileSpace::allocate(std::uint64_t size, SpaceUse use) {
  if (size == 0) return PCIO_ERROR(RESOURCE, BADVALUE, "allocation of 0 bytes");
  if (forbidden_)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "no space before the commit that failed was repeated (H5Fflush)");
  if (const std::size_t place = place_of(use); place > 0) {
    Part& part = parts_[place - 1];
    PCIO_ASSIGN(const FileAddress at, part.space.allocate(size, use));
    return part.start + at;
  }
  if (use == SpaceUse::kHeaders) use = SpaceUse::kMetadata;
  reserve_changes();
  PCIO_ASSIGN(FileAddress at, paged() ? take_paged(size, use) : take(size, use));
  uncommitted_.insert({at, size});
  hash_.allocated({at, size});
  return at;
}

Result<FileAddress> FileSpace::allocate_at_end(std::uint64_t size) {
  if (size == 0) return PCIO_ERROR(RESOURCE, BADVALUE, "allocation of 0 bytes");
  reserve_changes();
  if (!paged()) insert_free_blocks();
  PCIO_ASSIGN(FileAddress at, take_end(paged() ? round_up(size, settings_.page_size) : size,
                                       paged() ? settings_.page_size : 1));
  uncommitted_.insert({at, end_ - at});
  hash_.allocated({at, end_ - at});
  return at;
}

/// Parts may be free already: a damaged file can name bytes twice.
void FileSpace::release(ByteRange range) {
  if (Part* part = part_at(range.offset))
    return part->space.release({range.offset - part->start, range.size});
  if (range.size == 0 || !fits_inside(range.offset, range.size, end_)) return;
  reserve_changes();
  // Reused bytes may hold old contents, so nothing below the end of this range is fresh any more.
  not_fresh_below(range.end());
  freed_since_commit_ = true;
  hash_.released(range);
  if (uncommitted_.contains(range)) {
    uncommitted_.erase(range);
    return insert_free(range);
  }
  const bool known = uncommitted_.overlaps(range) || free_.overlaps(range) ||
                     small_[0].overlaps(range) || small_[1].overlaps(range) ||
                     loose_.overlaps(range);
  if (!known) return free_after_commit_.insert(range);
  for (const ByteRange& mine : uncommitted_.inside(range)) {
    uncommitted_.erase(mine);
    insert_free(mine);
  }
  for (const ByteRange& part : free_.outside(range))
    for (const ByteRange& meta : small_[0].outside(part))
      for (const ByteRange& raw : small_[1].outside(meta))
        for (const ByteRange& rest : loose_.outside(raw)) free_after_commit_.insert(rest);
}

void FileSpace::reclaim(ByteRange range) {
  if (Part* part = part_at(range.offset))
    return part->space.reclaim({range.offset - part->start, range.size});
  free_after_commit_.erase(range);
  hash_.taken_back(range);
}

void FileSpace::take_again(ByteRange range) {
  if (Part* part = part_at(range.offset))
    return part->space.take_again({range.offset - part->start, range.size});
  if (free_after_commit_.contains(range)) return reclaim(range);
  for (RangeSet* set : {&free_, &small_[0], &small_[1], &loose_}) set->erase(range);
  uncommitted_.insert(range);
  hash_.allocated(range);
}

FileSpace::CommitReserve FileSpace::reserve_commit() {
  CommitReserve reserve;
  const std::size_t changes = free_after_commit_.size();
  for (RangeSet* set : sets()) {
    // Without pages all goes to one set, which grows by one range at most.
    const std::size_t without_pages = set == &free_ ? 1 : 0;
    reserve.sets.push_back(set->reserve_later(changes, paged() ? 4 : without_pages));
  }
  for (Part& part : parts_) reserve.parts.push_back(part.space.reserve_commit());
  return reserve;
}

void FileSpace::committed(CommitReserve* reserve) {
  uncommitted_.clear();
  // One by one: where memory runs out, no byte is free twice.
  while (!free_after_commit_.empty()) {
    const ByteRange range = free_after_commit_.front();
    if (reserve != nullptr)
      for (std::size_t i = 0; i < reserve->sets.size(); ++i)
        sets()[i]->take_spares(&reserve->sets[i]);
    for (RangeSet* set : sets()) set->reserve_changes();
    insert_free(range);
    free_after_commit_.erase(range);
  }
  freed_since_commit_ = false;
  hash_.happened(kCommitted, end_);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    parts_[i].space.committed(reserve != nullptr && i < reserve->parts.size() ? &reserve->parts[i]
                                                                              : nullptr);
}

void FileSpace::committed_in_part() {
  uncommitted_.clear();
  hash_.happened(kCommittedInPart, end_);
  for (Part& part : parts_) part.space.committed_in_part();
}

void FileSpace::mark_written(FileAddress end) {
  not_fresh_below(end);
  hash_.happened(kWritten, end);
}

void FileSpace::forbid_allocation() {
  forbidden_ = true;
  hash_.happened(kFrozen, end_);
}

void FileSpace::allow_allocation() {
  forbidden_ = false;
  hash_.happened(kThawed, end_);
}

bool FileSpace::may_reuse(SpaceUse use) const {
  if (!reuses() || use == SpaceUse::kRawDataFresh) return false;
  return use != SpaceUse::kRawDataFreeAtCommit || !freed_since_commit_;
}

void FileSpace::insert_free(ByteRange range) {
  if (!paged()) return free_.insert(range);
  const std::uint64_t page = settings_.page_size;
  const FileAddress first = std::min(round_up(range.offset, page), range.end());
  const FileAddress last = std::max(first, range.end() / page * page);
  if (range.offset < first) insert_free_in_page({range.offset, first - range.offset});
  if (first < last) {
    free_.insert({first, last - first});
    for (RangeSet& kind : pages_) kind.erase({first, last - first});
  }
  if (last < range.end()) insert_free_in_page({last, range.end() - last});
}

void FileSpace::add_free(const FreeRange& free) {
  // Nothing lists them in files of several parts.
  if (is_parted()) return;
  const ByteRange& range = free.range;
  if (range.size == 0 || !fits_inside(range.offset, range.size, end_)) return;
  if (!free_.inside(range).empty() || !loose_.inside(range).empty()) return;
  for (const RangeSet& set : small_)
    if (!set.inside(range).empty()) return;
  if (paged() && free.kind != FreeKind::kAny) {
    const std::size_t kind = free.kind == FreeKind::kSmallMetadata ? 0 : 1;
    const FileAddress page = range.offset / settings_.page_size * settings_.page_size;
    if (!pages_[1 - kind].contains({page, 1})) pages_[kind].insert({page, settings_.page_size});
  }
  insert_free(range);
  hash_.happened(kListedFree, range.offset);
  hash_.happened(kListedFree, range.size);
}

void FileSpace::become_plain() {
  settings_.strategy = FileSpaceStrategy::kFreeSpaceAggregators;
  reserve_changes();
  for (RangeSet* set : {&small_[0], &small_[1], &loose_}) {
    for (const ByteRange& range : set->ranges()) free_.insert(range);
    set->clear();
  }
  for (RangeSet& pages : pages_) pages.clear();
  hash_.happened(kMadePlain, end_);
}

void FileSpace::insert_free_blocks() {
  for (Block& block : blocks_) {
    free_.insert({block.start, block.left});
    block = {};
  }
}

void FileSpace::claim(ByteRange range) {
  free_.erase(range);
  uncommitted_.insert(range);
  hash_.allocated(range);
}

void FileSpace::hold_back(FileAddress from) {
  if (from >= end_) return;
  hash_.happened(kHeldBack, from);
  for (const ByteRange& range : free_.inside({from, end_ - from})) {
    free_.erase(range);
    free_after_commit_.insert(range);
  }
}

void FileSpace::trim_end() {
  for (Part& part : parts_) part.space.trim_end();
  insert_free_blocks();
  hash_.happened(kTrimmed, end_);
  if (free_.empty()) return;
  const ByteRange last = free_.back();
  if (last.end() != end_) return;
  end_ = last.offset;
  free_.erase(last);
}

bool FileSpace::may_end_lower() const {
  const bool has_blocks = std::any_of(blocks_.begin(), blocks_.end(),
                                      [](const Block& block) { return block.left > 0; });
  return !parts_.empty() || has_blocks || (!free_.empty() && free_.back().end() == end_);
}

std::uint64_t FileSpace::free_bytes() const {
  if (!reuses()) return 0;
  std::uint64_t bytes =
      free_.bytes() + free_after_commit_.bytes() + small_[0].bytes() + small_[1].bytes();
  for (const Part& part : parts_) bytes += part.space.free_bytes();
  return bytes;
}

std::vector<FreeRange> FileSpace::free_ranges() const {
  std::vector<FreeRange> all;
  if (!reuses()) return all;
  FileSpace after = *this;
  after.parts_.clear();
  after.committed();
  after.insert_free_blocks();
  auto add = [&](const RangeSet& set, FreeKind kind) {
    for (const ByteRange& range : set.ranges()) all.push_back({range, kind});
  };
  add(after.small_[0], FreeKind::kSmallMetadata);
  add(after.small_[1], FreeKind::kSmallRawData);
  add(after.free_, FreeKind::kAny);
  for (const Part& part : parts_)
    for (FreeRange free : part.space.free_ranges()) {
      free.range.offset += part.start;
      all.push_back(free);
    }
  return all;
}

}  // namespace pcio
