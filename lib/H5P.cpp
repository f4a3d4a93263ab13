// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: property lists as such: making, copying, comparing. Classes are in H5Pclass.cpp.

#include "lib/api_entry.hpp"
#include "lib/list_properties.hpp"

using namespace pcio;

hid_t H5Pcreate(hid_t cls_id) {
  return api_id("H5Pcreate", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, get<PropertyClassObject>(cls_id, "cls_id"));
    return make_list(object->cls);
  });
}

hid_t H5Pcopy(hid_t plist_id) {
  return api_id("H5Pcopy", [&]() -> Result<hid_t> {
    if (plist_id == H5P_DEFAULT) return hid_t{H5P_DEFAULT};
    if (handles().type_of(plist_id) == static_cast<unsigned>(IdType::kPropertyClass)) {
      PCIO_ASSIGN(auto object, get<PropertyClassObject>(plist_id, "plist_id"));
      return make_id<PropertyClassObject>(another_version(*object->cls));
    }
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    return copy_list(*object, plist_id);
  });
}

// Closing H5P_DEFAULT is allowed, so that programs need not ask whether they made a list.
herr_t H5Pclose(hid_t plist_id) {
  return api_status("H5Pclose", [&]() -> Status {
    if (plist_id == H5P_DEFAULT) return Status();
    return close_id(plist_id, IdType::kPropertyList, "plist_id");
  });
}

htri_t H5Pequal(hid_t id1, hid_t id2) {
  return api_int("H5Pequal", [&]() -> Result<bool> {
    if (handles().type_of(id1) == static_cast<unsigned>(IdType::kPropertyClass)) {
      PCIO_ASSIGN(auto one, get<PropertyClassObject>(id1, "id1"));
      PCIO_ASSIGN(auto two, get<PropertyClassObject>(id2, "id2"));
      return same_class(*one->cls, *two->cls);
    }
    PCIO_ASSIGN(auto one, get<PropertyListObject>(id1, "id1"));
    PCIO_ASSIGN(auto two, get<PropertyListObject>(id2, "id2"));
    return same_list(*one, *two);
  });
}

hid_t H5Pget_class(hid_t plist_id) {
  return api_id("H5Pget_class", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    return make_id<PropertyClassObject>(object->cls.shared());
  });
}

htri_t H5Pisa_class(hid_t plist_id, hid_t pclass_id) {
  return api_int("H5Pisa_class", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    PCIO_ASSIGN(auto cls, get<PropertyClassObject>(pclass_id, "pclass_id"));
    return is_of_class(*object->cls.get(), *cls->cls);
  });
}
