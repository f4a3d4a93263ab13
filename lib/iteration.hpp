// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what all iterations of the C API have in common: orders, indices, stopping.
//
// Names are taken before callbacks, so that these may delete and create what they like; a name that is
// gone when its turn comes is left out.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lib/object_handles.hpp"
#include "lib/public_api.hpp"
#include "object/group.hpp"

namespace pcio {

/// An index and an order as the inside names them.
struct ListOrder {
  IndexBy by = IndexBy::kName;
  IterOrder order = IterOrder::kIncreasing;
};
/// Errors: ARGS/BADVALUE for numbers that are no index or no order.
Result<ListOrder> list_order(H5_index_t idx_type, H5_iter_order_t order);

/// A group as the calls with "_by_idx" name it.
struct GroupArgument {
  hid_t loc_id;
  const char* name;
  hid_t lapl_id;
};
/// The place of link number `n` of the group in an order. Errors: BADRANGE.
Result<LinkPlace> indexed_place(const GroupArgument& group, H5_index_t idx_type,
                                H5_iter_order_t order, hsize_t n);

/// The names of an iteration, some at first: who stops after a few, and comes again with the next
/// number, doesn't pay for all. The others are taken when the iteration goes on behind these.
/// `Name` has a member `name`.
template <class Name>
struct IteratedNames {
  std::vector<Name> names;
  std::function<Result<std::vector<Name>>(const Name& last)> behind;
  std::uint64_t count = 0;  ///< of all
};

/// How many names are taken at first.
inline constexpr std::size_t kNamesAtFirst = 32;

/// Calls `visit(name) -> Result<herr_t>` for names from number `*idx` on (`idx` may be NULL: 0),
/// where `take(first) -> Result<IteratedNames>` gives them.
///
/// Result: 0, or the first positive answer, at which the iteration stops; `*idx` is then the next
/// number. On failure `*idx` is unchanged. Errors: `*idx` beyond the end; a negative answer.
template <class Take, class Visit>
Result<herr_t> iterate_names(Take&& take, hsize_t* idx, Visit&& visit) {
  hsize_t at = idx == nullptr ? 0 : *idx;
  PCIO_ASSIGN(auto list, take(at));
  if (at > 0 && at >= list.count)
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument idx: number " + std::to_string(at) + " of " +
                          std::to_string(list.count) + " to begin with");
  herr_t answer = 0;
  for (std::size_t i = 0; i < list.names.size() && answer == 0; ++i, ++at) {
    const std::string& name = list.names[i].name;
    PCIO_ASSIGN(answer, visit(name));
    if (answer < 0)
      return PCIO_ERROR(ARGS, BADITER, "argument op: the callback failed at \"" + name + "\"");
    if (i + 1 < list.names.size() || answer != 0 || !list.behind) continue;
    PCIO_ASSIGN(auto rest, list.behind(list.names[i]));
    list.behind = nullptr;
    for (auto& other : rest) list.names.push_back(std::move(other));
  }
  if (idx != nullptr) *idx = at;
  return answer;
}

/// As iterate_names over the links of a group: `visit(LinkPlace, LinkMessage) -> herr_t`.
template <class Visit>
Result<herr_t> iterate_links(const Location& group, ListOrder how, hsize_t* idx, Visit&& visit) {
  auto take = [&](hsize_t first) -> Result<IteratedNames<LinkName>> {
    IteratedNames<LinkName> list;
    PCIO_ASSIGN(NameRange range, native_resolved(group, {how.by, how.order, first, kNamesAtFirst}));
    PCIO_ASSIGN(const bool at_once, goes_by_message(group, range));
    if (at_once) range.most = static_cast<std::size_t>(-1);
    PCIO_ASSIGN(list.names, link_names_from(group, range));
    PCIO_ASSIGN(list.count, link_count(group));
    if (at_once) return list;
    list.behind = [&group, by = range.by, order = range.order](const LinkName& last) {
      return link_names_behind(group, by, order, last);
    };
    return list;
  };
  return iterate_names(take, idx, [&](const std::string& name) -> Result<herr_t> {
    LinkPlace place{group, name};
    auto link = find_link(place);
    if (!link) return 0;
    // A copy: the callback may change the table.
    const LinkMessage copy = **link;
    auto answer = visit(place, copy);
    PCIO_TRY(
        check_open(*group.file));  // the callback, or meanwhile another thread, may have closed it
    return answer;
  });
}

/// The callback must be there. Errors: ARGS/BADVALUE.
template <class Callback>
Status need_callback(Callback callback) {
  if (callback != nullptr) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "argument op: no callback");
}

}  // namespace pcio
