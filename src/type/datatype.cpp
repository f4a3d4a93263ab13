// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: making datatypes and asking them; see datatype.hpp.

#include "type/datatype.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "type/member_index.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace detail {

Datatype make_type(TypeNode node) { return Datatype(std::make_shared<TypeNode>(std::move(node))); }

TypeNode atomic_node(TypeClass cls, std::size_t size, ByteOrder order) {
  TypeNode node;
  node.cls = cls;
  node.size = size;
  node.order = order;
  node.precision = 8 * size;
  // VAX order came into the format with version 3 of the message, and for these only.
  node.version = order == ByteOrder::kVax && cls == TypeClass::kFloat ? 3 : 1;
  return node;
}

bool fields_fit(const FloatFields& f, std::size_t precision) {
  const auto end = [](unsigned position, unsigned size) {
    return static_cast<std::uint64_t>(position) + size;
  };
  return f.sign_position < precision && end(f.exponent_position, f.exponent_size) <= precision &&
         end(f.mantissa_position, f.mantissa_size) <= precision;
}

bool fields_disjoint(const FloatFields& f) {
  const auto inside = [](unsigned bit, unsigned position, unsigned size) {
    return bit >= position && bit - position < size;
  };
  if (inside(f.sign_position, f.exponent_position, f.exponent_size)) return false;
  if (inside(f.sign_position, f.mantissa_position, f.mantissa_size)) return false;
  return !inside(f.exponent_position, f.mantissa_position, f.mantissa_size) &&
         !inside(f.mantissa_position, f.exponent_position, f.exponent_size);
}

}  // namespace detail

using detail::atomic_node;
using detail::make_type;

bool is_atomic(TypeClass cls) {
  switch (cls) {
    case TypeClass::kInteger:
    case TypeClass::kFloat:
    case TypeClass::kTime:
    case TypeClass::kString:
    case TypeClass::kBitfield:
    case TypeClass::kReference: return true;
    default: return false;
  }
}

Datatype::Datatype() {
  // Never destroyed: calls may come while the process ends.
  static const auto& none =
      *new const std::shared_ptr<const TypeNode>(std::make_shared<TypeNode>());
  node_ = none;
}

TypeNode& Datatype::mutate() {
  // A node with one owner can be changed in place: adding n members stays linear.
  if (node_.use_count() != 1) node_ = std::make_shared<TypeNode>(*node_);
  return const_cast<TypeNode&>(*node_);
}

Datatype Datatype::integer(std::size_t size, ByteOrder order, SignScheme sign) {
  TypeNode node = atomic_node(TypeClass::kInteger, size, order);
  node.sign = sign;
  return make_type(std::move(node));
}

Result<Datatype> Datatype::integer(std::size_t size, ByteOrder order, SignScheme sign,
                                   unsigned precision, unsigned bit_offset) {
  if (precision == 0 || !fits_inside(bit_offset, precision, 8 * size))
    return PCIO_ERROR(DATATYPE, BADVALUE, "precision and offset are not inside the integer");
  TypeNode node = atomic_node(TypeClass::kInteger, size, order);
  node.sign = sign;
  node.precision = precision;
  node.bit_offset = bit_offset;
  return make_type(std::move(node));
}

Result<Datatype> Datatype::floating(std::size_t size, ByteOrder order, const FloatFields& fields,
                                    unsigned precision, unsigned bit_offset) {
  if (precision == 0 || !fits_inside(bit_offset, precision, 8 * size))
    return PCIO_ERROR(DATATYPE, BADVALUE, "precision and offset are not inside the number");
  if (!detail::fields_fit(fields, precision) || !detail::fields_disjoint(fields))
    return PCIO_ERROR(DATATYPE, BADVALUE, "fields of a floating-point type don't fit");
  TypeNode node = atomic_node(TypeClass::kFloat, size, order);
  node.precision = precision;
  node.bit_offset = bit_offset;
  node.fields = fields;
  return make_type(std::move(node));
}

Datatype Datatype::ieee_float(ByteOrder order) {
  TypeNode node = atomic_node(TypeClass::kFloat, 4, order);
  node.fields = {31, 23, 8, 0, 23, 127, Normalization::kImplied, BitPad::kZero};
  return make_type(std::move(node));
}

Datatype Datatype::ieee_double(ByteOrder order) {
  TypeNode node = atomic_node(TypeClass::kFloat, 8, order);
  node.fields = {63, 52, 11, 0, 52, 1023, Normalization::kImplied, BitPad::kZero};
  return make_type(std::move(node));
}

Datatype Datatype::time(std::size_t size, ByteOrder order) {
  return make_type(atomic_node(TypeClass::kTime, size, order));
}

Datatype Datatype::string(std::size_t size, StringPad pad, CharacterSet cset) {
  TypeNode node = atomic_node(TypeClass::kString, size, ByteOrder::kNone);
  node.string_pad = pad;
  node.cset = cset;
  return make_type(std::move(node));
}

Datatype Datatype::bitfield(std::size_t size, ByteOrder order) {
  return make_type(atomic_node(TypeClass::kBitfield, size, order));
}

Datatype Datatype::opaque(std::size_t size, std::string tag) {
  TypeNode node;
  node.size = size;
  node.tag = std::move(tag);
  return make_type(std::move(node));
}

Datatype Datatype::compound(std::size_t size) {
  TypeNode node;
  node.cls = TypeClass::kCompound;
  node.size = size;
  return make_type(std::move(node));
}

Datatype Datatype::reference(ReferenceKind kind) {
  const std::size_t size = kind == ReferenceKind::kObject ? 8 : 12;
  TypeNode node = atomic_node(TypeClass::kReference, size, ByteOrder::kNone);
  node.reference = kind;
  return make_type(std::move(node));
}

Result<Datatype> Datatype::enumeration(const Datatype& base) {
  if (base.type_class() != TypeClass::kInteger)
    return PCIO_ERROR(DATATYPE, BADTYPE, "base of an enumeration must be an integer type");
  TypeNode node;
  node.cls = TypeClass::kEnum;
  node.size = base.size();
  node.version = base.node().version;
  node.super = base;
  return make_type(std::move(node));
}

Datatype Datatype::vlen(const Datatype& base) {
  TypeNode node;
  node.cls = TypeClass::kVlen;
  node.size = detail::kMemorySequenceSize;
  node.version = base.node().version;
  node.super = base;
  return make_type(std::move(node));
}

Datatype Datatype::vlen_string(StringPad pad, CharacterSet cset) {
  TypeNode node;
  node.cls = TypeClass::kVlen;
  node.size = detail::kMemoryPointerSize;
  node.super = integer(1, ByteOrder::kLittle, SignScheme::kUnsigned);
  node.variable_string = true;
  node.string_pad = pad;
  node.cset = cset;
  return make_type(std::move(node));
}

Result<Datatype> Datatype::array(const Datatype& base, const std::vector<std::uint64_t>& dims) {
  if (dims.empty() || dims.size() > kMaxNdims)
    return PCIO_ERROR(DATATYPE, BADVALUE, "argument ndims: an array type has 1 to 32 dimensions");
  std::uint64_t size = base.size();
  for (const std::uint64_t dim : dims) {
    if (dim == 0) return PCIO_ERROR(DATATYPE, BADVALUE, "an array type has a dimension of size 0");
    const auto product = checked_mul(size, dim);
    if (!product || *product > std::numeric_limits<std::int64_t>::max())
      return PCIO_ERROR(DATATYPE, BADVALUE, "size of an array type does not fit");
    size = *product;
  }
  TypeNode node;
  node.cls = TypeClass::kArray;
  node.size = size;
  node.version = std::max<std::uint8_t>(2, base.node().version);
  node.super = base;
  node.dims = dims;
  return make_type(std::move(node));
}

Result<Datatype> Datatype::create(TypeClass cls, std::size_t size) {
  if (size == 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument size: the size of a type must be positive");
  switch (cls) {
    case TypeClass::kInteger:
    case TypeClass::kFloat:
    case TypeClass::kTime:
    case TypeClass::kString:
      // The numeric classes need more than a size; libhdf5 answers with a string too.
      return string(size);
    case TypeClass::kOpaque: return opaque(size);
    case TypeClass::kCompound: return compound(size);
    case TypeClass::kEnum:
      if (size != 1 && size != 2 && size != 4 && size != 8)
        return PCIO_ERROR(DATATYPE, BADSIZE, "no native integer of the size of the enumeration");
      return enumeration(integer(size, detail::kNativeOrder, SignScheme::kTwosComplement));
    default: return PCIO_ERROR(DATATYPE, UNSUPPORTED, "types of this class need more than a size");
  }
}

TypeClass Datatype::type_class() const { return node_->cls; }
std::size_t Datatype::size() const { return node_->size; }
unsigned Datatype::encode_version() const { return node_->version; }
bool Datatype::is_variable_string() const { return node_->variable_string; }

TypeClass Datatype::reported_class() const {
  return is_variable_string() ? TypeClass::kString : node_->cls;
}

const std::vector<CompoundMember>& Datatype::members() const { return node_->members; }
const std::vector<EnumMember>& Datatype::enum_members() const { return node_->symbols; }

bool Datatype::has_vlen_or_reference() const {
  const TypeNode& n = *node_;
  if (n.cls == TypeClass::kVlen || n.cls == TypeClass::kReference) return true;
  if (n.super) return n.super->has_vlen_or_reference();
  return std::any_of(n.members.begin(), n.members.end(),
                     [](const CompoundMember& m) { return m.type.has_vlen_or_reference(); });
}

bool Datatype::is_fixed() const {
  const TypeNode& n = *node_;
  if (n.cls == TypeClass::kVlen) return false;
  if (n.super) return n.super->is_fixed();
  return std::all_of(n.members.begin(), n.members.end(),
                     [](const CompoundMember& m) { return m.type.is_fixed(); });
}

bool Datatype::contains_class(TypeClass cls) const {
  const TypeNode& n = *node_;
  if (n.variable_string) return cls == TypeClass::kString;
  if (n.cls == cls) return true;
  if (n.super) return n.super->contains_class(cls);
  return std::any_of(n.members.begin(), n.members.end(), [cls](const CompoundMember& m) {
    // As a member, and only there, a variable-length string counts as a sequence, too.
    return m.type.contains_class(cls) || m.type.type_class() == cls;
  });
}

unsigned Datatype::depth() const {
  const TypeNode& n = *node_;
  unsigned below = n.super ? n.super->depth() : 0;
  for (const CompoundMember& m : n.members) below = std::max(below, m.type.depth());
  return below + 1;
}

std::optional<unsigned> Datatype::member_index(std::string_view name) const {
  return detail::find_member(*node_, name);
}

Result<std::string> Datatype::enum_name(const std::byte* value) const {
  if (node_->cls != TypeClass::kEnum)
    return PCIO_ERROR(DATATYPE, BADTYPE, "not an enumeration type");
  if (const auto symbol = detail::find_value(*node_, value)) return node_->symbols[*symbol].name;
  return PCIO_ERROR(DATATYPE, NOTFOUND, "value is not one of the enumeration");
}

}  // namespace pcio
