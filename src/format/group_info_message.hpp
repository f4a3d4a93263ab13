// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: group info message (0x000A), the constants of a new-style group.
// Source: HDF5 File Format Specification, IV.A.2.k The Group Info Message.

#pragma once

#include <optional>

#include "format/file_sizes.hpp"

namespace pcio {

/// When links move between header and heap, in links.
struct LinkPhaseChange {
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
  friend bool operator==(const LinkPhaseChange&, const LinkPhaseChange&) = default;
};
/// What the creator of a group expected; gives the size of a new header.
struct LinkEstimate {
  std::uint16_t entries = 4;
  std::uint16_t name_length = 8;  ///< bytes
  friend bool operator==(const LinkEstimate&, const LinkEstimate&) = default;
};
/// Nothing needs to be stored where the defaults hold.
struct GroupInfoMessage {
  std::optional<LinkPhaseChange> phase_change;
  std::optional<LinkEstimate> estimate;
  friend bool operator==(const GroupInfoMessage&, const GroupInfoMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for bad flags.
Result<GroupInfoMessage> decode_group_info_message(ByteReader& reader);
Status encode_group_info_message(const GroupInfoMessage& info, ByteWriter& out);

}  // namespace pcio
