// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: variable-length parts of elements: who gives their memory, where they refer to.
//
// In memory a sequence is a length and a pointer (hvl_t), a string a pointer to characters that end
// with NUL. In a file both are a count of 4 bytes and a heap id (sequence_heap.hpp). Conversions
// between the two, and within memory, are Conversion's (convert.hpp), whose options say where each
// side is.
// Source: HDF5 Reference Manual, H5Pset_vlen_mem_manager, H5Dvlen_reclaim; HDF5 File Format
// Specification, IV.A.2.d "Variable-Length".

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"
#include "type/datatype.hpp"
#include "type/sequence_heap.hpp"

namespace pcio {

/// The functions of H5Pset_vlen_mem_manager; without one, malloc or free.
struct SequenceMemoryCalls {
  void* (*allocate)(std::size_t size, void* data) = nullptr;
  void* allocate_data = nullptr;
  void (*free)(void* memory, void* data) = nullptr;
  void* free_data = nullptr;

  void release(void* memory) const;
};

/// Memory that a conversion gives out to a program, noted until it is certain that the program gets it.
///
/// Threads: thread-compatible.
class SequenceMemory {
 public:
  SequenceMemory() = default;
  explicit SequenceMemory(const SequenceMemoryCalls& calls) : calls_(calls) {}
  SequenceMemory(const SequenceMemory&) = delete;
  SequenceMemory& operator=(const SequenceMemory&) = delete;
  ~SequenceMemory() { release_all(); }

  /// `size` bytes (not 0). Errors: NOSPACE.
  Result<std::byte*> allocate(std::size_t size);
  /// The same; null where there is none.
  std::byte* try_allocate(std::size_t size) {
    // The note first: were there no memory for it, nobody would own what was given out.
    given_.push_back(nullptr);
    void* const memory = calls_.allocate != nullptr
                             ? calls_.allocate(size, calls_.allocate_data)
                             : std::malloc(size);  // NOLINT(cppcoreguidelines-no-malloc)
    if (memory == nullptr) {
      given_.pop_back();
      return nullptr;
    }
    given_.back() = memory;
    bytes_ += size;
    return static_cast<std::byte*>(memory);
  }
  /// What was given out since the last keep() is the program's.
  void keep() noexcept { given_.clear(); }
  /// Takes back what was given out since the last keep().
  void release_all() noexcept;
  /// Bytes given out in all.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  SequenceMemoryCalls calls_;
  std::vector<void*> given_;
  std::uint64_t bytes_ = 0;
};

/// Frees everything that `n` packed elements in memory form point to, at all levels, and empties their
/// variable-length parts. Pointers that are null and lengths of 0 are passed over.
void release_sequences(const Datatype& memory_type, std::byte* elements, std::size_t n,
                       const SequenceMemoryCalls& calls);

/// Empties the variable-length parts of `n` packed elements in memory form without a look at them: a
/// program may reclaim them after a read that failed.
void clear_sequences(const Datatype& memory_type, std::byte* elements, std::size_t n);

/// An element of `file_type`, as it lies in the file, refers to some heap object. Asks for no memory.
[[nodiscard]] bool refers_to_heap(const Datatype& file_type, const std::byte* element);

/// Where elements of one file type refer to heap objects, level by level.
///
///   SequenceMap map(file_type);
///   map.collect(elements, &uses);                        // the ids in the dataset's own elements
///   for (use : uses) if (use.inside) use.inside->collect(bytes behind use.heap_id, &next_uses);
///
/// Threads: immutable.
class SequenceMap {
 public:
  /// One element, or part of one, that has a heap object; also that of an empty string.
  struct Use {
    ConstBytes heap_id;                   ///< in the elements that were given
    std::uint64_t size = 0;               ///< bytes of the heap object that belong to the element
    const SequenceMap* inside = nullptr;  ///< where those refer to; null: nowhere
  };

  /// `file_type`: as Datatype::file_form() makes it.
  explicit SequenceMap(const Datatype& file_type);

  /// No element refers to anything.
  [[nodiscard]] bool empty() const { return parts_.empty(); }
  /// Bytes of one element.
  [[nodiscard]] std::size_t element_size() const { return element_size_; }
  /// One reference an element, and nothing refers on from there.
  [[nodiscard]] bool is_flat() const {
    return parts_.size() == 1 && parts_[0].id_size != 0 && parts_[0].contents.empty();
  }
  /// Those of packed elements of a flat map.
  [[nodiscard]] HeapReferences references(const std::byte* elements) const {
    const Part& part = parts_.front();
    return {elements + part.offset, element_size_, part.id_size, part.base_size};
  }
  /// Appends what packed elements refer to, in the order of their bytes. Sizes come from the file and
  /// may be anything.
  ///
  /// Errors: BADVALUE where `elements` are not whole ones, or a size does not fit 64 bits.
  Status collect(ConstBytes elements, std::vector<Use>* out) const;

 private:
  /// `count` things of `step` bytes each: heap references, or elements with some in them.
  struct Part {
    std::size_t offset = 0;
    std::uint64_t count = 1;
    std::size_t step = 0;
    std::size_t id_size = 0;    // of a heap reference; 0: look inside
    std::size_t base_size = 0;  // bytes of an element behind it
    std::vector<SequenceMap>
        contents;  // none or one: of an array's elements, or of the heap object
  };
  void add(const Datatype& type, std::size_t offset);
  static Status collect_part(const Part& part, const std::byte* at, std::vector<Use>* out);

  std::size_t element_size_ = 1;
  std::vector<Part> parts_;
};

}  // namespace pcio
