// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: decoding the Datatype message; encoding is in datatype_encode.cpp.
//
// Every message starts with class and version (4 bits each), 24 class bits and the element size.
// Source: HDF5 File Format Specification, IV.A.2.d.

#include "format/datatype_message.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "type/member_index.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace {

struct Header {
  TypeClass cls = TypeClass::kOpaque;
  std::uint8_t version = 1;
  std::uint32_t bits = 0;  // the class bit field
  std::uint32_t size = 0;
  [[nodiscard]] std::uint32_t field(unsigned position, unsigned width) const {
    return (bits >> position) & ((1U << width) - 1);
  }
};

Result<Datatype> decode_nested(ByteReader& reader, unsigned depth);

detail::StatusReturn bad(const char* what) { return PCIO_ERROR(DATATYPE, BADMESG, what); }

Result<Header> decode_header(ByteReader& reader) {
  Header h;
  const std::uint8_t first = reader.u8();
  h.bits = static_cast<std::uint32_t>(reader.uint(3));
  h.size = reader.u32();
  PCIO_TRY(reader.check("datatype message"));
  h.version = first >> 4;
  if (h.version == 0 || h.version > 4)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED,
                      "datatype message of version " + std::to_string(h.version));
  if ((first & 0x0f) >= kTypeClasses)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "datatype class " + std::to_string(first & 0x0f));
  h.cls = static_cast<TypeClass>(first & 0x0f);
  if (h.size == 0) return bad("datatype of size 0");
  return h;
}

TypeNode start_node(const Header& h) {
  TypeNode node;
  node.cls = h.cls;
  node.size = h.size;
  node.version = h.version;
  return node;
}

/// Bits 0 to 2 of the numeric classes, then bit offset and precision.
Result<TypeNode> decode_bits(ByteReader& reader, const Header& h) {
  TypeNode node = start_node(h);
  node.order = h.field(0, 1) != 0 ? ByteOrder::kBig : ByteOrder::kLittle;
  node.lsb_pad = static_cast<BitPad>(h.field(1, 1));
  node.msb_pad = static_cast<BitPad>(h.field(2, 1));
  node.sign = static_cast<SignScheme>(h.cls == TypeClass::kInteger ? h.field(3, 1) : 0);
  node.bit_offset = reader.u16();
  node.precision = reader.u16();
  PCIO_TRY(reader.check("datatype message"));
  if (node.precision == 0 ||
      !fits_inside(node.bit_offset, node.precision, 8 * std::uint64_t{h.size}))
    return bad("bit offset and precision of a datatype are outside its size");
  return node;
}

Result<Datatype> decode_float(ByteReader& reader, const Header& h) {
  PCIO_ASSIGN(TypeNode node, decode_bits(reader, h));
  if (h.field(6, 1) != 0) {
    if (h.field(0, 1) == 0) return bad("unknown byte order of a floating-point datatype");
    node.order = ByteOrder::kVax;
  }
  FloatFields& f = node.fields;
  f.inner_pad = static_cast<BitPad>(h.field(3, 1));
  switch (h.field(4, 2)) {
    case 0: f.norm = Normalization::kNone; break;
    case 1: f.norm = Normalization::kMsbSet; break;
    case 2: f.norm = Normalization::kImplied; break;
    default: return bad("unknown normalization of a floating-point datatype");
  }
  f.sign_position = h.field(8, 8);
  f.exponent_position = reader.u8();
  f.exponent_size = reader.u8();
  f.mantissa_position = reader.u8();
  f.mantissa_size = reader.u8();
  f.exponent_bias = reader.u32();
  PCIO_TRY(reader.check("floating-point datatype"));
  // Positions are those in the element, not behind the bit offset.
  if (!detail::fields_fit(f, 8 * node.size))
    return bad("fields of a floating-point datatype are outside its size");
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_time(ByteReader& reader, const Header& h) {
  TypeNode node = start_node(h);
  node.order = h.field(0, 1) != 0 ? ByteOrder::kBig : ByteOrder::kLittle;
  node.precision = reader.u16();
  PCIO_TRY(reader.check("time datatype"));
  if (node.precision > 8 * node.size) return bad("precision of a time datatype is above its size");
  return detail::make_type(std::move(node));
}

/// Padding and character set, which fixed and variable strings have in different bits.
Status decode_text(TypeNode& node, const Header& h, unsigned position) {
  const std::uint32_t pad = h.field(position, 4);
  const std::uint32_t cset = h.field(position + 4, 4);
  if (pad > 2) return bad("unknown padding of a string datatype");
  if (cset > 1) return bad("unknown character set of a string datatype");
  node.string_pad = static_cast<StringPad>(pad);
  node.cset = static_cast<CharacterSet>(cset);
  return {};
}

Result<Datatype> decode_string(const Header& h) {
  TypeNode node = start_node(h);
  PCIO_TRY(decode_text(node, h, 0));
  node.precision = 8 * node.size;
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_opaque(ByteReader& reader, const Header& h) {
  TypeNode node = start_node(h);
  const ConstBytes raw = reader.bytes(h.field(0, 8));
  PCIO_TRY(reader.check("tag of an opaque datatype"));
  node.tag.assign(reinterpret_cast<const char*>(raw.data()), raw.size());
  // The tag is padded with zeros to a multiple of 8.
  node.tag.resize(std::min(node.tag.find('\0'), node.tag.size()));
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_reference(const Header& h) {
  TypeNode node = start_node(h);
  const std::uint32_t kind = h.field(0, 4);
  node.reference = kind > 1 ? ReferenceKind::kNewer : static_cast<ReferenceKind>(kind);
  if (kind > 1) node.newer_reference = h.field(0, 24);
  node.precision = 8 * node.size;
  return detail::make_type(std::move(node));
}

/// A name; before version 3 it is padded with zeros to a multiple of 8.
std::string decode_name(ByteReader& reader, unsigned version) {
  const std::size_t start = reader.position();
  std::string name(reader.c_string());
  if (version < 3) {
    const std::size_t used = reader.position() - start;
    reader.skip(round_up<std::size_t>(used, 8) - used);
  }
  return name;
}

/// Version 1 stores up to four array dimensions with the member instead of an array type.
Result<std::vector<std::uint64_t>> decode_member_dims(ByteReader& reader) {
  const unsigned ndims = reader.u8();
  reader.skip(3 + 4 + 4);  // reserved, permutation (never used), reserved
  std::vector<std::uint64_t> dims;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t dim = reader.u32();
    if (i < ndims) dims.push_back(dim);
  }
  PCIO_TRY(reader.check("member of a compound datatype"));
  if (ndims > 4) return bad("member of a compound datatype has more than 4 dimensions");
  return dims;
}

Result<CompoundMember> decode_member(ByteReader& reader, const Header& h, unsigned depth) {
  CompoundMember member;
  member.name = decode_name(reader, h.version);
  member.offset = reader.uint(h.version >= 3 ? bytes_needed(h.size) : 4);
  std::vector<std::uint64_t> dims;
  if (h.version == 1) {
    PCIO_ASSIGN(dims, decode_member_dims(reader));
  }
  PCIO_TRY(reader.check("member of a compound datatype"));
  PCIO_ASSIGN(member.type, decode_nested(reader, depth + 1));
  if (!dims.empty()) {
    PCIO_ASSIGN(member.type, Datatype::array(member.type, dims));
  }
  if (!fits_inside(member.offset, member.type.size(), h.size))
    return bad("member of a compound datatype is outside of it");
  return member;
}

/// Overlapping members can't come from a library and would make conversion order matter.
Status check_overlap(const TypeNode& node) {
  std::size_t end = 0;
  for (const unsigned i : detail::members_by_offset(node)) {
    const CompoundMember& member = node.members[i];
    if (member.offset < end) return bad("members of a compound datatype overlap");
    end = member.offset + member.type.size();
  }
  return {};
}

Result<Datatype> decode_compound(ByteReader& reader, const Header& h, unsigned depth) {
  TypeNode node = start_node(h);
  const unsigned count = h.field(0, 16);
  if (count == 0) return bad("compound datatype without members");
  for (unsigned i = 0; i < count; ++i) {
    PCIO_ASSIGN(CompoundMember member, decode_member(reader, h, depth));
    // Only an array that stood in a version 1 member needs this.
    node.version = std::max(node.version, member.type.node().version);
    node.members.push_back(std::move(member));
  }
  PCIO_TRY(check_overlap(node));
  detail::index_members(node);
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_enum(ByteReader& reader, const Header& h, unsigned depth) {
  TypeNode node = start_node(h);
  PCIO_ASSIGN(Datatype base, decode_nested(reader, depth + 1));
  if (base.type_class() != TypeClass::kInteger || base.size() != h.size)
    return bad("enumeration datatype does not fit its base type");
  const unsigned count = h.field(0, 16);
  for (unsigned i = 0; i < count && reader.ok(); ++i)
    node.symbols.push_back({decode_name(reader, h.version), {}});
  for (unsigned i = 0; i < count && reader.ok(); ++i) {
    const ConstBytes value = reader.bytes(h.size);
    node.symbols[i].value.assign(value.begin(), value.end());
  }
  PCIO_TRY(reader.check("symbols of an enumeration datatype"));
  node.super = std::move(base);
  detail::index_members(node);
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_vlen(ByteReader& reader, const Header& h, unsigned depth) {
  TypeNode node = start_node(h);
  const std::uint32_t kind = h.field(0, 4);
  if (kind > 1) return bad("unknown kind of a variable-length datatype");
  node.variable_string = kind == 1;
  // A count and a heap id of four bytes and an address; or, in memory, one pointer.
  if (h.size != 8 && h.size != 10 && h.size != 12 && h.size != 16)
    return bad("variable-length datatype of an impossible size");
  if (node.variable_string) PCIO_TRY(decode_text(node, h, 4));
  PCIO_ASSIGN(node.super, decode_nested(reader, depth + 1));
  if (node.variable_string && node.super->size() != 1)
    return bad("variable-length string of characters that are not bytes");
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_array(ByteReader& reader, const Header& h, unsigned depth) {
  // Version 1 messages with arrays exist in files of the first release that knew them; the layout is
  // that of version 2.
  const unsigned ndims = reader.u8();
  if (h.version <= 2) reader.skip(3);
  PCIO_TRY(reader.check("array datatype"));
  if (ndims == 0 || ndims > kMaxNdims) return bad("array datatype with 0 or too many dimensions");
  std::vector<std::uint64_t> dims;
  for (unsigned i = 0; i < ndims; ++i) dims.push_back(reader.u32());
  if (h.version <= 2) reader.skip(4 * std::size_t{ndims});  // permutation, never used
  PCIO_TRY(reader.check("array datatype"));
  PCIO_ASSIGN(const Datatype base, decode_nested(reader, depth + 1));
  PCIO_ASSIGN(const Datatype array, Datatype::array(base, dims));
  if (array.size() != h.size) return bad("size of an array datatype does not match its dimensions");
  TypeNode node = array.node();
  node.version = std::max<std::uint8_t>(h.version, 2);
  return detail::make_type(std::move(node));
}

Result<Datatype> decode_nested(ByteReader& reader, unsigned depth) {
  if (depth > kMaxDatatypeDepth) return bad("datatypes are nested too deeply");
  PCIO_ASSIGN(const Header h, decode_header(reader));
  switch (h.cls) {
    case TypeClass::kInteger:
    case TypeClass::kBitfield: {
      PCIO_ASSIGN(TypeNode node, decode_bits(reader, h));
      return detail::make_type(std::move(node));
    }
    case TypeClass::kFloat: return decode_float(reader, h);
    case TypeClass::kTime: return decode_time(reader, h);
    case TypeClass::kString: return decode_string(h);
    case TypeClass::kOpaque: return decode_opaque(reader, h);
    case TypeClass::kCompound: return decode_compound(reader, h, depth);
    case TypeClass::kReference: return decode_reference(h);
    case TypeClass::kEnum: return decode_enum(reader, h, depth);
    case TypeClass::kVlen: return decode_vlen(reader, h, depth);
    case TypeClass::kArray: return decode_array(reader, h, depth);
  }
  return bad("unknown datatype class");
}

}  // namespace

Result<Datatype> decode_datatype(ByteReader& reader) { return decode_nested(reader, 1); }

}  // namespace pcio
