// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: images of chunks in memory, and which of them has to go.
//
// Only bookkeeping: how an image comes from the file and how it gets there is the business of
// chunk_images. Source of the properties and of the policy: HDF5 Reference Manual, H5Pset_cache and
// H5Pset_chunk_cache.

#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/chunk_grid.hpp"

namespace pcio {

/// H5Pset_chunk_cache; the defaults are HDF5's.
struct ChunkCacheSettings {
  std::size_t slots = 521;      ///< most chunks; 0: nothing is kept
  std::size_t bytes = 1 << 20;  ///< most bytes of images; 0: nothing is kept
  /// 0: the chunk that was not used for the longest time goes; 1: one that was read or written as a
  /// whole goes before any other; between: among that share of the chunks, the oldest ones.
  double preemption = 0.75;
  friend bool operator==(const ChunkCacheSettings&, const ChunkCacheSettings&) = default;
};

struct ChunkInMemory {
  ChunkOrdinal ordinal = 0;
  std::vector<std::byte> image;
  bool dirty = false;         ///< the file does not have this image
  std::uint64_t touched = 0;  ///< bytes that were read or written, each time they were
  bool written = false;       ///< by this rank; false of a copy that all ranks made
  /// Where it is there, `image` is what the file is to have, with this filter mask.
  std::optional<std::uint32_t> stored_mask;
  unsigned uses = 0;          ///< by calls that go on: it does not go
  bool is_unencoded = false;  ///< dirty, as its filters failed: the file has what was there before
  /// Of chunks that wait. By another write of this rank: false.
  std::uint32_t left_in = 0;   ///< the first round of all ranks that could not encode it; 0: none
  bool goes_with_use = false;  ///< the file has it, or newer: it is in use only
  unsigned fillers = 0;        ///< writes that have begun to change it, and go on
  bool is_left = false;        ///< it can't be encoded now
  bool lacks_memory = false;   ///< that is why it is_unencoded, or is_left
  bool is_settled =
      false;  ///< of chunks that wait: what the ranks have just placed is it, or newer
  bool is_placed =
      false;  ///< the index leads to a place where it, or a newer version, is not written yet
};

/// Images of one dataset. Threads: one thread drives a file.
class ChunkCache {
 public:
  /// Puts the image of a dirty chunk into the file; on failure it stays dirty.
  using WriteBack = std::function<Status(ChunkInMemory&)>;

  explicit ChunkCache(const ChunkCacheSettings& settings = {}) : settings_(settings) {}
  ChunkCache(const ChunkCache&) = delete;
  ChunkCache& operator=(const ChunkCache&) = delete;
  ~ChunkCache() { clear(); }

  /// Memory that a chunk takes here whose image has so many bytes, with the lists that it is in and what an allocator
  /// takes for each of its blocks. Bytes.
  [[nodiscard]] static constexpr std::uint64_t memory_of(std::uint64_t image_bytes) {
    return kBesideImage + (image_bytes + kUnit - 1) / kUnit * kUnit;
  }
  /// From here on `memory` has that of all chunks here in it, as long as they are. Nothing is here yet.
  void count_in(std::shared_ptr<std::uint64_t> memory) { memory_ = std::move(memory); }

  void set_settings(const ChunkCacheSettings& settings) { settings_ = settings; }
  [[nodiscard]] const ChunkCacheSettings& settings() const { return settings_; }
  /// From now on nothing is kept longer than a call uses it, whatever the settings say.
  void keep_nothing() { keeps_ = false; }

  /// The chunk, which counts as used now; null where it is not here.
  ChunkInMemory* find(ChunkOrdinal ordinal);
  /// The same without counting as a use.
  [[nodiscard]] const ChunkInMemory* peek(ChunkOrdinal ordinal) const;

  /// Lets chunks that nobody uses go until one more image of `bytes` fits; an image that never fits needs no room.
  /// Errors: a dirty chunk can't be written; it stays, and so do the others.
  Status make_room(std::uint64_t bytes, const WriteBack& write_back);
  /// Keeps a chunk that is not here yet. The reference is valid until the chunk goes.
  ChunkInMemory& add(ChunkOrdinal ordinal, std::vector<std::byte> image);
  /// After the last use: a chunk that is too large to stay goes. Errors: as make_room; then it stays dirty.
  Status release(ChunkInMemory& chunk, const WriteBack& write_back);
  /// Writes all dirty chunks by ascending ordinal, as many as can be; returns the first failure, or the first one of
  /// memory. What a function of the program reads meanwhile may come and go.
  Status flush(const WriteBack& write_back);

  /// Another image of a chunk that is here; no longer what the file is to have. Returns the one before.
  std::vector<std::byte> set_image(ChunkInMemory& chunk, std::vector<std::byte> image);
  void remove(ChunkOrdinal ordinal);
  /// Forgets everything, written or not.
  void clear();
  /// Forgets those of which `which` is true.
  template <class F>
  void remove_if(F&& which) {
    for (auto it = by_use_.begin(); it != by_use_.end();) {
      auto chunk = it++;
      if (which(std::as_const(*chunk))) erase(chunk);
    }
    spare_ = {};
  }
  /// Lets go what is not dirty.
  void drop_clean() {
    remove_if([](const ChunkInMemory& chunk) { return !chunk.dirty && chunk.uses == 0; });
  }
  /// Numbers of another extent; chunks outside are forgotten. Nothing here asks for memory.
  void renumber(const ChunkGrid& from, const ChunkGrid& to) noexcept;

  [[nodiscard]] bool has_dirty() const;
  [[nodiscard]] std::size_t count() const { return by_use_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// In no order.
  [[nodiscard]] std::list<ChunkInMemory>& all() { return by_use_; }
  /// By ascending ordinal.
  [[nodiscard]] std::vector<ChunkInMemory*> chunks();
  /// Memory of a chunk that went, for the next image; may be empty.
  [[nodiscard]] std::vector<std::byte> take_spare() { return std::move(spare_); }

 private:
  using Chunks = std::list<ChunkInMemory>;  // the one that was used last is last
  static constexpr std::uint64_t kUnit =
      2 * sizeof(void*);  ///< of allocators, and what a block costs them
  static constexpr std::uint64_t kBesideImage =
      sizeof(ChunkInMemory) + 2 * sizeof(void*) +                            // in by_use_
      sizeof(std::pair<ChunkOrdinal, Chunks::iterator>) + 4 * sizeof(void*)  // in by_ordinal_
      + 3 * kUnit;
  void count(const ChunkInMemory& chunk) noexcept;
  void count_out(const ChunkInMemory& chunk) noexcept;
  [[nodiscard]] bool can_keep(std::uint64_t bytes) const;
  [[nodiscard]] Chunks::iterator choose_victim();
  void erase(Chunks::iterator chunk);

  ChunkCacheSettings settings_;
  bool keeps_ = true;
  Chunks by_use_;
  std::map<ChunkOrdinal, Chunks::iterator> by_ordinal_;
  std::uint64_t bytes_ = 0;
  std::shared_ptr<std::uint64_t> memory_;  ///< of this and other caches; null: nobody asks
  std::vector<std::byte> spare_;
};

}  // namespace pcio
