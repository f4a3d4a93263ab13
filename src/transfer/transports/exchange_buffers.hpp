// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: what exchanges with messages take of memory.

#pragma once

#include <memory>

#include "base/checked.hpp"
#include "base/types.hpp"
#include "transfer/transports/sections.hpp"

namespace pcio {

/// A sixteenth of an exchange's memory, within what keeps slices within 32-bit offsets and messages within
/// one MPI call. Bytes.
inline constexpr std::uint64_t kLeastUnit = std::uint64_t{64} << 10;
inline constexpr std::uint64_t kLargestUnit = std::uint64_t{64} << 20;

/// Letters begin at multiples of it, so that sections are read where they lie. Bytes.
inline constexpr std::uint64_t kLetterAlignment = sizeof(std::uint64_t);
static_assert(alignof(Section) <= kLetterAlignment);
[[nodiscard]] constexpr std::uint64_t pad_letter(std::uint64_t bytes) {
  return ceil_div(bytes, kLetterAlignment) * kLetterAlignment;
}

/// Memory that costs nothing until it is used. Threads: one thread.
class RawBuffer {
 public:
  /// May throw bad_alloc.
  void allocate(std::uint64_t size) {
    data_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size));
    size_ = size;
  }
  [[nodiscard]] std::byte* data() { return data_.get(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] Bytes bytes() { return Bytes(data_.get(), size_); }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::uint64_t size_ = 0;
};

}  // namespace pcio
