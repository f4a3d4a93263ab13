// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: global heap collection, where variable-length values and region references live.
// Source: HDF5 File Format Specification, III.E Global Heap.

#pragma once

#include <bit>
#include <cstring>
#include "format/file_sizes.hpp"

namespace pcio {

/// The lowest `width` (0 to 8) bytes of `value` go to `at`, in the order of the file. Collective: pure.
inline void store_little(std::byte* at, std::uint64_t value, unsigned width) {
  // Nearly all: one store.
  if (width == sizeof value && std::endian::native == std::endian::little) {
    std::memcpy(at, &value, sizeof value);
    return;
  }
  for (unsigned i = 0; i < width; ++i) at[i] = static_cast<std::byte>(value >> 8 * i & 0xFF);
}

/// What a dataset stores for an object in a global heap.
struct GlobalHeapId {
  FileAddress collection = kUndefinedAddress;
  std::uint32_t index = 0;  ///< from 1; 0 with address 0 means "nothing"
  friend bool operator==(const GlobalHeapId&, const GlobalHeapId&) = default;
};
/// In the order of the file.
inline bool heap_id_less(const GlobalHeapId& a, const GlobalHeapId& b) {
  return a.collection != b.collection ? a.collection < b.collection : a.index < b.index;
}
constexpr std::size_t global_heap_id_size(const FileSizes& sizes) { return sizes.offset_size + 4; }
GlobalHeapId decode_global_heap_id(ByteReader& reader, const FileSizes& sizes);
Status encode_global_heap_id(const GlobalHeapId& id, const FileSizes& sizes, ByteWriter& out);
/// The same for the ids of elements, of which there are very many: `bytes` are those of one.
GlobalHeapId load_global_heap_id(ConstBytes bytes);
void store_global_heap_id(const GlobalHeapId& id, Bytes bytes);

/// One object of a collection.
struct GlobalHeapObject {
  std::uint16_t index = 0;
  std::uint16_t reference_count = 0;
  std::vector<std::byte> data;
  friend bool operator==(const GlobalHeapObject&, const GlobalHeapObject&) = default;
};
struct GlobalHeapCollection {
  std::uint64_t size = 0;  ///< bytes in the file, a multiple of 8
  std::vector<GlobalHeapObject> objects;
  /// The object with this index, or nullptr.
  [[nodiscard]] const GlobalHeapObject* find(std::uint32_t index) const;
  friend bool operator==(const GlobalHeapCollection&, const GlobalHeapCollection&) = default;
};

inline constexpr std::uint64_t kGlobalHeapMinSize = 4096;
/// Bytes behind a length in what begins with 8 bytes: everything in a collection begins at a multiple of 8.
/// The specification doesn't say so; as observed on libhdf5 1.10.8 in files with lengths of 4 bytes.
constexpr std::size_t global_heap_padding(const FileSizes& sizes) {
  return (8 - std::size_t{sizes.length_size} % 8) % 8;
}
constexpr std::size_t global_heap_prefix_size(const FileSizes& sizes) {
  return 8 + std::size_t{sizes.length_size} + global_heap_padding(sizes);
}
/// Bytes before an object's data, and of what stands for the free space.
constexpr std::size_t global_heap_object_head(const FileSizes& sizes) {
  return 8 + std::size_t{sizes.length_size} + global_heap_padding(sizes);
}
/// The largest index that an object can have.
inline constexpr std::uint32_t kGlobalHeapMaxIndex = 0xFFFF;
/// Bytes that an object of `size` bytes takes in a collection.
std::uint64_t global_heap_object_size(std::uint64_t size, const FileSizes& sizes);
/// Bytes of the whole collection, from its first global_heap_prefix_size() bytes.
Result<std::uint64_t> global_heap_collection_size(ConstBytes prefix, const FileSizes& sizes);
/// Where an object of a collection lies; the data only.
struct GlobalHeapEntry {
  std::uint16_t index = 0;
  std::uint16_t reference_count = 0;
  std::size_t offset = 0;  ///< in bytes from the start of the collection
  std::size_t size = 0;    ///< in bytes
};
/// The objects of a collection in the order of their bytes; `bytes` begins with the whole collection.
///
/// Collective: pure. Errors: BADVALUE, TRUNCATED, VERSION.
Result<std::vector<GlobalHeapEntry>> list_global_heap_objects(ConstBytes bytes,
                                                              const FileSizes& sizes);
/// Appends where the data of the objects with the numbers 1, 2, 3 ... begin, in bytes from the start of the
/// collection; 0: there is no such object. Their sizes stand in front. False where the objects are not in the
/// order of their numbers, something is damaged, or a collection is too large: nothing was appended.
///
/// Collective: pure. `bytes`: exactly the collection.
bool index_global_heap_objects(ConstBytes bytes, const FileSizes& sizes,
                               std::vector<std::uint32_t>* offsets);
/// The size that stands in front of an object's data. Collective: pure.
std::uint64_t load_global_heap_object_size(const std::byte* data, const FileSizes& sizes);
/// Decodes a collection; `bytes` has its whole size. Free space is dropped.
///
/// Collective: pure. Errors: BADVALUE, TRUNCATED, VERSION.
Result<GlobalHeapCollection> decode_global_heap_collection(ConstBytes bytes,
                                                           const FileSizes& sizes);
/// Appends exactly `collection.size` bytes; the rest becomes free space.
/// Errors: BADSIZE where the objects do not fit; OVERFLOW.
Status encode_global_heap_collection(const GlobalHeapCollection& collection, const FileSizes& sizes,
                                     ByteWriter& out);

}  // namespace pcio
