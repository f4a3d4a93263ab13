// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: the type in which a C program would hold values of another type.
// Source: HDF5 Reference Manual, H5Tget_native_type; choices as observed on libhdf5 1.10.8, where the
// search direction makes no difference on machines with these C types.

#include <algorithm>

#include "base/checked.hpp"
#include "type/convert.hpp"
#include "type/native_types.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace {

/// A native type and the alignment that the C compiler gives it in a struct, in bytes.
struct Native {
  Datatype type;
  std::size_t alignment = 1;
};

Result<Native> native_of(const Datatype& type);

/// Smallest of 1, 2, 4, 8 bytes that holds `precision` bits; 8 where none does.
std::size_t native_size(std::size_t precision) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{4}})
    if (precision <= 8 * size) return size;
  return 8;
}

Native native_float(const Datatype& type) {
  // By size: one of few bits may have a wide exponent.
  if (type.size() <= sizeof(float)) return {native_type(NativeKind::NATIVE_FLOAT), alignof(float)};
  if (type.size() <= sizeof(double))
    return {native_type(NativeKind::NATIVE_DOUBLE), alignof(double)};
  return {native_type(NativeKind::NATIVE_LDOUBLE), alignof(long double)};
}

Native native_reference(const Datatype& type) {
  const bool object = type.node().reference == ReferenceKind::kObject;
  return {type.memory_form(), object ? alignof(std::uint64_t) : 1};
}

Result<Native> native_enum(const Datatype& type) {
  const Datatype& base = *type.node().super;
  PCIO_ASSIGN(const Native native, native_of(base));
  PCIO_ASSIGN(Datatype result, Datatype::enumeration(native.type));
  PCIO_ASSIGN(const Conversion values, Conversion::make(base, native.type));
  std::vector<std::byte> value(native.type.size());
  for (const EnumMember& symbol : type.enum_members()) {
    PCIO_TRY(values.run(symbol.value.data(), value.data(), 1));
    PCIO_TRY(result.insert_enum(symbol.name, value.data()));
  }
  return Native{std::move(result), native.alignment};
}

/// Members in order of insertion, each at the next offset that fits its alignment.
Result<Native> native_compound(const Datatype& type) {
  std::vector<CompoundMember> members;
  std::size_t size = 0;
  std::size_t alignment = 1;
  for (const CompoundMember& member : type.members()) {
    PCIO_ASSIGN(Native native, native_of(member.type));
    size = round_up(size, native.alignment);
    alignment = std::max(alignment, native.alignment);
    members.push_back({member.name, size, native.type});
    size += native.type.size();
  }
  Datatype result = Datatype::compound(std::max<std::size_t>(round_up(size, alignment), 1));
  for (const CompoundMember& member : members)
    PCIO_TRY(result.insert(member.name, member.offset, member.type));
  return Native{std::move(result), alignment};
}

Result<Native> native_vlen(const Datatype& type) {
  if (type.is_variable_string()) return Native{type.memory_form(), alignof(char*)};
  PCIO_ASSIGN(const Native base, native_of(*type.node().super));
  return Native{Datatype::vlen(base.type), alignof(void*)};
}

Result<Native> native_array(const Datatype& type) {
  PCIO_ASSIGN(const Native base, native_of(*type.node().super));
  PCIO_ASSIGN(Datatype array, Datatype::array(base.type, type.node().dims));
  return Native{std::move(array), base.alignment};
}

Result<Native> native_of(const Datatype& type) {
  const TypeNode& n = type.node();
  switch (n.cls) {
    case TypeClass::kInteger: {
      const std::size_t size = native_size(n.precision);
      return Native{Datatype::integer(size, detail::kNativeOrder, n.sign), size};
    }
    case TypeClass::kBitfield: {
      const std::size_t size = native_size(n.precision);
      // Not a C type: in a compound it follows the member before it, as libhdf5 has it.
      return Native{Datatype::bitfield(size, detail::kNativeOrder), 1};
    }
    case TypeClass::kFloat: return native_float(type);
    case TypeClass::kString:
    case TypeClass::kOpaque: return Native{type, 1};
    case TypeClass::kReference: return native_reference(type);
    case TypeClass::kEnum: return native_enum(type);
    case TypeClass::kCompound: return native_compound(type);
    case TypeClass::kVlen: return native_vlen(type);
    case TypeClass::kArray: return native_array(type);
    case TypeClass::kTime: break;
  }
  return PCIO_ERROR(DATATYPE, BADTYPE, "time types have no native form");
}

}  // namespace

Result<Datatype> native_equivalent(const Datatype& type, SearchDirection) {
  PCIO_ASSIGN(Native native, native_of(type));
  return std::move(native.type);
}

}  // namespace pcio
