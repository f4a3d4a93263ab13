// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: numbers of any width, one behind the other, highest bit first.

#pragma once

#include "base/types.hpp"

namespace pcio {

/// Writes to memory that the caller made large enough. Threads: one at a time.
class BitWriter {
 public:
  explicit BitWriter(std::byte* out) : out_(out) {}

  /// The low `width` bits of `value`; width 0 to 64.
  void put(std::uint64_t value, unsigned width) {
    if (width > 32) {
      put(value >> 32, width - 32);
      width = 32;
    }
    held_ = held_ << width | (value & ((std::uint64_t{1} << width) - 1));
    count_ += width;
    while (count_ >= 8) {
      count_ -= 8;
      *out_++ = static_cast<std::byte>(held_ >> count_);
    }
  }
  /// One more byte with what is left, zeros behind it.
  void finish() { *out_ = static_cast<std::byte>(held_ << (8 - count_)); }

 private:
  std::byte* out_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;  // bits held, below 8 between calls
};

/// Reads; what lies behind the end reads as zero, and overrun() tells of it.
class BitReader {
 public:
  explicit BitReader(ConstBytes in) : next_(in.data()), end_(in.data() + in.size()) {}

  /// Width 0 to 64.
  std::uint64_t get(unsigned width) {
    if (width > 32) {
      std::uint64_t high = get(width - 32);
      return high << 32 | get(32);
    }
    while (count_ < width) {
      held_ = held_ << 8 | next_byte();
      count_ += 8;
    }
    count_ -= width;
    return held_ >> count_ & ((std::uint64_t{1} << width) - 1);
  }
  [[nodiscard]] bool overrun() const { return overrun_; }

 private:
  std::uint64_t next_byte() {
    if (next_ != end_) return std::to_integer<std::uint64_t>(*next_++);
    overrun_ = true;
    return 0;
  }

  const std::byte* next_;
  const std::byte* end_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
  bool overrun_ = false;
};

}  // namespace pcio
