// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: groups and links.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "object/traverse.hpp"

namespace pcio {

// None of these communicates; frame changes with metadata_call. "Collective: by contract" means that
// all ranks of a parallel file make the call with the same arguments.

/// A new group behind a new hard link at `place`. Collective: by contract.
/// Errors: EXISTS where the name is taken; place without a name.
Result<Location> make_group(const LinkPlace& place, const GroupCreateProps& create,
                            const LinkCreateProps& link);
/// A group without a link. `source`: the group, of any file, that it is a copy of. Collective: by contract.
/// Errors: filters that can't be applied here.
Result<Location> make_anonymous_group(const FilePtr& file, const GroupCreateProps& create,
                                      const StoredObject* source = nullptr);

/// What adding a hard link there would be refused for, before there is an object for it. Where the place is that of a
/// group on the way: making that. Nothing changes. Collective: independent.
Status check_new_link(const LinkPlace& place, const LinkCreateProps& create);
/// Adds `link` (its name is taken from `place`). Hard links count at their object.
/// Collective: by contract. Errors: EXISTS.
Status add_link(const LinkPlace& place, LinkMessage link, const LinkCreateProps& create);
/// A hard link to an object of the same file.
Status add_hard_link(const LinkPlace& place, const Location& target, const LinkCreateProps& create);
Status add_soft_link(const LinkPlace& place, const std::string& target,
                     const LinkCreateProps& create);
Status add_external_link(const LinkPlace& place, const std::string& file, const std::string& object,
                         const LinkCreateProps& create);
/// Removes the link; an object that lost its last link goes at a commit.
Status remove_link(const LinkPlace& place);
/// Takes a link back whose object could not be finished. Where this rank lacks memory for it, the next
/// agreement tells all of them. Collective: by contract.
void undo_link(const LinkPlace& place) noexcept;
/// One reference more or fewer that keeps an object, as each hard link is one; at none it goes at a commit.
/// Collective: by contract. Errors of the second: there is none left.
Status add_reference(const Location& object);
Status drop_reference(const Location& object);
/// Moves or copies a link; the list decides about the character set, as in HDF5. Errors: EXISTS,
/// NOTFOUND; a group to a place that only it leads to; across files.
enum class LinkTransfer : std::uint8_t { kMove, kCopy };
Status transfer_link(const LinkPlace& from, const LinkPlace& to, LinkTransfer how,
                     const LinkCreateProps& create);

/// Orders in which links are visited; values of H5_index_t and H5_iter_order_t.
enum class IndexBy : std::uint8_t { kName = 0, kCreationOrder = 1 };
enum class IterOrder : std::uint8_t { kIncreasing = 0, kDecreasing = 1, kNative = 2 };

/// A part of a list: from number `first` on, at most `most` names.
struct NameRange {
  IndexBy by = IndexBy::kName;
  IterOrder order = IterOrder::kIncreasing;
  std::uint64_t first = 0;
  std::size_t most = static_cast<std::size_t>(-1);
};

/// A link in a list, and what is needed to go on behind it.
struct LinkName {
  std::string name;
  std::int64_t creation = 0;
};

/// What kNative comes to where the group has such an order by name or by creation: old-style groups, and dense
/// ones that have an index by creation. Elsewhere it stays kNative: compact links go by their messages, dense ones by
/// the hashes of their names. Collective: independent. Errors: not a group; creation order that is not tracked.
Result<NameRange> native_resolved(const Location& group, NameRange range);
/// A range in native order that is listed at once: nothing tells where it would go on.
Result<bool> goes_by_message(const Location& group, const NameRange& range);
/// True where the group knows the order in which its links were made.
bool tracks_creation_order(const Location& group);
/// Collective: independent. Errors: not a group; damaged blocks.
Result<std::uint64_t> link_count(const Location& group);
/// The links from number `first` on, or behind one that may have gone meanwhile, in an order as native_resolved()
/// left it before the first ones were listed.
/// Collective: independent. Errors: creation order asked for and not tracked.
Result<std::vector<LinkName>> link_names_from(const Location& group, NameRange range);
Result<std::vector<LinkName>> link_names_behind(const Location& group, IndexBy by, IterOrder order,
                                                const LinkName& last);
/// Names of a group's links in an order. Collective: independent.
/// Errors: creation order asked for and not tracked.
Result<std::vector<std::string>> ordered_names(const Location& group, IndexBy by, IterOrder order);
/// The place of the n-th link in an order. Errors: BADRANGE.
Result<LinkPlace> place_by_index(const Location& group, IndexBy by, IterOrder order,
                                 std::uint64_t n);

/// What H5Gget_info and the creation list of a group report.
struct GroupInfo {
  enum class Storage : std::int8_t { kSymbolTable = 0, kCompact = 1, kDense = 2 };
  Storage storage = Storage::kSymbolTable;
  std::uint64_t nlinks = 0;
  std::int64_t max_creation_order = 0;
};
Result<GroupInfo> group_info(const Location& group);
Result<GroupCreateProps> group_create_props(const Location& group);

/// What a group that is missing on a path is made with: what is said of links in the one that it is made in,
/// where that has more than a symbol table. As observed on libhdf5 1.10.8.
Result<GroupCreateProps> missing_group_props(const Location& parent);

}  // namespace pcio
