// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: references to regions of datasets.

#include "object/region.hpp"

#include <algorithm>

#include "format/selection_encoding.hpp"
#include "object/dataset_queries.hpp"
#include "object/heap_values.hpp"
#include "storage/heaps/heap_reader.hpp"

namespace pcio {

namespace {

/// Kind and version of a selection: no region is shorter.
constexpr std::uint64_t kLeastSelection = 8;

Result<Dataspace> whole_extent(const Location& dataset) {
  if (dataset.kind() != ObjectKind::kDataset)
    return PCIO_ERROR(REFERENCE, BADTYPE, "\"" + dataset.path + "\" is not a dataset");
  return dataset_space(OpenObject(dataset.file, dataset.object, dataset.path));
}

}  // namespace

Result<std::vector<std::byte>> region_object(const Location& dataset, const Dataspace& region) {
  PCIO_ASSIGN(const Dataspace extent, whole_extent(dataset));
  if (region.ndims() != extent.ndims())
    return PCIO_ERROR(REFERENCE, BADVALUE,
                      "a region of " + std::to_string(region.ndims()) +
                          " dimensions in a dataset of " + std::to_string(extent.ndims()));
  ByteWriter out;
  const unsigned width = dataset.file->store().sizes().offset_size;
  out.uint(dataset.address(), width);
  PCIO_TRY(encode_selection(region, out));
  const ConstBytes bytes = out.view();
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Status store_region(File& file, const CallName& name, ConstBytes object, Bytes reference) {
  PCIO_TRY(store_object(file.store(), name, object, reference));
  file.store().heaps().note_region();
  return Status();
}

std::size_t region_reference_size(File& file) { return global_heap_id_size(file.store().sizes()); }

FileAddress region_target(File& file, ConstBytes object) {
  ByteReader reader(object);
  return reader.address(file.store().sizes().offset_size);
}

Result<std::vector<std::byte>> load_region(const FilePtr& file, ConstBytes reference,
                                           HeapReader& heaps) {
  FileStore& store = file->store();
  ByteReader reader(reference);
  const GlobalHeapId id = decode_global_heap_id(reader, store.sizes());
  PCIO_TRY(reader.check("reference to a region"));
  if (id.collection == 0 || id.collection == kUndefinedAddress)
    return PCIO_ERROR(REFERENCE, BADVALUE, "refers to nothing");
  PCIO_ASSIGN(const ConstBytes object,
              heaps.object(id, store.sizes().offset_size + kLeastSelection));
  return std::vector<std::byte>(object.begin(), object.end());
}

Result<std::vector<std::byte>> load_region(const FilePtr& file, ConstBytes reference) {
  HeapReader heaps = file->store().heap_reader();
  return load_region(file, reference, heaps);
}

Result<Dataspace> region_space(const FilePtr& file, ConstBytes reference) {
  PCIO_ASSIGN(const auto object, load_region(file, reference));
  PCIO_ASSIGN(const Location dataset, object_at_address(file, region_target(*file, object)));
  PCIO_ASSIGN(Dataspace space, whole_extent(dataset));
  ByteReader reader(ConstBytes(object).subspan(file->store().sizes().offset_size));
  PCIO_TRY(decode_selection(reader, &space));
  return space;
}

}  // namespace pcio
