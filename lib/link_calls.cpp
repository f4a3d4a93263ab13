// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: work on links, out of line.

#include "lib/link_calls.hpp"

#include <algorithm>
#include <cstring>

#include "lib/text_argument.hpp"

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
  PCIO_ASSIGN(Location a, location_of(first == H5L_SAME_LOC ? second : first, "source location"));
  PCIO_ASSIGN(Location b, location_of(second == H5L_SAME_LOC ? first : second, "new location"));
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
  return metadata_call(
      *at.file, {function, full_name(at, name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, name, lists));
        out.begin("object that is linked");
        out.u64(target.address());
        return same_file(target, at);
      },
      [&]() -> Status {
        PCIO_ASSIGN(LinkPlace place, free_place(at, link));
        PCIO_TRY(add_hard_link(place, target, link.props));
        target.file->name_object(target.object, place.path());
        return Status();
      });
}

Status call_create_hard(const char* function, LinkEnd target, LinkEnd link_end, LinkLists lists) {
  PCIO_ASSIGN(TwoPlaces at, two_places(target.loc_id, link_end.loc_id));
  NewLink link;
  Location object;
  return metadata_call(
      *at.second.file, {function, full_name(at.second, link_end.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, link_end.name, lists));
        PCIO_TRY(same_file(at.first, at.second));
        PCIO_ASSIGN(object, object_in(at.first, target.name, link.access));
        out.begin("object that is linked");
        out.u64(object.address());
        return Status();
      },
      [&]() -> Status {
        PCIO_ASSIGN(LinkPlace place, free_place(at.second, link));
        PCIO_TRY(add_hard_link(place, object, link.props));
        object.file->name_object(object.object, place.path());
        return Status();
      });
}

Status call_create_soft(const char* function, const char* target, LinkEnd link_end,
                        LinkLists lists) {
  PCIO_ASSIGN(Location at, location_of(link_end.loc_id, "link_loc_id"));
  NewLink link;
  std::string path;
  return metadata_call(
      *at.file, {function, full_name(at, link_end.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, link_end.name, lists));
        PCIO_ASSIGN(path, text_argument(target, "link_target"));
        out.begin("target of the link");
        put_argument(out, path);
        return Status();
      },
      [&]() -> Status {
        PCIO_ASSIGN(LinkPlace place, free_place(at, link));
        return add_soft_link(place, path, link.props);
      });
}

Status call_transfer(const char* function, LinkTransfer how, LinkEnd from, LinkEnd to,
                     LinkLists lists) {
  PCIO_ASSIGN(TwoPlaces at, two_places(from.loc_id, to.loc_id));
  NewLink link;
  LinkPlace source;
  return metadata_call(
      *at.first.file, {function, full_name(at.first, from.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(link.prepare(out, to.name, lists));
        PCIO_ASSIGN(std::string name, text_argument(from.name, "src_name"));
        out.begin("old name");
        put_argument(out, name);
        PCIO_ASSIGN(source, find_place(at.first, name, link.access));
        PCIO_TRY(find_link(source));
        return Status();
      },
      [&]() -> Status {
        PCIO_ASSIGN(LinkPlace place, free_place(at.second, link));
        PCIO_TRY(transfer_link(source, place, how, link.props));
        if (how == LinkTransfer::kMove) at.first.file->rename_objects(source.path(), place.path());
        return Status();
      });
}

Status call_delete_link(const char* function, LinkEnd link, hid_t lapl_id) {
  PCIO_ASSIGN(Location at, location_of(link.loc_id, "loc_id"));
  LinkPlace place;
  return metadata_call(
      *at.file, {function, full_name(at, link.name)},
      [&](NamedArguments& out) -> Status {
        PCIO_ASSIGN(std::string name, text_argument(link.name, "name"));
        PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
        out.begin("name");
        put_argument(out, name);
        PCIO_ASSIGN(place, find_place(at, name, *access));
        PCIO_TRY(find_link(place));
        return Status();
      },
      [&]() -> Status {
        PCIO_TRY(remove_link(place));
        at.file->rename_objects(place.path(), "");
        return Status();
      });
}

Result<std::string> link_value(const LinkMessage& link) {
  switch (link.type) {
    case kLinkHard:
      return PCIO_ERROR(LINK, BADVALUE,
                        "link \"" + link.name + "\" is a hard link: it has no value");
    case kLinkSoft: return std::string(link.target.text()) + '\0';
    case kLinkExternal:
      // Version and flags in one byte, both 0. Source: format specification, IV.A.2.g.
      return '\0' + std::string(link.file.text()) + '\0' + std::string(link.target.text()) + '\0';
    default: return std::string(link.user_data.text());
  }
}

H5L_info_t link_facts(const LinkMessage& link) {
  H5L_info_t info{};
  info.type = static_cast<H5L_type_t>(link.type);
  info.corder_valid = link.creation_order.has_value();
  info.corder = link.creation_order.value_or(0);
  info.cset = static_cast<H5T_cset_t>(link.charset);
  if (link.type == kLinkHard) {
    info.u.address = link.address;
  } else {
    auto value = link_value(link);
    info.u.val_size = value ? value->size() : 0;
  }
  return info;
}

void copy_link_value(const std::string& value, void* buffer, std::size_t size) {
  if (buffer == nullptr || size == 0) return;
  std::size_t n = std::min(size, value.size());
  std::memcpy(buffer, value.data(), n);
  if (n < value.size()) static_cast<char*>(buffer)[size - 1] = '\0';
}

}  // namespace pcio
