// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: file_stripes.

#include "driver/file_stripes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include <sys/stat.h>
#include <sys/xattr.h>

namespace pcio {

namespace {

constexpr std::uint32_t kLustreFileSystem = 0x0bd00bd0;
constexpr std::uint32_t kGpfsFileSystem = 0x47504653;

// The attribute has the byte order of its machine.
constexpr std::uint32_t kPlain = 0x0bd10bd0;
constexpr std::uint32_t kPooled = 0x0bd30bd0;
constexpr std::uint32_t kComposite = 0x0bd60bd0;
// Where things lie in a plain layout and in a composite one with its entries. Bytes.
constexpr std::size_t kStripeSizeAt = 24;
constexpr std::size_t kEntryCountAt = 14;
constexpr std::size_t kEntriesAt = 32;
constexpr std::size_t kEntryBytes = 48;
constexpr std::size_t kEntryOffsetAt = 24;

template <class T>
std::optional<T> value_at(ConstBytes bytes, std::size_t at) {
  if (bytes.size() < sizeof(T) || at > bytes.size() - sizeof(T)) return {};
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// 0 where it is none.
std::uint64_t plain_stripe(ConstBytes layout) {
  const std::uint32_t magic = value_at<std::uint32_t>(layout, 0).value_or(0);
  if (magic != kPlain && magic != kPooled) return 0;
  return value_at<std::uint32_t>(layout, kStripeSizeAt).value_or(0);
}

std::uint64_t number_of(const HintText& text) {
  std::uint64_t number = 0;
  if (!text) return 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  return read.ec == std::errc() && read.ptr == text->data() + text->size() ? number : 0;
}

std::uint64_t read_lustre_stripe(const std::string& path) {
  const ssize_t whole = ::getxattr(path.c_str(), "lustre.lov", nullptr, 0);
  if (whole <= 0) return 0;
  std::string bytes(static_cast<std::size_t>(whole), '\0');
  const ssize_t got = ::getxattr(path.c_str(), "lustre.lov", bytes.data(), bytes.size());
  if (got <= 0) return 0;
  return lustre_stripe(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(got))));
}

}  // namespace

std::uint64_t lustre_stripe(ConstBytes attribute) {
  if (value_at<std::uint32_t>(attribute, 0) != kComposite) return plain_stripe(attribute);
  std::uint64_t largest = 0;
  const std::uint16_t entries = value_at<std::uint16_t>(attribute, kEntryCountAt).value_or(0);
  for (std::size_t i = 0; i < entries; ++i) {
    const auto offset =
        value_at<std::uint32_t>(attribute, kEntriesAt + i * kEntryBytes + kEntryOffsetAt);
    if (!offset || *offset >= attribute.size()) break;
    largest = std::max(largest, plain_stripe(attribute.subspan(*offset)));
  }
  return largest;
}

std::uint64_t usable_lock_unit(std::uint64_t bytes) {
  if (bytes < kLeastLockUnit || bytes % kLeastLockUnit != 0) return 1;
  // Parts of a stripe that divide it: two nodes may meet in it, but not in one of these.
  while (bytes > kLargestLockUnit && bytes % (2 * kLeastLockUnit) == 0) bytes /= 2;
  return bytes <= kLargestLockUnit ? bytes : 1;
}

std::uint64_t fitting_lock_unit(std::uint64_t unit, std::uint64_t memory) {
  const std::uint64_t most = std::max(memory / 16 * 3, kLeastLockUnit);
  while (unit > most && unit % (2 * kLeastLockUnit) == 0) unit /= 2;
  return unit > most ? 1 : unit;
}

std::uint64_t find_lock_unit(const std::string& path, std::uint32_t kind, const HintText& of_file,
                             const HintText& given) {
  std::uint64_t unit = kind == kLustreFileSystem ? read_lustre_stripe(path) : 0;
  struct stat file {};
  if (kind == kGpfsFileSystem && ::stat(path.c_str(), &file) == 0)
    unit = static_cast<std::uint64_t>(std::max<decltype(file.st_blksize)>(file.st_blksize, 0));
  for (const HintText* hint : {&of_file, &given})
    if (unit == 0) unit = number_of(*hint);
  return usable_lock_unit(unit);
}

std::uint64_t hinted_writers(const HintText& cb_nodes, const HintText& cb_config_list,
                             std::uint64_t nodes) {
  // More ranks than this are nowhere.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  std::uint64_t ranks = std::min(number_of(cb_nodes), kMost);
  if (cb_config_list && cb_config_list->starts_with("*:")) {
    const std::uint64_t of_node = std::min(number_of(cb_config_list->substr(2)), kMost);
    const std::uint64_t all = std::min(of_node * nodes, kMost);
    if (all > 0) ranks = ranks > 0 ? std::min(ranks, all) : all;
  }
  return ranks;
}

}  // namespace pcio
