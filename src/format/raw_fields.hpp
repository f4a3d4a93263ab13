// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: a writer into bytes whose number is known before, for structures of which files have
// millions.

#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "format/file_sizes.hpp"

namespace pcio {

/// Writes fields one behind the other into `size` bytes that begin as zeros; the caller writes no
/// more than that. As FieldWriter it remembers a value that did not fit.
class RawFields {
 public:
  RawFields(std::size_t size, unsigned offset_size)
      : bytes_(size + 8), offset_size_(offset_size), size_(size) {}

  void uint(std::uint64_t value, unsigned width) {
    if (!fits_width(value, width)) fits_ = false;
    store(value, width);
  }
  /// An address; kUndefinedAddress becomes all ones.
  void address(FileAddress value) {
    if (offset_size_ < 8 && value != kUndefinedAddress &&
        value >= (std::uint64_t{1} << (8 * offset_size_)) - 1)
      fits_ = false;
    store(value, offset_size_);
  }
  void text(const char* four) {
    std::memcpy(bytes_.data() + at_, four, 4);
    at_ += 4;
  }
  [[nodiscard]] ConstBytes written() const { return ConstBytes(bytes_).first(at_); }
  /// All bytes, the rest of them zeros.
  [[nodiscard]] ConstBytes all() {
    std::memset(bytes_.data() + at_, 0, bytes_.size() - at_);
    return ConstBytes(bytes_).first(size_);
  }
  [[nodiscard]] Status check(const char* what) const {
    if (fits_) return Status();
    return PCIO_ERROR(FILE, OVERFLOW, std::string("a value is too large for its field in ") + what);
  }

 private:
  /// Eight bytes at once; those beyond the field are overwritten by the next one, and there are
  /// eight spare ones behind the last.
  void store(std::uint64_t value, unsigned width) {
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(bytes_.data() + at_, &value, 8);
    } else {
      for (unsigned i = 0; i < width; ++i)
        bytes_[at_ + i] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
    }
    at_ += width;
  }

  std::vector<std::byte> bytes_;
  unsigned offset_size_;
  std::size_t size_;
  std::size_t at_ = 0;
  bool fits_ = true;
};

}  // namespace pcio
