// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: which bytes of a buffer hold something, a bit per byte.

#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace pcio {

/// In memory of its own, or in memory that several ranks share, who may mark at the same time; who looks for marks has met
/// them before. Threads: one thread for each object.
class ByteMap {
 public:
  ByteMap() = default;
  ByteMap(const ByteMap&) = delete;
  ByteMap& operator=(const ByteMap&) = delete;
  ~ByteMap() = default;

  /// Room for `bytes` bytes, none of them marked. May throw bad_alloc.
  void reset(std::uint64_t bytes) {
    // Where there is no memory for it, there are no bytes to mark.
    size_ = 0;
    own_.assign(static_cast<std::size_t>(words_of(bytes)), 0);
    look_at(own_.data(), bytes);
    shared_ = false;
  }
  /// The same in shared memory: words_of(bytes) words at `words`.
  void reset_at(std::uint64_t* words, std::uint64_t bytes) {
    std::fill_n(words, words_of(bytes), 0);
    share(words, bytes);
  }
  /// One that another rank has reset.
  void share(std::uint64_t* words, std::uint64_t bytes) {
    look_at(words, bytes);
    shared_ = true;
  }
  [[nodiscard]] static constexpr std::uint64_t words_of(std::uint64_t bytes) {
    return bytes / 64 + 1;
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Marks [at, at + n), which lies inside.
  void mark(std::uint64_t at, std::uint64_t n) {
    if (n == 0) return;
    std::uint64_t word = at / 64;
    const std::uint64_t last = (at + n - 1) / 64;
    std::uint64_t bits = kAll << at % 64;
    for (; word < last; ++word, bits = kAll) set(word, bits);
    set(last, bits & (kAll >> (63 - (at + n - 1) % 64)));
  }

  /// First marked byte at or behind `at`; size() where there is none.
  [[nodiscard]] std::uint64_t next_marked(std::uint64_t at) const { return find(at, 0); }
  /// First byte that is not marked at or behind `at`; size() where there is none.
  [[nodiscard]] std::uint64_t next_clear(std::uint64_t at) const { return find(at, kAll); }

 private:
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};

  void look_at(std::uint64_t* words, std::uint64_t bytes) {
    words_ = words;
    count_ = words_of(bytes);
    size_ = bytes;
  }
  void set(std::uint64_t word, std::uint64_t bits) {
    if (shared_)
      std::atomic_ref(words_[word]).fetch_or(bits, std::memory_order_relaxed);
    else
      words_[word] |= bits;
  }
  [[nodiscard]] std::uint64_t find(std::uint64_t at, std::uint64_t flip) const {
    if (at >= size_) return size_;
    std::uint64_t word = at / 64;
    std::uint64_t bits = (words_[word] ^ flip) & (kAll << at % 64);
    while (bits == 0) {
      if (++word == count_) return size_;
      bits = words_[word] ^ flip;
    }
    return std::min(size_, word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }

  std::uint64_t size_ = 0;
  std::uint64_t count_ = 0;  ///< words
  std::uint64_t* words_ = nullptr;
  bool shared_ = false;
  std::vector<std::uint64_t> own_;
};

}  // namespace pcio
