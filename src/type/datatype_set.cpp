// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: setters of atomic properties. Array and vlen types pass them on to their base type, and
// so do enumerations without symbols; those with some refuse them, because their values are already
// in the base type's form.
// Source: HDF5 Reference Manual, H5Tset_*; what it leaves open was observed on libhdf5 1.10.8.

#include <algorithm>

#include "base/checked.hpp"
#include "type/datatype.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace {

bool has_bits(TypeClass cls) {
  return cls == TypeClass::kInteger || cls == TypeClass::kFloat || cls == TypeClass::kTime ||
         cls == TypeClass::kBitfield;
}

/// Applies `change` (which may fail, then leaving the type alone) to the base of an array or vlen
/// type and puts the result back.
template <class Change>
Status change_base(TypeNode& node, Change change) {
  Datatype base = *node.super;
  PCIO_TRY(change(base));
  if (node.cls == TypeClass::kArray) {
    PCIO_ASSIGN(const Datatype resized, Datatype::array(base, node.dims));
    node.size = resized.size();
  }
  if (node.cls == TypeClass::kEnum) node.size = base.size();
  node.version = std::max(node.version, base.node().version);
  node.super = base;
  return {};
}

bool passes_on(const TypeNode& node) {
  return node.cls == TypeClass::kArray || node.cls == TypeClass::kVlen ||
         (node.cls == TypeClass::kEnum && node.symbols.empty());
}

Status refuse_enum(const TypeNode& node) {
  if (node.cls == TypeClass::kEnum && !node.symbols.empty())
    return PCIO_ERROR(DATATYPE, CANTSET, "not allowed on an enumeration type that has symbols");
  return {};
}

/// Precision and offset after a change of size: the number is pushed down, then cut.
void fit_bits(TypeNode& node, std::size_t size) {
  const std::size_t bits = 8 * size;
  if (node.precision > bits) {
    node.precision = bits;
    node.bit_offset = 0;
  } else if (node.bit_offset > bits - node.precision) {
    node.bit_offset = static_cast<unsigned>(bits - node.precision);
  }
  node.size = size;
}

/// Fields count from the lowest bit of the element, so the offset makes room for them.
Status check_fields(const TypeNode& node) {
  if (node.cls == TypeClass::kFloat &&
      !detail::fields_fit(node.fields, node.bit_offset + node.precision))
    return PCIO_ERROR(DATATYPE, BADVALUE, "adjust sign, mantissa and exponent fields first");
  return {};
}

Status shrink_compound(const TypeNode& node, std::size_t size) {
  for (const CompoundMember& member : node.members)
    if (!fits_inside(member.offset, member.type.size(), size))
      return PCIO_ERROR(DATATYPE, CANTSET, "size would cut off member '" + member.name + "'");
  return {};
}

/// Largest size that a Datatype message can express.
constexpr std::size_t kMaxTypeSize = 0xffffffff;

}  // namespace

Status Datatype::set_size(std::size_t size) {
  PCIO_TRY(refuse_enum(*node_));
  if (size == 0 || size > kMaxTypeSize)
    return PCIO_ERROR(DATATYPE, BADVALUE,
                      "argument size: the size of a type must be 1 to 4294967295 bytes");
  if (passes_on(*node_))
    return change_base(mutate(), [size](Datatype& base) { return base.set_size(size); });
  switch (node_->cls) {
    case TypeClass::kReference:
      return PCIO_ERROR(DATATYPE, CANTSET, "size of a reference type is fixed");
    case TypeClass::kOpaque: break;
    case TypeClass::kCompound: PCIO_TRY(shrink_compound(*node_, size)); break;
    case TypeClass::kString: mutate().precision = 8 * size; break;
    default: {
      TypeNode changed = *node_;
      fit_bits(changed, size);
      PCIO_TRY(check_fields(changed));
      mutate() = std::move(changed);
    }
  }
  mutate().size = size;
  return {};
}

Status Datatype::set_variable_size() {
  if (is_variable_string()) return {};
  if (node_->cls != TypeClass::kString)
    return PCIO_ERROR(DATATYPE, CANTSET, "only strings can be of variable size");
  *this = vlen_string(node_->string_pad, node_->cset);
  return {};
}

Status Datatype::set_order(ByteOrder order) {
  PCIO_TRY(refuse_enum(*node_));
  if (order == ByteOrder::kMixed) return PCIO_ERROR(DATATYPE, BADVALUE, "mixed order can't be set");
  if (passes_on(*node_))
    return change_base(mutate(), [order](Datatype& base) { return base.set_order(order); });
  if (node_->cls == TypeClass::kOpaque) return {};
  if (node_->cls == TypeClass::kCompound) {
    TypeNode changed = *node_;
    if (changed.members.empty())
      return PCIO_ERROR(DATATYPE, UNINITIALIZED, "compound has no members yet");
    for (CompoundMember& member : changed.members) {
      PCIO_TRY(member.type.set_order(order));
      changed.version = std::max(changed.version, member.type.node().version);
    }
    mutate() = std::move(changed);
    return {};
  }
  const bool textual = node_->cls == TypeClass::kString || node_->cls == TypeClass::kReference;
  if (order == ByteOrder::kNone && !textual)
    return PCIO_ERROR(DATATYPE, BADVALUE, "this type needs a byte order");
  TypeNode& node = mutate();
  node.order = order;
  if (order == ByteOrder::kVax && node.cls == TypeClass::kFloat) node.version = 3;
  return {};
}

Status Datatype::set_precision(std::size_t precision) {
  PCIO_TRY(refuse_enum(*node_));
  if (precision == 0 || precision > 0xffff)
    return PCIO_ERROR(DATATYPE, BADVALUE, "argument prec: precision must be 1 to 65535 bits");
  if (passes_on(*node_))
    return change_base(mutate(), [precision](Datatype& b) { return b.set_precision(precision); });
  if (!has_bits(node_->cls))
    return PCIO_ERROR(DATATYPE, CANTSET, "precision of this class of types is fixed");
  TypeNode changed = *node_;
  changed.precision = precision;
  if (precision > 8 * changed.size) {
    changed.bit_offset = 0;
    changed.size = ceil_div<std::size_t>(precision, 8);
  } else if (changed.bit_offset + precision > 8 * changed.size) {
    changed.bit_offset = static_cast<unsigned>(8 * changed.size - precision);
  }
  PCIO_TRY(check_fields(changed));
  mutate() = std::move(changed);
  return {};
}

Status Datatype::set_bit_offset(std::size_t offset) {
  PCIO_TRY(refuse_enum(*node_));
  if (offset > 0xffff) return PCIO_ERROR(DATATYPE, BADVALUE, "bit offset is above 65535");
  if (passes_on(*node_))
    return change_base(mutate(), [offset](Datatype& base) { return base.set_bit_offset(offset); });
  if (node_->cls == TypeClass::kString && offset == 0) return {};
  if (!has_bits(node_->cls))
    return PCIO_ERROR(DATATYPE, CANTSET, "bit offset of this class of types is fixed");
  TypeNode& node = mutate();
  node.bit_offset = static_cast<unsigned>(offset);
  node.size = std::max(node.size, ceil_div<std::size_t>(offset + node.precision, 8));
  return {};
}

Status Datatype::set_pads(BitPad lsb, BitPad msb) {
  PCIO_TRY(refuse_enum(*node_));
  if (passes_on(*node_))
    return change_base(mutate(), [lsb, msb](Datatype& base) { return base.set_pads(lsb, msb); });
  if (!is_atomic(node_->cls))
    return PCIO_ERROR(DATATYPE, CANTSET, "bit padding is defined for atomic types only");
  TypeNode& node = mutate();
  node.lsb_pad = lsb;
  node.msb_pad = msb;
  return {};
}

Status Datatype::set_sign(SignScheme sign) {
  PCIO_TRY(refuse_enum(*node_));
  if (passes_on(*node_))
    return change_base(mutate(), [sign](Datatype& base) { return base.set_sign(sign); });
  if (node_->cls != TypeClass::kInteger)
    return PCIO_ERROR(DATATYPE, BADTYPE, "sign is defined for integer types only");
  mutate().sign = sign;
  return {};
}

Status Datatype::set_fields(const FloatFields& f) {
  if (passes_on(*node_))
    return change_base(mutate(), [&f](Datatype& base) { return base.set_fields(f); });
  if (node_->cls != TypeClass::kFloat)
    return PCIO_ERROR(DATATYPE, BADTYPE, "fields are defined for floating-point types only");
  if (!detail::fields_fit(f, node_->precision))
    return PCIO_ERROR(DATATYPE, BADVALUE, "a field is outside the precision");
  if (!detail::fields_disjoint(f))
    return PCIO_ERROR(
        DATATYPE, BADVALUE,
        "argument spos, epos, esize, mpos or msize: fields of a floating-point type overlap");
  FloatFields& own = mutate().fields;
  own.sign_position = f.sign_position;
  own.exponent_position = f.exponent_position;
  own.exponent_size = f.exponent_size;
  own.mantissa_position = f.mantissa_position;
  own.mantissa_size = f.mantissa_size;
  return {};
}

Status Datatype::set_exponent_bias(std::uint64_t bias) {
  if (passes_on(*node_))
    return change_base(mutate(), [bias](Datatype& base) { return base.set_exponent_bias(bias); });
  if (node_->cls != TypeClass::kFloat)
    return PCIO_ERROR(DATATYPE, BADTYPE, "bias is defined for floating-point types only");
  mutate().fields.exponent_bias = bias;
  return {};
}

Status Datatype::set_norm(Normalization norm) {
  if (passes_on(*node_))
    return change_base(mutate(), [norm](Datatype& base) { return base.set_norm(norm); });
  if (node_->cls != TypeClass::kFloat)
    return PCIO_ERROR(DATATYPE, BADTYPE, "normalization is defined for floating-point types only");
  mutate().fields.norm = norm;
  return {};
}

Status Datatype::set_inner_pad(BitPad pad) {
  if (passes_on(*node_))
    return change_base(mutate(), [pad](Datatype& base) { return base.set_inner_pad(pad); });
  if (node_->cls != TypeClass::kFloat)
    return PCIO_ERROR(DATATYPE, BADTYPE, "inner padding is defined for floating-point types only");
  mutate().fields.inner_pad = pad;
  return {};
}

Status Datatype::set_string_pad(StringPad pad) {
  if (passes_on(*node_) && !is_variable_string())
    return change_base(mutate(), [pad](Datatype& base) { return base.set_string_pad(pad); });
  if (node_->cls != TypeClass::kString && !is_variable_string())
    return PCIO_ERROR(DATATYPE, BADTYPE, "string padding is defined for string types only");
  mutate().string_pad = pad;
  return {};
}

Status Datatype::set_character_set(CharacterSet cset) {
  if (passes_on(*node_) && !is_variable_string())
    return change_base(mutate(), [cset](Datatype& base) { return base.set_character_set(cset); });
  if (node_->cls != TypeClass::kString && !is_variable_string())
    return PCIO_ERROR(DATATYPE, BADTYPE, "character set is defined for string types only");
  mutate().cset = cset;
  return {};
}

Status Datatype::set_tag(std::string_view tag) {
  constexpr std::size_t kTagMax = 256;  // H5T_OPAQUE_TAG_MAX
  if (passes_on(*node_))
    return change_base(mutate(), [tag](Datatype& base) { return base.set_tag(tag); });
  if (node_->cls != TypeClass::kOpaque)
    return PCIO_ERROR(DATATYPE, BADTYPE, "tag is defined for opaque types only");
  if (tag.size() >= kTagMax) return PCIO_ERROR(ARGS, BADVALUE, "tag has 256 or more characters");
  mutate().tag = tag;
  return {};
}

}  // namespace pcio
