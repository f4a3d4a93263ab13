// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5I: questions about ids. What an id means for a kind of object is the object's
// own answer (ApiObject).

#include "lib/api_entry.hpp"
#include "lib/enum_argument.hpp"
#include "lib/handles.hpp"
#include "lib/id_types.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

// An unknown id is an answer here, not an error, as in HDF5.
H5I_type_t H5Iget_type(hid_t id) {
  return api_value("H5Iget_type", H5I_BADID, [&]() -> Result<H5I_type_t> {
    unsigned type = handles().type_of(id);
    return type == 0 ? H5I_BADID : static_cast<H5I_type_t>(type);
  });
}

// Ids of the library's own are not "obtained by the application" and count as invalid here until it
// has a reference of its own.
htri_t H5Iis_valid(hid_t id) {
  return api_int("H5Iis_valid", [&]() -> Result<bool> {
    auto count = own_references(id, "id");
    return count.has_value() && *count > 0;
  });
}

ssize_t H5Iget_name(hid_t id, char* name, size_t size) {
  return api_value("H5Iget_name", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto object, get_any(id, "id"));
    PCIO_ASSIGN(std::string path, object->path());
    return copy_text(path, name, size);
  });
}

hid_t H5Iget_file_id(hid_t id) {
  return api_id("H5Iget_file_id", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, get_any(id, "id"));
    return object->file_id();
  });
}

int H5Iinc_ref(hid_t id) {
  return api_int("H5Iinc_ref", [&]() -> Result<int> {
    PCIO_TRY(detail::to_status(get_any(id, "id")));
    PCIO_TRY(detail::to_status(handles().increment(id)));
    return own_references(id, "id");
  });
}

int H5Idec_ref(hid_t id) {
  return api_int("H5Idec_ref", [&]() -> Result<int> { return release_id(id, "id"); });
}

int H5Iget_ref(hid_t id) {
  return api_int("H5Iget_ref", [&]() -> Result<int> { return own_references(id, "id"); });
}

namespace {

Status check_type(const H5I_type_t& type) {
  if (is_between(type, H5I_FILE, H5I_ERROR_STACK) || is_program_type(number_of(type)))
    return Status();
  return PCIO_ERROR(ARGS, BADRANGE, "argument type: no such id type");
}

/// Open ids of a type that the application made; the library's own don't count.
std::size_t count_own_ids(unsigned type) {
  std::size_t count = 0;
  for (HandleId id : handles().ids(type)) {
    auto object = get_any(id, "id");
    if (object && !(*object)->predefined) ++count;
  }
  return count;
}

}  // namespace

herr_t H5Inmembers(H5I_type_t type, hsize_t* num_members) {
  return api_status("H5Inmembers", [&]() -> Status {
    PCIO_TRY(check_type(type));
    if (num_members != nullptr) *num_members = count_own_ids(static_cast<unsigned>(type));
    return Status();
  });
}

htri_t H5Itype_exists(H5I_type_t type) {
  return api_int("H5Itype_exists",
                 [&]() -> Result<bool> { return check_type(type).ok() && type != H5I_REFERENCE; });
}

// ---- types and objects of programs --------------------------------------------------------------

// How many ids there will be, and how many are reserved, means nothing here.
H5I_type_t H5Iregister_type(size_t, unsigned, H5I_free_t free_func) {
  return api_value("H5Iregister_type", H5I_BADID, [&]() -> Result<H5I_type_t> {
    PCIO_ASSIGN(const unsigned number, add_id_type(free_func));
    return static_cast<H5I_type_t>(number);
  });
}

herr_t H5Iclear_type(H5I_type_t type, hbool_t force) {
  return api_status("H5Iclear_type", [&]() -> Status {
    PCIO_TRY(check_program_type(number_of(type)));
    clear_id_type(static_cast<unsigned>(number_of(type)),
                  force ? ClearAll::kAll : ClearAll::kOnceCounted);
    return Status();
  });
}

herr_t H5Idestroy_type(H5I_type_t type) {
  return api_status("H5Idestroy_type",
                    [&]() -> Status { return destroy_id_type(number_of(type)); });
}

int H5Iinc_type_ref(H5I_type_t type) {
  return api_int("H5Iinc_type_ref",
                 [&]() -> Result<int> { return change_type_references(number_of(type), 1); });
}

int H5Idec_type_ref(H5I_type_t type) {
  return api_int("H5Idec_type_ref",
                 [&]() -> Result<int> { return change_type_references(number_of(type), -1); });
}

int H5Iget_type_ref(H5I_type_t type) {
  return api_int("H5Iget_type_ref",
                 [&]() -> Result<int> { return change_type_references(number_of(type), 0); });
}

hid_t H5Iregister(H5I_type_t type, const void* object) {
  return api_id("H5Iregister", [&]() -> Result<hid_t> {
    // The program gets its pointer back as it was.
    return add_program_object(number_of(type), const_cast<void*>(object));
  });
}

void* H5Iobject_verify(hid_t id, H5I_type_t type) {
  return api_value("H5Iobject_verify", static_cast<void*>(nullptr), [&]() -> Result<void*> {
    PCIO_ASSIGN(auto found, program_object(id, number_of(type)));
    return found->object;
  });
}

// The id goes however often it is counted, and the object is the program's again.
void* H5Iremove_verify(hid_t id, H5I_type_t type) {
  return api_value("H5Iremove_verify", static_cast<void*>(nullptr), [&]() -> Result<void*> {
    PCIO_ASSIGN(auto found, program_object(id, number_of(type)));
    std::shared_ptr<HandleObject> last;
    while (!last) PCIO_TRY(detail::to_status(handles().decrement(id, &last)));
    return found->object;
  });
}

// The oldest id first. libhdf5 1.10.8 ends the search at the first object, whatever the function says.
void* H5Isearch(H5I_type_t type, H5I_search_func_t func, void* key) {
  return api_value("H5Isearch", static_cast<void*>(nullptr), [&]() -> Result<void*> {
    PCIO_TRY(check_program_type(number_of(type)));
    if (func == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument func: NULL");
    for (HandleId id : handles().ids(static_cast<unsigned>(number_of(type)))) {
      auto found = program_object(id, number_of(type));
      if (!found) continue;  // the function closed it
      const int answer = func((*found)->object, id, key);
      if (answer < 0) return PCIO_ERROR(ATOM, CALLBACK, "the program's search function failed");
      if (answer > 0) return (*found)->object;
    }
    return static_cast<void*>(nullptr);
  });
}
