// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: places of the ranks' new objects.
//
// The objects of all ranks that share are one stream, in the order of the ranks. It is cut where a
// rank's part crosses a multiple of kShareWindow: that rank is the last in its collection. So a rank
// knows from the bytes before it the number of its collection, and from the end of the last rank that
// closed one (a second scan) where that begins. Each collection gets kSpare bytes more than its objects
// take, which is what the format demands of the shortest one.

#include "storage/heaps/heap_places.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kShareWindow = 64 << 10;
constexpr std::uint64_t kSpare = kGlobalHeapMinSize;
/// Collections of one rank are closed before they get longer, unless one object is.
constexpr std::uint64_t kOwnCollection = 64 << 10;
constexpr std::uint32_t kMostObjects = 60000;
constexpr std::size_t kWriteBytes = 4 << 20;

void write_prefix(std::byte* at, std::uint64_t size, const FileSizes& sizes) {
  std::memset(at, 0, global_heap_prefix_size(sizes));
  std::memcpy(at, "GCOL", 4);
  at[4] = std::byte{1};
  store_little(at + 8, size, sizes.length_size);
}

Status changed() {
  return PCIO_ERROR(ARGS, BADVALUE, "variable-length data was changed while it was being written");
}

std::uint64_t groups_of(const HeapDemand& sum) {
  return (sum.shared + kShareWindow - 1) / kShareWindow;
}

}  // namespace

std::uint64_t shared_heap_bytes(const HeapDemand& sum, const FileSizes& sizes) {
  return sum.shared + groups_of(sum) * (global_heap_prefix_size(sizes) + kSpare);
}

std::uint64_t CollectionCutter::current() const {
  return used_ == 0 ? 0 : std::max(used_, kGlobalHeapMinSize);
}

bool CollectionCutter::add(std::uint64_t bytes) {
  const bool begins = used_ == 0 || used_ + bytes > kOwnCollection || objects_ == kMostObjects;
  if (begins) {
    closed_ += current();
    used_ = global_heap_prefix_size(sizes_);
    objects_ = 0;
  }
  used_ += bytes;
  ++objects_;
  return begins;
}

Status agree_on_places(Coordinator& coordinator, const FileSizes& sizes, const HeapDemand& mine,
                       const HeapDemand& sum, HeapPlace* place) {
  *place = HeapPlace();
  place->demand = mine;
  std::array<std::uint64_t, 3> before{mine.own, mine.shared, mine.shared_objects};
  PCIO_TRY(coordinator.exscan_sum(before));
  place->own = before[0];
  if (sum.shared == 0) return Status();
  const std::uint64_t start = before[1], end = start + mine.shared;
  const bool closes = mine.shared > 0 && end / kShareWindow > start / kShareWindow;
  std::array<std::uint64_t, 2> first{closes ? end : 0,
                                     closes ? before[2] + mine.shared_objects : 0};
  PCIO_TRY(coordinator.exscan_max(first));
  if (mine.shared == 0) return Status();
  const std::uint64_t prefix = global_heap_prefix_size(sizes);
  const std::uint64_t group = start / kShareWindow;
  place->collection = first[0] + group * (prefix + kSpare);
  place->slice = place->collection + prefix + (start - first[0]);
  place->first_index = static_cast<std::uint32_t>(before[2] - first[1] + 1);
  // The last of all takes what may be left of the region.
  if (end == sum.shared)
    place->head_size = shared_heap_bytes(sum, sizes) - place->collection;
  else if (closes)
    place->head_size = prefix + (end - first[0]) + kSpare;
  return Status();
}

void move_place(const HeapRegions& regions, HeapPlace* place) {
  place->own += regions.own;
  place->collection += regions.shared;
  place->slice += regions.shared;
}

Result<ConstBytes> CountingHeap::get(ConstBytes, std::uint64_t) {
  return PCIO_ERROR(INTERNAL, BADVALUE, "a heap that is written was read");
}

Status CountingHeap::put(ConstBytes bytes, Bytes heap_id) {
  const std::uint64_t size = global_heap_object_size(bytes.size(), sizes_);
  bytes_ += size;
  ++objects_;
  static_cast<void>(cutter_.add(size));
  std::fill(heap_id.begin(), heap_id.end(), std::byte{0xFF});
  return Status();
}

HeapDemand CountingHeap::demand() const {
  if (bytes_ >= kShareWindow) return {cutter_.total(), 0, 0};
  return {0, bytes_, objects_};
}

Result<ConstBytes> PlacedHeap::get(ConstBytes, std::uint64_t) {
  return PCIO_ERROR(INTERNAL, BADVALUE, "a heap that is written was read");
}

std::byte* PlacedHeap::extend(std::size_t n) {
  if (out_.size() - used_ < n) {
    const std::uint64_t all = is_shared() ? place_.demand.shared : place_.demand.own;
    const std::uint64_t usual = std::min<std::uint64_t>(all, kWriteBytes) + kSpare;
    out_.resize(std::max({used_ + n, 2 * out_.size(), static_cast<std::size_t>(usual)}));
  }
  used_ += n;
  return out_.data() + used_ - n;
}

void PlacedHeap::append_object(std::uint32_t index, ConstBytes bytes) {
  const std::size_t head = global_heap_object_head(sizes_);
  const std::size_t padded = round_up(bytes.size(), std::size_t{8});
  std::byte* const at = extend(head + padded);
  std::memset(at, 0, head);
  store_little(at, index, 8);
  store_little(at + 8, bytes.size(), sizes_.length_size);
  if (!bytes.empty()) std::memcpy(at + head, bytes.data(), bytes.size());
  std::memset(at + head + bytes.size(), 0, padded - bytes.size());
}

/// Free space of `size` bytes.
void PlacedHeap::append_free(std::uint64_t size) {
  std::byte* const at = extend(static_cast<std::size_t>(size));
  std::memset(at, 0, static_cast<std::size_t>(size));
  if (size >= global_heap_object_head(sizes_)) store_little(at + 8, size, sizes_.length_size);
}

/// The length is known now.
void PlacedHeap::close_collection() {
  if (!open_) return;
  const std::uint64_t used = used_ - begun_;
  write_prefix(out_.data() + begun_, before_, sizes_);
  append_free(before_ - used);
  open_ = false;
}

Status PlacedHeap::write_out() {
  if (used_ == 0) return Status();
  PCIO_TRY(bytes_.write(next_, ConstBytes(out_).first(used_)));
  next_ += used_;
  used_ = 0;
  return Status();
}

Status PlacedHeap::put(ConstBytes bytes, Bytes heap_id) {
  count_referred(bytes.size());
  const std::uint64_t size = global_heap_object_size(bytes.size(), sizes_);
  if (is_shared()) {
    if (objects_ >= place_.demand.shared_objects || used_ + size > place_.demand.shared)
      return changed();
    const std::uint32_t index = place_.first_index + objects_++;
    append_object(index, bytes);
    store_global_heap_id({place_.collection, index}, heap_id);
    return Status();
  }
  before_ = cutter_.current();
  if (cutter_.add(size)) {
    close_collection();
    if (used_ >= kWriteBytes) PCIO_TRY(write_out());
    begun_ = used_;
    objects_ = 0;
    open_ = true;
    static_cast<void>(extend(global_heap_prefix_size(sizes_)));
  }
  if (cutter_.total() > place_.demand.own) return changed();
  append_object(++objects_, bytes);
  store_global_heap_id({next_ + begun_, objects_}, heap_id);
  return Status();
}

Status PlacedHeap::write_shared() {
  const FileAddress end = place_.slice + place_.demand.shared;
  if (place_.head_size > 0) append_free(place_.collection + place_.head_size - end);
  PCIO_TRY(bytes_.write(place_.slice, ConstBytes(out_).first(used_)));
  if (place_.head_size == 0) return Status();
  std::vector<std::byte> head(global_heap_prefix_size(sizes_));
  write_prefix(head.data(), place_.head_size, sizes_);
  return bytes_.write(place_.collection, head);
}

Status PlacedHeap::finish() {
  if (place_.demand.empty()) return Status();
  const bool same = is_shared()
                        ? objects_ == place_.demand.shared_objects && used_ == place_.demand.shared
                        : cutter_.total() == place_.demand.own;
  if (!same) return changed();
  if (is_shared()) return write_shared();
  before_ = cutter_.current();
  close_collection();
  return write_out();
}

}  // namespace pcio
