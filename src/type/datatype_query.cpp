// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: properties of atomic types, comparison. Derived types answer for their base type.

#include <algorithm>
#include <cstring>
#include <numeric>

#include "type/datatype.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace {

/// The innermost base of enum, array and vlen types.
const TypeNode& base_node(const TypeNode& node) {
  const TypeNode* n = &node;
  while (n->super) n = &n->super->node();
  return *n;
}

/// As base_node, but stops at a variable-length string, which has properties of its own.
const TypeNode& text_node(const TypeNode& node) {
  const TypeNode* n = &node;
  while (n->super && !n->variable_string) n = &n->super->node();
  return *n;
}

/// Order common to the members of a compound; strings and the like have none and don't count.
ByteOrder compound_order(const TypeNode& node) {
  ByteOrder common = ByteOrder::kNone;
  for (const CompoundMember& member : node.members) {
    const ByteOrder order = member.type.order().value_or(ByteOrder::kNone);
    if (order == ByteOrder::kNone) continue;
    if (order == ByteOrder::kMixed) return order;
    if (common != ByteOrder::kNone && common != order) return ByteOrder::kMixed;
    common = order;
  }
  return common;
}

bool same_members(const TypeNode& a, const TypeNode& b) {
  if (a.members.size() != b.members.size()) return false;
  const auto by_name = [](const std::vector<CompoundMember>& members) {
    std::vector<const CompoundMember*> sorted;
    sorted.reserve(members.size());
    for (const CompoundMember& m : members) sorted.push_back(&m);
    std::sort(sorted.begin(), sorted.end(), [](auto* x, auto* y) { return x->name < y->name; });
    return sorted;
  };
  const auto left = by_name(a.members);
  const auto right = by_name(b.members);
  return std::equal(left.begin(), left.end(), right.begin(), [](auto* x, auto* y) {
    return x->name == y->name && x->offset == y->offset && x->type == y->type;
  });
}

bool same_symbols(const TypeNode& a, const TypeNode& b) {
  if (a.symbols.size() != b.symbols.size()) return false;
  const auto by_name = [](const std::vector<EnumMember>& symbols) {
    std::vector<const EnumMember*> sorted;
    sorted.reserve(symbols.size());
    for (const EnumMember& s : symbols) sorted.push_back(&s);
    std::sort(sorted.begin(), sorted.end(), [](auto* x, auto* y) { return x->name < y->name; });
    return sorted;
  };
  const auto left = by_name(a.symbols);
  const auto right = by_name(b.symbols);
  return std::equal(left.begin(), left.end(), right.begin(),
                    [](auto* x, auto* y) { return x->name == y->name && x->value == y->value; });
}

bool same_atomic(const TypeNode& a, const TypeNode& b) {
  return a.order == b.order && a.precision == b.precision && a.bit_offset == b.bit_offset &&
         a.lsb_pad == b.lsb_pad && a.msb_pad == b.msb_pad && a.sign == b.sign &&
         a.fields == b.fields && a.string_pad == b.string_pad && a.cset == b.cset &&
         a.reference == b.reference && a.newer_reference == b.newer_reference;
}

bool same_node(const TypeNode& a, const TypeNode& b) {
  if (a.cls != b.cls || a.size != b.size || a.super.has_value() != b.super.has_value())
    return false;
  if (a.super && !(*a.super == *b.super)) return false;
  switch (a.cls) {
    case TypeClass::kCompound: return same_members(a, b);
    case TypeClass::kEnum: return same_symbols(a, b);
    case TypeClass::kVlen:
      // Padding and character set of variable-length strings are not compared, as in libhdf5.
      return a.variable_string == b.variable_string;
    case TypeClass::kArray: return a.dims == b.dims;
    case TypeClass::kOpaque: return a.tag == b.tag;
    default: return same_atomic(a, b);
  }
}

}  // namespace

bool operator==(const Datatype& a, const Datatype& b) {
  return a.node_ == b.node_ || same_node(*a.node_, *b.node_);
}

Result<ByteOrder> Datatype::order() const {
  const TypeNode& n = base_node(*node_);
  if (n.cls == TypeClass::kCompound) return compound_order(n);
  return n.order;
}

Result<std::size_t> Datatype::precision() const {
  const TypeNode& n = base_node(*node_);
  if (!is_atomic(n.cls))
    return PCIO_ERROR(DATATYPE, BADTYPE, "precision is defined for atomic types only");
  return n.precision;
}

Result<unsigned> Datatype::bit_offset() const {
  const TypeNode& n = base_node(*node_);
  if (!is_atomic(n.cls))
    return PCIO_ERROR(DATATYPE, BADTYPE, "bit offset is defined for atomic types only");
  return n.bit_offset;
}

Result<BitPad> Datatype::lsb_pad() const {
  const TypeNode& n = base_node(*node_);
  if (!is_atomic(n.cls))
    return PCIO_ERROR(DATATYPE, BADTYPE, "bit padding is defined for atomic types only");
  return n.lsb_pad;
}

Result<BitPad> Datatype::msb_pad() const {
  const TypeNode& n = base_node(*node_);
  if (!is_atomic(n.cls))
    return PCIO_ERROR(DATATYPE, BADTYPE, "bit padding is defined for atomic types only");
  return n.msb_pad;
}

Result<SignScheme> Datatype::sign() const {
  const TypeNode& n = base_node(*node_);
  if (n.cls != TypeClass::kInteger)
    return PCIO_ERROR(DATATYPE, BADTYPE, "sign is defined for integer types only");
  return n.sign;
}

Result<FloatFields> Datatype::fields() const {
  const TypeNode& n = base_node(*node_);
  if (n.cls != TypeClass::kFloat)
    return PCIO_ERROR(DATATYPE, BADTYPE, "fields are defined for floating-point types only");
  return n.fields;
}

Result<StringPad> Datatype::string_pad() const {
  const TypeNode& n = text_node(*node_);
  if (n.cls != TypeClass::kString && !n.variable_string)
    return PCIO_ERROR(DATATYPE, BADTYPE, "string padding is defined for string types only");
  return n.string_pad;
}

Result<CharacterSet> Datatype::character_set() const {
  const TypeNode& n = text_node(*node_);
  if (n.cls != TypeClass::kString && !n.variable_string)
    return PCIO_ERROR(DATATYPE, BADTYPE, "character set is defined for string types only");
  return n.cset;
}

Result<std::string> Datatype::tag() const {
  const TypeNode& n = base_node(*node_);
  if (n.cls != TypeClass::kOpaque)
    return PCIO_ERROR(DATATYPE, BADTYPE, "tag is defined for opaque types only");
  return n.tag;
}

Result<ReferenceKind> Datatype::reference_kind() const {
  if (node_->cls != TypeClass::kReference)
    return PCIO_ERROR(DATATYPE, BADTYPE, "not a reference type");
  return node_->reference;
}

Result<Datatype> Datatype::super() const {
  if (!node_->super) return PCIO_ERROR(DATATYPE, BADTYPE, "type is not derived from another");
  return *node_->super;
}

Result<std::vector<std::uint64_t>> Datatype::array_dims() const {
  if (node_->cls != TypeClass::kArray) return PCIO_ERROR(DATATYPE, BADTYPE, "not an array type");
  return node_->dims;
}

namespace {

/// The long double of x86, which has 10 bytes of 12 or 16. Other numbers in more bytes than they need have in these what the
/// program put there.
std::size_t used_bytes(const TypeNode& node) {
  constexpr std::size_t kOfLongDouble = 10;
  const bool is_one = node.cls == TypeClass::kFloat && node.precision == 8 * kOfLongDouble &&
                      node.bit_offset == 0 && node.order == ByteOrder::kLittle;
  return is_one ? std::min(kOfLongDouble, node.size) : node.size;
}

void clear_gaps(const TypeNode& node, std::byte* element) {
  std::vector<std::byte> clean(node.size);
  for (const CompoundMember& member : node.members) {
    clear_unused(member.type, element + member.offset);
    std::memcpy(clean.data() + member.offset, element + member.offset, member.type.size());
  }
  std::copy(clean.begin(), clean.end(), element);
}

}  // namespace

std::ptrdiff_t used_bytes(const Datatype& number) {
  return static_cast<std::ptrdiff_t>(used_bytes(number.node()));
}

void clear_unused(const Datatype& type, std::byte* element) {
  const TypeNode& node = type.node();
  switch (node.cls) {
    case TypeClass::kFloat:
      std::fill(element + used_bytes(node), element + node.size, std::byte{0});
      return;
    case TypeClass::kCompound: return clear_gaps(node, element);
    case TypeClass::kArray:
      for (std::size_t at = 0; at < node.size; at += node.super->size())
        clear_unused(*node.super, element + at);
      return;
    case TypeClass::kString:
      if (node.string_pad == StringPad::kNullTerminated)
        std::fill(std::find(element, element + node.size, std::byte{0}), element + node.size,
                  std::byte{0});
      return;
    default: return;
  }
}

}  // namespace pcio
