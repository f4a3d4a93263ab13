// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: an optional value with its own memory, for what is large and mostly not there.

#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace pcio {

/// As std::optional, of the size of a pointer. Memory that it once had it keeps: what is put where something
/// was asks for none.
///
/// Threads: thread-compatible.
template <class T>
class OptionalOnHeap {
 public:
  OptionalOnHeap() = default;
  OptionalOnHeap(const OptionalOnHeap& other) {
    if (other) emplace(*other);
  }
  OptionalOnHeap(OptionalOnHeap&&) noexcept = default;
  OptionalOnHeap& operator=(const OptionalOnHeap& other) {
    if (this == &other) return *this;
    if (other)
      emplace(*other);
    else
      reset();
    return *this;
  }
  OptionalOnHeap& operator=(OptionalOnHeap&&) noexcept = default;
  OptionalOnHeap& operator=(T&& value) {
    emplace(std::move(value));
    return *this;
  }
  ~OptionalOnHeap() = default;

  template <class... Args>
  T& emplace(Args&&... args) {
    if (!value_) value_ = std::make_unique<std::optional<T>>();
    return value_->emplace(std::forward<Args>(args)...);
  }
  void reset() noexcept {
    if (value_) value_->reset();
  }
  [[nodiscard]] bool has_value() const noexcept { return value_ && value_->has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  T& operator*() { return **value_; }
  const T& operator*() const { return **value_; }
  T* operator->() { return &**value_; }
  const T* operator->() const { return &**value_; }

 private:
  std::unique_ptr<std::optional<T>> value_;
};

}  // namespace pcio
