// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: the predefined types (H5T_NATIVE_*, H5T_STD_*, H5T_IEEE_*, ...) and native equivalents.

#pragma once

#include <span>

#include "type/datatype.hpp"

namespace pcio {

/// Predefined types that have a global of their own; NativeKind::STD_I32LE is H5T_STD_I32LE.
/// The aliases of the C headers (H5T_INTEL_I32, ...) are macros over these.
enum class NativeKind : unsigned {
#define PCIO_PREDEFINED_TYPE(name, make) name,
#include "type/predefined_types.def"
#undef PCIO_PREDEFINED_TYPE
};

struct PredefinedType {
  NativeKind kind;
  const char* name;  // "H5T_STD_I32LE"
};

/// Every predefined type, in the order of NativeKind.
[[nodiscard]] std::span<const PredefinedType> predefined_types();
[[nodiscard]] Datatype native_type(NativeKind kind);
/// Name of the first predefined type equal to `type`, or nullptr.
[[nodiscard]] const char* predefined_name(const Datatype& type);

/// Order in which native candidates are tried; numbers are those of H5T_direction_t.
enum class SearchDirection : int { kDefault = 0, kAscend = 1, kDescend = 2 };

/// The type in which a C program would hold values of `type`; compounds are laid out as the C
/// compiler would. Errors: BADTYPE for classes without native form (time).
[[nodiscard]] Result<Datatype> native_equivalent(const Datatype& type, SearchDirection direction);

}  // namespace pcio
