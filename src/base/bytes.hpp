// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: reading and writing little-endian file bytes; every read is bounds-checked.
//
// The reader is sticky: after a read past the end it returns zeros and `ok()` is false, so a decoder
// can read a whole structure and check once. A count or length that was read must be checked (with
// `remaining()`) before anything is allocated by it.

#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// Cursor over file bytes. Lengths in bytes.
class ByteReader {
 public:
  explicit ByteReader(ConstBytes data) : data_(data) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return data_.size() - position_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(uint(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(uint(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(uint(4)); }
  std::uint64_t u64() { return uint(8); }
  /// Little-endian unsigned number of `width` bytes (0 to 8).
  std::uint64_t uint(unsigned width) {
    if (!ok_ || width > remaining()) {
      ok_ = false;
      return 0;
    }
    // Not a byte more than asked for: some spans are longer than what a program has behind them.
    const std::byte* const at = data_.data() + position_;
    position_ += width;
    switch (width) {
      case 1: return std::to_integer<std::uint64_t>(*at);
      case 2: return little<std::uint16_t>(at);
      case 4: return little<std::uint32_t>(at);
      case 8: return little<std::uint64_t>(at);
      default: return odd_width(at, width);
    }
  }
  /// As uint(width), but all ones of that width become kUndefinedAddress.
  FileAddress address(unsigned width);
  /// The next `n` bytes, or an empty span (and not ok) where there are fewer.
  ConstBytes bytes(std::size_t n);
  /// NUL-terminated text; not ok where no NUL follows. The NUL is consumed.
  std::string_view c_string();
  void skip(std::size_t n) { bytes(n); }
  /// Moves to an absolute position inside the data.
  void seek(std::size_t position);
  /// Consumes `text.size()` bytes; true where they equal `text`.
  bool expect(std::string_view text);

  /// Success, or "truncated <what>".
  [[nodiscard]] Status check(const char* what) const;

 private:
  template <class T>
  static std::uint64_t little(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    if constexpr (std::endian::native == std::endian::big)
      return __builtin_bswap64(value) >> (64 - 8 * sizeof value);
    return value;
  }
  static std::uint64_t odd_width(const std::byte* at, unsigned width);

  ConstBytes data_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

/// Appends little-endian file bytes to a growing buffer.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): what was not written is not read
class ByteWriter {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] ConstBytes view() const { return {start(), size_}; }
  /// What was written, in memory that is not much larger: what is kept is kept for long.
  [[nodiscard]] std::vector<std::byte> take() &&;
  /// Nothing is written; what memory there is stays.
  void clear() { size_ = 0; }
  /// Room for `n` bytes in all, so that growing does not take more than that.
  void reserve(std::size_t n) {
    // uint() writes eight bytes whatever it keeps.
    if (n > room()) resize(n + sizeof(std::uint64_t));
  }

  void u8(std::uint64_t v) { uint(v, 1); }
  void u16(std::uint64_t v) { uint(v, 2); }
  void u32(std::uint64_t v) { uint(v, 4); }
  void u64(std::uint64_t v) { uint(v, 8); }
  /// The lowest `width` (0 to 8) bytes of `value`.
  void uint(std::uint64_t value, unsigned width) {
    // All eight at once, and the next one over what was too many: most of metadata goes through here.
    if (room() - size_ < sizeof value) grow(sizeof value);
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    std::memcpy(start() + size_, &value, sizeof value);
    size_ += width;
  }
  /// kUndefinedAddress is written as all ones of `width` bytes.
  void address(FileAddress value, unsigned width) { uint(value, width); }
  void bytes(ConstBytes data);
  void text(std::string_view text) {
    bytes({reinterpret_cast<const std::byte*>(text.data()), text.size()});
  }
  void zeros(std::size_t n);
  /// Zero bytes up to a multiple of `step` counted from the start of the buffer.
  void pad_to(std::size_t step);
  /// Overwrites bytes written before.
  void patch(std::size_t position, std::uint64_t value, unsigned width);

 private:
  /// Makes room for `n` bytes more.
  void grow(std::size_t n);
  void resize(std::size_t room);
  [[nodiscard]] std::size_t room() const { return large_.empty() ? kSmall : large_.size(); }
  [[nodiscard]] std::byte* start() { return large_.empty() ? small_.data() : large_.data(); }
  [[nodiscard]] const std::byte* start() const {
    return large_.empty() ? small_.data() : large_.data();
  }

  /// Messages of object headers mostly fit: no memory is asked for while they are written.
  static constexpr std::size_t kSmall = 256;
  std::array<std::byte, kSmall> small_;
  /// As long as there is room, where that is not enough; what was written is its beginning.
  std::vector<std::byte> large_;
  std::size_t size_ = 0;
};
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

}  // namespace pcio
