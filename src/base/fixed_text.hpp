// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: short texts in memory that is there already.
//
// What is noted about a call may not fail, least of all where memory ran out.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace pcio {

/// At most `kBytes` bytes of text; what is longer is cut. A value type without allocation.
template <std::size_t kBytes>
class FixedText {
 public:
  FixedText() = default;
  explicit FixedText(std::string_view text) { append(text); }

  FixedText& append(std::string_view text) noexcept {
    const std::size_t n = std::min(text.size(), kBytes - size_);
    if (n > 0) std::memcpy(text_.data() + size_, text.data(), n);
    size_ += n;
    return *this;
  }
  void clear() noexcept { size_ = 0; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, kBytes> text_{};
  std::size_t size_ = 0;
};

}  // namespace pcio
