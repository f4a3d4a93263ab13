// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: where the filtered chunks of a dataset lie.
//
// Chunks that follow each other in number and in the file are one run: an address, and four bytes
// for each chunk's size; filter masks only where one is not zero.

#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace pcio {

/// A chunk whose stored size differs from its image's.
struct FilteredChunk {
  FileAddress address = kUndefinedAddress;
  std::uint64_t size = 0;  ///< bytes in the file; below 2^32
  std::uint32_t filter_mask = 0;
  friend bool operator==(const FilteredChunk&, const FilteredChunk&) = default;
};

/// A map from chunk numbers to filtered chunks. A value type. Where memory runs out in a change it says what it
/// said before.
class FilteredRuns {
 public:
  /// A run is cut here, which bounds the cost of finding a chunk in it.
  static constexpr std::size_t kRunLimit = 256;

  struct Run {
    FileAddress address = 0;
    std::uint64_t bytes = 0;           ///< of all chunks
    std::vector<std::uint32_t> sizes;  ///< one a chunk
    std::vector<std::uint32_t> masks;  ///< one a chunk, or none where all are zero
    [[nodiscard]] std::uint32_t mask(std::size_t i) const { return masks.empty() ? 0 : masks[i]; }
  };
  using Map = std::map<ChunkOrdinal, Run>;

  /// False where the chunk is there already, or its size does not fit.
  [[nodiscard]] bool add(ChunkOrdinal ordinal, const FilteredChunk& chunk);
  /// The same for a chunk that may be there already. False where its size does not fit.
  [[nodiscard]] bool put(ChunkOrdinal ordinal, const FilteredChunk& chunk);
  /// False where the chunk is not there.
  bool erase(ChunkOrdinal ordinal);
  [[nodiscard]] std::optional<FilteredChunk> find(ChunkOrdinal ordinal) const;
  void clear();

  /// Another number after each change.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Bytes of all chunks in the file.
  [[nodiscard]] std::uint64_t stored_bytes() const { return bytes_; }
  [[nodiscard]] const Map& runs() const { return runs_; }
  /// Calls visit(ordinal, FilteredChunk) for the chunks first .. last - 1 that are there, ascending.
  template <class F>
  void for_each_in(ChunkOrdinal first, ChunkOrdinal last, F&& visit) const {
    for (auto it = run_from(first); it != runs_.end() && it->first < last; ++it) {
      FileAddress at = it->second.address;
      for (std::size_t i = 0; i < it->second.sizes.size() && it->first + i < last; ++i) {
        const FilteredChunk chunk{at, it->second.sizes[i], it->second.mask(i)};
        at += chunk.size;
        if (it->first + i >= first) visit(it->first + i, chunk);
      }
    }
  }
  /// Walks (ordinal, FilteredChunk) pairs, ascending.
  class Iterator {
   public:
    explicit Iterator(Map::const_iterator run) : run_(run) {}
    [[nodiscard]] std::pair<ChunkOrdinal, FilteredChunk> operator*() const {
      const Run& run = run_->second;
      return {run_->first + at_, {run.address + offset_, run.sizes[at_], run.mask(at_)}};
    }
    Iterator& operator++() {
      offset_ += run_->second.sizes[at_];
      if (++at_ == run_->second.sizes.size()) {
        ++run_;
        at_ = 0;
        offset_ = 0;
      }
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    Map::const_iterator run_;
    std::size_t at_ = 0;
    std::uint64_t offset_ = 0;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(runs_.begin()); }
  [[nodiscard]] Iterator end() const { return Iterator(runs_.end()); }
  /// The run that holds `ordinal`, or the first one behind it.
  [[nodiscard]] Map::const_iterator run_from(ChunkOrdinal ordinal) const;

 private:
  void make_room_for(Run& run, const FilteredChunk& chunk, Map::iterator next);
  void split_before(ChunkOrdinal ordinal);
  void join(Map::iterator left);

  Map runs_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace pcio
