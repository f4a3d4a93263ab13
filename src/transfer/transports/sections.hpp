// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: byte ranges in ascending order, with equal steps folded together: how a rank tells
// an owner where its bytes go.

#pragma once

#include <cstdint>
#include <vector>

namespace pcio {

/// `count` ranges of `length` bytes, each `stride` bytes behind the one before. Plain bytes: sections
/// travel as they are between ranks of one program.
struct Section {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t stride = 0;
  std::uint32_t count = 0;
  [[nodiscard]] std::uint64_t end() const {
    return offset + std::uint64_t{stride} * (count - 1) + length;
  }
};

/// Folds ranges into sections.
class SectionBuilder {
 public:
  void clear() { sections_.clear(); }
  void add(std::uint32_t offset, std::uint32_t length) {
    if (!sections_.empty() && fold(sections_.back(), offset, length)) return;
    sections_.push_back({offset, length, 0, 1});
  }
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }

  /// Takes a range into `last` where it continues it or repeats its step.
  static bool fold(Section& last, std::uint32_t offset, std::uint32_t length) {
    if (last.count == 1) {
      if (offset == last.offset + last.length) {
        last.length += length;
        return true;
      }
      if (length != last.length || offset < last.offset) return false;
      last.stride = offset - last.offset;
      last.count = 2;
      return true;
    }
    if (length != last.length || offset != last.offset + last.stride * last.count) return false;
    ++last.count;
    return true;
  }

 private:
  std::vector<Section> sections_;
};

}  // namespace pcio
