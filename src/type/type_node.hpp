// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: helpers shared by the files that build type nodes; not for other rooms.

#pragma once

#include <bit>

#include "base/types.hpp"
#include "type/datatype.hpp"

namespace pcio::detail {

inline constexpr ByteOrder kNativeOrder =
    std::endian::native == std::endian::little ? ByteOrder::kLittle : ByteOrder::kBig;

/// sizeof(hvl_t) and sizeof(char*) in a program's buffer.
inline constexpr std::size_t kMemorySequenceSize = sizeof(std::size_t) + sizeof(void*);
inline constexpr std::size_t kMemoryPointerSize = sizeof(void*);

/// An address of 0, whatever the index: no object, as libhdf5 has it.
[[nodiscard]] bool is_null_heap_id(ConstBytes id);

[[nodiscard]] Datatype make_type(TypeNode node);
/// A node whose bits all count: precision 8 * size, bit offset 0.
[[nodiscard]] TypeNode atomic_node(TypeClass cls, std::size_t size, ByteOrder order);
/// Every field lies inside `precision` bits.
[[nodiscard]] bool fields_fit(const FloatFields& fields, std::size_t precision);
[[nodiscard]] bool fields_disjoint(const FloatFields& fields);
/// The same type with compound, enum and array types (and vlen types of these) at `version` or above.
[[nodiscard]] Datatype upgraded(const Datatype& type, std::uint8_t version);
/// Numbers of the members in order of their offsets.
[[nodiscard]] std::vector<unsigned> members_by_offset(const TypeNode& node);

}  // namespace pcio::detail
