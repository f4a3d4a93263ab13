// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: HeapReader.

#include "storage/heaps/heap_reader.hpp"

#include <algorithm>

#include "base/without_throwing.hpp"

namespace pcio {

namespace {

/// Collections are read together where they begin less than this apart ...
constexpr std::uint64_t kMostGap = 128 << 10;
/// ... up to so many bytes.
constexpr std::uint64_t kMostPiece = 4 << 20;
/// Most collections are not longer than this.
constexpr std::uint64_t kUsualSize = 64 << 10;

}  // namespace

void HeapReader::forget() {
  images_.clear();
  bytes_ = 0;
  last_address_ = kUndefinedAddress;
  last_ = nullptr;
}

Status HeapReader::add(FileAddress address, std::vector<std::byte> bytes) {
  PCIO_ASSIGN(CollectionImage image, CollectionImage::parse(std::move(bytes), file_.sizes()));
  bytes_ += image.size() + image.objects() * sizeof(GlobalHeapEntry);
  images_.emplace(address, std::move(image));
  return Status();
}

Status HeapReader::read_one(FileAddress address) {
  const std::uint64_t prefix = global_heap_prefix_size(file_.sizes());
  PCIO_ASSIGN(auto bytes, file_.bytes->block_up_to(address, prefix, kGlobalHeapMinSize,
                                                   "global heap collection"));
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(bytes, file_.sizes()));
  if (size > bytes.size()) {
    PCIO_ASSIGN(bytes, file_.bytes->block(address, size, "global heap collection"));
  }
  return add(address, std::move(bytes));
}

Result<ConstBytes> HeapReader::object(const GlobalHeapId& id, std::uint64_t least) {
  if (const CollectionImage* const changed = store_.image(id.collection))
    return changed->object(id.index, least);
  if (last_ == nullptr || last_address_ != id.collection) {
    auto found = images_.find(id.collection);
    if (found == images_.end()) {
      PCIO_TRY(read_one(id.collection));
      found = images_.find(id.collection);
    }
    last_address_ = id.collection;
    last_ = &found->second;
  }
  return last_->object(id.index, least);
}

/// `size`: bytes from the first of them on, as far as the file goes.
Status HeapReader::read_piece(std::span<const FileAddress> collections, std::uint64_t size) {
  const std::uint64_t prefix = global_heap_prefix_size(file_.sizes());
  const FileAddress start = collections.front();
  auto piece = file_.bytes->block_up_to(start, prefix, size, "global heap collection");
  // Who needs one of them finds out why.
  if (!piece) return Status();
  for (const FileAddress address : collections) {
    const std::uint64_t at = address - start;
    if (at >= piece->size()) break;
    const ConstBytes here = ConstBytes(*piece).subspan(static_cast<std::size_t>(at));
    const auto whole = global_heap_collection_size(here, file_.sizes());
    if (!whole || !file_.bytes->holds(address, *whole)) continue;
    // Collections that overlap are damaged, and might be read many times over.
    if (address < behind_) continue;
    behind_ = address + *whole;
    std::vector<std::byte> bytes(
        here.begin(),
        here.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(*whole, here.size())));
    if (bytes.size() < *whole) {
      const std::uint64_t missing = *whole - bytes.size();
      auto rest = file_.bytes->block(address + bytes.size(), missing, "global heap collection");
      if (!rest) continue;
      bytes.insert(bytes.end(), rest->begin(), rest->end());
    }
    static_cast<void>(add(address, std::move(bytes)));
  }
  return Status();
}

Status HeapReader::prepare(std::vector<FileAddress> collections) {
  std::sort(collections.begin(), collections.end());
  collections.erase(std::unique(collections.begin(), collections.end()), collections.end());
  std::erase_if(collections, [&](FileAddress address) {
    return address >= file_.bytes->end() || images_.contains(address) ||
           store_.image(address) != nullptr;
  });
  behind_ = 0;
  const std::span<const FileAddress> all(collections);
  for (std::size_t first = 0; first < all.size();) {
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
  return Status();
}

namespace {

/// More references than this are not looked at together: a damaged file may have any number.
constexpr std::size_t kMostUses = std::size_t{4} << 20;

enum class Reading : std::uint8_t { kAll, kWhatRefersOn };

/// Goes on from `uses` level by level; they are used up.
template <class OnEach>
Status walk_uses(HeapReader& reader, std::vector<SequenceMap::Use>& uses, Reading reading,
                 OnEach&& on_each) {
  std::vector<SequenceMap::Use> inside;
  while (!uses.empty() && uses.size() <= kMostUses) {
    std::vector<FileAddress> collections;
    for (const SequenceMap::Use& use : uses) {
      const GlobalHeapId id = load_global_heap_id(use.heap_id);
      on_each(id);
      const bool wanted = reading == Reading::kAll ? use.size > 0 : use.inside != nullptr;
      if (wanted && (collections.empty() || collections.back() != id.collection))
        collections.push_back(id.collection);
    }
    PCIO_TRY(reader.prepare(std::move(collections)));
    inside.clear();
    for (const SequenceMap::Use& use : uses) {
      if (use.inside == nullptr || use.size == 0) continue;
      const auto bytes = reader.object(load_global_heap_id(use.heap_id), use.size);
      if (!bytes) continue;
      PCIO_TRY(use.inside->collect(bytes->first(static_cast<std::size_t>(use.size)), &inside));
      if (inside.size() > kMostUses) return Status();
    }
    uses.swap(inside);
  }
  return Status();
}

}  // namespace

Status HeapReader::prepare(const SequenceMap& map, ConstBytes elements) {
  std::vector<SequenceMap::Use> uses;
  PCIO_TRY(map.collect(elements, &uses));
  return prepare(uses);
}

Status HeapReader::prepare(std::vector<SequenceMap::Use>& uses) {
  return walk_uses(*this, uses, Reading::kAll, [](const GlobalHeapId&) {});
}

Status collect_owned(HeapReader& reader, const SequenceMap& map, ConstBytes elements,
                     std::vector<GlobalHeapId>* owned) {
  std::vector<SequenceMap::Use> uses;
  PCIO_TRY(map.collect(elements, &uses));
  return walk_uses(reader, uses, Reading::kWhatRefersOn,
                   [owned](const GlobalHeapId& id) { owned->push_back(id); });
}

Result<ConstBytes> FileHeap::get(ConstBytes heap_id, std::uint64_t size) {
  return reader_.object(load_global_heap_id(heap_id), size);
}

Status FileHeap::put(ConstBytes bytes, Bytes heap_id) {
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
