// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the sizes or coordinates of a dataspace, and boxes of elements.

#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "base/types.hpp"

namespace pcio {

/// The maximum size of a dimension that may grow for ever: all ones, as HDF5's H5S_UNLIMITED.
inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// Up to 32 unsigned numbers, one per dimension, slowest dimension first; no heap.
///
/// Only the first size() numbers mean something; the others are left as they are, not even zeroed.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): what is not initialized is not read
class Dims {
 public:
  constexpr Dims() = default;
  constexpr explicit Dims(unsigned ndims, std::uint64_t fill = 0)
      : size_(ndims < kMaxNdims ? ndims : kMaxNdims) {
    for (unsigned d = 0; d < size_; ++d) values_[d] = fill;
  }
  // Copies take as long as there are dimensions: extents and selections are copied in every call.
  constexpr Dims(const Dims& other) noexcept : size_(other.size_) { take_values(other); }
  constexpr Dims& operator=(const Dims& other) noexcept {
    size_ = other.size_;
    take_values(other);
    return *this;
  }
  constexpr ~Dims() = default;
  constexpr Dims(std::initializer_list<std::uint64_t> values) {
    for (std::uint64_t v : values) push_back(v);
  }
  /// Copies `ndims` (at most 32) numbers.
  static Dims from(const std::uint64_t* values, unsigned ndims) {
    Dims dims(ndims);
    for (unsigned d = 0; d < dims.size_; ++d) dims.values_[d] = values[d];
    return dims;
  }

  [[nodiscard]] constexpr unsigned size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  constexpr std::uint64_t& operator[](unsigned d) { return values_[d]; }
  constexpr const std::uint64_t& operator[](unsigned d) const { return values_[d]; }
  [[nodiscard]] std::uint64_t* data() { return values_.data(); }
  [[nodiscard]] const std::uint64_t* data() const { return values_.data(); }
  [[nodiscard]] std::uint64_t* begin() { return data(); }
  [[nodiscard]] std::uint64_t* end() { return data() + size_; }
  [[nodiscard]] const std::uint64_t* begin() const { return data(); }
  [[nodiscard]] const std::uint64_t* end() const { return data() + size_; }
  [[nodiscard]] std::uint64_t& back() { return values_[size_ - 1]; }
  [[nodiscard]] const std::uint64_t& back() const { return values_[size_ - 1]; }
  /// Adds a fastest dimension; ignored beyond 32.
  constexpr void push_back(std::uint64_t value) {
    if (size_ < kMaxNdims) values_[size_++] = value;
  }

  /// Product of all numbers (1 for no dimension), or nothing where it does not fit in 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> volume() const;
  /// "(3, 4, *)", for messages; * stands for kUnlimited.
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const Dims& a, const Dims& b) {
    if (a.size_ != b.size_) return false;
    for (unsigned d = 0; d < a.size_; ++d)
      if (a.values_[d] != b.values_[d]) return false;
    return true;
  }

 private:
  constexpr void take_values(const Dims& other) noexcept {
    for (unsigned d = 0; d < size_; ++d) values_[d] = other.values_[d];
  }

  unsigned size_ = 0;
  std::array<std::uint64_t, kMaxNdims> values_;  ///< behind size_ of them nothing
};
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

/// The elements start[d] <= x[d] < start[d] + count[d]; start and count have the same size.
struct Box {
  Dims start;
  Dims count;

  [[nodiscard]] unsigned ndims() const { return start.size(); }
  /// True where the box holds no element. A box without dimensions holds one.
  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool contains(const Dims& point) const;
  [[nodiscard]] bool contains(const Box& other) const;
  /// Number of elements, or nothing where it does not fit in 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> volume() const { return count.volume(); }
  /// The elements in both boxes of the same ndims; empty() where there are none.
  [[nodiscard]] Box intersect(const Box& other) const;
  /// All elements of an extent.
  static Box whole(const Dims& dims) { return Box{Dims(dims.size()), dims}; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// Calls f(coords) for every position of a grid of `dims`, row-major.
template <class F>
void for_each_position(const Dims& dims, F&& f) {
  for (std::uint64_t n : dims)
    if (n == 0) return;
  Dims at(dims.size());
  while (true) {
    f(static_cast<const Dims&>(at));
    unsigned d = dims.size();
    while (d > 0 && ++at[d - 1] == dims[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace pcio
