// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: environment variables that look like one of the library's and are none.

#pragma once

#include <string_view>

namespace pcio {

/// The variable of the library that a name may have been meant for: two letters or fewer are wrong, missing or
/// too many. Null where it is one of them, or like none.
const char* meant_variable(std::string_view name) noexcept;
/// One line on stderr for each such variable of this process, the first time only. Asks for no memory.
/// Collective: independent.
void tell_misspelt_variables() noexcept;

}  // namespace pcio
