// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: SliceImage.

#include "transfer/transports/exchange_owner.hpp"

#include <algorithm>
#include <cstring>

namespace pcio {

namespace {

/// Gaps up to here are bridged: about what a call costs in copying. Bytes.
constexpr std::uint64_t kWriteGap = 4096;
constexpr std::uint64_t kReadGap = 8192;
/// Gaps of a write are read in blocks of this size. Bytes.
constexpr std::uint64_t kScratchBytes = std::uint64_t{256} << 10;

/// Calls each(offset in the image, offset in the payload, length).
template <class F>
void for_each_range(std::span<const Section> sections, F&& each) {
  std::uint64_t packed = 0;
  for (const Section& s : sections) {
    std::uint64_t at = s.offset;
    for (std::uint32_t i = 0; i < s.count; ++i, at += s.stride, packed += s.length)
      each(at, packed, std::uint64_t{s.length});
  }
}

/// Lengths that the compiler knows make short copies cheap.
template <class F>
void copy_ranges(std::span<const Section> sections, F&& pair_at) {
  for_each_range(sections, [&](std::uint64_t at, std::uint64_t packed, std::uint64_t n) {
    auto [to, from] = pair_at(at, packed);
    switch (n) {
      case 8: std::memcpy(to, from, 8); break;
      case 64: std::memcpy(to, from, 64); break;
      default: std::memcpy(to, from, n);
    }
  });
}

}  // namespace

void SliceImage::reserve(std::uint64_t bytes) {
  map_.reset(bytes);
  loaded_.reset(bytes);
  if (gaps_ == GapWrites::kAllowed) scratch_.resize(kScratchBytes);
}

void SliceImage::begin(FileAddress start, std::uint64_t bytes, std::byte* image,
                       std::uint64_t* map) {
  size_ = 0;  // no piece lies inside where there is no memory for the maps
  if (map != nullptr)
    map_.reset_at(map, bytes);
  else
    map_.reset(bytes);
  loaded_.reset(bytes);
  start_ = start;
  size_ = bytes;
  image_ = image;
}

void SliceImage::visit(FileAddress start, std::uint64_t bytes, std::byte* image,
                       std::uint64_t* map) {
  map_.share(map, bytes);
  start_ = start;
  size_ = bytes;
  image_ = image;
}

Status SliceImage::check(std::span<const Section> sections) const {
  for (const Section& s : sections)
    if (s.count == 0 || s.end() > size_)
      return PCIO_ERROR(INTERNAL, BADRANGE, "exchange: a piece lies outside its owner's slice");
  return Status();
}

Status SliceImage::mark(std::span<const Section> sections) {
  PCIO_TRY(check(sections));
  for (const Section& s : sections) {
    std::uint64_t at = s.offset;
    for (std::uint32_t i = 0; i < s.count; ++i, at += s.stride) map_.mark(at, s.length);
  }
  return Status();
}

Status SliceImage::put(std::span<const Section> sections, ConstBytes payload) {
  PCIO_TRY(mark(sections));
  copy_in(sections, payload);
  return Status();
}

void SliceImage::copy_in(std::span<const Section> sections, ConstBytes payload) {
  copy_ranges(sections, [&](std::uint64_t at, std::uint64_t packed) {
    return std::pair(image_ + at, payload.data() + packed);
  });
}

Status SliceImage::flush() {
  return flush_by([&](FileAddress at, Bytes from) { return store_.write(at, from); });
}
Status SliceImage::flush(JoinedImages& calls) {
  return flush_by([&](FileAddress at, Bytes from) { return calls.write(at, from); });
}
template <class Write>
Status SliceImage::flush_by(Write&& write) {
  const std::uint64_t bridge = gaps_ == GapWrites::kAllowed ? kWriteGap : 0;
  std::uint64_t first = map_.next_marked(0);
  while (first < size_) {
    std::uint64_t last = map_.next_clear(first);
    bool has_gaps = false;
    for (;;) {
      const std::uint64_t next = map_.next_marked(last);
      if (next >= size_ || next - last > bridge) break;
      has_gaps = true;
      last = map_.next_clear(next);
    }
    if (has_gaps) PCIO_TRY(fill_gaps(first, last));
    PCIO_TRY(write(start_ + first, bytes_at(first, last)));
    first = map_.next_marked(last);
  }
  return Status();
}

Status SliceImage::fill_gaps(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t at = first; at < last; at += kScratchBytes) {
    const std::uint64_t end = std::min(last, at + kScratchBytes);
    PCIO_TRY(store_.read(start_ + at, Bytes(scratch_).first(end - at)));
    keep_gaps(at, end);
  }
  return Status();
}

void SliceImage::keep_gaps(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t gap = map_.next_clear(first); gap < last;) {
    const std::uint64_t stop = std::min(last, map_.next_marked(gap));
    std::memcpy(image_ + gap, scratch_.data() + (gap - first), stop - gap);
    gap = map_.next_clear(stop);
  }
}

Status SliceImage::load() {
  return load_by([&](FileAddress at, Bytes into) { return store_.read(at, into); });
}
Status SliceImage::load(JoinedImages& calls) {
  return load_by([&](FileAddress at, Bytes into) { return calls.read(at, into); });
}
template <class Read>
Status SliceImage::load_by(Read&& read) {
  std::uint64_t first = map_.next_marked(0);
  while (first < size_) {
    std::uint64_t last = map_.next_clear(first);
    for (;;) {
      const std::uint64_t next = map_.next_marked(last);
      if (next >= size_ || next - last > kReadGap) break;
      last = map_.next_clear(next);
    }
    // What an earlier batch of ranks wanted is here already.
    if (loaded_.next_clear(first) < last) {
      PCIO_TRY(read(start_ + first, bytes_at(first, last)));
      loaded_.mark(first, last - first);
    }
    first = map_.next_marked(last);
  }
  return Status();
}

Status SliceImage::get(std::span<const Section> sections, Bytes payload) const {
  PCIO_TRY(check(sections));
  copy_out(sections, payload);
  return Status();
}

void SliceImage::copy_out(std::span<const Section> sections, Bytes payload) const {
  copy_ranges(sections, [&](std::uint64_t at, std::uint64_t packed) {
    return std::pair(payload.data() + packed, image_ + at);
  });
}

}  // namespace pcio
