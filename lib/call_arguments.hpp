// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what of a metadata call's arguments must be equal on all ranks, as bytes for the hash
// of calls. Not in it: attribute values, ids, bytes of a fill value that belong to none of its parts.

#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "lib/object_handles.hpp"
#include "lib/public_api.hpp"
#include "object/group.hpp"
#include "object/metadata_call.hpp"
#include "props/dataset_props.hpp"

namespace pcio {

/// What of a file's path is equal on all ranks: the folders may be each rank's own (H5Fopen).
inline std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}
void put_argument(ByteWriter& out, std::string_view text);
void put_argument(ByteWriter& out, const Dims& dims);
void put_argument(ByteWriter& out, const Extent& space);
void put_argument(NamedArguments& out, const ObjectCreateProps& props);
void put_argument(NamedArguments& out, const GroupCreateProps& props);
void put_argument(NamedArguments& out, const LinkCreateProps& props);
/// Errors: a type that can't be encoded.
Status put_argument(ByteWriter& out, const Datatype& type);
Status put_argument(NamedArguments& out, const DatasetCreateProps& props);

/// What a new dataset or attribute is to be, for messages: " (10, 20) of 4-byte integers, chunks
/// (5, 20)". What is no id is left out; it has an error of its own. `dcpl_id` H5P_DEFAULT: no list is mentioned.
std::string outline(HandleId type_id, HandleId space_id, HandleId dcpl_id);

/// A datatype argument of a call that stores a type in `file`.
Result<StoredType> stored_type_argument(HandleId type_id, const FilePtr& file);

/// Errors: ARGS BADTYPE where the type is, or has in it, an enumeration or compound without members.
Status check_storable(const Datatype& type);
/// The extent of a dataspace argument, which must have one.
Status copy_extent_argument(HandleId space_id, Extent* extent);

/// Lists of a call that makes a link: how it is made, and how the way to it is gone. The second may
/// be that of a kind of object, as a list for access to groups.
struct LinkLists {
  HandleId lcpl_id = H5P_DEFAULT;
  HandleId lapl_id = H5P_DEFAULT;
  const char* lapl_argument = "lapl_id";  ///< what the call names the second one
};

/// A new link in the making: name and lists of H5?create, checked by prepare().
struct NewLink {
  std::string name;
  LinkCreateProps props;
  LinkAccessProps access;
  /// Checks the arguments and puts them into `out`.
  Status prepare(NamedArguments& out, const char* name_argument, LinkLists lists);
};

/// Where a new link would be; makes missing groups where the list says so.
/// Errors: EXISTS where the name is taken, so that nothing is made in vain.
Result<LinkPlace> free_place(const Location& at, const NewLink& link);

/// The same before anything is made: where there are groups to be made, the place of the first one.
/// Errors: what free_place() and link_new_object() would refuse; a file that a link leads to and that is only read.
Result<LinkPlace> planned_place(const Location& at, const NewLink& link);
/// A new object can't be in another file of several ranks than the one where the call began, whose ranks met.
Status check_begins_there(const FilePtr& begun, const FilePtr& led_to);

/// Puts an object that was just made behind the link; `made` gets the path.
Status link_new_object(const LinkPlace& place, Location* made, const NewLink& link);

/// Makes an object behind a new link; frame of H5Gcreate, H5Dcreate, H5Tcommit.
/// `prepare(NamedArguments&) -> Status`; `make(const LinkPlace&, const NewLink&) -> Status`, at a place
/// that is known to be free. Ranks that meet have looked for it before, so that who is refused it has changed nothing;
/// `ready`, if it isn't empty, is what they do last before they meet.
template <class Prepare, class Make>
Status create_linked(const Location& at, const CallName& call, const char* name, LinkLists lists,
                     Prepare&& prepare, Make&& make, Meeting* meeting = nullptr,
                     const std::function<void()>& ready = nullptr) {
  NewLink link;
  LinkPlace place;
  return metadata_call_to(
      at.file, call,
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, name, lists));
        PCIO_TRY(prepare(out));
        if (meeting == nullptr || *meeting != Meeting::kWanted) return Status();
        PCIO_ASSIGN(place, planned_place(at, link));
        PCIO_TRY(check_begins_there(at.file, place.group.file));
        if (ready) ready();
        return Status();
      },
      [&]() -> Result<FilePtr> {
        if (place.group.file == nullptr || place.is_on_the_way) {
          PCIO_ASSIGN(place, free_place(at, link));
        }
        return place.group.file;
      },
      [&]() -> Status { return make(place, link); }, meeting);
}

/// As a metadata call without arguments but the object itself, which `act` changes.
template <class Act>
Status change_object(const Location& at, const char* function, Act&& act) {
  return metadata_call(
      *at.file, {function, at.path},
      [&](NamedArguments& out) -> Status {
        out.begin("object");
        out.u64(at.address());
        return Status();
      },
      std::forward<Act>(act));
}

}  // namespace pcio
