// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5T: datatypes as objects, and what all classes have. Nothing here communicates.

#include <cstdlib>
#include <cstring>

#include "base/bytes.hpp"
#include "format/datatype_message.hpp"
#include "lib/encoded_value.hpp"
#include "lib/object_handles.hpp"
#include "lib/type_access.hpp"
#include "object/dataset_queries.hpp"
#include "type/native_types.hpp"

using namespace pcio;

namespace pcio {

Result<char*> text_for_caller(const std::string& text) {
  char* copy = ::strdup(text.c_str());
  if (copy == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
  return copy;
}

}  // namespace pcio

namespace {

/// What H5Tencode puts before the Datatype message: its type number and a version.
constexpr std::uint8_t kEncodedPrefix[] = {3, 0};
/// H5Tdecode is told no length; nothing that H5Tencode makes is longer.
constexpr std::size_t kLongestEncoding = std::size_t{1} << 28;

Result<ByteWriter> encode_for_caller(const Datatype& type) {
  ByteWriter writer;
  for (const std::uint8_t byte : kEncodedPrefix) writer.u8(byte);
  PCIO_TRY(encode_datatype(type, writer));
  return writer;
}

Result<Datatype> decode_from_caller(const void* buf) {
  PCIO_TRY(need_pointer(buf, "buf"));
  ByteReader reader({static_cast<const std::byte*>(buf), kLongestEncoding});
  for (const std::uint8_t byte : kEncodedPrefix)
    if (reader.u8() != byte)
      return PCIO_ERROR(DATATYPE, CANTDECODE, "argument buf: no encoded datatype");
  return decode_datatype(reader);
}

}  // namespace

hid_t H5Tcreate(H5T_class_t type, size_t size) {
  return api_id("H5Tcreate", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(const TypeClass cls, enum_argument(type, TypeClass::kArray, "type"));
    if (size != H5T_VARIABLE) {
      PCIO_ASSIGN(Datatype made, Datatype::create(cls, size));
      return make_id<TypeObject>(std::move(made));
    }
    if (cls != TypeClass::kString)
      return PCIO_ERROR(ARGS, BADVALUE, "argument size: only strings can be of variable size");
    return make_id<TypeObject>(Datatype::vlen_string());
  });
}

hid_t H5Tcopy(hid_t type_id) {
  return api_id("H5Tcopy", [&]() -> Result<hid_t> {
    if (handles().type_of(type_id) != static_cast<unsigned>(IdType::kDataset)) {
      PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
      return make_id<TypeObject>(object->type);
    }
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(type_id, "type_id"));
    PCIO_ASSIGN(const StoredType stored, dataset_type(*dataset->open));
    return make_id<TypeObject>(stored.type.memory_form());
  });
}

herr_t H5Tclose(hid_t type_id) {
  return api_status("H5Tclose", [&] { return close_type(type_id, "type_id"); });
}

htri_t H5Tequal(hid_t type1_id, hid_t type2_id) {
  return api_int("H5Tequal", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto one, type_of(type1_id, "type1_id"));
    PCIO_ASSIGN(auto two, type_of(type2_id, "type2_id"));
    return one->type == two->type;
  });
}

herr_t H5Tlock(hid_t type_id) {
  return api_status("H5Tlock", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
    if (object->state == TypeObject::State::kNamed)
      return PCIO_ERROR(ARGS, BADVALUE, "argument type_id: a committed datatype can't be locked");
    object->state = TypeObject::State::kImmutable;
    return {};
  });
}

htri_t H5Tdetect_class(hid_t type_id, H5T_class_t cls) {
  return query_type<htri_t>(
      "H5Tdetect_class", type_id, -1, [&](const Datatype& type) -> Result<bool> {
        PCIO_ASSIGN(const TypeClass wanted, enum_argument(cls, TypeClass::kArray, "cls"));
        return type.contains_class(wanted);
      });
}

H5T_class_t H5Tget_class(hid_t type_id) {
  return query_type(
      "H5Tget_class", type_id, H5T_NO_CLASS,
      [](const Datatype& type) -> Result<TypeClass> { return type.reported_class(); });
}

htri_t H5Tis_variable_str(hid_t type_id) {
  return query_type<htri_t>(
      "H5Tis_variable_str", type_id, -1,
      [](const Datatype& type) -> Result<bool> { return type.is_variable_string(); });
}

size_t H5Tget_size(hid_t type_id) {
  return query_type<size_t>(
      "H5Tget_size", type_id, 0,
      [](const Datatype& type) -> Result<std::size_t> { return type.size(); });
}

herr_t H5Tset_size(hid_t type_id, size_t size) {
  return change_type("H5Tset_size", type_id, [&](Datatype& type) {
    return size == H5T_VARIABLE ? type.set_variable_size() : type.set_size(size);
  });
}

hid_t H5Tget_super(hid_t type) {
  return api_id("H5Tget_super", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, type_of(type, "type"));
    PCIO_ASSIGN(Datatype base, object->type.super());
    return make_id<TypeObject>(std::move(base));
  });
}

herr_t H5Tencode(hid_t obj_id, void* buf, size_t* nalloc) {
  return api_status("H5Tencode", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(obj_id, "obj_id"));
    PCIO_TRY(need_pointer(nalloc, "nalloc"));
    PCIO_ASSIGN(const ByteWriter bytes, encode_for_caller(object->type));
    return store_encoded(bytes.view(), buf, nalloc);
  });
}

hid_t H5Tdecode(const void* buf) {
  return api_id("H5Tdecode", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(const Datatype type, decode_from_caller(buf));
    return make_id<TypeObject>(type.memory_form());
  });
}

hid_t H5Tget_native_type(hid_t type_id, H5T_direction_t direction) {
  return api_id("H5Tget_native_type", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
    PCIO_ASSIGN(const SearchDirection way,
                enum_argument(direction, SearchDirection::kDescend, "direction"));
    PCIO_ASSIGN(Datatype native, native_equivalent(object->type, way));
    return make_id<TypeObject>(std::move(native));
  });
}
