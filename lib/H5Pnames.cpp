// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: properties by name, and properties that an application adds to a list.

#include <cstring>

#include "lib/property_access.hpp"
#include "props/property_names.hpp"

using namespace pcio;

namespace {

ErrorFrame no_property(const std::string& name) {
  return PCIO_FRAME(PLIST, NOTFOUND, "the list has no property '" + name + "'");
}

/// Bytes of a user's property, or nullptr.
template <class List>
auto* user_value(List& list, const std::string& name) {
  auto found = list.user.find(name);
  return found == list.user.end() ? nullptr : &found->second;
}

Result<std::size_t> property_size(const PropertyList& list, const std::string& name) {
  if (const auto* bytes = user_value(list, name)) return bytes->size();
  if (const auto* known = find_property(list.kind(), name)) return known->size;
  return detail::StatusReturn(Status(no_property(name)));
}

Status read_property(const PropertyList& list, const std::string& name, void* value) {
  if (const auto* bytes = user_value(list, name)) {
    if (!bytes->empty()) std::memcpy(value, bytes->data(), bytes->size());
    return Status();
  }
  const auto* known = find_property(list.kind(), name);
  if (known == nullptr) return Status(no_property(name));
  if (known->read == nullptr)
    return PCIO_ERROR(PLIST, UNSUPPORTED, "property '" + name + "' has a getter of its own");
  known->read(list, value);
  return Status();
}

Status write_property(PropertyList& list, const std::string& name, const void* value) {
  if (auto* bytes = user_value(list, name)) {
    if (!bytes->empty()) std::memcpy(bytes->data(), value, bytes->size());
    return Status();
  }
  const auto* known = find_property(list.kind(), name);
  if (known == nullptr) return Status(no_property(name));
  if (known->write == nullptr)
    return PCIO_ERROR(PLIST, UNSUPPORTED, "property '" + name + "' has a setter of its own");
  known->write(list, value);
  return Status();
}

/// The list behind an id, refusing the library's own lists.
Result<std::shared_ptr<PropertyListObject>> own_list(hid_t id) {
  PCIO_ASSIGN(auto object, get<PropertyListObject>(id, "plist_id"));
  if (object->predefined)
    return PCIO_ERROR(PLIST, CANTSET, "can't set values in a default property list");
  return object;
}

Status insert_property(hid_t id, const char* name, std::size_t size, const void* value) {
  PCIO_ASSIGN(auto object, own_list(id));
  PCIO_ASSIGN(std::string key, text_argument(name, "name"));
  if (size > 0) PCIO_TRY(need_pointer(value, "value"));
  if (property_size(object->list, key))
    return PCIO_ERROR(PLIST, EXISTS, "the list has a property '" + key + "' already");
  const auto* bytes = static_cast<const std::byte*>(value);
  object->list.user[key].assign(bytes, bytes + size);
  return Status();
}

}  // namespace

htri_t H5Pexist(hid_t plist_id, const char* name) {
  return api_int("H5Pexist", [&]() -> Result<bool> {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    if (handles().type_of(plist_id) == static_cast<unsigned>(IdType::kPropertyClass)) {
      PCIO_ASSIGN(auto cls, get<PropertyClassObject>(plist_id, "plist_id"));
      return find_property(cls->kind, key) != nullptr;
    }
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    return property_size(object->list, key).has_value();
  });
}

herr_t H5Pget_size(hid_t id, const char* name, size_t* size) {
  return api_status("H5Pget_size", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_TRY(need_pointer(size, "size"));
    PCIO_ASSIGN(auto object, get<PropertyListObject>(id, "id"));
    PCIO_ASSIGN(*size, property_size(object->list, key));
    return Status();
  });
}

herr_t H5Pget_nprops(hid_t id, size_t* nprops) {
  return api_status("H5Pget_nprops", [&]() -> Status {
    PCIO_TRY(need_pointer(nprops, "nprops"));
    if (handles().type_of(id) == static_cast<unsigned>(IdType::kPropertyClass)) {
      PCIO_ASSIGN(auto cls, get<PropertyClassObject>(id, "id"));
      *nprops = count_own_properties(cls->kind);
      return Status();
    }
    PCIO_ASSIGN(auto object, get<PropertyListObject>(id, "id"));
    *nprops = count_properties(object->list.kind()) + object->list.user.size();
    return Status();
  });
}

herr_t H5Pget(hid_t plist_id, const char* name, void* value) {
  return api_status("H5Pget", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_TRY(need_pointer(value, "value"));
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    return read_property(object->list, key, value);
  });
}

herr_t H5Pset(hid_t plist_id, const char* name, const void* value) {
  return api_status("H5Pset", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_TRY(need_pointer(value, "value"));
    PCIO_ASSIGN(auto object, own_list(plist_id));
    return write_property(object->list, key, value);
  });
}

namespace {

Status refuse_callbacks(bool any) {
  if (!any) return Status();
  return PCIO_ERROR(PLIST, UNSUPPORTED,
                    "callbacks of application-made properties are not supported");
}

}  // namespace

herr_t H5Pinsert2(hid_t plist_id, const char* name, size_t size, void* value,
                  H5P_prp_set_func_t set, H5P_prp_get_func_t get, H5P_prp_delete_func_t prp_del,
                  H5P_prp_copy_func_t copy, H5P_prp_compare_func_t compare,
                  H5P_prp_close_func_t close) {
  return api_status("H5Pinsert2", [&]() -> Status {
    PCIO_TRY(refuse_callbacks(set || get || prp_del || copy || compare || close));
    return insert_property(plist_id, name, size, value);
  });
}

herr_t H5Pinsert1(hid_t plist_id, const char* name, size_t size, void* value,
                  H5P_prp_set_func_t prp_set, H5P_prp_get_func_t prp_get,
                  H5P_prp_delete_func_t prp_delete, H5P_prp_copy_func_t prp_copy,
                  H5P_prp_close_func_t prp_close) {
  return api_status("H5Pinsert1", [&]() -> Status {
    PCIO_TRY(refuse_callbacks(prp_set || prp_get || prp_delete || prp_copy || prp_close));
    return insert_property(plist_id, name, size, value);
  });
}
