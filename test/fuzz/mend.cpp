// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: watches lookup3.

#include "mend.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <string_view>

namespace fuzz {

namespace {

struct Watched {
  Image data;
  std::uint32_t sum = 0;
};

bool watching = false;
std::vector<Watched>* noted = nullptr;
constexpr std::size_t kMostNoted = 400;

/// Names are hashed by the same function.
bool is_name(std::span<const std::byte> data) {
  return std::all_of(data.begin(), data.end(), [](std::byte byte) {
    return std::isprint(std::to_integer<unsigned char>(byte)) != 0;
  });
}

bool put_sum(Image* image, std::size_t at, std::uint32_t sum) {
  if (at + 4 > image->size()) return false;
  bool changed = false;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<unsigned char>(sum >> (8 * i));
    changed = changed || (*image)[at + i] != byte;
    (*image)[at + i] = byte;
  }
  return changed;
}

/// Behind each place in the file that has these bytes.
bool mend_behind(Image* image, const Watched& watched) {
  const auto text = [](const Image& bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  bool changed = false;
  for (std::size_t at = 0;; ++at) {
    at = text(*image).find(text(watched.data), at);
    if (at == std::string_view::npos) return changed;
    changed = put_sum(image, at + watched.data.size(), watched.sum) || changed;
  }
}

/// Direct blocks of fractal heaps have theirs within, taken as if it were zero.
bool mend_within(Image* image, const Watched& watched) {
  const std::size_t size = watched.data.size();
  for (std::size_t at = 0; at + size <= image->size(); ++at) {
    if (std::memcmp(&(*image)[at], "FHDB", 4) != 0) continue;
    for (std::size_t field = 8; field <= 24 && field + 4 <= size; ++field) {
      Image copy(image->begin() + static_cast<std::ptrdiff_t>(at),
                 image->begin() + static_cast<std::ptrdiff_t>(at + size));
      std::fill_n(copy.begin() + static_cast<std::ptrdiff_t>(field), 4, 0);
      if (copy == watched.data) return put_sum(image, at + field, watched.sum);
    }
  }
  return false;
}

}  // namespace

void begin_watching_checksums() {
  static std::vector<Watched> list;
  list.clear();
  noted = &list;
  watching = true;
}

std::size_t mend_checksums(Image* image) {
  watching = false;
  std::size_t mended = 0;
  for (const Watched& watched : *noted) {
    const bool direct_block =
        watched.data.size() > 32 && std::memcmp(watched.data.data(), "FHDB", 4) == 0;
    if (direct_block ? mend_within(image, watched) : mend_behind(image, watched)) ++mended;
  }
  return mended;
}

void note_checksum(std::span<const std::byte> data, std::uint32_t sum) {
  if (!watching || noted->size() >= kMostNoted || data.size() < 8 || is_name(data)) return;
  const auto* const begin = reinterpret_cast<const unsigned char*>(data.data());
  noted->push_back({Image(begin, begin + data.size()), sum});
}

}  // namespace fuzz

// The linker's names for the function and for what stands in its place (--wrap in Makefile.inc).
extern "C" std::uint32_t __real__ZN4pcio7lookup3ESt4spanIKSt4byteLm18446744073709551615EEj(
    std::span<const std::byte> data, std::uint32_t initial);
extern "C" std::uint32_t __wrap__ZN4pcio7lookup3ESt4spanIKSt4byteLm18446744073709551615EEj(
    std::span<const std::byte> data, std::uint32_t initial) {
  const std::uint32_t sum =
      __real__ZN4pcio7lookup3ESt4spanIKSt4byteLm18446744073709551615EEj(data, initial);
  if (initial == 0) fuzz::note_checksum(data, sum);
  return sum;
}
