// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: which numbers the machine itself knows.

#pragma once

#include <optional>

#include "type/datatype.hpp"

namespace pcio::detail {

/// Numbers of the C language; two C types of one layout share a code.
enum class NativeCode : unsigned {
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kFloat,
  kDouble,
  kLongDouble,
};
inline constexpr unsigned kNativeCodes = 11;

struct NativeNumber {
  NativeCode code = NativeCode::kI8;
  bool swapped = false;  // stored in the other byte order
};

/// What the machine calls this type, or nothing.
[[nodiscard]] std::optional<NativeNumber> native_number(const Datatype& type);

}  // namespace pcio::detail
