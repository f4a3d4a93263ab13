// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: properties of lists by name, the library's and those of programs.

#include "lib/api_entry.hpp"
#include "lib/list_properties.hpp"
#include "lib/property_arguments.hpp"

using namespace pcio;

namespace {

bool is_class(hid_t id) {
  return handles().type_of(id) == static_cast<unsigned>(IdType::kPropertyClass);
}

/// A property of what stands behind an id, a list or a class.
Result<std::optional<FoundProperty>> find_behind(hid_t id, const char* argument,
                                                 const std::string& name) {
  if (is_class(id)) {
    PCIO_ASSIGN(auto object, get<PropertyClassObject>(id, argument));
    return find_property(*object->cls, name);
  }
  PCIO_ASSIGN(auto object, get<PropertyListObject>(id, argument));
  return find_property(*object, name);
}

Result<std::vector<std::string>> names_behind(hid_t id, const char* argument) {
  if (is_class(id)) {
    PCIO_ASSIGN(auto object, get<PropertyClassObject>(id, argument));
    return object->cls->own_names();
  }
  PCIO_ASSIGN(auto object, get<PropertyListObject>(id, argument));
  return property_names(*object);
}

}  // namespace

htri_t H5Pexist(hid_t plist_id, const char* name) {
  return api_int("H5Pexist", [&]() -> Result<bool> {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_ASSIGN(const auto found, find_behind(plist_id, "plist_id", key));
    return found.has_value();
  });
}

herr_t H5Pget_size(hid_t id, const char* name, size_t* size) {
  return api_status("H5Pget_size", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_TRY(need_pointer(size, "size"));
    PCIO_ASSIGN(const auto found, find_behind(id, "id", key));
    if (!found) return Status(no_such_property(key));
    *size = found->size();
    return Status();
  });
}

herr_t H5Pget_nprops(hid_t id, size_t* nprops) {
  return api_status("H5Pget_nprops", [&]() -> Status {
    PCIO_TRY(need_pointer(nprops, "nprops"));
    PCIO_ASSIGN(const auto names, names_behind(id, "id"));
    *nprops = names.size();
    return Status();
  });
}

herr_t H5Pget(hid_t plist_id, const char* name, void* value) {
  return api_status("H5Pget", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_TRY(need_pointer(value, "value"));
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    return get_property({*object, plist_id}, key, value);
  });
}

herr_t H5Pset(hid_t plist_id, const char* name, const void* value) {
  return api_status("H5Pset", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    PCIO_TRY(need_pointer(value, "value"));
    PCIO_ASSIGN(auto object, list_to_change(plist_id, "plist_id"));
    return set_property({*object, plist_id}, key, value);
  });
}

namespace {

Status insert(hid_t id, const char* name, const ValueArgument& value, const PropertyCalls& calls) {
  PCIO_ASSIGN(auto object, list_to_change(id, "plist_id"));
  PCIO_ASSIGN(std::string key, text_argument(name, "name"));
  PCIO_ASSIGN(ProgramProperty property, value.with(calls));
  return insert_property(*object, key, std::move(property));
}

}  // namespace

herr_t H5Pinsert2(hid_t plist_id, const char* name, size_t size, void* value,
                  H5P_prp_set_func_t set, H5P_prp_get_func_t get, H5P_prp_delete_func_t prp_del,
                  H5P_prp_copy_func_t copy, H5P_prp_compare_func_t compare,
                  H5P_prp_close_func_t close) {
  return api_status("H5Pinsert2", [&]() -> Status {
    return insert(plist_id, name, {size, value, "value"},
                  {nullptr, set, get, prp_del, copy, compare, close});
  });
}

herr_t H5Pinsert1(hid_t plist_id, const char* name, size_t size, void* value,
                  H5P_prp_set_func_t prp_set, H5P_prp_get_func_t prp_get,
                  H5P_prp_delete_func_t prp_delete, H5P_prp_copy_func_t prp_copy,
                  H5P_prp_close_func_t prp_close) {
  return api_status("H5Pinsert1", [&]() -> Status {
    return insert(plist_id, name, {size, value, "value"},
                  {nullptr, prp_set, prp_get, prp_delete, prp_copy, nullptr, prp_close});
  });
}

herr_t H5Premove(hid_t plist_id, const char* name) {
  return api_status("H5Premove", [&]() -> Status {
    PCIO_ASSIGN(auto object, list_to_change(plist_id, "plist_id"));
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    return remove_property({*object, plist_id}, key);
  });
}

namespace {

/// From one class to another: what the class itself has, not its ancestors.
Status copy_between_classes(PropertyClassObject& to, const ListClass& from,
                            const std::string& name) {
  auto found = from.own.find(name);
  ProgramProperty copy;
  if (found != from.own.end()) {
    copy = found->second;
  } else if (const NamedProperty* row = from.own_built_in(name);
             row != nullptr && row->read != nullptr && !row->own_in_copies) {
    copy.value.resize(row->size);
    row->read(PropertyList(from.kind), copy.value.data());
  } else {
    return Status(no_such_property(name));
  }
  changeable(to.cls).own.insert_or_assign(name, std::move(copy));
  return Status();
}

}  // namespace

herr_t H5Pcopy_prop(hid_t dst_id, hid_t src_id, const char* name) {
  return api_status("H5Pcopy_prop", [&]() -> Status {
    PCIO_ASSIGN(std::string key, text_argument(name, "name"));
    if (is_class(dst_id)) {
      PCIO_ASSIGN(auto to, get<PropertyClassObject>(dst_id, "dst_id"));
      PCIO_ASSIGN(auto from, get<PropertyClassObject>(src_id, "src_id"));
      return copy_between_classes(*to, *from->cls, key);
    }
    PCIO_ASSIGN(auto to, list_to_change(dst_id, "dst_id"));
    PCIO_ASSIGN(auto from, get<PropertyListObject>(src_id, "src_id"));
    return copy_property({*to, dst_id}, {*from, src_id}, key);
  });
}

int H5Piterate(hid_t id, int* idx, H5P_iterate_t iter_func, void* iter_data) {
  return api_int("H5Piterate", [&]() -> Result<int> {
    if (iter_func == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument iter_func: NULL");
    PCIO_ASSIGN(const auto names, names_behind(id, "id"));
    std::size_t at = idx != nullptr && *idx > 0 ? static_cast<std::size_t>(*idx) : 0;
    int answer = 0;
    for (; at < names.size(); ++at)
      if (answer = iter_func(id, names[at].c_str(), iter_data); answer != 0) break;
    if (idx != nullptr) *idx = static_cast<int>(std::min(at, names.size()));
    return answer;
  });
}
