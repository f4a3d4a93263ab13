// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: where the contents of variable-length elements are while these lie in a file.
//
// In a file an element of a variable-length type is a count of 4 bytes and a heap id: the address of a
// global heap collection and the number of an object in it. What a heap is made of is no matter of
// this room; a conversion asks for objects by their ids, and gives new ones away.
// Source: HDF5 File Format Specification, III.E "Disk Format: Level 1E - Global Heap"; VIII "Appendix".

#pragma once

#include <bit>
#include <cstdint>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// Bytes before the heap id in an element of a file.
inline constexpr std::size_t kSequenceCountSize = 4;
/// What stands in them.
[[nodiscard]] inline std::uint32_t load_sequence_count(const std::byte* element) {
  std::uint32_t count = 0;
  std::memcpy(&count, element, sizeof count);
  return std::endian::native == std::endian::little ? count : __builtin_bswap32(count);
}

/// Where elements of one type refer to, as they lie in a file: at equal steps a count of 4 bytes and a
/// heap id each.
struct HeapReferences {
  const std::byte* at = nullptr;
  std::size_t step = 0;
  std::size_t id_size = 0;
  std::size_t base_size = 0;  ///< bytes of what is counted
};

/// Objects of the global heaps of one file, as a conversion needs them.
///
/// Threads: thread-compatible.
class SequenceHeap {
 public:
  SequenceHeap() = default;
  SequenceHeap(const SequenceHeap&) = delete;
  SequenceHeap& operator=(const SequenceHeap&) = delete;
  virtual ~SequenceHeap() = default;

  /// The `size` bytes behind a heap id as it lies in the file (address, index; all that follows the
  /// 4-byte count of an element).
  ///
  /// They stay as they are until the next call of get(). Never asked for 0 bytes, nor for the id that
  /// is all zero; ids come from files and may be anything. Errors: no such object, or one of fewer
  /// bytes.
  virtual Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) = 0;

  /// What the first elements refer to, as get() would say it of one after the other, null where an
  /// element's id is all zero. How many of `found` that is: a heap stops before an element that get() has
  /// to look at, as one that it can't find, or one that counts nothing.
  ///
  /// All of them stay as they are until the next call of get() or find().
  virtual std::size_t find(const HeapReferences& references, std::span<const std::byte*> found) {
    static_cast<void>(references);
    static_cast<void>(found);
    return 0;
  }

  /// Stores `bytes` as a heap object of its own and writes its heap id (as long as the span). There
  /// may be no bytes: an empty string that is not null has an object, too, as libhdf5 writes it.
  ///
  /// Errors: on failure nothing was stored, and the id is as it was.
  virtual Status put(ConstBytes bytes, Bytes heap_id) = 0;

  /// Bytes of the objects that get(), find() and put() were about so far.
  [[nodiscard]] std::uint64_t referred() const { return referred_; }

  /// While it lives, what one element refers to is converted, and what is inside that. Each object is one
  /// element's, so inside there are no more bytes than most_bytes(): objects that share others have no end.
  class Inside {
   public:
    explicit Inside(SequenceHeap& heap) : heap_(heap) {
      if (heap_.depth_++ == 0) heap_.inside_ = 0;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --heap_.depth_; }

   private:
    SequenceHeap& heap_;
  };
  [[nodiscard]] bool is_inside() const { return depth_ > 0; }
  /// So many bytes are converted inside. Errors: too many.
  Status count_inside(std::uint64_t bytes) {
    inside_ += bytes;
    if (bytes <= inside_ && inside_ <= most_bytes()) return Status();
    return PCIO_ERROR(HEAP, BADVALUE,
                      "a variable-length element refers to more bytes than the file has: its "
                      "sequences share their objects");
  }

 protected:
  /// Of all objects.
  [[nodiscard]] virtual std::uint64_t most_bytes() const { return UINT64_MAX; }
  void count_referred(std::uint64_t bytes) { referred_ += bytes; }

 private:
  std::uint64_t referred_ = 0;
  unsigned depth_ = 0;
  std::uint64_t inside_ = 0;
};

}  // namespace pcio
