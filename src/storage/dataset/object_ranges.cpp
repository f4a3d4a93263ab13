// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: who has which bytes, out of line.

#include "storage/dataset/object_ranges.hpp"

#include <iterator>
#include <map>
#include <string>

#include "format/extension_messages.hpp"
#include "format/free_space.hpp"
#include "storage/dense/heap_reader.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/dataset/owned_objects.hpp"

namespace pcio {

namespace {

/// Appends those that are asked for.
class Ranges {
 public:
  Ranges(RangeUses uses, std::vector<UsedRange>* ranges) : uses_(uses), ranges_(*ranges) {}
  [[nodiscard]] bool want(RangeUse use) const { return uses_.has(use); }
  void add(RangeUse use, const ByteRange& range) {
    if (want(use) && range.size > 0) ranges_.push_back({use, range});
  }
  void add(RangeUse use, std::span<const ByteRange> ranges) {
    for (const ByteRange& range : ranges) add(use, range);
  }

 private:
  RangeUses uses_;
  std::vector<UsedRange>& ranges_;
};

Status check_committed(const StoredObject& object) {
  if (!object.is_dirty() && !object.links_dirty() && !object.attributes_dirty()) return Status();
  return PCIO_ERROR(FILE, CANTGET,
                    "it has changes that no commit has written: H5Fflush() comes before this");
}

/// What a fractal heap lists as free is known otherwise, and so is read by nobody else.
Status check_free_list(FileStore& store, FileAddress heap) {
  if (heap == kUndefinedAddress) return Status();
  FileBytes& file = store.bytes();
  const FileSizes& sizes = store.sizes();
  PCIO_ASSIGN(const FractalHeapReader reader, FractalHeapReader::open(file, sizes, heap));
  const FileAddress address = reader.header().free_space_address;
  if (address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(const auto head,
              file.block(address, free_space_header_size(sizes), "free-space manager"));
  PCIO_ASSIGN(const FreeSpaceHeader header, decode_free_space_header(head, sizes));
  if (header.serialized_sections == 0 || header.list_address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(const auto list,
              file.block(header.list_address, header.list_used, "list of free space"));
  return detail::to_status(decode_free_space_list(list, header, address, sizes));
}

Status add_dense(FileStore& store, const StoredObjectPtr& object, DenseKind kind, Ranges* ranges) {
  PCIO_ASSIGN(const auto dense, store.objects().dense_ranges(*object, kind));
  ranges->add(kind == DenseKind::kLinks ? RangeUse::kLinks : RangeUse::kAttributes, dense);
  PCIO_ASSIGN(const DensePlace place, store.objects().dense_place(*object, kind));
  return check_free_list(store, place.heap);
}

/// The whole collection is read: its objects must follow each other as they say. Errors: it goes beyond `limit`, where
/// another one begins that was read already.
Result<ByteRange> collection_range(FileStore& store, FileAddress address, FileAddress limit) {
  const FileSizes& sizes = store.sizes();
  PCIO_ASSIGN(const auto prefix,
              store.bytes().block(address, global_heap_prefix_size(sizes), "global heap"));
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(prefix, sizes));
  if (size > limit - address)
    return PCIO_ERROR(DATASET, BADVALUE,
                      "the heap collection at address " + std::to_string(limit) +
                          " begins in the one at address " + std::to_string(address));
  PCIO_ASSIGN(const auto bytes, store.bytes().block(address, size, "global heap"));
  PCIO_TRY(detail::to_status(list_global_heap_objects(bytes, sizes)));
  return ByteRange{address, size};
}

Status add_heaps(FileStore& store, const StoredObjectPtr& object, Ranges* ranges) {
  if (!ranges->want(RangeUse::kHeap)) return Status();
  std::map<FileAddress, FileAddress> seen;  // to where they end
  return visit_heap_collections(store, object, [&](FileAddress address) -> Status {
    const auto behind = seen.upper_bound(address);
    if (behind != seen.begin()) {
      const auto& [start, end] = *std::prev(behind);
      if (start == address) return Status();
      // Each byte is read once, whatever a damaged file says.
      if (address < end)
        return PCIO_ERROR(DATASET, BADVALUE,
                          "the heap collection at address " + std::to_string(address) +
                              " begins in the one at address " + std::to_string(start));
    }
    const FileAddress limit = behind == seen.end() ? kUndefinedAddress : behind->first;
    PCIO_ASSIGN(const ByteRange range, collection_range(store, address, limit));
    seen.emplace(address, range.end());
    ranges->add(RangeUse::kHeap, range);
    return Status();
  });
}

Status add_dataset(FileStore& store, const StoredObjectPtr& object, Ranges* ranges) {
  if (!ranges->want(RangeUse::kData) && !ranges->want(RangeUse::kChunkIndex) &&
      !ranges->want(RangeUse::kHeap))
    return Status();
  PCIO_ASSIGN(const DataRanges data, data_ranges_by_use(store, object));
  // The mappings' heap comes with the other collections.
  if (object->dataset->external) ranges->add(RangeUse::kHeap, data.heap);
  ranges->add(RangeUse::kData, data.data);
  ranges->add(RangeUse::kChunkIndex, data.index);
  return Status();
}

Status add_links(FileStore& store, const StoredObjectPtr& object, Ranges* ranges) {
  if (!ranges->want(RangeUse::kLinks) || object->kind() != ObjectKind::kGroup) return Status();
  PCIO_TRY(detail::to_status(store.objects().links(object)));
  ranges->add(RangeUse::kLinks, store.objects().links_ranges(*object));
  return add_dense(store, object, DenseKind::kLinks, ranges);
}

Status add_attributes(FileStore& store, const StoredObjectPtr& object, Ranges* ranges) {
  if (!ranges->want(RangeUse::kAttributes)) return Status();
  return add_dense(store, object, DenseKind::kAttributes, ranges);
}

Status add_shared(FileStore& store, Ranges* ranges) {
  if (!ranges->want(RangeUse::kSharedMessages)) return Status();
  PCIO_ASSIGN(const auto shared, store.objects().shared().ranges(store.bytes(), store.sizes()));
  ranges->add(RangeUse::kSharedMessages, shared);
  for (const SharedMessageIndexHeader& index : store.objects().shared().indexes())
    PCIO_TRY(check_free_list(store, index.heap_address));
  return Status();
}

void keep_first(Status* first, Status next) {
  if (first->ok()) *first = std::move(next);
}

/// What an extension says of free space, read anew: a reader goes on without what is damaged there.
Status add_kept_space(FileStore& store, const HeaderMessage& message, Ranges* ranges) {
  if ((message.flags & kMessageWasUnknown) != 0) return Status();
  ByteReader reader(message.body);
  KeptSpace kept;
  PCIO_ASSIGN(kept.info, decode_file_space_info_message(reader, store.sizes()));
  if (!kept.keeps()) return Status();
  SpaceSettings settings = store.space().settings();
  apply_space_info(kept.info, &settings);
  FileSpace space(store.bytes().end(), settings);
  PCIO_TRY(load_kept_space(store.bytes(), store.sizes(), &kept, &space));
  ranges->add(RangeUse::kFreeList, kept.blocks);
  if (store.writable()) return Status();
  for (const FreeRange& free : space.free_ranges()) ranges->add(RangeUse::kFree, free.range);
  return Status();
}

Status add_extension(FileStore& store, Ranges* ranges) {
  const StoredObjectPtr& extension = store.superblock_store().extension();
  if (!extension) return Status();
  ranges->add(RangeUse::kSuperblock, extension->chunks);
  if (const HeaderMessage* message = extension->find(kMessageCacheImage)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(const CacheImageMessage image, decode_cache_image_message(reader, store.sizes()));
    if (image.address != kUndefinedAddress)
      ranges->add(RangeUse::kSuperblock, ByteRange{image.address, image.size});
  }
  const HeaderMessage* const space = extension->find(kMessageFileSpaceInfo);
  if (space == nullptr || !(ranges->want(RangeUse::kFreeList) || ranges->want(RangeUse::kFree)))
    return Status();
  return add_kept_space(store, *space, ranges);
}

}  // namespace

Status list_object_ranges(FileStore& store, const StoredObjectPtr& object, RangeUses uses,
                          std::vector<UsedRange>* found) {
  PCIO_TRY(check_committed(*object));
  Ranges ranges(uses, found);
  ranges.add(RangeUse::kHeader, object->chunks);
  Status first = add_links(store, object, &ranges);
  keep_first(&first, add_attributes(store, object, &ranges));
  if (object->kind() == ObjectKind::kDataset)
    keep_first(&first, add_dataset(store, object, &ranges));
  keep_first(&first, add_heaps(store, object, &ranges));
  return first;
}

Status list_file_ranges(FileStore& store, RangeUses uses, std::vector<UsedRange>* found) {
  if (!store.objects().changed().empty())
    return PCIO_ERROR(
        FILE, CANTGET,
        "the file has changes that no commit has written: H5Fflush() comes before this");
  Ranges ranges(uses, found);
  const Superblock& superblock = store.context().superblock;
  ranges.add(RangeUse::kSuperblock,
             ByteRange{0, superblock_size(superblock.version, superblock.sizes)});
  if (const auto note = store.superblock_store().driver_note_range())
    ranges.add(RangeUse::kSuperblock, *note);
  if (store.writable() && ranges.want(RangeUse::kFree))
    for (const FreeRange& free : store.space().free_ranges())
      ranges.add(RangeUse::kFree, free.range);
  Status first = add_extension(store, &ranges);
  keep_first(&first, add_shared(store, &ranges));
  return first;
}

}  // namespace pcio
