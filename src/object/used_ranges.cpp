// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: which bytes belong to whom, out of line.

#include "object/used_ranges.hpp"

#include <limits>

namespace pcio {

namespace {

/// Addresses come from the file: what would end behind all numbers ends there.
void count_from_start(FileStore& store, std::vector<UsedRange>* ranges) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t base = store.context().superblock.base_address;
  for (UsedRange& used : *ranges) {
    used.range.offset += std::min(base, kMost - used.range.offset);
    used.range.size = std::min(used.range.size, kMost - used.range.offset);
  }
}

}  // namespace

Status used_ranges_of(const Location& object, RangeUses uses, std::vector<UsedRange>* ranges) {
  FileStore& store = object.file->store();
  Status listed = list_object_ranges(store, object.object, uses, ranges);
  count_from_start(store, ranges);
  return listed;
}

Status used_ranges_of(File& file, RangeUses uses, std::vector<UsedRange>* ranges) {
  Status listed = list_file_ranges(file.store(), uses, ranges);
  count_from_start(file.store(), ranges);
  return listed;
}

}  // namespace pcio
