// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: lists of plain values of which most have few: those lie in the list itself.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace pcio {

/// A list that asks for memory of its own only where it has more than `kFew` values: a commit of many objects would
/// else ask for, and give back, a piece of memory for each list of each object.
///
/// Threads: a value type. Errors: bad_alloc beyond `kFew` values; the list stays as it was.
template <class T, std::size_t kFew>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  ShortList() = default;
  ShortList(std::initializer_list<T> values) {  // NOLINT(google-explicit-constructor): as a vector
    for (const T& value : values) push_back(value);
  }

  [[nodiscard]] std::size_t size() const { return many_.empty() ? size_ : many_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] T* data() { return many_.empty() ? few_.data() : many_.data(); }
  [[nodiscard]] const T* data() const { return many_.empty() ? few_.data() : many_.data(); }
  [[nodiscard]] T* begin() { return data(); }
  [[nodiscard]] T* end() { return data() + size(); }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data()[i]; }

  void push_back(const T& value) {
    if (many_.empty() && size_ < kFew) {
      few_[size_++] = value;
      return;
    }
    if (many_.empty()) {
      std::vector<T> all;
      all.reserve(2 * kFew);
      all.assign(few_.begin(), few_.end());
      all.push_back(value);
      many_.swap(all);
      return;
    }
    many_.push_back(value);
  }
  /// Keeps the first `count`, of which there are so many.
  void keep_first(std::size_t count) {
    if (many_.empty()) {
      size_ = count;
      return;
    }
    if (count > kFew) return many_.resize(count);
    std::copy_n(many_.begin(), count, few_.begin());
    size_ = count;
    std::vector<T>().swap(many_);
  }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t size_ = 0;  ///< of those that lie here
  std::array<T, kFew> few_ = {};
  std::vector<T> many_;  ///< all of them, where they are more
};

}  // namespace pcio
