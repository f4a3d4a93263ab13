// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: work on links that H5L and the forms of HDF5 1.6 in H5G share.

#pragma once

#include <string>
#include <vector>

#include "lib/call_arguments.hpp"
#include "lib/public_api.hpp"

namespace pcio {

/// One end of a call that links, moves or copies; loc_id may be H5L_SAME_LOC.
struct LinkEnd {
  hid_t loc_id;
  const char* name;
};

Status call_create_hard(const char* function, LinkEnd target, LinkEnd link, LinkLists lists);
Status call_create_soft(const char* function, const char* target, LinkEnd link, LinkLists lists);
Status call_transfer(const char* function, LinkTransfer how, LinkEnd from, LinkEnd to,
                     LinkLists lists);
Status call_delete_link(const char* function, LinkEnd link, hid_t lapl_id);

/// Removes a link; its class is told before, and open objects forget its name.
Status delete_link(const LinkPlace& place);

/// The value of an external link, in two.
struct ExternalValue {
  const char* file = nullptr;
  const char* object = nullptr;
};
/// Errors: ARGS; bytes that are no such value.
Result<ExternalValue> unpack_external(const char* value, std::size_t size);

/// A new hard link to `target`; frame of H5Lcreate_hard and H5Olink.
Status link_to_object(const char* function, const Location& target, const Location& at,
                      const char* name, LinkLists lists);

/// Bytes of the value of a link other than a hard one, as H5Lget_val gives it: a path with its NUL; flags,
/// file and path of an external link; what its class tells of another. Errors: a hard link; the class.
Result<std::size_t> link_value_size(const LinkMessage& link);
/// Copies a value, cut and closed with a NUL where it does not fit.
Status copy_link_value(const LinkMessage& link, void* buffer, std::size_t size);
/// Errors: the class of a user-defined link.
Result<H5L_info_t> link_facts(const LinkMessage& link);

}  // namespace pcio
