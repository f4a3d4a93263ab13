// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: bytes between being given out and having an owner.

#pragma once

#include "base/without_throwing.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

/// Gives bytes back that nobody has kept: what stands between an allocation and its end may lack memory. In
/// a parallel file that fails on all ranks, which give the file up: what goes back here on one of them does
/// no harm. Threads: one thread drives a file.
class TakenSpace {
 public:
  TakenSpace(FileSpace& space, ByteRange range) : space_(space), range_(range) {}
  TakenSpace(const TakenSpace&) = delete;
  TakenSpace& operator=(const TakenSpace&) = delete;
  ~TakenSpace() {
    // Where there is no memory for that either, the bytes are lost.
    static_cast<void>(without_throwing([&] {
      space_.release(range_);
      return Status();
    }));
  }
  /// They have an owner.
  void keep() { range_ = ByteRange(); }

 private:
  FileSpace& space_;
  ByteRange range_;
};

}  // namespace pcio
