// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: new heap objects of several ranks, in collections whose places follow from two scans.
//
// Who has much puts it into collections of its own. What ranks have of less than 64 KiB is packed into
// shared ones: each rank writes its stretch of a collection, the last one in it also the head. First a
// rank counts what it has (CountingHeap), then the ranks learn where it goes, then it is written
// (PlacedHeap); both see the same objects in the same order.

#pragma once

#include "agree/coordinator.hpp"
#include "format/global_heap.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "type/sequence_heap.hpp"

namespace pcio {

/// Room that objects take, in bytes: of a rank, or of all.
struct HeapDemand {
  std::uint64_t own = 0;     ///< whole collections
  std::uint64_t shared = 0;  ///< objects with their heads, for collections that ranks share
  std::uint64_t shared_objects = 0;
  [[nodiscard]] bool empty() const { return own == 0 && shared == 0; }
};

/// Bytes of the file that the ranks' objects take all in all.
std::uint64_t shared_heap_bytes(const HeapDemand& sum, const FileSizes& sizes);

/// Cuts a sequence of objects into collections. Threads: thread-compatible.
class CollectionCutter {
 public:
  explicit CollectionCutter(const FileSizes& sizes) : sizes_(sizes) {}
  /// The next object, of `bytes` with its head. True where it begins a collection.
  bool add(std::uint64_t bytes);
  /// Bytes of the current collection as it would end now.
  [[nodiscard]] std::uint64_t current() const;
  /// Bytes of all collections, the current one as it would end now.
  [[nodiscard]] std::uint64_t total() const { return closed_ + current(); }

 private:
  FileSizes sizes_;
  std::uint64_t closed_ = 0;
  std::uint64_t used_ = 0;  ///< of the current one; 0: there is none
  std::uint32_t objects_ = 0;
};

/// Where one rank's objects go.
struct HeapPlace {
  HeapDemand demand;              ///< the rank's
  FileAddress own = 0;            ///< of its own collections, one behind the other
  FileAddress collection = 0;     ///< the shared one
  FileAddress slice = 0;          ///< its part of that
  std::uint32_t first_index = 1;  ///< of its objects there
  std::uint64_t head_size = 0;  ///< bytes of the shared collection where it writes the head; else 0
};

/// Regions that all ranks have allocated alike.
struct HeapRegions {
  FileAddress own = 0;
  FileAddress shared = 0;
};

/// This rank's place in regions that begin at 0: agree_on_places() needs no region. Collective: over the
/// file, two exchanges. `sum`: of all ranks.
Status agree_on_places(Coordinator& coordinator, const FileSizes& sizes, const HeapDemand& mine,
                       const HeapDemand& sum, HeapPlace* place);
/// Moves it to where the regions are. Collective: pure.
void move_place(const HeapRegions& regions, HeapPlace* place);

/// Counts objects; ids are all ones. Threads: thread-compatible.
class CountingHeap final : public SequenceHeap {
 public:
  explicit CountingHeap(const FileSizes& sizes) : sizes_(sizes), cutter_(sizes) {}
  Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) override;
  Status put(ConstBytes bytes, Bytes heap_id) override;
  [[nodiscard]] HeapDemand demand() const;

 private:
  FileSizes sizes_;
  CollectionCutter cutter_;
  std::uint64_t bytes_ = 0;
  std::uint64_t objects_ = 0;
};

/// Puts the same objects into their place. Threads: thread-compatible.
class PlacedHeap final : public SequenceHeap {
 public:
  PlacedHeap(const FileSizes& sizes, FileBytes& bytes, const HeapPlace& place)
      : sizes_(sizes), bytes_(bytes), place_(place), cutter_(sizes), next_(place.own) {}
  PlacedHeap(const PlacedHeap&) = delete;
  PlacedHeap& operator=(const PlacedHeap&) = delete;
  Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) override;
  Status put(ConstBytes bytes, Bytes heap_id) override;
  /// Writes what is not written yet. Errors: other objects than were counted.
  Status finish();

 private:
  [[nodiscard]] bool is_shared() const { return place_.demand.own == 0; }
  /// `n` bytes more to be written, which are anything.
  std::byte* extend(std::size_t n);
  void append_object(std::uint32_t index, ConstBytes bytes);
  void append_free(std::uint64_t size);
  void close_collection();
  Status write_out();
  Status write_shared();

  FileSizes sizes_;
  FileBytes& bytes_;
  HeapPlace place_;
  CollectionCutter cutter_;
  /// Shared: the slice; else collections from `next_` on. Its memory is used again.
  std::vector<std::byte> out_;
  std::size_t used_ = 0;       ///< bytes of it
  FileAddress next_;           ///< where `out_` goes
  std::size_t begun_ = 0;      ///< where the current collection begins in `out_`
  bool open_ = false;          ///< there is a current collection
  std::uint64_t before_ = 0;   ///< cutter_.current() before the last object
  std::uint32_t objects_ = 0;  ///< in the current collection
};

}  // namespace pcio
