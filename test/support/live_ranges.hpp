// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: the bytes of a file that something reachable owns.

#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "storage/file/file_store.hpp"

namespace pcio::test {

class LiveRanges {
 public:
  explicit LiveRanges(FileStore& store) : store_(store) {}

  /// Sorted. Errors: what can't be read, structures that overlap.
  Result<std::vector<ByteRange>> collect() {
    ranges_.push_back({0, superblock_size(store_.context().superblock.version, store_.sizes())});
    PCIO_TRY(add(store_.objects().root()));
    if (store_.context().superblock.extension_address != kUndefinedAddress) {
      PCIO_ASSIGN(StoredObjectPtr extension,
                  store_.objects().object(store_.context().superblock.extension_address));
      PCIO_TRY(add(extension));
    }
    std::sort(ranges_.begin(), ranges_.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
    for (std::size_t i = 1; i < ranges_.size(); ++i)
      if (ranges_[i - 1].end() > ranges_[i].offset)
        return PCIO_ERROR(INTERNAL, BADVALUE,
                          "bytes with two owners at " + std::to_string(ranges_[i].offset));
    return ranges_;
  }

 private:
  Status add(const StoredObjectPtr& object) {
    if (!seen_.insert(object->address).second) return Status();
    put(object->chunks);
    for (const DenseKind kind : {DenseKind::kLinks, DenseKind::kAttributes}) {
      PCIO_ASSIGN(auto dense, store_.objects().dense_ranges(*object, kind));
      put(dense);
    }
    if (object->kind() == ObjectKind::kGroup) {
      PCIO_ASSIGN(LinkTable * table, store_.objects().links(object));
      put(store_.objects().links_ranges(*object));
      for (const LinkMessage& link : table->links) {
        if (link.type != kLinkHard) continue;
        PCIO_ASSIGN(StoredObjectPtr child, store_.objects().object(link.address));
        PCIO_TRY(add(child));
      }
    }
    return object->kind() == ObjectKind::kDataset ? add_data(object) : Status();
  }

  Status add_data(const StoredObjectPtr& object) {
    PCIO_ASSIGN(DatasetState * state, store_.datasets().state(object));
    if (state->layout.cls == LayoutClass::kContiguous &&
        state->layout.address != kUndefinedAddress) {
      PCIO_ASSIGN(std::uint64_t bytes, state->data_bytes());
      ranges_.push_back({state->layout.address, bytes});
    }
    if (!state->chunked()) return Status();
    PCIO_TRY(store_.datasets().load_chunk_index(object));
    put(state->index_blocks);
    for (const IndexRun& run : state->index->runs())
      ranges_.push_back({run.address, run.count * state->chunk_bytes()});
    for (const auto& [ordinal, chunk] : state->index->filtered_chunks())
      ranges_.push_back({chunk.address, chunk.size});
    return Status();
  }

  void put(std::span<const ByteRange> more) {
    ranges_.insert(ranges_.end(), more.begin(), more.end());
  }

  FileStore& store_;
  std::set<FileAddress> seen_;
  std::vector<ByteRange> ranges_;
};

inline std::uint64_t total_bytes(const std::vector<ByteRange>& ranges) {
  std::uint64_t total = 0;
  for (const ByteRange& range : ranges) total += range.size;
  return total;
}

}  // namespace pcio::test
