// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: HeapStore.

#include "storage/heaps/heap_store.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "storage/space/taken_space.hpp"

namespace pcio {

namespace {

/// Larger objects have a collection of their own.
constexpr std::uint64_t kSmallObject = 32 << 10;
/// Collections for small objects grow to this size, as more of them are made.
constexpr std::uint64_t kLargeCollection = 64 << 10;
/// Less room than this is not worth a note.
constexpr std::uint64_t kLeastHeapRoom = 64;
/// Of a collection's size in a list of changes: it is to be released.
constexpr std::uint64_t kEmptyBit = std::uint64_t{1} << 63;

}  // namespace

const CollectionImage* HeapStore::image(FileAddress address) const {
  const auto found = images_.find(address);
  return found == images_.end() ? nullptr : found->second.get();
}

/// `most`: bytes that it may have.
Result<CollectionImage> HeapStore::load(FileAddress address, std::uint64_t most) {
  const std::uint64_t prefix = global_heap_prefix_size(file_.sizes());
  PCIO_ASSIGN(auto bytes, file_.bytes->block_up_to(address, prefix, kGlobalHeapMinSize,
                                                   "global heap collection"));
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(bytes, file_.sizes()));
  if (size > most)
    return PCIO_ERROR(HEAP, BADVALUE, "global heap collections are larger than the file");
  if (size > bytes.size()) {
    PCIO_ASSIGN(bytes, file_.bytes->block(address, size, "global heap collection"));
  }
  return CollectionImage::parse(std::move(bytes), file_.sizes());
}

Result<FileAddress> HeapStore::allocate(std::uint64_t size) {
  if (is_alone()) return file_.space.allocate(size, SpaceUse::kRawData);
  allocated_.reserve(allocated_.size() + 1);
  PCIO_ASSIGN(const FileAddress address,
              file_.space.allocate(size, SpaceUse::kRawDataFreeAtCommit));
  allocated_.push_back(size);
  return address;
}

/// Written at once: nobody refers to it yet, nor to where it lies.
Result<GlobalHeapId> HeapStore::put_alone(ConstBytes bytes) {
  const std::uint64_t least =
      global_heap_prefix_size(file_.sizes()) + global_heap_object_size(bytes.size(), file_.sizes());
  CollectionImage image = CollectionImage::make(std::max(least, kGlobalHeapMinSize), file_.sizes());
  const GlobalHeapId id{kUndefinedAddress, image.add(bytes)};
  PCIO_ASSIGN(const FileAddress address, allocate(image.size()));
  // Of several ranks the others would have to release it, too.
  TakenSpace taken(file_.space, is_alone() ? ByteRange{address, image.size()} : ByteRange());
  PCIO_TRY(file_.bytes->write(address, image.bytes()));
  taken.keep();
  return GlobalHeapId{address, id.index};
}

void HeapStore::note_room(FileAddress address, std::uint64_t room) {
  if (is_alone() && room >= kLeastHeapRoom)
    with_room_[address] = room;
  else
    with_room_.erase(address);
}

/// The collection that was being filled is full. One that no commit has written is written now, where
/// nobody looks yet, so that memory holds few of them.
Status HeapStore::leave_collection() {
  if (filling_ == kUndefinedAddress) return Status();
  const auto found = images_.find(filling_);
  CollectionImage& image = *found->second;
  // Of several ranks' files none that a commit has written is filled.
  if (!is_alone() || (dirty_.contains(filling_) && file_.space.is_uncommitted(filling_))) {
    PCIO_TRY(file_.bytes->write(filling_, image.bytes()));
    if (is_alone()) dirty_.erase(filling_);
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
  // Who has bytes needs no more memory to keep them.
  Images one;
  one.emplace(0, std::make_unique<CollectionImage>(CollectionImage::make(bytes, file_.sizes())));
  PCIO_ASSIGN(const FileAddress address, allocate(bytes));
  auto node = one.extract(one.begin());
  node.key() = address;
  images_.erase(address);
  images_.insert(std::move(node));
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
      auto loaded = load(address, file_.bytes->all_bytes());
      // What can't be read is not for new objects either.
      if (!loaded || !loaded->has_room(size)) continue;
      images_[address] = std::make_unique<CollectionImage>(std::move(*loaded));
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
  CollectionImage& image = *images_.at(filling_);
  if (is_alone()) dirty_[filling_] = image.size();
  return GlobalHeapId{filling_, image.add(bytes)};
}

/// It is new: nobody refers to it in what is committed.
Status HeapStore::write_filled() {
  if (filling_ == kUndefinedAddress) return Status();
  Status written = file_.bytes->write(filling_, images_.at(filling_)->bytes());
  if (!written.ok()) filling_ = kUndefinedAddress;
  return written;
}

Status HeapStore::follow(std::span<const std::uint64_t> sizes) {
  for (const std::uint64_t size : sizes)
    PCIO_TRY(detail::to_status(file_.space.allocate(size, SpaceUse::kRawDataFreeAtCommit)));
  return Status();
}

void HeapStore::let_go(const GlobalHeapId& id) { let_go_[id.collection].push_back(id.index); }

HeapStore::LetGo HeapStore::take_let_go(std::uint64_t most) {
  LetGo taken;
  while (!let_go_.empty()) {
    // Elements that several writes name, or a damaged file.
    std::vector<std::uint32_t>& indexes = let_go_.begin()->second;
    std::sort(indexes.begin(), indexes.end());
    indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
    if (indexes.size() > most) break;
    most -= indexes.size();
    taken.insert(let_go_.extract(let_go_.begin()));
  }
  return taken;
}

Status HeapStore::take_out(FileAddress address, std::span<const std::uint32_t> indexes,
                           std::vector<std::uint64_t>* changes) {
  changes->reserve(changes->size() + 2);
  if (!images_.contains(address)) {
    // Each is looked at once: those of a sound file have no more bytes than that. A damaged one may name as many
    // places within one collection as it has bytes.
    auto loaded = load(address, file_.bytes->all_bytes() - looked_at_);
    if (!loaded) return Status();
    looked_at_ += loaded->size();
    images_[address] = std::make_unique<CollectionImage>(std::move(*loaded));
  }
  CollectionImage& image = *images_.at(address);
  // Never what was not there: a damaged file may name anything.
  if (image.remove(indexes) == 0) {
    if (!dirty_.contains(address) && filling_ != address) images_.erase(address);
    return Status();
  }
  changes->push_back(address);
  changes->push_back(image.size() | (image.objects() == 0 ? kEmptyBit : 0));
  if (image.objects() > 0) note_room(address, image.room());
  return Status();
}

Status HeapStore::take_out(const LetGo& objects, std::vector<std::uint64_t>* changes) {
  looked_at_ = 0;
  for (const auto& [address, indexes] : objects) PCIO_TRY(take_out(address, indexes, changes));
  return Status();
}

void HeapStore::make_room_for_changes(std::size_t collections) {
  empty_.reserve(empty_.size() + collections);
  for (std::size_t i = spare_.size(); i < collections; ++i) spare_.emplace(i, 0);
}

/// Asks for no memory: it can't be done on some ranks only.
void HeapStore::note_changes(std::span<const std::uint64_t> changes) {
  for (std::size_t i = 0; i + 1 < changes.size(); i += 2) {
    const FileAddress address = changes[i];
    const std::uint64_t size = changes[i + 1] & ~kEmptyBit;
    if (changes[i + 1] == size) {
      auto node = spare_.extract(std::prev(spare_.end()));
      node.key() = address;
      dirty_.insert(std::move(node)).position->second = size;
      continue;
    }
    empty_.push_back({address, size});
    dirty_.erase(address);
    images_.erase(address);
    with_room_.erase(address);
    if (filling_ == address) filling_ = kUndefinedAddress;
    // Another collection may get this place, and what this one had is not to be taken out of that.
    let_go_.erase(address);
  }
  spare_.clear();
}

/// What was let go, in a file that one rank has.
Status HeapStore::take_out_now() {
  looked_at_ = 0;
  while (!let_go_.empty()) {
    const auto first = let_go_.begin();
    const FileAddress address = first->first;
    std::vector<std::uint64_t> changes;
    make_room_for_changes(1);
    PCIO_TRY(take_out(address, first->second, &changes));
    let_go_.erase(first);
    if (changes.empty()) continue;
    taken_out_ = true;
    note_changes(changes);
  }
  return Status();
}

Status HeapStore::plan(Freeing freeing, BlockSet* blocks) {
  planned_ = false;
  if (freeing == Freeing::kLater && !is_alone()) return Status();
  if (freeing == Freeing::kLater && taken_out_)
    return PCIO_ERROR(
        HEAP, CANTFLUSH,
        "what is left out still refers to objects that a commit that failed has freed");
  if (freeing == Freeing::kNow && is_alone()) PCIO_TRY(take_out_now());
  for (const ByteRange& range : empty_) file_.space.release(range);
  empty_.clear();
  for (const auto& [address, size] : dirty_)
    blocks->push_back({{address, size}, [this, at = address](ByteWriter& out) -> Status {
                         const auto found = images_.find(at);
                         if (found == images_.end())
                           return PCIO_ERROR(INTERNAL, NOTFOUND, "a heap collection was lost");
                         out.bytes(found->second->bytes());
                         return Status();
                       }});
  planned_ = true;
  return Status();
}

void HeapStore::end_filling() {
  if (!is_alone() || filling_ == kUndefinedAddress || !file_.space.is_uncommitted(filling_)) return;
  CollectionImage& image = *images_.at(filling_);
  const std::uint64_t before = image.size();
  image.shrink_to(round_up(before - image.room(), kGlobalHeapMinSize));
  if (image.size() == before) return;
  file_.space.release({filling_ + image.size(), before - image.size()});
  dirty_[filling_] = image.size();
}

void HeapStore::mark_committed(CommittedIn where) {
  has_new_regions_ = false;
  if (std::exchange(planned_, false)) {
    dirty_.clear();
    taken_out_ = false;
  }
  // Rank 0 could not go on in it without the others.
  if (!is_alone()) filling_ = kUndefinedAddress;
  if (where == CommittedIn::kPlace) forget_unrecovered();
}

void HeapStore::forget_unrecovered() {
  std::erase_if(images_, [&](const auto& entry) {
    return entry.first != filling_ && !dirty_.contains(entry.first);
  });
}

}  // namespace pcio
