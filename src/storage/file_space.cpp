// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: FileSpace out of line.

#include "storage/file_space.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/checked.hpp"

namespace pcio {

/// Ranges may overlap what is there: a damaged file can give bytes back twice.
void FileSpace::insert(Ranges& ranges, ByteRange range) {
  auto it = ranges.upper_bound(range.offset);
  if (it != ranges.begin() && std::prev(it)->first + std::prev(it)->second >= range.offset) --it;
  FileAddress end = range.end();
  while (it != ranges.end() && it->first <= end) {
    range.offset = std::min(range.offset, it->first);
    end = std::max(end, it->first + it->second);
    it = ranges.erase(it);
  }
  ranges[range.offset] = end - range.offset;
}

void FileSpace::erase(Ranges& ranges, ByteRange range) {
  auto it = ranges.upper_bound(range.offset);
  if (it != ranges.begin()) --it;
  while (it != ranges.end() && it->first < range.end()) {
    ByteRange have{it->first, it->second};
    if (have.end() <= range.offset) {
      ++it;
      continue;
    }
    it = ranges.erase(it);
    if (have.offset < range.offset) ranges[have.offset] = range.offset - have.offset;
    if (have.end() > range.end()) it = ranges.emplace(range.end(), have.end() - range.end()).first;
  }
}

bool FileSpace::contains(const Ranges& ranges, ByteRange range) {
  auto it = ranges.upper_bound(range.offset);
  if (it == ranges.begin()) return false;
  --it;
  return it->first + it->second >= range.end();
}

bool FileSpace::is_uncommitted(FileAddress address) const {
  return contains(uncommitted_, {address, 1});
}

std::uint64_t FileSpace::alignment_of(std::uint64_t size) const {
  return size >= settings_.alignment_threshold && settings_.alignment > 1 ? settings_.alignment : 1;
}

FileAddress FileSpace::take_free(std::uint64_t size, std::uint64_t alignment) {
  for (auto [start, length] : free_) {
    FileAddress at = round_up(start, alignment);
    if (!fits_inside(at - start, size, length)) continue;
    erase(free_, {at, size});
    return at;
  }
  return kUndefinedAddress;
}

Result<FileAddress> FileSpace::take_end(std::uint64_t size, std::uint64_t alignment) {
  FileAddress at = round_up(end_, alignment);
  auto end = checked_add(at, size);
  if (!end || *end > settings_.max_address)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "no file addresses left for " + std::to_string(size) + " bytes");
  if (at > end_) insert(free_, {end_, at - end_});
  end_ = *end;
  return at;
}

/// Raw data at the end: behind a dead journal, whose bytes become free space, where they want holes or
/// are larger than what is lost.
Result<FileAddress> FileSpace::take_hole(std::uint64_t size, std::uint64_t alignment,
                                         SpaceUse use) {
  const std::uint64_t dead = fresh_from_ > end_ ? fresh_from_ - end_ : 0;
  if (dead == 0 || (use != SpaceUse::kRawDataFresh && size <= dead)) return take_end(size, alignment);
  const FileAddress before = end_;
  end_ = fresh_from_;
  auto at = take_end(size, alignment);
  if (!at)
    end_ = before;
  else
    insert(free_, {before, dead});
  return at;
}

Result<FileAddress> FileSpace::take_metadata(std::uint64_t size) {
  if (size > block_left_) {
    if (size >= settings_.metadata_block) return take_end(size, 1);
    // A block that ends where the file ends grows; otherwise its rest is ordinary free space.
    if (block_left_ > 0 && block_ + block_left_ == end_) {
      PCIO_TRY(take_end(settings_.metadata_block, 1));
      block_left_ += settings_.metadata_block;
    } else {
      PCIO_ASSIGN(FileAddress start, take_end(settings_.metadata_block, 1));
      if (block_left_ > 0) insert(free_, {block_, block_left_});
      block_ = start;
      block_left_ = settings_.metadata_block;
    }
  }
  FileAddress at = block_;
  block_ += size;
  block_left_ -= size;
  return at;
}

Result<FileAddress> FileSpace::allocate(std::uint64_t size, SpaceUse use) {
  if (size == 0) return PCIO_ERROR(RESOURCE, BADVALUE, "allocation of 0 bytes");
  if (frozen_)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "no space before the commit that failed was repeated (H5Fflush)");
  std::uint64_t alignment = alignment_of(size);
  FileAddress at = kUndefinedAddress;
  if (use != SpaceUse::kRawDataFresh) at = take_free(size, alignment);
  if (at == kUndefinedAddress) {
    if (use == SpaceUse::kMetadata && alignment == 1 && settings_.metadata_block > 0) {
      PCIO_ASSIGN(at, take_metadata(size));
    } else {
      PCIO_ASSIGN(at, use == SpaceUse::kMetadata ? take_end(size, alignment)
                                                 : take_hole(size, alignment, use));
    }
  }
  insert(uncommitted_, {at, size});
  return at;
}

void FileSpace::release(ByteRange range) {
  if (range.size == 0 || !fits_inside(range.offset, range.size, end_)) return;
  // Reused bytes may hold old contents, so nothing below the end of this range is fresh any more.
  if (range.end() > fresh_from_) fresh_from_ = range.end();
  if (contains(uncommitted_, range)) {
    erase(uncommitted_, range);
    insert(free_, range);
  } else {
    insert(pending_, range);
  }
}

void FileSpace::committed() {
  for (auto [start, size] : pending_) insert(free_, {start, size});
  pending_.clear();
  uncommitted_.clear();
}

void FileSpace::trim_end() {
  if (block_left_ > 0) insert(free_, {block_, block_left_});
  block_left_ = 0;
  if (free_.empty()) return;
  auto last = std::prev(free_.end());
  if (last->first + last->second != end_) return;
  end_ = last->first;
  free_.erase(last);
}

std::uint64_t FileSpace::free_bytes() const {
  std::uint64_t total = 0;
  for (auto [start, size] : free_) total += size;
  for (auto [start, size] : pending_) total += size;
  return total;
}

}  // namespace pcio
