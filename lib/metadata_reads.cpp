// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: wants_shared_reads.

#include "lib/metadata_reads.hpp"

#include "lib/value_handles.hpp"

namespace pcio {

bool wants_shared_reads(HandleId list) {
  if (list == H5P_DEFAULT) return false;
  auto props = props_or_default<LinkAccessProps>(list, "list");
  return props && (*props)->all_collective_metadata_reads;
}

}  // namespace pcio
