// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: FileSpace in paged files.
//
// Source: HDF5 User Guide, file space management, paged aggregation; libhdf5 was seen to place
// pieces in this way.

#include <algorithm>

#include "base/checked.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

Result<FileAddress> FileSpace::take_paged(std::uint64_t size, SpaceUse use) {
  if (size >= settings_.page_size) return take_pages(size, use);
  return take_in_page(size, use);
}

/// Small raw data is not kept fresh: a page for each piece would be the price.
Result<FileAddress> FileSpace::take_in_page(std::uint64_t size, SpaceUse use) {
  const bool anywhere =
      use == SpaceUse::kMetadata || use == SpaceUse::kRawData || !freed_since_commit_;
  const std::size_t kind = use == SpaceUse::kMetadata ? 0 : 1;
  const std::uint64_t page = settings_.page_size;
  RangeSet& small = small_[kind];
  std::uint64_t alignment = alignment_of(size);
  FileAddress at = anywhere ? small.best_fit(size, alignment) : kUndefinedAddress;
  if (at == kUndefinedAddress) {
    // An alignment that does not divide pages, or is larger, is met at the start of a page.
    if (page % alignment != 0) alignment = page * alignment;
    alignment = std::max(alignment, page);
    FileAddress start = anywhere ? free_.best_fit(page, alignment) : kUndefinedAddress;
    if (start == kUndefinedAddress) {
      PCIO_ASSIGN(start, take_end(page, alignment));
    } else {
      free_.erase({start, page});
    }
    pages_[kind].insert({start, page});
    small.insert({start, page});
    at = start;
  }
  small.erase({at, size});
  return at;
}

Result<FileAddress> FileSpace::take_pages(std::uint64_t size, SpaceUse use) {
  const std::uint64_t page = settings_.page_size;
  if (size > settings_.max_address)
    return PCIO_ERROR(RESOURCE, NOSPACE, "no file addresses left for a large block");
  const std::uint64_t whole = round_up(size, page);
  std::uint64_t alignment = alignment_of(size);
  alignment = alignment % page == 0 ? alignment : page % alignment == 0 ? page : page * alignment;
  FileAddress at = kUndefinedAddress;
  if (may_reuse(use)) at = free_.best_fit(whole, alignment);
  if (at == kUndefinedAddress) {
    PCIO_ASSIGN(at, take_hole(whole, alignment, use));
  } else {
    free_.erase({at, whole});
  }
  // The rest of the last page serves small pieces of the same kind.
  const std::size_t kind = use == SpaceUse::kMetadata ? 0 : 1;
  pages_[kind].insert({at, whole});
  small_[kind].insert({at + size, whole - size});
  return at;
}

/// `range` lies within one page. A page that is free as a whole changes sides.
void FileSpace::insert_free_in_page(ByteRange range) {
  const std::uint64_t page = settings_.page_size;
  const ByteRange all{range.offset / page * page, page};
  RangeSet& set = pages_[0].contains(all)   ? small_[0]
                  : pages_[1].contains(all) ? small_[1]
                                            : loose_;
  set.insert(range);
  if (!set.contains(all)) return;
  set.erase(all);
  for (RangeSet& kind : pages_) kind.erase(all);
  free_.insert(all);
}

}  // namespace pcio
