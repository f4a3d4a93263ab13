// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: variable-length values that the library keeps for itself, as fill values of lists.

#pragma once

#include <vector>

#include "type/sequence_heap.hpp"

namespace pcio {

/// A heap in memory. Elements that refer to it are in the file form for addresses of kAddressWidth
/// bytes; they own nothing, so that copies of an element may share one heap that no longer changes.
///
/// Threads: thread-compatible; get() changes nothing.
class StoredSequences final : public SequenceHeap {
 public:
  static constexpr unsigned kAddressWidth = 8;

  Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) override;
  Status put(ConstBytes bytes, Bytes heap_id) override;

  /// In the order in which they were put.
  [[nodiscard]] const std::vector<std::vector<std::byte>>& objects() const { return objects_; }

 private:
  std::vector<std::vector<std::byte>> objects_;
};

}  // namespace pcio
