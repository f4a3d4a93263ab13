// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: numbers of any layout as values, between being read and being written; used by the
// conversions of numbers only.

#pragma once

#include "type/kernel.hpp"
#include "type/type_node.hpp"

namespace pcio::detail {

enum class NumberKind { kFinite, kInfinite, kNotANumber };

/// (-1)^negative * magnitude * 2^scale; integers have scale 0.
struct NumberValue {
  NumberKind kind = NumberKind::kFinite;
  bool negative = false;
  Wide magnitude = 0;
  std::int64_t scale = 0;
};

inline constexpr int kNoException = -1;
constexpr int exception_code(ConvertException e) { return static_cast<int>(e); }

enum class Ties { kAway, kEven };

/// Exponent and mantissa bits for a value, and the exception if any.
struct FloatResult {
  Wide exponent = 0;
  Wide mantissa = 0;
  int exception = kNoException;
};

// Elements are in little-endian order. Collective: pure.
NumberValue read_float(const TypeNode& type, const LittleBytes& bytes);
FloatResult fit_float(const TypeNode& type, const NumberValue& value, Ties ties);
void write_float(const TypeNode& type, LittleBytes& bytes, bool negative, const FloatResult& r);

/// One element on its way.
struct NumberTarget {
  const std::byte* source;  ///< as the source type has it
  const LittleBytes& out;   ///< what is stored where no hook decides
  std::byte* at;
};
/// Stores an element of `to`. With an exception the hook decides, if there is one. Errors: it aborts.
Status store_number(const Reporter& reporter, int exception, std::size_t source_size,
                    const TypeNode& to, const NumberTarget& target);

/// Numbers of which one is an integer or bit field of more than 128 bits; layouts were checked.
KernelPtr make_wide_number(const Pair& pair);

}  // namespace pcio::detail
