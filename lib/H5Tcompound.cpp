// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5T: compound and enumeration types, arrays, sequences, opaque types.

#include <cstring>

#include "lib/type_access.hpp"

using namespace pcio;

namespace {

/// Member `membno` of a compound. Errors: another class, or no such member.
Result<const CompoundMember*> compound_member(const Datatype& type, unsigned membno) {
  if (type.type_class() != TypeClass::kCompound)
    return PCIO_ERROR(ARGS, BADTYPE, "argument type_id: not a compound datatype");
  if (membno >= type.members().size())
    return PCIO_ERROR(ARGS, BADVALUE, "argument membno: no such member");
  return &type.members()[membno];
}

Result<const EnumMember*> enum_member(const Datatype& type, unsigned membno) {
  if (type.type_class() != TypeClass::kEnum)
    return PCIO_ERROR(ARGS, BADTYPE, "argument type_id: not an enumeration datatype");
  if (membno >= type.enum_members().size())
    return PCIO_ERROR(ARGS, BADVALUE, "argument membno: no such member");
  return &type.enum_members()[membno];
}

Status need_members(const Datatype& type) {
  if (type.type_class() == TypeClass::kCompound || type.type_class() == TypeClass::kEnum) return {};
  return PCIO_ERROR(ARGS, BADTYPE, "argument type_id: neither a compound nor an enumeration");
}

Result<const std::string*> member_name(const Datatype& type, unsigned membno) {
  PCIO_TRY(need_members(type));
  if (type.type_class() == TypeClass::kEnum) {
    PCIO_ASSIGN(const EnumMember* member, enum_member(type, membno));
    return &member->name;
  }
  PCIO_ASSIGN(const CompoundMember* member, compound_member(type, membno));
  return &member->name;
}

Result<hid_t> make_array(hid_t base_id, unsigned ndims, const hsize_t* dim) {
  PCIO_ASSIGN(auto base, type_of(base_id, "base_id"));
  if (ndims > 0) PCIO_TRY(need_pointer(dim, "dim"));
  if (ndims > kMaxNdims) return PCIO_ERROR(ARGS, BADVALUE, "argument ndims: not between 1 and 32");
  const std::vector<std::uint64_t> dims(dim, dim + ndims);
  PCIO_ASSIGN(Datatype array, Datatype::array(base->type, dims));
  return make_id<TypeObject>(std::move(array));
}

Result<int> array_dims(hid_t type_id, hsize_t* dims) {
  PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
  PCIO_ASSIGN(const auto sizes, object->type.array_dims());
  if (dims != nullptr) std::copy(sizes.begin(), sizes.end(), dims);
  return static_cast<int>(sizes.size());
}

}  // namespace

// ---- members --------------------------------------------------------------------------------

herr_t H5Tinsert(hid_t parent_id, const char* name, size_t offset, hid_t member_id) {
  return api_status("H5Tinsert", [&]() -> Status {
    PCIO_ASSIGN(auto parent, changeable_type(parent_id, "parent_id"));
    PCIO_ASSIGN(auto member, type_of(member_id, "member_id"));
    PCIO_ASSIGN(const std::string text, text_argument(name, "name"));
    if (parent == member)
      return PCIO_ERROR(ARGS, BADVALUE, "a compound datatype can't be a member of itself");
    return parent->type.insert(text, offset, member->type);
  });
}

// What is packed already may be locked: there is nothing to do.
herr_t H5Tpack(hid_t type_id) {
  return api_status("H5Tpack", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
    Datatype packed = object->type;
    PCIO_TRY(packed.pack());
    if (packed == object->type) return Status();
    PCIO_TRY(changeable_type(type_id, "type_id"));
    object->type = std::move(packed);
    return Status();
  });
}

int H5Tget_nmembers(hid_t type_id) {
  return query_type("H5Tget_nmembers", type_id, -1,
                    [](const Datatype& type) -> Result<std::size_t> {
                      PCIO_TRY(need_members(type));
                      return type.members().size() + type.enum_members().size();
                    });
}

char* H5Tget_member_name(hid_t type_id, unsigned membno) {
  return query_type<char*>("H5Tget_member_name", type_id, nullptr,
                           [&](const Datatype& type) -> Result<char*> {
                             PCIO_ASSIGN(const std::string* name, member_name(type, membno));
                             return text_for_caller(*name);
                           });
}

int H5Tget_member_index(hid_t type_id, const char* name) {
  return query_type("H5Tget_member_index", type_id, -1,
                    [&](const Datatype& type) -> Result<unsigned> {
                      PCIO_TRY(need_members(type));
                      PCIO_ASSIGN(const std::string text, text_argument(name, "name"));
                      if (const auto index = type.member_index(text)) return *index;
                      return PCIO_ERROR(DATATYPE, NOTFOUND, "no member '" + text + "'");
                    });
}

size_t H5Tget_member_offset(hid_t type_id, unsigned membno) {
  return query_type<size_t>(
      "H5Tget_member_offset", type_id, 0, [&](const Datatype& type) -> Result<std::size_t> {
        PCIO_ASSIGN(const CompoundMember* member, compound_member(type, membno));
        return member->offset;
      });
}

H5T_class_t H5Tget_member_class(hid_t type_id, unsigned membno) {
  return query_type("H5Tget_member_class", type_id, H5T_NO_CLASS,
                    [&](const Datatype& type) -> Result<TypeClass> {
                      PCIO_ASSIGN(const CompoundMember* member, compound_member(type, membno));
                      return member->type.reported_class();
                    });
}

hid_t H5Tget_member_type(hid_t type_id, unsigned membno) {
  return query_type<hid_t>(
      "H5Tget_member_type", type_id, H5I_INVALID_HID, [&](const Datatype& type) -> Result<hid_t> {
        PCIO_ASSIGN(const CompoundMember* member, compound_member(type, membno));
        return make_id<TypeObject>(member->type);
      });
}

// ---- enumerations ---------------------------------------------------------------------------

hid_t H5Tenum_create(hid_t base_id) {
  return api_id("H5Tenum_create", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto base, type_of(base_id, "base_id"));
    PCIO_ASSIGN(Datatype made, Datatype::enumeration(base->type));
    return make_id<TypeObject>(std::move(made));
  });
}

herr_t H5Tenum_insert(hid_t type, const char* name, const void* value) {
  return change_type("H5Tenum_insert", type, [&](Datatype& changed) -> Status {
    PCIO_ASSIGN(const std::string text, text_argument(name, "name"));
    PCIO_TRY(need_pointer(value, "value"));
    return changed.insert_enum(text, static_cast<const std::byte*>(value));
  });
}

herr_t H5Tenum_nameof(hid_t type, const void* value, char* name, size_t size) {
  return api_status("H5Tenum_nameof", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type, "type"));
    PCIO_TRY(need_pointer(value, "value"));
    PCIO_TRY(need_pointer(name, "name"));
    if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size: 0");
    *name = '\0';
    PCIO_ASSIGN(const std::string found,
                object->type.enum_name(static_cast<const std::byte*>(value)));
    // As libhdf5 does it, a name that is cut off has no closing 0 byte.
    std::strncpy(name, found.c_str(), size);
    if (found.size() < size) return {};
    return PCIO_ERROR(DATATYPE, NOSPACE, "argument size: the name is longer");
  });
}

herr_t H5Tenum_valueof(hid_t type, const char* name, void* value) {
  return api_status("H5Tenum_valueof", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type, "type"));
    PCIO_ASSIGN(const std::string text, text_argument(name, "name"));
    PCIO_TRY(need_pointer(value, "value"));
    const auto index = object->type.member_index(text);
    if (!index) return PCIO_ERROR(DATATYPE, NOTFOUND, "no member '" + text + "'");
    PCIO_ASSIGN(const EnumMember* member, enum_member(object->type, *index));
    std::memcpy(value, member->value.data(), member->value.size());
    return {};
  });
}

herr_t H5Tget_member_value(hid_t type_id, unsigned membno, void* value) {
  return api_status("H5Tget_member_value", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
    PCIO_TRY(need_pointer(value, "value"));
    PCIO_ASSIGN(const EnumMember* member, enum_member(object->type, membno));
    std::memcpy(value, member->value.data(), member->value.size());
    return {};
  });
}

// ---- arrays, sequences, opaque types --------------------------------------------------------

hid_t H5Tarray_create2(hid_t base_id, unsigned ndims, const hsize_t dim[]) {
  return api_id("H5Tarray_create2",
                [&]() -> Result<hid_t> { return make_array(base_id, ndims, dim); });
}

hid_t H5Tarray_create1(hid_t base_id, int ndims, const hsize_t dim[], const int perm[]) {
  (void)perm;  // never had an effect
  return api_id("H5Tarray_create1", [&]() -> Result<hid_t> {
    if (ndims < 1) return PCIO_ERROR(ARGS, BADVALUE, "argument ndims: not between 1 and 32");
    return make_array(base_id, static_cast<unsigned>(ndims), dim);
  });
}

int H5Tget_array_ndims(hid_t type_id) {
  return api_int("H5Tget_array_ndims",
                 [&]() -> Result<int> { return array_dims(type_id, nullptr); });
}

int H5Tget_array_dims2(hid_t type_id, hsize_t dims[]) {
  return api_int("H5Tget_array_dims2", [&]() -> Result<int> { return array_dims(type_id, dims); });
}

int H5Tget_array_dims1(hid_t type_id, hsize_t dims[], int perm[]) {
  (void)perm;
  return api_int("H5Tget_array_dims1", [&]() -> Result<int> { return array_dims(type_id, dims); });
}

hid_t H5Tvlen_create(hid_t base_id) {
  return api_id("H5Tvlen_create", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto base, type_of(base_id, "base_id"));
    return make_id<TypeObject>(Datatype::vlen(base->type));
  });
}

herr_t H5Tset_tag(hid_t type, const char* tag) {
  return change_type("H5Tset_tag", type, [&](Datatype& changed) -> Status {
    PCIO_TRY(need_pointer(tag, "tag"));
    return changed.set_tag(tag);
  });
}

char* H5Tget_tag(hid_t type) {
  return query_type<char*>("H5Tget_tag", type, nullptr, [](const Datatype& asked) -> Result<char*> {
    PCIO_ASSIGN(const std::string tag, asked.tag());
    return text_for_caller(tag);
  });
}
