// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: CollectionImage.

#include "storage/heaps/heap_image.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/checked.hpp"

namespace pcio {

Result<ConstBytes> no_heap_object(std::uint32_t index) {
  return PCIO_ERROR(HEAP, NOTFOUND,
                    "a global heap collection has no object " + std::to_string(index));
}

Result<ConstBytes> short_heap_object(std::uint32_t index, std::uint64_t size, std::uint64_t least) {
  return PCIO_ERROR(HEAP, BADSIZE,
                    "object " + std::to_string(index) + " of a global heap collection has " +
                        std::to_string(size) + " bytes instead of " + std::to_string(least));
}

CollectionImage CollectionImage::make(std::uint64_t size, const FileSizes& sizes) {
  CollectionImage image(std::vector<std::byte>(static_cast<std::size_t>(size)), sizes);
  image.used_ = global_heap_prefix_size(sizes);
  return image;
}

Result<CollectionImage> CollectionImage::parse(std::vector<std::byte> bytes,
                                               const FileSizes& sizes) {
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(bytes, sizes));
  PCIO_ASSIGN(auto entries, list_global_heap_objects(bytes, sizes));
  bytes.resize(static_cast<std::size_t>(size));
  CollectionImage image(std::move(bytes), sizes);
  image.used_ = global_heap_prefix_size(sizes);
  if (!entries.empty()) {
    const GlobalHeapEntry& last = entries.back();
    image.used_ = std::min(last.offset + round_up(last.size, std::size_t{8}), image.bytes_.size());
  }
  const auto before = [](const GlobalHeapEntry& a, const GlobalHeapEntry& b) {
    return a.index < b.index;
  };
  image.entries_ = std::move(entries);
  if (!std::is_sorted(image.entries_.begin(), image.entries_.end(), before)) {
    for (std::uint32_t i = 0; i < image.entries_.size(); ++i) image.by_index_.push_back(i);
    // Of two objects with one index the first counts.
    std::stable_sort(image.by_index_.begin(), image.by_index_.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return before(image.entries_[a], image.entries_[b]);
                     });
  }
  return image;
}

const GlobalHeapEntry* CollectionImage::find(std::uint32_t index) const {
  if (index == 0 || index > kGlobalHeapMaxIndex) return nullptr;
  // As most are written: without gaps, from 1.
  if (by_index_.empty() && index <= entries_.size() && entries_[index - 1].index == index)
    return &entries_[index - 1];
  if (by_index_.empty()) {
    const auto at = std::partition_point(entries_.begin(), entries_.end(),
                                         [&](const auto& entry) { return entry.index < index; });
    return at != entries_.end() && at->index == index ? &*at : nullptr;
  }
  const auto at = std::partition_point(by_index_.begin(), by_index_.end(),
                                       [&](std::uint32_t i) { return entries_[i].index < index; });
  return at != by_index_.end() && entries_[*at].index == index ? &entries_[*at] : nullptr;
}

Result<ConstBytes> CollectionImage::object(std::uint32_t index, std::uint64_t least) const {
  const GlobalHeapEntry* const entry = find(index);
  if (entry == nullptr) return no_heap_object(index);
  if (entry->size < least) return short_heap_object(index, entry->size, least);
  return ConstBytes(bytes_).subspan(entry->offset, entry->size);
}

std::uint32_t CollectionImage::free_index() const {
  const std::uint32_t highest =
      entries_.empty()
          ? 0
          : (by_index_.empty() ? entries_.back().index : entries_[by_index_.back()].index);
  if (highest < kGlobalHeapMaxIndex) return highest + 1;
  for (std::uint32_t i = 1; i <= kGlobalHeapMaxIndex; ++i)
    if (find(i) == nullptr) return i;
  return 0;
}

bool CollectionImage::has_room(std::uint64_t size) const {
  return size <= room() && global_heap_object_size(size, sizes_) <= room() &&
         entries_.size() < kGlobalHeapMaxIndex;
}

void CollectionImage::write_object_head(std::size_t at, const GlobalHeapEntry& entry) {
  std::memset(&bytes_[at], 0, global_heap_object_head(sizes_));
  store_little(&bytes_[at], entry.index, 2);
  store_little(&bytes_[at + 2], entry.reference_count, 2);
  store_little(&bytes_[at + 8], entry.size, sizes_.length_size);
}

std::uint32_t CollectionImage::add(ConstBytes data) {
  GlobalHeapEntry entry;
  entry.index = static_cast<std::uint16_t>(free_index());
  entry.offset = used_ + global_heap_object_head(sizes_);
  entry.size = data.size();
  // By index as by place, or the places are listed.
  const bool last = entries_.empty() || (by_index_.empty() && entries_.back().index < entry.index);
  if (!last && by_index_.empty())
    for (std::uint32_t i = 0; i < entries_.size(); ++i) by_index_.push_back(i);
  if (!last) {
    const auto at = std::partition_point(by_index_.begin(), by_index_.end(), [&](std::uint32_t i) {
      return entries_[i].index < entry.index;
    });
    by_index_.insert(at, static_cast<std::uint32_t>(entries_.size()));
  }
  entries_.push_back(entry);
  write_object_head(used_, entry);
  const std::size_t padded = round_up(data.size(), std::size_t{8});
  std::memset(bytes_.data() + entry.offset, 0, padded);
  if (!data.empty()) std::memcpy(bytes_.data() + entry.offset, data.data(), data.size());
  used_ = entry.offset + padded;
  return entry.index;
}

std::size_t CollectionImage::remove(std::span<const std::uint32_t> indexes) {
  std::vector<std::uint32_t> gone(indexes.begin(), indexes.end());
  std::sort(gone.begin(), gone.end());
  // Nothing may be missing half-way.
  std::vector<GlobalHeapEntry> left;
  left.reserve(entries_.size());
  by_index_.reserve(entries_.size());
  std::vector<bool> seen(std::size_t{kGlobalHeapMaxIndex} + 1);
  std::size_t at = global_heap_prefix_size(sizes_);
  const std::size_t before = entries_.size();
  for (GlobalHeapEntry entry : entries_) {
    const bool first = !seen[entry.index];
    seen[entry.index] = true;
    // What others count on loses one of them.
    const bool named = first && std::binary_search(gone.begin(), gone.end(), entry.index);
    if (named && entry.reference_count <= 1) continue;
    if (named) --entry.reference_count;
    const std::size_t padded =
        std::min(round_up(entry.size, std::size_t{8}), bytes_.size() - entry.offset);
    const std::size_t to = at + global_heap_object_head(sizes_);
    std::memmove(bytes_.data() + to, bytes_.data() + entry.offset, padded);
    entry.offset = to;
    write_object_head(at, entry);
    at = to + padded;
    left.push_back(entry);
  }
  used_ = at;
  entries_ = std::move(left);
  const std::size_t removed = before - entries_.size();
  // Their order is made anew.
  by_index_.clear();
  const auto rising = [](const GlobalHeapEntry& a, const GlobalHeapEntry& b) {
    return a.index < b.index;
  };
  if (std::is_sorted(entries_.begin(), entries_.end(), rising)) return removed;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) by_index_.push_back(i);
  std::stable_sort(by_index_.begin(), by_index_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rising(entries_[a], entries_[b]);
  });
  return removed;
}

void CollectionImage::shrink_to(std::uint64_t size) {
  const std::uint64_t least = std::max<std::uint64_t>(used_, kGlobalHeapMinSize);
  if (size < bytes_.size()) bytes_.resize(static_cast<std::size_t>(std::max(size, least)));
}

ConstBytes CollectionImage::bytes() {
  std::memset(bytes_.data(), 0, global_heap_prefix_size(sizes_));
  std::memcpy(bytes_.data(), "GCOL", 4);
  bytes_[4] = std::byte{1};
  store_little(&bytes_[8], bytes_.size(), sizes_.length_size);
  std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(used_), bytes_.end(), std::byte{0});
  // The free space counts its own head; a rest that can't hold one is unused.
  if (room() >= global_heap_object_head(sizes_))
    store_little(&bytes_[used_ + 8], room(), sizes_.length_size);
  return bytes_;
}

}  // namespace pcio
