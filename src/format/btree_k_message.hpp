// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: B-tree K message (0x0013) of a superblock extension.
// Source: HDF5 File Format Specification, IV.A.2.t The B-tree 'K' Values Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// Sizes of version 1 B-tree nodes; a superblock of version 2 or 3 holds none itself.
struct BtreeKMessage {
  std::uint16_t indexed_storage_internal_k = 32;
  std::uint16_t group_internal_k = 16;
  std::uint16_t group_leaf_k = 4;
  friend bool operator==(const BtreeKMessage&, const BtreeKMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for a K of 0.
Result<BtreeKMessage> decode_btree_k_message(ByteReader& reader);
Status encode_btree_k_message(const BtreeKMessage& k, ByteWriter& out);

}  // namespace pcio
