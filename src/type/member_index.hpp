// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: where the members of a compound or enum type are, by name, by value and by offset.
//
// It says nothing that the members don't say. Types of few members have none and are searched from
// end to end; whoever adds members calls index_last_member, whoever orders them anew index_members.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/hashed_numbers.hpp"
#include "type/datatype.hpp"

namespace pcio::detail {

/// Belongs to nodes that have the same members in the same order, which may share it.
struct MemberIndex {
  std::size_t covered = 0;  ///< members that it was made of
  HashedNumbers names;
  HashedNumbers values;             ///< enum types
  std::vector<unsigned> by_offset;  ///< compound types: numbers of the members
};

/// Takes in the member or symbol that was added last.
void index_last_member(TypeNode& node);
/// Makes the index of all members and symbols.
void index_members(TypeNode& node);

/// The first member or symbol of this name.
[[nodiscard]] std::optional<unsigned> find_member(const TypeNode& node, std::string_view name);
/// The first symbol of an enum type that has this value (`node.size` bytes).
[[nodiscard]] std::optional<unsigned> find_value(const TypeNode& node, const std::byte* value);
/// A member of a compound type that has one of `size` bytes at `offset`. Members don't overlap.
[[nodiscard]] std::optional<unsigned> find_overlap(const TypeNode& node, std::size_t offset,
                                                   std::size_t size);

}  // namespace pcio::detail
