// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: B-tree K message, decode and encode.

#include "format/btree_k_message.hpp"

namespace pcio {

Result<BtreeKMessage> decode_btree_k_message(ByteReader& reader) {
  PCIO_TRY(decode_version(reader, 0, 0, "B-tree K message"));
  BtreeKMessage k;
  k.indexed_storage_internal_k = reader.u16();
  k.group_internal_k = reader.u16();
  k.group_leaf_k = reader.u16();
  PCIO_TRY(reader.check("B-tree K message"));
  if (k.indexed_storage_internal_k == 0 || k.group_internal_k == 0 || k.group_leaf_k == 0)
    return PCIO_ERROR(BTREE, BADVALUE, "B-tree K message has a K of 0");
  return k;
}

Status encode_btree_k_message(const BtreeKMessage& k, ByteWriter& out) {
  out.u8(0);
  out.u16(k.indexed_storage_internal_k);
  out.u16(k.group_internal_k);
  out.u16(k.group_leaf_k);
  return Status();
}

}  // namespace pcio
