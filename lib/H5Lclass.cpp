// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5L: classes of links, and links of such classes.

#include "lib/api_entry.hpp"
#include "lib/enum_argument.hpp"
#include "lib/link_calls.hpp"
#include "lib/text_argument.hpp"
#include "lib/user_links.hpp"

using namespace pcio;

herr_t H5Lregister(const H5L_class_t* cls) {
  return api_status("H5Lregister", [&] { return register_link_class(cls); });
}

herr_t H5Lunregister(H5L_type_t id) {
  return api_status("H5Lunregister", [&] { return unregister_link_class(number_of(id)); });
}

// The built-in kinds need no registration and don't count, but external links do; as in HDF5.
htri_t H5Lis_registered(H5L_type_t id) {
  return api_int("H5Lis_registered", [&]() -> Result<bool> {
    const int number = number_of(id);
    if (number < 0 || number > H5L_TYPE_MAX)
      return PCIO_ERROR(ARGS, BADRANGE,
                        "argument id: " + std::to_string(number) + " is no link type");
    return is_link_class(number);
  });
}

namespace {

/// The data of a link's length is a number of 16 bits in the file.
constexpr size_t kMostData = 0xFFFF;

Result<LinkMessage> user_link(int type, const void* data, size_t size) {
  if (type < H5L_TYPE_UD_MIN || type > H5L_TYPE_MAX)
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument link_type: " + std::to_string(type) +
                          " is no type of user-defined links (64 to 255)");
  if (data == nullptr && size > 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument udata: NULL, but udata_size is not 0");
  if (size > kMostData)
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument udata_size: " + std::to_string(size) + " bytes, at most 65535");
  if (!is_link_class(type))
    return PCIO_ERROR(LINK, NOTREGISTERED,
                      "argument link_type: link type " + std::to_string(type) +
                          " is not registered (H5Lregister)");
  LinkMessage link;
  link.type = static_cast<std::uint8_t>(type);
  const auto* text = static_cast<const char*>(data);
  if (type == H5L_TYPE_EXTERNAL) {
    ExternalValue value;
    PCIO_ASSIGN(value, unpack_external(text, size));
    link.file = std::string_view(value.file);
    link.target = std::string_view(value.object);
  } else if (size > 0) {
    link.user_data = std::string_view(text, size);
  }
  return link;
}

}  // namespace

herr_t H5Lcreate_ud(hid_t link_loc_id, const char* link_name, H5L_type_t link_type,
                    const void* udata, size_t udata_size, hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Lcreate_ud", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(link_loc_id, "link_loc_id"));
    NewLink link;
    LinkPlace place;
    LinkMessage made;
    return metadata_call_to(
        at.file, {"H5Lcreate_ud", full_name(at, link_name)},
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(link.prepare(out, link_name, {lcpl_id, lapl_id}));
          PCIO_ASSIGN(made, user_link(number_of(link_type), udata, udata_size));
          out.number("type of the link", static_cast<std::uint64_t>(number_of(link_type)));
          out.begin("data of the link (argument udata)");
          if (udata_size > 0)
            put_argument(out, std::string_view(static_cast<const char*>(udata), udata_size));
          return Status();
        },
        [&]() -> Result<FilePtr> {
          PCIO_ASSIGN(place, free_place(at, link));
          return place.group.file;
        },
        [&]() -> Status {
          PCIO_TRY(add_link(place, std::move(made), link.props));
          Status told = tell_created(place, lcpl_id);
          if (!told.ok()) undo_link(place);
          return told;
        });
  });
}

herr_t H5Lunpack_elink_val(const void* ext_linkval, size_t link_size, unsigned* flags,
                           const char** filename, const char** obj_path) {
  return api_status("H5Lunpack_elink_val", [&]() -> Status {
    PCIO_TRY(need_pointer(ext_linkval, "ext_linkval"));
    const char* value = static_cast<const char*>(ext_linkval);
    PCIO_ASSIGN(const ExternalValue parts, unpack_external(value, link_size));
    if (flags != nullptr) *flags = static_cast<unsigned char>(value[0]) & 0x0f;
    if (filename != nullptr) *filename = parts.file;
    if (obj_path != nullptr) *obj_path = parts.object;
    return Status();
  });
}
