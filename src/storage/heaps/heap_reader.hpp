// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: reading objects of global heaps, many at a time.

#pragma once

#include <unordered_map>
#include <vector>

#include "storage/heaps/heap_store.hpp"
#include "type/sequence_heap.hpp"
#include "type/sequences.hpp"

namespace pcio {

/// Collections that were read and are kept for a while. Those that are asked for together are read in
/// large pieces, in the order of the file, each once. Threads: one thread drives a file.
class HeapReader {
 public:
  HeapReader(FileContext& file, const HeapStore& store) : file_(file), store_(store) {}
  HeapReader(const HeapReader&) = delete;
  HeapReader& operator=(const HeapReader&) = delete;

  /// Data of an object, at least `least` bytes; valid until forget(). Collective: independent.
  /// Errors: no such collection or object; what is damaged in it.
  Result<ConstBytes> object(const GlobalHeapId& id, std::uint64_t least);
  /// Reads what is not there yet of these collections. Such as can't be read are left to object().
  /// Collective: independent. Errors: no memory.
  Status prepare(std::vector<FileAddress> collections);
  /// Reads everything that the elements refer to, at all levels. `map`: of their type.
  /// Collective: independent. Errors: sizes that overflow; no memory.
  Status prepare(const SequenceMap& map, ConstBytes elements);
  /// The same for what they were found to refer to; the list is used up.
  Status prepare(std::vector<SequenceMap::Use>& uses);
  /// Bytes that are held.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  void forget();
  [[nodiscard]] const FileSizes& sizes() const { return file_.sizes(); }

 private:
  Status read_piece(std::span<const FileAddress> collections, std::uint64_t size);
  Status add(FileAddress address, std::vector<std::byte> bytes);
  Status read_one(FileAddress address);

  FileContext& file_;
  const HeapStore& store_;
  std::unordered_map<FileAddress, CollectionImage> images_;
  std::uint64_t bytes_ = 0;
  FileAddress last_address_ = kUndefinedAddress;
  FileAddress behind_ = 0;  ///< the last collection that prepare() has read
  const CollectionImage* last_ = nullptr;
};

/// Appends the ids of the objects that elements own, at all levels; reads what that takes. What is damaged
/// is passed over. Collective: independent. Errors: sizes that overflow; no memory.
Status collect_owned(HeapReader& reader, const SequenceMap& map, ConstBytes elements,
                     std::vector<GlobalHeapId>* owned);

/// The heaps of a file as conversions use them. Threads: one thread drives a file.
class FileHeap final : public SequenceHeap {
 public:
  /// `store`: where new objects go; null: nowhere. It is that of a serial file.
  FileHeap(HeapReader& reader, HeapStore* store) : reader_(reader), store_(store) {}
  Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) override;
  Status put(ConstBytes bytes, Bytes heap_id) override;
  [[nodiscard]] bool has_put() const { return !put_.empty(); }
  /// The call failed: nobody will refer to what was put. Where there is no memory for that its room is lost.
  void take_back() noexcept;

 private:
  HeapReader& reader_;
  HeapStore* store_;
  HeapStore::LetGo put_;  ///< whatever was put
  HeapStore::LetGo::iterator last_ = put_.end();
};

}  // namespace pcio
