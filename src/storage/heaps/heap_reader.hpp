// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: reading objects of global heaps, many at a time.

#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "storage/heaps/heap_store.hpp"
#include "type/sequence_heap.hpp"
#include "type/sequences.hpp"

namespace pcio {

/// Memory for pieces of a file, used again. Threads: thread-compatible.
class PieceBuffers {
 public:
  /// At least `size` bytes, which are anything; they stay until the next clear().
  Bytes take(std::size_t size);
  /// Nobody uses what was taken. Keeps the memory.
  void clear() { used_ = bytes_ = 0; }
  /// How much was taken, for going back to.
  struct Mark {
    std::size_t used = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Mark mark() const { return {used_, bytes_}; }
  /// Nobody uses what was taken since then. Keeps the memory.
  void go_back(const Mark& to) {
    used_ = to.used;
    bytes_ = to.bytes;
  }
  /// What was taken in all.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]>
        bytes;  // NOLINT(modernize-avoid-c-arrays): a vector would clear it
    std::size_t size = 0;
  };
  std::vector<Buffer> buffers_;
  std::size_t used_ = 0;
  std::uint64_t bytes_ = 0;
};

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
  /// The same, valid until the next call: what was read before may go. Collective: independent.
  Result<ConstBytes> single_object(const GlobalHeapId& id, std::uint64_t least);
  /// As SequenceHeap::find() of what is there already.
  std::size_t find(const HeapReferences& references, std::span<const std::byte*> found);
  /// Reads what is not there yet of these collections; the list is used up. Such as can't be read, and very
  /// many, are left to object(). Collective: independent. Errors: no memory.
  Status prepare(std::vector<FileAddress>& collections);
  /// Reads everything that the elements refer to, at all levels. `map`: of their type.
  /// Collective: independent. Errors: sizes that overflow; no memory.
  Status prepare(const SequenceMap& map, ConstBytes elements);
  /// The same for what they were found to refer to; the list is used up.
  Status prepare(std::vector<SequenceMap::Use>& uses);
  /// Bytes that are held.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_ + buffers_.bytes(); }
  void forget();
  [[nodiscard]] const FileSizes& sizes() const { return file_.sizes(); }
  /// Each object of a heap belongs to one element and has room of its own. False: these and those before are more than
  /// the file has room for.
  [[nodiscard]] bool count_owned(std::uint64_t more);
  /// They are counted there, which lives as long, together with those of other readers.
  void count_owned_in(std::uint64_t* counted) { counted_ = counted; }
  /// Of all objects of the file, those that wait for their commit included.
  [[nodiscard]] std::uint64_t most_bytes() const { return file_.bytes->end(); }

 private:
  /// One collection.
  struct Collection {
    FileAddress address = kUndefinedAddress;
    ConstBytes bytes;
    std::size_t first = 0;                 ///< of offsets_: where its objects begin
    std::size_t objects = 0;               ///< offsets that it has
    std::unique_ptr<CollectionImage> odd;  ///< where its objects have no order
  };

  Status read_piece(std::span<const FileAddress> collections, std::uint64_t size);
  Status add(FileAddress address, ConstBytes bytes);
  [[nodiscard]] Status check_apart(FileAddress address, std::uint64_t size) const;
  Status read_one(FileAddress address);
  [[nodiscard]] ConstBytes keep(ConstBytes bytes);
  Result<ConstBytes> read_whole(FileAddress address);
  Result<ConstBytes> complete(FileAddress address, ConstBytes begin);
  void put_in_order();
  [[nodiscard]] const Collection* look_up(FileAddress address);
  Result<ConstBytes> object_of(const Collection& collection, std::uint32_t index,
                               std::uint64_t least) const;
  [[nodiscard]] const std::byte* find_object(const Collection& collection,
                                             std::uint32_t index) const;

  FileContext& file_;
  const HeapStore& store_;
  PieceBuffers buffers_;
  Bytes room_;  ///< of the buffers: for what comes from collections that change
  std::vector<Collection> collections_;  ///< by address, none of which overlap
  std::vector<std::uint32_t> offsets_;   ///< index_global_heap_objects()
  std::uint64_t bytes_ = 0;              ///< beside the buffers
  std::size_t in_order_ = 0;  ///< of collections_: not those that are being read together
  std::uint64_t owned_ = 0;   ///< count_owned()
  std::uint64_t* counted_ = &owned_;
  std::map<FileAddress, Status> damaged_;  ///< what is wrong with the first ones: each is read once
  std::uint64_t damaged_bytes_ = 0;        ///< that were read for nothing
  FileAddress behind_ = 0;                 ///< the last collection that prepare() has read
  std::size_t last_ = 0;                   ///< of collections_: the last one that was looked up
};

/// Appends the ids of the objects that elements own, at all levels; reads what that takes. What is damaged
/// is passed over. False: they are more than can be looked at or than the file has room for, and some are missing.
/// Collective: independent. Errors: sizes that overflow; no memory.
Result<bool> collect_owned(HeapReader& reader, const SequenceMap& map, ConstBytes elements,
                           std::vector<GlobalHeapId>* owned);

/// The heaps of a file as conversions use them. Threads: one thread drives a file.
class FileHeap final : public SequenceHeap {
 public:
  /// `store`: where new objects go; null: nowhere. It is that of a serial file.
  FileHeap(HeapReader& reader, HeapStore* store) : reader_(reader), store_(store) {}
  Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) override;
  std::size_t find(const HeapReferences& references, std::span<const std::byte*> found) override;
  Status put(ConstBytes bytes, Bytes heap_id) override;
  [[nodiscard]] bool has_put() const { return !put_.empty(); }
  /// The call failed: nobody will refer to what was put. Where there is no memory for that its room is lost.
  void take_back() noexcept;

 protected:
  [[nodiscard]] std::uint64_t most_bytes() const override { return reader_.most_bytes(); }

 private:
  HeapReader& reader_;
  HeapStore* store_;
  HeapStore::LetGo put_;  ///< whatever was put
  HeapStore::LetGo::iterator last_ = put_.end();
};

}  // namespace pcio
