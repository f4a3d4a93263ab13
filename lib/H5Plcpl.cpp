// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: lists for creating links and strings, reaching links, copying objects.

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_create_intermediate_group(hid_t plist_id, unsigned crt_intmd) {
  return set_props<LinkCreateProps>("H5Pset_create_intermediate_group", plist_id, [&](auto& props) {
    props.create_intermediate = crt_intmd > 0 ? 1 : 0;
  });
}

herr_t H5Pget_create_intermediate_group(hid_t plist_id, unsigned* crt_intmd) {
  return get_props<LinkCreateProps>("H5Pget_create_intermediate_group", plist_id, [&](auto& props) {
    store(crt_intmd, props.create_intermediate);
  });
}

herr_t H5Pset_char_encoding(hid_t plist_id, H5T_cset_t encoding) {
  return set_props<StringCreateProps>("H5Pset_char_encoding", plist_id, [&](auto& props) -> Status {
    if (!is_between(encoding, H5T_CSET_ASCII, H5T_CSET_UTF8))
      return PCIO_ERROR(ARGS, BADRANGE, "argument encoding: neither ASCII nor UTF-8");
    props.char_encoding = encoding;
    return Status();
  });
}

herr_t H5Pget_char_encoding(hid_t plist_id, H5T_cset_t* encoding) {
  return get_props<StringCreateProps>("H5Pget_char_encoding", plist_id,
                                      [&](auto& props) { store(encoding, props.char_encoding); });
}

// ---- link access -------------------------------------------------------------------------------

herr_t H5Pset_nlinks(hid_t plist_id, size_t nlinks) {
  return set_props<LinkAccessProps>("H5Pset_nlinks", plist_id, [&](auto& props) -> Status {
    if (nlinks == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument nlinks is zero");
    props.nlinks = nlinks;
    return Status();
  });
}

herr_t H5Pget_nlinks(hid_t plist_id, size_t* nlinks) {
  return get_props<LinkAccessProps>("H5Pget_nlinks", plist_id,
                                    [&](auto& props) { store(nlinks, props.nlinks); });
}

herr_t H5Pset_elink_prefix(hid_t plist_id, const char* prefix) {
  return set_props<LinkAccessProps>("H5Pset_elink_prefix", plist_id, [&](auto& props) {
    props.elink_prefix = prefix != nullptr ? prefix : "";
  });
}

ssize_t H5Pget_elink_prefix(hid_t plist_id, char* prefix, size_t size) {
  return api_value("H5Pget_elink_prefix", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto props, props_of<LinkAccessProps>(plist_id, "plist_id"));
    return copy_optional_text(props->elink_prefix, prefix, size);
  });
}

herr_t H5Pset_elink_fapl(hid_t lapl_id, hid_t fapl_id) {
  return set_props<LinkAccessProps>(
      "H5Pset_elink_fapl", {lapl_id, "lapl_id"}, [&](auto& props) -> Status {
        if (fapl_id == H5P_DEFAULT) {
          props.elink_fapl.reset();
          return Status();
        }
        PCIO_ASSIGN(auto fapl, readable_list<FileAccessProps>(fapl_id, "fapl_id"));
        props.elink_fapl = std::make_shared<const FileAccessProps>(*fapl.values);
        const PropertyListObject& list = *fapl.object;
        props.elink_fapl.held = list.held;
        return Status();
      });
}

// A new id each time: what was set is a copy of the caller's list.
hid_t H5Pget_elink_fapl(hid_t lapl_id) {
  return api_id("H5Pget_elink_fapl", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto props, props_of<LinkAccessProps>(lapl_id, "lapl_id"));
    if (!props->elink_fapl) return hid_t{H5P_DEFAULT};
    PropertyList list(PropertyClassKind::kFileAccess);
    *list.as<FileAccessProps>() = *props->elink_fapl;
    return make_id<PropertyListObject>(list);
  });
}

herr_t H5Pset_elink_acc_flags(hid_t lapl_id, unsigned flags) {
  return set_props<LinkAccessProps>(
      "H5Pset_elink_acc_flags", {lapl_id, "lapl_id"}, [&](auto& props) -> Status {
        // The raw numbers: the macros call H5check for programs. Read-only, read-write, both with
        // their single-writer forms, and "as the file that holds the link".
        constexpr unsigned kAllowed[] = {0x0000U, 0x0001U, 0x0020U | 0x0001U, 0x0040U, 0xffffU};
        for (unsigned allowed : kAllowed) {
          if (flags != allowed) continue;
          props.elink_acc_flags = flags;
          return Status();
        }
        return PCIO_ERROR(ARGS, BADVALUE, "argument flags: not flags for opening a file");
      });
}

herr_t H5Pget_elink_acc_flags(hid_t lapl_id, unsigned* flags) {
  return get_props<LinkAccessProps>("H5Pget_elink_acc_flags", {lapl_id, "lapl_id"},
                                    [&](auto& props) { store(flags, props.elink_acc_flags); });
}

herr_t H5Pset_elink_cb(hid_t lapl_id, H5L_elink_traverse_t func, void* op_data) {
  return set_props<LinkAccessProps>(
      "H5Pset_elink_cb", {lapl_id, "lapl_id"}, [&](auto& props) -> Status {
        if (func == nullptr && op_data != nullptr)
          return PCIO_ERROR(ARGS, BADVALUE, "argument func: NULL, and op_data is not");
        props.elink_callback = reinterpret_cast<void (*)()>(func);
        props.elink_callback_data = op_data;
        return Status();
      });
}

herr_t H5Pget_elink_cb(hid_t lapl_id, H5L_elink_traverse_t* func, void** op_data) {
  return get_props<LinkAccessProps>("H5Pget_elink_cb", {lapl_id, "lapl_id"}, [&](auto& props) {
    if (func != nullptr) *func = reinterpret_cast<H5L_elink_traverse_t>(props.elink_callback);
    if (op_data != nullptr) *op_data = props.elink_callback_data;
  });
}

// ---- object copy -------------------------------------------------------------------------------

herr_t H5Pset_copy_object(hid_t plist_id, unsigned copy_options) {
  return set_props<ObjectCopyProps>("H5Pset_copy_object", plist_id, [&](auto& props) -> Status {
    if ((copy_options & ~static_cast<unsigned>(H5O_COPY_ALL)) != 0)
      return PCIO_ERROR(ARGS, BADVALUE, "argument copy_options: unknown bits");
    props.copy_options = copy_options;
    return Status();
  });
}

herr_t H5Pget_copy_object(hid_t plist_id, unsigned* copy_options) {
  return get_props<ObjectCopyProps>("H5Pget_copy_object", plist_id,
                                    [&](auto& props) { store(copy_options, props.copy_options); });
}

herr_t H5Padd_merge_committed_dtype_path(hid_t plist_id, const char* path) {
  return set_props<ObjectCopyProps>("H5Padd_merge_committed_dtype_path", plist_id,
                                    [&](auto& props) -> Status {
                                      PCIO_ASSIGN(std::string text, text_argument(path, "path"));
                                      props.merge_type_paths.push_back(std::move(text));
                                      return Status();
                                    });
}

herr_t H5Pfree_merge_committed_dtype_paths(hid_t plist_id) {
  return set_props<ObjectCopyProps>("H5Pfree_merge_committed_dtype_paths", plist_id,
                                    [&](auto& props) { props.merge_type_paths.clear(); });
}

herr_t H5Pset_mcdt_search_cb(hid_t plist_id, H5O_mcdt_search_cb_t func, void* op_data) {
  return set_props<ObjectCopyProps>("H5Pset_mcdt_search_cb", plist_id, [&](auto& props) -> Status {
    if (func == nullptr && op_data != nullptr)
      return PCIO_ERROR(ARGS, BADVALUE, "argument func: NULL, and op_data is not");
    props.search_callback = reinterpret_cast<void (*)()>(func);
    props.search_callback_data = op_data;
    return Status();
  });
}

herr_t H5Pget_mcdt_search_cb(hid_t plist_id, H5O_mcdt_search_cb_t* func, void** op_data) {
  return get_props<ObjectCopyProps>("H5Pget_mcdt_search_cb", plist_id, [&](auto& props) {
    if (func != nullptr) *func = reinterpret_cast<H5O_mcdt_search_cb_t>(props.search_callback);
    if (op_data != nullptr) *op_data = props.search_callback_data;
  });
}
