// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: ByteReader and ByteWriter out of line.

#include "base/bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace pcio {

std::uint64_t ByteReader::odd_width(const std::byte* at, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(at[i]);
  return value;
}

FileAddress ByteReader::address(unsigned width) {
  FileAddress value = uint(width);
  if (width < 8 && width > 0 && value == (std::uint64_t{1} << (8 * width)) - 1)
    return kUndefinedAddress;
  return value;
}

ConstBytes ByteReader::bytes(std::size_t n) {
  if (!ok_ || n > remaining()) {
    ok_ = false;
    return {};
  }
  ConstBytes part = data_.subspan(position_, n);
  position_ += n;
  return part;
}

std::string_view ByteReader::c_string() {
  const char* start = reinterpret_cast<const char*>(data_.data()) + position_;
  const void* end = remaining() == 0 ? nullptr : std::memchr(start, 0, remaining());
  if (!ok_ || end == nullptr) {
    ok_ = false;
    return {};
  }
  std::string_view text(start, static_cast<std::size_t>(static_cast<const char*>(end) - start));
  position_ += text.size() + 1;
  return text;
}

void ByteReader::seek(std::size_t position) {
  if (position > data_.size())
    ok_ = false;
  else
    position_ = position;
}

bool ByteReader::expect(std::string_view text) {
  ConstBytes raw = bytes(text.size());
  return raw.size() == text.size() &&
         (text.empty() || std::memcmp(raw.data(), text.data(), text.size()) == 0);
}

Status ByteReader::check(const char* what) const {
  if (ok_) return Status();
  return PCIO_ERROR(FILE, TRUNCATED, std::string("truncated ") + what);
}

void ByteWriter::grow(std::size_t n) { resize(std::max(size_ + n, 2 * room())); }

void ByteWriter::resize(std::size_t room) {
  const bool was_small = large_.empty();
  large_.resize(room);
  if (was_small) std::copy_n(small_.begin(), size_, large_.begin());
}

void ByteWriter::bytes(ConstBytes data) {
  if (data.empty()) return;
  if (room() - size_ < data.size()) grow(data.size());
  std::memcpy(start() + size_, data.data(), data.size());
  size_ += data.size();
}

void ByteWriter::zeros(std::size_t n) {
  if (room() - size_ < n) grow(n);
  // uint() may have written behind the end.
  std::fill_n(start() + size_, n, std::byte{});
  size_ += n;
}

std::vector<std::byte> ByteWriter::take() && {
  constexpr std::size_t kKept = 4096;
  if (size_ < kKept) {
    const ConstBytes written = view();
    return {written.begin(), written.end()};
  }
  large_.resize(std::exchange(size_, 0));
  return std::move(large_);
}

void ByteWriter::pad_to(std::size_t step) {
  if (std::size_t over = size_ % step; over != 0) zeros(step - over);
}

void ByteWriter::patch(std::size_t position, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    start()[position + i] = static_cast<std::byte>(value & 0xFF);
    value >>= 8;
  }
}

}  // namespace pcio
