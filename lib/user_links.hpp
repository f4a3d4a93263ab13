// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: classes of links that programs register, and their functions.
//
// Functions get ids and data of this rank, and are called where a link of their class is made, moved,
// copied, deleted, followed or asked about. Threads: as the calls that use them.

#pragma once

#include <optional>
#include <string>

#include "lib/object_handles.hpp"
#include "lib/public_api.hpp"
#include "object/group.hpp"

namespace pcio {

/// A class in the form of today; trav_func or its form without a transfer list.
struct LinkClass {
  H5L_class_t functions{};
  H5L_traverse_0_func_t old_traverse = nullptr;
};

/// Replaces a class of the same number. Errors: ARGS.
Status register_link_class(const void* cls);
Status unregister_link_class(int id);
/// External links have a class of the library's own, until it is taken away.
bool is_link_class(int id);

/// Lets walks call the program's functions. When the library is opened.
void prepare_user_links();

/// What is to be told of a link to its class, after it was made. Nothing for other links.
/// Errors: the class's function failed.
Status tell_created(const LinkPlace& place, hid_t lcpl_id);
/// A link that was moved is gone from its old place, which had `old_name`.
Status tell_transferred(const LinkPlace& to, LinkTransfer how, const std::string& old_name);
/// Before it goes.
Status tell_deleted(const LinkPlace& place);
/// What the class of a link puts into `buffer` (may be null: nothing), and how long it is; nothing where the
/// class is not registered, or tells nothing. Errors: its function failed.
Result<std::optional<std::size_t>> told_value(const LinkMessage& link, void* buffer,
                                              std::size_t size);

}  // namespace pcio
