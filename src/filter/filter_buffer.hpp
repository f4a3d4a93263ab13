// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: memory for the bytes between two filters.
//
// From malloc, because filters of the HDF5 interface free and replace the buffer that they are given;
// never filled with zeros, because every byte is written by the filter in front.

#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// memcpy that may be asked for nothing: pointers of empty buffers are null.
inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

/// Bytes with room behind them. Threads: distinct objects are independent.
class FilterBuffer {
 public:
  FilterBuffer() = default;
  /// Uses `memory` as long as it is large enough; never frees it.
  explicit FilterBuffer(Bytes memory) : data_(memory.data()), capacity_(memory.size()) {}
  FilterBuffer(FilterBuffer&& other) noexcept { swap(other); }
  FilterBuffer& operator=(FilterBuffer&& other) noexcept {
    FilterBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  FilterBuffer(const FilterBuffer&) = delete;
  FilterBuffer& operator=(const FilterBuffer&) = delete;
  ~FilterBuffer() {
    if (owned_) std::free(data_);
  }

  void swap(FilterBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(owned_, other.owned_);
  }

  [[nodiscard]] std::byte* data() { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool owned() const { return owned_; }
  [[nodiscard]] ConstBytes view() const { return {data_, size_}; }
  void set_size(std::size_t size) { size_ = size; }

  /// At least `bytes` bytes whose values are unknown; size() is `bytes` then.
  /// Errors: no memory; the buffer is as it was.
  Status discard_and_resize(std::size_t bytes);
  /// Memory from malloc, which a foreign filter may free: release() gives it away, adopt() takes it.
  std::byte* release();
  void adopt(void* memory, std::size_t size, std::size_t capacity);

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool owned_ = false;
};

}  // namespace pcio
