// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: filtered chunks that a change of the extent changes inside.

#pragma once

#include <span>
#include <vector>

#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

/// Chunks that stay, but not as they are: what lies outside the new extent becomes the fill value,
/// and chunks at the edge may lose or gain their filters (H5Pset_chunk_opts).
///
/// What is only in the file is read, changed and written to a new place before the extent changes,
/// so that a failure leaves everything as it was; what is in the cache is changed there.
class FilteredResize {
 public:
  /// `cut`: disjoint boxes of chunk coordinates that hold chunks cut by the new extent.
  FilteredResize(FileStore& store, StoredObjectPtr object, ChunkGrid after, std::vector<Box> cut)
      : store_(store), object_(std::move(object)), after_(std::move(after)), cut_(std::move(cut)) {}

  FilteredResize(const FilteredResize&) = delete;
  FilteredResize& operator=(const FilteredResize&) = delete;
  /// What was written and is not in the index for good is free again.
  ~FilteredResize();

  /// True where prepare() would have something to do. Collective: pure.
  [[nodiscard]] bool needed() const;
  /// In a parallel file every rank makes the change in memory, and the chunks wait for the next call in which
  /// all ranks can write them: here they are read. Nothing changes. Collective: independent.
  /// Errors: a chunk can't be read or decoded, perhaps on this rank alone; too many of them would wait.
  Result<KeptChunks> keep();
  /// Writes the changed chunks, or takes what keep() has read. Collective: independent. On failure nothing has
  /// changed. Errors: a chunk can't be read, decoded, encoded or written; too many of them wait.
  Status prepare(KeptChunks* kept);
  /// The index has been resized: it gets the new places; what these replace comes to `dropped`. Collective: pure.
  void enter(std::vector<ByteRange>* dropped);
  /// True where enter() replaces places.
  [[nodiscard]] bool replaces() const { return !changed_.empty(); }
  /// The index has the new places, for good: the chunks in memory follow. Collective: pure.
  void change_images(const ChunkGrid& before) noexcept;

 private:
  struct Changed {
    Dims coords;
    FilteredChunk now;
  };
  [[nodiscard]] bool stays(const Dims& coords) const;
  [[nodiscard]] bool is_cut(const Dims& coords) const;
  [[nodiscard]] bool changes(const ChunkGrid& before, const Dims& coords) const;
  [[nodiscard]] bool changes_any() const;
  Status unpack_pending_chunks(KeptChunks* kept);
  void wait_for_all(KeptChunks& kept);
  void find_images();
  Status rewrite(const Dims& coords, const FilteredChunk& stored);
  void fill_outside(const Dims& coords, std::vector<std::byte>& image) const noexcept;

  FileStore& store_;
  StoredObjectPtr object_;
  ChunkGrid after_;
  std::vector<Box> cut_;
  std::vector<Changed> changed_;
  std::vector<std::byte> element_;  ///< what comes to be outside
  struct Image {
    ChunkInMemory* chunk;
    Dims coords;
  };
  std::vector<Image> images_;  ///< that change, in memory
  std::vector<ChunkOrdinal>
      copies_;  ///< of chunks of the file, in memory for this change only so far
};

}  // namespace pcio
