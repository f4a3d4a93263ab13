// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: metadata cache images, decoded.

#include "format/cache_image.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr std::size_t kChecksumSize = 4;

Result<CacheImage::Entry> decode_entry(ByteReader& reader, const FileSizes& sizes) {
  // Its type, flags, ring and age; how many children it has in the order of flushes, how many of them dirty.
  reader.skip(4 + 2 + 2);
  const std::size_t parents = reader.u16();
  reader.skip(4);  // its place in the cache
  CacheImage::Entry entry;
  entry.range.offset = reader.address(sizes.offset_size);
  entry.range.size = reader.uint(sizes.length_size);
  reader.skip(parents * sizes.offset_size);
  entry.at = reader.position();
  PCIO_TRY(reader.check("metadata cache image"));
  if (entry.range.size > reader.remaining())
    return PCIO_ERROR(FILE, TRUNCATED, "truncated metadata cache image");
  reader.skip(static_cast<std::size_t>(entry.range.size));
  return entry;
}

}  // namespace

Result<CacheImage> CacheImage::decode(std::vector<std::byte> bytes, const FileSizes& sizes,
                                      FileAddress end) {
  PCIO_TRY(verify_checksum(bytes, "metadata cache image"));
  ByteReader reader(ConstBytes(bytes).first(bytes.size() - kChecksumSize));
  if (!reader.expect("MDCI"))
    return PCIO_ERROR(FILE, BADVALUE, "wrong signature of a metadata cache image");
  PCIO_TRY(decode_version(reader, 0, 0, "metadata cache image"));
  reader.skip(1);  // flags: how large the cache was
  const std::uint64_t size = reader.uint(sizes.length_size);
  const std::uint64_t count = reader.u32();
  PCIO_TRY(reader.check("metadata cache image"));
  if (size != bytes.size())
    return PCIO_ERROR(FILE, BADVALUE,
                      "a metadata cache image of " + std::to_string(bytes.size()) +
                          " bytes says that it has " + std::to_string(size));
  CacheImage image;
  for (std::uint64_t i = 0; i < count; ++i) {
    PCIO_ASSIGN(Entry entry, decode_entry(reader, sizes));
    if (!fits_inside(entry.range.offset, entry.range.size, end))
      return PCIO_ERROR(FILE, BADVALUE,
                        "a metadata cache image has an entry outside the file, at address " +
                            std::to_string(entry.range.offset));
    if (entry.range.size > 0) image.entries_.push_back(entry);
  }
  const auto ends_before = [](const Entry& a, const Entry& b) {
    return a.range.offset + a.range.size <= b.range.offset;
  };
  std::sort(image.entries_.begin(), image.entries_.end(),
            [](const Entry& a, const Entry& b) { return a.range.offset < b.range.offset; });
  for (std::size_t i = 1; i < image.entries_.size(); ++i)
    if (!ends_before(image.entries_[i - 1], image.entries_[i]))
      return PCIO_ERROR(FILE, BADVALUE, "entries of a metadata cache image overlap");
  image.block_ = std::move(bytes);
  return image;
}

void CacheImage::overlay(FileAddress address, Bytes into) const {
  const FileAddress end = address + into.size();
  auto entry = std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.range.offset + e.range.size <= address;
  });
  for (; entry != entries_.end() && entry->range.offset < end; ++entry) {
    const FileAddress low = std::max(entry->range.offset, address);
    const FileAddress high = std::min(entry->range.offset + entry->range.size, end);
    std::memcpy(into.data() + (low - address),
                block_.data() + entry->at + (low - entry->range.offset),
                static_cast<std::size_t>(high - low));
  }
}

}  // namespace pcio
