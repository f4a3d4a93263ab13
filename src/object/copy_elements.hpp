// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: elements that can't be copied as they lie in the file: those with variable-length parts, and those
// with references that must mean something else in the copy.
//
// They go by way of memory: read, references changed, written. A dataset's go batch by batch.

#pragma once

#include <functional>
#include <vector>

#include "plan/chunk_grid.hpp"
#include "storage/file/file_store.hpp"
#include "storage/index/model/chunk_index.hpp"
#include "type/sequences.hpp"

namespace pcio {

/// Where references are in elements in memory form, at all levels. Threads: immutable.
class ReferenceMap {
 public:
  /// Errors: a kind of reference that is unknown.
  static Result<ReferenceMap> make(const Datatype& memory_type);
  /// Elements have none.
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  /// Called with all bytes of a reference, which it may change.
  using Visit = std::function<Status(ReferenceKind, Bytes)>;
  /// All references of `n` packed elements in their order. Collective: independent. Errors: those of `call`.
  Status visit(std::byte* elements, std::size_t n, const Visit& call) const;

 private:
  enum class Kind : std::uint8_t { kReference, kArray, kSequence };
  struct Part {
    Kind kind = Kind::kReference;
    ReferenceKind reference = ReferenceKind::kObject;
    std::size_t offset = 0;
    std::size_t count = 1;             ///< of an array's elements; of a reference's bytes
    std::vector<ReferenceMap> inside;  ///< none or one
  };
  Status add(const Datatype& type, std::size_t offset);

  std::size_t element_size_ = 1;
  std::vector<Part> parts_;
};

/// Elements in memory form; what their variable-length parts point to is freed with them.
/// Threads: thread-compatible.
class HeldElements {
 public:
  HeldElements() = default;
  /// `n` of them, all zero. May lack memory.
  HeldElements(Datatype memory_type, std::size_t n);
  HeldElements(const HeldElements&) = delete;
  HeldElements& operator=(const HeldElements&) = delete;
  ~HeldElements() { clear(); }
  void clear();
  /// Others in their place.
  void reset(Datatype memory_type, std::size_t n);

  [[nodiscard]] const Datatype& type() const { return type_; }
  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] std::byte* data() { return bytes_.data(); }

 private:
  Datatype type_;
  std::size_t n_ = 0;
  std::vector<std::byte> bytes_;
};

/// The parts in which a dataset's elements are copied, one after the other: the chunks that there are, or boxes of
/// some 64 Ki elements. Threads: immutable.
class ElementBatches {
 public:
  ElementBatches() = default;
  /// Chunked: `chunks`, of `state`'s grid. Else everything, where there are data.
  static Result<ElementBatches> make(const DatasetState& state, std::vector<ChunkOrdinal> chunks);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The dataset's extent, in which the elements of that batch are selected.
  [[nodiscard]] Result<Dataspace> batch(std::uint64_t number) const;
  /// The extent without any.
  [[nodiscard]] Dataspace nothing() const;

 private:
  Dataspace extent_;
  std::optional<ChunkGrid> grid_;  ///< none: all at once
  std::vector<ChunkOrdinal> chunks_;
  bool listed_ = false;
  std::uint64_t count_ = 0;
};

}  // namespace pcio
