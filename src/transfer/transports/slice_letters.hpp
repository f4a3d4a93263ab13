// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: what a rank tells the owner of several slices.
//
// A letter: the number of its slices, a head for each, their sections, and of writes to another node the
// elements, packed, in the same order.

#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "base/status.hpp"
#include "base/types.hpp"
#include "transfer/transports/sections.hpp"

namespace pcio {

struct LetterHead {
  std::uint32_t slice = 0;
  std::uint32_t sections = 0;
};

/// Bytes of a letter before its sections.
[[nodiscard]] constexpr std::uint64_t letter_heads(std::uint64_t slices) {
  return sizeof(std::uint64_t) + slices * sizeof(LetterHead);
}

[[nodiscard]] inline std::uint64_t payload_of(std::span<const Section> sections) {
  std::uint64_t size = 0;
  for (const Section& s : sections) size += std::uint64_t{s.length} * s.count;
  return size;
}

/// One that was received, or lies in memory that a node's ranks share. Threads: one thread.
class SliceLetter {
 public:
  explicit SliceLetter(ConstBytes bytes) : bytes_(bytes) {
    std::uint64_t count = 0;
    if (bytes.size() >= sizeof count) std::memcpy(&count, bytes.data(), sizeof count);
    if (bytes.size() < sizeof count || (bytes.size() - sizeof count) / sizeof(LetterHead) < count)
      return;
    slices_ = count;
  }
  [[nodiscard]] std::uint64_t slices() const { return slices_; }
  /// Calls f(slice, sections, payload) for each slice until one fails; `payload` is empty where none
  /// came. Errors: f's.
  template <class F>
  Status for_each(F&& f) const {
    std::uint64_t at = letter_heads(slices_);
    std::uint64_t elements = at + all_sections() * sizeof(Section);
    for (std::uint64_t i = 0; i < slices_; ++i) {
      const LetterHead head = head_of(i);
      const std::uint64_t most = (bytes_.size() - at) / sizeof(Section);
      const std::span<const Section> sections(reinterpret_cast<const Section*>(bytes_.data() + at),
                                              std::min<std::uint64_t>(head.sections, most));
      const std::uint64_t payload = payload_of(sections);
      const bool came = elements <= bytes_.size() && payload <= bytes_.size() - elements;
      PCIO_TRY(f(head.slice, sections, came ? bytes_.subspan(elements, payload) : ConstBytes()));
      at += sections.size_bytes();
      elements += payload;
    }
    return Status();
  }
  /// Bytes of the elements of all sections.
  [[nodiscard]] std::uint64_t payload() const {
    std::uint64_t size = 0;
    static_cast<void>(for_each([&](std::uint32_t, std::span<const Section> sections, ConstBytes) {
      size += payload_of(sections);
      return Status();
    }));
    return size;
  }

 private:
  [[nodiscard]] LetterHead head_of(std::uint64_t i) const {
    LetterHead head;
    std::memcpy(&head, bytes_.data() + letter_heads(i), sizeof head);
    return head;
  }
  [[nodiscard]] std::uint64_t all_sections() const {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < slices_; ++i) count += head_of(i).sections;
    return count;
  }

  ConstBytes bytes_;
  std::uint64_t slices_ = 0;
};

}  // namespace pcio
