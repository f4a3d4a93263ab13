// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: encoding the Datatype message. Each type is written in its own version.
// Source: HDF5 File Format Specification, IV.A.2.d.

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "format/datatype_message.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace {

Status encode_node(const TypeNode& node, ByteWriter& writer);

Status unstorable(const char* what) { return PCIO_ERROR(DATATYPE, CANTENCODE, what); }

void encode_header(const TypeNode& node, std::uint32_t bits, ByteWriter& writer) {
  writer.u8((std::uint64_t{node.version} << 4) | static_cast<std::uint64_t>(node.cls));
  writer.uint(bits, 3);
  writer.u32(node.size);
}

/// Byte order and padding as bits 0 to 2 of the numeric classes hold them. "Background" padding has
/// no code of its own: at the top of an integer libhdf5 writes it as ones, elsewhere it refuses.
std::uint32_t number_bits(const TypeNode& node) {
  std::uint32_t bits = node.order == ByteOrder::kLittle ? 0 : 1;
  if (node.lsb_pad != BitPad::kZero) bits |= 1U << 1;
  if (node.msb_pad != BitPad::kZero) bits |= 1U << 2;
  return bits;
}

Status encode_bit_range(const TypeNode& node, ByteWriter& writer) {
  if (node.bit_offset > 0xffff || node.precision > 0xffff)
    return unstorable("bit offset or precision of a datatype is above 65535");
  writer.u16(node.bit_offset);
  writer.u16(node.precision);
  return {};
}

/// What the format has no code for.
Status check_number(const TypeNode& node) {
  if (node.order == ByteOrder::kVax && node.cls != TypeClass::kFloat)
    return unstorable("only floating-point datatypes can be stored in VAX order");
  const bool top = node.cls != TypeClass::kInteger && node.msb_pad == BitPad::kBackground;
  if (top || node.lsb_pad == BitPad::kBackground || node.fields.inner_pad == BitPad::kBackground)
    return unstorable("background padding can't be stored");
  return {};
}

Status encode_float(const TypeNode& node, ByteWriter& writer) {
  PCIO_TRY(check_number(node));
  const FloatFields& f = node.fields;
  std::uint32_t bits = number_bits(node);
  if (node.order == ByteOrder::kVax) bits |= 1U << 6;
  if (f.inner_pad != BitPad::kZero) bits |= 1U << 3;
  const std::uint32_t norm_code = f.norm == Normalization::kNone     ? 0
                                  : f.norm == Normalization::kMsbSet ? 1
                                                                     : 2;
  bits |= norm_code << 4;
  const unsigned largest = std::max({f.sign_position, f.exponent_position, f.exponent_size,
                                     f.mantissa_position, f.mantissa_size});
  if (largest > 0xff) return unstorable("field of a floating-point datatype is above 255 bits");
  if (f.exponent_bias > 0xffffffff) return unstorable("exponent bias is above 32 bits");
  encode_header(node, bits | f.sign_position << 8, writer);
  PCIO_TRY(encode_bit_range(node, writer));
  writer.u8(f.exponent_position);
  writer.u8(f.exponent_size);
  writer.u8(f.mantissa_position);
  writer.u8(f.mantissa_size);
  writer.u32(f.exponent_bias);
  return {};
}

Status encode_opaque(const TypeNode& node, ByteWriter& writer) {
  const std::size_t length = round_up<std::size_t>(node.tag.size(), 8);
  if (length > 0xff) return unstorable("tag of an opaque datatype is longer than 248 characters");
  encode_header(node, static_cast<std::uint32_t>(length), writer);
  writer.text(node.tag);
  writer.zeros(length - node.tag.size());
  return {};
}

void encode_name(const std::string& name, unsigned version, ByteWriter& writer) {
  writer.text(name);
  const std::size_t with_nul = name.size() + 1;
  writer.zeros((version < 3 ? round_up<std::size_t>(with_nul, 8) : with_nul) - name.size());
}

Status encode_compound(const TypeNode& node, ByteWriter& writer) {
  if (node.members.empty()) return unstorable("a compound datatype without members");
  if (node.members.size() > 0xffff) return unstorable("compound datatype with too many members");
  encode_header(node, static_cast<std::uint32_t>(node.members.size()), writer);
  for (const CompoundMember& member : node.members) {
    encode_name(member.name, node.version, writer);
    writer.uint(member.offset, node.version >= 3 ? bytes_needed(node.size) : 4);
    // Version 1 has room for array dimensions here; they are always given by an array type instead.
    if (node.version == 1) writer.zeros(28);
    PCIO_TRY(encode_node(member.type.node(), writer));
  }
  return {};
}

Status encode_enum(const TypeNode& node, ByteWriter& writer) {
  if (node.symbols.size() > 0xffff) return unstorable("enumeration datatype with too many symbols");
  encode_header(node, static_cast<std::uint32_t>(node.symbols.size()), writer);
  PCIO_TRY(encode_node(node.super->node(), writer));
  for (const EnumMember& symbol : node.symbols) encode_name(symbol.name, node.version, writer);
  for (const EnumMember& symbol : node.symbols) writer.bytes(symbol.value);
  return {};
}

Status encode_vlen(const TypeNode& node, ByteWriter& writer) {
  std::uint32_t bits = 0;
  if (node.variable_string)
    bits = 1U | static_cast<std::uint32_t>(node.string_pad) << 4 |
           static_cast<std::uint32_t>(node.cset) << 8;
  encode_header(node, bits, writer);
  return encode_node(node.super->node(), writer);
}

Status encode_array(const TypeNode& node, ByteWriter& writer) {
  for (const std::uint64_t dim : node.dims)
    if (dim > 0xffffffff) return unstorable("dimension of an array datatype is above 32 bits");
  encode_header(node, 0, writer);
  writer.u8(node.dims.size());
  if (node.version < 3) writer.zeros(3);
  for (const std::uint64_t dim : node.dims) writer.u32(dim);
  if (node.version < 3)
    for (std::size_t i = 0; i < node.dims.size(); ++i) writer.u32(i);  // the identity permutation
  return encode_node(node.super->node(), writer);
}

Status encode_node(const TypeNode& node, ByteWriter& writer) {
  if (node.size > 0xffffffff) return unstorable("size of a datatype is above 32 bits");
  switch (node.cls) {
    case TypeClass::kInteger:
      PCIO_TRY(check_number(node));
      encode_header(node, number_bits(node) | static_cast<std::uint32_t>(node.sign) << 3, writer);
      return encode_bit_range(node, writer);
    case TypeClass::kBitfield:
      PCIO_TRY(check_number(node));
      encode_header(node, number_bits(node), writer);
      return encode_bit_range(node, writer);
    case TypeClass::kFloat: return encode_float(node, writer);
    case TypeClass::kTime:
      if (node.order == ByteOrder::kVax) return unstorable("a time datatype in VAX order");
      encode_header(node, node.order == ByteOrder::kLittle ? 0 : 1, writer);
      if (node.precision > 0xffff) return unstorable("precision of a time datatype is above 65535");
      writer.u16(node.precision);
      return {};
    case TypeClass::kString:
      encode_header(
          node,
          static_cast<std::uint32_t>(node.string_pad) | static_cast<std::uint32_t>(node.cset) << 4,
          writer);
      return {};
    case TypeClass::kOpaque: return encode_opaque(node, writer);
    case TypeClass::kCompound: return encode_compound(node, writer);
    case TypeClass::kReference:
      encode_header(node,
                    node.reference == ReferenceKind::kNewer
                        ? node.newer_reference
                        : static_cast<std::uint32_t>(node.reference),
                    writer);
      return {};
    case TypeClass::kEnum: return encode_enum(node, writer);
    case TypeClass::kVlen: return encode_vlen(node, writer);
    case TypeClass::kArray: return encode_array(node, writer);
  }
  return unstorable("a datatype of unknown class");
}

/// 1: no other type is inside.
unsigned depth_of(const TypeNode& node) {
  unsigned inside = node.super ? depth_of(node.super->node()) : 0;
  for (const CompoundMember& member : node.members)
    inside = std::max(inside, depth_of(member.type.node()));
  return inside + 1;
}

}  // namespace

Status encode_datatype(const Datatype& type, ByteWriter& writer, DatatypePolicy policy) {
  if (depth_of(type.node()) > kMaxDatatypeDepth)
    return unstorable("datatypes that are nested too deeply");
  if (policy == DatatypePolicy::kEarliest) return encode_node(type.node(), writer);
  return encode_node(detail::upgraded(type, 3).node(), writer);
}

}  // namespace pcio
