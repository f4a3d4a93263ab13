// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: values that live as long as the process, without memory of the heap.

#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace pcio {

/// Holds a T in place and never ends its life: for static values that are still used while the process ends. Unlike
/// `*new T` it asks the heap for nothing, so that its first use does not fail where T's making does not.
template <class T>
class NeverDestroyed {
 public:
  template <class... Args>
  explicit NeverDestroyed(Args&&... args) : value_(*::new (room_) T(std::forward<Args>(args)...)) {}
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;

  T& operator*() noexcept { return value_; }

 private:
  alignas(T) std::byte room_[sizeof(T)];
  T& value_;
};

}  // namespace pcio
