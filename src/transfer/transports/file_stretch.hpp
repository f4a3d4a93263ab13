// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: the stretches in which an exchange walks through the file, the same on all ranks.

#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "agree/coordinator.hpp"
#include "base/checked.hpp"

namespace pcio {

/// One stretch of the file, cut into slices; slice i belongs to rank (first_owner + i) % ranks.
struct FileStretch {
  FileAddress start = 0;
  FileAddress end = 0;
  std::uint64_t slice = 1;   ///< bytes of a slice
  std::uint64_t owners = 0;  ///< slices
  std::uint64_t first_owner = 0;
  std::uint64_t ranks = 1;

  [[nodiscard]] std::uint64_t owner_of(std::uint64_t number) const {
    return (first_owner + number) % ranks;
  }
  [[nodiscard]] FileAddress start_of(std::uint64_t number) const { return start + number * slice; }
  /// The slice of a rank; `owners` or more where it has none.
  [[nodiscard]] std::uint64_t slice_of(std::uint64_t rank) const {
    return (rank + ranks - first_owner) % ranks;
  }
  [[nodiscard]] bool has_slice(std::uint64_t rank) const { return slice_of(rank) < owners; }
};

enum class StretchAnswer : std::uint8_t { kStretch, kNothingLeft, kNotReady };

/// What a rank brings to the agreement on a stretch.
struct StretchRequest {
  FileAddress first = 0;     ///< of its next piece; all ones where nothing is left
  FileAddress safe_end = 0;  ///< it can handle a stretch up to here
  std::uint64_t ready = 1;   ///< 0: it lacks memory for any
  FileAddress last = std::numeric_limits<FileAddress>::max();  ///< end of what it knows to be left

  /// As words of which all ranks learn the least.
  static constexpr std::size_t kWords = 4;
  void put(std::span<std::uint64_t> words) const;
  /// What all of them said.
  StretchAnswer take(std::span<const std::uint64_t> words);
};

inline void StretchRequest::put(std::span<std::uint64_t> words) const {
  words[0] = first;
  words[1] = safe_end;
  words[2] = ready;
  words[3] = ~last;
}

inline StretchAnswer StretchRequest::take(std::span<const std::uint64_t> words) {
  *this = {words[0], words[1], words[2], ~words[3]};
  if (ready == 0) return StretchAnswer::kNotReady;
  if (first == std::numeric_limits<std::uint64_t>::max()) return StretchAnswer::kNothingLeft;
  return StretchAnswer::kStretch;
}

/// `wish` becomes that of all ranks. Collective: over the file, one exchange.
inline Result<StretchAnswer> agree_on_stretch(Coordinator& coordinator, StretchRequest* wish) {
  std::uint64_t words[StretchRequest::kWords];
  wish->put(words);
  PCIO_TRY(coordinator.allreduce_min(words));
  return wish->take(words);
}

/// Agrees on one stretch after another. Threads: one thread.
class StretchWalk {
 public:
  /// Slices begin at multiples of `block` and are at most `largest_slice` bytes, a multiple of it.
  void begin(std::uint64_t ranks, std::uint64_t block, std::uint64_t largest_slice) {
    stretch_.ranks = ranks;
    block_ = block;
    largest_slice_ = largest_slice;
  }
  [[nodiscard]] const FileStretch& stretch() const { return stretch_; }

  /// Collective: over the file, one exchange. All ranks get the same answer.
  Result<StretchAnswer> next(Coordinator& coordinator, const StretchRequest& wish) {
    StretchRequest all = wish;
    PCIO_ASSIGN(const StretchAnswer answer, agree_on_stretch(coordinator, &all));
    if (answer != StretchAnswer::kStretch) return answer;
    FileStretch& w = stretch_;
    w.start = all.first - all.first % block_;
    w.end = std::min(all.safe_end, w.start + w.ranks * largest_slice_);
    const std::uint64_t share = ceil_div(ceil_div(w.end - w.start, w.ranks), block_) * block_;
    // Few bytes are not spread over many ranks.
    w.slice = std::clamp(share, std::min(kLeastSlice, largest_slice_), largest_slice_);
    // Owners take turns, so that small stretches do not all go to the same rank.
    w.first_owner = (w.first_owner + w.owners) % w.ranks;
    w.owners = ceil_div(w.end - w.start, w.slice);
    return StretchAnswer::kStretch;
  }

 private:
  /// Bytes.
  static constexpr std::uint64_t kLeastSlice = std::uint64_t{64} << 10;

  FileStretch stretch_;
  std::uint64_t block_ = 1;
  std::uint64_t largest_slice_ = 1;
};

}  // namespace pcio
