// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: HeapReader.

#include "storage/heaps/heap_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

namespace {

/// Collections are read together where they begin less than this apart ...
constexpr std::uint64_t kMostGap = 128 << 10;
/// ... up to so many bytes.
constexpr std::uint64_t kMostPiece = 4 << 20;
/// Most collections are not longer than this.
constexpr std::uint64_t kUsualSize = 64 << 10;
/// Who asks for objects that are anywhere holds no more bytes than about this.
constexpr std::uint64_t kMostHeld = 256 << 20;
/// Objects of collections that change are copied into pieces of this size.
constexpr std::size_t kKeptTogether = 64 << 10;
/// So many damaged collections are remembered.
constexpr std::size_t kMostDamaged = 4096;
constexpr const char* kWhat = "global heap collection";

template <class Number>
Number load_little(const std::byte* at) {
  Number number = 0;
  std::memcpy(&number, at, sizeof number);
  if constexpr (std::endian::native == std::endian::little)
    return number;
  else if constexpr (sizeof number == 8)
    return __builtin_bswap64(number);
  else
    return __builtin_bswap32(number);
}

}  // namespace

Bytes PieceBuffers::take(std::size_t size) {
  if (used_ == buffers_.size()) buffers_.emplace_back();
  Buffer& buffer = buffers_[used_];
  if (buffer.size < size) {
    buffer = Buffer();
    buffer.bytes = std::make_unique_for_overwrite<std::byte[]>(size);
    buffer.size = size;
  }
  ++used_;
  bytes_ += size;
  return {buffer.bytes.get(), size};
}

void HeapReader::forget() {
  collections_.clear();
  in_order_ = 0;
  offsets_.clear();
  buffers_.clear();
  room_ = {};
  bytes_ = 0;
  last_ = 0;
}

/// Null: it is not there. Elements mostly refer to the same as before, or to what comes next.
const HeapReader::Collection* HeapReader::look_up(FileAddress address) {
  const auto is_at = [&](std::size_t place) {
    return place < collections_.size() && collections_[place].address == address;
  };
  if (is_at(last_)) return &collections_[last_];
  if (!is_at(++last_)) {
    const auto at = std::partition_point(
        collections_.begin(), collections_.end(),
        [address](const Collection& collection) { return collection.address < address; });
    last_ = static_cast<std::size_t>(at - collections_.begin());
  }
  return is_at(last_) ? &collections_[last_] : nullptr;
}

/// `bytes`: in a buffer, and apart from all others. Behind these, until put_in_order().
Status HeapReader::add(FileAddress address, ConstBytes bytes) {
  Collection collection;
  collection.address = address;
  collection.bytes = bytes;
  collection.first = offsets_.size();
  if (!index_global_heap_objects(bytes, file_.sizes(), &offsets_)) {
    std::vector<std::byte> copy(bytes.begin(), bytes.end());
    PCIO_ASSIGN(CollectionImage image, CollectionImage::parse(std::move(copy), file_.sizes()));
    bytes_ += image.size() + image.objects() * sizeof(GlobalHeapEntry);
    collection.odd = std::make_unique<CollectionImage>(std::move(image));
  }
  collection.objects = offsets_.size() - collection.first;
  bytes_ += sizeof collection + collection.objects * sizeof offsets_[0];
  collections_.push_back(std::move(collection));
  return Status();
}

/// Collections of a sound file lie apart. Those of a hostile one may lie in each other by the thousand, and each be
/// nearly as long as the file: together they would be more than can be read. `size`: as far as it is known.
Status HeapReader::check_apart(FileAddress address, std::uint64_t size) const {
  if (!fits_inside(damaged_bytes_, size, file_.bytes->all_bytes()))
    return PCIO_ERROR(HEAP, BADVALUE, "damaged global heap collections are larger than the file");
  const auto end = collections_.begin() + static_cast<std::ptrdiff_t>(in_order_);
  const auto next = std::partition_point(
      collections_.begin(), end,
      [address](const Collection& collection) { return collection.address < address; });
  const auto before = next == collections_.begin() ? end : next - 1;
  const bool starts_inside = before != end && address - before->address < before->bytes.size();
  const bool ends_inside = next != end && next->address - address < size;
  if (!starts_inside && !ends_inside) return Status();
  const FileAddress other = (starts_inside ? before : next)->address;
  return PCIO_ERROR(HEAP, BADVALUE,
                    "global heap collections at addresses " + std::to_string(other) + " and " +
                        std::to_string(address) + " overlap");
}

/// The last ones, from in_order_ on, come to where they belong; they are in order themselves.
void HeapReader::put_in_order() {
  const std::size_t sorted = std::exchange(in_order_, collections_.size());
  const auto less = [](const Collection& a, const Collection& b) { return a.address < b.address; };
  const auto middle = collections_.begin() + static_cast<std::ptrdiff_t>(sorted);
  if (middle == collections_.begin() || middle == collections_.end()) return;
  if (less(*(middle - 1), *middle)) return;
  std::inplace_merge(collections_.begin(), middle, collections_.end(), less);
}

/// All of a collection that begins with `begin`. Nothing is allocated for what the file doesn't have.
Result<ConstBytes> HeapReader::complete(FileAddress address, ConstBytes begin) {
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(begin, file_.sizes()));
  PCIO_TRY(check_apart(address, size));
  if (size <= begin.size()) return begin.first(static_cast<std::size_t>(size));
  if (!file_.bytes->holds(address, size))
    return PCIO_ERROR(
        FILE, TRUNCATED,
        std::string(kWhat) + " at address " + std::to_string(address) + " is outside the file");
  const Bytes whole = buffers_.take(static_cast<std::size_t>(size));
  std::memcpy(whole.data(), begin.data(), begin.size());
  const Bytes rest = whole.subspan(begin.size());
  PCIO_TRY(file_.bytes->block_into(address + begin.size(), rest.size(), rest, kWhat));
  return whole;
}

Result<ConstBytes> HeapReader::read_whole(FileAddress address) {
  PCIO_TRY(check_apart(address, 1));
  const std::uint64_t prefix = global_heap_prefix_size(file_.sizes());
  const Bytes begin = buffers_.take(kGlobalHeapMinSize);
  PCIO_ASSIGN(const std::uint64_t have, file_.bytes->block_into(address, prefix, begin, kWhat));
  return complete(address, begin.first(static_cast<std::size_t>(have)));
}

Status HeapReader::read_one(FileAddress address) {
  if (const auto known = damaged_.find(address); known != damaged_.end())
    return Status(known->second);
  const PieceBuffers::Mark before = buffers_.mark();
  auto whole = read_whole(address);
  Status added = whole ? add(address, *whole) : detail::to_status(std::move(whole));
  if (added.ok()) {
    put_in_order();
    return added;
  }
  buffers_.go_back(before);
  // Its bytes are not kept, and it may be asked for again.
  if (whole) {
    damaged_bytes_ += whole->size();
    if (damaged_.size() < kMostDamaged) damaged_.emplace(address, added);
  }
  return added;
}

/// Null: there is none.
const std::byte* HeapReader::find_object(const Collection& collection, std::uint32_t index) const {
  if (index - 1 >= collection.objects) return nullptr;
  const std::uint32_t offset = offsets_[collection.first + index - 1];
  return offset == 0 ? nullptr : collection.bytes.data() + offset;
}

Result<ConstBytes> HeapReader::object_of(const Collection& collection, std::uint32_t index,
                                         std::uint64_t least) const {
  if (collection.odd) return collection.odd->object(index, least);
  const std::byte* const data = find_object(collection, index);
  if (data == nullptr) return no_heap_object(index);
  const std::uint64_t size = load_global_heap_object_size(data, file_.sizes());
  if (size < least) return short_heap_object(index, size, least);
  return ConstBytes(data, static_cast<std::size_t>(size));
}

Result<ConstBytes> HeapReader::object(const GlobalHeapId& id, std::uint64_t least) {
  if (const CollectionImage* const changed = store_.image(id.collection)) {
    // Functions of the program may write while it is used: images come, change and go.
    PCIO_ASSIGN(const ConstBytes bytes, changed->object(id.index, least));
    return keep(bytes);
  }
  const Collection* collection = look_up(id.collection);
  if (collection == nullptr) {
    PCIO_TRY(read_one(id.collection));
    collection = look_up(id.collection);
  }
  return object_of(*collection, id.index, least);
}

ConstBytes HeapReader::keep(ConstBytes bytes) {
  if (room_.size() < bytes.size()) room_ = buffers_.take(std::max(bytes.size(), kKeptTogether));
  const Bytes copy = room_.first(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.begin());
  room_ = room_.subspan(bytes.size());
  return copy;
}

Result<ConstBytes> HeapReader::single_object(const GlobalHeapId& id, std::uint64_t least) {
  if (bytes() > kMostHeld && look_up(id.collection) == nullptr) forget();
  return object(id, least);
}

std::size_t HeapReader::find(const HeapReferences& references, std::span<const std::byte*> found) {
  // Nearly all files.
  constexpr std::size_t kUsualId = 12;
  if (references.id_size != kUsualId || file_.sizes().length_size != 8) return 0;
  const std::byte* at = references.at;
  FileAddress last = kUndefinedAddress;
  const Collection* collection = nullptr;
  for (std::size_t i = 0; i < found.size(); ++i, at += references.step) {
    const std::byte* const id = at + kSequenceCountSize;
    const auto address = load_little<FileAddress>(id);
    if (address == 0) {
      found[i] = nullptr;
      continue;
    }
    if (address != last || collection == nullptr) {
      if (store_.image(address) != nullptr) return i;
      collection = look_up(address);
      if (collection == nullptr || collection->odd) return i;
      last = address;
    }
    std::uint64_t size = 0;
    if (__builtin_mul_overflow(load_sequence_count(at), references.base_size, &size) || size == 0)
      return i;
    const std::byte* const data =
        find_object(*collection, load_little<std::uint32_t>(id + sizeof address));
    if (data == nullptr || load_little<std::uint64_t>(data - sizeof size) < size) return i;
    found[i] = data;
  }
  return found.size();
}

/// `size`: bytes from the first of them on, as far as the file goes.
Status HeapReader::read_piece(std::span<const FileAddress> collections, std::uint64_t size) {
  const std::uint64_t prefix = global_heap_prefix_size(file_.sizes());
  const FileAddress start = collections.front();
  const Bytes room = buffers_.take(static_cast<std::size_t>(size));
  const auto have = file_.bytes->block_into(start, prefix, room, kWhat);
  // Who needs one of them finds out why.
  if (!have) return Status();
  const ConstBytes piece = room.first(static_cast<std::size_t>(*have));
  for (const FileAddress address : collections) {
    // Collections that overlap are damaged, and might be read many times over.
    if (address < behind_) continue;
    const std::uint64_t at = address - start;
    if (at >= piece.size()) break;
    const auto whole = complete(address, piece.subspan(static_cast<std::size_t>(at)));
    if (!whole) continue;
    behind_ = address + whole->size();
    static_cast<void>(add(address, *whole));
  }
  return Status();
}

Status HeapReader::prepare(std::vector<FileAddress>& collections) {
  if (!std::is_sorted(collections.begin(), collections.end()))
    std::sort(collections.begin(), collections.end());
  collections.erase(std::unique(collections.begin(), collections.end()), collections.end());
  std::erase_if(collections, [&](FileAddress address) {
    return address >= file_.bytes->end() || look_up(address) != nullptr ||
           store_.image(address) != nullptr || damaged_.contains(address);
  });
  behind_ = 0;
  const std::span<const FileAddress> all(collections);
  for (std::size_t first = 0; first < all.size() && bytes() <= kMostHeld;) {
    std::size_t end = first + 1;
    while (end < all.size() && all[end] - all[end - 1] <= kMostGap &&
           all[end] - all[first] + kUsualSize <= kMostPiece)
      ++end;
    // A single one says itself how long it is.
    const std::uint64_t size =
        end == first + 1 ? kGlobalHeapMinSize : all[end - 1] - all[first] + kUsualSize;
    PCIO_TRY(read_piece(all.subspan(first, end - first), size));
    first = end;
  }
  put_in_order();
  collections.clear();
  return Status();
}

namespace {

/// More references than this are not looked at together: a damaged file may have any number.
constexpr std::size_t kMostUses = std::size_t{4} << 20;

enum class Reading : std::uint8_t { kAll, kWhatRefersOn };

/// Goes on from `uses` level by level; they are used up. False: a level has too many to be looked at.
template <class OnEach>
Result<bool> walk_uses(HeapReader& reader, std::vector<SequenceMap::Use>& uses, Reading reading,
                       OnEach&& on_each) {
  std::vector<SequenceMap::Use> inside;
  std::vector<FileAddress> collections;
  while (!uses.empty()) {
    if (uses.size() > kMostUses) return false;
    for (const SequenceMap::Use& use : uses) {
      const GlobalHeapId id = load_global_heap_id(use.heap_id);
      on_each(id);
      const bool wanted = reading == Reading::kAll ? use.size > 0 : use.inside != nullptr;
      if (wanted && (collections.empty() || collections.back() != id.collection))
        collections.push_back(id.collection);
    }
    PCIO_TRY(reader.prepare(collections));
    inside.clear();
    for (const SequenceMap::Use& use : uses) {
      if (use.inside == nullptr || use.size == 0) continue;
      const auto bytes = reader.object(load_global_heap_id(use.heap_id), use.size);
      if (!bytes) continue;
      PCIO_TRY(use.inside->collect(bytes->first(static_cast<std::size_t>(use.size)), &inside));
      if (inside.size() > kMostUses) return false;
    }
    uses.swap(inside);
  }
  return true;
}

}  // namespace

Status HeapReader::prepare(const SequenceMap& map, ConstBytes elements) {
  std::vector<SequenceMap::Use> uses;
  PCIO_TRY(map.collect(elements, &uses));
  return prepare(uses);
}

Status HeapReader::prepare(std::vector<SequenceMap::Use>& uses) {
  // What is not read together is read one by one.
  return detail::to_status(walk_uses(*this, uses, Reading::kAll, [](const GlobalHeapId&) {}));
}

bool HeapReader::count_owned(std::uint64_t more) {
  // Where others write elements that share objects a few are let pass. An object takes twice the room or more: a write
  // counts what it leaves once more.
  constexpr std::uint64_t kFew = std::uint64_t{64} << 10;
  constexpr std::uint64_t kLeastRoom = 8;
  const std::uint64_t most = std::max(kFew, most_bytes() / kLeastRoom);
  *counted_ = more < most && *counted_ < most ? *counted_ + more : most + 1;
  return *counted_ <= most;
}

Result<bool> collect_owned(HeapReader& reader, const SequenceMap& map, ConstBytes elements,
                           std::vector<GlobalHeapId>* owned) {
  constexpr std::size_t kTogether = std::size_t{64} << 10;
  const std::size_t size = map.element_size();
  bool all = true, fits = reader.count_owned(0);
  std::size_t most = kTogether;
  std::vector<SequenceMap::Use> uses;
  for (std::size_t first = 0; fits && first < elements.size();) {
    const std::size_t bytes =
        most < (elements.size() - first) / size ? most * size : elements.size() - first;
    const std::size_t before = owned->size();
    uses.clear();
    PCIO_TRY(map.collect(elements.subspan(first, bytes), &uses));
    PCIO_ASSIGN(const bool seen,
                walk_uses(reader, uses, Reading::kWhatRefersOn,
                          [owned](const GlobalHeapId& id) { owned->push_back(id); }));
    if (!seen && bytes > size) {
      owned->resize(before);
      most = bytes / size / 2;
      continue;
    }
    all = all && seen;
    const std::size_t missed = seen ? 0 : kMostUses;
    fits = reader.count_owned(owned->size() - before + missed);
    first += bytes;
    // Few pieces are small: each reads its collections anew.
    most = std::min(2 * most, kTogether);
    // The reader keeps what it has read: of pieces that are done it need not.
    if (first < elements.size()) reader.forget();
  }
  return all && fits;
}

Result<ConstBytes> FileHeap::get(ConstBytes heap_id, std::uint64_t size) {
  count_referred(size);
  return reader_.single_object(load_global_heap_id(heap_id), size);
}

std::size_t FileHeap::find(const HeapReferences& references, std::span<const std::byte*> found) {
  const std::size_t n = reader_.find(references, found);
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < n; ++i)
    counted += load_sequence_count(references.at + i * references.step);
  count_referred(counted * references.base_size);
  return n;
}

Status FileHeap::put(ConstBytes bytes, Bytes heap_id) {
  count_referred(bytes.size());
  if (store_ == nullptr)
    return PCIO_ERROR(HEAP, UNSUPPORTED, "variable-length data can't be written here");
  PCIO_ASSIGN(const GlobalHeapId id, store_->put(bytes));
  if (last_ == put_.end() || last_->first != id.collection)
    last_ = put_.try_emplace(id.collection).first;
  last_->second.push_back(id.index);
  if (heap_id.size() != global_heap_id_size(reader_.sizes()))
    return PCIO_ERROR(INTERNAL, BADSIZE, "a heap id of another length than the file's");
  store_global_heap_id(id, heap_id);
  return Status();
}

void FileHeap::take_back() noexcept {
  static_cast<void>(without_throwing([&] {
    for (const auto& [collection, indexes] : put_)
      for (const std::uint32_t index : indexes) store_->let_go({collection, index});
    return Status();
  }));
  put_.clear();
  last_ = put_.end();
}

}  // namespace pcio
