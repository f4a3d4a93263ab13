// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: global heap collection, decode and encode.

#include "format/global_heap.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Few collections have smaller objects all over; bytes.
constexpr std::size_t kUsualObject = 128;

std::uint64_t load_uint(const std::byte* at, unsigned width) {
  std::uint64_t value = 0;
  // Nearly all: one load.
  if (width == sizeof value && std::endian::native == std::endian::little) {
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  for (unsigned i = 0; i < width; ++i) value |= std::to_integer<std::uint64_t>(at[i]) << 8 * i;
  return value;
}
/// The last four bytes of an id.
std::uint32_t load_index(const std::byte* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return std::endian::native == std::endian::little ? value : __builtin_bswap32(value);
}

}  // namespace

GlobalHeapId decode_global_heap_id(ByteReader& reader, const FileSizes& sizes) {
  GlobalHeapId id;
  id.collection = reader.address(sizes.offset_size);
  id.index = reader.u32();
  return id;
}

Status encode_global_heap_id(const GlobalHeapId& id, const FileSizes& sizes, ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.address(id.collection);
  fields.u32(id.index);
  return fields.check("global heap id");
}

GlobalHeapId load_global_heap_id(ConstBytes bytes) {
  constexpr std::size_t kIndexSize = 4;
  GlobalHeapId id;
  if (bytes.size() < kIndexSize) return id;
  const auto width = static_cast<unsigned>(std::min<std::size_t>(bytes.size() - kIndexSize, 8));
  id.collection = load_uint(bytes.data(), width);
  if (width < 8 && id.collection == (std::uint64_t{1} << 8 * width) - 1)
    id.collection = kUndefinedAddress;
  id.index = load_index(bytes.data() + bytes.size() - kIndexSize);
  return id;
}

void store_global_heap_id(const GlobalHeapId& id, Bytes bytes) {
  constexpr std::size_t kIndexSize = 4;
  if (bytes.size() < kIndexSize) return;
  const auto width = static_cast<unsigned>(std::min<std::size_t>(bytes.size() - kIndexSize, 8));
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  store_little(bytes.data(), id.collection, width);
  store_little(bytes.data() + bytes.size() - kIndexSize, id.index, 4);
}

const GlobalHeapObject* GlobalHeapCollection::find(std::uint32_t index) const {
  for (const GlobalHeapObject& object : objects)
    if (object.index == index) return &object;
  return nullptr;
}

std::uint64_t global_heap_object_size(std::uint64_t size, const FileSizes& sizes) {
  return global_heap_object_head(sizes) + round_up(size, std::uint64_t{8});
}

Result<std::uint64_t> global_heap_collection_size(ConstBytes prefix, const FileSizes& sizes) {
  ByteReader reader(prefix);
  if (!reader.expect("GCOL"))
    return PCIO_ERROR(HEAP, BADVALUE, "wrong signature of a global heap collection");
  PCIO_TRY(decode_version(reader, 1, 1, "global heap collection"));
  reader.skip(3);
  const std::uint64_t size = reader.uint(sizes.length_size);
  PCIO_TRY(reader.check("global heap collection"));
  if (size < global_heap_prefix_size(sizes))
    return PCIO_ERROR(HEAP, BADVALUE, "global heap collection is smaller than its own head");
  return size;
}

Result<std::vector<GlobalHeapEntry>> list_global_heap_objects(ConstBytes bytes,
                                                              const FileSizes& sizes) {
  PCIO_ASSIGN(const std::uint64_t whole, global_heap_collection_size(bytes, sizes));
  if (whole > bytes.size()) return PCIO_ERROR(HEAP, TRUNCATED, "truncated global heap collection");
  ByteReader reader(bytes.first(static_cast<std::size_t>(whole)));
  reader.skip(global_heap_prefix_size(sizes));
  std::vector<GlobalHeapEntry> entries;
  entries.reserve(static_cast<std::size_t>(whole) / kUsualObject);
  // A rest that can't hold an object's head is unused.
  while (reader.remaining() >= global_heap_object_head(sizes)) {
    GlobalHeapEntry entry;
    entry.index = reader.u16();
    entry.reference_count = reader.u16();
    reader.skip(4);
    const std::uint64_t size = reader.uint(sizes.length_size);
    reader.skip(global_heap_padding(sizes));
    // Object 0 is the free space, and always the last one.
    if (entry.index == 0) break;
    if (size > reader.remaining())
      return PCIO_ERROR(HEAP, BADVALUE, "object is longer than its global heap collection");
    entry.offset = reader.position();
    entry.size = static_cast<std::size_t>(size);
    const std::uint64_t padded = round_up(size, std::uint64_t{8});
    reader.skip(static_cast<std::size_t>(std::min<std::uint64_t>(padded, reader.remaining())));
    entries.push_back(entry);
  }
  return entries;
}

std::uint64_t load_global_heap_object_size(const std::byte* data, const FileSizes& sizes) {
  return load_uint(data - sizes.length_size - global_heap_padding(sizes), sizes.length_size);
}

bool index_global_heap_objects(ConstBytes bytes, const FileSizes& sizes,
                               std::vector<std::uint32_t>* offsets) {
  const std::size_t before = offsets->size(), head = global_heap_object_head(sizes);
  const bool has_usual_sizes = sizes.length_size == sizeof(std::uint64_t);
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) return false;
  std::size_t objects = 0, at = global_heap_prefix_size(sizes);
  const auto give_up = [&] {
    offsets->resize(before);
    return false;
  };
  while (at <= bytes.size() && bytes.size() - at >= head) {
    const std::uint64_t index = load_uint(bytes.data() + at, 2);
    if (index == 0) break;
    at += head;
    const std::byte* const data = bytes.data() + at;
    const std::uint64_t size = has_usual_sizes ? load_uint(data - sizeof(std::uint64_t), 8)
                                               : load_global_heap_object_size(data, sizes);
    if (size > bytes.size() - at) return give_up();
    // Numbers that are free cost no more than the objects.
    const std::size_t numbers = offsets->size() - before;
    if (index <= numbers || index > 2 * ++objects + kUsualObject) return give_up();
    while (offsets->size() - before < index - 1) offsets->push_back(0);
    offsets->push_back(static_cast<std::uint32_t>(at));
    at += round_up(static_cast<std::size_t>(size), std::size_t{8});
  }
  return true;
}

Result<GlobalHeapCollection> decode_global_heap_collection(ConstBytes bytes,
                                                           const FileSizes& sizes) {
  GlobalHeapCollection collection;
  PCIO_ASSIGN(collection.size, global_heap_collection_size(bytes, sizes));
  PCIO_ASSIGN(const auto entries, list_global_heap_objects(bytes, sizes));
  for (const GlobalHeapEntry& entry : entries) {
    const ConstBytes data = bytes.subspan(entry.offset, entry.size);
    collection.objects.push_back(
        {entry.index, entry.reference_count, std::vector(data.begin(), data.end())});
  }
  return collection;
}

Status encode_global_heap_collection(const GlobalHeapCollection& collection, const FileSizes& sizes,
                                     ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("GCOL");
  fields.u8(1);
  fields.zeros(3);
  fields.length(collection.size);
  fields.zeros(global_heap_padding(sizes));
  for (const GlobalHeapObject& object : collection.objects) {
    fields.u16(object.index);
    fields.u16(object.reference_count);
    fields.zeros(4);
    fields.length(object.data.size());
    fields.zeros(global_heap_padding(sizes));
    fields.bytes(object.data);
    fields.zeros(round_up(object.data.size(), std::size_t{8}) - object.data.size());
  }
  if (out.size() - start > collection.size)
    return PCIO_ERROR(HEAP, BADSIZE, "objects do not fit into their global heap collection");
  const auto rest = static_cast<std::size_t>(collection.size) - (out.size() - start);
  if (rest >= global_heap_object_head(sizes)) {
    // The free space counts its own head.
    fields.zeros(8);
    fields.length(rest);
    fields.zeros(global_heap_padding(sizes));
    fields.zeros(rest - global_heap_object_head(sizes));
  } else {
    fields.zeros(rest);
  }
  return fields.check("global heap collection");
}

}  // namespace pcio
