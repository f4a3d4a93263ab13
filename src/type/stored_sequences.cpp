// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: StoredSequences, out of line.

#include "type/stored_sequences.hpp"

#include "base/bytes.hpp"

namespace pcio {

namespace {

/// Any address but 0, which would mean "nothing".
constexpr std::uint64_t kAddress = 1;

}  // namespace

Result<ConstBytes> StoredSequences::get(ConstBytes heap_id, std::uint64_t size) {
  ByteReader reader(heap_id);
  const std::uint64_t address = reader.u64();
  const std::uint32_t number = reader.u32();
  if (!reader.ok() || address != kAddress || number == 0 || number > objects_.size() ||
      objects_[number - 1].size() < size)
    return PCIO_ERROR(HEAP, NOTFOUND, "no such variable-length value");
  return ConstBytes(objects_[number - 1]).first(static_cast<std::size_t>(size));
}

Status StoredSequences::put(ConstBytes bytes, Bytes heap_id) {
  if (heap_id.size() != kAddressWidth + 4 || objects_.size() >= 0xffffffffU)
    return PCIO_ERROR(HEAP, CANTINSERT, "no place for a variable-length value");
  objects_.emplace_back(bytes.begin(), bytes.end());
  ByteWriter id;
  id.u64(kAddress);
  id.u32(objects_.size());
  std::memcpy(heap_id.data(), id.view().data(), id.size());
  return {};
}

}  // namespace pcio
