// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: filtered chunks as the images that programs see: from the file through the filters
// into memory, kept there in the dataset's cache, and back.
//
// Writing through the cache is for serial files: it gives chunks their places one by one, which
// only all ranks together may do. In files that are opened for parallel writing whole chunks wait.

#pragma once

#include "storage/chunks/dataset_chunks.hpp"
#include "storage/chunks/filtered_chunks.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// "64 MiB (pcio_set_fapl_waiting_memory)", for messages.
[[nodiscard]] std::string pending_memory_text(const FileStore& store);

/// A chunk as it is to lie in the file waits, in place of what this rank wrote there before. The
/// index is loaded. Collective: independent; files that are open for parallel writing.
/// On failure nothing has changed. Errors: NOSPACE where too much waits.
Status keep_pending_chunk(FileStore& store, const StoredObjectPtr& object, const SizedChunk& chunk,
                          ConstBytes bytes);
/// The image of a chunk that waits as it is to lie in the file (`stored_mask`). Errors: filters.
Result<std::vector<std::byte>> unpack_pending(const DatasetState& state, const ChunkInMemory& chunk,
                                              FilterScratch& scratch, const FilterOptions& options);

/// Adds to `why`, for which the chunk could not be encoded, which chunk it is.
Status cant_encode(const DatasetState& state, ChunkOrdinal ordinal, Status why);
/// What filters made of a chunk, or why it can't be stored.
Status check_encoded(const DatasetState& state, const Result<EncodedView>& encoded);

/// What a chunk holds before a write puts something into it.
enum class OldContents : std::uint8_t { kKept, kReplaced };

/// True where the chunk is stored without filters: cut by the edge of the extent (`grid`), in a
/// dataset of H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS.
[[nodiscard]] bool is_plain_edge(const LayoutMessage& layout, const ChunkGrid& grid,
                                 const Dims& coords);

/// Filters of one chunk: the dataset's, or none.
[[nodiscard]] const FilterPipeline& filters_of_chunk(const DatasetState& state,
                                                     const ChunkGrid& grid, const Dims& coords);

/// A dataset's chunks while one call uses them, one after the other. What it uses stays until it gives it back, whatever
/// calls do that its conversions and filters make. The index is loaded.
class ChunkImages {
 public:
  ChunkImages(FileStore& store, StoredObjectPtr object, FilterOptions options = {});
  ChunkImages(const ChunkImages&) = delete;
  ChunkImages& operator=(const ChunkImages&) = delete;
  ~ChunkImages() { done_with_it(); }

  /// The image of a chunk that exists in cache or file; null where it is not allocated.
  /// Collective: independent. Errors: truncated chunks, filters that are missing or fail; a dirty
  /// chunk that had to go and can't be written.
  Result<ChunkInMemory*> find(const Dims& coords);
  /// find() would not read the file for it, unless it waits for other ranks.
  [[nodiscard]] bool has(ChunkOrdinal ordinal);
  /// As find(), for a write: a chunk that is not allocated begins with the fill value, and so does
  /// one whose contents are replaced.
  Result<ChunkInMemory*> find_for_write(const Dims& coords, OldContents old);
  /// The image is going to change, and for good. Errors: none; may throw bad_alloc, and then changed() must not be called.
  void begin_change() { store_.pending().note(object_); }
  /// The image changed, after begin_change(). Nothing can be lost from here on without an error.
  void changed(ChunkInMemory& chunk);
  /// After find or find_for_write and what was done with the image; it may go now.
  Status release(ChunkInMemory& chunk);
  /// The image is not what it should be: forgets a chunk whose old contents are in the file; what waited to be
  /// written waits again.
  void discard(ChunkInMemory& chunk);
  /// Writes what the file does not have. Collective: independent; serial files. On failure the rest
  /// stays in the cache, dirty.
  Status flush();

 private:
  Result<ChunkInMemory*> find_pending(ChunkOrdinal ordinal, OldContents old);
  Result<ChunkInMemory*> find_packed(ChunkInMemory& packed);
  Result<ChunkInMemory*> find_stored(const Dims& coords);
  Result<ChunkInMemory*> find_kept(const Dims& coords, const FilteredChunk& stored);
  /// Others may write the file's chunks, too.
  [[nodiscard]] bool others_write() const { return store_.parallel() && store_.writable(); }
  [[nodiscard]] bool may_keep();
  ChunkInMemory* use(ChunkInMemory& chunk);
  ChunkInMemory* use_to_fill(ChunkInMemory& chunk);
  void done_with_it();
  void stop_filling();
  Result<ChunkInMemory*> unpack(ChunkInMemory& packed, OldContents old);
  [[nodiscard]] bool is_pending(const ChunkInMemory& chunk) const {
    return chunks_.pending.peek(chunk.ordinal) == &chunk;
  }
  Status load(const Dims& coords, const FilteredChunk& stored, std::vector<std::byte>& image);
  Status write_back(ChunkInMemory& chunk);
  [[nodiscard]] ChunkCache::WriteBack writer();
  void fill(std::vector<std::byte>& image) const;

  FileStore& store_;
  StoredObjectPtr object_;
  DatasetState& state_;
  DatasetChunks& chunks_;
  FilterOptions options_;
  /// What waited as it is to lie in the file, until the write into its image has succeeded.
  struct Unpacked {
    ChunkOrdinal ordinal = 0;
    std::vector<std::byte> bytes;
    std::uint32_t mask = 0;
    std::uint64_t touched = 0;
  };
  std::optional<Unpacked> unpacked_;
  ChunkInMemory* in_use_ = nullptr;
  bool fills_ = false;  ///< the chunk in use
  /// What is read in a file in which others write: the next call reads it again.
  ChunkInMemory own_;
};

/// Reads and decodes one chunk. `filters`: those it was stored with. Errors: as find().
Status read_chunk_image(FileStore& store, const FilteredChunk& stored,
                        const FilterPipeline& filters, Bytes image, FilterScratch& scratch,
                        const FilterOptions& options);

/// The cache of a dataset, made at first use. In a file that is open for parallel writing it has nothing.
DatasetChunks& chunks_of(FileStore& store, const StoredObjectPtr& object);
/// Properties of the cache, from the first open of the dataset.
void set_chunk_cache(FileStore& store, const StoredObjectPtr& object,
                     const ChunkCacheSettings& settings);

/// Writes what the dataset's cache has and the file has not. Collective: independent.
Status flush_chunks(FileStore& store, const StoredObjectPtr& object);
/// Nobody has the dataset open any more: writes its chunks and lets them go. What can't be written
/// stays for the next flush or the close of the file.
Status close_chunks(FileStore& store, const StoredObjectPtr& object);

/// Chunks with the fill value for those that an extent has and the index lacks. They are in the file
/// before anything else changes, so that a full disk changes nothing.
class FilledChunks {
 public:
  explicit FilledChunks(FileStore& store) : store_(store) {}
  FilledChunks(const FilledChunks&) = delete;
  FilledChunks& operator=(const FilledChunks&) = delete;
  /// What was not entered gives its space back, also where memory has run out.
  ~FilledChunks();
  /// Places and writes them. `grid`: of the extent that is to be. Serial files. Errors: NOSPACE, WRITEERROR,
  /// those of filters.
  Status write(const StoredObjectPtr& object, const ChunkGrid& grid);
  /// Enters them in the index, whose extent is that of write() now.
  void enter(const StoredObjectPtr& object);
  /// The index could not have them all and is what it was.
  void take_back() { entered_ = 0; }

 private:
  FileStore& store_;
  std::vector<SizedChunk> chunks_;
  std::vector<FileAddress> places_;
  std::size_t entered_ = 0;
};

/// Early allocation: gives every chunk that has none a place and writes the fill value there.
/// Serial files. On failure nothing has changed. Errors: NOSPACE, WRITEERROR.
Status allocate_filtered_chunks(FileStore& store, const StoredObjectPtr& object);

/// Somebody can still reach the dataset by a link, so what waits of it is to be written.
[[nodiscard]] bool is_linked(FileStore& store, const StoredObject& object);
/// Writes the chunks of all linked datasets that are only in memory; what waits for other ranks waits on. Chunks that
/// can't be encoded stay, and the file has what was there before: their datasets go into `left`, each with the first
/// failure. Collective: independent. On another failure, of which the file has nothing, the rest stays, too.
Status flush_chunk_caches(FileStore& store, LeftOut* left);
/// Forgets the chunks of a deleted dataset: they will never be wanted.
void drop_chunks(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
