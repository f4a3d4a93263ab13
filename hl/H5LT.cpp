// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datasets and attributes in one call each, and whether paths lead somewhere.
#include "H5LTpublic.h"

#include <hdf5.h>

#include <cstring>
#include <exception>
#include <functional>
#include <string>

#include "all_ranks.hpp"
#include "support.hpp"

namespace pcio::hl {
namespace {

int made(bool success) { return success ? 0 : -1; }

OwnedId string_type(const char* text) {
  OwnedId type(H5Tcopy(H5T_C_S1));
  if (type) H5Tset_size(type.get(), std::strlen(text) + 1);
  return type;
}

struct Shape {
  int rank;
  const hsize_t* dims;
};

herr_t make_dataset(const char* function, hid_t loc, const char* name, const Shape& shape,
                    hid_t type, const void* buffer) {
  const int rank = shape.rank;
  OwnedId space(H5I_INVALID_HID);
  const auto check = [&] {
    if (name == nullptr) return refuse(function, "dset_name", "it is null") == 0;
    if (rank < 0 || rank > H5S_MAX_RANK)
      return refuse(function, "rank", "not between 0 and 32") == 0;
    if (rank > 0 && shape.dims == nullptr) return refuse(function, "dims", "it is null") == 0;
    if (H5Iget_type(type) != H5I_DATATYPE)
      return refuse(function, "type_id", "not a datatype") == 0;
    space =
        OwnedId(rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.dims, nullptr));
    return static_cast<bool>(space);
  };
  const auto make = [&] {
    return OwnedId(H5Dcreate2(loc, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  };
  const auto describe = [](hid_t) { return true; };
  return make_with_values(function,
                          {loc, name, buffer, std::ref(check), std::ref(make), std::ref(describe)});
}

/// `type`: in memory; H5I_INVALID_HID: the dataset's own.
herr_t read_dataset(const char* function, hid_t loc, const char* name, hid_t type, void* buffer) {
  if (name == nullptr) return refuse(function, "dset_name", "it is null");
  if (buffer == nullptr) return refuse(function, "buffer", "it is null");
  const OwnedId dataset(H5Dopen2(loc, name, H5P_DEFAULT));
  if (!dataset) return -1;
  const OwnedId own(type == H5I_INVALID_HID ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
  return made(
      H5Dread(dataset.get(), own ? own.get() : type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) >= 0);
}

/// Where an attribute is, as all of these calls name it.
struct Place {
  hid_t loc;
  const char* object;
  const char* name;
};

bool has_names(const char* function, const Place& place) {
  if (place.object == nullptr) return refuse(function, "obj_name", "it is null") == 0;
  if (place.name == nullptr) return refuse(function, "attr_name", "it is null") == 0;
  return true;
}

herr_t set_attribute(const Place& place, const OwnedId& space, hid_t type, const void* data) {
  const OwnedId object(H5Oopen(place.loc, place.object, H5P_DEFAULT));
  if (!object || !space) return -1;
  const htri_t exists = H5Aexists(object.get(), place.name);
  if (exists < 0 || (exists > 0 && H5Adelete(object.get(), place.name) < 0)) return -1;
  const OwnedId attribute(
      H5Acreate2(object.get(), place.name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  return made(attribute && H5Awrite(attribute.get(), type, data) >= 0);
}

herr_t set_row(const char* function, const Place& place, hid_t type, const void* data,
               size_t size) {
  if (!has_names(function, place)) return -1;
  if (data == nullptr && size > 0) return refuse(function, "buffer", "it is null");
  const hsize_t count = size;
  return set_attribute(place, OwnedId(H5Screate_simple(1, &count, nullptr)), type, data);
}

OwnedId open_attribute(const char* function, const Place& place) {
  if (!has_names(function, place)) return OwnedId(H5I_INVALID_HID);
  return OwnedId(H5Aopen_by_name(place.loc, place.object, place.name, H5P_DEFAULT, H5P_DEFAULT));
}

herr_t get_attribute(const char* function, const Place& place, hid_t type, void* data) {
  if (data == nullptr) return refuse(function, "data", "it is null");
  const OwnedId attribute = open_attribute(function, place);
  if (!attribute) return -1;
  const OwnedId own(type == H5I_INVALID_HID ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
  return made(H5Aread(attribute.get(), own ? own.get() : type, data) >= 0);
}

herr_t get_ndims(const char* function, const OwnedId& space, int* rank) {
  if (rank == nullptr) return refuse(function, "rank", "it is null");
  const int ndims = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (ndims < 0) return -1;
  *rank = ndims;
  return 0;
}

herr_t get_info(const OwnedId& space, const OwnedId& type, hsize_t* dims, H5T_class_t* type_class,
                size_t* type_size) {
  if (!space || !type) return -1;
  if (dims != nullptr && H5Sget_simple_extent_dims(space.get(), dims, nullptr) < 0) return -1;
  if (type_class != nullptr) *type_class = H5Tget_class(type.get());
  if (type_size != nullptr) *type_size = H5Tget_size(type.get());
  return 0;
}

bool is_location(hid_t id) {
  const H5I_type_t type = H5Iget_type(id);
  return type == H5I_FILE || type == H5I_GROUP || type == H5I_DATASET || type == H5I_DATATYPE;
}

/// Every link but the last must lead to an object.
htri_t path_is_valid(hid_t loc, const std::string& path, bool check_object) {
  std::size_t begin = path.find_first_not_of('/');
  if (begin == std::string::npos) return 1;
  if (begin == 0 && path.compare(0, 2, "./") == 0) begin = path.find_first_not_of('/', 2);
  if (begin == std::string::npos) return 0;
  while (true) {
    const std::size_t end = path.find('/', begin);
    const std::string so_far = path.substr(0, end);
    const htri_t exists = H5Lexists(loc, so_far.c_str(), H5P_DEFAULT);
    if (exists <= 0) return exists;
    begin = end == std::string::npos ? end : path.find_first_not_of('/', end);
    if (begin == std::string::npos && !check_object) return 1;
    const htri_t leads = H5Oexists_by_name(loc, so_far.c_str(), H5P_DEFAULT);
    if (leads <= 0 || begin == std::string::npos) return leads;
  }
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5LTmake_dataset(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                        hid_t type_id, const void* buffer) {
  return make_dataset("H5LTmake_dataset", loc_id, dset_name, {rank, dims}, type_id, buffer);
}
herr_t H5LTmake_dataset_char(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                             const char* buffer) {
  return make_dataset("H5LTmake_dataset_char", loc_id, dset_name, {rank, dims}, H5T_NATIVE_CHAR,
                      buffer);
}
herr_t H5LTmake_dataset_short(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                              const short* buffer) {
  return make_dataset("H5LTmake_dataset_short", loc_id, dset_name, {rank, dims}, H5T_NATIVE_SHORT,
                      buffer);
}
herr_t H5LTmake_dataset_int(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                            const int* buffer) {
  return make_dataset("H5LTmake_dataset_int", loc_id, dset_name, {rank, dims}, H5T_NATIVE_INT,
                      buffer);
}
herr_t H5LTmake_dataset_long(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                             const long* buffer) {
  return make_dataset("H5LTmake_dataset_long", loc_id, dset_name, {rank, dims}, H5T_NATIVE_LONG,
                      buffer);
}
herr_t H5LTmake_dataset_float(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                              const float* buffer) {
  return make_dataset("H5LTmake_dataset_float", loc_id, dset_name, {rank, dims}, H5T_NATIVE_FLOAT,
                      buffer);
}
herr_t H5LTmake_dataset_double(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims,
                               const double* buffer) {
  return make_dataset("H5LTmake_dataset_double", loc_id, dset_name, {rank, dims}, H5T_NATIVE_DOUBLE,
                      buffer);
}
herr_t H5LTmake_dataset_string(hid_t loc_id, const char* dset_name, const char* buf) {
  constexpr const char* kFunction = "H5LTmake_dataset_string";
  const Ranks ranks = ranks_of(loc_id);
  if (buf == nullptr)
    return made(
        all_have(kFunction, loc_id, ranks, refuse(kFunction, "buf", "it is null") == 0, {}));
  const OwnedId type = string_type(buf);
  return make_dataset("H5LTmake_dataset_string", loc_id, dset_name, {0, nullptr}, type.get(), buf);
}

herr_t H5LTread_dataset(hid_t loc_id, const char* dset_name, hid_t type_id, void* buffer) {
  if (H5Iget_type(type_id) != H5I_DATATYPE)
    return refuse("H5LTread_dataset", "type_id", "not a datatype");
  return read_dataset("H5LTread_dataset", loc_id, dset_name, type_id, buffer);
}
herr_t H5LTread_dataset_char(hid_t loc_id, const char* dset_name, char* buffer) {
  return read_dataset("H5LTread_dataset_char", loc_id, dset_name, H5T_NATIVE_CHAR, buffer);
}
herr_t H5LTread_dataset_short(hid_t loc_id, const char* dset_name, short* buffer) {
  return read_dataset("H5LTread_dataset_short", loc_id, dset_name, H5T_NATIVE_SHORT, buffer);
}
herr_t H5LTread_dataset_int(hid_t loc_id, const char* dset_name, int* buffer) {
  return read_dataset("H5LTread_dataset_int", loc_id, dset_name, H5T_NATIVE_INT, buffer);
}
herr_t H5LTread_dataset_long(hid_t loc_id, const char* dset_name, long* buffer) {
  return read_dataset("H5LTread_dataset_long", loc_id, dset_name, H5T_NATIVE_LONG, buffer);
}
herr_t H5LTread_dataset_float(hid_t loc_id, const char* dset_name, float* buffer) {
  return read_dataset("H5LTread_dataset_float", loc_id, dset_name, H5T_NATIVE_FLOAT, buffer);
}
herr_t H5LTread_dataset_double(hid_t loc_id, const char* dset_name, double* buffer) {
  return read_dataset("H5LTread_dataset_double", loc_id, dset_name, H5T_NATIVE_DOUBLE, buffer);
}
herr_t H5LTread_dataset_string(hid_t loc_id, const char* dset_name, char* buf) {
  return read_dataset("H5LTread_dataset_string", loc_id, dset_name, H5I_INVALID_HID, buf);
}

herr_t H5LTget_dataset_ndims(hid_t loc_id, const char* dset_name, int* rank) {
  constexpr const char* kFunction = "H5LTget_dataset_ndims";
  if (dset_name == nullptr) return refuse(kFunction, "dset_name", "it is null");
  const OwnedId dataset(H5Dopen2(loc_id, dset_name, H5P_DEFAULT));
  if (!dataset) return -1;
  return get_ndims(kFunction, OwnedId(H5Dget_space(dataset.get())), rank);
}

herr_t H5LTget_dataset_info(hid_t loc_id, const char* dset_name, hsize_t* dims,
                            H5T_class_t* type_class, size_t* type_size) {
  if (dset_name == nullptr) return refuse("H5LTget_dataset_info", "dset_name", "it is null");
  const OwnedId dataset(H5Dopen2(loc_id, dset_name, H5P_DEFAULT));
  if (!dataset) return -1;
  return get_info(OwnedId(H5Dget_space(dataset.get())), OwnedId(H5Dget_type(dataset.get())), dims,
                  type_class, type_size);
}

herr_t H5LTfind_dataset(hid_t loc_id, const char* name) {
  if (name == nullptr) return refuse("H5LTfind_dataset", "name", "it is null");
  const H5I_type_t type = H5Iget_type(loc_id);
  if (type != H5I_FILE && type != H5I_GROUP)
    return refuse("H5LTfind_dataset", "loc_id", "not a file or group");
  // A name of its own links, not a path.
  if (name[0] == '\0' || std::strchr(name, '/') != nullptr || std::strcmp(name, ".") == 0) return 0;
  return H5Lexists(loc_id, name, H5P_DEFAULT);
}

herr_t H5LTset_attribute_string(hid_t loc_id, const char* obj_name, const char* attr_name,
                                const char* attr_data) {
  constexpr const char* kFunction = "H5LTset_attribute_string";
  const Place place{loc_id, obj_name, attr_name};
  if (!has_names(kFunction, place)) return -1;
  if (attr_data == nullptr) return refuse(kFunction, "attr_data", "it is null");
  const OwnedId type = string_type(attr_data);
  return set_attribute(place, OwnedId(H5Screate(H5S_SCALAR)), type.get(), attr_data);
}
herr_t H5LTset_attribute_char(hid_t loc_id, const char* obj_name, const char* attr_name,
                              const char* buffer, size_t size) {
  return set_row("H5LTset_attribute_char", {loc_id, obj_name, attr_name}, H5T_NATIVE_CHAR, buffer,
                 size);
}
herr_t H5LTset_attribute_uchar(hid_t loc_id, const char* obj_name, const char* attr_name,
                               const unsigned char* buffer, size_t size) {
  return set_row("H5LTset_attribute_uchar", {loc_id, obj_name, attr_name}, H5T_NATIVE_UCHAR, buffer,
                 size);
}
herr_t H5LTset_attribute_short(hid_t loc_id, const char* obj_name, const char* attr_name,
                               const short* buffer, size_t size) {
  return set_row("H5LTset_attribute_short", {loc_id, obj_name, attr_name}, H5T_NATIVE_SHORT, buffer,
                 size);
}
herr_t H5LTset_attribute_ushort(hid_t loc_id, const char* obj_name, const char* attr_name,
                                const unsigned short* buffer, size_t size) {
  return set_row("H5LTset_attribute_ushort", {loc_id, obj_name, attr_name}, H5T_NATIVE_USHORT,
                 buffer, size);
}
herr_t H5LTset_attribute_int(hid_t loc_id, const char* obj_name, const char* attr_name,
                             const int* buffer, size_t size) {
  return set_row("H5LTset_attribute_int", {loc_id, obj_name, attr_name}, H5T_NATIVE_INT, buffer,
                 size);
}
herr_t H5LTset_attribute_uint(hid_t loc_id, const char* obj_name, const char* attr_name,
                              const unsigned int* buffer, size_t size) {
  return set_row("H5LTset_attribute_uint", {loc_id, obj_name, attr_name}, H5T_NATIVE_UINT, buffer,
                 size);
}
herr_t H5LTset_attribute_long(hid_t loc_id, const char* obj_name, const char* attr_name,
                              const long* buffer, size_t size) {
  return set_row("H5LTset_attribute_long", {loc_id, obj_name, attr_name}, H5T_NATIVE_LONG, buffer,
                 size);
}
herr_t H5LTset_attribute_long_long(hid_t loc_id, const char* obj_name, const char* attr_name,
                                   const long long* buffer, size_t size) {
  return set_row("H5LTset_attribute_long_long", {loc_id, obj_name, attr_name}, H5T_NATIVE_LLONG,
                 buffer, size);
}
herr_t H5LTset_attribute_ulong(hid_t loc_id, const char* obj_name, const char* attr_name,
                               const unsigned long* buffer, size_t size) {
  return set_row("H5LTset_attribute_ulong", {loc_id, obj_name, attr_name}, H5T_NATIVE_ULONG, buffer,
                 size);
}
herr_t H5LTset_attribute_float(hid_t loc_id, const char* obj_name, const char* attr_name,
                               const float* buffer, size_t size) {
  return set_row("H5LTset_attribute_float", {loc_id, obj_name, attr_name}, H5T_NATIVE_FLOAT, buffer,
                 size);
}
herr_t H5LTset_attribute_double(hid_t loc_id, const char* obj_name, const char* attr_name,
                                const double* buffer, size_t size) {
  return set_row("H5LTset_attribute_double", {loc_id, obj_name, attr_name}, H5T_NATIVE_DOUBLE,
                 buffer, size);
}

herr_t H5LTget_attribute(hid_t loc_id, const char* obj_name, const char* attr_name,
                         hid_t mem_type_id, void* data) {
  if (H5Iget_type(mem_type_id) != H5I_DATATYPE)
    return refuse("H5LTget_attribute", "mem_type_id", "not a datatype");
  return get_attribute("H5LTget_attribute", {loc_id, obj_name, attr_name}, mem_type_id, data);
}
herr_t H5LTget_attribute_string(hid_t loc_id, const char* obj_name, const char* attr_name,
                                char* data) {
  return get_attribute("H5LTget_attribute_string", {loc_id, obj_name, attr_name}, H5I_INVALID_HID,
                       data);
}
herr_t H5LTget_attribute_char(hid_t loc_id, const char* obj_name, const char* attr_name,
                              char* data) {
  return get_attribute("H5LTget_attribute_char", {loc_id, obj_name, attr_name}, H5T_NATIVE_CHAR,
                       data);
}
herr_t H5LTget_attribute_uchar(hid_t loc_id, const char* obj_name, const char* attr_name,
                               unsigned char* data) {
  return get_attribute("H5LTget_attribute_uchar", {loc_id, obj_name, attr_name}, H5T_NATIVE_UCHAR,
                       data);
}
herr_t H5LTget_attribute_short(hid_t loc_id, const char* obj_name, const char* attr_name,
                               short* data) {
  return get_attribute("H5LTget_attribute_short", {loc_id, obj_name, attr_name}, H5T_NATIVE_SHORT,
                       data);
}
herr_t H5LTget_attribute_ushort(hid_t loc_id, const char* obj_name, const char* attr_name,
                                unsigned short* data) {
  return get_attribute("H5LTget_attribute_ushort", {loc_id, obj_name, attr_name}, H5T_NATIVE_USHORT,
                       data);
}
herr_t H5LTget_attribute_int(hid_t loc_id, const char* obj_name, const char* attr_name, int* data) {
  return get_attribute("H5LTget_attribute_int", {loc_id, obj_name, attr_name}, H5T_NATIVE_INT,
                       data);
}
herr_t H5LTget_attribute_uint(hid_t loc_id, const char* obj_name, const char* attr_name,
                              unsigned int* data) {
  return get_attribute("H5LTget_attribute_uint", {loc_id, obj_name, attr_name}, H5T_NATIVE_UINT,
                       data);
}
herr_t H5LTget_attribute_long(hid_t loc_id, const char* obj_name, const char* attr_name,
                              long* data) {
  return get_attribute("H5LTget_attribute_long", {loc_id, obj_name, attr_name}, H5T_NATIVE_LONG,
                       data);
}
herr_t H5LTget_attribute_long_long(hid_t loc_id, const char* obj_name, const char* attr_name,
                                   long long* data) {
  return get_attribute("H5LTget_attribute_long_long", {loc_id, obj_name, attr_name},
                       H5T_NATIVE_LLONG, data);
}
herr_t H5LTget_attribute_ulong(hid_t loc_id, const char* obj_name, const char* attr_name,
                               unsigned long* data) {
  return get_attribute("H5LTget_attribute_ulong", {loc_id, obj_name, attr_name}, H5T_NATIVE_ULONG,
                       data);
}
herr_t H5LTget_attribute_float(hid_t loc_id, const char* obj_name, const char* attr_name,
                               float* data) {
  return get_attribute("H5LTget_attribute_float", {loc_id, obj_name, attr_name}, H5T_NATIVE_FLOAT,
                       data);
}
herr_t H5LTget_attribute_double(hid_t loc_id, const char* obj_name, const char* attr_name,
                                double* data) {
  return get_attribute("H5LTget_attribute_double", {loc_id, obj_name, attr_name}, H5T_NATIVE_DOUBLE,
                       data);
}

herr_t H5LTget_attribute_ndims(hid_t loc_id, const char* obj_name, const char* attr_name,
                               int* rank) {
  constexpr const char* kFunction = "H5LTget_attribute_ndims";
  const OwnedId attribute = open_attribute(kFunction, {loc_id, obj_name, attr_name});
  if (!attribute) return -1;
  return get_ndims(kFunction, OwnedId(H5Aget_space(attribute.get())), rank);
}

herr_t H5LTget_attribute_info(hid_t loc_id, const char* obj_name, const char* attr_name,
                              hsize_t* dims, H5T_class_t* type_class, size_t* type_size) {
  const OwnedId attribute = open_attribute("H5LTget_attribute_info", {loc_id, obj_name, attr_name});
  if (!attribute) return -1;
  return get_info(OwnedId(H5Aget_space(attribute.get())), OwnedId(H5Aget_type(attribute.get())),
                  dims, type_class, type_size);
}

herr_t H5LTfind_attribute(hid_t loc_id, const char* name) {
  if (name == nullptr) return refuse("H5LTfind_attribute", "name", "it is null");
  if (!is_location(loc_id)) return refuse("H5LTfind_attribute", "loc_id", "not a file or object");
  return name[0] == '\0' ? 0 : H5Aexists(loc_id, name);
}

htri_t H5LTpath_valid(hid_t loc_id, const char* path, hbool_t check_object_valid) {
  constexpr const char* kFunction = "H5LTpath_valid";
  if (!is_location(loc_id)) return refuse(kFunction, "loc_id", "not a file or object");
  if (path == nullptr || path[0] == '\0') return refuse(kFunction, "path", "it is null or empty");
  if (std::strcmp(path, ".") == 0) return 1;
  try {
    return path_is_valid(loc_id, path, check_object_valid);
  } catch (const std::exception&) {
    return refuse(kFunction, "path", "out of memory");
  }
}
