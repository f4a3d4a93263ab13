// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: what is known of one dataset: its messages decoded, and where its bytes are.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/on_heap.hpp"
#include "format/fill_value_message.hpp"
#include "format/layout_message.hpp"
#include "props/object_props.hpp"
#include "space/dataspace.hpp"
#include "space/place_in_extent.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/external_files.hpp"
#include "storage/objects/virtual_data.hpp"
#include "type/datatype.hpp"

namespace pcio {

struct DatasetChunks;

/// What a smaller extent cut off and what is still in the file: it must get the fill value before the
/// dataset grows, and before a commit. Follows from the calls: the same on all ranks.
struct DeferredFill {
  std::uint32_t cut = 0;          ///< bit d: in the last chunks of dimension d
  std::vector<ByteRange> ranges;  ///< whole chunks of an implicit index
  [[nodiscard]] bool empty() const { return cut == 0 && ranges.empty(); }
};

/// Threads: one thread drives a file.
struct DatasetState {
  Datatype type;                                   ///< in the form of the file
  FileAddress committed_type = kUndefinedAddress;  ///< object that holds the type, if any
  Extent extent;
  FillValueMessage fill;
  FilterPipeline filters;
  LayoutMessage layout;

  /// Chunked: loaded from the file at first use.
  OptionalOnHeap<ChunkIndex> index;
  /// Loads what the index still lacks; none where it is whole.
  std::unique_ptr<ChunkLoader> loader;
  std::vector<ByteRange> index_blocks;  ///< bytes of the index in the file
  DeferredFill deferred;                ///< by chunks without filters
  /// The index in the file, where a commit can change it in place; its changes are noted then.
  std::shared_ptr<IndexUpdater> placed;
  /// Filtered: images of chunks in memory; made at first use.
  std::shared_ptr<DatasetChunks> chunks;
  /// Where the raw data are in other files; contiguous layout. Else null.
  std::shared_ptr<ExternalFiles> external;
  /// What a virtual dataset is made of. Else null.
  std::shared_ptr<VirtualData> virtual_data;
  /// Of a new dataset: what the next commit writes beside header and index.
  std::vector<NewBlock> new_blocks;
  /// Why the data can't be read or written here (a virtual layout ...); else good.
  Status unsupported;
  /// On parallel files chunks get space when they are first written, not at create and extend.
  bool late_allocation = false;

  /// The index differs from the file.
  void mark_index_changed() { index_changed_ = true; }
  [[nodiscard]] bool index_changed() const { return index_changed_; }
  /// Layout, extent or compact data differ from the object's messages.
  void mark_messages_changed() { messages_changed_ = true; }
  [[nodiscard]] bool messages_changed() const { return messages_changed_; }
  /// Both; of a change that was undone as they were before.
  struct Marks {
    bool index = false, messages = false;
  };
  [[nodiscard]] Marks marks() const { return {index_changed_, messages_changed_}; }
  void restore(const Marks& marks) {
    index_changed_ = marks.index;
    messages_changed_ = marks.messages;
  }
  /// A commit has written both.
  void mark_committed();
  /// What was loaded of an index that is not whole is read again when it is needed.
  void forget_loaded_part();

  [[nodiscard]] std::uint64_t element_size() const { return type.size(); }
  [[nodiscard]] bool chunked() const { return layout.cls == LayoutClass::kChunked; }
  [[nodiscard]] Elements elements() const {
    const bool line = layout.cls == LayoutClass::kContiguous || layout.cls == LayoutClass::kCompact;
    return line && !virtual_data ? Elements::kInLine : Elements::kInGrid;
  }
  /// What its index is. Chunked only.
  [[nodiscard]] const ChunkIndexClass& index_class() const {
    return chunk_index_class(layout.index);
  }
  /// Chunks get space one by one as the ranks together write them.
  [[nodiscard]] bool allocates_late() const {
    return late_allocation && chunked() && !filtered() && fill.allocation != AllocTime::kEarly &&
           !index_class().all_chunks_or_none;
  }
  [[nodiscard]] bool filtered() const { return chunked() && !filters.empty(); }
  /// Bytes of a whole chunk's image.
  [[nodiscard]] std::uint64_t chunk_bytes() const;
  /// The largest size that the index can say of a chunk with filters; bytes.
  [[nodiscard]] std::uint64_t most_stored_bytes() const;
  /// Bytes of all elements of the extent.
  [[nodiscard]] Result<std::uint64_t> data_bytes() const;
  /// All chunks of the index are known.
  [[nodiscard]] bool index_is_whole() const { return index.has_value() && !loader; }
  /// The grid of the current extent. Chunked only.
  [[nodiscard]] Result<ChunkGrid> grid() const {
    return ChunkGrid::make(extent.dims(), layout.chunk_dims);
  }

  /// One element that was never written, in file form: the fill value, or zeros.
  [[nodiscard]] std::vector<std::byte> fill_element() const;
  /// Space given to the dataset must hold the fill value before anybody reads it. Bytes that were there
  /// before would be taken for references.
  [[nodiscard]] bool wants_fill() const { return !type.is_fixed() || says_it_fills(); }
  /// What elements of variable-length type refer to is theirs, so that it may go with them. Where the file
  /// says that space isn't filled, elements that were never written refer to anything.
  [[nodiscard]] bool owns_objects() const { return says_it_fills(); }
  /// The fill value refers to heap objects: elements that are filled get objects of their own
  /// (fill_sequences), and until then are zeros. Asks for no memory.
  [[nodiscard]] bool fill_has_objects() const;
  /// What new space holds at first.
  [[nodiscard]] std::vector<std::byte> new_element() const;
  /// New space is all zero bytes at first, so a fresh hole already is as it should be.
  [[nodiscard]] bool fill_is_zero() const;

 private:
  [[nodiscard]] bool says_it_fills() const {
    return fill.time != FillTime::kNever && fill.state != FillState::kUndefined;
  }

  bool index_changed_ = false;
  bool messages_changed_ = false;
};

}  // namespace pcio
