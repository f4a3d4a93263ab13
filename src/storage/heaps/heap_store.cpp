// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: HeapStore.

#include "storage/heaps/heap_store.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Larger objects have a collection of their own.
constexpr std::uint64_t kSmallObject = 32 << 10;
/// Collections for small objects grow to this size, as more of them are made.
constexpr std::uint64_t kLargeCollection = 64 << 10;
/// Less room than this is not worth a note.
constexpr std::uint64_t kLeastRoom = 64;

}  // namespace

const HeapImage* HeapStore::image(FileAddress address) const {
  const auto found = images_.find(address);
  return found == images_.end() ? nullptr : found->second.get();
}

Result<HeapImage> HeapStore::load(FileAddress address) {
  const std::uint64_t prefix = global_heap_prefix_size(file_.sizes());
  PCIO_ASSIGN(auto bytes, file_.bytes->block_up_to(address, prefix, kGlobalHeapMinSize,
                                                   "global heap collection"));
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(bytes, file_.sizes()));
  if (size > bytes.size()) {
    PCIO_ASSIGN(bytes, file_.bytes->block(address, size, "global heap collection"));
  }
  return HeapImage::parse(std::move(bytes), file_.sizes());
}

Result<FileAddress> HeapStore::allocate(std::uint64_t size) {
  return file_.space.allocate(size, SpaceUse::kRawData);
}

/// Written at once: nobody refers to it yet, nor to where it lies.
Result<GlobalHeapId> HeapStore::put_alone(ConstBytes bytes) {
  const std::uint64_t least =
      global_heap_prefix_size(file_.sizes()) + global_heap_object_size(bytes.size(), file_.sizes());
  HeapImage image = HeapImage::make(std::max(least, kGlobalHeapMinSize), file_.sizes());
  const GlobalHeapId id{kUndefinedAddress, image.add(bytes)};
  PCIO_ASSIGN(const FileAddress address, allocate(image.size()));
  if (Status written = file_.bytes->write(address, image.bytes()); !written.ok()) {
    file_.space.release({address, image.size()});
    return tl::unexpected(std::move(written));
  }
  return GlobalHeapId{address, id.index};
}

void HeapStore::note_room(FileAddress address, std::uint64_t room) {
  if (room >= kLeastRoom)
    with_room_[address] = room;
  else
    with_room_.erase(address);
}

/// The collection that was being filled is full. One that no commit has written is written now, where
/// nobody looks yet, so that memory holds few of them.
Status HeapStore::leave_collection() {
  if (filling_ == kUndefinedAddress) return Status();
  const auto found = images_.find(filling_);
  HeapImage& image = *found->second;
  const bool dirty = dirty_.contains(filling_);
  if (dirty && file_.space.is_uncommitted(filling_)) {
    PCIO_TRY(file_.bytes->write(filling_, image.bytes()));
    dirty_.erase(filling_);
  }
  note_room(filling_, image.room());
  if (!dirty_.contains(filling_)) images_.erase(found);
  filling_ = kUndefinedAddress;
  return Status();
}

Status HeapStore::begin_collection(std::uint64_t size) {
  const std::uint64_t least =
      global_heap_prefix_size(file_.sizes()) + global_heap_object_size(size, file_.sizes());
  const std::uint64_t bytes = std::max(next_size_, round_up(least, kGlobalHeapMinSize));
  auto image = std::make_unique<HeapImage>(HeapImage::make(bytes, file_.sizes()));
  PCIO_ASSIGN(const FileAddress address, allocate(bytes));
  images_[address] = std::move(image);
  filling_ = address;
  next_size_ = std::min(kLargeCollection, 2 * next_size_);
  return Status();
}

/// Goes on in a collection that has room. False: there is none.
Result<bool> HeapStore::reuse_collection(std::uint64_t size) {
  const std::uint64_t need = global_heap_object_size(size, file_.sizes());
  while (true) {
    const auto found = std::find_if(with_room_.begin(), with_room_.end(),
                                    [&](const auto& entry) { return entry.second >= need; });
    if (found == with_room_.end()) return false;
    const FileAddress address = found->first;
    with_room_.erase(found);
    if (!images_.contains(address)) {
      auto loaded = load(address);
      // What can't be read is not for new objects either.
      if (!loaded || !loaded->has_room(size)) continue;
      images_[address] = std::make_unique<HeapImage>(std::move(*loaded));
    }
    filling_ = address;
    return true;
  }
}

Result<GlobalHeapId> HeapStore::put(ConstBytes bytes) {
  if (bytes.size() > kSmallObject) return put_alone(bytes);
  const auto fits = [&] {
    return filling_ != kUndefinedAddress && images_.at(filling_)->has_room(bytes.size());
  };
  if (!fits()) {
    PCIO_TRY(leave_collection());
    PCIO_ASSIGN(const bool reused, reuse_collection(bytes.size()));
    if (!reused) PCIO_TRY(begin_collection(bytes.size()));
  }
  dirty_.insert(filling_);
  return GlobalHeapId{filling_, images_.at(filling_)->add(bytes)};
}

void HeapStore::let_go(const GlobalHeapId& id) {
  if (file_.coordinator->size() == 1) let_go_[id.collection].push_back(id.index);
}

Status HeapStore::take_out(FileAddress address, std::span<const std::uint32_t> indexes) {
  if (!images_.contains(address)) {
    auto loaded = load(address);
    if (!loaded) return Status();
    images_[address] = std::make_unique<HeapImage>(std::move(*loaded));
  }
  HeapImage& image = *images_.at(address);
  // Never what was not there: a damaged file may name anything.
  if (image.remove(indexes) == 0) {
    if (!dirty_.contains(address) && filling_ != address) images_.erase(address);
    return Status();
  }
  if (image.objects() > 0) {
    dirty_.insert(address);
    note_room(address, image.room());
    return Status();
  }
  file_.space.release({address, image.size()});
  if (filling_ == address) filling_ = kUndefinedAddress;
  with_room_.erase(address);
  dirty_.erase(address);
  images_.erase(address);
  return Status();
}

Status HeapStore::plan(Freeing freeing, BlockSet* blocks) {
  while (freeing == Freeing::kNow && !let_go_.empty()) {
    const auto first = let_go_.begin();
    PCIO_TRY(take_out(first->first, first->second));
    let_go_.erase(first);
  }
  for (const FileAddress address : dirty_) {
    HeapImage* const image = images_.at(address).get();
    blocks->push_back({{address, image->size()}, [image](ByteWriter& out) {
                         out.bytes(image->bytes());
                         return Status();
                       }});
  }
  return Status();
}

void HeapStore::end_filling() {
  if (filling_ == kUndefinedAddress || !file_.space.is_uncommitted(filling_)) return;
  HeapImage& image = *images_.at(filling_);
  const std::uint64_t before = image.size();
  image.shrink_to(round_up(before - image.room(), kGlobalHeapMinSize));
  if (image.size() == before) return;
  file_.space.release({filling_ + image.size(), before - image.size()});
  dirty_.insert(filling_);
}

void HeapStore::mark_committed(CommittedIn where) {
  dirty_.clear();
  if (where == CommittedIn::kPlace) forget_unrecovered();
}

void HeapStore::forget_unrecovered() {
  std::erase_if(images_, [&](const auto& entry) {
    return entry.first != filling_ && !dirty_.contains(entry.first);
  });
}

}  // namespace pcio
