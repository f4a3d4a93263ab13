// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the datasets of an open file: what their messages say, and their chunk indexes.

#pragma once

#include <set>

#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/object_table.hpp"

namespace pcio {

/// Decodes datasets and loads their chunk indexes, as much of them as is asked for, and knows what of a
/// dataset outlives its being decoded. Threads: one thread drives a file.
class DatasetTable {
 public:
  DatasetTable(FileContext& file, ObjectTable& objects) : file_(file), objects_(objects) {}

  /// Decoded state of a dataset, loaded at first use. The chunk index is loaded by its own calls.
  /// Collective: independent. Errors: not a dataset; damaged messages.
  Result<DatasetState*> state(const StoredObjectPtr& object);
  /// The dataset is closed here: what its messages say as well need not stay decoded, though the object
  /// waits for a commit. What a commit will write doesn't change by it. Collective: independent.
  void forget_decoded(StoredObject& object) const;

  /// All chunks: needed before the index changes. Collective: independent.
  Status load_chunk_index(const StoredObjectPtr& object);
  /// The chunks of `box` (chunk coordinates, inside the grid), reading no more of the index than
  /// that takes: enough to look up their addresses. Collective: independent.
  Status load_chunks(const StoredObjectPtr& object, const Box& box);
  /// The chunks that the index in the file counts from `first` to before `end`, as load_chunks().
  Status load_counted_chunks(const StoredObjectPtr& object, std::uint64_t first, std::uint64_t end);
  [[nodiscard]] ChunkIndexShape chunk_index_shape(const DatasetState& state) const;

  /// From here on the dataset allocates late, whoever closes it on some ranks and opens it again, until
  /// the file is closed. Collective: by contract, as what opens and creates it.
  void allocate_late(const StoredObjectPtr& object);
  /// Committed or not, chunks of the dataset have left their places for others.
  void note_replaced(const StoredObjectPtr& object) { replaced_.insert(object->address); }
  [[nodiscard]] const std::set<FileAddress>& replaced() const { return replaced_; }
  void forget_replaced() { replaced_.clear(); }
  /// The dataset is deleted.
  void remove(FileAddress address);

 private:
  Status load_whole_index(const StoredObjectPtr& object);
  Status open_index(const StoredObjectPtr& object);

  FileContext& file_;
  ObjectTable& objects_;
  std::set<FileAddress> late_;      ///< datasets that allocate late; equal on all ranks
  std::set<FileAddress> replaced_;  ///< datasets whose chunks got other places in this session
};

}  // namespace pcio
