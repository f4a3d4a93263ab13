// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: arguments in messages, as the prototype of the call names them.

#pragma once

#include <string>
#include <string_view>

namespace pcio {

/// Work that several calls share names their arguments alike ("argument loc_id: ..."); where `function` has another
/// name for it, that one is put in its place.
void name_arguments(std::string_view function, std::string* text);

}  // namespace pcio
