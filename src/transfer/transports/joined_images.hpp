// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: calls that move what lies in several images, neighbours in the file.
//
// Images of one owner's slices lie one behind the other in memory with a little room between. A file system takes one
// long piece sooner than many short ones, so what is written is pushed together first, and what was read is moved apart.

#pragma once

#include <array>

#include "base/status.hpp"
#include "storage/bytes/byte_target.hpp"

namespace pcio {

/// Of one owner's images, by ascending addresses in the file and in memory. Threads: one thread.
class JoinedImages {
 public:
  /// Of a dry run no byte is touched.
  enum class Touch : std::uint8_t { kBytes, kNothing };

  /// `beside`: what writes go on by when they are finished here, so that the images stay as they are until they are over;
  /// nullptr: none do.
  JoinedImages(ByteTarget& store, Touch touch, WritingThread* beside = nullptr)
      : store_(store), touch_(touch), beside_(beside) {}
  JoinedImages(const JoinedImages&) = delete;
  JoinedImages& operator=(const JoinedImages&) = delete;
  ~JoinedImages() = default;

  /// `from` is to be at `address`. What lies in its images behind what was added last, and before this, is lost. Errors:
  /// those of what was added before.
  Status write(FileAddress address, Bytes from);
  /// `into` is to get what is at `address`; otherwise as write().
  Status read(FileAddress address, Bytes into);
  // What was added is written, or handed over, or read.
  Status finish_write();
  Status finish_read();

 private:
  static constexpr std::size_t kMostParts = 64;
  struct Part {
    std::byte* place = nullptr;
    std::uint64_t size = 0;
  };
  [[nodiscard]] bool follows(FileAddress address, Bytes bytes) const;
  void begin(FileAddress address, Bytes bytes);
  [[nodiscard]] Bytes all() const { return {data_, static_cast<std::size_t>(size_)}; }
  void move(std::byte* to, const std::byte* from, std::uint64_t size) const;

  ByteTarget& store_;
  Touch touch_;
  WritingThread* beside_;
  FileAddress start_ = 0;
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::size_t count_ = 0;
  std::array<Part, kMostParts> parts_{};  ///< of reads: where what was added belongs
};

}  // namespace pcio
