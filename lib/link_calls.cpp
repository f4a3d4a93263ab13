// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: work on links, out of line.

#include "lib/link_calls.hpp"

#include <algorithm>
#include <cstring>

#include "lib/text_argument.hpp"
#include "lib/user_links.hpp"

namespace pcio {

namespace {

/// Both places of a call with two, where one may be "the same as the other".
struct TwoPlaces {
  Location first;
  Location second;
};

Result<TwoPlaces> two_places(hid_t first, hid_t second) {
  if (first == H5L_SAME_LOC && second == H5L_SAME_LOC)
    return PCIO_ERROR(ARGS, BADVALUE, "both locations are H5L_SAME_LOC");
  PCIO_ASSIGN(Location a, location_of(first == H5L_SAME_LOC ? second : first, "src_loc"));
  PCIO_ASSIGN(Location b, location_of(second == H5L_SAME_LOC ? first : second, "dst_loc"));
  return TwoPlaces{std::move(a), std::move(b)};
}

Status same_file(const Location& a, const Location& b) {
  if (a.file == b.file) return Status();
  return PCIO_ERROR(
      LINK, CANTINIT,
      "a hard link from file " + b.file->path() + " to an object of file " + a.file->path());
}

}  // namespace

Status link_to_object(const char* function, const Location& target, const Location& at,
                      const char* name, LinkLists lists) {
  NewLink link;
  LinkPlace place;
  return metadata_call_to(
      at.file, {function, full_name(at, name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, name, lists));
        out.begin("object that is linked");
        out.u64(target.address());
        return Status();
      },
      [&]() -> Result<FilePtr> {
        PCIO_ASSIGN(place, free_place(at, link));
        PCIO_TRY(same_file(target, place.group));
        return place.group.file;
      },
      [&]() -> Status {
        PathChanges paths = target.file->paths_named(target.object, place.path());
        PCIO_TRY(add_hard_link(place, target, link.props));
        paths.run();
        return Status();
      });
}

Status call_create_hard(const char* function, LinkEnd target, LinkEnd link_end, LinkLists lists) {
  PCIO_ASSIGN(TwoPlaces at, two_places(target.loc_id, link_end.loc_id));
  NewLink link;
  Location object;
  LinkPlace place;
  return metadata_call_to(
      at.second.file, {function, full_name(at.second, link_end.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, link_end.name, lists));
        PCIO_TRY(detail::to_status(text_argument(target.name, "cur_name")));
        PCIO_ASSIGN(object, object_in(at.first, target.name, link.access));
        out.begin("object that is linked");
        out.u64(object.address());
        return Status();
      },
      [&]() -> Result<FilePtr> {
        PCIO_ASSIGN(place, free_place(at.second, link));
        PCIO_TRY(same_file(object, place.group));
        return place.group.file;
      },
      [&]() -> Status {
        PathChanges paths = object.file->paths_named(object.object, place.path());
        PCIO_TRY(add_hard_link(place, object, link.props));
        paths.run();
        return Status();
      });
}

Status call_create_soft(const char* function, const char* target, LinkEnd link_end,
                        LinkLists lists) {
  PCIO_ASSIGN(Location at, location_of(link_end.loc_id, "link_loc_id"));
  NewLink link;
  LinkPlace place;
  std::string path;
  return metadata_call_to(
      at.file, {function, full_name(at, link_end.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, link_end.name, lists));
        PCIO_ASSIGN(path, text_argument(target, "link_target"));
        out.begin("target of the link");
        put_argument(out, path);
        return Status();
      },
      [&]() -> Result<FilePtr> {
        PCIO_ASSIGN(place, free_place(at, link));
        return place.group.file;
      },
      [&] { return add_soft_link(place, path, link.props); });
}

Status call_transfer(const char* function, LinkTransfer how, LinkEnd from, LinkEnd to,
                     LinkLists lists) {
  PCIO_ASSIGN(TwoPlaces at, two_places(from.loc_id, to.loc_id));
  NewLink link;
  LinkPlace source, place;
  return metadata_call_to(
      at.first.file, {function, full_name(at.first, from.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, to.name, lists));
        PCIO_ASSIGN(std::string name, text_argument(from.name, "src_name"));
        out.begin("old name");
        put_argument(out, name);
        PCIO_ASSIGN(source, find_place(at.first, name, link.access));
        PCIO_TRY(find_link(source));
        return Status();
      },
      [&]() -> Result<FilePtr> {
        PCIO_ASSIGN(place, free_place(at.second, link));
        return place.group.file;
      },
      [&]() -> Status {
        PathChanges paths;
        if (how == LinkTransfer::kMove)
          paths = source.group.file->paths_renamed(source.path(), place.path());
        PCIO_TRY(transfer_link(source, place, how, link.props));
        paths.run();
        return tell_transferred(place, how, source.name);
      });
}

Status call_delete_link(const char* function, LinkEnd link, hid_t lapl_id) {
  PCIO_ASSIGN(Location at, location_of(link.loc_id, "loc_id"));
  LinkPlace place;
  return metadata_call_to(
      at.file, {function, full_name(at, link.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_ASSIGN(std::string name, text_argument(link.name, "name"));
        PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
        out.begin("name");
        put_argument(out, name);
        PCIO_ASSIGN(place, find_place(at, name, *access));
        PCIO_TRY(find_link(place));
        return Status();
      },
      [&]() -> Result<FilePtr> { return place.group.file; }, [&] { return delete_link(place); });
}

Status delete_link(const LinkPlace& place) {
  PCIO_TRY(tell_deleted(place));
  PathChanges paths = place.group.file->paths_renamed(place.path(), "");
  PCIO_TRY(remove_link(place));
  paths.run();
  return Status();
}

/// Two texts, each with its NUL, behind the byte of version and flags.
Result<ExternalValue> unpack_external(const char* value, std::size_t size) {
  if (value == nullptr || size < 3)
    return PCIO_ERROR(ARGS, BADRANGE, "argument link_size: too short for an external link");
  if ((static_cast<unsigned char>(value[0]) >> 4) != 0)
    return PCIO_ERROR(LINK, VERSION, "argument ext_linkval: unknown version of an external link");
  const char* end = value + size;
  const void* first = std::memchr(value + 1, 0, size - 1);
  if (first == nullptr || static_cast<const char*>(first) + 1 == end)
    return PCIO_ERROR(ARGS, BADVALUE, "argument ext_linkval: no object path in it");
  const ExternalValue parts{value + 1, static_cast<const char*>(first) + 1};
  if (std::memchr(parts.object, 0, static_cast<std::size_t>(end - parts.object)) == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "argument ext_linkval: the object path has no end");
  return parts;
}

namespace {

/// A path with its NUL, or flags, file and path of an external link.
Result<std::string> stored_value(const LinkMessage& link) {
  switch (link.type) {
    case kLinkHard:
      return PCIO_ERROR(LINK, BADVALUE,
                        "link \"" + link.name + "\" is a hard link: it has no value");
    case kLinkSoft: return std::string(link.target.text()) + '\0';
    case kLinkExternal:
      // Version and flags in one byte, both 0. Source: format specification, IV.A.2.g.
      return '\0' + std::string(link.file.text()) + '\0' + std::string(link.target.text()) + '\0';
    // Only its class knows what the data of a link mean.
    default: return std::string();
  }
}

}  // namespace

Result<std::size_t> link_value_size(const LinkMessage& link) {
  PCIO_ASSIGN(std::optional<std::size_t> told, told_value(link, nullptr, 0));
  if (told) return *told;
  PCIO_ASSIGN(std::string value, stored_value(link));
  return value.size();
}

Status copy_link_value(const LinkMessage& link, void* buffer, std::size_t size) {
  PCIO_ASSIGN(std::optional<std::size_t> told, told_value(link, buffer, size));
  if (told) return Status();
  PCIO_ASSIGN(std::string value, stored_value(link));
  if (buffer == nullptr || size == 0) return Status();
  std::size_t n = std::min(size, value.size());
  std::memcpy(buffer, value.data(), n);
  if (n < value.size()) static_cast<char*>(buffer)[size - 1] = '\0';
  if (value.empty()) *static_cast<char*>(buffer) = '\0';
  return Status();
}

Result<H5L_info_t> link_facts(const LinkMessage& link) {
  H5L_info_t info{};
  info.type = static_cast<H5L_type_t>(link.type);
  info.corder_valid = link.creation_order.has_value();
  info.corder = link.creation_order.value_or(0);
  info.cset = static_cast<H5T_cset_t>(link.charset);
  if (link.type == kLinkHard) {
    info.u.address = link.address;
  } else {
    PCIO_ASSIGN(info.u.val_size, link_value_size(link));
  }
  return info;
}

}  // namespace pcio
