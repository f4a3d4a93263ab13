// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: iterations, out of line.

#include "lib/iteration.hpp"

namespace pcio {

Result<ListOrder> list_order(H5_index_t idx_type, H5_iter_order_t order) {
  if (idx_type <= H5_INDEX_UNKNOWN || idx_type >= H5_INDEX_N)
    return PCIO_ERROR(ARGS, BADVALUE, "argument idx_type: no such index");
  if (order <= H5_ITER_UNKNOWN || order >= H5_ITER_N)
    return PCIO_ERROR(ARGS, BADVALUE, "argument order: no such order of iteration");
  return ListOrder{static_cast<IndexBy>(idx_type), static_cast<IterOrder>(order)};
}

Result<LinkPlace> indexed_place(const GroupArgument& group, H5_index_t idx_type,
                                H5_iter_order_t order, hsize_t n) {
  PCIO_ASSIGN(ListOrder how, list_order(idx_type, order));
  PCIO_ASSIGN(Location at, object_at(group.loc_id, group.name, group.lapl_id));
  return place_by_index(at, how.by, how.order, n);
}

}  // namespace pcio
