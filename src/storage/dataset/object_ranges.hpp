// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: who has which bytes of a file, one owner at a time.

#pragma once

#include <vector>

#include "storage/file/file_store.hpp"

namespace pcio {

/// What bytes of a file are for.
enum class RangeUse : std::uint8_t {
  kSuperblock = 0,  ///< with its extension, and what the driver says of itself
  kHeader,          ///< of an object
  kLinks,           ///< of a group, where they are not in its header
  kAttributes,      ///< in dense storage
  kChunkIndex,
  kData,
  kHeap,  ///< global heaps, which several objects may share, and names of external files
  kSharedMessages,
  kFreeList,  ///< what says which bytes are free
  kFree       ///< which it says are
};

struct UsedRange {
  RangeUse use = RangeUse::kData;
  ByteRange range;
};

/// A set of uses.
class RangeUses {
 public:
  static RangeUses all() { return RangeUses(~0U); }
  explicit RangeUses(unsigned bits) : bits_(bits) {}
  [[nodiscard]] bool has(RangeUse use) const {
    return (bits_ >> static_cast<unsigned>(use) & 1) != 0;
  }

 private:
  unsigned bits_;
};

/// Appends the bytes that `object` has, or its part in global heaps, as the last commit left them. Reads all that
/// says where they are, with its checksums: indexes, trees, heaps; of kHeap all elements where they refer to heaps.
///
/// Collective: independent. On failure what could be found is there, the first failure is returned. Errors: what is damaged; the object has
/// changes that no commit has written.
Status list_object_ranges(FileStore& store, const StoredObjectPtr& object, RangeUses uses,
                          std::vector<UsedRange>* found);

/// The same of what belongs to no object. Free space: what the file says, or of a file that is open for writing what
/// this process knows.
Status list_file_ranges(FileStore& store, RangeUses uses, std::vector<UsedRange>* found);

}  // namespace pcio
