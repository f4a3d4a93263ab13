// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5L: iteration over links, of one group and of all that can be reached.

#include "lib/api_entry.hpp"
#include "lib/iteration.hpp"
#include "lib/link_calls.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/visit.hpp"

using namespace pcio;

namespace {

/// What an iteration is to do, besides its group.
struct LinkIteration {
  H5_index_t idx_type;
  H5_iter_order_t order;
  H5L_iterate_t op;
  void* op_data;
};

Result<herr_t> iterate_group(const Location& group, hid_t group_id, const LinkIteration& what,
                             hsize_t* idx) {
  PCIO_ASSIGN(ListOrder how, list_order(what.idx_type, what.order));
  PCIO_TRY(need_callback(what.op));
  return iterate_links(group, how, idx,
                       [&](const LinkPlace& place, const LinkMessage& link) -> Result<herr_t> {
                         PCIO_ASSIGN(H5L_info_t info, link_facts(link));
                         const ProgramsTurn turn;
                         return what.op(group_id, place.name.c_str(), &info, what.op_data);
                       });
}

/// The group that `find() -> Result<Location>` finds, and what an iteration goes through, before anything of the program's is
/// called. One read: a rank that finds nothing takes part in it.
template <class Find>
Result<Location> group_with_links(const char* function, const GroupArgument& named, Find&& find) {
  return read_metadata({function, named.loc_id, named.name, named.lapl_id},
                       [&]() -> Result<Location> {
                         PCIO_ASSIGN(Location group, find());
                         PCIO_TRY(detail::to_status(link_count(group)));
                         return group;
                       });
}

Result<herr_t> visit_group(const Location& group, hid_t group_id, const LinkIteration& what) {
  PCIO_ASSIGN(ListOrder how, list_order(what.idx_type, what.order));
  PCIO_TRY(need_callback(what.op));
  return visit_links(group, how,
                     [&](const std::string& path, const LinkMessage& link) -> Result<herr_t> {
                       PCIO_ASSIGN(H5L_info_t info, link_facts(link));
                       const ProgramsTurn turn;
                       return what.op(group_id, path.c_str(), &info, what.op_data);
                     });
}

Result<Location> named_group(const GroupArgument& argument) {
  return object_at(argument.loc_id, argument.name, argument.lapl_id);
}

/// Runs `body(group, id)` with a group that was named, under an id of its own.
template <class Body>
Result<herr_t> with_group(const Location& group, Body&& body) {
  PCIO_ASSIGN(hid_t id, group_id_for(group));
  lend_to_function(id);
  return release_lent(id, "group", body(group, id));
}

}  // namespace

herr_t H5Literate(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx,
                  H5L_iterate_t op, void* op_data) {
  return api_value("H5Literate", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(Location group, group_with_links("H5Literate", {grp_id, nullptr, H5P_DEFAULT},
                                                 [&] { return location_of(grp_id, "grp_id"); }));
    return iterate_group(group, grp_id, {idx_type, order, op, op_data}, idx);
  });
}

herr_t H5Literate_by_name(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t* idx, H5L_iterate_t op, void* op_data,
                          hid_t lapl_id) {
  return api_value("H5Literate_by_name", herr_t{-1}, [&]() -> Result<herr_t> {
    const GroupArgument named{loc_id, group_name, lapl_id};
    PCIO_ASSIGN(Location group,
                group_with_links("H5Literate_by_name", named, [&] { return named_group(named); }));
    return with_group(group, [&](const Location& at, hid_t id) {
      return iterate_group(at, id, {idx_type, order, op, op_data}, idx);
    });
  });
}

herr_t H5Lvisit(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, H5L_iterate_t op,
                void* op_data) {
  return api_value("H5Lvisit", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(Location group, location_of(grp_id, "grp_id"));
    return visit_group(group, grp_id, {idx_type, order, op, op_data});
  });
}

herr_t H5Lvisit_by_name(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                        H5_iter_order_t order, H5L_iterate_t op, void* op_data, hid_t lapl_id) {
  return api_value("H5Lvisit_by_name", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(Location group, named_group({loc_id, group_name, lapl_id}));
    return with_group(group, [&](const Location& at, hid_t id) {
      return visit_group(at, id, {idx_type, order, op, op_data});
    });
  });
}
