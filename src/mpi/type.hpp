// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: a datatype that the library owns, or a predefined one that it borrows.

#pragma once

#include <span>
#include <utility>

#include <mpi.h>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/nested_ranges.hpp"

namespace pcio::mpi {

/// Move-only; null after a move. Threads: thread-compatible.
class Type {
 public:
  Type() = default;
  /// Takes over a derived type and commits it.
  static Result<Type> adopt(MPI_Datatype raw);
  /// A predefined type; never freed.
  static Type borrow(MPI_Datatype type) { return Type(type, Ownership::kBorrowed); }
  /// `bytes` contiguous bytes as one element, committed; any size.
  static Result<Type> contiguous_bytes(std::uint64_t bytes);
  /// Blocks of bytes at byte displacements from the address that is passed along, committed.
  /// Blocks of 1 GiB and more are nested types inside.
  static Result<Type> byte_blocks(std::span<const ByteRange> blocks);
  /// Regular ranges of bytes, one constructor for each level, committed.
  static Result<Type> nested(const NestedRanges& ranges);

  Type(Type&& other) noexcept
      : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)), ownership_(other.ownership_) {}
  Type& operator=(Type&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(ownership_, other.ownership_);
    return *this;
  }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type();

  [[nodiscard]] bool is_null() const { return type_ == MPI_DATATYPE_NULL; }
  [[nodiscard]] MPI_Datatype raw() const { return type_; }
  /// Bytes of data in one element.
  [[nodiscard]] Result<std::uint64_t> size() const;

 private:
  enum class Ownership : std::uint8_t { kOwned, kBorrowed };
  Type(MPI_Datatype type, Ownership ownership) : type_(type), ownership_(ownership) {}

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  Ownership ownership_ = Ownership::kOwned;
};

}  // namespace pcio::mpi
