// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: classes of property lists, and what a program registers in them.

#include <cstring>

#include "lib/api_entry.hpp"
#include "lib/list_properties.hpp"
#include "lib/property_arguments.hpp"

using namespace pcio;

namespace {

Status check_data(const void* data, bool has_function, const char* argument) {
  if (data == nullptr || has_function) return Status();
  return PCIO_ERROR(ARGS, BADVALUE,
                    std::string("argument ") + argument + ": data without a function");
}

}  // namespace

hid_t H5Pcreate_class(hid_t parent, const char* name, H5P_cls_create_func_t create,
                      void* create_data, H5P_cls_copy_func_t copy, void* copy_data,
                      H5P_cls_close_func_t close, void* close_data) {
  return api_id("H5Pcreate_class", [&]() -> Result<hid_t> {
    auto made = std::make_shared<ListClass>();
    if (parent != H5P_DEFAULT) {
      PCIO_ASSIGN(auto above, get<PropertyClassObject>(parent, "parent"));
      made->parent = ClassUse(above->cls);
      made->kind = above->cls->kind;
    }
    PCIO_ASSIGN(made->name, text_argument(name, "name"));
    PCIO_TRY(check_data(create_data, create != nullptr, "create_data"));
    PCIO_TRY(check_data(copy_data, copy != nullptr, "copy_data"));
    PCIO_TRY(check_data(close_data, close != nullptr, "close_data"));
    made->calls = {create, create_data, copy, copy_data, close, close_data};
    return make_id<PropertyClassObject>(std::move(made));
  });
}

char* H5Pget_class_name(hid_t pclass_id) {
  return api_value("H5Pget_class_name", static_cast<char*>(nullptr), [&]() -> Result<char*> {
    PCIO_ASSIGN(auto object, get<PropertyClassObject>(pclass_id, "pclass_id"));
    return strdup(object->cls->name.c_str());
  });
}

hid_t H5Pget_class_parent(hid_t pclass_id) {
  return api_id("H5Pget_class_parent", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, get<PropertyClassObject>(pclass_id, "pclass_id"));
    if (object->cls->parent.get() == nullptr)
      return PCIO_ERROR(PLIST, NOTFOUND, "class '" + object->cls->name + "' has no parent");
    return make_id<PropertyClassObject>(object->cls->parent.shared());
  });
}

herr_t H5Pclose_class(hid_t plist_id) {
  return api_status("H5Pclose_class", [&]() -> Status {
    return close_id(plist_id, IdType::kPropertyClass, "plist_id");
  });
}

namespace {

Status register_property(hid_t cls_id, const char* name, const ValueArgument& value,
                         const PropertyCalls& calls) {
  PCIO_ASSIGN(auto object, get<PropertyClassObject>(cls_id, "cls_id"));
  PCIO_ASSIGN(std::string key, text_argument(name, "name"));
  PCIO_ASSIGN(ProgramProperty property, value.with(calls));
  if (object->cls->has_own(key))
    return PCIO_ERROR(PLIST, EXISTS, "the class has a property '" + key + "' already");
  changeable(object->cls).own.emplace(std::move(key), std::move(property));
  return Status();
}

}  // namespace

herr_t H5Pregister2(hid_t cls_id, const char* name, size_t size, void* def_value,
                    H5P_prp_create_func_t create, H5P_prp_set_func_t set, H5P_prp_get_func_t get,
                    H5P_prp_delete_func_t prp_del, H5P_prp_copy_func_t copy,
                    H5P_prp_compare_func_t compare, H5P_prp_close_func_t close) {
  return api_status("H5Pregister2", [&]() -> Status {
    return register_property(cls_id, name, {size, def_value, "def_value"},
                             {create, set, get, prp_del, copy, compare, close});
  });
}

herr_t H5Pregister1(hid_t cls_id, const char* name, size_t size, void* def_value,
                    H5P_prp_create_func_t prp_create, H5P_prp_set_func_t prp_set,
                    H5P_prp_get_func_t prp_get, H5P_prp_delete_func_t prp_del,
                    H5P_prp_copy_func_t prp_copy, H5P_prp_close_func_t prp_close) {
  return api_status("H5Pregister1", [&]() -> Status {
    return register_property(cls_id, name, {size, def_value, "def_value"},
                             {prp_create, prp_set, prp_get, prp_del, prp_copy, nullptr, prp_close});
  });
}

// In place: lists that exist lose what only their class has a value of, as in libhdf5.
herr_t H5Punregister(hid_t pclass_id, const char* name) {
  return api_status("H5Punregister", [&]() -> Status {
    PCIO_ASSIGN(auto object, get<PropertyClassObject>(pclass_id, "pclass_id"));
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    if (object->cls->own.erase(key) > 0) return Status();
    const NamedProperty* row = object->cls->own_built_in(key);
    if (row == nullptr) return Status(no_such_property(key));
    object->cls->withdrawn.set(row->index);
    return Status();
  });
}
