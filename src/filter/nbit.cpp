// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: n-bit: only the significant bits of numbers, packed.
//
// The parameters describe the element: how many parameters there are, whether packing is worth it,
// how many elements; then a type: 1 size order precision offset for a number; 2 size type for an
// array; 3 size members (offset type)... for a compound; 4 size for bytes without numbers.
// Source: HDF5 User's Guide, Using the N-bit Filter; parameters and chunks of libhdf5 1.10.8.

#include "filter/nbit.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/checked.hpp"
#include "filter/bit_stream.hpp"
#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

enum Kind : unsigned { kNumber = 1, kArray = 2, kCompound = 3, kBytes = 4 };

/// Types nest no deeper in libhdf5; files may claim what they like.
constexpr unsigned kMostDepth = 64;
/// Parameters in front of the type.
constexpr std::size_t kHead = 3;

/// A part of an element that is packed.
struct Part {
  Kind kind = kBytes;
  std::size_t at = 0;  // bytes from the start of what it lies in
  std::size_t size = 0;
  bool big_endian = false;
  unsigned precision = 0;
  unsigned offset = 0;
  std::vector<Part> inside;  // members; or the one base type of an array
  /// Bits of one of them in the stream.
  std::uint64_t bits = 0;
};

/// Reads the parameters of one type; every number is checked.
class PartReader {
 public:
  explicit PartReader(const std::vector<unsigned>& values) : values_(values) {}

  Result<Part> type(unsigned depth, std::size_t room) {
    if (depth > kMostDepth) return bad("types are nested too deep");
    PCIO_ASSIGN(unsigned kind, next());
    PCIO_ASSIGN(unsigned size, next());
    if (size == 0 || size > room) return bad("a type does not fit where it lies");
    Part part;
    part.kind = static_cast<Kind>(kind);
    part.size = size;
    switch (kind) {
      case kNumber: PCIO_TRY(number(&part)); break;
      case kArray: {
        PCIO_ASSIGN(Part base, type(depth + 1, size));
        if (size % base.size != 0) return bad("an array is no multiple of its base type");
        auto bits = checked_mul<std::uint64_t>(base.bits, size / base.size);
        if (!bits) return bad("an array has too many bits");
        part.bits = *bits;
        part.inside.push_back(std::move(base));
        break;
      }
      case kCompound: PCIO_TRY(members(depth, &part)); break;
      case kBytes: part.bits = std::uint64_t{8} * size; break;
      default: return bad("unknown type");
    }
    return part;
  }

 private:
  static detail::StatusReturn bad(const char* why) {
    return PCIO_ERROR(PLINE, BADVALUE, std::string("parameters of the n-bit filter: ") + why);
  }

  Result<unsigned> next() {
    if (at_ == values_.size()) return bad("too few");
    return values_[at_++];
  }

  Status number(Part* part) {
    PCIO_ASSIGN(unsigned order, next());
    PCIO_ASSIGN(part->precision, next());
    PCIO_ASSIGN(part->offset, next());
    const std::uint64_t bits = std::uint64_t{8} * part->size;
    if (order > 1 || part->precision == 0 || part->precision > bits ||
        part->offset > bits - part->precision)
      return bad("a number's bits are not inside it");
    part->big_endian = order == 1;
    part->bits = part->precision;
    return Status();
  }

  Status members(unsigned depth, Part* part) {
    PCIO_ASSIGN(unsigned count, next());
    auto room = part->size;
    for (unsigned i = 0; i < count; ++i) {
      PCIO_ASSIGN(unsigned at, next());
      if (at >= part->size) return bad("a member lies behind its compound");
      PCIO_ASSIGN(Part member, type(depth + 1, part->size - at));
      member.at = at;
      // They don't share bytes: else some parameters could ask for any amount of work.
      if (member.size > room) return bad("a compound's members are longer than it");
      room -= member.size;
      auto bits = checked_add<std::uint64_t>(part->bits, member.bits);
      if (!bits) return bad("a compound has too many bits");
      part->bits = *bits;
      part->inside.push_back(std::move(member));
    }
    return Status();
  }

  const std::vector<unsigned>& values_;
  std::size_t at_ = kHead;
};

/// A number's byte that holds bits [8 * rank, 8 * rank + 8).
std::size_t byte_of(const Part& part, std::size_t rank) {
  return part.big_endian ? part.size - 1 - rank : rank;
}

/// Calls `step(byte, shift, width)` for each byte that holds some of a number's bits, highest first.
template <class Step>
void for_each_byte(const Part& part, Step&& step) {
  unsigned end = part.offset + part.precision;  // of the bits still to go
  while (end > part.offset) {
    unsigned rank = (end - 1) / 8;
    unsigned low = std::max(8 * rank, part.offset);
    step(byte_of(part, rank), low - 8 * rank, end - low);
    end = low;
  }
}

void pack(const Part& part, const std::byte* from, BitWriter& out) {
  switch (part.kind) {
    case kNumber:
      for_each_byte(part, [&](std::size_t byte, unsigned shift, unsigned width) {
        out.put(std::to_integer<std::uint64_t>(from[byte]) >> shift, width);
      });
      break;
    case kBytes:
      for (std::size_t i = 0; i < part.size; ++i)
        out.put(std::to_integer<std::uint64_t>(from[i]), 8);
      break;
    case kArray:
      for (std::size_t at = 0; at < part.size; at += part.inside[0].size)
        pack(part.inside[0], from + at, out);
      break;
    case kCompound:
      for (const Part& member : part.inside) pack(member, from + member.at, out);
      break;
  }
}

/// `to` holds zeros.
void unpack(const Part& part, BitReader& in, std::byte* to) {
  switch (part.kind) {
    case kNumber:
      for_each_byte(part, [&](std::size_t byte, unsigned shift, unsigned width) {
        to[byte] |= static_cast<std::byte>(in.get(width) << shift);
      });
      break;
    case kBytes:
      for (std::size_t i = 0; i < part.size; ++i) to[i] = static_cast<std::byte>(in.get(8));
      break;
    case kArray:
      for (std::size_t at = 0; at < part.size; at += part.inside[0].size)
        unpack(part.inside[0], in, to + at);
      break;
    case kCompound:
      for (const Part& member : part.inside) unpack(member, in, to + member.at);
      break;
  }
}

struct NbitPlan {
  bool plain = false;  // stored as it is
  std::uint64_t elements = 0;
  Part element;
  std::uint64_t image_bytes = 0;
  std::uint64_t packed_bytes = 0;
};

Result<NbitPlan> read_nbit_plan(const FilterSpec& spec) {
  if (spec.values.size() < kHead || spec.values[0] != spec.values.size())
    return PCIO_ERROR(PLINE, BADVALUE, "the n-bit filter has a wrong number of parameters");
  NbitPlan plan;
  plan.plain = spec.values[1] != 0;
  if (plan.plain) return plan;
  plan.elements = spec.values[2];
  PCIO_ASSIGN(plan.element, PartReader(spec.values).type(0, std::numeric_limits<unsigned>::max()));
  auto image = checked_mul<std::uint64_t>(plan.elements, plan.element.size);
  auto bits = checked_mul<std::uint64_t>(plan.elements, plan.element.bits);
  if (!image || !bits) return PCIO_ERROR(PLINE, OVERFLOW, "n-bit chunk is too large");
  plan.image_bytes = *image;
  // libhdf5 always stores the byte behind the last whole one.
  plan.packed_bytes = *bits / 8 + 1;
  return plan;
}

Status copy(const FilterCall& call) {
  PCIO_TRY(call.out.discard_and_resize(call.in.size()));
  copy_bytes(call.out.data(), call.in.data(), call.in.size());
  return Status();
}

// ---- parameters of a new dataset ----------------------------------------------------------------

struct Describer {
  std::vector<unsigned>& values;
  bool packs = false;  // something is worth packing

  Status add_number(const Datatype& type) {
    PCIO_ASSIGN(ByteOrder order, type.order());
    PCIO_ASSIGN(std::size_t precision, type.precision());
    PCIO_ASSIGN(unsigned offset, type.bit_offset());
    if (order != ByteOrder::kLittle && order != ByteOrder::kBig)
      return PCIO_ERROR(PLINE, BADTYPE, "n-bit: a number is neither little- nor big-endian");
    packs = packs || precision != 8 * type.size() || offset != 0;
    for (std::size_t v :
         {std::size_t{kNumber}, type.size(), std::size_t{order == ByteOrder::kBig ? 1U : 0U},
          precision, std::size_t{offset}})
      values.push_back(static_cast<unsigned>(v));
    return Status();
  }

  Status add(const Datatype& type) {
    const auto size = static_cast<unsigned>(type.size());
    switch (type.type_class()) {
      case TypeClass::kInteger:
      case TypeClass::kFloat: return add_number(type);
      case TypeClass::kArray: {
        values.insert(values.end(), {kArray, size});
        PCIO_ASSIGN(Datatype base, type.super());
        return add(base);
      }
      case TypeClass::kCompound:
        values.insert(values.end(),
                      {kCompound, size, static_cast<unsigned>(type.members().size())});
        for (const CompoundMember& member : type.members()) {
          values.push_back(static_cast<unsigned>(member.offset));
          PCIO_TRY(add(member.type));
        }
        return Status();
      default: values.insert(values.end(), {kBytes, size}); return Status();
    }
  }
};

}  // namespace

Result<std::vector<unsigned>> nbit_parameters(const Datatype& type, std::uint64_t elements) {
  if (elements > std::numeric_limits<unsigned>::max())
    return PCIO_ERROR(PLINE, BADRANGE, "n-bit: a chunk has 2^32 elements or more");
  std::vector<unsigned> values{0, 0, static_cast<unsigned>(elements)};
  Describer describer{values};
  switch (type.type_class()) {
    case TypeClass::kInteger:
    case TypeClass::kFloat:
    case TypeClass::kArray:
    case TypeClass::kCompound: PCIO_TRY(describer.add(type)); break;
    default: break;  // nothing to pack, and nothing is said of the type
  }
  values[0] = static_cast<unsigned>(values.size());
  values[1] = describer.packs ? 0 : 1;
  return values;
}

Status encode_nbit(const FilterCall& call) {
  PCIO_ASSIGN(NbitPlan plan, read_nbit_plan(call.spec));
  if (plan.plain) return copy(call);
  if (plan.image_bytes != call.in.size())
    return PCIO_ERROR(PLINE, BADVALUE, "n-bit: the chunk has another size than its parameters say");
  if (plan.packed_bytes > call.limit)
    return PCIO_ERROR(PLINE, CANTFILTER, "n-bit makes the chunk larger");
  PCIO_TRY(call.out.discard_and_resize(static_cast<std::size_t>(plan.packed_bytes)));
  BitWriter out(call.out.data());
  for (std::uint64_t i = 0; i < plan.elements; ++i)
    pack(plan.element, call.in.data() + i * plan.element.size, out);
  out.finish();
  return Status();
}

Status decode_nbit(const FilterCall& call) {
  PCIO_ASSIGN(NbitPlan plan, read_nbit_plan(call.spec));
  if (plan.plain) return copy(call);
  if (plan.image_bytes > call.limit)
    return PCIO_ERROR(PLINE, CANTFILTER, "n-bit chunk is larger than its dataset's chunks");
  // The last byte may hold nothing, so a shorter chunk is not damaged.
  if (call.in.size() + 1 < plan.packed_bytes)
    return PCIO_ERROR(PLINE, TRUNCATED, "n-bit chunk is too short");
  PCIO_TRY(call.out.discard_and_resize(static_cast<std::size_t>(plan.image_bytes)));
  std::byte* to = call.out.data();
  if (plan.image_bytes > 0) std::memset(to, 0, static_cast<std::size_t>(plan.image_bytes));
  BitReader in(call.in);
  for (std::uint64_t i = 0; i < plan.elements; ++i)
    unpack(plan.element, in, to + i * plan.element.size);
  if (in.overrun()) return PCIO_ERROR(PLINE, TRUNCATED, "n-bit chunk is too short");
  return Status();
}

}  // namespace pcio
