// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: which bytes of a buffer hold something, a bit per byte.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace pcio {

/// Threads: a value type.
class ByteMap {
 public:
  /// Room for `bytes` bytes, none of them marked.
  void reset(std::uint64_t bytes) {
    // Where there is no memory for it, there are no bytes to mark.
    size_ = 0;
    words_.assign(static_cast<std::size_t>(bytes / 64 + 1), 0);
    size_ = bytes;
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Marks [at, at + n), which lies inside.
  void mark(std::uint64_t at, std::uint64_t n) {
    if (n == 0) return;
    std::uint64_t word = at / 64;
    const std::uint64_t last = (at + n - 1) / 64;
    std::uint64_t bits = kAll << at % 64;
    for (; word < last; ++word, bits = kAll) words_[word] |= bits;
    words_[last] |= bits & (kAll >> (63 - (at + n - 1) % 64));
  }

  /// First marked byte at or behind `at`; size() where there is none.
  [[nodiscard]] std::uint64_t next_marked(std::uint64_t at) const { return find(at, 0); }
  /// First byte that is not marked at or behind `at`; size() where there is none.
  [[nodiscard]] std::uint64_t next_clear(std::uint64_t at) const { return find(at, kAll); }

 private:
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};

  [[nodiscard]] std::uint64_t find(std::uint64_t at, std::uint64_t flip) const {
    if (at >= size_) return size_;
    std::uint64_t word = at / 64;
    std::uint64_t bits = (words_[word] ^ flip) & (kAll << at % 64);
    while (bits == 0) {
      if (++word == words_.size()) return size_;
      bits = words_[word] ^ flip;
    }
    return std::min(size_, word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }

  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace pcio
