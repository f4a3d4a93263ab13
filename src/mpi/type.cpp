// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: owned datatypes.

#include "mpi/type.hpp"

#include <vector>

#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/large_count.hpp"

namespace pcio::mpi {

namespace {

/// Uncommitted type of `bytes` bytes, at least one call's worth: whole GiB blocks and a rest.
Status make_big_block(std::uint64_t bytes, MPI_Datatype* result) {
  const std::uint64_t blocks = bytes / kMaxCallBytes;
  const std::uint64_t rest = bytes % kMaxCallBytes;
  MPI_Datatype block = MPI_DATATYPE_NULL;
  PCIO_TRY(
      check(MPI_Type_contiguous(narrow(kMaxCallBytes), MPI_BYTE, &block), "MPI_Type_contiguous"));
  int lengths[2] = {narrow(blocks), narrow(rest)};
  MPI_Aint places[2] = {0, static_cast<MPI_Aint>(blocks * kMaxCallBytes)};
  MPI_Datatype types[2] = {block, MPI_BYTE};
  Status made =
      check(MPI_Type_create_struct(2, lengths, places, types, result), "MPI_Type_create_struct");
  MPI_Type_free(&block);
  return made;
}

/// Struct of blocks of which some exceed one call's limit; uncommitted.
Status make_with_big_blocks(std::span<const ByteRange> blocks, MPI_Datatype* result) {
  std::vector<int> lengths(blocks.size());
  std::vector<MPI_Aint> places(blocks.size());
  std::vector<MPI_Datatype> types(blocks.size(), MPI_BYTE);
  Status made;
  for (std::size_t i = 0; i < blocks.size() && made.ok(); ++i) {
    places[i] = static_cast<MPI_Aint>(blocks[i].offset);
    lengths[i] = narrow(blocks[i].size);
    if (blocks[i].size <= kMaxCallBytes) continue;
    lengths[i] = 1;
    made = make_big_block(blocks[i].size, &types[i]);
  }
  if (made.ok())
    made = check(MPI_Type_create_struct(narrow(blocks.size()), lengths.data(), places.data(),
                                        types.data(), result),
                 "MPI_Type_create_struct");
  for (MPI_Datatype& type : types)
    if (type != MPI_BYTE && type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  return made;
}

}  // namespace

Result<Type> Type::adopt(MPI_Datatype raw) {
  Type type(raw, Ownership::kOwned);
  PCIO_TRY(check(MPI_Type_commit(&type.type_), "MPI_Type_commit"));
  return type;
}

Result<Type> Type::contiguous_bytes(std::uint64_t bytes) {
  PCIO_TRY(check_not_finalized());
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  if (bytes <= kMaxCallBytes)
    PCIO_TRY(check(MPI_Type_contiguous(narrow(bytes), MPI_BYTE, &raw), "MPI_Type_contiguous"));
  else
    PCIO_TRY(make_big_block(bytes, &raw));
  return adopt(raw);
}

Result<Type> Type::byte_blocks(std::span<const ByteRange> blocks) {
  PCIO_TRY(check_not_finalized());
  if (blocks.size() > kMaxCallBytes)
    return PCIO_ERROR(DATATYPE, OVERFLOW, "too many blocks for one MPI datatype");
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  bool big = false;
  for (const ByteRange& block : blocks) big = big || block.size > kMaxCallBytes;
  if (big) {
    PCIO_TRY(make_with_big_blocks(blocks, &raw));
    return adopt(raw);
  }
  std::vector<int> lengths(blocks.size());
  std::vector<MPI_Aint> places(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    lengths[i] = narrow(blocks[i].size);
    places[i] = static_cast<MPI_Aint>(blocks[i].offset);
  }
  PCIO_TRY(check(MPI_Type_create_hindexed(narrow(blocks.size()), lengths.data(), places.data(),
                                          MPI_BYTE, &raw),
                 "MPI_Type_create_hindexed"));
  return adopt(raw);
}

Result<Type> Type::nested(const NestedRanges& ranges) {
  PCIO_TRY(check_not_finalized());
  if (ranges.offset != 0 || ranges.length > kMaxCallBytes)
    return PCIO_ERROR(INTERNAL, BADRANGE, "nested ranges begin at 0 and are at most 1 GiB long");
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  PCIO_TRY(
      check(MPI_Type_contiguous(narrow(ranges.length), MPI_BYTE, &raw), "MPI_Type_contiguous"));
  for (const RangeStep& step : ranges.steps) {
    MPI_Datatype inner = raw;
    Status made =
        step.count > kMaxCallBytes
            ? PCIO_ERROR(DATATYPE, OVERFLOW, "too many blocks for one MPI datatype")
            : check(MPI_Type_create_hvector(narrow(step.count), 1,
                                            static_cast<MPI_Aint>(step.stride), inner, &raw),
                    "MPI_Type_create_hvector");
    MPI_Type_free(&inner);
    PCIO_TRY(std::move(made));
  }
  return adopt(raw);
}

Type::~Type() {
  if (type_ != MPI_DATATYPE_NULL && ownership_ == Ownership::kOwned && is_active())
    MPI_Type_free(&type_);
}

Result<std::uint64_t> Type::size() const {
  PCIO_TRY(check_not_finalized());
  MPI_Count size = 0;
  PCIO_TRY(check(MPI_Type_size_x(type_, &size), "MPI_Type_size_x"));
  return static_cast<std::uint64_t>(size);
}

}  // namespace pcio::mpi
