// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: checks that settings of attributes and of links share.

#pragma once

#include "base/status.hpp"
#include "props/object_props.hpp"

namespace pcio {

/// Limits between compact and dense storage. Source: HDF5 Reference Manual,
/// H5Pset_attr_phase_change and H5Pset_link_phase_change; both are stored in 16 bits.
inline Status check_phase_change(unsigned max_compact, unsigned min_dense) {
  if (max_compact < min_dense)
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument max_compact: max_compact is smaller than min_dense");
  if (max_compact > 65535) return PCIO_ERROR(ARGS, BADRANGE, "max_compact is over 65535");
  return Status();
}

/// Bits of a creation order setting. Errors: an index without tracking.
inline Result<unsigned> creation_order_flags(unsigned flags) {
  flags &= kCreationOrderTracked | kCreationOrderIndexed;
  if (flags == kCreationOrderIndexed)
    return PCIO_ERROR(ARGS, BADVALUE, "creation order can't be indexed without being tracked");
  return flags;
}

}  // namespace pcio
