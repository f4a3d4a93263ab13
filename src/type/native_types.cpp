// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: the predefined types as a table.

#include "type/native_types.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "type/type_node.hpp"

namespace pcio {

namespace {

using detail::kNativeOrder;

template <class T>
Datatype native_integer() {
  return Datatype::integer(
      sizeof(T), kNativeOrder,
      std::is_signed_v<T> ? SignScheme::kTwosComplement : SignScheme::kUnsigned);
}

/// VAX F and G numbers are IEEE-like, with a bias that differs by 2 and an order of their own.
Datatype vax_float(std::size_t size) {
  Datatype type =
      size == 4 ? Datatype::ieee_float(ByteOrder::kVax) : Datatype::ieee_double(ByteOrder::kVax);
  TypeNode node = type.node();
  node.fields.exponent_bias += 2;
  return detail::make_type(std::move(node));
}

/// long double as this compiler has it: IEEE double, IEEE quad, or x87 extended with padding.
Datatype native_long_double() {
  constexpr int kDigits = std::numeric_limits<long double>::digits;
  if constexpr (kDigits == 53) return Datatype::ieee_double(kNativeOrder);
  TypeNode node = detail::atomic_node(TypeClass::kFloat, sizeof(long double), kNativeOrder);
  FloatFields& f = node.fields;
  if constexpr (kDigits == 64) {
    node.precision = 80;
    f = {79, 64, 15, 0, 64, 16383, Normalization::kNone, BitPad::kZero};
  } else {
    f = {127, 112, 15, 0, 112, 16383, Normalization::kImplied, BitPad::kZero};
  }
  return detail::make_type(std::move(node));
}

constexpr PredefinedType kNames[] = {
#define PCIO_PREDEFINED_TYPE(name, make) {NativeKind::name, "H5T_" #name},
#include "type/predefined_types.def"
#undef PCIO_PREDEFINED_TYPE
};

/// Made once: predefined types share their nodes with all their copies. Never destroyed.
const std::vector<Datatype>& made_types() {
  static const auto& types = *new const std::vector<Datatype>{
#define PCIO_PREDEFINED_TYPE(name, make) make,
#include "type/predefined_types.def"
#undef PCIO_PREDEFINED_TYPE
  };
  return types;
}

}  // namespace

std::span<const PredefinedType> predefined_types() { return kNames; }

Datatype native_type(NativeKind kind) { return made_types()[static_cast<unsigned>(kind)]; }

const char* predefined_name(const Datatype& type) {
  const std::vector<Datatype>& types = made_types();
  const auto found = std::find(types.begin(), types.end(), type);
  return found == types.end() ? nullptr : kNames[found - types.begin()].name;
}

}  // namespace pcio
