// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the value of a new property as a program gives it.

#pragma once

#include "lib/list_class.hpp"
#include "lib/text_argument.hpp"

namespace pcio {

struct ValueArgument {
  std::size_t size;  // bytes
  const void* value;
  const char* argument;

  /// Errors: ARGS BADVALUE for bytes that are NULL.
  [[nodiscard]] Result<ProgramProperty> with(const PropertyCalls& calls) const {
    if (size > 0) PCIO_TRY(need_pointer(value, argument));
    const auto* bytes = static_cast<const std::byte*>(value);
    return ProgramProperty{{bytes, bytes + size}, calls};
  }
};

}  // namespace pcio
