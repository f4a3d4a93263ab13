// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: reading the chunk index of a file as far as it is needed.
//
// A IndexReader is one structure in the file, of whatever kind: it finds the chunks of an interval of
// numbers and reads no more blocks than that takes. A ChunkLoader puts what sources find into a
// ChunkIndex and remembers what is known.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "format/chunk_element.hpp"
#include "format/layout_message.hpp"
#include "storage/index/model/chunk_index.hpp"
#include "storage/index/model/chunk_numbering.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/space/interval_set.hpp"
#include "storage/index/model/index_updater.hpp"

namespace pcio {

/// Filtered chunks have sizes of their own.
enum class ChunkForm : std::uint8_t { kPlain, kFiltered };

/// What must be known of a dataset to read or write its chunk index.
struct ChunkIndexShape {
  FileSizes sizes;
  unsigned internal_k = 32;  ///< of version 1 B-trees
  Dims max_dims;             ///< elements
  LayoutMessage layout;      ///< kind, chunk dimensions and parameters of the index
  ChunkForm form = ChunkForm::kPlain;

  [[nodiscard]] ChunkElementFormat elements(std::uint64_t chunk_bytes) const {
    return form == ChunkForm::kFiltered ? ChunkElementFormat::filtered(sizes, chunk_bytes)
                                        : ChunkElementFormat::unfiltered(sizes);
  }
};

/// Numbers that are ordinals of `grid`. Errors: OVERFLOW.
Result<ChunkNumbering> number_by_today(const ChunkIndexShape& shape, const ChunkGrid& grid);
/// Row-major among all chunks that there can be one day. Errors: OVERFLOW.
Result<ChunkNumbering> number_by_largest(const ChunkIndexShape& shape, const ChunkGrid& grid);
/// Chunks in each dimension that there can be one day; today's in unlimited dimensions.
Dims largest_grid(const ChunkIndexShape& shape, const ChunkGrid& grid);

/// Where a source puts what it finds.
class ChunkSink {
 public:
  ChunkSink(FileBytes& file, const ChunkNumbering& numbering, ChunkForm form, ChunkIndex& index,
            IntervalSet& known)
      : file_(file),
        numbering_(numbering),
        form_(form),
        index_(index),
        known_(known),
        direct_(numbering.counts_as(index.grid())) {}

  [[nodiscard]] FileBytes& file() const { return file_; }
  [[nodiscard]] const ChunkNumbering& numbering() const { return numbering_; }
  [[nodiscard]] const ChunkIndex& index() const { return index_; }
  /// Elements of the numbers `first` and so on; those outside the extent are skipped.
  /// Errors: a chunk listed twice or outside the file.
  Status add(std::uint64_t first, std::span<const ChunkElement> elements);
  /// One chunk, by its position in the grid; one outside the extent is skipped.
  Status add(const Dims& coords, const ChunkElement& element);
  /// All chunks of [first, end) that exist were added.
  void know(std::uint64_t first, std::uint64_t end) { known_.add(first, end); }
  [[nodiscard]] bool knows(std::uint64_t first, std::uint64_t end) const {
    return known_.contains(first, end);
  }

 private:
  Status put(ChunkOrdinal ordinal, const ChunkElement& element);
  void skip(const ChunkElement& element);

  FileBytes& file_;
  const ChunkNumbering& numbering_;
  ChunkForm form_;
  ChunkIndex& index_;
  IntervalSet& known_;
  bool direct_;  // numbers are ordinals
};

/// One chunk index in the file, as far as it was read. Threads: one thread drives a file.
class IndexReader {
 public:
  IndexReader() = default;
  IndexReader(const IndexReader&) = delete;
  IndexReader& operator=(const IndexReader&) = delete;
  virtual ~IndexReader() = default;
  /// Adds the chunks with numbers in [first, end), which are not known yet, and may add neighbours,
  /// which it then says are known. Collective: independent. Errors: damaged blocks, cycles, more
  /// blocks than the file has bytes for; after an error the source is of no use any more.
  virtual Status load(std::uint64_t first, std::uint64_t end, ChunkSink& sink) = 0;
  /// The bytes of all blocks of the index. Reads what it needs for that. Collective: independent.
  virtual Status collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) = 0;
  /// The index as commits change it, after everything was loaded and collected; nothing where it
  /// can only be written anew. The source is of no use afterwards.
  virtual std::shared_ptr<IndexUpdater> updater(const ChunkNumbering& numbering) {
    static_cast<void>(numbering);
    return nullptr;
  }
};

/// Fills one ChunkIndex from one source. Threads: one thread drives a file.
class ChunkLoader {
 public:
  ChunkLoader(std::unique_ptr<IndexReader> source, ChunkNumbering numbering, ChunkForm form,
              NumberedBy by)
      : source_(std::move(source)), numbering_(std::move(numbering)), form_(form), by_(by) {}
  /// Makes sure that the chunks of `box` (chunk coordinates, inside the grid) are in `index`.
  /// Collective: independent. After an error the loader is of no use, and what it filled neither.
  Status load(FileBytes& file, const Box& box, ChunkIndex* index);
  /// The same for the chunks with numbers in [first, end).
  Status load_counted(FileBytes& file, std::uint64_t first, std::uint64_t end, ChunkIndex* index);
  /// False where a call failed, or was left by an exception: some chunks are in the index by halves.
  [[nodiscard]] bool usable() const { return usable_; }
  /// All chunks, and the bytes of the blocks of the index. The loader is of no use afterwards.
  Status load_all(FileBytes& file, ChunkIndex* index, std::vector<ByteRange>* blocks);
  /// After load_all(): the index as commits change it, and `index` notes its changes from here on;
  /// nothing where it can only be written anew.
  std::shared_ptr<IndexUpdater> place(ChunkIndex* index);

 private:
  Status load_gaps(FileBytes& file, std::span<const ByteRange> gaps, ChunkIndex* index);

  std::unique_ptr<IndexReader> source_;
  ChunkNumbering numbering_;
  ChunkForm form_;
  NumberedBy by_;
  IntervalSet known_;
  bool usable_ = true;
  bool sound_ = false;  // blocks lie inside the file and apart
};

/// The bytes of blocks read so far; blocks of a sound file don't overlap, which bounds the memory
/// and time that a damaged one can ask for.
class BlockBudget {
 public:
  /// Errors: more bytes than the file has.
  Status spend(std::uint64_t bytes, const FileBytes& file);

 private:
  std::uint64_t spent_ = 0;
};

}  // namespace pcio
