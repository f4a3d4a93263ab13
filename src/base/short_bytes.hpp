// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: bytes of which most values have few: those lie in the value itself.

#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace pcio {

/// A sequence of bytes. Up to kInside of them take no memory of their own: a file of many small objects would
/// else ask for, and give back, a piece of memory for each message of each header.
///
/// Threads: a value type. Errors: bad_alloc where there is no memory, and above 4 GiB - 1 bytes.
class ShortBytes {
 public:
  /// Extents of two dimensions, types of plain numbers, layouts and fill values fit.
  static constexpr std::size_t kInside = 44;

  ShortBytes() = default;
  ShortBytes(ConstBytes bytes) { take_in(bytes); }  // NOLINT: as a span is made of a vector
  ShortBytes(const std::vector<std::byte>& bytes) : ShortBytes(ConstBytes(bytes)) {}  // NOLINT
  ShortBytes(const ShortBytes& other) : ShortBytes(ConstBytes(other)) {}
  ShortBytes(ShortBytes&& other) noexcept
      : size_(std::exchange(other.size_, 0)), room_(other.room_) {}
  ShortBytes& operator=(const ShortBytes& other) {
    if (this != &other) *this = ShortBytes(other);
    return *this;
  }
  ShortBytes& operator=(ShortBytes&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }
  ~ShortBytes() { clear(); }

  void assign(ConstBytes bytes) { *this = ShortBytes(bytes); }
  void clear() noexcept {
    if (size_ > kInside) delete[] block();
    size_ = 0;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::byte* data() { return size_ > kInside ? block() : room_.data(); }
  [[nodiscard]] const std::byte* data() const { return size_ > kInside ? block() : room_.data(); }
  [[nodiscard]] std::byte* begin() { return data(); }
  [[nodiscard]] std::byte* end() { return data() + size_; }
  [[nodiscard]] const std::byte* begin() const { return data(); }
  [[nodiscard]] const std::byte* end() const { return data() + size_; }
  [[nodiscard]] const std::byte& operator[](std::size_t i) const { return data()[i]; }
  [[nodiscard]] std::vector<std::byte> vector() const { return {begin(), end()}; }

  friend bool operator==(const ShortBytes& a, const ShortBytes& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void take_in(ConstBytes bytes) {
    if (bytes.size() > ~std::uint32_t{0}) throw std::bad_alloc();
    if (bytes.size() > kInside) {
      std::byte* const block = new std::byte[bytes.size()];
      std::memcpy(room_.data(), &block, sizeof block);
    }
    size_ = static_cast<std::uint32_t>(bytes.size());
    if (!bytes.empty()) std::memcpy(data(), bytes.data(), bytes.size());
  }
  /// Where more than kInside bytes are.
  [[nodiscard]] std::byte* block() const {
    std::byte* block = nullptr;
    std::memcpy(&block, room_.data(), sizeof block);
    return block;
  }

  std::uint32_t size_ = 0;
  std::array<std::byte, kInside> room_ = {};  ///< the bytes, or where they are
};

}  // namespace pcio
