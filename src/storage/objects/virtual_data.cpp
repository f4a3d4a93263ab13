// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: mappings of virtual datasets, from and to a global heap.

#include "storage/objects/virtual_data.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/checksum.hpp"
#include "format/global_heap.hpp"
#include "format/selection_encoding.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

constexpr std::uint8_t kListVersion = 0;
constexpr std::uint32_t kFirstObject = 1;

/// The number of dimensions that an encoded selection says it has; 0 where it says none (all, none).
/// Source: File Format Specification, "Dataspace Selection".
Result<unsigned> dimensions_of(ByteReader reader) {
  const std::uint32_t kind = reader.u32();
  const std::uint32_t version = reader.u32();
  PCIO_TRY(reader.check("selection of a virtual dataset"));
  if (kind != static_cast<std::uint32_t>(SelectionKind::kPoints) &&
      kind != static_cast<std::uint32_t>(SelectionKind::kHyperslab))
    return 0U;
  reader.skip(version == 1 ? 8 : 5);
  const std::uint32_t ndims = reader.u32();
  PCIO_TRY(reader.check("selection of a virtual dataset"));
  if (ndims == 0 || ndims > kMaxNdims)
    return PCIO_ERROR(
        DATASPACE, BADRANGE,
        "a selection of a virtual dataset has " + std::to_string(ndims) + " dimensions");
  return static_cast<unsigned>(ndims);
}

/// A selection in the smallest extent that holds it; everything of nobody knows what is a scalar's.
Result<Dataspace> decode_placed(ByteReader& reader) {
  PCIO_ASSIGN(const unsigned ndims, dimensions_of(reader));
  Dataspace space = Dataspace::scalar();
  if (ndims > 0) {
    PCIO_ASSIGN(space, Dataspace::simple(Dims(ndims, 1)));
  }
  PCIO_TRY(decode_selection(reader, &space));
  if (ndims == 0 || is_unlimited(space.selection())) return space;
  const auto bounds = space.selection().bounds(space.dims());
  if (!bounds) return space;
  Dims dims(ndims);
  for (unsigned d = 0; d < ndims; ++d) {
    const auto end = checked_add(bounds->start[d], bounds->count[d]);
    if (!end) return PCIO_ERROR(DATASPACE, OVERFLOW, "a selection of a virtual dataset overflows");
    dims[d] = *end;
  }
  PCIO_ASSIGN(Dataspace placed, Dataspace::simple(dims));
  placed.selection() = space.selection();
  return placed;
}

Result<VirtualMapping> decode_mapping(ByteReader& reader) {
  VirtualMapping mapping;
  mapping.file = reader.c_string();
  mapping.dataset = reader.c_string();
  PCIO_TRY(reader.check("names of a virtual dataset's source"));
  PCIO_ASSIGN(mapping.source, decode_placed(reader));
  PCIO_ASSIGN(mapping.target, decode_placed(reader));
  return mapping;
}

Result<std::vector<VirtualMapping>> decode_list(ConstBytes bytes, const FileSizes& sizes) {
  if (bytes.size() < 5)
    return PCIO_ERROR(DATASET, TRUNCATED, "truncated list of a virtual dataset");
  ByteReader tail(bytes.last(4));
  if (tail.u32() != lookup3(bytes.first(bytes.size() - 4)))
    return PCIO_ERROR(DATASET, BADVALUE, "the list of a virtual dataset has a wrong checksum");
  ByteReader reader(bytes.first(bytes.size() - 4));
  PCIO_TRY(decode_version(reader, kListVersion, kListVersion, "list of a virtual dataset"));
  const std::uint64_t count = reader.uint(sizes.length_size);
  PCIO_TRY(reader.check("list of a virtual dataset"));
  // Two names and two selections of eight bytes at the least.
  if (count > reader.remaining() / 18)
    return PCIO_ERROR(DATASET, TRUNCATED, "truncated list of a virtual dataset");
  std::vector<VirtualMapping> mappings;
  for (std::uint64_t i = 0; i < count; ++i) {
    PCIO_ASSIGN(VirtualMapping mapping, decode_mapping(reader));
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

Result<std::vector<std::byte>> encode_list(const FileSizes& sizes,
                                           const std::vector<VirtualMapping>& mappings) {
  ByteWriter out;
  out.u8(kListVersion);
  out.uint(mappings.size(), sizes.length_size);
  for (const VirtualMapping& mapping : mappings) {
    out.text(mapping.file);
    out.u8(0);
    out.text(mapping.dataset);
    out.u8(0);
    PCIO_TRY(encode_selection(mapping.source, out));
    PCIO_TRY(encode_selection(mapping.target, out));
  }
  out.u32(lookup3(out.view()));
  return std::move(out).take();
}

}  // namespace

Result<VirtualData> read_virtual_data(FileContext& file, const LayoutMessage& layout) {
  VirtualData data;
  // A dataset without mappings has no heap.
  if (layout.virtual_heap_address == kUndefinedAddress) return data;
  const FileSizes& sizes = file.sizes();
  const FileAddress at = layout.virtual_heap_address;
  PCIO_ASSIGN(auto prefix, file.bytes->block(at, global_heap_prefix_size(sizes), "global heap"));
  PCIO_ASSIGN(const std::uint64_t size, global_heap_collection_size(prefix, sizes));
  PCIO_ASSIGN(auto bytes, file.bytes->block(at, size, "global heap"));
  PCIO_ASSIGN(const GlobalHeapCollection heap, decode_global_heap_collection(bytes, sizes));
  const GlobalHeapObject* list = heap.find(layout.virtual_heap_index);
  if (list == nullptr)
    return PCIO_ERROR(DATASET, BADVALUE, "the list of a virtual dataset is not in its heap");
  PCIO_ASSIGN(data.mappings, decode_list(list->data, sizes));
  if (heap.objects.size() == 1) data.heap = {at, size};
  data.list_bytes = list->data.size();
  return data;
}

Result<NewBlock> plan_virtual_data(FileSpace& space, const FileSizes& sizes,
                                   const std::vector<VirtualMapping>& mappings,
                                   LayoutMessage* layout) {
  GlobalHeapCollection heap;
  GlobalHeapObject& list = heap.objects.emplace_back();
  list.index = static_cast<std::uint16_t>(kFirstObject);
  list.reference_count = 1;
  PCIO_ASSIGN(list.data, encode_list(sizes, mappings));
  const std::uint64_t needs =
      global_heap_prefix_size(sizes) + global_heap_object_size(list.data.size(), sizes);
  heap.size = std::max(kGlobalHeapMinSize, round_up(needs, std::uint64_t{8}));
  ByteWriter out;
  PCIO_TRY(encode_global_heap_collection(heap, sizes, out));
  PCIO_ASSIGN(const FileAddress address, space.allocate(heap.size, SpaceUse::kMetadata));
  layout->virtual_heap_address = address;
  layout->virtual_heap_index = kFirstObject;
  return NewBlock{address, std::move(out).take()};
}

}  // namespace pcio
