// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: bytes or text that most of very many values don't have: empty, they take one pointer.

#pragma once

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace pcio {

/// Threads: a value type.
class CompactBytes {
 public:
  CompactBytes() = default;
  CompactBytes(ConstBytes bytes) {  // NOLINT: as a string is made of a literal
    if (bytes.empty()) return;
    const std::size_t size = bytes.size();
    block_.reset(new std::byte[sizeof size + size]);
    std::memcpy(block_.get(), &size, sizeof size);
    std::memcpy(block_.get() + sizeof size, bytes.data(), size);
  }
  CompactBytes(const std::vector<std::byte>& bytes) : CompactBytes(ConstBytes(bytes)) {}  // NOLINT
  CompactBytes(std::string_view text)                                                     // NOLINT
      : CompactBytes(ConstBytes(reinterpret_cast<const std::byte*>(text.data()), text.size())) {}
  CompactBytes(const CompactBytes& other) : CompactBytes(other.bytes()) {}
  CompactBytes(CompactBytes&&) noexcept = default;
  CompactBytes& operator=(const CompactBytes& other) {
    if (this != &other) block_ = std::move(CompactBytes(other).block_);
    return *this;
  }
  CompactBytes& operator=(CompactBytes&&) noexcept = default;
  ~CompactBytes() = default;

  [[nodiscard]] std::size_t size() const {
    std::size_t size = 0;
    if (block_) std::memcpy(&size, block_.get(), sizeof size);
    return size;
  }
  [[nodiscard]] bool empty() const { return !block_; }
  [[nodiscard]] ConstBytes bytes() const {
    return block_ ? ConstBytes(block_.get() + sizeof(std::size_t), size()) : ConstBytes();
  }
  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes().data()), size()};
  }
  friend bool operator==(const CompactBytes& a, const CompactBytes& b) {
    return a.text() == b.text();
  }
  friend bool operator==(const CompactBytes& a, std::string_view b) { return a.text() == b; }

 private:
  std::unique_ptr<std::byte[]> block_;  // the count, then the bytes
};

}  // namespace pcio
