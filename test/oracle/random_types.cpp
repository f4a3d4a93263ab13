// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random datatypes: choice, ids, bytes of values.
// Room: test/oracle, public C API only.

#include "random_types.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace oracle {

std::uint64_t Rng::next() {
  if (chosen_) return at_ < choices_.size() ? choices_[at_++] : 0;
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return Rng(a * 0x2545f4914f6cdd1dULL + b).next();
}

const char* kind_name(Kind kind) {
  static const char* const kNames[kKinds] = {"integer", "float",    "string", "enum",
                                             "array",   "compound", "opaque", "bitfield"};
  return kNames[static_cast<int>(kind)];
}

std::size_t TypeModel::array_count() const {
  std::size_t count = 1;
  for (const hsize_t dim : dims) count *= static_cast<std::size_t>(dim);
  return count;
}

namespace {

TypeModel random_integer(Rng& rng) {
  TypeModel type;
  type.size = std::size_t{1} << rng.below(4);
  type.big_endian = rng.chance(50);
  type.is_signed = rng.chance(50);
  type.nonnegative = !type.is_signed;
  if (type.size > 1 && rng.chance(20)) {  // bits of padding below and above the value
    const unsigned bits = static_cast<unsigned>(8 * type.size);
    type.precision = static_cast<unsigned>(rng.between(8, static_cast<int>(bits)));
    type.bit_offset = static_cast<unsigned>(rng.below(bits - type.precision + 1));
    // libhdf5 1.10.8 converts these by swapping bytes only and leaves a sign in the padding.
    if (type.bit_offset == 0) type.big_endian = false;
  }
  return type;
}

TypeModel random_float(Rng& rng) {
  TypeModel type;
  type.kind = Kind::kFloat;
  type.size = std::size_t{2} << rng.below(3);  // half, single, double
  type.big_endian = rng.chance(50);
  return type;
}

TypeModel random_string(Rng& rng) {
  TypeModel type;
  type.kind = Kind::kString;
  type.size = static_cast<std::size_t>(rng.between(1, 24));
  type.string_pad = rng.between(0, 2);
  type.text_size = type.size - 1;
  return type;
}

TypeModel random_enum(Rng& rng) {
  TypeModel type;
  type.kind = Kind::kEnum;
  type.parts = {random_integer(rng)};
  type.parts[0].precision = 0;
  type.parts[0].bit_offset = 0;
  type.size = type.parts[0].size;
  const int members = rng.between(1, 9);
  for (int i = 0; i < members; ++i) type.names.push_back("colour " + std::to_string(i * 7));
  return type;
}

TypeModel random_array(Rng& rng, int depth) {
  TypeModel type;
  type.kind = Kind::kArray;
  const int ndims = rng.between(1, 3);
  for (int i = 0; i < ndims; ++i) type.dims.push_back(static_cast<hsize_t>(rng.between(1, 3)));
  type.parts = {random_type(rng, depth - 1)};
  type.size = type.array_count() * type.parts[0].size;
  return type;
}

TypeModel random_compound(Rng& rng, int depth) {
  TypeModel type;
  type.kind = Kind::kCompound;
  type.size = 0;
  const int members = rng.between(1, 5);
  for (int i = 0; i < members; ++i) {
    type.parts.push_back(random_type(rng, depth - 1));
    type.names.push_back("member " + std::to_string(i));
    type.identities.push_back(static_cast<std::size_t>(i));
    if (rng.chance(30)) type.size += static_cast<std::size_t>(rng.between(1, 5));
    type.offsets.push_back(type.size);
    type.size += type.parts.back().size;
  }
  if (rng.chance(20)) type.size += 3;
  return type;
}

TypeModel random_opaque(Rng& rng) {
  TypeModel type;
  type.kind = Kind::kOpaque;
  type.size = static_cast<std::size_t>(rng.between(1, 17));
  type.tag = std::string(static_cast<std::size_t>(rng.between(0, 12)), 'o');
  return type;
}

}  // namespace

TypeModel random_type_of(Rng& rng, Kind kind, int depth) {
  switch (kind) {
    case Kind::kInteger: return random_integer(rng);
    case Kind::kFloat: return random_float(rng);
    case Kind::kString: return random_string(rng);
    case Kind::kEnum: return random_enum(rng);
    case Kind::kArray: return random_array(rng, depth);
    case Kind::kCompound: return random_compound(rng, depth);
    case Kind::kOpaque: return random_opaque(rng);
    case Kind::kBitfield: break;
  }
  TypeModel type = random_integer(rng);
  type.kind = Kind::kBitfield;
  return type;
}

TypeModel random_type(Rng& rng, int depth) {
  const Kind kind = static_cast<Kind>(rng.below(kKinds));
  const bool nests = kind == Kind::kArray || kind == Kind::kCompound;
  return random_type_of(rng, nests && depth <= 0 ? Kind::kInteger : kind, depth);
}

namespace {

void convert_number(Rng& rng, TypeModel& type) {
  type.big_endian = std::endian::native == std::endian::big;
  type.precision = 0;
  type.bit_offset = 0;
  // The other class of numbers; values are whole and fit both. Not from half precision, which
  // libhdf5 1.10.8 converts to wrong integers.
  if (rng.chance(20) && (type.kind == Kind::kInteger || type.size > 2)) {
    type.is_signed = type.kind == Kind::kFloat || type.is_signed;
    type.kind = type.kind == Kind::kFloat ? Kind::kInteger : Kind::kFloat;
  }
  const std::size_t least = type.kind == Kind::kFloat ? 4 : 1;
  type.size = std::max(least, std::size_t{1} << rng.below(4));
}

void convert_compound(Rng& rng, TypeModel& type) {
  // Members are found by name: their order and their offsets may be others in memory.
  for (std::size_t i = type.parts.size(); i > 1; --i) {
    const std::size_t other = rng.below(i);
    std::swap(type.parts[i - 1], type.parts[other]);
    std::swap(type.names[i - 1], type.names[other]);
    std::swap(type.identities[i - 1], type.identities[other]);
  }
  type.size = 0;
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    type.parts[i] = memory_variant(rng, type.parts[i]);
    type.size = (type.size + 7) / 8 * 8;
    type.offsets[i] = type.size;
    type.size += type.parts[i].size;
  }
  type.size = (type.size + 7) / 8 * 8;
}

}  // namespace

TypeModel memory_variant(Rng& rng, const TypeModel& file) {
  TypeModel type = file;
  switch (type.kind) {
    case Kind::kInteger:
    case Kind::kFloat: convert_number(rng, type); break;
    case Kind::kString: type.size += rng.below(5); break;
    case Kind::kEnum:
      type.parts[0].big_endian = false;
      type.parts[0].size = std::size_t{1} << rng.below(4);
      type.size = type.parts[0].size;
      break;
    case Kind::kArray:
      type.parts[0] = memory_variant(rng, type.parts[0]);
      type.size = type.array_count() * type.parts[0].size;
      break;
    case Kind::kCompound: convert_compound(rng, type); break;
    case Kind::kOpaque:
    case Kind::kBitfield: break;
  }
  return type;
}

void use_whole_range(TypeModel& type) {
  if (type.kind == Kind::kInteger) type.whole_range = true;
  if (type.kind == Kind::kEnum) return;
  for (TypeModel& part : type.parts) use_whole_range(part);
}

namespace {

hid_t make_integer(const TypeModel& type) {
  const hid_t id = H5Tcopy(type.kind == Kind::kBitfield ? H5T_STD_B32LE
                           : type.is_signed             ? H5T_STD_I32LE
                                                        : H5T_STD_U32LE);
  H5Tset_size(id, type.size);
  H5Tset_order(id, type.big_endian ? H5T_ORDER_BE : H5T_ORDER_LE);
  // A type that is made larger keeps its precision: it is always said.
  H5Tset_precision(id, type.precision != 0 ? type.precision : 8 * type.size);
  H5Tset_offset(id, type.bit_offset);
  return id;
}

hid_t make_float(const TypeModel& type) {
  if (type.size == 8) return H5Tcopy(type.big_endian ? H5T_IEEE_F64BE : H5T_IEEE_F64LE);
  const hid_t id = H5Tcopy(type.big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F32LE);
  if (type.size == 2) {  // IEEE half: fields first, they must lie inside the new size
    H5Tset_fields(id, 15, 10, 5, 0, 10);
    H5Tset_size(id, 2);
    H5Tset_ebias(id, 15);
  }
  return id;
}

hid_t make_enum(const TypeModel& type) {
  const hid_t base = make_integer(type.parts[0]);
  const hid_t id = H5Tenum_create(base);
  for (std::size_t i = 0; i < type.names.size(); ++i) {
    std::uint8_t value[8] = {0};
    const std::size_t at = type.parts[0].big_endian ? type.size - 1 : 0;
    value[at] = static_cast<std::uint8_t>(i * 3);
    H5Tenum_insert(id, type.names[i].c_str(), value);
  }
  H5Tclose(base);
  return id;
}

hid_t make_compound(const TypeModel& type) {
  const hid_t id = H5Tcreate(H5T_COMPOUND, type.size);
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const hid_t member = make_type(type.parts[i]);
    H5Tinsert(id, type.names[i].c_str(), type.offsets[i], member);
    H5Tclose(member);
  }
  return id;
}

}  // namespace

hid_t make_type(const TypeModel& type) {
  hid_t id = -1;
  switch (type.kind) {
    case Kind::kInteger:
    case Kind::kBitfield: return make_integer(type);
    case Kind::kFloat: return make_float(type);
    case Kind::kEnum: return make_enum(type);
    case Kind::kCompound: return make_compound(type);
    case Kind::kString:
      id = H5Tcopy(H5T_C_S1);
      H5Tset_size(id, type.size);
      H5Tset_strpad(id, static_cast<H5T_str_t>(type.string_pad));
      return id;
    case Kind::kArray: {
      const hid_t base = make_type(type.parts[0]);
      id = H5Tarray_create2(base, static_cast<unsigned>(type.dims.size()), type.dims.data());
      H5Tclose(base);
      return id;
    }
    case Kind::kOpaque:
      id = H5Tcreate(H5T_OPAQUE, type.size);
      H5Tset_tag(id, type.tag.c_str());
      return id;
  }
  return id;
}

namespace {

void store(std::uint64_t bits, std::size_t size, bool big_endian, std::uint8_t* out) {
  for (std::size_t i = 0; i < size; ++i)
    out[big_endian ? size - 1 - i : i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

/// Whole numbers that every number type of the campaign holds exactly.
int small_number(const TypeModel& type, std::uint64_t seed) {
  const int number = static_cast<int>(seed % 101);
  return type.nonnegative || (seed & (1ULL << 40)) == 0 ? number : -number;
}

void encode_integer(const TypeModel& type, std::uint64_t seed, std::uint8_t* out) {
  const bool raw = type.whole_range || type.kind == Kind::kBitfield;
  std::uint64_t bits = raw ? mix(seed, 7) : static_cast<std::uint64_t>(small_number(type, seed));
  const unsigned precision =
      type.precision != 0 ? type.precision : static_cast<unsigned>(8 * type.size);
  if (precision < 64) bits &= (1ULL << precision) - 1;
  store(bits << type.bit_offset, type.size, type.big_endian, out);
}

std::uint64_t half_bits(int number) {
  if (number == 0) return 0;
  const std::uint64_t sign = number < 0 ? 0x8000 : 0;
  const unsigned magnitude = static_cast<unsigned>(number < 0 ? -number : number);
  const unsigned exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
  return sign | ((exponent + 15) << 10) | ((magnitude << (10 - exponent)) & 0x3ff);
}

void encode_float(const TypeModel& type, std::uint64_t seed, std::uint8_t* out) {
  const int number = small_number(type, seed);
  std::uint64_t bits = half_bits(number);
  if (type.size == 4) bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type.size == 8) bits = std::bit_cast<std::uint64_t>(static_cast<double>(number));
  store(bits, type.size, type.big_endian, out);
}

void encode_string(const TypeModel& type, std::uint64_t seed, std::uint8_t* out) {
  const std::size_t length = seed % (type.text_size + 1);
  std::memset(out, type.string_pad == 2 ? ' ' : 0, type.size);
  for (std::size_t i = 0; i < length; ++i)
    out[i] = static_cast<std::uint8_t>('a' + mix(seed, i) % 26);
}

}  // namespace

void encode(const TypeModel& type, std::uint64_t seed, std::uint8_t* out) {
  switch (type.kind) {
    case Kind::kInteger:
    case Kind::kBitfield: encode_integer(type, seed, out); break;
    case Kind::kFloat: encode_float(type, seed, out); break;
    case Kind::kString: encode_string(type, seed, out); break;
    case Kind::kEnum:
      store(seed % type.names.size() * 3, type.size, type.parts[0].big_endian, out);
      break;
    case Kind::kArray:
      for (std::size_t i = 0; i < type.array_count(); ++i)
        encode(type.parts[0], mix(seed, i), out + i * type.parts[0].size);
      break;
    case Kind::kCompound:
      for (std::size_t i = 0; i < type.parts.size(); ++i)
        encode(type.parts[i], mix(seed, type.identities[i]), out + type.offsets[i]);
      break;
    case Kind::kOpaque:
      for (std::size_t i = 0; i < type.size; ++i) out[i] = static_cast<std::uint8_t>(mix(seed, i));
      break;
  }
}

Hash hash_value(const TypeModel& type, Hash hash, const std::uint8_t* bytes) {
  if (type.kind == Kind::kCompound) {
    for (std::size_t i = 0; i < type.parts.size(); ++i)
      hash = hash_value(type.parts[i], hash, bytes + type.offsets[i]);
    return hash;
  }
  if (type.kind == Kind::kArray) {
    for (std::size_t i = 0; i < type.array_count(); ++i)
      hash = hash_value(type.parts[0], hash, bytes + i * type.parts[0].size);
    return hash;
  }
  for (std::size_t i = 0; i < type.size; ++i) hash = (hash ^ bytes[i]) * 1099511628211ULL;
  return hash;
}

bool same_value(const TypeModel& type, const std::uint8_t* a, const std::uint8_t* b) {
  return hash_value(type, kHashStart, a) == hash_value(type, kHashStart, b);
}

}  // namespace oracle
