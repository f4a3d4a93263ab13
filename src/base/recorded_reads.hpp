// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: blocks of a file that one rank has read, for others that need the same.

#pragma once

#include <cstring>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// Blocks as they were asked for. Threads: one thread drives a file.
class RecordedReads {
 public:
  /// Notes what reads give.
  RecordedReads() = default;
  /// Gives back what `recorded`, bytes() of another recording, holds; of reads that were made again, what the
  /// last one gave. Errors: STORAGE CANTDECODE.
  static Result<RecordedReads> replay(std::vector<std::byte> recorded) {
    RecordedReads reads;
    reads.bytes_ = std::move(recorded);
    reads.replays_ = true;
    for (std::size_t at = 0; at < reads.bytes_.size();) {
      Head head{};
      if (!fits_inside(at, sizeof head, reads.bytes_.size()))
        return PCIO_ERROR(STORAGE, CANTDECODE, "shared blocks are damaged");
      std::memcpy(&head, reads.bytes_.data() + at, sizeof head);
      if (!fits_inside(at + sizeof head, head.have, reads.bytes_.size()))
        return PCIO_ERROR(STORAGE, CANTDECODE, "shared blocks are damaged");
      reads.put(head, at);
      at += sizeof head + static_cast<std::size_t>(head.have);
    }
    return reads;
  }

  /// A read of `asked` bytes at `address` gave these. Of no effect on a recording that replays.
  void note(FileAddress address, std::uint64_t asked, ConstBytes have) {
    if (replays_) return;
    const Head head{address, asked, have.size()};
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof head + have.size());
    std::memcpy(bytes_.data() + at, &head, sizeof head);
    std::memcpy(bytes_.data() + at + sizeof head, have.data(), have.size());
  }

  /// What such a read gave; nothing where the recording has none. Only recordings that replay have any.
  [[nodiscard]] const std::byte* find(FileAddress address, std::uint64_t asked,
                                      std::uint64_t* have) const {
    const auto [first, last] = blocks_.equal_range(address);
    for (auto block = first; block != last; ++block) {
      const Head head = head_at(block->second);
      if (head.asked != asked) continue;
      *have = head.have;
      return bytes_.data() + block->second + sizeof head;
    }
    return nullptr;
  }

  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

 private:
  struct Head {
    FileAddress address;
    std::uint64_t asked;
    std::uint64_t have;
  };
  [[nodiscard]] Head head_at(std::size_t at) const {
    Head head{};
    std::memcpy(&head, bytes_.data() + at, sizeof head);
    return head;
  }
  void put(const Head& head, std::size_t at) {
    const auto [first, last] = blocks_.equal_range(head.address);
    for (auto block = first; block != last; ++block)
      if (head_at(block->second).asked == head.asked) {
        block->second = at;
        return;
      }
    blocks_.emplace(head.address, at);
  }

  std::vector<std::byte> bytes_;  // heads, each with its block behind it
  std::unordered_multimap<FileAddress, std::size_t> blocks_;
  bool replays_ = false;
};

}  // namespace pcio
